//! A tall factor L in single precision: the weights it stands for are exact to a share of a per cent,
//! so more digits would only take time. Sums are taken in double precision.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

use crate::linalg::reduce;
use crate::linalg::vector::{vectorized, wide};

/// Rows worked on at a time.
pub(super) const PIECE: usize = 1024;
/// Rows over which a sum is left in single precision.
const SUMMED: usize = 8192;

/// Of products.
#[derive(Clone, Copy)]
pub(super) enum Precision {
    Single,
    Double,
}

/// L, N x m.
pub(super) struct Factor {
    pub(super) values: Mat<f32>,
    /// The points whose weights its columns are made from, by their numbers among all.
    pub(super) pivots: Vec<u32>,
}

impl Factor {
    pub(super) fn columns(&self) -> usize {
        self.values.ncols()
    }

    /// The rows of a piece in double precision.
    fn piece(&self, start: usize) -> Mat<f64> {
        let size = PIECE.min(self.values.nrows() - start);
        let rows = self.values.as_ref().subrows(start, size);
        let mut piece = Mat::zeros(size, self.columns());
        vectorized(|| {
            for (to, from) in piece.as_mut().col_iter_mut().zip(rows.col_iter()) {
                to.iter_mut().zip(from.iter()).for_each(|(to, from)| *to = f64::from(*from));
            }
        });
        piece
    }

    /// L' X
    pub(super) fn inner(&self, x: MatRef<'_, f64>) -> Mat<f64> {
        let part = |start: usize| {
            let piece = self.piece(start);
            let mut part = Mat::zeros(piece.ncols(), x.ncols());
            let x = x.subrows(start, piece.nrows());
            wide(|| matmul(part.as_mut(), Accum::Replace, piece.transpose(), x, 1.0, Par::Seq));
            part
        };
        let starts = (0..x.nrows()).into_par_iter().step_by(PIECE);
        let parts: Vec<Mat<f64>> = starts.map(part).collect();
        let mut sum = Mat::zeros(self.columns(), x.ncols());
        parts.into_iter().for_each(|part| sum += part);
        reduce::sum_each(sum)
    }

    /// L X
    pub(super) fn product(&self, x: MatRef<'_, f64>) -> Mat<f64> {
        let mut result = Mat::zeros(self.values.nrows(), x.ncols());
        let pieces = result.as_mut().par_row_chunks_mut(PIECE).enumerate();
        pieces.for_each(|(at, into): (usize, MatMut<'_, f64>)| {
            let piece = self.piece(at * PIECE);
            wide(|| matmul(into, Accum::Replace, piece, x, 1.0, Par::Seq));
        });
        result
    }

    /// L' diag(weights) L, by products in single precision or in double.
    pub(super) fn gram(&self, weights: &[f64], precision: Precision) -> Mat<f64> {
        let columns = self.columns();
        let tile = (columns / 16).clamp(32, 128);
        let starts = (0..columns).into_par_iter().step_by(tile);
        let below = |start: usize| {
            let width = tile.min(columns - start);
            match precision {
                Precision::Single => self.gram_below(start, width, weights),
                Precision::Double => self.exact_gram_below(start, width, weights),
            }
        };
        let tiles: Vec<Mat<f64>> = starts.map(below).collect();
        // Right of the tiles by symmetry.
        reduce::sum_each(Mat::from_fn(columns, columns, |i, j| {
            let (row, column) = (i.max(j), i.min(j));
            tiles[column / tile][(row - column / tile * tile, column % tile)]
        }))
    }

    /// The columns `start..start + width` of the Gram matrix from row `start` on.
    fn gram_below(&self, start: usize, width: usize, weights: &[f64]) -> Mat<f64> {
        let below = self.values.as_ref().subcols(start, self.columns() - start);
        let mut sum = Mat::zeros(below.ncols(), width);
        for (chunk, weights) in weights.chunks(SUMMED).enumerate() {
            let rows = below.subrows(chunk * SUMMED, weights.len());
            let mut weighted = Mat::<f32>::zeros(weights.len(), width);
            vectorized(|| {
                for (to, from) in weighted.as_mut().col_iter_mut().zip(rows.col_iter()) {
                    let values = to.iter_mut().zip(from.iter().zip(weights));
                    values.for_each(|(to, (from, w))| *to = (f64::from(*from) * w) as f32);
                }
            });
            let mut part = Mat::<f32>::zeros(below.ncols(), width);
            wide(|| {
                matmul(part.as_mut(), Accum::Replace, rows.transpose(), weighted, 1.0, Par::Seq);
            });
            for (sum, part) in sum.as_mut().col_iter_mut().zip(part.col_iter()) {
                sum.iter_mut().zip(part.iter()).for_each(|(sum, part)| *sum += f64::from(*part));
            }
        }
        sum
    }

    /// The same in double precision.
    fn exact_gram_below(&self, start: usize, width: usize, weights: &[f64]) -> Mat<f64> {
        let mut sum = Mat::zeros(self.columns() - start, width);
        for (at, weights) in weights.chunks(PIECE).enumerate() {
            let rows = self.piece(at * PIECE);
            let rows = rows.as_ref().subcols(start, self.columns() - start);
            let weighted = Mat::from_fn(weights.len(), width, |i, j| weights[i] * rows[(i, j)]);
            wide(|| matmul(sum.as_mut(), Accum::Add, rows.transpose(), weighted, 1.0, Par::Seq));
        }
        sum
    }
}
