//! Block Lanczos with thick restart: the largest eigenvalues of a symmetric operator in the
//! complement of a constraint.
//!
//! The basis Q = [Q_1 Q_2 ..] is kept orthonormal, and orthogonal to the constraint, by projecting
//! every new block twice against all of it. T = Q'AQ; its eigenvectors Y give the Ritz vectors QY.
//! When the basis is full the best Ritz vectors and the newest block stay (Wu & Simon, 2000; in
//! exact arithmetic the Krylov-Schur method of Stewart, 2001). Blocks find eigenvalues that
//! occur several times, which a single starting vector cannot.
//!
//! When the wanted pairs are accurate enough ([`super::accuracy`]) the iteration does not end at once:
//! random directions are added to the basis and it goes on for a while. Whatever the first block had
//! nothing of, such as a further copy of an eigenvalue that occurs more often than the block is wide,
//! comes up then, and the search goes on until nothing does.

use faer::{Mat, MatRef};

use super::accuracy::{Accuracy, Wanted};
use super::space::Space;
use crate::eigen::Constraint;
use crate::error::{Error, Result};
use crate::linalg::reduce::count as count_rows;

/// Vectors multiplied at a time, at most.
const BLOCK: usize = 4;
/// Of the iterations that it took, this share more shows whether random directions hold more,
const PROBE_SHARE: usize = 4;
/// but at least so many.
const PROBE_LEAST: usize = 3;
/// Without progress for as many iterations as it took to get there, and so many more, it is not to be had.
const PATIENCE: usize = 50;

/// What is asked of the iteration.
pub(super) struct Iteration<'a> {
    pub(super) constraint: &'a Constraint,
    /// How many eigenpairs.
    pub(super) count: usize,
    /// How accurate they must be.
    pub(super) accuracy: Accuracy,
    /// Vectors kept beside the wanted ones, at least.
    pub(super) spare: usize,
    /// Multiplications of a block at most.
    pub(super) iterations: usize,
    pub(super) seed: u64,
}

/// What the iteration found.
pub(super) struct Found {
    /// The largest eigenvalues, descending.
    pub(super) values: Vec<f64>,
    /// Their eigenvectors, orthonormal.
    pub(super) vectors: Mat<f64>,
    /// |A v - value v| for each.
    pub(super) residuals: Vec<f64>,
    /// What was asked of each.
    pub(super) wanted: Vec<Wanted>,
    /// How many of the pairs, from the first, are known as well as they are wanted to be in spite of rounding.
    pub(super) resolved: usize,
    /// The largest Ritz value in magnitude: about the operator's norm.
    pub(super) norm: f64,
    /// Blocks multiplied.
    pub(super) iterations: usize,
}

impl Found {
    /// The first pair that is missing or not accurate enough is an error, with its residual relative to `scale(pair)`.
    pub(super) fn check(&self, count: usize, scale: impl Fn(usize) -> f64) -> Result<()> {
        let iterations = self.iterations;
        if let Some(at) = (0..self.values.len())
            // Not `>`: a NaN must not pass.
            .find(|&at| !(self.residuals[at] <= self.wanted[at].limit))
        {
            let (residual, tolerance) =
                (self.residuals[at] / scale(at), self.wanted[at].limit / scale(at));
            return Err(Error::NotConverged {
                coordinate: at + 1,
                residual,
                tolerance,
                iterations,
            });
        }
        if self.values.len() < count {
            let (coordinate, residual) = (self.values.len() + 1, f64::INFINITY);
            let tolerance = self.wanted.iter().map(|wanted| wanted.limit).fold(0.0, f64::max);
            return Err(Error::NotConverged { coordinate, residual, tolerance, iterations });
        }
        Ok(())
    }

    /// The angle that a vector may be off.
    pub(super) fn angle(&self, at: usize) -> f64 {
        self.residuals[at] / self.wanted[at].separation
    }
}

/// How an iteration comes along.
struct Course {
    iterations: usize,
    /// When the Ritz pairs were last looked at.
    looked: usize,
    /// How far above what is wanted the residuals were at best, and when that was.
    best: (f64, usize),
    /// Until when random directions are tried for more.
    probe: Option<usize>,
}

