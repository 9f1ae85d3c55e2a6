//! Sequential regression: what the coordinates so far predict of the points is subtracted from
//! them, and what is left is embedded anew.
//!
//! The points may fall off the manifold on the way, and then coordinates repeat nevertheless.

use std::time::Instant;

use faer::Mat;

use super::{About, Outcome, Rule, Step, Strategy, Task, pair_of};
use crate::eigen::Pair;
use crate::error::{Error, Inextensible, Result};
use crate::parameter::Parameter;
use crate::measure::dimension::Trial;
use crate::points::Points;
use crate::progress::Progress;
use crate::smoother::{Alpha, DEFAULT_ALPHA, SmootherOptions, smoother, smoother_memory};

const ABOUT: About = About {
    name: "regression",
    title: "regression",
    help: "First coordinate of what the earlier ones do not predict of the points",
    paper: "",
};

/// The first coordinate of what the earlier ones do not predict of the points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SequentialRegression {
    /// How the points are predicted.
    pub smoother: SmootherOptions,
}

impl Strategy {
    /// The first coordinate of what the earlier ones do not predict of the points.
    pub fn regression(smoother: SmootherOptions) -> Self {
        Strategy::new(SequentialRegression { smoother })
    }
}

impl Rule for SequentialRegression {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        self.smoother.parameters()
    }

    fn check(&self) -> Result<()> {
        self.smoother.check()
    }

    fn memory(&self, points: usize) -> f64 {
        smoother_memory(points)
    }

    fn check_extension(&self, method: &'static str) -> Result<()> {
        Err(Error::CannotExtend { what: Inextensible::Strategy(ABOUT.name, method) })
    }

    fn coordinates(&self, task: &Task<'_>, progress: &Progress<'_>) -> Result<Outcome> {
        coordinates(task, &self.smoother, progress)
    }
}

/// The coordinates, each the first one of a problem of its own.
fn coordinates(
    task: &Task<'_>,
    options: &SmootherOptions,
    progress: &Progress<'_>,
) -> Result<Outcome> {
    let Task { problem, dims, seed, .. } = *task;
    let movable = task.movable(ABOUT.name)?;
    // What is subtracted is not a coordinate that could be judged.
    let alpha = match options.alpha {
        Alpha::Fixed(alpha) => alpha,
        Alpha::Auto => DEFAULT_ALPHA,
    };
    let points = movable.points();
    let (n, columns) = (points.rows(), points.columns());
    let values = Mat::from_fn(n, columns, |i, j| points.row(i)[j]);
    let mut steps = task.original_steps(1, &progress.held())?;
    let mut earlier = vec![task.coordinate(0, &steps[0].pair.vector)?];
    let mut trial = Trial::new(task.judge);
    trial.look(&earlier, steps[0].pair.value)?;
    for i in 1..dims {
        if trial.is_settled() {
            break;
        }
        let start = Instant::now();
        let fits = |found: &Pair| found.vector.len() == n;
        let found = task.kept_coordinate(i, fits, || {
            let known: Vec<&[f64]> = earlier.iter().map(Vec::as_slice).collect();
            let seed = seed.wrapping_add(i as u64);
            let smoother = smoother(&known, alpha, options, seed, &progress.held())?;
            let predicted = smoother.predict(&values);
            let left = (0..n).map(|row| {
                (0..columns).map(|c| values[(row, c)] - predicted[(row, c)]).collect::<Vec<f64>>()
            });
            movable.first_coordinate(&Points::from_rows(left)?, progress)
        })?;
        earlier.push(found.vector.clone());
        trial.look(&earlier, found.value)?;
        steps.push(Step::moved(pair_of(problem, found), start.elapsed()));
        progress.report((i + 1) as f64 / dims as f64)?;
    }
    Ok(Outcome::judged(steps, trial))
}
