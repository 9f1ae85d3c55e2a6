//! Which solver suits a problem.

use super::dense::Dense;
use super::lanczos::Lanczos;
use super::shift_invert::ShiftInvert;
use super::sparse_cholesky::{Cost, Symbolic};
use super::{Engine, Solver, SolverKind, SolverOptions};
use std::sync::Arc;

use crate::error::{Error, FEWER_POINTS, Hint, MORE_MEMORY, Result};
use crate::linalg::{Matrix, SparseMatrix};
use crate::memory;
use crate::problem::{End, Problem};
use crate::progress::Progress;

/// Up to this many points all eigenvalues are computed.
const SMALL: usize = 100;
/// A factor with more entries is not computed unless asked for (8 bytes each).
const MOST_ENTRIES: f64 = 1.0e9;
/// and one with more than this never.
const ABSURD_ENTRIES: f64 = 8.0e9;
/// What the fronts under way take beside the factor, as a share.
const WHILE_FACTORIZING: f64 = 1.7;
/// What helps where a factor does not fit.
pub(super) const FACTOR_WAY_OUT: &[Hint] = &[FEWER_POINTS, Hint::Lower("neighbors"), MORE_MEMORY];
/// Lanczos iterations that a problem with wide gaps takes, roughly.
const ITERATIONS: f64 = 500.0;
/// A factorisation does this many multiplications in the time of one in a sparse product.
const DENSE_SPEED: f64 = 20.0;

/// The solvers of this crate, chosen by the problem.
///
/// Small problems are solved densely. A sparse matrix whose extreme eigenvalue is known can be
/// factorised: that is done when the method minimises (its gaps are always narrow), or when the
/// symbolic factorisation predicts that it costs no more than some hundred products with the matrix.
/// Everything else is left to Lanczos.
#[derive(Clone, Copy, Debug, Default)]
pub struct Builtin;

impl Engine for Builtin {
    fn prepare(
        &self,
        problem: &Arc<Problem>,
        options: &SolverOptions,
        progress: &Progress<'_>,
    ) -> Result<Box<dyn Solver>> {
        let factorizable = match (&problem.matrix, problem.bound) {
            (Matrix::Sparse(matrix), Some(bound)) => Some((matrix, bound)),
            _ => None,
        };
        match (options.kind, factorizable) {
            (SolverKind::Dense, _) => dense(problem),
            (SolverKind::Lanczos, _) => Ok(lanczos(problem)),
            (SolverKind::Auto, _) if problem.size() <= SMALL => dense(problem),
            (SolverKind::Auto, None) => Ok(lanczos(problem)),
            (SolverKind::ShiftInvert, None) => Err(Error::Solver {
                solver: "shift-invert",
                reason: "it needs a sparse matrix with a known bound of its eigenvalues".into(),
            }),
            (kind, Some((matrix, bound))) => {
                let symbolic = Symbolic::new(matrix);
                if kind == SolverKind::Auto && !worthwhile(symbolic.cost, matrix, problem.end) {
                    return Ok(lanczos(problem));
                }
                check_memory(symbolic.cost)?;
                Ok(Box::new(ShiftInvert::new(problem, matrix, bound, symbolic, progress)?))
            }
        }
    }
}

fn lanczos(problem: &Arc<Problem>) -> Box<dyn Solver> {
    Box::new(Lanczos::new(problem))
}

fn dense(problem: &Arc<Problem>) -> Result<Box<dyn Solver>> {
    // The matrix, its projection, and eigenvectors while they are computed.
    let needed = 4.0 * memory::dense(problem.size());
    memory::check("the dense solver", needed, &[FEWER_POINTS, Hint::Another("solver")])?;
    Ok(Box::new(Dense::new(problem)?))
}

/// A factor that no memory holds is refused even if it is asked for.
fn check_memory(cost: Cost) -> Result<()> {
    if cost.entries > ABSURD_ENTRIES {
        return Err(Error::Solver {
            solver: "shift-invert",
            reason: format!("its factor would take {:.0} GB", 8e-9 * cost.entries),
        });
    }
    memory::check("the factor", WHILE_FACTORIZING * 8.0 * cost.entries, FACTOR_WAY_OUT)
}

/// Whether factorising is the better way.
fn worthwhile(cost: Cost, matrix: &SparseMatrix, end: End) -> bool {
    if cost.entries > MOST_ENTRIES {
        return false;
    }
    let product = matrix.entries() as f64 + 40.0 * matrix.size() as f64;
    end == End::Smallest || cost.flops < DENSE_SPEED * ITERATIONS * product
}
