//! How redundant the coordinates of an embedding are: any embedding, from here or from elsewhere.
//!
//! For each coordinate the error of predicting it from all earlier ones by local linear regression,
//! with the point itself left out (Dsilva, Talmon, Coifman & Kevrekidis 2018):
//!
//! r_i = (sum_n (f_i(n) - prediction)^2 / sum_n f_i(n)^2)^1/2
//!
//! 1 is new, 0 is a function of the earlier ones. `docs/redundancy.md` has the definition to the letter.

mod bandwidth;
mod curve;
mod leave_one_out;
mod near;
mod race;
mod shared;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::ops::Range;

use faer::Mat;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::linalg::reduce::{self, Share};
use crate::linalg::vector::standardize;
use crate::points::Points;
use crate::progress::{Observer, Watch};
use crate::sample::sample;
use crate::stage::Stage;
use bandwidth::Grid;
pub use curve::regression_curve;
pub(crate) use leave_one_out::Check;
use leave_one_out::squared_errors;
use race::{Outcome, race};
use shared::distinct_share;

/// How far the points reach that predict a value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Bandwidth {
    /// The best, by the error with the point left out, of a grid that halves from the median distance
    /// of two points down to that of nearest neighbours, or no prediction at all.
    #[default]
    Best,
    /// Weights exp(-d^2 / b^2), b a third of the median distance; a point is left out.
    MedianThird,
    /// Weights exp(-d^2 / e), e a third of the median squared distance; nothing is left out.
    Datafold,
}

/// The standard error of an error, at most.
const ACCURACY: f64 = 0.01;

/// How redundancy is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct RedundancyOptions {
    /// How far the points reach that predict a value.
    pub bandwidth: Bandwidth,
    /// Of more points than this a random sample of this many is measured.
    pub sample: usize,
    /// Of the sample.
    pub seed: u64,
    /// Of the sample so many points are predicted, from all others, that no error has a larger standard error than this,
    /// and no pairwise one a larger than twice this; all of them if it is zero, or at another bandwidth than the best.
    pub accuracy: f64,
}

impl Default for RedundancyOptions {
    fn default() -> Self {
        RedundancyOptions { bandwidth: Bandwidth::Best, sample: 5000, seed: 0, accuracy: ACCURACY }
    }
}

/// The redundancy of an embedding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Redundancy {
    /// For each coordinate the normalised error of predicting it from all earlier ones; the first
    /// one has none to be predicted from, its error is 1.
    pub errors: Vec<f64>,
    /// How far each error may be from that of all points looked at, in the root mean square: its standard error. 0 where all
    /// of them were predicted.
    pub standard_errors: Vec<f64>,
    /// The bandwidth used for each coordinate, in standard deviations; `None` where nothing predicts
    /// better than the mean.
    pub bandwidths: Vec<Option<f64>>,
    /// In row i, column j: the error of predicting coordinate i from coordinate j alone; 0 where i = j. Measured on
    /// at most 2000 of the points, except that of the second from the first, which is among `errors`.
    pub pairwise: Vec<Vec<f64>>,
    /// The bandwidth of each of these, in standard deviations; `None` where i = j and where nothing predicts better than
    /// the mean.
    #[serde(default)]
    pub pairwise_bandwidths: Vec<Vec<Option<f64>>>,
    /// How many points were looked at.
    pub points: usize,
}

/// Points looked at for the pairwise errors.
const PAIRWISE_SAMPLE: usize = 2000;

