//! Gaussian weights of points in the embedding.

use faer::Mat;
use rayon::prelude::*;

use crate::points::Points;
use crate::vector::squared_distance;

/// G_nk = exp(-|F_n - F_k|^2 / 2h^2)
pub(super) struct Kernel {
    pub(super) points: Points,
    pub(super) bandwidth: f64,
}

impl Kernel {
    pub(super) fn new(points: Points, bandwidth: f64) -> Self {
        Kernel { points, bandwidth }
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

    /// The columns G[:, chosen].
    pub(super) fn columns(&self, chosen: &[u32]) -> Mat<f64> {
        let n = self.len();
        let mut columns = Mat::zeros(n, chosen.len());
        columns.as_mut().par_col_iter_mut().zip(chosen).for_each(|(column, &j)| {
            for (i, value) in column.iter_mut().enumerate() {
                *value = self.weight(i, j as usize);
            }
        });
        columns
    }
}
