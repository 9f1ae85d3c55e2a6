//! Eigenvalues of small dense symmetric matrices.

use faer::diag::Diag;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::{Mat, MatRef, Par};

use crate::error::{Error, Result};

/// All eigenvalues, largest first, and their eigenvectors in the columns.
pub(crate) fn descending(matrix: MatRef<'_, f64>) -> Result<(Vec<f64>, Mat<f64>)> {
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