/// Measures the redundancy of an embedding, a coordinate in each column.
///
/// ```
/// use nrdr::{Points, RedundancyOptions, redundancy};
///
/// // (x, x^2, y)
/// let row = |i: u32| {
///     let (x, y) = ((0.7 * f64::from(i)).sin(), (1.9 * f64::from(i)).cos());
///     [x, x * x, y]
/// };
/// let points = Points::from_rows((0..400).map(row))?;
/// let errors = redundancy(&points, &RedundancyOptions::default(), &())?.errors;
/// assert!(errors[0] == 1.0 && errors[1] < 0.1 && errors[2] > 0.9);
/// # Ok::<(), nrdr::Error>(())
/// ```
pub fn redundancy(
    embedding: &Points,
    options: &RedundancyOptions,
    observer: &dyn Observer,
) -> Result<Redundancy> {
    let standard = Standard::new(embedding, options)?;
    let dims = standard.columns.len();
    let mut sampled = standard.sampled(PAIRWISE_SAMPLE, options.seed);
    if sampled.points() < standard.points() {
        sampled.columns.iter_mut().for_each(|column| {
            standardize(column);
        });
    }
    let sources = sources(dims);
    let total = dims - 1 + sources.len();
    Watch::new(Some(observer)).stage(Stage::Redundancy, |progress| {
        let check = || progress.advance(0, total);
        let mut found = vec![Prediction { error: 1.0, standard_error: 0.0, bandwidth: None }];
        for i in 1..dims {
            let x = standard.matrix(0..i);
            found.extend(standard.predictions(&x, i..i + 1, options, &check)?);
            progress.advance(1, total)?;
        }
        let coarse = RedundancyOptions { accuracy: 2.0 * options.accuracy, ..options.clone() };
        let mut pairwise = vec![vec![0.0; dims]; dims];
        let mut pairwise_bandwidths = vec![vec![None; dims]; dims];
        for j in sources {
            let x = sampled.matrix(j..j + 1);
            let errors = sampled.predictions(&x, 0..dims, &coarse, &check)?;
            for (i, prediction) in errors.into_iter().enumerate().filter(|(i, _)| *i != j) {
                pairwise[i][j] = prediction.error;
                pairwise_bandwidths[i][j] = prediction.bandwidth;
            }
            progress.advance(1, total)?;
        }
        // The second coordinate from the first is both: one quantity has one value, that of more points.
        pairwise[1][0] = found[1].error;
        pairwise_bandwidths[1][0] = found[1].bandwidth;
        Ok(Redundancy {
            errors: found.iter().map(|prediction| prediction.error).collect(),
            standard_errors: found.iter().map(|prediction| prediction.standard_error).collect(),
            bandwidths: found.iter().map(|prediction| prediction.bandwidth).collect(),
            pairwise,
            pairwise_bandwidths,
            points: standard.points(),
        })
    })
}

/// How well a coordinate is predicted.
struct Prediction {
    error: f64,
    standard_error: f64,
    bandwidth: Option<f64>,
}

/// The least sum, over the bandwidths of the default grid, of the squared errors of predicting all columns of
/// `y` from those of `x`.
pub(crate) fn least_squared_error(x: &Mat<f64>, y: &Mat<f64>) -> Result<f64> {
    let grid = Grid::new(x.as_ref(), Bandwidth::Best);
    let sums = squared_errors(x.as_ref(), y.as_ref(), &grid, &|| Ok(()))?;
    Ok(sums.row_iter().map(|row| row.iter().sum()).fold(f64::INFINITY, f64::min))
}

/// The error of predicting the last of some coordinates from those before it at the best bandwidth, and that
/// bandwidth, in standard deviations; measured on a sample of at most `sample` points.
pub(crate) fn last_error(columns: &[&[f64]], sample: usize) -> Result<(f64, Option<f64>)> {
    let options = RedundancyOptions { sample, ..Default::default() };
    let standard = Standard::of_columns(columns, &options)?;
    standard.error(columns.len() - 1, Bandwidth::Best, &|| Ok(()))
}

/// Coordinates with mean 0 and variance 1, no two points equal.
pub(crate) struct Standard {
    columns: Vec<Vec<f64>>,
}

impl Standard {
    pub(crate) fn new(embedding: &Points, options: &RedundancyOptions) -> Result<Self> {
        let dims = embedding.columns();
        check(options, dims)?;
        let distinct = distinct_rows(embedding);
        check_points(distinct.len(), dims)?;
        let column = |c: usize| -> Vec<f64> {
            distinct.iter().map(|&i| embedding.row(i as usize)[c]).collect()
        };
        let standard = Standard { columns: (0..dims).map(column).collect() };
        standard.sampled(options.sample, options.seed).standardized()
    }

    /// Of columns, of which other processes may have further rows.
    pub(crate) fn of_columns(columns: &[&[f64]], options: &RedundancyOptions) -> Result<Self> {
        if !reduce::is_shared() {
            return Standard::new(&Points::from_columns(columns)?, options);
        }
        let dims = columns.len();
        check(options, dims)?;
        let own = reduce::agree(Points::share_of_columns(columns))?;
        let sorted = distinct_share(&own);
        let share = Share::new(sorted.rows());
        check_points(share.total(), dims)?;
        let chosen = sample(share.total(), options.sample, options.seed).into_iter();
        let fill = |place: usize, numbers: &mut Vec<f64>| numbers.extend(sorted.row(place));
        let rows = share.at(chosen, dims, fill);
        let column = |c: usize| rows.iter().skip(c).step_by(dims).copied().collect();
        Standard { columns: (0..dims).map(column).collect() }.standardized()
    }

    fn points(&self) -> usize {
        self.columns[0].len()
    }

    /// A random sample of at most `most` points.
    fn sampled(&self, most: usize, seed: u64) -> Self {
        let chosen = sample(self.points(), most, seed);
        let take = |column: &Vec<f64>| chosen.iter().map(|&i| column[i]).collect();
        Standard { columns: self.columns.iter().map(take).collect() }
    }

    fn standardized(mut self) -> Result<Self> {
        for (c, column) in self.columns.iter_mut().enumerate() {
            let (mean, deviation) = standardize(column);
            if !(deviation > 1e-12 * mean.abs() && deviation > 0.0) {
                return Err(Error::Constant { coordinate: c + 1 });
            }
        }
        Ok(self)
    }

