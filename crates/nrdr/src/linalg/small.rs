//! Small dense symmetric matrices: eigenvalues and Cholesky factors, always on one thread so that the
//! bits do not depend on how many there are.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::linalg::triangular_solve::solve_upper_triangular_in_place;
use faer::{Mat, MatMut, MatRef, Par};

use crate::error::{Error, Result};
use crate::linalg::vector::wide;

/// All eigenvalues, largest first, and their eigenvectors in the columns.
pub(crate) fn eigen_descending(matrix: MatRef<'_, f64>) -> Result<(Vec<f64>, Mat<f64>)> {
    let n = matrix.nrows();
    if n == 0 {
        return Ok((Vec::new(), Mat::zeros(0, 0)));
    }
    let scratch =
        self_adjoint_evd_scratch::<f64>(n, ComputeEigenvectors::Yes, Par::Seq, Default::default());
    let mut memory = MemBuffer::new(scratch);
    let mut values = Diag::zeros(n);
    let mut vectors = Mat::zeros(n, n);
    let stack = MemStack::new(&mut memory);
    wide(|| {
        let into = (values.as_mut(), Some(vectors.as_mut()));
        self_adjoint_evd(matrix, into.0, into.1, Par::Seq, stack, Default::default())
    })
    .map_err(|_| Error::Solver {
        solver: "dense",
        reason: format!("the eigenvalues of a {n} x {n} matrix did not converge"),
    })?;
    let values = values.column_vector().iter().rev().copied().collect();
    Ok((values, vectors.as_ref().reverse_cols().to_owned()))
}

/// Squared length, relative to the longest, below which a direction is rounding.
const DEPENDENT: f64 = 1e-14;
/// A Cholesky factor whose squared pivots differ by more than this is not trusted.
const WELL_CONDITIONED: f64 = 1e-10;

/// W with W' gram W = I: if gram = X'X, the columns of X W are an orthonormal basis of what X spans.
/// What depends on the rest is dropped.
pub(crate) fn whitening(gram: Mat<f64>) -> Result<Mat<f64>> {
    let n = gram.nrows();
    if let Some(cholesky) = CholeskyFactor::new(gram.clone()) {
        let pivots = (0..n).map(|i| cholesky.factor[(i, i)] * cholesky.factor[(i, i)]);
        let (least, most) = pivots.fold((f64::INFINITY, 0.0_f64), |(l, m), p| (l.min(p), m.max(p)));
        if least > WELL_CONDITIONED * most {
            return Ok(cholesky.inverse_transposed());
        }
    }
    let (values, vectors) = eigen_descending(gram.as_ref())?;
    let largest = values.first().copied().unwrap_or(0.0);
    let kept = values.iter().take_while(|&&value| value > DEPENDENT * largest).count();
    Ok(Mat::from_fn(n, kept, |i, j| vectors[(i, j)] / values[j].sqrt()))
}

/// The Cholesky factor of a positive definite matrix.
pub(crate) struct CholeskyFactor {
    factor: Mat<f64>,
}

impl CholeskyFactor {
    /// Factorises a matrix, of which the lower triangle is read; `None` if it is not positive definite.
    pub(crate) fn new(mut matrix: Mat<f64>) -> Option<Self> {
        let n = matrix.nrows();
        let scratch =
            llt::factor::cholesky_in_place_scratch::<f64>(n, Par::Seq, Default::default());
        let mut memory = MemBuffer::new(scratch);
        let stack = MemStack::new(&mut memory);
        let (regularization, params) = (Default::default(), Default::default());
        wide(|| {
            let matrix = matrix.as_mut();
            llt::factor::cholesky_in_place(matrix, regularization, Par::Seq, stack, params)
        })
        .ok()?;
        Some(CholeskyFactor { factor: matrix })
    }

    /// L^-T with A = L L'
    pub(crate) fn inverse_transposed(&self) -> Mat<f64> {
        let n = self.factor.nrows();
        let mut inverse = Mat::identity(n, n);
        wide(|| {
            solve_upper_triangular_in_place(self.factor.transpose(), inverse.as_mut(), Par::Seq);
        });
        inverse
    }

    /// X <- A^-1 X
    pub(crate) fn solve(&self, x: MatMut<'_, f64>) {
        let scratch =
            llt::solve::solve_in_place_scratch::<f64>(self.factor.nrows(), x.ncols(), Par::Seq);
        let mut memory = MemBuffer::new(scratch);
        let stack = MemStack::new(&mut memory);
        wide(|| llt::solve::solve_in_place(self.factor.as_ref(), x, Par::Seq, stack));
    }
}
