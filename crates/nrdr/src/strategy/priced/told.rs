//! How much an embedding tells of the original eigenfunctions.
//!
//! Each of them is predicted at a point by its mean over the point's 10 nearest neighbours in the embedding; what is
//! untold is the mean of 1 - R2, weighted by 1/k for eigenfunction k: the smoothest ones count most.

use super::basis::Basis;
use crate::error::Result;
use crate::measure::quality::recovery;
use crate::points::Points;
use crate::sample::sample;

/// Points at which that is measured, at most.
const SAMPLE: usize = 2000;

pub(super) struct Told {
    rows: Vec<usize>,
    /// The eigenfunctions f = s . g at the sample.
    functions: Vec<Vec<f64>>,
}

impl Told {
    pub(super) fn new(basis: &Basis, seed: u64) -> Self {
        let rows = sample(basis.rows.len(), SAMPLE, seed);
        let scale = |row: usize| basis.sampled_scale.as_ref().map_or(1.0, |scale| scale[row]);
        let function =
            |j: usize| rows.iter().map(|&row| scale(row) * basis.values[(row, j)]).collect();
        let functions = (0..basis.depth()).map(function).collect();
        Told { rows, functions }
    }

    /// What coordinates, which are the columns, leave untold.
    pub(super) fn untold(&self, coordinates: &[&[f64]]) -> Result<f64> {
        let column = |values: &&[f64]| self.rows.iter().map(|&row| values[row]).collect();
        let columns: Vec<Vec<f64>> = coordinates.iter().map(column).collect();
        let functions: Vec<&[f64]> = self.functions.iter().map(Vec::as_slice).collect();
        let told = recovery(&Points::from_columns(&columns)?, &functions)?;
        let weight = |k: usize| 1.0 / (k + 1) as f64;
        let total: f64 = (0..told.len()).map(weight).sum();
        let untold = told.iter().enumerate().map(|(k, told)| weight(k) * (1.0 - told.max(-1.0)));
        Ok(untold.sum::<f64>() / total)
    }
}
