//! The smoother by a low-rank factor of its Gaussian weights, G ~ L L'.

use faer::{Mat, MatRef};
use rayon::prelude::*;

use super::factor::{Factor, Precision};
use super::growing::grow;
use super::kernel::Kernel;
use super::leading::{Square, leading};
use super::{Predictor, Regression, SingularVectors, Smoother, Weights};
use crate::error::{Error, Result};
use crate::linalg::reduce;
use crate::linalg::small::CholeskyFactor;
use crate::linalg::tall::product;
use crate::linalg::vector::{dot, squared_distance};
use crate::points::Points;
use crate::progress::Progress;

/// Less cannot be asked of a factor in single precision.
const SINGLE_PRECISION: f64 = 1e-6;
/// Added to the weights of pivots among each other: their values are rounded like this.
const SINGLE_ROUNDING: f64 = 1e-9;

pub(super) struct LowRank {
    weights: Weights,
    factor: Factor,
    kernel: Kernel,
    seed: u64,
}

impl LowRank {
    pub(super) fn new(
        kernel: Kernel,
        regression: Regression,
        truncation: f64,
        seed: u64,
        progress: &Progress<'_>,
    ) -> Result<Self> {
        let accuracy = accuracy(&kernel, regression) * truncation;
        if accuracy < SINGLE_PRECISION {
            let allowed = "larger for a low-rank smoother; dense and sparse ones take any";
            return Err(Error::parameter("truncation", truncation, allowed));
        }
        let factor = grow(&kernel, accuracy, seed, progress)?;
        let weights = Weights::new(&kernel, regression, |x| multiply(&factor, x));
        Ok(LowRank { weights, factor, kernel, seed })
    }

    /// The Gram matrix of [diag(w_0) L, diag(w_1) L, ..] for the columns w of `weights`.
    fn gram(&self, weights: MatRef<'_, f64>) -> Mat<f64> {
        let (m, terms) = (self.factor.columns(), weights.ncols());
        // Several terms nearly cancel each other.
        let precision = if terms > 1 { Precision::Double } else { Precision::Single };
        let mut gram = Mat::zeros(terms * m, terms * m);
        for c in 0..terms {
            for other in 0..=c {
                let pairs = weights.col(c).iter().zip(weights.col(other).iter());
                let products: Vec<f64> = pairs.map(|(a, b)| a * b).collect();
                let block = self.factor.gram(&products, precision);
                gram.as_mut().submatrix_mut(c * m, other * m, m, m).copy_from(&block);
                gram.as_mut().submatrix_mut(other * m, c * m, m, m).copy_from(&block);
            }
        }
        gram
    }
}

/// How much of the normalised kernel the factor may miss, as a share of the truncation. A linear fit
/// multiplies the error by squared distances, in bandwidths.
fn accuracy(kernel: &Kernel, regression: Regression) -> f64 {
    let rows = (0..kernel.len()).map(|i| kernel.points.row(i));
    let farthest = reduce::largest(rows.map(|row| dot(row, row)).fold(0.0, f64::max));
    match regression {
        Regression::NadarayaWatson => 0.1,
        Regression::LocallyLinear => {
            0.1 * (kernel.bandwidth * kernel.bandwidth / farthest).clamp(0.01, 0.2)
        }
    }
}

impl Smoother for LowRank {
    fn predict(&self, y: &Mat<f64>) -> Mat<f64> {
        self.weights.predict(y.as_ref(), |x| multiply(&self.factor, x))
    }

