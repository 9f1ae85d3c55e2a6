//! The error of the best bandwidth, from as many points as it takes.
//!
//! Points are predicted in rounds, a random choice in each, at all bandwidths first and then at those that may still be the
//! best: one whose squared errors are larger than those of the best so far, of the same points, by [`SURE`] standard errors
//! of that difference is out. The error of the best is known once its standard error is as small as is asked.
//!
//! The squares of the values, of which the mean over all points is 1, tell where prediction is difficult: the mean squared
//! error is corrected by them (a regression estimator), as the points of a round have a little more or less of them.

use faer::{Mat, MatRef};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::bandwidth::Grid;
use super::leave_one_out::Check;
use super::near::Near;
use crate::error::Result;

/// Of at most so many points all are predicted at all bandwidths, so that a small table has the same errors in any order.
const FEW: usize = 1000;
/// Points predicted in the first round; in each further one as many as before together.
const FIRST: usize = 256;
/// Points predicted at a time.
const ROWS: usize = 16;
/// A bandwidth is out when it is worse by so many standard errors.
const SURE: f64 = 4.0;

/// What is known of a regression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    /// The root of the mean squared error.
    pub(super) error: f64,
    /// That of the same for all points.
    pub(super) standard_error: f64,
    /// The best bandwidth.
    pub(super) step: usize,
}

/// The errors of predicting the columns of `y`, which have mean 0 and variance 1, at the best step of a grid, until standard
/// errors are at most `accuracy`; if that is zero, or there are few points, from all points at all steps.
pub(super) fn race(
    x: MatRef<'_, f64>,
    y: MatRef<'_, f64>,
    grid: &Grid,
    accuracy: f64,
    check: Check<'_>,
) -> Result<Vec<Outcome>> {
    let n = x.nrows();
    let near = Near::new(x, y)?;
    let mut points: Vec<usize> = (0..n).collect();
    points.shuffle(&mut ChaCha8Rng::seed_from_u64(0));
    let mut runners: Vec<Runner> = (0..y.ncols()).map(|_| Runner::new(grid.steps)).collect();
    let mut done = 0;
    loop {
        let size = if accuracy > 0.0 && n > FEW { done.max(FIRST).min(n - done) } else { n };
        let mut round = points[done..done + size].to_vec();
        round.sort_unstable();
        let is_on = |step: &usize| runners.iter().any(|runner| runner.is_on(*step, accuracy));
        let steps: Vec<usize> = (0..grid.steps).filter(is_on).collect();
        let predict = |some: &[usize]| {
            check()?;
            Ok(near.squared_errors(some, grid, &steps))
        };
        let parts: Vec<Vec<Mat<f64>>> =
            round.par_chunks(ROWS).map(predict).collect::<Result<_>>()?;
        for (j, runner) in runners.iter_mut().enumerate().filter(|(_, r)| !r.is_done(accuracy)) {
            let values = near.targets().col_as_slice(j);
            let squares = round.iter().map(|&point| values[point] * values[point]);
            runner.squares.extend(squares);
            for (at, &step) in steps.iter().enumerate() {
                if let Some(errors) = &mut runner.errors[step] {
                    parts.iter().for_each(|part| errors.extend(part[at].col_as_slice(j)));
                }
            }
            runner.judge(n);
        }
        done += size;
        if done == n || runners.iter().all(|runner| runner.is_done(accuracy)) {
            break;
        }
    }
    Ok(runners.into_iter().filter_map(|runner| runner.outcome).collect())
}

/// One target at all bandwidths.
struct Runner {
    /// The squared errors at each step that may be the best.
    errors: Vec<Option<Vec<f64>>>,
    /// The squared values at the same points.
    squares: Vec<f64>,
    outcome: Option<Outcome>,
}

impl Runner {
    fn new(steps: usize) -> Self {
        Runner { errors: vec![Some(Vec::new()); steps], squares: Vec::new(), outcome: None }
    }

    fn is_done(&self, accuracy: f64) -> bool {
        self.outcome.is_some_and(|outcome| outcome.standard_error <= accuracy)
    }

    /// Whether a step is still to be looked at.
    fn is_on(&self, step: usize, accuracy: f64) -> bool {
        self.errors[step].is_some() && !self.is_done(accuracy)
    }

    /// Finds the best step, of `n` points in all, and drops those that are surely worse.
    fn judge(&mut self, n: usize) {
        let on = || self.errors.iter().enumerate().filter_map(|(s, e)| Some((s, e.as_ref()?)));
        let means = on().map(|(step, errors)| (step, mean(errors)));
        let Some((step, _)) = means.min_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        let Some(best) = self.errors[step].clone() else { return };
        let (mean, variance) = estimate(&best, &self.squares, n);
        let error = mean.sqrt();
        let standard_error = variance.sqrt() / (2.0 * error).max(f64::MIN_POSITIVE);
        self.outcome = Some(Outcome { error, standard_error, step });
        for errors in &mut self.errors {
            if errors.as_ref().is_some_and(|errors| is_surely_worse(errors, &best)) {
                *errors = None;
            }
        }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Whether errors are larger than others of the same points beyond chance.
fn is_surely_worse(errors: &[f64], others: &[f64]) -> bool {
    let m = errors.len() as f64;
    let more: Vec<f64> = errors.iter().zip(others).map(|(a, b)| a - b).collect();
    let mean = mean(&more);
    let variance = more.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (m - 1.0).max(1.0);
    mean > SURE * (variance / m).sqrt()
}

/// The mean of errors over all `n` points, from some of them, and the variance of this estimate; the mean of `squares` over
/// all points is 1.
fn estimate(errors: &[f64], squares: &[f64], n: usize) -> (f64, f64) {
    let (m, raw, size) = (errors.len() as f64, mean(errors), mean(squares));
    let pairs = || errors.iter().zip(squares).map(|(e, s)| (e - raw, s - size));
    let spread: f64 = pairs().map(|(_, s)| s * s).sum();
    let slope = pairs().map(|(e, s)| e * s).sum::<f64>() / spread.max(f64::MIN_POSITIVE);
    let rest: f64 = pairs().map(|(e, s)| (e - slope * s).powi(2)).sum();
    let left = 1.0 - m / n as f64;
    let variance = rest / (m - 2.0).max(1.0) / m * left;
    match raw - slope * (size - 1.0) {
        corrected if corrected > 0.0 => (corrected, variance),
        // So few errors that the correction is larger than they are.
        _ => (raw, variance),
    }
}
