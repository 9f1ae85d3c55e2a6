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

use faer::{Mat, MatMut, MatRef};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::accuracy::{Accuracy, Wanted};
use crate::constraint::Constraint;
use crate::error::{Error, Result};
use crate::memory;
use crate::small::eigen_descending;
use crate::tall::{inner, product, subtract_product};

/// What is left of a vector after projection counts as rounding below this share.
const NEGLIGIBLE: f64 = 1e-15;
/// What the constraint leaves of a vector is projected again if it is less than this share.
const LITTLE: f64 = 1e-3;
/// Vectors multiplied at a time, at most.
const BLOCK: usize = 4;
/// Of the iterations that it took, this share more shows whether random directions hold more,
const PROBE_SHARE: usize = 4;
/// but at least so many.
const PROBE_LEAST: usize = 3;
/// Without progress for as many iterations as it took to get there, and so many more, it is not to be had.
const PATIENCE: usize = 50;

/// What is asked of the iteration.
pub(super) struct Request<'a> {
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

/// Ritz values, descending, with their vectors in the basis and their residuals.
struct Ritz {
    values: Vec<f64>,
    vectors: Mat<f64>,
    residuals: Vec<f64>,
}

/// Runs until the wanted pairs are accurate enough and random directions hold no more, or get no better, or no more
/// iterations are left.
/// `apply` multiplies a block; `step` is told after each iteration how far the residuals are above what is allowed, and
/// may end it by an error.
pub(super) fn largest(
    request: &Request<'_>,
    apply: impl Fn(MatRef<'_, f64>) -> Mat<f64>,
    step: impl Fn(f64) -> Result<()>,
) -> Result<Found> {
    let Request { constraint, count, accuracy, .. } = request;
    let count = *count;
    let room = constraint.size() - constraint.rank();
    // One more than wanted, so that there is a next one to be told apart from.
    let block = (count + 1).min(BLOCK).min(room);
    let limit = (count + request.spare).max(2 * count + block).min(room);
    let mut space = Space::new(constraint, limit + 3 * block, request.seed)?;
    (0..block).for_each(|_| space.extend_randomly());
    let (mut iterations, mut norm) = (0, f64::MIN_POSITIVE);
    let mut looked = 0;
    let mut probe: Option<usize> = None;
    // The best so far, and when it was reached.
    let (mut best, mut reached) = (f64::INFINITY, 0);
    loop {
        // Multiply the newest block; what is new in the product is the next one.
        let mut next = apply(space.newest());
        iterations += 1;
        let parts = space.orthogonalize(next.as_mut());
        space.note_products(parts.as_ref());
        let coupling = space.extend(next, room);
        let exhausted = space.size == room && space.multiplied == room;
        let over = exhausted || iterations >= request.iterations;
        let full = space.size > limit;
        // The small eigenproblem of a large basis is not worth solving at every step.
        if !over && !full && (iterations - looked) * 8 * block < space.multiplied {
            continue;
        }
        looked = iterations;
        let ritz = space.ritz(coupling.as_ref())?;
        norm = ritz.values.iter().fold(norm, |norm, value| norm.max(value.abs()));
        let found = count.min(ritz.values.len());
        let wanted = accuracy.wanted(&ritz.values, found, norm);
        let beside = |limit: fn(&Wanted) -> f64| {
            let pairs = wanted.iter().zip(&ritz.residuals);
            pairs.map(|(wanted, residual)| residual / limit(wanted)).fold(0.0, f64::max)
        };
        let worst = beside(|wanted| wanted.residual);
        step(worst)?;
        if worst < 0.5 * best {
            (best, reached) = (worst, iterations);
        }
        let stalled = iterations > 2 * reached + PATIENCE && beside(|wanted| wanted.limit) <= 1.0;
        let converged = worst <= 1.0 && ritz.values.len() > count;
        let confirmed = converged && probe.is_some_and(|until| iterations >= until);
        if over || confirmed || stalled {
            return Ok(Found {
                values: ritz.values[..found].to_vec(),
                vectors: space.combine(&ritz, found),
                residuals: ritz.residuals[..found].to_vec(),
                wanted,
                resolved: accuracy.resolved(&ritz.values, found, norm),
                norm,
                iterations,
            });
        }
        if full {
            let spare = limit.saturating_sub(count + block) / 2;
            space.restart(&ritz, (count + spare).min(limit - block).max(1));
        }
        if !converged {
            // Either there is more to do, or something came up: when it is found, look again.
            probe = None;
        } else if probe.is_none() {
            probe = Some(iterations + (iterations / PROBE_SHARE).max(PROBE_LEAST));
            let random = block.div_ceil(2).min(room - space.size);
            (0..random).for_each(|_| space.extend_randomly());
        }
    }
}

/// The orthonormal basis and the matrix projected on it.
struct Space<'c> {
    constraint: &'c Constraint,
    basis: Mat<f64>,
    /// Columns of the basis in use.
    size: usize,
    /// Of these the ones that have been multiplied.
    multiplied: usize,
    projected: Mat<f64>,
    random: ChaCha8Rng,
}

