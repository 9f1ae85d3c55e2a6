//! What local alignment nearly annihilates: affine functions of the points.

use crate::error::Result;
use crate::pca::Pca;
use crate::points::Points;

/// So many functions are kept; of points with more columns these are principal components.
const MOST: usize = 8;
/// Points that are looked at for their principal directions, at most.
const SAMPLE: usize = 2000;

/// The centred columns of the points, or their first principal components.
pub(super) fn near_null(points: &Points) -> Result<Vec<Vec<f64>>> {
    let rows: Vec<u32> = (0..points.rows() as u32).step_by(every(points.rows())).collect();
    Affine::new(points.columns(), || points.means(), || points.select(&rows))?.of(points)
}

/// Of so many points each such one is looked at for their principal directions.
pub(super) fn every(points: usize) -> usize {
    points.div_ceil(SAMPLE)
}

/// The affine functions.
pub(super) enum Affine {
    /// The columns less these means.
    Columns(Vec<f64>),
    /// The components along principal directions.
    Directions(Pca),
}

impl Affine {
    /// Those of points of so many columns, by the means of the columns or by a sample of the points.
    pub(super) fn new(
        columns: usize,
        means: impl FnOnce() -> Vec<f64>,
        sample: impl FnOnce() -> Points,
    ) -> Result<Self> {
        if columns <= MOST {
            return Ok(Affine::Columns(means()));
        }
        let sample = sample();
        let (_, directions) = Pca::fit(&sample, MOST.min(sample.rows()))?;
        Ok(Affine::Directions(directions))
    }

    /// Their values at points.
    pub(super) fn of(&self, points: &Points) -> Result<Vec<Vec<f64>>> {
        match self {
            Affine::Columns(means) => {
                let column =
                    |c: usize| points.column(c).into_iter().map(|v| v - means[c]).collect();
                Ok((0..points.columns()).map(column).collect())
            }
            Affine::Directions(directions) => {
                let components = directions.project(points)?;
                Ok((0..components.columns()).map(|c| components.column(c)).collect())
            }
        }
    }
}
