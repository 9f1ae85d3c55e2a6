//! The original methods: coordinates are orthogonal eigenvectors.

use std::time::Instant;

use super::{Step, Task};
use crate::eigen::Constraint;
use crate::eigen::Pair;
use crate::error::Result;
use crate::progress::Progress;

/// The first eigenvectors beside the trivial direction, all at once.
pub fn coordinates(task: &Task<'_>, progress: &Progress<'_>) -> Result<Vec<Step>> {
    let start = Instant::now();
    let mut constraint = Constraint::none(task.problem.size());
    constraint.forbid(task.problem.trivial.as_deref());
    let pairs = task.solver.solve(&constraint, task.dims, task.seed, progress)?;
    let time = start.elapsed() / task.dims as u32;
    let step = |pair: Pair| Step {
        original_eigenvalue: pair.value,
        pair,
        smoothing: None,
        selected: None,
        time,
        forbidden: None,
    };
    Ok(pairs.into_iter().map(step).collect())
}
