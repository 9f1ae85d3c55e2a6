//! Symmetric matrices with all their entries.

use rayon::prelude::*;

use super::{Operator, check_entry, largest_entry};
use crate::error::{Error, FEWER_POINTS, Hint, Result};
use crate::linalg::vector::{dot, vectorized};
use crate::memory;

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
        let largest = largest_entry(&values);
        let matrix = SymmetricMatrix { size, values };
        for row in 0..size {
            for column in 0..=row {
                let (value, mirrored) = (matrix.row(row)[column], matrix.row(column)[row]);
                check_entry(row, column, value, mirrored, largest)?;
            }
        }
        Ok(matrix)
    }

    /// The matrix whose lower triangle `fill(i, row)` writes, row by row up to the diagonal.
    pub(crate) fn from_lower(size: usize, fill: impl Fn(usize, &mut [f64]) + Sync) -> Result<Self> {
        let mut values = SymmetricMatrix::room(size)?;
        let rows = values.par_chunks_mut(size).enumerate();
        rows.for_each(|(i, row)| fill(i, &mut row[..=i]));
        Ok(SymmetricMatrix::from_rows_mirrored(size, values))
    }

    /// Zeros for all entries, if there is room for them.
    pub(crate) fn room(size: usize) -> Result<Vec<f64>> {
        memory::zeros(size * size, "a dense matrix", &[FEWER_POINTS, Hint::Another("method")])
    }

    /// Takes rows whose two sides of the diagonal may differ by rounding; the lower side counts.
    pub(crate) fn from_rows_mirrored(size: usize, mut values: Vec<f64>) -> Self {
        mirror_lower(&mut values, 0, size);
        SymmetricMatrix { size, values }
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

/// Copies the lower triangle onto the upper one within the rows of `band`, which begin at row `start`
/// of `n`: the upper half's corner from the lower half, then each half by itself.
fn mirror_lower(band: &mut [f64], start: usize, n: usize) {
    const TILE: usize = 32;
    let height = band.len() / n;
    if height <= TILE {
        for i in 0..height {
            for j in i + 1..height {
                band[i * n + start + j] = band[j * n + start + i];
            }
        }
        return;
    }
    let half = height / 2;
    let (top, bottom) = band.split_at_mut(half * n);
    top.par_chunks_mut(TILE * n).enumerate().for_each(|(tile, rows)| {
        for first in (half..height).step_by(TILE) {
            for (i, row) in rows.chunks_exact_mut(n).enumerate() {
                for j in first..(first + TILE).min(height) {
                    row[start + j] = bottom[(j - half) * n + start + tile * TILE + i];
                }
            }
        }
    });
    rayon::join(|| mirror_lower(top, start, n), || mirror_lower(bottom, start + half, n));
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

    fn apply_block(&self, x: &[&[f64]], y: &mut [f64]) {
        // A row is fetched once for all vectors.
        let (n, width) = (self.size, x.len());
        let mut products = vec![0.0; n * width];
        products.par_chunks_mut(width).with_min_len(16).zip(self.values.par_chunks(n)).for_each(
            |(products, row)| {
                vectorized(|| {
                    for (product, x) in products.iter_mut().zip(x) {
                        *product = dot(row, x);
                    }
                });
            },
        );
        for (c, y) in y.chunks_exact_mut(n).enumerate() {
            y.iter_mut().zip(products.chunks_exact(width)).for_each(|(y, p)| *y = p[c]);
        }
    }
}