impl Course {
    fn new() -> Self {
        Course { iterations: 0, looked: 0, best: (f64::INFINITY, 0), probe: None }
    }

    /// Whether the residuals, now so far above what is wanted, have not become less for long.
    fn is_stuck(&mut self, worst: f64) -> bool {
        if worst < 0.5 * self.best.0 {
            self.best = (worst, self.iterations);
        }
        self.iterations > 2 * self.best.1 + PATIENCE
    }

    /// Whether random directions were tried for long enough.
    fn is_confirmed(&self) -> bool {
        self.probe.is_some_and(|until| self.iterations >= until)
    }

    fn begin_probe(&mut self) {
        self.probe = Some(self.iterations + (self.iterations / PROBE_SHARE).max(PROBE_LEAST));
    }
}

/// Vectors multiplied at a time, and those of the basis before it starts again.
fn extent(count: usize, spare: usize, room: usize) -> (usize, usize) {
    // One more than wanted, so that there is a next one to be told apart from.
    let block = (count + 1).min(BLOCK).min(room);
    (block, (count + spare).max(2 * count + block).min(room))
}

/// Vectors that there is room for.
fn capacity(block: usize, limit: usize) -> usize {
    limit + 3 * block
}

/// Vectors that an iteration for so many pairs among `room` directions sets aside.
pub(super) fn basis_columns(count: usize, spare: usize, room: usize) -> usize {
    let (block, limit) = extent(count, spare, room);
    capacity(block, limit)
}

/// Runs until the wanted pairs are accurate enough and random directions hold no more, or get no better, or no more
/// iterations are left.
/// `apply` multiplies a block; `step` is told after each iteration how far the residuals are above what is allowed, and
/// may end it by an error.
pub(super) fn largest(
    request: &Iteration<'_>,
    apply: impl Fn(MatRef<'_, f64>) -> Mat<f64>,
    step: impl Fn(f64) -> Result<()>,
) -> Result<Found> {
    let Iteration { constraint, count, ref accuracy, .. } = *request;
    let room = count_rows(constraint.size()) - constraint.rank();
    let (block, limit) = extent(count, request.spare, room);
    let mut space = Space::new(constraint, capacity(block, limit), request.seed)?;
    (0..block).for_each(|_| space.extend_randomly());
    let (mut course, mut norm) = (Course::new(), f64::MIN_POSITIVE);
    loop {
        let coupling = space.multiply(&apply, room);
        course.iterations += 1;
        let exhausted = space.size == room && space.multiplied == room;
        let over = exhausted || course.iterations >= request.iterations;
        let full = space.size > limit;
        // The small eigenproblem of a large basis is not worth solving at every step.
        if !over && !full && (course.iterations - course.looked) * 8 * block < space.multiplied {
            continue;
        }
        course.looked = course.iterations;
        let ritz = space.ritz(coupling.as_ref())?;
        norm = ritz.values.iter().fold(norm, |norm, value| norm.max(value.abs()));
        let found = count.min(ritz.values.len());
        let wanted = accuracy.wanted(&ritz.values, found, norm);
        let worst = ritz.worst(&wanted, |wanted| wanted.residual);
        step(worst)?;
        let stuck = course.is_stuck(worst) && ritz.worst(&wanted, |wanted| wanted.limit) <= 1.0;
        let converged = worst <= 1.0 && ritz.values.len() > count;
        if over || stuck || (converged && course.is_confirmed()) {
            return Ok(Found {
                values: ritz.values[..found].to_vec(),
                vectors: space.into_vectors(&ritz, found),
                residuals: ritz.residuals[..found].to_vec(),
                wanted,
                resolved: accuracy.resolved(&ritz.values, found, norm),
                norm,
                iterations: course.iterations,
            });
        }
        if full {
            let spare = limit.saturating_sub(count + block) / 2;
            space.restart(&ritz, (count + spare).min(limit - block).max(1));
        }
        if !converged {
            // Either there is more to do, or something came up: when it is found, look again.
            course.probe = None;
        } else if course.probe.is_none() {
            course.begin_probe();
            let random = block.div_ceil(2).min(room - space.size);
            (0..random).for_each(|_| space.extend_randomly());
        }
    }
}
