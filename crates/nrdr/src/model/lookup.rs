//! Which training points a new one is compared with.

use std::cmp::Ordering;

use super::Model;
use crate::error::{Error, Result};
use crate::extend::{Lookup, Training};
use crate::graph::neighbors::keep_nearest;
use crate::graph::queries;
use crate::metric::Metric;
use crate::points::Points;

/// Training points prepared for being found.
pub(super) enum Index {
    /// By their neighbours.
    Near(queries::Index),
    /// Only those that are equal, by all of them in the order of their values.
    Equal(Vec<u32>),
    /// The new points themselves tell.
    Given,
}

/// What is found of a new point.
pub(super) enum Found {
    /// It is at the place of this training point.
    Same(usize),
    /// Its nearest training points with their squared distances, nearest first; none where they are not looked up.
    Near(Vec<(f64, u32)>),
}

impl Index {
    /// Of training points as the metric of the model sees them.
    pub(super) fn new(model: &Model, seen: &Training) -> Result<Self> {
        match (seen, model.extension.lookup()) {
            (Training::Points(points), Lookup::Equal) => {
                let mut order: Vec<u32> = (0..points.rows() as u32).collect();
                order.sort_by(|&i, &j| compare(points.row(i as usize), points.row(j as usize)));
                Ok(Index::Equal(order))
            }
            (Training::Points(points), Lookup::Near) => {
                let k = model.neighbors.min(points.rows());
                Ok(Index::Near(queries::Index::new(points, model.metric, k)?))
            }
            _ => Ok(Index::Given),
        }
    }

    /// Looks up a block of new points among training points, both as the metric of the model sees them; `first` is the number
    /// of the first one.
    pub(super) fn find(
        &self,
        model: &Model,
        seen: &Training,
        first: usize,
        block: &[f64],
    ) -> Result<Vec<Found>> {
        let k = model.neighbors.min(model.rows());
        let points = block.chunks_exact(model.metric.columns(model.columns()));
        match (seen, self) {
            (Training::Points(training), Index::Near(index)) => {
                let all = index.nearest(training, block, k).into_iter();
                all.map(|near| found(near, model.metric.rounding())).collect()
            }
            (Training::Points(training), Index::Equal(order)) => {
                Ok(points.map(|point| equal(training, order, point)).collect())
            }
            (Training::Distances { rows, .. }, _) => {
                let near = |(row, point): (usize, &[f64])| {
                    if let Some(column) = point.iter().position(|d| *d < 0.0) {
                        return Err(Error::Negative { row, column, value: point[column] });
                    }
                    let squared =
                        |(j, &row): (usize, &u32)| (point[row as usize].powi(2), j as u32);
                    let mut near: Vec<(f64, u32)> = rows.iter().enumerate().map(squared).collect();
                    keep_nearest(&mut near, k);
                    found(near, Metric::Euclidean.rounding())
                };
                (first..).zip(points).map(near).collect()
            }
            _ => Ok(points.map(|_| Found::Near(Vec::new())).collect()),
        }
    }
}

/// What neighbours tell: a point whose squared distance from its nearest neighbour is less than this share of that from the
/// farthest is at its place.
pub(super) fn found(near: Vec<(f64, u32)>, rounding: f64) -> Result<Found> {
    let (Some(&(nearest, first)), Some(&(farthest, _))) = (near.first(), near.last()) else {
        return Err(Error::Empty);
    };
    if nearest <= rounding * farthest || nearest == 0.0 {
        return Ok(Found::Same(first as usize));
    }
    Ok(Found::Near(near))
}

/// The training point with the same values, if there is one.
fn equal(training: &Points, order: &[u32], point: &[f64]) -> Found {
    let place = order.partition_point(|&i| compare(training.row(i as usize), point).is_lt());
    match order.get(place) {
        Some(&i) if compare(training.row(i as usize), point).is_eq() => Found::Same(i as usize),
        _ => Found::Near(Vec::new()),
    }
}

fn compare(a: &[f64], b: &[f64]) -> Ordering {
    // Adding zero turns -0 into 0.
    let values = a.iter().zip(b).map(|(x, y)| (x + 0.0).total_cmp(&(y + 0.0)));
    values.fold(Ordering::Equal, Ordering::then)
}
