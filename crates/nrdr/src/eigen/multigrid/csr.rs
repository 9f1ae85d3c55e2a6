//! Sparse matrices that need not be square, and their products with blocks of vectors.
//!
//! A block holds the vectors side by side: entry (i, j) of a block of width w is at i w + j, so that a pass over the matrix
//! serves all of them.

use std::sync::Arc;

use rayon::prelude::*;

use crate::linalg::SparseMatrix;
use crate::linalg::vector::vectorized;

/// Rows that a thread takes at a time.
const CHUNK: usize = 1024;
/// Vectors of a block, at most.
pub(super) const WIDTH: usize = 4;

/// scale A + shift I, with A of so many columns; the shift is for square matrices only.
#[derive(Clone)]
pub(super) struct Csr {
    pub(super) entries: Arc<SparseMatrix>,
    pub(super) columns: usize,
    pub(super) scale: f64,
    pub(super) shift: f64,
}

impl Csr {
    /// A matrix of its rows.
    pub(super) fn new(rows: SparseMatrix, columns: usize) -> Self {
        Csr { entries: Arc::new(rows), columns, scale: 1.0, shift: 0.0 }
    }

    pub(super) fn rows(&self) -> usize {
        self.entries.size()
    }

    /// Entries (column, value) of a row but for the shift.
    pub(super) fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + Clone {
        self.entries.row(i).map(|(j, value)| (j, self.scale * value))
    }

    /// The diagonal.
    pub(super) fn diagonal(&self) -> Vec<f64> {
        let entry = |i| self.scale * self.entries.get(i, i) + self.shift;
        (0..self.rows()).into_par_iter().with_min_len(CHUNK).map(entry).collect()
    }

    /// Calls `f(i, row i of the product with x, row i of y)` for all rows.
    pub(super) fn for_rows<const W: usize>(
        &self,
        x: &[f64],
        y: &mut [f64],
        f: impl Fn(usize, [f64; W], &mut [f64; W]) + Sync,
    ) {
        let (x, _) = x.as_chunks::<W>();
        let (y, _) = y.as_chunks_mut::<W>();
        y.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, y)| {
            vectorized(|| {
                for (i, y) in (chunk * CHUNK..).zip(y) {
                    f(i, self.product_of_row(i, x), y);
                }
            });
        });
    }

    #[inline(always)]
    fn product_of_row<const W: usize>(&self, i: usize, x: &[[f64; W]]) -> [f64; W] {
        let mut sums = [0.0; W];
        for (&j, &value) in self.entries.columns(i).iter().zip(self.entries.values(i)) {
            let x = &x[j as usize];
            for lane in 0..W {
                sums[lane] += value * x[lane];
            }
        }
        for lane in 0..W {
            sums[lane] *= self.scale;
            if self.shift != 0.0 {
                sums[lane] += self.shift * x[i][lane];
            }
        }
        sums
    }

    /// y = A x
    pub(super) fn multiply<const W: usize>(&self, x: &[f64], y: &mut [f64]) {
        self.for_rows::<W>(x, y, |_, product, y| *y = product);
    }

    /// y = y - A x
    pub(super) fn subtract_product<const W: usize>(&self, x: &[f64], y: &mut [f64]) {
        self.for_rows::<W>(x, y, |_, product, y| {
            for lane in 0..W {
                y[lane] -= product[lane];
            }
        });
    }

    /// The transpose.
    pub(super) fn transposed(&self) -> Csr {
        let entries = &self.entries;
        let mut offsets = vec![0; self.columns + 1];
        entries.columns.iter().for_each(|&j| offsets[j as usize + 1] += 1);
        for j in 0..self.columns {
            offsets[j + 1] += offsets[j];
        }
        let mut next = offsets.clone();
        let mut columns = vec![0; entries.entries()];
        let mut values = vec![0.0; entries.entries()];
        for i in 0..self.rows() {
            for (j, value) in self.row(i) {
                (columns[next[j]], values[next[j]]) = (i as u32, value);
                next[j] += 1;
            }
        }
        Csr::new(SparseMatrix { offsets, columns, values }, self.rows())
    }

    /// The product with another matrix.
    pub(super) fn times(&self, other: &Csr) -> Csr {
        self.combined(other, |_| (1.0, self.shift))
    }

    /// The matrix with rows a (A B)_i + b B_i without A's shift, where (a, b) is `factors(i)` and B the other matrix.
    pub(super) fn combined(
        &self,
        other: &Csr,
        factors: impl Fn(usize) -> (f64, f64) + Sync,
    ) -> Csr {
        let columns = other.columns;
        let rows = SparseMatrix::build(
            self.rows(),
            || vec![0u32; columns],
            |i, slot: &mut Vec<u32>, out| {
                // slot[j] is one more than the place of column j in this row; all zero between rows.
                let (factor, own) = factors(i);
                let own = Some((i, own)).filter(|(_, own)| *own != 0.0);
                for (k, left) in self.row(i).map(|(k, value)| (k, factor * value)).chain(own) {
                    for (j, right) in other.row(k) {
                        match slot[j] {
                            0 => {
                                out.push((j as u32, left * right));
                                slot[j] = out.len() as u32;
                            }
                            place => out[place as usize - 1].1 += left * right,
                        }
                    }
                }
                out.iter().for_each(|&(j, _)| slot[j as usize] = 0);
                out.sort_unstable_by_key(|&(j, _)| j);
            },
        );
        Csr::new(rows, columns)
    }
}
