//! The oracle: all weights, and all singular values.

use faer::{Mat, MatRef};

use super::kernel::Kernel;
use super::{Predictor, Regression, SingularVectors, Smoother, Weights, rank, roots_of};
use crate::error::{Error, Result};
use crate::linalg::small::eigen_descending;
use crate::linalg::tall::{inner, product};

/// With more points than this the dense smoother is refused.
const MOST_POINTS: usize = 6000;

pub(super) struct Dense {
    weights: Weights,
    gram: Mat<f64>,
    kernel: Kernel,
}

impl Dense {
    pub(super) fn new(kernel: Kernel, regression: Regression) -> Result<Self> {
        let n = kernel.len();
        if n > MOST_POINTS {
            return Err(Error::parameter(
                "smoother",
                "dense",
                "low-rank or sparse for so many points",
            ));
        }
        let gram = Mat::from_fn(n, n, |i, j| kernel.weight(i, j));
        let weights = Weights::new(&kernel, regression, |x| product(gram.as_ref(), x));
        Ok(Dense { weights, gram, kernel })
    }

    /// P diag(s), entry by entry.
    fn matrix(&self, scale: Option<&[f64]>) -> Mat<f64> {
        let Weights { left, right } = &self.weights;
        let n = self.gram.nrows();
        Mat::from_fn(n, n, |i, k| {
            let terms = (0..left.ncols()).map(|c| left[(i, c)] * right[(k, c)]);
            self.gram[(i, k)] * terms.sum::<f64>() * scale.map_or(1.0, |s| s[k])
        })
    }
}

impl Smoother for Dense {
    fn predict(&self, y: &Mat<f64>) -> Mat<f64> {
        self.weights.predict(y.as_ref(), |x: MatRef<'_, f64>| product(self.gram.as_ref(), x))
    }

    fn singular_vectors(&self, scale: Option<&[f64]>, truncation: f64) -> Result<SingularVectors> {
        let matrix = self.matrix(scale);
        let (squares, vectors) =
            eigen_descending(inner(matrix.as_ref(), matrix.as_ref()).as_ref())?;
        let singular_values = roots_of(&squares);
        let kept = rank(&singular_values, truncation);
        let vectors = vectors.as_ref().subcols(0, kept).to_owned();
        Ok(SingularVectors { vectors, singular_values, coordinates: None })
    }

    /// With P diag(s) = U D V', V c = diag(s) P' (U D^-1 c), and U D^-1 c = P diag(s) V D^-2 c.
    fn extend(
        &self,
        kept: &SingularVectors,
        scale: Option<&[f64]>,
        coefficients: &[f64],
    ) -> Result<Predictor> {
        let squares = kept.singular_values.iter().map(|value| value * value);
        let scaled: Vec<f64> = coefficients.iter().zip(squares).map(|(c, d)| c / d).collect();
        let scaled = Mat::from_fn(scaled.len(), 1, |i, _| scaled[i]);
        let mut sum = product(kept.vectors.as_ref(), scaled.as_ref());
        if let Some(scale) = scale {
            sum.col_as_slice_mut(0).iter_mut().zip(scale).for_each(|(v, s)| *v *= s);
        }
        let targets = self.predict(&sum);
        let left = &self.weights.left;
        let term = |c: usize| (0..left.nrows()).map(|j| left[(j, c)] * targets[(j, 0)]).collect();
        Ok(Predictor {
            centres: self.kernel.points.clone(),
            coefficients: (0..left.ncols()).map(term).collect(),
            bandwidth: self.kernel.bandwidth,
        })
    }

    fn size(&self) -> usize {
        self.gram.nrows()
    }
}
