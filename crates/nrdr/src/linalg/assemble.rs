//! Sparse matrices from what callers have.

use rayon::prelude::*;

use super::{SparseMatrix, SymmetricMatrix, check_entry, largest_entry};
use crate::error::{Error, Result};

impl SparseMatrix {
    /// A matrix from its entries (row, column, value), which must name both triangles.
    ///
    /// Entries named twice are added up; an entry whose mirror image is missing is an error.
    pub fn new(size: usize, entries: &[(usize, usize, f64)]) -> Result<Self> {
        entries.iter().try_for_each(|&(row, column, _)| check_index(row.max(column), size))?;
        let SparseMatrix { offsets, columns, values } = scattered(size, entries.iter().copied());
        SparseMatrix::from_rows(offsets, columns, values)
    }

    /// A matrix from its rows one after another: the entries of row i are those from `offsets[i]` to `offsets[i + 1]`.
    ///
    /// Both triangles must be there. Columns may come in any order, and those named twice are added up.
    pub fn from_rows(offsets: Vec<usize>, columns: Vec<u32>, values: Vec<f64>) -> Result<Self> {
        let matrix = SparseMatrix::ordered(offsets, columns, values)?;
        let largest = largest_entry(&matrix.values);
        let fault = |row: usize| {
            matrix.row(row).find_map(|(column, value)| {
                let there = matrix.find(column, row);
                let mirrored = there.unwrap_or(0.0);
                let missing = Error::NotSymmetric { row, column, value, mirrored };
                let checked = check_entry(row, column, value, mirrored, largest);
                checked.and(there.ok_or(missing)).err()
            })
        };
        match (0..matrix.size()).into_par_iter().with_min_len(512).find_map_first(fault) {
            Some(fault) => Err(fault),
            None => Ok(matrix),
        }
    }

    /// The entries of a full matrix that are not zero.
    pub fn from_dense(full: &SymmetricMatrix) -> Self {
        let size = full.size();
        let count = full.values().iter().filter(|value| **value != 0.0).count();
        let (mut columns, mut values) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut offsets = Vec::with_capacity(size + 1);
        offsets.push(0);
        for row in full.values().chunks_exact(size.max(1)) {
            for (j, &value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                columns.push(j as u32);
                values.push(value);
            }
            offsets.push(columns.len());
        }
        SparseMatrix { offsets, columns, values }
    }

    /// Rows that fit each other, with ascending columns.
    pub(crate) fn ordered(
        offsets: Vec<usize>,
        columns: Vec<u32>,
        values: Vec<f64>,
    ) -> Result<Self> {
        let size = offsets.len().saturating_sub(1);
        let count = columns.len();
        if values.len() != count {
            let (what, got) = ("the list of values", values.len());
            return Err(Error::Size { what, got, expected: count });
        }
        let ascending = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
        if offsets.first() != Some(&0) || offsets.last() != Some(&count) || !ascending {
            let what = "the last of the offsets, which ascend from 0,";
            let got = offsets.last().copied().unwrap_or(0);
            return Err(Error::Size { what, got, expected: count });
        }
        columns.iter().try_for_each(|&column| check_index(column as usize, size))?;
        let given = SparseMatrix { offsets, columns, values };
        let ascending = |i: usize| given.columns(i).windows(2).all(|pair| pair[0] < pair[1]);
        if (0..size).into_par_iter().with_min_len(512).all(ascending) {
            return Ok(given);
        }
        Ok(SparseMatrix::build(
            size,
            || (),
            |i, (), out| {
                out.extend(given.row(i).map(|(j, value)| (j as u32, value)));
                out.sort_by_key(|entry| entry.0);
                out.dedup_by(|later, first| {
                    let twice = later.0 == first.0;
                    if twice {
                        first.1 += later.1;
                    }
                    twice
                });
            },
        ))
    }
}

/// The rows of entries (row, column, value) inside the matrix, each in the order of the entries.
fn scattered(
    size: usize,
    entries: impl Iterator<Item = (usize, usize, f64)> + Clone,
) -> SparseMatrix {
    let mut offsets = vec![0; size + 1];
    entries.clone().for_each(|(row, ..)| offsets[row + 1] += 1);
    for i in 0..size {
        offsets[i + 1] += offsets[i];
    }
    let mut next = offsets.clone();
    let (mut columns, mut values) = (vec![0; offsets[size]], vec![0.0; offsets[size]]);
    for (row, column, value) in entries {
        (columns[next[row]], values[next[row]]) = (column as u32, value);
        next[row] += 1;
    }
    SparseMatrix { offsets, columns, values }
}

fn check_index(got: usize, size: usize) -> Result<()> {
    if got < size {
        return Ok(());
    }
    Err(Error::Size { what: "a row or column index", got, expected: size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_in_any_order_are_the_same_matrix() {
        let wanted = [(0, 1, 2.0), (0, 2, 5.0), (1, 0, 2.0), (2, 0, 5.0), (2, 2, 1.0)];
        let by_entries = SparseMatrix::new(3, &wanted).unwrap();
        // Columns descend, and one is named twice.
        let rows = SparseMatrix::from_rows(
            vec![0, 3, 4, 6],
            vec![2, 1, 2, 0, 2, 0],
            vec![4.0, 2.0, 1.0, 2.0, 1.0, 5.0],
        );
        assert_eq!(by_entries.list(), wanted);
        assert_eq!(rows.unwrap(), by_entries);
        let full = SymmetricMatrix::new(vec![0.0, 2.0, 5.0, 2.0, 0.0, 0.0, 5.0, 0.0, 1.0]).unwrap();
        assert_eq!(SparseMatrix::from_dense(&full), by_entries);
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        for (offsets, columns, values) in [
            (vec![], vec![], vec![]),
            (vec![0, 1], vec![0], vec![]),
            (vec![0, 2], vec![0], vec![1.0]),
            (vec![1, 1], vec![0], vec![1.0]),
            (vec![0, 2, 1], vec![0], vec![1.0]),
            (vec![0, 1], vec![1], vec![1.0]),
        ] {
            let refused = SparseMatrix::from_rows(offsets, columns, values);
            assert!(matches!(refused, Err(Error::Size { .. })), "{refused:?}");
        }
    }
}