impl<'c> Space<'c> {
    fn new(constraint: &'c Constraint, capacity: usize, seed: u64) -> Result<Self> {
        let size = constraint.size();
        let mut basis = Mat::new();
        basis.try_reserve(size, capacity).map_err(|_| Error::NotEnoughMemory {
            what: "the basis of the iteration",
            needed: 8 * (size * capacity) as u64,
            available: memory::available(),
            way_out: "ask for fewer coordinates, embed fewer points, or give it more memory",
        })?;
        basis.resize_with(size, capacity, |_, _| 0.0);
        Ok(Space {
            constraint,
            basis,
            size: 0,
            multiplied: 0,
            projected: Mat::zeros(capacity, capacity),
            random: ChaCha8Rng::seed_from_u64(seed),
        })
    }

    /// Makes room for so many columns.
    fn reserve(&mut self, capacity: usize) {
        self.basis.resize_with(self.basis.nrows(), capacity, |_, _| 0.0);
        self.projected.resize_with(capacity, capacity, |_, _| 0.0);
    }

    /// The block that has not been multiplied yet.
    fn newest(&self) -> MatRef<'_, f64> {
        self.columns(self.multiplied, self.size - self.multiplied)
    }

    fn columns(&self, from: usize, count: usize) -> MatRef<'_, f64> {
        self.basis.as_ref().subcols(from, count)
    }

    /// Takes everything known out of a block and returns what was along the basis.
    ///
    /// The basis comes before and after the constraint: once would let its own rounding grow from block
    /// to block. The constraint, which has many more vectors, is exact in itself, and once is enough
    /// unless it takes almost everything.
    fn orthogonalize(&self, mut block: MatMut<'_, f64>) -> Mat<f64> {
        let known = self.columns(0, self.size);
        let take_out = |mut block: MatMut<'_, f64>| {
            let parts = inner(known, block.as_ref());
            subtract_product(block.as_mut(), known, parts.as_ref());
            parts
        };
        let mut parts = take_out(block.as_mut());
        for _ in 0..2 {
            let before: Vec<f64> = (0..block.ncols()).map(|j| length(block.as_ref(), j)).collect();
            self.constraint.project(block.as_mut());
            parts += take_out(block.as_mut());
            if (0..block.ncols()).all(|j| length(block.as_ref(), j) > LITTLE * before[j]) {
                break;
            }
        }
        parts
    }

    /// Q'A times the newest block goes into the projected matrix.
    fn note_products(&mut self, parts: MatRef<'_, f64>) {
        for (j, column) in (self.multiplied..).zip(0..parts.ncols()) {
            for i in 0..parts.nrows().min(j + 1) {
                self.projected[(i, j)] = parts[(i, column)];
                self.projected[(j, i)] = parts[(i, column)];
            }
        }
        self.multiplied = self.size;
    }

    /// Appends what is new in a block that is already orthogonal to the basis, up to `room`
    /// vectors in all. Returns R with block = Q_new R.
    fn extend(&mut self, mut block: Mat<f64>, room: usize) -> Mat<f64> {
        let (start, width) = (self.size, block.ncols());
        let mut coupling = Mat::zeros(width, width);
        let longest = (0..width).map(|j| length(block.as_ref(), j)).fold(0.0, f64::max);
        for j in 0..width {
            let added = self.size - start;
            let mut column = block.as_mut().subcols_mut(j, 1);
            let before = length(column.as_ref(), 0);
            for _ in 0..2 {
                let earlier = self.columns(start, added);
                let parts = inner(earlier, column.as_ref());
                subtract_product(column.as_mut(), earlier, parts.as_ref());
                for i in 0..added {
                    coupling[(i, j)] += parts[(i, 0)];
                }
            }
            let mut remainder = length(column.as_ref(), 0);
            if remainder < 0.01 * before {
                // What is left of a column is as exact as the column was: clean it again.
                self.orthogonalize(column.as_mut());
                remainder = length(column.as_ref(), 0);
            }
            if remainder > NEGLIGIBLE * longest.max(self.largest_entry()) && self.size < room {
                coupling[(added, j)] = remainder;
                self.push(column.as_ref(), remainder);
            }
        }
        let added = self.size - start;
        if added == 0 && self.size < room {
            // The space is closed under the operator: look elsewhere.
            self.extend_randomly();
        }
        coupling.resize_with(added, width, |_, _| 0.0);
        coupling
    }

    /// Appends a random direction.
    fn extend_randomly(&mut self) {
        let mut column =
            Mat::from_fn(self.basis.nrows(), 1, |_, _| StandardNormal.sample(&mut self.random));
        self.orthogonalize(column.as_mut());
        let length = length(column.as_ref(), 0);
        self.push(column.as_ref(), length);
    }

    fn push(&mut self, column: MatRef<'_, f64>, length: f64) {
        if self.size == self.basis.ncols() {
            self.reserve(2 * self.size);
        }
        let target = self.basis.col_as_slice_mut(self.size);
        for (to, from) in target.iter_mut().zip(column.col(0).iter()) {
            *to = from / length;
        }
        self.size += 1;
    }

    /// Largest entry of the projected matrix: about the size of the operator.
    fn largest_entry(&self) -> f64 {
        (0..self.multiplied).map(|i| self.projected[(i, i)].abs()).fold(0.0, f64::max)
    }

    /// Eigenpairs of the projected matrix. `coupling` is R of the block that follows.
    fn ritz(&self, coupling: MatRef<'_, f64>) -> Result<Ritz> {
        let size = self.multiplied;
        let projected = self.projected.as_ref().submatrix(0, 0, size, size);
        let (values, vectors) = eigen_descending(projected)?;
        let last = coupling.ncols();
        let residuals = (0..size).map(|j| {
            let tail = vectors.as_ref().subcols(j, 1).subrows(size - last, last);
            length((coupling * tail).as_ref(), 0)
        });
        Ok(Ritz { residuals: residuals.collect(), values, vectors })
    }

    /// The first Ritz vectors.
    fn combine(&self, ritz: &Ritz, count: usize) -> Mat<f64> {
        let size = ritz.values.len();
        product(self.columns(0, size), ritz.vectors.as_ref().subcols(0, count))
    }

    /// Keeps the best Ritz vectors and the block that has not been multiplied yet.
    fn restart(&mut self, ritz: &Ritz, keep: usize) {
        let kept = self.combine(ritz, keep);
        let newest = self.newest().to_owned();
        let width = newest.ncols();
        self.basis.as_mut().subcols_mut(0, keep).copy_from(kept);
        self.basis.as_mut().subcols_mut(keep, width).copy_from(newest);
        self.projected.fill(0.0);
        for i in 0..keep {
            self.projected[(i, i)] = ritz.values[i];
        }
        self.multiplied = keep;
        self.size = keep + width;
    }
}

/// Length of a column.
fn length(block: MatRef<'_, f64>, column: usize) -> f64 {
    let column = block.subcols(column, 1);
    inner(column, column)[(0, 0)].sqrt()
}