    /// The error of predicting coordinate `i` from all earlier ones, and the bandwidth.
    pub(crate) fn error(
        &self,
        i: usize,
        bandwidth: Bandwidth,
        check: Check<'_>,
    ) -> Result<(f64, Option<f64>)> {
        Ok(self.errors(&self.matrix(0..i), i..i + 1, bandwidth, check)?[0])
    }

    /// Errors and bandwidths of predicting some coordinates from the columns of `x`, at all points.
    fn errors(
        &self,
        x: &Mat<f64>,
        targets: Range<usize>,
        bandwidth: Bandwidth,
        check: Check<'_>,
    ) -> Result<Vec<(f64, Option<f64>)>> {
        let grid = Grid::new(x.as_ref(), bandwidth);
        let y = self.matrix(targets);
        let sums = squared_errors(x.as_ref(), y.as_ref(), &grid, check)?;
        let n = self.points() as f64;
        let of_target = |j: usize| {
            let errors = (0..grid.steps).map(|step| ((sums[(step, j)] / n).sqrt(), step));
            let best = errors.min_by(|a, b| a.0.total_cmp(&b.0));
            match (best, bandwidth) {
                // The mean of all points is a prediction, too.
                (Some((error, _)), Bandwidth::Best) if error >= 1.0 => (1.0, None),
                (Some((error, step)), _) => (error, Some(grid.bandwidth(step))),
                (None, _) => (1.0, None),
            }
        };
        Ok((0..y.ncols()).map(of_target).collect())
    }

    /// The same from as many points as the accuracy takes.
    fn predictions(
        &self,
        x: &Mat<f64>,
        targets: Range<usize>,
        options: &RedundancyOptions,
        check: Check<'_>,
    ) -> Result<Vec<Prediction>> {
        if options.bandwidth != Bandwidth::Best {
            let exact = self.errors(x, targets, options.bandwidth, check)?.into_iter();
            let exact = exact.map(|(error, bandwidth)| Prediction {
                error,
                standard_error: 0.0,
                bandwidth,
            });
            return Ok(exact.collect());
        }
        let grid = Grid::new(x.as_ref(), Bandwidth::Best);
        let y = self.matrix(targets);
        let outcomes = race(x.as_ref(), y.as_ref(), &grid, options.accuracy, check)?;
        let of_target = |outcome: Outcome| match outcome {
            // The mean of all points is a prediction, too.
            Outcome { error, standard_error, .. } if error >= 1.0 => {
                Prediction { error: 1.0, standard_error, bandwidth: None }
            }
            Outcome { error, standard_error, step } => {
                Prediction { error, standard_error, bandwidth: Some(grid.bandwidth(step)) }
            }
        };
        Ok(outcomes.into_iter().map(of_target).collect())
    }

    fn matrix(&self, columns: Range<usize>) -> Mat<f64> {
        let chosen = &self.columns[columns];
        Mat::from_fn(self.points(), chosen.len(), |i, j| chosen[j][i])
    }
}

/// The coordinates that others are predicted from alone. Of two the first predicts the second as it is.
fn sources(dims: usize) -> Range<usize> {
    if dims == 2 { 1..2 } else { 0..dims }
}

fn check(options: &RedundancyOptions, dims: usize) -> Result<()> {
    if options.sample < 10 {
        return Err(Error::parameter("sample", options.sample, "at least 10"));
    }
    if !(options.accuracy >= 0.0) {
        return Err(Error::parameter("accuracy", options.accuracy, "0 or more"));
    }
    if dims < 2 {
        return Err(Error::TooFewCoordinates { dims });
    }
    Ok(())
}

/// Refuses fewer than a plane through the neighbours takes, and one more point to judge it.
fn check_points(points: usize, dims: usize) -> Result<()> {
    let needed = dims + 2;
    if points < needed { Err(Error::TooFewPoints { points, needed }) } else { Ok(()) }
}

/// The order of rows by their first values, of equals by the next ones.
fn compare(a: &[f64], b: &[f64]) -> Ordering {
    let different = a.iter().zip(b).map(|(x, y)| x.total_cmp(y));
    different.fold(Ordering::Equal, Ordering::then)
}

/// The first of each group of equal rows: a copy would predict its original. They are sorted, so
/// that the order of the rows does not matter afterwards.
fn distinct_rows(points: &Points) -> Vec<u32> {
    let compare = |&i: &u32, &j: &u32| -> Ordering {
        compare(points.row(i as usize), points.row(j as usize)).then(i.cmp(&j))
    };
    let mut order: Vec<u32> = (0..points.rows() as u32).collect();
    order.sort_unstable_by(compare);
    order.dedup_by(|j, i| points.row(*i as usize) == points.row(*j as usize));
    order
}
