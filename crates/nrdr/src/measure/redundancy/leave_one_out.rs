//! Local linear regression of several values at several bandwidths, by matrix products.
//!
//! At point n with weights w_k, local means mu and m of predictors x and values y, and local
//! covariances S = cov(x, x) and C = cov(x, y), the prediction is m + (x_n - mu)' (S + ridge)^-1 C.
//! All of them are sums over k of w_k times 1, x, x x', y and x y': rows of one matrix product.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rayon::prelude::*;

use super::bandwidth::Grid;
use crate::error::Result;
use crate::linalg::vector::{squared_distance, vectorized, wide};
use crate::smoother::local_fit;

/// Points predicted at a time.
const ROWS: usize = 128;
/// Weights below this share of the largest are zero.
const LEAST: f64 = 1e-30;

/// Called for each block of points; its error ends the work.
pub(crate) type Check<'c> = &'c (dyn Fn() -> Result<()> + Sync);

/// For each step of the grid (a row) and each column of `y` the sum of squared errors.
pub(super) fn squared_errors(
    x: MatRef<'_, f64>,
    y: MatRef<'_, f64>,
    grid: &Grid,
    check: Check<'_>,
) -> Result<Mat<f64>> {
    let (n, q, targets) = (x.nrows(), x.ncols(), y.ncols());
    let moments = Moments::new(x, y);
    let rows: Vec<f64> =
        (0..n).flat_map(|i| x.row(i).iter().copied().collect::<Vec<_>>()).collect();
    let rows: Vec<&[f64]> = rows.chunks_exact(q).collect();
    let ranges: Vec<(f64, f64)> = y.col_iter().map(range).collect();
    let block = |start: usize| {
        check()?;
        let size = ROWS.min(n - start);
        let mut weights = first_weights(&rows, start, size, grid);
        let mut errors = Mat::zeros(grid.steps, targets);
        for step in 0..grid.steps {
            let mut sums = Mat::zeros(size, moments.values.ncols());
            let (a, b) = (weights.as_ref(), moments.values.as_ref());
            wide(|| matmul(sums.as_mut(), Accum::Replace, a, b, 1.0, Par::Seq));
            let bandwidth = grid.bandwidth(step);
            for i in 0..size {
                let sums: Vec<f64> = sums.row(i).iter().copied().collect();
                let predicted = moments.predict(rows[start + i], &sums, bandwidth);
                for (j, predicted) in predicted.into_iter().enumerate() {
                    let predicted = predicted.clamp(ranges[j].0, ranges[j].1);
                    errors[(step, j)] += (y[(start + i, j)] - predicted).powi(2);
                }
            }
            narrow(&mut weights);
        }
        Ok(errors)
    };
    let parts: Result<Vec<Mat<f64>>> = (0..n).into_par_iter().step_by(ROWS).map(block).collect();
    let mut sum = Mat::zeros(grid.steps, targets);
    parts?.into_iter().for_each(|part| sum += part);
    Ok(sum)
}

/// The weights of all points for some of them at the widest bandwidth. Those of a point are relative
/// to that of the nearest one, which is 1 at any bandwidth: no point is without neighbours.
fn first_weights(rows: &[&[f64]], start: usize, size: usize, grid: &Grid) -> Mat<f64> {
    let n = rows.len();
    let mut weights = Mat::zeros(size, n);
    for i in 0..size {
        let own = start + i;
        let mut squares: Vec<f64> = vec![0.0; n];
        vectorized(|| {
            squares.iter_mut().zip(rows).for_each(|(s, row)| *s = squared_distance(rows[own], row));
        });
        let mut nearest = 0.0;
        if grid.leave_out {
            squares[own] = f64::INFINITY;
            nearest = squares.iter().copied().fold(f64::INFINITY, f64::min);
        }
        for (k, square) in squares.iter().enumerate() {
            weights[(i, k)] = kept((-(square - nearest) * grid.scale).exp());
        }
    }
    weights
}

/// Half the bandwidth: the fourth power of each weight.
fn narrow(weights: &mut Mat<f64>) {
    vectorized(|| {
        for column in weights.as_mut().col_iter_mut() {
            for weight in column.iter_mut() {
                let square = *weight * *weight;
                *weight = kept(square * square);
            }
        }
    });
}

#[inline(always)]
fn kept(weight: f64) -> f64 {
    if weight < LEAST { 0.0 } else { weight }
}

pub(super) fn range(column: faer::ColRef<'_, f64>) -> (f64, f64) {
    let least = column.iter().copied().fold(f64::INFINITY, f64::min);
    (least, column.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

/// 1, x, x x' (one triangle), y and x y' of every point.
pub(super) struct Moments {
    values: Mat<f64>,
    predictors: usize,
    targets: usize,
}

impl Moments {
    pub(super) fn new(x: MatRef<'_, f64>, y: MatRef<'_, f64>) -> Self {
        let (n, predictors, targets) = (x.nrows(), x.ncols(), y.ncols());
        let mut columns: Vec<Vec<f64>> = vec![vec![1.0; n]];
        let of = |m: MatRef<'_, f64>, c: usize| m.col(c).iter().copied().collect::<Vec<f64>>();
        let times = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).collect();
        let xs: Vec<Vec<f64>> = (0..predictors).map(|c| of(x, c)).collect();
        let ys: Vec<Vec<f64>> = (0..targets).map(|c| of(y, c)).collect();
        columns.extend(xs.iter().cloned());
        for (a, x) in xs.iter().enumerate() {
            columns.extend(xs[a..].iter().map(|other| times(x, other)));
        }
        columns.extend(ys.iter().cloned());
        for y in &ys {
            columns.extend(xs.iter().map(|x| times(x, y)));
        }
        let values = Mat::from_fn(n, columns.len(), |i, j| columns[j][i]);
        Moments { values, predictors, targets }
    }

    /// A row for each point.
    pub(super) fn values(&self) -> MatRef<'_, f64> {
        self.values.as_ref()
    }

    /// The predictions at a point from its weighted sums of moments.
    pub(super) fn predict(&self, point: &[f64], sums: &[f64], bandwidth: f64) -> Vec<f64> {
        let q = self.predictors;
        let total = sums[0];
        // (S + ridge)^-1 (x - mu) serves all targets.
        let (mean, slope) = local_fit(point, sums, bandwidth);
        let values = &sums[1 + q + q * (q + 1) / 2..];
        let (values, products) = values.split_at(self.targets);
        let predict = |(value, products): (&f64, &[f64])| {
            let value = value / total;
            let cross = products.iter().zip(&mean).map(|(p, m)| p / total - m * value);
            value + cross.zip(&slope).map(|(c, s)| c * s).sum::<f64>()
        };
        values.iter().zip(products.chunks_exact(q)).map(predict).collect()
    }
}
