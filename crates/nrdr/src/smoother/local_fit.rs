//! The weights a_c of a regression, from products with the Gaussian weights G.

use faer::{Mat, MatRef};
use rayon::prelude::*;

use super::Regression;
use super::kernel::Kernel;

/// Added to the local covariances, relative to h^2: a neighbourhood without spread in some direction
/// predicts no slope along it.
const RIDGE: f64 = 1e-6;

/// P = sum_c diag(left_c) G diag(right_c).
pub(crate) struct Weights {
    /// a_c, a column each.
    pub(crate) left: Mat<f64>,
    /// F_c, a column each, the first of them ones.
    pub(crate) right: Mat<f64>,
}

impl Weights {
    /// `multiply` is X -> G X.
    pub(super) fn new(
        kernel: &Kernel,
        regression: Regression,
        multiply: impl Fn(MatRef<'_, f64>) -> Mat<f64>,
    ) -> Self {
        let (n, q) = (kernel.len(), kernel.points.columns());
        if regression == Regression::NadarayaWatson {
            let right = Mat::full(n, 1, 1.0);
            let mut left = multiply(right.as_ref());
            left.col_as_slice_mut(0).iter_mut().for_each(|c| *c = c.recip());
            return Weights { left, right };
        }
        // 1, F_a, F_a F_b for a <= b.
        let pairs: Vec<(usize, usize)> = (0..q).flat_map(|a| (a..q).map(move |b| (a, b))).collect();
        let row = |i| kernel.points.row(i);
        let moments = Mat::from_fn(n, 1 + q + pairs.len(), |i, j| match j {
            0 => 1.0,
            _ if j <= q => row(i)[j - 1],
            _ => row(i)[pairs[j - 1 - q].0] * row(i)[pairs[j - 1 - q].1],
        });
        let right = moments.as_ref().subcols(0, 1 + q).to_owned();
        let sums = multiply(moments.as_ref());
        let coefficients: Vec<Vec<f64>> = (0..n)
            .into_par_iter()
            .map(|i| {
                let c = sums[(i, 0)];
                let sums: Vec<f64> = sums.row(i).iter().copied().collect();
                let (mean, u) = local_fit(row(i), &sums, kernel.bandwidth);
                let shift: f64 = mean.iter().zip(&u).map(|(m, u)| m * u).sum();
                let slopes = u.iter().map(|u| u / c);
                std::iter::once((1.0 - shift) / c).chain(slopes).collect()
            })
            .collect();
        let left = Mat::from_fn(n, 1 + q, |i, j| coefficients[i][j]);
        Weights { left, right }
    }

    /// P Y for `multiply` X -> G X.
    pub(super) fn predict(
        &self,
        y: MatRef<'_, f64>,
        multiply: impl Fn(MatRef<'_, f64>) -> Mat<f64>,
    ) -> Mat<f64> {
        combine(self.left.as_ref(), self.right.as_ref(), y, multiply)
    }

    /// P' Y for `multiply` X -> G' X.
    pub(super) fn predict_transposed(
        &self,
        y: MatRef<'_, f64>,
        multiply: impl Fn(MatRef<'_, f64>) -> Mat<f64>,
    ) -> Mat<f64> {
        combine(self.right.as_ref(), self.left.as_ref(), y, multiply)
    }
}

/// sum_c diag(outer_c) G diag(inner_c) Y
fn combine(
    outer: MatRef<'_, f64>,
    inner: MatRef<'_, f64>,
    y: MatRef<'_, f64>,
    multiply: impl Fn(MatRef<'_, f64>) -> Mat<f64>,
) -> Mat<f64> {
    let (n, width, terms) = (y.nrows(), y.ncols(), outer.ncols());
    let scaled = Mat::from_fn(n, width * terms, |i, j| y[(i, j % width)] * inner[(i, j / width)]);
    let products = multiply(scaled.as_ref());
    Mat::from_fn(n, width, |i, j| {
        (0..terms).map(|c| outer[(i, c)] * products[(i, c * width + j)]).sum()
    })
}

/// Local means mu of predictors x, and (S + ridge)^-1 (x - mu) for their local covariances S, at a point.
/// `sums` are the weighted sums of 1, x_a, and x_a x_b for a <= b.
pub(crate) fn local_fit(point: &[f64], sums: &[f64], bandwidth: f64) -> (Vec<f64>, Vec<f64>) {
    let q = point.len();
    let ridge = RIDGE * bandwidth * bandwidth;
    let mean: Vec<f64> = sums[1..][..q].iter().map(|sum| sum / sums[0]).collect();
    let mut covariance = vec![0.0; q * q];
    let pairs = (0..q).flat_map(|a| (a..q).map(move |b| (a, b)));
    for ((a, b), sum) in pairs.zip(&sums[1 + q..]) {
        let value = sum / sums[0] - mean[a] * mean[b];
        covariance[a * q + b] = value;
        covariance[b * q + a] = value;
    }
    (0..q).for_each(|a| covariance[a * q + a] += ridge);
    let mut slope: Vec<f64> = point.iter().zip(&mean).map(|(x, m)| x - m).collect();
    solve(&mut covariance, &mut slope, ridge);
    (mean, slope)
}

/// b <- a^-1 b by Cholesky for a small symmetric matrix; pivots below `least` count as `least`.
fn solve(a: &mut [f64], b: &mut [f64], least: f64) {
    let q = b.len();
    for j in 0..q {
        let pivot = a[j * q + j].max(least).sqrt();
        a[j * q + j] = pivot;
        for i in j + 1..q {
            a[i * q + j] /= pivot;
        }
        for i in j + 1..q {
            for k in j + 1..=i {
                a[i * q + k] -= a[i * q + j] * a[k * q + j];
            }
        }
    }
    for i in 0..q {
        let known: f64 = (0..i).map(|j| a[i * q + j] * b[j]).sum();
        b[i] = (b[i] - known) / a[i * q + i];
    }
    for i in (0..q).rev() {
        let known: f64 = (i + 1..q).map(|j| a[j * q + i] * b[j]).sum();
        b[i] = (b[i] - known) / a[i * q + i];
    }
}
