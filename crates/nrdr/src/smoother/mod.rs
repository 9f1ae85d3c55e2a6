//! Smoothers: what can be predicted from the earlier coordinates.
//!
//! A smoother matrix P regresses a vector y on the earlier coordinates F: (P y)_n is the prediction of
//! y at point n. With Gaussian weights G_nk = exp(-|F_n - F_k|^2 / 2h^2), row sums c = G 1, local
//! means mu_n and local covariances S_n of F, both regressions have the form
//!
//! P = sum_c diag(a_c) G diag(F_c), c = 0..q, F_0 = 1.
//!
//! Nadaraya-Watson (the local mean): a_0 = 1/c and nothing else. Locally linear: with
//! u_n = (S_n + ridge)^-1 (F_n - mu_n), a_0 = (1 - mu.u)/c and a_c = u_c/c.
//!
//! A coordinate f = s . g is unpredictable when P diag(s) g = 0. Of P diag(s) only the right
//! singular vectors with singular values above a share of the largest count.

mod dense;
mod kernel;
mod low_rank;
mod regression;
mod sparse;

use faer::Mat;

use crate::error::{Error, Result};
use crate::points::Points;
use crate::progress::Progress;
use crate::vector::dot;
use kernel::Kernel;
pub(crate) use regression::Weights;

/// How a value is predicted from the values around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Regression {
    /// By their weighted mean.
    #[default]
    NadarayaWatson,
    /// By a weighted linear fit.
    LocallyLinear,
}

/// How the smoother is represented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Realization {
    /// By a low-rank factor of the weights: no N x N matrix, nothing cut off.
    #[default]
    LowRank,
    /// By the weights of this many nearest neighbours in the embedding, as in the paper.
    Sparse {
        /// Neighbours kept, the point itself not counted.
        neighbors: usize,
    },
    /// By all N x N weights; the oracle, for few points.
    Dense,
}

/// The smoother of the unpredictable strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct SmootherOptions {
    /// How a value is predicted.
    pub regression: Regression,
    /// How the smoother is represented.
    pub realization: Realization,
    /// Bandwidth h = alpha (sum_j |f_j|^2 / N)^1/2.
    pub alpha: f64,
    /// Singular values below this share of the largest one do not count.
    pub truncation: f64,
}

impl Default for SmootherOptions {
    fn default() -> Self {
        SmootherOptions {
            regression: Regression::NadarayaWatson,
            realization: Realization::LowRank,
            alpha: 0.3,
            truncation: 0.03,
        }
    }
}

impl SmootherOptions {
    pub(crate) fn check(&self) -> Result<()> {
        if !(self.alpha > 0.0 && self.alpha.is_finite()) {
            return Err(Error::parameter("alpha", self.alpha, "positive"));
        }
        if !(self.truncation > 0.0 && self.truncation < 1.0) {
            return Err(Error::parameter("truncation", self.truncation, "between 0 and 1"));
        }
        if self.realization == (Realization::Sparse { neighbors: 0 }) {
            return Err(Error::parameter("smoother neighbors", 0, "at least 1"));
        }
        Ok(())
    }
}

/// The directions that a smoother can represent.
pub(crate) struct Kept {
    /// Right singular vectors of P diag(s), a column each.
    pub(crate) vectors: Mat<f64>,
    /// Singular values, descending: those kept and some of those that were not.
    pub(crate) singular_values: Vec<f64>,
}

/// A smoother matrix for one set of earlier coordinates.
pub(crate) trait Smoother: Sync {
    /// P Y
    fn predict(&self, y: &Mat<f64>) -> Mat<f64>;
    /// The right singular vectors of P diag(s) above the truncation.
    fn kept(&self, scale: Option<&[f64]>, truncation: f64) -> Result<Kept>;
    /// Columns of the factor, or neighbours, or points: how large the representation is.
    fn size(&self) -> usize;
}

/// The smoother of the earlier coordinates, which are the columns of `earlier`.
pub(crate) fn smoother(
    earlier: &[&[f64]],
    options: &SmootherOptions,
    seed: u64,
    progress: &Progress<'_>,
) -> Result<Box<dyn Smoother>> {
    let n = earlier[0].len();
    let energy: f64 = earlier.iter().map(|f| dot(f, f)).sum();
    let bandwidth = options.alpha * (energy / n as f64).sqrt();
    let rows = (0..n).map(|i| earlier.iter().map(|f| f[i]).collect::<Vec<f64>>());
    let kernel = Kernel::new(Points::from_rows(rows)?, bandwidth);
    Ok(match options.realization {
        Realization::LowRank => Box::new(low_rank::LowRank::new(
            kernel,
            options.regression,
            options.truncation,
            seed,
            progress,
        )?),
        Realization::Sparse { neighbors } => {
            Box::new(sparse::Sparse::new(kernel, options.regression, neighbors, seed, progress)?)
        }
        Realization::Dense => Box::new(dense::Dense::new(kernel, options.regression)?),
    })
}

/// Singular values from the eigenvalues of a Gram matrix, which rounding may make negative.
fn roots_of(squares: &[f64]) -> Vec<f64> {
    squares.iter().map(|value| value.max(0.0).sqrt()).collect()
}

/// How many singular values are above the truncation.
fn rank(singular_values: &[f64], truncation: f64) -> usize {
    let least = truncation * singular_values.first().copied().unwrap_or(0.0);
    singular_values.iter().take_while(|&&value| value > least).count()
}
