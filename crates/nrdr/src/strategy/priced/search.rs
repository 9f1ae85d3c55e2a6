//! The next coordinate, its price and its smoother.

use faer::Mat;

use super::extension::Combined;
use super::price::{Energy, charge};
use super::spread::Pool;
use super::Priced;
use crate::eigen::{Constraint, Pair};
use crate::error::{Error, Result};
use crate::linalg::reduce::{dot, norm};
use crate::linalg::tall::inner;
use crate::measure::redundancy::last_error;
use crate::progress::Progress;
use crate::sample::sample;
use crate::smoother::{Alpha, SingularVectors, Smoother, smoother};
use crate::strategy::task::{Forbidden, Paid};
use crate::strategy::{Smoothing, Task};

/// What may be tried for alpha, widest first.
const CANDIDATES: [f64; 7] = [0.4, 0.3, 0.2, 0.14, 0.1, 0.07, 0.05];
/// A finer regression may predict so much more of a coordinate's variance than was paid for.
const EXCESS: f64 = 0.1;
/// A smoother of higher rank is not narrowed further,
const NARROW: usize = 75;
/// and one with more than one direction for so many points is not taken instead of a wider one.
const FEW: usize = 20;
/// The price is the energy of the original eigenfunction so far behind the smoother's rank.
const BEHIND: usize = 3;
/// Points on which coordinates are judged, at most.
const SAMPLE: usize = 500;
/// Points on which combinations are compared, at most.
const SPREAD_SAMPLE: usize = 2000;
/// Costs below this share of the largest count as so much.
const LEAST_COST: f64 = 1e-9;
/// Where a smoother of coordinate 1 predicts more than this of the original's coordinate 2, the points are a manifold.
const MANIFOLD: f64 = 0.92;

/// How coordinates are chosen, settled at the second one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Regime {
    pool: usize,
    thrift: f64,
    /// Whether alpha is to be narrowed.
    narrows: bool,
    /// The share of the full price for each earlier coordinate, up to `most`.
    each: f64,
    most: f64,
}

/// Points near a manifold of few dimensions.
const SHEET: Regime = Regime { pool: 12, thrift: 1.0, narrows: true, each: 1.0, most: 1.0 };
/// Points in clusters.
const CLUSTERS: Regime = Regime { pool: 6, thrift: 4.0, narrows: false, each: 0.5, most: 2.0 };

/// A coordinate, how the earlier ones constrained it, and that as a function of any point.
pub(super) struct Next {
    pub(super) pair: Pair,
    pub(super) smoothing: Smoothing,
    pub(super) forbidden: Option<Forbidden>,
}

/// The coordinates so far, and what the next one is to be.
pub(super) struct Search<'s> {
    options: &'s Priced,
    task: &'s Task<'s>,
    progress: &'s Progress<'s>,
    energy: Energy,
    constraint: Constraint,
    earlier: Vec<Vec<f64>>,
    regime: Option<Regime>,
    /// The full price.
    full: Option<f64>,
}

impl<'s> Search<'s> {
    pub(super) fn new(
        options: &'s Priced,
        task: &'s Task<'s>,
        progress: &'s Progress<'s>,
        first: &Pair,
    ) -> Result<Self> {
        let mut constraint = Constraint::none(task.problem.size());
        constraint.forbid(task.problem.trivial.as_deref());
        let energy = Energy::of(task.problem, first.value);
        let (earlier, regime, full) = (Vec::new(), None, None);
        let mut search =
            Search { options, task, progress, energy, constraint, earlier, regime, full };
        search.push(first)?;
        Ok(search)
    }

    /// The coordinates so far.
    pub(super) fn earlier(&self) -> &[Vec<f64>] {
        &self.earlier
    }

    /// Takes a coordinate to the others.
    pub(super) fn push(&mut self, pair: &Pair) -> Result<()> {
        self.earlier.push(self.task.coordinate(self.earlier.len(), &pair.vector)?);
        self.constraint.forbid([pair.vector.as_slice()]);
        Ok(())
    }

    /// The next coordinate.
    pub(super) fn next(&mut self) -> Result<Next> {
        let found = match self.options.smoother.alpha {
            Alpha::Fixed(alpha) => self.at(alpha)?,
            Alpha::Auto => self.by_excess()?,
        };
        // What is charged for the second coordinate stays the measure.
        if self.full.is_none() {
            self.full = Some(self.full_price(found.smoothing.rank)?);
        }
        Ok(found)
    }

