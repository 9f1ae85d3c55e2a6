//! The basis of a Davidson iteration, its products with the matrix, and the matrix projected on it.

use faer::{Mat, MatMut, MatRef};

use super::space::length;
use crate::eigen::Constraint;
use crate::error::{FEWER_POINTS, Hint, MORE_MEMORY, Result};
use crate::linalg::small::{eigen_descending, whitening};
use crate::linalg::tall::{
    inner, multiply_in_place, product, subtract_product, transposed_product,
};
use crate::memory;

/// What is left of a direction after projection counts as rounding below this share.
const DEPENDENT: f64 = 1e-12;

/// Ritz values, ascending, with their vectors in the basis.
pub(super) struct Ritz {
    pub(super) values: Vec<f64>,
    pub(super) vectors: Mat<f64>,
}

/// An orthonormal basis S in the complement of a constraint, M S, and S'MS.
pub(super) struct Searched<'c> {
    constraint: &'c Constraint,
    basis: Mat<f64>,
    images: Mat<f64>,
    projected: Mat<f64>,
    size: usize,
}

impl<'c> Searched<'c> {
    /// With room for so many vectors.
    pub(super) fn new(constraint: &'c Constraint, most: usize) -> Result<Self> {
        let n = constraint.size();
        let reserved = || {
            let mut block = Mat::new();
            block.try_reserve(n, most).map_err(|_| {
                let way_out = &[Hint::Lower("dims"), FEWER_POINTS, MORE_MEMORY];
                memory::lacking("the basis of the iteration", 16 * n * most, way_out)
            })?;
            block.resize_with(n, most, |_, _| 0.0);
            Ok(block)
        };
        let (basis, images) = (reserved()?, reserved()?);
        let projected = Mat::zeros(most, most);
        Ok(Searched { constraint, basis, images, projected, size: 0 })
    }

