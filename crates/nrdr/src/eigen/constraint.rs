//! The directions that a coordinate must be orthogonal to.

use faer::{Mat, MatMut, MatRef};

use rayon::prelude::*;

use crate::error::Result;
use crate::linalg::small::whitening;
use crate::linalg::tall::{inner, product, subtract_product};

/// A vector of which less than this is new adds no direction.
const DEPENDENT: f64 = 1e-10;

/// An orthonormal basis V; coordinates are sought in its complement.
#[derive(Clone, Debug)]
pub struct Constraint {
    basis: Mat<f64>,
}

impl Constraint {
    /// No direction is forbidden among vectors of this size.
    pub fn none(size: usize) -> Self {
        Constraint { basis: Mat::zeros(size, 0) }
    }

    /// Forbids further directions; those already in the span add nothing.
    pub fn forbid<'v>(&mut self, vectors: impl IntoIterator<Item = &'v [f64]>) {
        for vector in vectors {
            let mut column = Mat::from_fn(vector.len(), 1, |i, _| vector[i]);
            if normalize(column.as_mut()) == 0.0 {
                continue;
            }
            self.project(column.as_mut());
            if normalize(column.as_mut()) > DEPENDENT {
                // Once more, now that the small remainder has unit length.
                self.project(column.as_mut());
                normalize(column.as_mut());
                let rank = self.rank();
                self.basis.resize_with(vector.len(), rank + 1, |i, _| column[(i, 0)]);
            }
        }
    }

    /// Forbids the directions that the columns of a block span.
    pub(crate) fn forbid_block(&mut self, mut block: Mat<f64>) -> Result<()> {
        // Once more, for the rounding that the first time leaves.
        for _ in 0..2 {
            self.project(block.as_mut());
            let directions = whitening(inner(block.as_ref(), block.as_ref()))?;
            block = product(block.as_ref(), directions.as_ref());
        }
        let (size, rank) = (self.size(), self.rank());
        self.basis.resize_with(size, rank + block.ncols(), |_, _| 0.0);
        let new = self.basis.as_mut().subcols_mut(rank, block.ncols());
        new.par_col_iter_mut().zip(block.par_col_iter()).for_each(|(mut to, from)| {
            to.copy_from(from);
        });
        Ok(())
    }

    /// How many directions are forbidden.
    pub fn rank(&self) -> usize {
        self.basis.ncols()
    }

    /// Size of the vectors.
    pub fn size(&self) -> usize {
        self.basis.nrows()
    }

    /// Direction number `i` of the basis, counted from 0.
    pub fn direction(&self, i: usize) -> &[f64] {
        self.basis.col_as_slice(i)
    }

    /// Takes the forbidden directions out of a vector: x <- (I - VV') x.
    pub fn project_vector(&self, vector: &mut [f64]) {
        let rows = vector.len();
        self.project(MatMut::from_column_major_slice_mut(vector, rows, 1));
    }

    /// The basis, a direction in each column.
    pub(crate) fn basis(&self) -> MatRef<'_, f64> {
        self.basis.as_ref()
    }

    /// Takes the forbidden directions out of each column: X <- (I - VV') X.
    pub(crate) fn project(&self, mut block: MatMut<'_, f64>) {
        if self.rank() > 0 {
            let parts = inner(self.basis(), block.as_ref());
            subtract_product(block.as_mut(), self.basis(), parts.as_ref());
        }
    }
}

/// Scales a column to unit length and returns the length it had.
fn normalize(column: MatMut<'_, f64>) -> f64 {
    let length = inner(column.as_ref(), column.as_ref())[(0, 0)].sqrt();
    if length > 0.0 {
        column.col_mut(0).iter_mut().for_each(|v| *v /= length);
    }
    length
}
