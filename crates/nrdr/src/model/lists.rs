//! New points of which only the distances from some rows of the input are known.

use super::lookup::{Found, found};
use crate::error::{Error, Result};
use crate::extend::Training;
use crate::graph::neighbors::keep_nearest;
use crate::metric::Metric;

/// For each new point the rows of the input that are near to it, with their distances: what a search by any metric found.
#[derive(Clone, Debug, PartialEq)]
pub struct Nearby {
    offsets: Vec<usize>,
    rows: Vec<u32>,
    distances: Vec<f64>,
}

impl Nearby {
    /// From rows like those of [`SparseMatrix::from_rows`](crate::SparseMatrix::from_rows): `offsets` says where the entries of
    /// each new point begin and end, `rows` which rows of the input are meant. Each point has at least one.
    pub fn new(offsets: Vec<usize>, rows: Vec<u32>, distances: Vec<f64>) -> Result<Self> {
        let entries = rows.len();
        let size = |what, got, expected| Error::Size { what, got, expected };
        if distances.len() != entries {
            return Err(size("distances", distances.len(), entries));
        }
        let ordered = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
        let last = offsets.last().copied().unwrap_or(0);
        if !ordered || last != entries || offsets.first().is_none_or(|&first| first != 0) {
            return Err(size("offsets", last, entries));
        }
        let lists = Nearby { offsets, rows, distances };
        for row in 0..lists.len() {
            if lists.of(row).len() == 0 {
                return Err(Error::NoNeighbors { row });
            }
            for (column, value) in lists.of(row) {
                let column = column as usize;
                if !value.is_finite() {
                    return Err(Error::NotFinite { row, column, value });
                }
                if value < 0.0 {
                    return Err(Error::Negative { row, column, value });
                }
            }
        }
        Ok(lists)
    }

    /// Number of new points.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn of(&self, point: usize) -> impl ExactSizeIterator<Item = (u32, f64)> {
        let range = self.offsets[point]..self.offsets[point + 1];
        self.rows[range.clone()].iter().copied().zip(self.distances[range].iter().copied())
    }

    /// What is found of a new point; `places` has the training point of each row of the input.
    pub(super) fn find(&self, point: usize, places: &[Option<u32>], most: usize) -> Result<Found> {
        let mut near = Vec::with_capacity(self.of(point).len());
        for (row, distance) in self.of(point) {
            let place = places.get(row as usize);
            let Some(place) = place else {
                return Err(Error::WrongColumns { got: row as usize + 1, expected: places.len() });
            };
            near.extend(place.map(|place| (distance * distance, place)));
        }
        if near.is_empty() {
            return Err(Error::NoNeighbors { row: point });
        }
        keep_nearest(&mut near, most);
        found(near, Metric::Euclidean.rounding())
    }
}

/// The training point that each row of the input is; none for rows that were left out.
pub(super) fn places(training: &Training) -> Option<Vec<Option<u32>>> {
    let Training::Distances { rows, input } = training else { return None };
    let mut places = vec![None; *input];
    for (place, &row) in (0..).zip(rows) {
        places[row as usize] = Some(place);
    }
    Some(places)
}
