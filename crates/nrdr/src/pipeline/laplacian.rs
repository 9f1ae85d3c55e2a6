//! The Laplacian of the neighbour graph, made when a strategy asks for it.

use super::arranged::Arranged;
use crate::error::{Error, Result};
use crate::graph::Symmetry;
use crate::linalg::{Matrix, SparseMatrix};
use crate::method::each::DiffusionMaps;
use crate::method::{Data, Method};
use crate::progress::Progress;
use crate::strategy::Laplacian;

/// The graph of an arranged input.
pub(super) struct OfGraph<'a> {
    pub(super) arranged: &'a Arranged<'a>,
    pub(super) symmetry: Symmetry,
}

impl Laplacian for OfGraph<'_> {
    /// The weights of diffusion maps with the density taken out, whatever the method: W_ij = A_ij / (s_i s_j) of their
    /// problem.
    fn weights(&self, progress: &Progress<'_>) -> Result<SparseMatrix> {
        let graph = self.arranged.graph(self.symmetry).ok_or(Error::Empty)?;
        let problem = DiffusionMaps::default().problem(Data::Graph(&graph), progress)?;
        match (&problem.matrix, &problem.scale) {
            (Matrix::Sparse(matrix), Some(s)) => Ok(matrix.map(|i, j, a| a / (s[i] * s[j]))),
            _ => Err(Error::Empty),
        }
    }
}
