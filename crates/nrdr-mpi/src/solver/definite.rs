//! The positive semi-definite matrix of a problem, as PETSc has it.

use std::sync::Arc;

use nrdr::{End, Error, Problem, Result};
use nrdr_slepc_sys::{LocalRows, Matrix};

use super::{Cluster, everywhere, finished, largest, refused};

/// M = bound - A where the method maximises, A - bound where it minimises: own rows of it.
pub(super) struct Definite {
    pub(super) offsets: Vec<usize>,
    pub(super) columns: Vec<u64>,
    pub(super) values: Vec<f64>,
    pub(super) all: u64,
    /// The largest absolute row sum of A, which no eigenvalue exceeds.
    pub(super) norm: f64,
    /// The largest entry on the diagonal of M.
    pub(super) diagonal: f64,
}

impl Definite {
    pub(super) fn new(cluster: &Cluster, problem: &Problem) -> Result<Self> {
        let Cluster { world, matrix } = cluster;
        let Some(bound) = problem.bound else {
            return Err(refused("it needs a matrix with a known bound of its eigenvalues"));
        };
        let sign = if problem.end == End::Largest { -1.0 } else { 1.0 };
        let own = matrix.rows.of(world.rank());
        let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        columns.reserve(matrix.columns.len());
        values.reserve(matrix.values.len());
        let (mut norm, mut diagonal) = (f64::MIN_POSITIVE, f64::MIN_POSITIVE);
        let mut diagonals = 0;
        for (row, ends) in own.zip(matrix.offsets.windows(2)) {
            let entries = ends[0]..ends[1];
            let mut length = 0.0;
            for (&column, &value) in
                matrix.columns[entries.clone()].iter().zip(&matrix.values[entries])
            {
                let less = if column == row { bound } else { 0.0 };
                length += value.abs();
                columns.push(column);
                values.push(sign * (value - less));
                if column == row {
                    diagonals += 1;
                    diagonal = diagonal.max((value - less).abs());
                }
            }
            norm = norm.max(length);
            offsets.push(columns.len());
        }
        let mut there = [offsets.len() as f64 - 1.0, diagonals as f64];
        world.sum(&mut there);
        for (what, there) in
            ["the rows of the matrix", "the entries on its diagonal"].into_iter().zip(there)
        {
            let (got, expected) = (there as usize, matrix.rows.total() as usize);
            if got != expected {
                return Err(Error::Size { what, got, expected });
            }
        }
        let (norm, diagonal) = (largest(world, norm), largest(world, diagonal));
        let all = matrix.rows.total();
        Ok(Definite { offsets, columns, values, all, norm, diagonal })
    }

    /// M + shift I, as a matrix of PETSc.
    pub(super) fn shifted(&self, cluster: &Cluster, shift: f64) -> Result<Matrix> {
        let Definite { offsets, columns, values, all, .. } = self;
        let (all, world) = (*all, &cluster.world);
        let rows = LocalRows { offsets, columns, values, all };
        // Before all of them call: an error of one rank would leave the others waiting.
        let fits = rows.check();
        if !everywhere(world, fits.is_ok()) {
            let reason = "a rank's rows of the matrix are too many for the integers of this PETSc: take more ranks";
            return Err(refused(fits.err().map_or(reason.to_string(), |fault| fault.to_string())));
        }
        let mut matrix = finished(world, Matrix::new(world, rows))?;
        finished(world, matrix.shift(shift))?;
        Ok(matrix)
    }

    /// M for a multigrid that knows what it nearly annihilates.
    pub(super) fn with_near_null(
        &self,
        cluster: &Cluster,
        vectors: &[Vec<f64>],
    ) -> Result<Arc<Matrix>> {
        let matrix = self.shifted(cluster, 0.0)?;
        finished(&cluster.world, matrix.set_near_null(vectors))?;
        Ok(Arc::new(matrix))
    }
}
