//! The original methods: coordinates are orthogonal eigenvectors.

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
) -> Result<Vec<Pair>> {
    let mut constraint = Constraint::none(problem.size());
    constraint.forbid(problem.trivial.as_deref());
    solver.solve(&constraint, dims, seed, progress)
}
