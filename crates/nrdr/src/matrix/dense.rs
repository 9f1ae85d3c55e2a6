//! Symmetric matrices with all their entries.

use rayon::prelude::*;

use super::{Operator, check_entry};
use crate::error::{Error, Result};
use crate::vector::{dot, vectorized};

/// A symmetric N x N matrix with all its entries.
#[derive(Clone, Debug, PartialEq)]
pub struct SymmetricMatrix {
    size: usize,
    values: Vec<f64>,
}

impl SymmetricMatrix {
    /// Takes N x N values and checks that they are finite and symmetric.
    pub fn new(values: Vec<f64>) -> Result<Self> {
        let size = values.len().isqrt();
        if size * size != values.len() || size == 0 {
            return Err(Error::Size {
                what: "a square matrix",
                got: values.len(),
                expected: size * size,
            });
        }
        let matrix = SymmetricMatrix { size, values };
        for row in 0..size {
            for column in 0..=row {
                let (value, mirrored) = (matrix.row(row)[column], matrix.row(column)[row]);
                check_entry(row, column, value, mirrored)?;
            }
        }
        Ok(matrix)
    }

    /// The matrix with entry (i, j) = (j, i) = `entry(i, j)` for j <= i.
    pub(crate) fn from_lower(size: usize, entry: impl Fn(usize, usize) -> f64 + Sync) -> Self {
        let mut values = vec![0.0; size * size];
        values.par_chunks_mut(size).enumerate().for_each(|(i, row)| {
            for (j, value) in row.iter_mut().enumerate().take(i + 1) {
                *value = entry(i, j);
            }
        });
        let mut matrix = SymmetricMatrix { size, values };
        matrix.mirror_lower();
        matrix
    }

    /// Takes rows whose two sides of the diagonal may differ by rounding; the lower side counts.
    pub(crate) fn from_rows_mirrored(size: usize, values: Vec<f64>) -> Self {
        let mut matrix = SymmetricMatrix { size, values };
        matrix.mirror_lower();
        matrix
    }

    /// Copies the lower triangle onto the upper one, tile by tile.
    fn mirror_lower(&mut self) {
        const TILE: usize = 64;
        let n = self.size;
        let mut rest = self.values.as_mut_slice();
        for start in (0..n).step_by(TILE) {
            let height = TILE.min(n - start);
            let (band, below) = rest.split_at_mut(height * n);
            for i in 0..height {
                for j in i + 1..height {
                    band[i * n + start + j] = band[j * n + start + i];
                }
            }
            for other in (start + height..n).step_by(TILE) {
                let below = &below[(other - start - height) * n..];
                for i in 0..height {
                    for j in other..(other + TILE).min(n) {
                        band[i * n + j] = below[(j - other) * n + start + i];
                    }
                }
            }
            rest = below;
        }
    }

    /// Number of rows and columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Row `i`, which is also column `i`.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.size..][..self.size]
    }

    /// All entries, row after row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    pub(crate) fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Subtracts row and column means, H A H with H = I - 11'/N.
    pub(crate) fn centre(&mut self) {
        let n = self.size;
        let means: Vec<f64> =
            self.values.par_chunks(n).map(|row| row.iter().sum::<f64>() / n as f64).collect();
        let mean = means.iter().sum::<f64>() / n as f64;
        self.values.par_chunks_mut(n).zip(&means).for_each(|(row, own)| {
            for (value, other) in row.iter_mut().zip(&means) {
                // Sums in the same order on both sides of the diagonal keep it symmetric.
                *value = *value - (own + other) + mean;
            }
        });
    }
}

impl Operator for SymmetricMatrix {
    fn size(&self) -> usize {
        self.size
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        y.par_iter_mut()
            .with_min_len(16)
            .zip(self.values.par_chunks(self.size))
            .for_each(|(y, row)| *y = vectorized(|| dot(row, x)));
    }
}
