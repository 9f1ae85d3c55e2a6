//! The basis of a block Lanczos iteration, kept orthonormal, and the matrix projected on it.

use faer::{Mat, MatMut, MatRef};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::accuracy::Wanted;
use crate::eigen::Constraint;
use crate::error::{FEWER_POINTS, Hint, MORE_MEMORY, Result};
use crate::linalg::reduce;
use crate::linalg::small::eigen_descending;
use crate::linalg::tall::{inner, multiply_in_place, subtract_product};
use crate::memory;

/// What is left of a vector after projection counts as rounding below this share.
const NEGLIGIBLE: f64 = 1e-15;
/// What the constraint leaves of a vector is projected again if it is less than this share.
const LITTLE: f64 = 1e-3;
/// Ritz values, descending, with their vectors in the basis and their residuals.
pub(super) struct Ritz {
    pub(super) values: Vec<f64>,
    pub(super) vectors: Mat<f64>,
    pub(super) residuals: Vec<f64>,
}

impl Ritz {
    /// How far the residuals are, at worst, above what is allowed.
    pub(super) fn worst(&self, wanted: &[Wanted], allowed: fn(&Wanted) -> f64) -> f64 {
        let pairs = wanted.iter().zip(&self.residuals);
        pairs.map(|(wanted, residual)| residual / allowed(wanted)).fold(0.0, f64::max)
    }
}

/// The orthonormal basis and the matrix projected on it.
pub(super) struct Space<'c> {
    constraint: &'c Constraint,
    basis: Mat<f64>,
    /// Columns of the basis in use.
    pub(super) size: usize,
    /// Of these the ones that have been multiplied.
    pub(super) multiplied: usize,
    projected: Mat<f64>,
    random: ChaCha8Rng,
}

impl<'c> Space<'c> {
    pub(super) fn new(constraint: &'c Constraint, capacity: usize, seed: u64) -> Result<Self> {
        let size = constraint.size();
        let mut basis = Mat::new();
        basis.try_reserve(size, capacity).map_err(|_| {
            let bytes = 8 * size * capacity;
            memory::lacking(
                "the basis of the iteration",
                bytes,
                &[Hint::Lower("dims"), FEWER_POINTS, MORE_MEMORY],
            )
        })?;
        basis.resize_with(size, capacity, |_, _| 0.0);
        // Other rows have other numbers, even where they are alike otherwise.
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(reduce::member() as u64);
        Ok(Space {
            constraint,
            basis,
            size: 0,
            multiplied: 0,
            projected: Mat::zeros(capacity, capacity),
            random,
        })
    }

    /// Makes room for so many columns.
    fn reserve(&mut self, capacity: usize) {
        self.basis.resize_with(self.basis.nrows(), capacity, |_, _| 0.0);
        self.projected.resize_with(capacity, capacity, |_, _| 0.0);
    }

    /// Multiplies the newest block; what is new in the product is the next one. Returns how the two are coupled.
    pub(super) fn multiply(
        &mut self,
        apply: impl Fn(MatRef<'_, f64>) -> Mat<f64>,
        room: usize,
    ) -> Mat<f64> {
        let mut next = apply(self.newest());
        let parts = self.orthogonalize(next.as_mut());
        self.note_products(parts.as_ref());
        self.extend(next, room)
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
    pub(super) fn extend_randomly(&mut self) {
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
    pub(super) fn ritz(&self, coupling: MatRef<'_, f64>) -> Result<Ritz> {
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

    /// The first Ritz vectors, in place of the basis.
    pub(super) fn into_vectors(mut self, ritz: &Ritz, count: usize) -> Mat<f64> {
        self.combine(ritz, count);
        self.basis.truncate(self.basis.nrows(), count);
        self.basis
    }

    /// Replaces the first columns of the basis by the first Ritz vectors.
    fn combine(&mut self, ritz: &Ritz, count: usize) {
        let basis = self.basis.as_mut().subcols_mut(0, ritz.values.len());
        multiply_in_place(basis, ritz.vectors.as_ref().subcols(0, count));
    }

    /// Keeps the best Ritz vectors and the block that has not been multiplied yet.
    pub(super) fn restart(&mut self, ritz: &Ritz, keep: usize) {
        let (multiplied, width) = (self.multiplied, self.size - self.multiplied);
        self.combine(ritz, keep);
        for at in 0..width {
            let (mut kept, newest) = self.basis.as_mut().split_at_col_mut(multiplied + at);
            if keep < multiplied {
                kept.as_mut().col_mut(keep + at).copy_from(newest.col(0));
            }
        }
        self.projected.fill(0.0);
        for i in 0..keep {
            self.projected[(i, i)] = ritz.values[i];
        }
        self.multiplied = keep;
        self.size = keep + width;
    }
}

/// Length of a column.
pub(super) fn length(block: MatRef<'_, f64>, column: usize) -> f64 {
    let column = block.subcols(column, 1);
    inner(column, column)[(0, 0)].sqrt()
}
