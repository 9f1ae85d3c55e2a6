//! Eigenvectors of a matrix whose rows are spread over the ranks of a run: an [`Engine`] of PETSc, SLEPc and MUMPS.
//!
//! | method | solver |
//! |---|---|
//! | Laplacian eigenmaps, diffusion maps | SLEPc's generalised Davidson with PETSc's multigrid; where that is not suited, Lanczos |
//! | LTSA, Hessian LLE | a factor of MUMPS while it fits, else Davidson with the near-null vectors \[1, X\] |
//! | LLE | a factor of MUMPS |
//!
//! Few points are gathered and solved densely, by every rank. All of it happens at all ranks together, in a
//! [team] of all of them.

mod course;
mod davidson;
mod definite;
mod dense;
mod factor;
mod fallback;

use std::sync::Arc;

use nrdr::eigen::Builtin;
use nrdr::team::{self, Team};
use nrdr::{End, Engine, Error, Problem, Progress, Result, Solver, SolverKind, SolverOptions};
use nrdr_slepc_sys::{Error as Fault, World};

use crate::csr::SharedCsr;
use crate::world::Member;
use davidson::Multilevel;
use definite::Definite;
use dense::Gathered;
use fallback::Fallback;

/// Up to this many points all eigenvalues are computed.
const SMALL: u64 = 400;

/// Makes solvers for a matrix whose rows are spread over all ranks.
#[derive(Clone)]
pub struct Cluster {
    world: Arc<World>,
    matrix: Arc<SharedCsr>,
}

impl Cluster {
    /// The engine of this rank, with its own rows of the problem's matrix.
    pub fn new(world: &Arc<World>, matrix: &Arc<SharedCsr>) -> Self {
        Cluster { world: world.clone(), matrix: matrix.clone() }
    }

    fn points(&self) -> u64 {
        self.matrix.rows.total()
    }

    /// A factor of MUMPS.
    fn factorized(
        &self,
        problem: &Arc<Problem>,
        progress: &Progress<'_>,
    ) -> Result<Box<dyn Solver>> {
        factor::prepare(self, problem, progress)
    }

    /// Davidson with multigrid.
    fn multilevel(&self, problem: &Arc<Problem>) -> Result<Multilevel> {
        Multilevel::new(self, problem)
    }

    /// M = |A - bound| for PETSc.
    fn definite(&self, problem: &Problem) -> Result<Definite> {
        Definite::new(self, problem)
    }
}

impl Engine for Cluster {
    fn prepare(
        &self,
        problem: &Arc<Problem>,
        options: &SolverOptions,
        progress: &Progress<'_>,
    ) -> Result<Box<dyn Solver>> {
        let size = team::current().map_or(1, |team| team.size());
        if size != self.world.size() {
            let ranks = self.world.size();
            return Err(refused(format!("{size} members of a team ask {ranks} ranks to solve")));
        }
        let (small, known) = (self.points() <= SMALL, problem.bound.is_some());
        match options.kind {
            SolverKind::Dense => Gathered::prepare(self, problem, progress),
            SolverKind::Auto if small => Gathered::prepare(self, problem, progress),
            SolverKind::Lanczos => lanczos(problem, options, progress),
            SolverKind::Auto if !known => lanczos(problem, options, progress),
            SolverKind::ShiftInvert => self.factorized(problem, progress),
            SolverKind::Multigrid => Ok(Box::new(self.multilevel(problem)?)),
            SolverKind::Auto => self.chosen(problem, options, progress),
        }
    }
}

impl Cluster {
    /// What suits the method; see the table above.
    fn chosen(
        &self,
        problem: &Arc<Problem>,
        options: &SolverOptions,
        progress: &Progress<'_>,
    ) -> Result<Box<dyn Solver>> {
        if problem.end == End::Smallest {
            let factorized = self.factorized(problem, progress);
            return match factorized {
                Err(Error::Solver { .. }) if !problem.near_null.is_empty() => {
                    Ok(Box::new(self.multilevel(problem)?))
                }
                other => other,
            };
        }
        match self.multilevel(problem) {
            Ok(first) => Ok(Box::new(Fallback::new(first, problem, options))),
            Err(Error::Solver { .. }) => lanczos(problem, options, progress),
            Err(error) => Err(error),
        }
    }
}

/// The core's iteration, whose sums are over all ranks.
fn lanczos(
    problem: &Arc<Problem>,
    options: &SolverOptions,
    progress: &Progress<'_>,
) -> Result<Box<dyn Solver>> {
    let options = SolverOptions { kind: SolverKind::Lanczos, ..options.clone() };
    Builtin.prepare(problem, &options, progress)
}

/// The error of a solver that does not suit a problem; the same at all ranks.
fn refused(reason: impl Into<String>) -> Error {
    Error::Solver { solver: "nrdr-mpi", reason: reason.into() }
}

/// What a call of the libraries came to. What may have failed on one rank alone ends all of them: they cannot be told.
fn finished<T>(world: &World, done: std::result::Result<T, Fault>) -> Result<T> {
    done.map_err(|fault| match fault {
        Fault::Call { .. } if world.size() > 1 => world.abort(&fault.to_string()),
        fault => refused(fault.to_string()),
    })
}

/// The largest of what ranks have.
fn largest(world: &Arc<World>, mine: f64) -> f64 {
    let all = Member(world.clone()).gather(mine.to_le_bytes().to_vec());
    let number =
        |bytes: &Vec<u8>| bytes.as_chunks().0.first().map_or(0.0, |b| f64::from_le_bytes(*b));
    all.iter().map(number).fold(0.0, f64::max)
}

/// Whether it is so at all ranks.
fn everywhere(world: &World, here: bool) -> bool {
    let mut missing = [if here { 0.0 } else { 1.0 }];
    world.sum(&mut missing);
    missing[0] == 0.0
}
