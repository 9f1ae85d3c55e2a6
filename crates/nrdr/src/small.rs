//! Small dense symmetric matrices: eigenvalues and Cholesky factors, always on one thread so that the
//! bits do not depend on how many there are.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::{Mat, MatMut, MatRef, Par};

use crate::error::{Error, Result};

/// All eigenvalues, largest first, and their eigenvectors in the columns.
pub(crate) fn eigen_descending(matrix: MatRef<'_, f64>) -> Result<(Vec<f64>, Mat<f64>)> {
    let n = matrix.nrows();
    let scratch =
        self_adjoint_evd_scratch::<f64>(n, ComputeEigenvectors::Yes, Par::Seq, Default::default());
    let mut memory = MemBuffer::new(scratch);
    let mut values = Diag::zeros(n);
    let mut vectors = Mat::zeros(n, n);
    self_adjoint_evd(
        matrix,
        values.as_mut(),
        Some(vectors.as_mut()),
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    )
    .map_err(|_| Error::Solver {
        solver: "dense",
        reason: format!("the eigenvalues of a {n} x {n} matrix did not converge"),
    })?;
    let values = values.column_vector().iter().rev().copied().collect();
    Ok((values, vectors.as_ref().reverse_cols().to_owned()))
}

/// The Cholesky factor of a positive definite matrix.
pub(crate) struct Definite {
    factor: Mat<f64>,
}

impl Definite {
    /// Factorises a matrix, of which the lower triangle is read; `None` if it is not positive definite.
    pub(crate) fn factorize(mut matrix: Mat<f64>) -> Option<Self> {
        let n = matrix.nrows();
        let scratch =
            llt::factor::cholesky_in_place_scratch::<f64>(n, Par::Seq, Default::default());
        let mut memory = MemBuffer::new(scratch);
        let stack = MemStack::new(&mut memory);
        let (regularization, params) = (Default::default(), Default::default());
        llt::factor::cholesky_in_place(matrix.as_mut(), regularization, Par::Seq, stack, params)
            .ok()?;
        Some(Definite { factor: matrix })
    }

    /// X <- A^-1 X
    pub(crate) fn solve(&self, x: MatMut<'_, f64>) {
        let scratch =
            llt::solve::solve_in_place_scratch::<f64>(self.factor.nrows(), x.ncols(), Par::Seq);
        let mut memory = MemBuffer::new(scratch);
        llt::solve::solve_in_place(self.factor.as_ref(), x, Par::Seq, MemStack::new(&mut memory));
    }
}
