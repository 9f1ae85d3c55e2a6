//! Gaussian weights of points in the embedding.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};

use crate::linalg::reduce::Share;
use crate::linalg::vector::{dot, squared_distance, vectorized, wide};
use crate::points::Points;

/// G_nk = exp(-|F_n - F_k|^2 / 2h^2)
pub(super) struct Kernel {
    pub(super) points: Points,
    pub(super) bandwidth: f64,
    /// Which of all points these are.
    pub(super) share: Share,
}

impl Kernel {
    pub(super) fn new(points: Points, bandwidth: f64) -> Self {
        let share = Share::new(points.rows());
        Kernel { points, bandwidth, share }
    }

    pub(super) fn len(&self) -> usize {
        self.points.rows()
    }

    pub(super) fn of_squared_distance(&self, squared: f64) -> f64 {
        (-squared / (2.0 * self.bandwidth * self.bandwidth)).exp()
    }

    pub(super) fn weight(&self, i: usize, j: usize) -> f64 {
        self.of_squared_distance(squared_distance(self.points.row(i), self.points.row(j)))
    }

    /// The weights of some rows for points that are chosen.
    pub(super) fn block(&self, rows: Range<usize>, chosen: &[&[f64]]) -> Mat<f32> {
        let dims = self.points.columns();
        let inverse = (self.bandwidth * self.bandwidth).recip();
        let half_norm = |row: &[f64]| 0.5 * inverse * dot(row, row);
        let all = MatRef::from_row_major_slice(self.points.values(), self.len(), dims);
        let pivots = Mat::from_fn(dims, chosen.len(), |c, p| inverse * chosen[p][c]);
        let norms: Vec<f64> = rows.clone().map(|i| half_norm(self.points.row(i))).collect();
        let mut products = Mat::zeros(rows.len(), chosen.len());
        let x = all.subrows(rows.start, rows.len());
        wide(|| matmul(products.as_mut(), Accum::Replace, x, pivots, 1.0, Par::Seq));
        let mut block = Mat::zeros(rows.len(), chosen.len());
        for p in 0..chosen.len() {
            let (column, own) = (block.col_as_slice_mut(p), half_norm(chosen[p]));
            let products = products.col_as_slice(p);
            vectorized(|| {
                for ((value, product), norm) in column.iter_mut().zip(products).zip(&norms) {
                    *value = (product - norm - own).min(0.0) as f32;
                }
            });
            column.iter_mut().for_each(|value| *value = value.exp());
        }
        block
    }
}
