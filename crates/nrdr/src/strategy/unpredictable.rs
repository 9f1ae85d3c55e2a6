//! Coordinates that cannot be predicted from the earlier ones.
//!
//! Y. Blau and T. Michaeli, "Non-redundant spectral dimensionality reduction", ECML PKDD (2017).
//!
//! Coordinate i must have no conditional expectation given coordinates 1..i-1: with a smoother P of
//! these, P f_i = 0. It is the best eigenvector orthogonal to the trivial direction and to the right
//! singular vectors of P diag(s) that count.
//!
//! A smoother forbids only what it can represent: with a wide one fine functions of the earlier
//! coordinates pass, with a narrow one real information is forbidden. The best alpha is the widest one
//! whose coordinate is mostly new at any finer bandwidth, too. The constraint leaves the smoother itself nothing to
//! predict, so all that a finer regression predicts is excess: functions that were too fine to be forbidden.

use std::time::{Duration, Instant};

use faer::Mat;

use super::forbidden::forbidden;
use super::{About, Forbidden, Outcome, Rule, Smoothing, Strategy, Task};
use crate::eigen::Constraint;
use crate::eigen::Pair;
use crate::error::{Error, Result};
use crate::linalg::reduce::norm;
use crate::measure::dimension::Trial;
use crate::measure::redundancy::last_error;
use crate::progress::Progress;
use crate::parameter::Parameter;
use crate::smoother::{Alpha, SmootherOptions, smoother, smoother_memory};

const ABOUT: About = About {
    name: "unpredictable",
    title: "non-redundant",
    help: "Unpredictable from the earlier ones",
    paper: "Blau & Michaeli 2017",
};

/// Unpredictability: zero conditional expectation given the earlier coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unpredictable {
    /// What can be predicted from the earlier coordinates.
    pub smoother: SmootherOptions,
}

impl Strategy {
    /// Unpredictability: zero conditional expectation given the earlier coordinates (Blau & Michaeli 2017).
    pub fn unpredictable(smoother: SmootherOptions) -> Self {
        Strategy::new(Unpredictable { smoother })
    }
}

impl Rule for Unpredictable {
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

    fn check_shared(&self) -> Result<()> {
        self.smoother.check_shared()
    }

    fn check_extension(&self, _method: &'static str) -> Result<()> {
        self.smoother.check_extension()
    }

    fn coordinates(&self, task: &Task<'_>, progress: &Progress<'_>) -> Result<Outcome> {
        coordinates(task, &self.smoother, progress)
    }
}

/// What is tried first for alpha: it forbids least,
const WIDE: f64 = 0.6;
/// and is taken at once if a finer regression predicts no larger share of the coordinate's variance than this.
const HARDLY: f64 = 0.05;
/// What is tried then, widest first: 0.3 always, for the regression that shows what passed a wide smoother is much narrower than
/// the smoother that forbids it;
const CANDIDATES: [f64; 6] = [0.3, 0.2, 0.14, 0.1, 0.07, 0.05];
/// until a finer regression predicts no more than this. Functions that pass the smoother are predicted nearly
/// entirely, and narrower smoothers than necessary forbid information.
const PARTLY: f64 = 0.4;
/// A smoother that is wider than this many times the bandwidth that predicts a coordinate best does not
/// forbid it.
const JUMP: f64 = 3.0;
/// A smoother of higher rank is narrow enough: in so many directions it forbids information, too;
const NARROW: usize = 75;
/// and so is one with more than one direction for so many points.
const FEW: usize = 20;
/// A smoother with more than one direction for so many points forbids most of what there is: a wider one is taken,
const CROWDED: usize = 4;
/// by this factor,
const WIDER: f64 = std::f64::consts::SQRT_2;
/// up to this width, where little more than linear functions is forbidden.
const WIDEST: f64 = 1.2;
/// By how much a rank must be beyond the limit to be known so without looking.
const SURELY: f64 = 3.0;
/// Points on which coordinates are judged, at most.
const SAMPLE: usize = 1000;

