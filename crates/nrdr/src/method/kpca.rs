//! Kernel principal component analysis.
//!
//! B. Schoelkopf, A. Smola and K.-R. Mueller, "Nonlinear component analysis as a kernel eigenvalue
//! problem", Neural Computation 10 (1998).
//!
//! The largest end of H K H with K_ij = k(x_i, x_j) and H = I - 11'/N.

use rayon::prelude::*;

use super::{Data, Extension, Method, Needs, check_dense, check_positive, chosen_one};
use crate::error::{Error, Result};
use crate::input::Options;
use crate::linalg::SymmetricMatrix;
use crate::linalg::vector::{dot, norm, squared_distance, vectorized};
use crate::memory;
use crate::points::Points;
use crate::problem::{End, Length, Problem};
use crate::progress::Progress;

/// The similarity of two points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Kernel {
    /// exp(-gamma |x - y|^2)
    #[default]
    Rbf,
    /// (gamma x.y + constant)^degree
    Polynomial {
        /// The power.
        degree: u32,
        /// Added before the power is taken.
        constant: f64,
    },
    /// x.y / (|x| |y|)
    Cosine,
    /// tanh(gamma x.y + constant)
    Sigmoid {
        /// Added before the hyperbolic tangent is taken.
        constant: f64,
    },
    /// x.y
    Linear,
}

/// Kernel principal component analysis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KernelPca {
    /// The similarity.
    pub kernel: Kernel,
    /// Scale of the rbf, polynomial and sigmoid kernels; `None` means one over the total variance
    /// of the points, so that the scale of the data does not matter.
    pub gamma: Option<f64>,
}

impl KernelPca {
    pub(crate) fn check_parameters(&self) -> Result<()> {
        check_positive("gamma", self.gamma)?;
        match self.kernel {
            Kernel::Polynomial { degree, .. } if !(1..=1000).contains(&degree) => {
                Err(Error::parameter("degree", degree, "from 1 to 1000"))
            }
            Kernel::Polynomial { constant, .. } | Kernel::Sigmoid { constant }
                if !constant.is_finite() =>
            {
                Err(Error::parameter("constant", constant, "finite"))
            }
            _ => Ok(()),
        }
    }

    /// Where a kernel that is centred anyway is computed from: products of columns far from zero would lose all digits
    /// to their means. Other kernels depend on where zero is, or on distances only.
    pub(crate) fn origin(&self, training: &Points) -> Option<Vec<f64>> {
        (self.kernel == Kernel::Linear).then(|| training.means())
    }

    /// The kernel of a point and each of several others, seen from the origin if there is one.
    pub(crate) fn row(&self, x: &[f64], others: &Points, origin: Option<&[f64]>, out: &mut [f64]) {
        let gamma = self.gamma.unwrap_or(1.0);
        vectorized(|| {
            for (j, value) in out.iter_mut().enumerate() {
                *value = match origin {
                    Some(origin) => dot_from(origin, x, others.row(j)),
                    None => self.argument(x, others.row(j)),
                };
            }
        });
        out.iter_mut().for_each(|value| *value = self.of_argument(gamma, *value));
    }

    /// What the kernel is a function of: the squared distance or the inner product.
    #[inline(always)]
    fn argument(&self, x: &[f64], y: &[f64]) -> f64 {
        match self.kernel {
            Kernel::Rbf => squared_distance(x, y),
            Kernel::Cosine => {
                let lengths = norm(x) * norm(y);
                // A point at the origin has no direction: it is like no other.
                if lengths > 0.0 { dot(x, y) / lengths } else { 0.0 }
            }
            Kernel::Polynomial { .. } | Kernel::Sigmoid { .. } | Kernel::Linear => dot(x, y),
        }
    }

    fn of_argument(&self, gamma: f64, argument: f64) -> f64 {
        match self.kernel {
            Kernel::Rbf => (-gamma * argument).exp(),
            Kernel::Polynomial { degree, constant } => {
                (gamma * argument + constant).powi(degree as i32)
            }
            Kernel::Sigmoid { constant } => (gamma * argument + constant).tanh(),
            Kernel::Cosine | Kernel::Linear => argument,
        }
    }
}

impl Method for KernelPca {
    fn name(&self) -> &'static str {
        "kpca"
    }

    fn about(&self) -> &'static str {
        "Kernel PCA (Schoelkopf, Smola & Mueller 1998)"
    }

    fn needs(&self) -> Needs {
        Needs::Points
    }

    fn check(&self, points: usize, _options: &Options) -> Result<()> {
        self.check_parameters()?;
        check_dense(self.name(), points)
    }

    fn memory(&self, points: usize, _options: &Options) -> f64 {
        memory::dense(points)
    }

    fn problem(
        &self,
        data: Data<'_>,
        _dims: Option<usize>,
        progress: &Progress<'_>,
    ) -> Result<Problem> {
        let points = data.points(self)?;
        let n = points.rows();
        let gamma = self.gamma.unwrap_or_else(|| total_variance(points).recip());
        let centred = self.origin(points).map(|origin| {
            let mut centred = points.clone();
            centred.subtract(&origin);
            centred
        });
        let points = centred.as_ref().unwrap_or(points);
        let row = |i| points.row(i);
        let mut matrix = SymmetricMatrix::from_lower(n, |i, out| {
            // Once the observer has asked to stop, the rest is not worth computing.
            if progress.advance(i + 1, n * (n + 1) / 2).is_err() {
                return;
            }
            vectorized(|| {
                for (j, value) in out.iter_mut().enumerate() {
                    *value = self.argument(row(i), row(j));
                }
            });
            // Not in the loop above: the system's exponential is slow amid wide instructions.
            out.iter_mut().for_each(|value| *value = self.of_argument(gamma, *value));
        })?;
        progress.check()?;
        let broken = |row: &[f64]| row.iter().position(|v| !v.is_finite());
        let rows = matrix.values().par_chunks(n);
        if let Some(row) = rows.position_first(|row| broken(row).is_some()) {
            let column = broken(matrix.row(row)).unwrap_or(0);
            let value = matrix.row(row)[column];
            return Err(Error::Kernel { row, column, value });
        }
        matrix.centre();
        let mut problem = Problem::constant_trivial(matrix, End::Largest);
        problem.length = Length::SquareRoot;
        if self.gamma.is_none() && !matches!(self.kernel, Kernel::Linear | Kernel::Cosine) {
            problem.chosen.push(("gamma", gamma));
        }
        Ok(problem)
    }

    fn extension(&self, chosen: &[(&'static str, f64)]) -> Result<Extension> {
        let gamma = self.gamma.unwrap_or_else(|| chosen_one(chosen, "gamma"));
        Ok(Extension::Kernel(KernelPca { gamma: Some(gamma), ..self.clone() }))
    }
}

/// (x - origin).(y - origin)
#[inline(always)]
fn dot_from(origin: &[f64], x: &[f64], y: &[f64]) -> f64 {
    origin.iter().zip(x).zip(y).map(|((o, x), y)| (x - o) * (y - o)).sum()
}

/// Sum of the variances of the columns.
fn total_variance(points: &Points) -> f64 {
    let means = points.means();
    let distances = (0..points.rows()).map(|i| squared_distance(points.row(i), &means));
    distances.sum::<f64>() / points.rows() as f64
}
