//! Block Davidson with a multigrid preconditioner.
//!
//! A. Stathopoulos, "Nearly optimal preconditioned methods for Hermitian eigenproblems under limited memory", SIAM Journal
//! on Scientific Computing 29 (2007): generalised Davidson with thick restart that also keeps the Ritz vectors of the step
//! before (GD+k).
//!
//! M = |A - bound| is positive semi-definite; wanted are its lowest eigenvectors in the complement of V. The basis S grows by
//! K (M u - theta u) for the Ritz pairs (theta, u) that are not accurate enough yet, with K about M^-1: a cycle of multigrid.
//! That pays where gaps are narrow and the factor of M is too large: manifolds of three and more dimensions.

use std::sync::Arc;

use faer::{Mat, MatRef};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::accuracy::{Accuracy, Beside, Wanted};
use super::multigrid::Multigrid;
use super::searched::{Ritz, Searched};
use super::space::length;
use super::{Pair, Request, SLACK, Solver, check_residual, digits_done, quotient_and_residual};
use crate::error::{Error, Result};
use crate::linalg::reduce;
use crate::problem::Problem;
use crate::progress::Progress;

/// Ritz pairs that are improved at a time.
const BLOCK: usize = 4;
/// Vectors of the basis beside the wanted ones.
const SPARE: usize = 24;
/// Steps that look for what was missed, once all is converged.
const PROBES: usize = 2;
/// Without progress for half as many steps as it took to get there, and so many more, it is not to be had.
const PATIENCE: usize = 30;
/// Residuals below this share of the norm are rounding.
const ROUNDING: f64 = 1e-13;

pub(super) struct Davidson {
    problem: Arc<Problem>,
    multigrid: Multigrid,
    norm: f64,
}

impl Davidson {
    pub(super) fn new(problem: &Arc<Problem>, progress: &Progress<'_>) -> Result<Self> {
        let multigrid = Multigrid::new(problem, progress)?;
        let norm = problem.matrix.norm().unwrap_or(1.0);
        Ok(Davidson { problem: problem.clone(), multigrid, norm })
    }
}

impl Solver for Davidson {
    fn name(&self) -> &'static str {
        "multigrid"
    }

    fn solve(&self, request: &Request<'_>, progress: &Progress<'_>) -> Result<Vec<Pair>> {
        request.check_room()?;
        let found = Run::new(self, request)?.until_converged(progress)?;
        let Request { constraint, count, .. } = *request;
        let operator = self.problem.matrix.operator();
        let pair = |at: usize| {
            let vector = found.vectors.col_as_slice(at).to_vec();
            let (value, residual) = quotient_and_residual(operator, constraint, &vector);
            let Wanted { limit, separation, .. } = found.wanted[at];
            let allowed = (SLACK * limit).max(ROUNDING * self.norm) / self.norm;
            let iterations = found.iterations;
            check_residual(at, residual / self.norm, allowed, iterations)?;
            let (angle, residual) = (residual / separation, residual / self.norm);
            Ok(Pair { value, vector, residual, angle, iterations, missed: None })
        };
        (0..count).map(pair).collect()
    }
}

/// Vectors of the basis for so many pairs among `room` directions.
fn most_vectors(count: usize, room: usize) -> usize {
    (2 * count + 2 * BLOCK).max(count + SPARE + BLOCK).min(room)
}

/// Vectors that a run for so many pairs sets aside: its basis, and the products with it.
pub(super) fn basis_columns(count: usize, room: usize) -> usize {
    2 * most_vectors(count, room)
}

/// What a run found.
struct Found {
    vectors: Mat<f64>,
    wanted: Vec<Wanted>,
    iterations: usize,
}

/// One solution of the problem.
struct Run<'r> {
    solver: &'r Davidson,
    request: &'r Request<'r>,
    accuracy: Accuracy,
    space: Searched<'r>,
    random: ChaCha8Rng,
    iterations: usize,
    /// So many pairs, from the first, were accurate enough when they were last looked at.
    done: usize,
}

/// The Ritz pairs that are to be improved.
struct Targets {
    /// Their numbers, ascending.
    numbers: Vec<usize>,
    /// Their residuals, a column each.
    residuals: Mat<f64>,
    /// How many of the wanted pairs, from the first, are accurate enough.
    done: usize,
    /// How far the worst of the residuals that were looked at is above what is wanted of it.
    worst: f64,
    /// The same beside what is the least that is asked.
    worst_limit: (f64, usize, f64),
}

impl<'r> Run<'r> {
    fn new(solver: &'r Davidson, request: &'r Request<'r>) -> Result<Self> {
        let Request { constraint, count, tolerance, seed, .. } = *request;
        let room = reduce::count(constraint.size()) - constraint.rank();
        let most = most_vectors(count, room);
        let accuracy = Accuracy { tolerance, beside: Beside::Norm, bound: Some(0.0), blur: 0.0 };
        let mut run = Run {
            solver,
            request,
            accuracy,
            space: Searched::new(constraint, most)?,
            random: ChaCha8Rng::seed_from_u64(seed),
            iterations: 0,
            done: 0,
        };
        let smoothest = solver.multigrid.smoothest(count + BLOCK)?;
        run.extend(smoothest);
        let known = &solver.problem.near_null;
        let n = constraint.size();
        run.extend(Mat::from_fn(n, known.len(), |i, j| known[j][i]));
        let missing = (count + BLOCK).saturating_sub(run.space.size());
        run.extend_randomly(missing.max(2));
        Ok(run)
    }

