//! Graphs from what callers have.

use super::neighbors::{Neighborhoods, keep_nearest};
use super::symmetric::{Symmetry, symmetric};
use super::{EdgeKind, Graph};
use crate::error::{Error, Result};
use crate::linalg::{SparseMatrix, largest_entry};

/// Lengths that differ by less than this share of the longest differ by rounding, perhaps of single precision.
const SINGLE_ROUNDING: f64 = 1e-6;

impl Graph {
    /// Lengths of edges from rows like those of [`SparseMatrix::from_rows`], of which each has its nearest neighbours:
    /// `most` of them are used, and an edge may be named from one end only. The diagonal is left out.
    pub fn from_neighbors(
        offsets: Vec<usize>,
        columns: Vec<u32>,
        values: Vec<f64>,
        most: usize,
    ) -> Result<Self> {
        let given = SparseMatrix::ordered(offsets, columns, values)?;
        let largest = largest_entry(&given.values);
        for row in 0..given.size() {
            for (column, value) in given.row(row) {
                let mirrored = given.find(column, row).unwrap_or(value);
                if !value.is_finite() {
                    return Err(Error::NotFinite { row, column, value });
                }
                if (value - mirrored).abs() > SINGLE_ROUNDING * largest {
                    return Err(Error::NotSymmetric { row, column, value, mirrored });
                }
            }
        }
        let edges = symmetric(&nearest(&given, most), Symmetry::Union);
        Ok(Graph { edges, kind: EdgeKind::Length })
    }
}

/// The nearest of each point's neighbours.
fn nearest(given: &SparseMatrix, most: usize) -> Neighborhoods {
    let (mut offsets, mut indices, mut distances) = (vec![0], Vec::new(), Vec::new());
    for i in 0..given.size() {
        let others = given.row(i).filter(|&(j, _)| j != i);
        let mut near: Vec<(f64, u32)> = others.map(|(j, v)| (v, j as u32)).collect();
        keep_nearest(&mut near, most);
        distances.extend(near.iter().map(|entry| entry.0));
        indices.extend(near.iter().map(|entry| entry.1));
        offsets.push(indices.len());
    }
    Neighborhoods { offsets, indices, distances }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_may_be_named_from_one_end() {
        // 0 -> 1, 0 -> 2, 1 -> 0, 2 -> 1, and 2 itself.
        let rounding = 3.0 * (1.0 + 1e-7);
        let found = |most: usize| {
            let (offsets, columns) = (vec![0, 2, 3, 5], vec![1, 2, 0, 1, 2]);
            let values = vec![3.0, 4.0, rounding, 6.0, 0.0];
            Graph::from_neighbors(offsets, columns, values, most).unwrap().edges.list()
        };
        let (a, b, c) = ([(0, 1, 3.0), (1, 0, 3.0)], [(0, 2, 4.0), (2, 0, 4.0)], (1, 2, 6.0));
        assert_eq!(found(2), [a[0], b[0], a[1], c, b[1], (2, 1, 6.0)]);
        // Without 0 -> 2, the farther one.
        assert_eq!(found(1), [a[0], a[1], c, (2, 1, 6.0)]);
        let differ = Graph::from_neighbors(vec![0, 1, 2], vec![1, 0], vec![3.0, 4.0], 9);
        let refused = Error::NotSymmetric { row: 0, column: 1, value: 3.0, mirrored: 4.0 };
        assert_eq!(differ, Err(refused));
    }
}
