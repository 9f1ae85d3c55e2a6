//! The program `nrdr-mpi`.

#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::sync::Arc;

use nrdr::team::join;
use nrdr_mpi::cluster::Stages;
use nrdr_mpi::world::Member;
use nrdr_slepc_sys::World;

fn main() -> ExitCode {
    let world = match World::start() {
        Ok(world) => world,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let team = Arc::new(Member(world.clone()));
    // The ranks of a host share its cores.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = (cores / world.ranks_here().max(1)).max(1);
    let stages = Stages::new(&world);
    join(Some(team.clone()), || nrdr_mpi::program::main(team.as_ref(), &stages, threads))
}
