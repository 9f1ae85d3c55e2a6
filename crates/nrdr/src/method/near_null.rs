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
    let n = points.rows();
    if points.columns() <= MOST {
        let means = points.means();
        let column = |c: usize| points.column(c).into_iter().map(|v| v - means[c]).collect();
        return Ok((0..points.columns()).map(column).collect());
    }
    let every = n.div_ceil(SAMPLE);
    let rows: Vec<u32> = (0..n as u32).step_by(every).collect();
    let count = MOST.min(rows.len());
    let (_, directions) = Pca::fit(&points.select(&rows), count)?;
    let components = directions.project(points)?;
    Ok((0..components.columns()).map(|c| components.column(c)).collect())
}