/// The first coordinates, one after another.
fn coordinates(
    task: &Task<'_>,
    options: &SmootherOptions,
    progress: &Progress<'_>,
) -> Result<Outcome> {
    // The original method's coordinates come first: the first one is shared.
    let mut steps = task.original_steps(task.dims, &progress.held())?;
    let mut constrained =
        Constrained { task, options, progress, earlier: Vec::new(), first: WIDE };
    constrained.push(&steps[0].pair)?;
    let mut trial = Trial::new(task.judge);
    trial.look(&constrained.earlier, steps[0].pair.value)?;
    for (i, step) in steps.iter_mut().enumerate().skip(1) {
        if trial.is_settled() {
            break;
        }
        let fits = |next: &Next| next.fits(task, i);
        let found = task.kept_coordinate(i, fits, || {
            let start = Instant::now();
            let next = match options.alpha {
                Alpha::Fixed(alpha) => constrained.next(alpha)?,
                Alpha::Auto => constrained.next_by_itself()?,
            };
            Ok(Next { time: start.elapsed(), ..next })
        });
        let Next { pair, smoothing, forbidden, time } = match found {
            Err(Error::TooManyCoordinates { .. }) if trial.is_on() => {
                trial.exhausted(i);
                break;
            }
            found => found?,
        };
        constrained.push(&pair)?;
        // What was too narrow for one coordinate is so for those after it.
        constrained.first = constrained.first.max(smoothing.alpha);
        trial.look(&constrained.earlier, pair.value)?;
        step.pair = pair;
        step.smoothing = Some(smoothing);
        step.forbidden = forbidden;
        step.time = time;
        progress.report((i + 1) as f64 / task.dims as f64)?;
    }
    Ok(Outcome::judged(steps, trial))
}

/// The share of a coordinate's variance that is predicted with this error.
fn predicted(error: f64) -> f64 {
    1.0 - error * error
}

/// A coordinate, how the earlier ones constrained it, and that as a function of any point.
pub(super) struct Next {
    pub(super) pair: Pair,
    pub(super) smoothing: Smoothing,
    pub(super) forbidden: Option<Forbidden>,
    pub(super) time: Duration,
}

impl Next {
    /// Whether it can be coordinate number `i` of a task, with what its new points need.
    fn fits(&self, task: &Task<'_>, i: usize) -> bool {
        let predictor = self.forbidden.as_ref().map(|forbidden| forbidden.predictor.as_ref());
        self.pair.vector.len() == task.problem.size()
            && (predictor.is_some() || !task.extend)
            && predictor.flatten().is_none_or(|predictor| predictor.centres.columns() == i)
    }
}

/// The coordinates so far, and what the next one is to be.
struct Constrained<'c> {
    task: &'c Task<'c>,
    options: &'c SmootherOptions,
    progress: &'c Progress<'c>,
    earlier: Vec<Vec<f64>>,
    /// What is tried first for alpha.
    first: f64,
}

