//! The program `nrdr-mpi`.

#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::sync::Arc;

use nrdr::team::join;
use nrdr_mpi::cluster::Stages;
use nrdr_mpi::world::Member;
use nrdr_slepc_sys::World;

fn main() -> ExitCode {
    let world = match World::init() {
        Ok(world) => Arc::new(world),
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let team = Arc::new(Member(world.clone()));
    join(Some(team.clone()), || nrdr_mpi::program::main(team.as_ref(), &Stages::new(&world)))
}
