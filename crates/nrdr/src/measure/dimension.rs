//! How many coordinates are worth having.
//!
//! Two questions are asked of each coordinate: can the earlier ones predict it (its redundancy), and do the
//! points follow from the coordinates better with it than without? For the second one the points are regressed on
//! the coordinates so far, by the same local linear regression as redundancy, with the point itself left out; the
//! share of their variance that is not predicted is what these coordinates leave unexplained. Once that is as
//! little as neighbours differ from each other, there is nothing left that a graph of neighbours could show.

use std::fmt;

use faer::Mat;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::linalg::small::eigen_descending;
use crate::linalg::vector::standardize;
use crate::measure::redundancy::{last_error, least_squared_error};
use crate::sample::sample;

/// Points on which coordinates are judged, at most.
const SAMPLE: usize = 1000;
/// Principal components of the points that are predicted, at most.
const COMPONENTS: usize = 30;
/// Points are explained when they are predicted to within so many squared distances of nearest neighbours.
const RESOLVED: f64 = 3.0;
/// A coordinate that can be predicted with a smaller error is redundant,
const REDUNDANT: f64 = 0.8;
/// unless much is unexplained and it leaves at most this share of that: a coordinate may be predictable in part and worth having.
const WORTHWHILE: f64 = 0.9;
/// While more than this share of the variance is unexplained, the points are not explained, however far apart they are.
const MUCH: f64 = 0.15;
/// A coordinate that leaves more than this share of what was unexplained before it adds nothing: where much is
/// unexplained, as with noise in many dimensions, every coordinate can explain but little of it,
const NO_GAIN_OF_MUCH: f64 = 0.97;
/// and where little is, each one still helps to interpolate.
const NO_GAIN_OF_LITTLE: f64 = 0.8;

/// Why no more coordinates were taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The coordinates predict the points as well as neighbours can be told apart.
    Explained,
    /// The next coordinate is a function of those before.
    Redundant,
    /// The next coordinate predicts nothing of the points that those before do not.
    NoGain,
    /// No direction was left to find the next coordinate in.
    Exhausted,
    /// As many as were allowed were found, and the last was still worth having.
    Most,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Explained => "they explain the points to within the distance of neighbours",
            Reason::Redundant => "the next is a function of these",
            Reason::NoGain => "the next explains nothing more of the points",
            Reason::Exhausted => "no direction is left for another",
            Reason::Most => "no more were allowed, though the last was still worth having",
        })
    }
}

/// What was found out about a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The share of the points' variance that the coordinates up to this one do not predict.
    pub unexplained: f64,
    /// The error of predicting this coordinate from the earlier ones: 1 is new, 0 is redundant.
    pub redundancy: f64,
    /// Its eigenvalue.
    pub eigenvalue: f64,
}

/// The number of coordinates that are worth having, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub dims: usize,
    /// Why it is not larger.
    pub reason: Reason,
    /// For each coordinate that was looked at; the last may be the one that was not worth having.
    pub evidence: Vec<Evidence>,
    /// The mean squared distance of nearest neighbours as a share of the variance: what cannot be resolved.
    pub resolution: f64,
}

/// Points as something that coordinates explain: tells how many of them are worth having.
pub struct Judge {
    chosen: Vec<usize>,
    /// Principal components, total sum of squares 1.
    components: Mat<f64>,
    resolution: f64,
}