impl Constrained<'_> {
    fn coordinate(&self, pair: &Pair) -> Result<Vec<f64>> {
        self.task.coordinate(self.earlier.len(), &pair.vector)
    }

    fn push(&mut self, pair: &Pair) -> Result<()> {
        self.earlier.push(self.coordinate(pair)?);
        Ok(())
    }

    /// The next coordinate with a smoother of this width.
    fn next(&self, alpha: f64) -> Result<Next> {
        let Task { problem, dims, seed, .. } = *self.task;
        let (options, progress) = (self.options, &self.progress.held());
        let found = self.earlier.len();
        let seed = seed.wrapping_add(found as u64);
        let columns: Vec<&[f64]> = self.earlier.iter().map(Vec::as_slice).collect();
        let smoother = smoother(&columns, alpha, options, seed, progress)?;
        let mut kept = smoother.singular_vectors(problem.scale.as_deref(), options.truncation)?;
        let rank = kept.vectors.ncols();
        let mut constraint = Constraint::none(problem.size());
        constraint.forbid(problem.trivial.as_deref());
        // What is forbidden is not needed any more, unless it is to be extended.
        let vectors = if self.task.extend {
            kept.vectors.clone()
        } else {
            std::mem::replace(&mut kept.vectors, Mat::new())
        };
        constraint.forbid_block(vectors)?;
        if constraint.rank() >= problem.points() {
            return Err(Error::TooManyCoordinates { dims, available: found });
        }
        let pairs = self.task.solve(&constraint, 1, seed, progress);
        let pair = pairs.map_err(|error| error.after(found))?.swap_remove(0);
        let forbidden = if self.task.extend {
            Some(forbidden(problem, &constraint, smoother.as_ref(), &kept, &pair)?)
        } else {
            None
        };
        let f = self.coordinate(&pair)?;
        let column = Mat::from_fn(f.len(), 1, |row, _| f[row]);
        let predicted = smoother.predict(&column);
        let smoothing = Smoothing {
            alpha,
            tried: Vec::new(),
            rank,
            size: smoother.size(),
            predictable: norm(predicted.col_as_slice(0)),
            singular_values: kept.singular_values,
            paid: None,
        };
        Ok(Next { pair, smoothing, forbidden, time: Duration::ZERO })
    }

    /// The next coordinate with the widest smoother that does.
    ///
    /// A coordinate that is predictable at some bandwidth tells how narrow the smoother must be at
    /// least to forbid it: what is wider is not tried.
    fn next_by_itself(&self) -> Result<Next> {
        let mut best = self.wide_enough()?;
        let (mut largest, _) = self.error(&best.pair)?;
        let Smoothing { alpha, rank, .. } = best.smoothing;
        let mut tried = vec![(alpha, largest)];
        let enough = alpha > WIDE || predicted(largest) <= HARDLY;
        let mut last = (alpha, rank as f64);
        let mut widest = f64::INFINITY;
        let most = self.task.problem.points() / FEW;
        for alpha in CANDIDATES.into_iter().take_while(|_| !enough) {
            if alpha > widest && alpha > CANDIDATES[CANDIDATES.len() - 1] {
                continue;
            }
            // As many directions as bandwidths fit into the room of the earlier coordinates: a smoother that
            // would be turned down is not worth making.
            let (wider, rank) = last;
            if rank * (wider / alpha).powi(self.earlier.len() as i32) > SURELY * most as f64 {
                break;
            }
            let next = match self.next(alpha) {
                // So narrow that nothing is left, or too much to hold: what there is must do.
                Err(Error::TooManyCoordinates { .. } | Error::SmootherTooLarge { .. }) => break,
                next => next?,
            };
            // So many directions among so few points: what they forbid is information.
            let rank = next.smoothing.rank;
            if rank > most {
                break;
            }
            last = (alpha, rank as f64);
            let (error, bandwidth) = self.error(&next.pair)?;
            tried.push((alpha, error));
            if error > largest {
                (largest, best) = (error, next);
            }
            if predicted(error) <= PARTLY || rank > NARROW {
                break;
            }
            // h = alpha (number of earlier coordinates)^1/2 in standard deviations.
            let root = (self.earlier.len() as f64).sqrt();
            widest = bandwidth.map_or(widest, |b| JUMP * b / root);
        }
        best.smoothing.tried = tried;
        Ok(best)
    }

    /// The next coordinate with the first smoother that leaves enough.
    fn wide_enough(&self) -> Result<Next> {
        let most = self.task.problem.points() / CROWDED;
        let mut alpha = self.first;
        loop {
            let next = self.next(alpha);
            let crowded = match &next {
                Ok(next) => next.smoothing.rank > most,
                Err(Error::TooManyCoordinates { .. } | Error::SmootherTooLarge { .. }) => true,
                Err(_) => false,
            };
            if !crowded || WIDER * alpha > WIDEST {
                return next;
            }
            alpha *= WIDER;
        }
    }

    /// The error of predicting a coordinate from the earlier ones at the best bandwidth, and that
    /// bandwidth, in standard deviations.
    fn error(&self, pair: &Pair) -> Result<(f64, Option<f64>)> {
        let f = self.coordinate(pair)?;
        let columns: Vec<&[f64]> = self.earlier.iter().chain([&f]).map(Vec::as_slice).collect();
        last_error(&columns, SAMPLE)
    }
}
