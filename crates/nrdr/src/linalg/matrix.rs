//! Symmetric matrices: dense, sparse, or anything that multiplies.

use std::fmt;
use std::sync::Arc;

use rayon::prelude::*;

use super::{LowRank, SparseMatrix, SymmetricMatrix, reduce};
use crate::error::{Error, Result};

/// Entries on the two sides of the diagonal may differ by this much, relative to the larger one,
const ASYMMETRY: f64 = 1e-8;
/// or by this share of the largest entry of the matrix.
const ROUNDING: f64 = 1e-12;

/// The largest entry in magnitude.
pub(crate) fn largest_entry(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, value| value.abs().max(largest))
}

/// A symmetric linear map that is known only by what it does to a vector.
pub trait Operator: Send + Sync {
    /// Number of rows and columns.
    fn size(&self) -> usize;
    /// y = A x
    fn apply(&self, x: &[f64], y: &mut [f64]);
    /// The products of several vectors, one after another in `y`.
    fn apply_block(&self, x: &[&[f64]], y: &mut [f64]) {
        for (x, y) in x.iter().zip(y.chunks_exact_mut(self.size())) {
            self.apply(x, y);
        }
    }
}

/// The matrix of an eigenproblem. Clones share the entries.
#[derive(Clone)]
#[non_exhaustive]
pub enum Matrix {
    /// All entries.
    Dense(Arc<SymmetricMatrix>),
    /// The entries that are not zero.
    Sparse(Arc<SparseMatrix>),
    /// Few eigenvectors with eigenvalues that are not zero.
    LowRank(Arc<LowRank>),
    /// Only its product with a vector.
    Operator(Arc<dyn Operator>),
}

impl Matrix {
    /// The matrix as something that multiplies.
    pub fn operator(&self) -> &dyn Operator {
        match self {
            Matrix::Dense(matrix) => matrix.as_ref(),
            Matrix::Sparse(matrix) => matrix.as_ref(),
            Matrix::LowRank(matrix) => matrix.as_ref(),
            Matrix::Operator(operator) => operator.as_ref(),
        }
    }

    /// Number of rows and columns.
    pub fn size(&self) -> usize {
        self.operator().size()
    }

    /// A number that no eigenvalue exceeds in magnitude: the largest absolute row sum, or where the eigenvalues are known the
    /// largest of them; unknown for an operator.
    pub fn norm(&self) -> Option<f64> {
        let row_sum = |row: &[f64]| row.iter().map(|v| v.abs()).sum::<f64>();
        let rows = (0..self.size()).into_par_iter().with_min_len(64);
        let largest = |sums: Vec<f64>| {
            Some(reduce::largest(sums.into_iter().fold(f64::MIN_POSITIVE, f64::max)))
        };
        match self {
            Matrix::Dense(matrix) => largest(rows.map(|i| row_sum(matrix.row(i))).collect()),
            Matrix::Sparse(matrix) => largest(rows.map(|i| row_sum(matrix.values(i))).collect()),
            Matrix::LowRank(matrix) => Some(matrix.norm()),
            Matrix::Operator(_) => None,
        }
    }
}

impl From<SymmetricMatrix> for Matrix {
    fn from(matrix: SymmetricMatrix) -> Self {
        Matrix::Dense(Arc::new(matrix))
    }
}

impl From<SparseMatrix> for Matrix {
    fn from(matrix: SparseMatrix) -> Self {
        Matrix::Sparse(Arc::new(matrix))
    }
}

impl From<LowRank> for Matrix {
    fn from(matrix: LowRank) -> Self {
        Matrix::LowRank(Arc::new(matrix))
    }
}

impl fmt::Debug for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self {
            Matrix::Dense(_) => "Dense",
            Matrix::Sparse(_) => "Sparse",
            Matrix::LowRank(_) => "LowRank",
            Matrix::Operator(_) => "Operator",
        };
        write!(f, "{kind}({0} x {0})", self.size())
    }
}

/// Finite, and the same on both sides of the diagonal.
///
/// `largest` is the largest entry in magnitude: what is rounding beside it is not compared.
pub(crate) fn check_entry(
    row: usize,
    column: usize,
    value: f64,
    mirrored: f64,
    largest: f64,
) -> Result<()> {
    if !value.is_finite() {
        return Err(Error::NotFinite { row, column, value });
    }
    let larger = value.abs().max(mirrored.abs());
    // Not `>`: a NaN on the other side must not pass.
    if !((value - mirrored).abs() <= (ASYMMETRY * larger).max(ROUNDING * largest)) {
        return Err(Error::NotSymmetric { row, column, value, mirrored });
    }
    Ok(())
}
