//! The curves by which one coordinate of an embedding is predicted from another.

use nrdr::regression_curve;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::floats;
use super::source::Shown;

/// Coordinates that have curves, and places of each.
const COORDINATES: usize = 10;
const PLACES: usize = 96;

/// In row i, column j the curve by which coordinate i is predicted from coordinate j alone; null where there is none.
pub(super) fn of(shown: &Shown<'_>) -> Value {
    let Some(redundancy) = &shown.facts.redundancy else { return Value::Null };
    let count = redundancy.pairwise_bandwidths.len().min(shown.coordinates.len()).min(COORDINATES);
    let curve = |i: usize, j: usize| {
        if i == j {
            return Value::Null;
        }
        let bandwidth = redundancy.pairwise_bandwidths[i].get(j).copied().flatten();
        let curve = regression_curve(shown.coordinates[j], shown.coordinates[i], bandwidth, PLACES);
        json!({
            "x": floats(curve.iter().map(|place| place.0)),
            "y": floats(curve.iter().map(|place| place.1)),
        })
    };
    let row = |i: usize| (0..count).map(|j| curve(i, j)).collect::<Vec<Value>>();
    let rows: Vec<Vec<Value>> = (0..count).into_par_iter().map(row).collect();
    json!(rows)
}
