//! The original methods: coordinates are orthogonal eigenvectors.

use std::time::Instant;

use super::Step;
use crate::constraint::Constraint;
use crate::error::Result;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::solver::{Pair, Solver};

/// The first `dims` eigenvectors beside the trivial direction, all at once.
pub fn coordinates(
    problem: &Problem,
    solver: &dyn Solver,
    dims: usize,
    seed: u64,
    progress: &Progress<'_>,
) -> Result<Vec<Step>> {
    let start = Instant::now();
    let mut constraint = Constraint::none(problem.size());
    constraint.forbid(problem.trivial.as_deref());
    let pairs = solver.solve(&constraint, dims, seed, progress)?;
    let time = start.elapsed() / dims as u32;
    let step = |pair: Pair| Step { original_eigenvalue: pair.value, pair, smoothing: None, time };
    Ok(pairs.into_iter().map(step).collect())
}
