//! Which solver suits a problem.

use super::davidson::Davidson;
use super::dense::Dense;
use super::fallback::{Fallback, Make};
use super::lanczos::Lanczos;
use super::low_rank::OfLowRank;
use super::predict::{Glance, Levels};
use super::shift_invert::ShiftInvert;
use super::sparse_cholesky::{Cost, Symbolic};
use super::{Engine, Solver, SolverKind, SolverOptions};
use std::sync::{Arc, OnceLock};

use crate::error::{Error, FEWER_POINTS, Hint, MORE_MEMORY, Result};
use crate::linalg::{Matrix, SparseMatrix};
use crate::memory;
use crate::problem::Problem;
use crate::progress::Progress;

/// Up to this many points all eigenvalues are computed.
const SMALL: usize = 100;
/// A factor with more entries is not computed unless asked for (8 bytes each).
const MOST_ENTRIES: f64 = 1.0e9;
/// and one with more than this never.
const ABSURD_ENTRIES: f64 = 8.0e9;
/// What helps where a factor does not fit.
pub(super) const FACTOR_WAY_OUT: &[Hint] = &[FEWER_POINTS, Hint::Lower("neighbors"), MORE_MEMORY];
/// A factor that looks this many times slower than multigrid is not even analysed.
const HOPELESS: f64 = 4.0;
/// Where nothing but products is left for narrow gaps, so many times fewer blocks than allowed are multiplied before it is
/// given up: 1000 by default.
const HASTE: usize = 5;

/// The solvers of this crate, chosen by the problem.
///
/// Small problems are solved densely. A sparse matrix whose extreme eigenvalue is known is factorised, or left to
/// multigrid, whichever is predicted to take less time; multigrid needs near-null vectors where the method minimises. Where
/// these are not known (LLE) and the factor is too large, a limited number of products with the matrix is tried. A matrix of low
/// rank needs no iteration. Everything else is left to Lanczos.
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
        if let (Matrix::LowRank(matrix), SolverKind::Auto) = (&problem.matrix, options.kind) {
            return Ok(Box::new(OfLowRank::new(problem, matrix)));
        }
        match (options.kind, factorizable) {
            (SolverKind::Dense, _) => dense(problem, progress),
            (SolverKind::Lanczos, _) => Ok(lanczos(problem)),
            (SolverKind::Multigrid, _) => Ok(Box::new(Davidson::new(problem, progress)?)),
            (SolverKind::Auto, _) if problem.size() <= SMALL => dense(problem, progress),
            (SolverKind::Auto, None) => Ok(lanczos(problem)),
            (SolverKind::ShiftInvert, None) => Err(Error::Solver {
                solver: "shift-invert",
                reason: "it needs a sparse matrix with a known bound of its eigenvalues".into(),
            }),
            (SolverKind::ShiftInvert, Some((matrix, bound))) => {
                factorized(problem, matrix, bound, Symbolic::new(matrix), progress)
            }
            (SolverKind::Auto, Some((matrix, bound))) => chosen(problem, matrix, bound, progress),
        }
    }
}

/// The solver that is predicted to take the least time.
fn chosen(
    problem: &Arc<Problem>,
    matrix: &Arc<SparseMatrix>,
    bound: f64,
    progress: &Progress<'_>,
) -> Result<Box<dyn Solver>> {
    let levels = Levels::of(problem);
    let glance = Glance::new(matrix, levels);
    let guess = glance.factor();
    let is_hopeless = guess.entries > HOPELESS * MOST_ENTRIES
        || glance.shift_invert(guess) > HOPELESS * glance.multigrid();
    if !is_hopeless {
        let symbolic = Symbolic::new(matrix);
        if is_worthwhile(&glance, symbolic.cost) {
            return factorized(problem, matrix, bound, symbolic, progress);
        }
    }
    if levels == Levels::Unknown {
        return Ok(Box::new(Lanczos::hasty(problem, HASTE)));
    }
    match Davidson::new(problem, progress) {
        Ok(first) => {
            let (problem, make, second) = (problem.clone(), second_choice as Make, OnceLock::new());
            Ok(Box::new(Fallback { problem, first, make, second }))
        }
        Err(Error::Solver { .. }) => second_choice(problem, progress),
        Err(error) => Err(error),
    }
}

/// What is left where multigrid is not suited: a factor that is not too large, or products.
fn second_choice(problem: &Arc<Problem>, progress: &Progress<'_>) -> Result<Box<dyn Solver>> {
    if let (Matrix::Sparse(matrix), Some(bound)) = (&problem.matrix, problem.bound) {
        let symbolic = Symbolic::new(matrix);
        if symbolic.cost.entries <= MOST_ENTRIES && check_memory(symbolic.cost, progress).is_ok() {
            return factorized(problem, matrix, bound, symbolic, progress);
        }
    }
    Ok(lanczos(problem))
}

fn factorized(
    problem: &Arc<Problem>,
    matrix: &SparseMatrix,
    bound: f64,
    symbolic: Symbolic,
    progress: &Progress<'_>,
) -> Result<Box<dyn Solver>> {
    check_memory(symbolic.cost, progress)?;
    Ok(Box::new(ShiftInvert::new(problem, matrix, bound, symbolic, progress)?))
}

fn lanczos(problem: &Arc<Problem>) -> Box<dyn Solver> {
    Box::new(Lanczos::new(problem))
}

fn dense(problem: &Arc<Problem>, progress: &Progress<'_>) -> Result<Box<dyn Solver>> {
    // The matrix, its projection, and eigenvectors while they are computed.
    let needed = 4.0 * memory::dense(problem.size());
    let way_out = &[FEWER_POINTS, Hint::Another("solver")];
    progress.budget().check("the dense solver", needed, way_out)?;
    Ok(Box::new(Dense::new(problem)?))
}

/// A factor that no memory holds is refused even if it is asked for.
fn check_memory(cost: Cost, progress: &Progress<'_>) -> Result<()> {
    if cost.entries > ABSURD_ENTRIES {
        return Err(Error::Solver {
            solver: "shift-invert",
            reason: format!("its factor would take {:.0} GB", 8e-9 * cost.entries),
        });
    }
    progress.budget().check("the factor", 8.0 * (cost.entries + cost.held), FACTOR_WAY_OUT)
}

/// The solver that [`Builtin`] chooses for a sparse problem of so many points and entries whose factor costs so much, and why.
pub(crate) fn foresee(
    kind: SolverKind,
    points: usize,
    entries: f64,
    cost: Cost,
    levels: Levels,
) -> (SolverKind, &'static str) {
    let glance = Glance::of_factor(points as f64, entries, cost, levels);
    match kind {
        SolverKind::Auto if points <= SMALL => (SolverKind::Dense, "there are few points"),
        SolverKind::Auto if is_worthwhile(&glance, cost) => {
            (SolverKind::ShiftInvert, "the factor is cheap for what it saves")
        }
        SolverKind::Auto if levels == Levels::Unknown => {
            (SolverKind::Lanczos, "the factor is too large, and it has no coarser levels")
        }
        SolverKind::Auto => {
            (SolverKind::Multigrid, "the factor would cost more than coarser levels")
        }
        asked => (asked, "asked for"),
    }
}

/// Whether factorising is the better way.
fn is_worthwhile(glance: &Glance, cost: Cost) -> bool {
    cost.entries <= MOST_ENTRIES && glance.shift_invert(cost) <= glance.multigrid()
}
