//! How redundant and how good coordinates are that several processes share: what one process finds, on the same sample.

use crate::error::Result;
use crate::measure::redundancy::shared_redundancy;
use crate::measure::redundancy::{Redundancy, RedundancyOptions};
use crate::measure::sampled::{Quality, Rows, shared_quality};
use crate::metric::Metric;
use crate::progress::Observer;

/// The redundancy of coordinates, each of them own rows in any order: at all members what [`redundancy`](crate::redundancy)
/// finds of all rows. Every member must ask.
pub fn redundancy(
    coordinates: &[&[f64]],
    options: &RedundancyOptions,
    observer: &dyn Observer,
) -> Result<Redundancy> {
    shared_redundancy(coordinates, options, observer)
}

/// The quality of coordinates of points that are embedded, and of labels, if there are some: at all members what
/// [`Embedding::quality`](crate::Embedding::quality) finds of all rows, where the rows of all members follow each other in the order of the
/// input. Every member must ask.
pub fn quality(
    points: Rows<'_>,
    coordinates: &[&[f64]],
    labels: Option<&[u32]>,
    metric: Metric,
    seed: u64,
) -> Result<Quality> {
    shared_quality(points, coordinates, labels, metric, seed)
}