impl Judge {
    /// Of `n` points with these squared distances between points i and j.
    pub fn new(n: usize, square: impl Fn(usize, usize) -> f64 + Sync, seed: u64) -> Result<Self> {
        let chosen = sample(n, SAMPLE, seed);
        let m = chosen.len();
        let rows: Vec<Vec<f64>> =
            chosen.par_iter().map(|&i| chosen.iter().map(|&j| square(i, j)).collect()).collect();
        let nearest = |(i, row): (usize, &Vec<f64>)| {
            let others = row.iter().enumerate().filter(|&(j, _)| j != i);
            others.map(|(_, square)| *square).fold(f64::INFINITY, f64::min)
        };
        let nearest: f64 = rows.iter().enumerate().map(nearest).sum();
        // Products of the centred points, from their distances.
        let means: Vec<f64> = rows.iter().map(|row| row.iter().sum::<f64>() / m as f64).collect();
        let mean = means.iter().sum::<f64>() / m as f64;
        let product = |i: usize, j: usize| -0.5 * (rows[i][j] - means[i] - means[j] + mean);
        let (squares, vectors) = eigen_descending(Mat::from_fn(m, m, product).as_ref())?;
        let squares: Vec<f64> =
            squares.into_iter().take(COMPONENTS).take_while(|square| *square > 0.0).collect();
        let total: f64 = squares.iter().sum();
        let entry = |i: usize, j: usize| vectors[(i, j)] * (squares[j] / total).sqrt();
        let components = Mat::from_fn(m, squares.len(), entry);
        Ok(Judge { chosen, components, resolution: nearest / total })
    }

    /// The share of the points' variance that these coordinates do not predict.
    fn unexplained(&self, coordinates: &[Vec<f64>]) -> Result<f64> {
        let m = self.chosen.len();
        let mut x = Mat::from_fn(m, coordinates.len(), |i, j| coordinates[j][self.chosen[i]]);
        for j in 0..x.ncols() {
            standardize(x.col_as_slice_mut(j));
        }
        Ok(least_squared_error(&x, &self.components)?.min(1.0))
    }
}

/// Judges coordinates one after another, if they are to be judged at all.
pub(crate) struct Trial<'j> {
    judge: Option<&'j Judge>,
    evidence: Vec<Evidence>,
    verdict: Option<(usize, Reason)>,
}

impl<'j> Trial<'j> {
    pub(crate) fn new(judge: Option<&'j Judge>) -> Self {
        Trial { judge, evidence: Vec::new(), verdict: None }
    }

    /// Whether the number is to be found out at all.
    pub(crate) fn is_on(&self) -> bool {
        self.judge.is_some()
    }

    /// Whether no further coordinate is wanted.
    pub(crate) fn is_settled(&self) -> bool {
        self.verdict.is_some()
    }

    /// How many of the coordinates so far are kept, if not all.
    pub(crate) fn kept(&self) -> Option<usize> {
        self.verdict.map(|(kept, _)| kept)
    }

    /// Looks at the last of the coordinates so far.
    pub(crate) fn look(&mut self, coordinates: &[Vec<f64>], eigenvalue: f64) -> Result<()> {
        let Some(judge) = self.judge else { return Ok(()) };
        let found = coordinates.len();
        let columns: Vec<&[f64]> = coordinates.iter().map(Vec::as_slice).collect();
        let redundancy = match found {
            1 => 1.0,
            _ => last_error(&columns, SAMPLE)?.0,
        };
        let unexplained = judge.unexplained(coordinates)?;
        let before = self.evidence.last().map_or(1.0, |last| last.unexplained);
        let no_gain = if before > MUCH { NO_GAIN_OF_MUCH } else { NO_GAIN_OF_LITTLE };
        self.evidence.push(Evidence { unexplained, redundancy, eigenvalue });
        // The first one is always had.
        let pays = before > MUCH && unexplained <= WORTHWHILE * before;
        self.verdict = if found > 1 && redundancy < REDUNDANT && !pays {
            Some((found - 1, Reason::Redundant))
        } else if found > 1 && unexplained > no_gain * before {
            Some((found - 1, Reason::NoGain))
        } else if unexplained <= (RESOLVED * judge.resolution).min(MUCH) {
            Some((found, Reason::Explained))
        } else {
            None
        };
        Ok(())
    }

    /// There is no further coordinate than those found.
    pub(crate) fn exhausted(&mut self, found: usize) {
        self.verdict = Some((found, Reason::Exhausted));
    }

    pub(crate) fn estimate(self) -> Option<Estimate> {
        let judge = self.judge?;
        let (dims, reason) = self.verdict.unwrap_or((self.evidence.len(), Reason::Most));
        Some(Estimate { dims, reason, evidence: self.evidence, resolution: judge.resolution })
    }
}