    /// The next coordinate with the widest smoother of which no finer one predicts much more than was paid for.
    fn by_excess(&mut self) -> Result<Next> {
        let most = self.task.problem.size() / FEW;
        let mut tried = Vec::new();
        let mut best: Option<(f64, Next)> = None;
        for alpha in CANDIDATES {
            let next = match (self.at(alpha), &best) {
                (Ok(next), _) => next,
                (
                    Err(Error::TooManyCoordinates { .. } | Error::SmootherTooLarge { .. }),
                    Some(_),
                ) => break,
                (Err(error), _) => return Err(error),
            };
            let rank = next.smoothing.rank;
            if best.is_some() && rank > most {
                break;
            }
            let error = self.error(&next.pair)?;
            let paid = next.smoothing.paid.as_ref().map_or(0.0, |paid| paid.share);
            let excess = (1.0 - error * error) - paid;
            tried.push((alpha, error));
            if best.as_ref().is_none_or(|(least, _)| excess < *least) {
                best = Some((excess, next));
            }
            let narrows = self.regime.is_some_and(|regime| regime.narrows);
            if excess <= EXCESS || rank > NARROW || !narrows {
                break;
            }
        }
        let (_, mut next) =
            best.ok_or(Error::TooManyCoordinates { dims: self.task.dims, available: 0 })?;
        next.smoothing.tried = tried;
        Ok(next)
    }

    /// The next coordinate with a smoother of this width.
    fn at(&mut self, alpha: f64) -> Result<Next> {
        let Task { problem, dims, seed, .. } = *self.task;
        let found = self.earlier.len();
        let seed = seed.wrapping_add(found as u64);
        let room = problem.size() - self.constraint.rank();
        if room == 0 {
            return Err(Error::TooManyCoordinates { dims, available: found });
        }
        let held = self.progress.held();
        let columns: Vec<&[f64]> = self.earlier.iter().map(Vec::as_slice).collect();
        let smoother = smoother(&columns, alpha, &self.options.smoother, seed, &held)?;
        let truncation = self.options.smoother.truncation;
        let kept = smoother.singular_vectors(problem.scale.as_deref(), truncation)?;
        let rank = kept.vectors.ncols();
        let regime = self.regime(&kept)?;
        let amount = self.amount(regime, rank)?;
        let charged = charge(problem, self.energy, &kept.vectors, amount)?;
        let count = self.options.pool.unwrap_or(regime.pool).min(room);
        let price = (amount > 0.0).then_some(&charged.price);
        let pairs = self.task.solve_priced(&self.constraint, price, count, seed, &held);
        let pairs = self.worthwhile(pairs.map_err(|error| error.after(found))?);
        let thrift = self.options.thrift.unwrap_or(regime.thrift);
        let weights = self.weights(&pairs, &kept, thrift, seed);
        let pair = self.combined(&pairs, &weights);
        let forbidden = if self.task.extend {
            let constraint = &self.constraint;
            let (pairs, weights, charged) = (&pairs, &weights, &charged);
            let combined = Combined { problem, constraint, charged, amount, pairs, weights };
            Some(combined.forbidden(smoother.as_ref(), &kept)?)
        } else {
            None
        };
        let smoothing = self.smoothing(alpha, &pair, smoother.as_ref(), kept, amount, pairs.len())?;
        Ok(Next { pair, smoothing, forbidden })
    }

    /// What the points are like, settled at the second coordinate by how redundant the original's is.
    fn regime(&mut self, kept: &SingularVectors) -> Result<Regime> {
        if let Some(regime) = self.regime {
            return Ok(regime);
        }
        let count = self.task.dims.max(2);
        let originals = self.task.original(count, &self.progress.held())?;
        let second = &originals[1].vector;
        let second = Mat::from_fn(second.len(), 1, |i, _| second[i]);
        let along = inner(kept.vectors.as_ref(), second.as_ref());
        let share: f64 = along.col_as_slice(0).iter().map(|part| part * part).sum();
        let regime = if share > MANIFOLD { SHEET } else { CLUSTERS };
        self.regime = Some(regime);
        Ok(regime)
    }

    /// What the next coordinate is charged for what is predictable of it.
    fn amount(&self, regime: Regime, rank: usize) -> Result<f64> {
        if let Some(mu) = self.options.mu {
            return Ok(mu);
        }
        let full = match self.full {
            Some(full) => full,
            None => self.full_price(rank)?,
        };
        Ok(full * (regime.each * self.earlier.len() as f64).min(regime.most))
    }

    /// The energy of the original eigenfunction behind the rank.
    fn full_price(&self, rank: usize) -> Result<f64> {
        let problem = self.task.problem;
        let available = problem.size() - usize::from(problem.trivial.is_some());
        let wanted = (rank + BEHIND).min(available);
        // Always the same numbers of pairs, so that they can be shared.
        let count = wanted.next_power_of_two().max(16).min(available);
        let originals = self.task.original(count, &self.progress.held())?;
        let energies = originals.iter().map_while(|pair| self.energy.at(pair.value));
        Ok(energies.take(wanted).last().unwrap_or(0.0))
    }

