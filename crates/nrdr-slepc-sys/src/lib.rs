//! The calls of MPI, PETSc, SLEPc and MUMPS that nrdr makes: declared by hand, checked, and wrapped so that what is built on
//! them needs no `unsafe`.
//!
//! [`World`] is all ranks of a run. Everything else is made in a world by all of its ranks together, holds a pointer to it, and
//! is distributed by rows: each rank hands over and gets back slices of its own. Functions that are collective say so; all
//! ranks must call them in the same order. An [`Error`] that only one rank may have is best answered with
//! [`World::abort`], as the others are already waiting.

#![warn(clippy::undocumented_unsafe_blocks)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod callback;
mod davidson;
mod error;
mod ffi;
mod matrix;
mod messages;
mod multigrid;
mod mumps;
mod traffic;
mod turn;
mod vector;
mod world;

pub use davidson::{Davidson, Found, Looked, Reason};
pub use error::{Error, Result};
pub use matrix::{LocalRows, Matrix};
pub use multigrid::Multigrid;
pub use mumps::{Cost, Factor};
pub use world::{World, petsc_version};