    /// How many vectors there are.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn has_room(&self, count: usize) -> bool {
        self.size + count <= self.basis.ncols()
    }

    fn basis(&self) -> MatRef<'_, f64> {
        self.basis.as_ref().subcols(0, self.size)
    }

    fn images(&self) -> MatRef<'_, f64> {
        self.images.as_ref().subcols(0, self.size)
    }

    /// Appends what is new in a block, as far as there is room.
    pub(super) fn extend(
        &mut self,
        mut block: Mat<f64>,
        multiply: impl Fn(MatRef<'_, f64>) -> Mat<f64>,
    ) {
        let room = self.basis.ncols() - self.size;
        let width = room.min(block.ncols());
        let block = block.as_mut().subcols_mut(0, width);
        let Some(new) = self.orthonormal(block) else { return };
        let images = multiply(new.as_ref());
        let (start, width) = (self.size, new.ncols());
        self.basis.as_mut().subcols_mut(start, width).copy_from(&new);
        self.images.as_mut().subcols_mut(start, width).copy_from(&images);
        self.size += width;
        let parts = inner(self.basis(), images.as_ref());
        for j in 0..width {
            for i in 0..=start + j {
                self.projected[(i, start + j)] = parts[(i, j)];
                self.projected[(start + j, i)] = parts[(i, j)];
            }
        }
    }

    /// An orthonormal basis of what a block has beside the constraint and the basis.
    fn orthonormal(&self, mut block: MatMut<'_, f64>) -> Option<Mat<f64>> {
        // Columns of very different length would hide the short ones.
        let normalize = |mut block: MatMut<'_, f64>| {
            for j in 0..block.ncols() {
                let length = length(block.as_ref(), j);
                if length > 0.0 {
                    block.as_mut().col_mut(j).iter_mut().for_each(|v| *v /= length);
                }
            }
        };
        normalize(block.as_mut());
        let mut block = block.to_owned();
        // Twice, for the rounding that the first time leaves.
        for _ in 0..2 {
            self.constraint.project(block.as_mut());
            let parts = inner(self.basis(), block.as_ref());
            subtract_product(block.as_mut(), self.basis(), parts.as_ref());
            let lengths = inner(block.as_ref(), block.as_ref());
            let kept: Vec<usize> =
                (0..block.ncols()).filter(|&j| lengths[(j, j)] > DEPENDENT * DEPENDENT).collect();
            if kept.len() < block.ncols() {
                block = Mat::from_fn(block.nrows(), kept.len(), |i, j| block[(i, kept[j])]);
            }
            normalize(block.as_mut());
            let combination = whitening(inner(block.as_ref(), block.as_ref())).ok()?;
            block = product(block.as_ref(), combination.as_ref());
            if block.ncols() == 0 {
                return None;
            }
        }
        Some(block)
    }

    /// Eigenpairs of the projected matrix.
    pub(super) fn ritz(&self) -> Result<Ritz> {
        let projected = self.projected.as_ref().submatrix(0, 0, self.size, self.size);
        let (mut values, vectors) = eigen_descending(projected)?;
        values.reverse();
        Ok(Ritz { values, vectors: vectors.as_ref().reverse_cols().to_owned() })
    }

    /// The first Ritz vectors.
    pub(super) fn combine(&self, ritz: &Ritz, count: usize) -> Mat<f64> {
        product(self.basis(), ritz.vectors.as_ref().subcols(0, count))
    }

    /// (I - VV') (M u - theta u) of some Ritz pairs.
    pub(super) fn residuals(&self, ritz: &Ritz, start: usize, count: usize) -> Mat<f64> {
        let vectors = ritz.vectors.as_ref().subcols(start, count);
        let mut rest = product(self.images(), vectors);
        let scaled =
            Mat::from_fn(self.size, count, |i, j| vectors[(i, j)] * ritz.values[start + j]);
        subtract_product(rest.as_mut(), self.basis(), scaled.as_ref());
        self.constraint.project(rest.as_mut());
        rest
    }

    /// Keeps the first Ritz vectors, and the earlier ones of these numbers, where they are known by their combination.
    pub(super) fn restart(
        &mut self,
        ritz: &Ritz,
        keep: usize,
        before: Option<&Mat<f64>>,
        numbers: &[usize],
    ) {
        let keep = keep.min(self.size);
        let mut kept = ritz.vectors.as_ref().subcols(0, keep).to_owned();
        if let Some(before) = before {
            let numbers: Vec<usize> =
                numbers.iter().copied().filter(|&at| at < before.ncols()).collect();
            let mut extra = Mat::from_fn(self.size, numbers.len(), |i, j| {
                if i < before.nrows() { before[(i, numbers[j])] } else { 0.0 }
            });
            for _ in 0..2 {
                let parts = transposed_product(kept.as_ref(), extra.as_ref());
                subtract_product(extra.as_mut(), kept.as_ref(), parts.as_ref());
                // Where nearly all is kept, what is left of a vector of unit length may be rounding.
                let gram = transposed_product(extra.as_ref(), extra.as_ref());
                let new: Vec<usize> =
                    (0..extra.ncols()).filter(|&j| gram[(j, j)] > DEPENDENT * DEPENDENT).collect();
                extra = Mat::from_fn(self.size, new.len(), |i, j| extra[(i, new[j])]);
                let gram = transposed_product(extra.as_ref(), extra.as_ref());
                let Ok(combination) = whitening(gram) else { return };
                extra = product(extra.as_ref(), combination.as_ref());
            }
            let more = extra.ncols().min(self.size - keep);
            kept.resize_with(self.size, keep + more, |i, j| extra[(i, j - keep)]);
        }
        let old = self.projected.as_ref().submatrix(0, 0, self.size, self.size);
        let projected = transposed_product(kept.as_ref(), product(old, kept.as_ref()).as_ref());
        let size = kept.ncols();
        self.projected.as_mut().submatrix_mut(0, 0, size, size).copy_from(&projected);
        for block in [&mut self.basis, &mut self.images] {
            multiply_in_place(block.as_mut().subcols_mut(0, self.size), kept.as_ref());
        }
        self.size = size;
    }
}