    /// Those of the candidates that have an energy.
    fn worthwhile(&self, mut pairs: Vec<Pair>) -> Vec<Pair> {
        let sound = pairs.iter().take_while(|pair| self.energy.at(pair.value).is_some()).count();
        pairs.truncate(sound.max(1));
        pairs
    }

    /// How the candidates are combined. Localised or not is judged by what the smoother does not predict of them: what it
    /// predicts could fill the gaps of anything.
    fn weights(
        &self,
        pairs: &[Pair],
        kept: &SingularVectors,
        thrift: f64,
        seed: u64,
    ) -> Vec<f64> {
        if pairs.len() == 1 {
            return vec![1.0];
        }
        let costs: Vec<f64> =
            pairs.iter().map(|pair| self.energy.at(pair.value).unwrap_or(1.0)).collect();
        let largest = costs.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let costs = costs.into_iter().map(|cost| cost.max(LEAST_COST * largest)).collect();
        let (n, rank) = (self.task.problem.size(), kept.vectors.ncols());
        let candidates = Mat::from_fn(n, pairs.len(), |i, k| pairs[k].vector[i]);
        let along = inner(kept.vectors.as_ref(), candidates.as_ref());
        let rows = sample(n, SPREAD_SAMPLE, self.task.seed);
        let scale = self.task.problem.scale.as_deref();
        let value = |i: usize, k: usize| {
            let row = rows[i];
            let predicted: f64 = (0..rank).map(|j| kept.vectors[(row, j)] * along[(j, k)]).sum();
            scale.map_or(1.0, |scale| scale[row]) * (candidates[(row, k)] - predicted)
        };
        let values = Mat::from_fn(rows.len(), pairs.len(), value);
        let earlier = &self.earlier;
        let earlier = Mat::from_fn(rows.len(), earlier.len(), |i, j| earlier[j][rows[i]]);
        Pool { values, costs, earlier }.least_localized(thrift, seed)
    }

    /// g = sum_k a_k g_k, with its Rayleigh quotient of A alone.
    fn combined(&self, pairs: &[Pair], weights: &[f64]) -> Pair {
        let problem = self.task.problem;
        let mut vector = vec![0.0; problem.size()];
        for (pair, weight) in pairs.iter().zip(weights) {
            vector.iter_mut().zip(&pair.vector).for_each(|(v, g)| *v += weight * g);
        }
        let length = norm(&vector);
        vector.iter_mut().for_each(|v| *v /= length);
        let mut image = vec![0.0; vector.len()];
        problem.matrix.operator().apply(&vector, &mut image);
        let squares = pairs.iter().zip(weights).map(|(pair, a)| (a * pair.residual).powi(2));
        Pair {
            value: dot(&vector, &image),
            residual: squares.sum::<f64>().sqrt(),
            angle: pairs.iter().map(|pair| pair.angle).fold(0.0, f64::max),
            iterations: pairs[0].iterations,
            missed: pairs.iter().find_map(|pair| pair.missed),
            vector,
        }
    }

    fn smoothing(
        &self,
        alpha: f64,
        pair: &Pair,
        smoother: &dyn Smoother,
        kept: SingularVectors,
        amount: f64,
        pool: usize,
    ) -> Result<Smoothing> {
        let f = self.task.coordinate(self.earlier.len(), &pair.vector)?;
        let column = |values: &[f64]| Mat::from_fn(values.len(), 1, |i, _| values[i]);
        let predicted = smoother.predict(&column(&f));
        let along = inner(kept.vectors.as_ref(), column(&pair.vector).as_ref());
        let share = along.col_as_slice(0).iter().map(|part| part * part).sum();
        Ok(Smoothing {
            alpha,
            tried: Vec::new(),
            rank: kept.vectors.ncols(),
            size: smoother.size(),
            predictable: norm(predicted.col_as_slice(0)),
            singular_values: kept.singular_values,
            paid: Some(Paid { price: amount, share, pool }),
        })
    }

    /// The error of predicting a coordinate from the earlier ones at the best bandwidth.
    fn error(&self, pair: &Pair) -> Result<f64> {
        let f = self.task.coordinate(self.earlier.len(), &pair.vector)?;
        let columns: Vec<&[f64]> = self.earlier.iter().chain([&f]).map(Vec::as_slice).collect();
        Ok(last_error(&columns, SAMPLE)?.0)
    }
}
