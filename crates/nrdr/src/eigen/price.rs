//! What directions cost that are not forbidden.

use faer::{Mat, MatMut, MatRef};

use crate::linalg::tall::{inner, subtract_product};

/// A surcharge W W' on the matrix: where eigenvectors minimise g'A g, they minimise g'(A + WW')g, and where they maximise
/// it, g'(A - WW')g. With W = mu^1/2 V and V orthonormal each direction of V costs mu; with mu = infinity it would be
/// forbidden.
#[derive(Clone, Debug)]
pub struct Price {
    columns: Mat<f64>,
}

impl Price {
    /// The price W W' of the columns of W.
    pub(crate) fn new(columns: Mat<f64>) -> Self {
        Price { columns }
    }

    /// W
    pub(crate) fn columns(&self) -> MatRef<'_, f64> {
        self.columns.as_ref()
    }

    /// What is charged for a vector: |W'g|^2.
    pub fn of(&self, vector: &[f64]) -> f64 {
        let vector = MatRef::from_column_major_slice(vector, vector.len(), 1);
        let parts = inner(self.columns(), vector);
        parts.col_as_slice(0).iter().map(|part| part * part).sum()
    }

    /// Takes the price from the image of a block under a matrix whose largest eigenvalues (sign 1) or smallest ones
    /// (sign -1) are wanted: Y <- Y - sign W W'X.
    pub(crate) fn charge(&self, sign: f64, block: MatRef<'_, f64>, image: MatMut<'_, f64>) {
        let mut parts = inner(self.columns(), block);
        parts *= faer::Scale(sign);
        subtract_product(image, self.columns(), parts.as_ref());
    }
}
