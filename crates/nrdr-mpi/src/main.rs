//! The program `nrdr-mpi`.

#![forbid(unsafe_code)]

use std::sync::Arc;

use nrdr::team::join;
use nrdr_mpi::alone::Alone;
use nrdr_mpi::gathered::Gathered;

fn main() -> std::process::ExitCode {
    let team = Arc::new(Alone);
    join(Some(team.clone()), || nrdr_mpi::program::main(team.as_ref(), &Gathered))
}
