//! The oracle: all weights, and all singular values.

use faer::{Mat, MatRef};

use super::kernel::Kernel;
use super::{Kept, Regression, Smoother, Weights, rank, roots_of};
use crate::error::{Error, Result};
use crate::small::eigen_descending;
use crate::tall::{inner, product};

/// With more points than this the dense smoother is refused.
const MOST_POINTS: usize = 6000;

pub(super) struct Dense {
    weights: Weights,
    gram: Mat<f64>,
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
        Ok(Dense { weights, gram })
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

    fn kept(&self, scale: Option<&[f64]>, truncation: f64) -> Result<Kept> {
        let matrix = self.matrix(scale);
        let (squares, vectors) =
            eigen_descending(inner(matrix.as_ref(), matrix.as_ref()).as_ref())?;
        let singular_values = roots_of(&squares);
        let kept = rank(&singular_values, truncation);
        Ok(Kept { vectors: vectors.as_ref().subcols(0, kept).to_owned(), singular_values })
    }

    fn size(&self) -> usize {
        self.gram.nrows()
    }
}
