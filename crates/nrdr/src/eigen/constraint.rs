//! The directions that a coordinate must be orthogonal to.

use faer::{ColMut, Mat, MatMut, MatRef};

use rayon::prelude::*;

use crate::error::Result;
use crate::linalg::reduce;
use crate::linalg::small::whitening;
use crate::linalg::tall::{
    inner, multiply_in_place, subtract_product, transposed_product,
};

/// A vector of which less than this is new adds no direction.
const DEPENDENT: f64 = 1e-10;
/// So many vectors are made orthogonal to the basis at once.
const TOGETHER: usize = 32;

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
        let mut vectors = vectors.into_iter().peekable();
        self.basis.reserve(self.size(), self.rank() + vectors.size_hint().0);
        while vectors.peek().is_some() {
            let some: Vec<&[f64]> = vectors.by_ref().take(TOGETHER).collect();
            self.forbid_some(Mat::from_fn(self.size(), some.len(), |i, j| some[j][i]));
        }
    }

    /// Forbids a few directions: all of them are made orthogonal to the basis at once, and then one by one to each other.
    fn forbid_some(&mut self, mut block: Mat<f64>) {
        let square = |column: MatRef<'_, f64>| transposed_product(column, column)[(0, 0)];
        let squares = block.par_col_iter().map(|column| square(column.as_mat())).collect();
        let squares = reduce::sum_all(squares);
        block.as_mut().par_col_iter_mut().zip(&squares).for_each(|(column, square)| {
            scale(column, square.sqrt());
        });
        // Once more, now that small remainders have unit length.
        for _ in 0..2 {
            self.project(block.as_mut());
            let mut kept = 0;
            for j in 0..block.ncols() {
                let (earlier, rest) = block.as_mut().split_at_col_mut(j);
                let (earlier, mut column) =
                    (earlier.as_ref().subcols(0, kept), rest.subcols_mut(0, 1));
                let parts = inner(earlier, column.as_ref());
                subtract_product(column.as_mut(), earlier, parts.as_ref());
                if normalize(column) > DEPENDENT {
                    let (earlier, rest) = block.as_mut().split_at_col_mut(j);
                    if kept < j {
                        earlier.col_mut(kept).copy_from(rest.col(0));
                    }
                    kept += 1;
                }
            }
            block.truncate(block.nrows(), kept);
        }
        self.append(block.as_ref());
    }

    /// Forbids the directions that the columns of a block span.
    pub(crate) fn forbid_block(&mut self, mut block: Mat<f64>) -> Result<()> {
        // Once more, for the rounding that the first time leaves.
        for _ in 0..2 {
            self.project(block.as_mut());
            let directions = whitening(inner(block.as_ref(), block.as_ref()))?;
            multiply_in_place(block.as_mut(), directions.as_ref());
            block.truncate(block.nrows(), directions.ncols());
        }
        self.append(block.as_ref());
        Ok(())
    }

    fn append(&mut self, block: MatRef<'_, f64>) {
        let (size, rank) = (self.size(), self.rank());
        self.basis.resize_with(size, rank + block.ncols(), |_, _| 0.0);
        let new = self.basis.as_mut().subcols_mut(rank, block.ncols());
        new.par_col_iter_mut().zip(block.par_col_iter()).for_each(|(mut to, from)| {
            to.copy_from(from);
        });
    }

    /// How many directions are forbidden.
    pub fn rank(&self) -> usize {
        self.basis.ncols()
    }

    /// Size of the vectors: where the rows are shared, how many of them are here.
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
    scale(column.col_mut(0), length);
    length
}

/// Divides a column by its length, if it has one.
fn scale(column: ColMut<'_, f64>, length: f64) {
    if length > 0.0 {
        column.iter_mut().for_each(|v| *v /= length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More vectors than go together; every third is a combination of earlier ones, one is zero.
    #[test]
    fn many_vectors_are_orthonormal_and_dependent_ones_add_nothing() {
        let (n, many) = (200, 90);
        let mut vectors: Vec<Vec<f64>> = Vec::new();
        for k in 0..many {
            let new =
                |i: usize| (std::f64::consts::PI * k as f64 * (i as f64 + 0.5) / n as f64).cos();
            let vector: Vec<f64> = match k {
                7 => vec![0.0; n],
                _ if k % 3 == 2 => vectors[k - 1]
                    .iter()
                    .zip(&vectors[k / 2])
                    .map(|(a, b)| 5.0 * a - 0.1 * b)
                    .collect(),
                _ => (0..n).map(|i| 1e3 * new(i) + 1e3 * new(0)).collect(),
            };
            vectors.push(vector);
        }
        let mut constraint = Constraint::none(n);
        constraint.forbid(vectors.iter().map(Vec::as_slice));
        let errors = inner(constraint.basis(), constraint.basis())
            - Mat::<f64>::identity(constraint.rank(), constraint.rank());
        assert!(errors.norm_max() < 1e-14, "{:e}", errors.norm_max());
        // The sixty that are new, less the one that is zero and its follower, a copy of another.
        assert_eq!(constraint.rank(), 59);
        for vector in &mut vectors {
            let before = vector.iter().map(|v| v * v).sum::<f64>().sqrt();
            constraint.project_vector(vector);
            let after = vector.iter().map(|v| v * v).sum::<f64>().sqrt();
            assert!(after <= 1e-12 * before.max(1.0), "{after:e} of {before:e}");
        }
    }
}