    /// P diag(s) = A B' with thin A = [diag(a_0) L, diag(a_1) L, ..] and B of the same form, so its
    /// right singular vectors are B w. In coordinates w the inner product is B'B, and
    /// (A B')'(A B') B w = B (A'A)(B'B) w.
    fn singular_vectors(&self, scale: Option<&[f64]>, truncation: f64) -> Result<SingularVectors> {
        let Weights { left, right } = &self.weights;
        let mut scaled = right.clone();
        if let Some(scale) = scale {
            scaled.as_mut().col_iter_mut().for_each(|column| {
                column.iter_mut().zip(scale).for_each(|(value, s)| *value *= s);
            });
        }
        let grams = Grams { a: self.gram(left.as_ref()), b: self.gram(scaled.as_ref()) };
        let (coordinates, singular_values) = leading(&grams, truncation, self.seed)?;
        // B W, a term after another.
        let m = self.factor.columns();
        let mut vectors = Mat::zeros(left.nrows(), coordinates.ncols());
        for (c, weights) in scaled.col_iter().enumerate() {
            let term = self.factor.product(coordinates.as_ref().subrows(c * m, m));
            let columns = vectors.as_mut().par_col_iter_mut().zip(term.par_col_iter());
            columns.for_each(|(vector, term)| {
                let values = vector.iter_mut().zip(term.iter().zip(weights.iter()));
                values.for_each(|(value, (term, weight))| *value += term * weight);
            });
        }
        Ok(SingularVectors { vectors, singular_values, coordinates: Some(coordinates) })
    }

    /// V c = B (W c), and B is known at the pivots: what interpolates it there by Gaussians of the pivots is
    /// the same everywhere, for such are the columns of L.
    fn extend(
        &self,
        kept: &SingularVectors,
        _: Option<&[f64]>,
        coefficients: &[f64],
    ) -> Result<Predictor> {
        let pivots = &self.factor.pivots;
        let (m, columns) = (pivots.len(), self.factor.columns());
        let none = Mat::zeros(0, 0);
        let coordinates = kept.coordinates.as_ref().unwrap_or(&none);
        let c = Mat::from_fn(coefficients.len(), 1, |i, _| coefficients[i]);
        let weights = product(coordinates.as_ref(), c.as_ref());
        let terms = self.weights.left.ncols();
        let kernel = &self.kernel;
        let dims = kernel.points.columns();
        let rows = pivots.iter().map(|&row| row as usize);
        let numbers = kernel.share.at(rows, dims + columns, |place, numbers| {
            numbers.extend_from_slice(kernel.points.row(place));
            numbers.extend((0..columns).map(|j| f64::from(self.factor.values[(place, j)])));
        });
        let row = |p: usize| &numbers[p * (dims + columns)..][..dims + columns];
        let rows = Mat::from_fn(m, columns, |p, j| row(p)[dims + j]);
        let centres = Points::from_rows((0..m).map(|p| &row(p)[..dims]))?;
        let weights = Mat::from_fn(columns, terms, |j, c| weights[(c * columns + j, 0)]);
        let mut values = product(rows.as_ref(), weights.as_ref());
        let between = |p: usize, q: usize| {
            kernel.of_squared_distance(squared_distance(centres.row(p), centres.row(q)))
        };
        let gram = |ridge: f64| {
            Mat::from_fn(m, m, |p, q| between(p, q) + if p == q { ridge } else { 0.0 })
        };
        let ridges = [SINGLE_ROUNDING, 100.0 * SINGLE_ROUNDING];
        let gram = ridges.into_iter().find_map(|ridge| CholeskyFactor::new(gram(ridge)));
        let gram = gram.ok_or_else(|| Error::Solver {
            solver: "dense",
            reason: format!("the weights of {m} pivots are not positive definite"),
        })?;
        gram.solve(values.as_mut());
        Ok(Predictor {
            coefficients: values.col_iter().map(|c| c.iter().copied().collect()).collect(),
            bandwidth: kernel.bandwidth,
            centres,
        })
    }

    fn size(&self) -> usize {
        self.factor.columns()
    }
}

/// L L' X
fn multiply(factor: &Factor, x: MatRef<'_, f64>) -> Mat<f64> {
    factor.product(factor.inner(x).as_ref())
}

/// A'A and B'B
struct Grams {
    a: Mat<f64>,
    b: Mat<f64>,
}

impl Square for Grams {
    fn size(&self) -> usize {
        self.a.nrows()
    }

    /// A factor has about five times as many columns as its smoother keeps directions.
    fn guess(&self) -> usize {
        (self.size() / 5).max(32)
    }

    fn metric(&self, x: &Mat<f64>) -> Mat<f64> {
        product(self.b.as_ref(), x.as_ref())
    }

    fn apply(&self, metric_x: &Mat<f64>) -> Mat<f64> {
        product(self.a.as_ref(), metric_x.as_ref())
    }
}
