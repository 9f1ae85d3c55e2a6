//! Sequential regression: what the coordinates so far predict of the points is subtracted from
//! them, and what is left is embedded anew.
//!
//! The points may fall off the manifold on the way, and then coordinates repeat nevertheless.

use std::time::Instant;

use faer::Mat;

use super::{Outcome, Task, pair_of};
use crate::error::Result;
use crate::measure::dimension::Trial;
use crate::points::Points;
use crate::progress::Progress;
use crate::smoother::{Alpha, DEFAULT_ALPHA, SmootherOptions, smoother};

/// The coordinates, each the first one of a problem of its own.
pub fn coordinates(
    task: &Task<'_>,
    options: &SmootherOptions,
    progress: &Progress<'_>,
) -> Result<Outcome> {
    let Task { problem, dims, seed, .. } = *task;
    let movable = task.movable("regression")?;
    // What is subtracted is not a coordinate that could be judged.
    let alpha = match options.alpha {
        Alpha::Fixed(alpha) => alpha,
        Alpha::Auto => DEFAULT_ALPHA,
    };
    let points = movable.points();
    let (n, columns) = (points.rows(), points.columns());
    let values = Mat::from_fn(n, columns, |i, j| points.row(i)[j]);
    let mut steps = super::orthogonal::coordinates(task, &progress.held())?;
    let mut earlier = vec![task.coordinate(0, &steps[0].pair.vector)?];
    let mut trial = Trial::new(task.judge);
    trial.look(&earlier, steps[0].pair.value)?;
    for (i, step) in steps.iter_mut().enumerate().skip(1) {
        if trial.is_settled() {
            break;
        }
        let start = Instant::now();
        let known: Vec<&[f64]> = earlier.iter().map(Vec::as_slice).collect();
        let seed = seed.wrapping_add(i as u64);
        let smoother = smoother(&known, alpha, options, seed, &progress.held())?;
        let predicted = smoother.predict(&values);
        let left = (0..n).map(|row| {
            (0..columns).map(|c| values[(row, c)] - predicted[(row, c)]).collect::<Vec<f64>>()
        });
        let found = movable.first_coordinate(&Points::from_rows(left)?)?;
        earlier.push(found.vector.clone());
        trial.look(&earlier, found.value)?;
        step.pair = pair_of(problem, found);
        step.time = start.elapsed();
        progress.report((i + 1) as f64 / dims as f64)?;
    }
    Ok(Outcome::judged(steps, trial))
}
