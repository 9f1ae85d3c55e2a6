//! Declarations, written by hand from the headers of Open MPI 4, PETSc 3.18 and SLEPc 3.18.

pub(crate) mod mpi;
pub(crate) mod petsc;
pub(crate) mod slepc;