    fn extend(&mut self, block: Mat<f64>) {
        let multigrid = &self.solver.multigrid;
        self.space.extend(block, |block| multigrid.multiply(block));
    }

    /// Appends random functions that vary little.
    fn extend_randomly(&mut self, count: usize) {
        let n = self.request.constraint.size();
        let mut block = Mat::from_fn(n, count, |_, _| StandardNormal.sample(&mut self.random));
        self.request.constraint.project(block.as_mut());
        self.precondition(block);
    }

    /// Appends K R.
    fn precondition(&mut self, rest: Mat<f64>) {
        let block = self.solver.multigrid.solve(rest.as_ref());
        self.extend(block);
    }

    fn until_converged(mut self, progress: &Progress<'_>) -> Result<Found> {
        let Request { count, tolerance, max_iterations, .. } = *self.request;
        let norm = self.solver.norm;
        let mut probes = None;
        let mut best = Best { done: 0, worst: f64::INFINITY, iterations: 0 };
        let mut before: Option<Mat<f64>> = None;
        loop {
            let ritz = self.space.ritz()?;
            let descending: Vec<f64> = ritz.values.iter().map(|value| -value).collect();
            let wanted = self.accuracy.wanted(&descending, count.min(descending.len()), norm);
            let targets = self.targets(&ritz, &wanted);
            progress.report(digits_done(targets.worst * tolerance, tolerance))?;
            let converged = targets.done == count && ritz.values.len() > count;
            let stuck = best.is_stuck(&targets, self.iterations);
            let is_good = ritz.values.len() >= count && targets.worst_limit.0 <= 1.0;
            // As good as it gets is looked at once more, too: something may have been missed.
            let is_acceptable = converged || stuck && is_good;
            if is_acceptable && probes == Some(0) {
                let vectors = self.space.combine(&ritz, count);
                return Ok(Found { vectors, wanted, iterations: self.iterations });
            }
            if stuck && !is_good || self.iterations >= max_iterations {
                let (_, at, residual) = targets.worst_limit;
                return Err(Error::NotConverged {
                    coordinate: at + 1,
                    residual: residual / norm,
                    tolerance: wanted[at].limit / norm,
                    iterations: self.iterations,
                });
            }
            probes = is_acceptable.then(|| probes.map_or(PROBES, |left: usize| left - 1));
            let Targets { numbers, residuals, .. } = targets;
            let fresh = if probes == Some(PROBES) { 2 } else { 0 };
            if self.space.has_room(numbers.len() + fresh) {
                let first = (count + BLOCK).min(ritz.values.len());
                before = Some(ritz.vectors.as_ref().subcols(0, first).to_owned());
            } else {
                let keep = count + (SPARE / 2).min(count.max(BLOCK));
                self.space.restart(&ritz, keep, before.take().as_ref(), &numbers);
            }
            self.precondition(residuals);
            self.extend_randomly(fresh);
            self.iterations += 1;
        }
    }

    /// The first pairs that are not accurate enough, and where these are few some behind the wanted ones.
    ///
    /// What was accurate enough is looked at again once all is.
    fn targets(&mut self, ritz: &Ritz, wanted: &[Wanted]) -> Targets {
        let mut targets = self.targets_from(self.done, ritz, wanted);
        if self.done > 0 && targets.done == wanted.len() {
            targets = self.targets_from(0, ritz, wanted);
        }
        self.done = targets.done;
        targets
    }

    fn targets_from(&self, first: usize, ritz: &Ritz, wanted: &[Wanted]) -> Targets {
        let mut targets = Targets {
            numbers: Vec::new(),
            residuals: Mat::zeros(self.request.constraint.size(), 0),
            done: first,
            worst: 0.0,
            worst_limit: (0.0, first, 0.0),
        };
        let mut start = first;
        while start < wanted.len() && targets.numbers.len() < BLOCK {
            let width = BLOCK.min(wanted.len() - start);
            let rest = self.space.residuals(ritz, start, width);
            for j in 0..width {
                let (at, residual) = (start + j, length(rest.as_ref(), j));
                let over = residual / wanted[at].residual;
                targets.worst = targets.worst.max(over);
                let beside = residual / wanted[at].limit;
                if beside > targets.worst_limit.0 {
                    targets.worst_limit = (beside, at, residual);
                }
                if over <= 1.0 && targets.done == at {
                    targets.done += 1;
                }
                if over > 1.0 && targets.numbers.len() < BLOCK {
                    targets.add(at, rest.as_ref().subcols(j, 1));
                }
            }
            start += width;
        }
        let more = (BLOCK - targets.numbers.len()).min(ritz.values.len() - wanted.len());
        let rest = self.space.residuals(ritz, wanted.len(), more);
        for j in 0..more {
            targets.add(wanted.len() + j, rest.as_ref().subcols(j, 1));
        }
        targets
    }
}

/// The best that an iteration has reached, and when.
struct Best {
    done: usize,
    worst: f64,
    iterations: usize,
}

impl Best {
    /// Whether there has been no progress for long.
    fn is_stuck(&mut self, targets: &Targets, iterations: usize) -> bool {
        if targets.done > self.done || targets.done == self.done && targets.worst < 0.5 * self.worst
        {
            *self = Best { done: targets.done, worst: targets.worst, iterations };
        }
        iterations > self.iterations + self.iterations / 2 + PATIENCE
    }
}

impl Targets {
    fn add(&mut self, number: usize, residual: MatRef<'_, f64>) {
        let at = self.numbers.len();
        self.numbers.push(number);
        self.residuals.resize_with(residual.nrows(), at + 1, |i, _| residual[(i, 0)]);
    }
}
