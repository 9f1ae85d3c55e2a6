//! Symmetric matrices of which only the entries that are not zero are kept.

use rayon::prelude::*;

use super::Operator;

/// Some rows: where each one's entries end, and the entries.
type Chunk = (Vec<usize>, Vec<(u32, f64)>);

/// Rows worked on by one thread at a time,
const CHUNK: usize = 512;
/// and such chunks that are made before they are put together, at least,
const WAVE: usize = 64;
/// but so many waves at most.
const WAVES: usize = 16;

/// A sparse symmetric N x N matrix: both triangles, rows one after another, columns ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseMatrix {
    pub(crate) offsets: Vec<usize>,
    pub(crate) columns: Vec<u32>,
    pub(crate) values: Vec<f64>,
}

impl SparseMatrix {
    /// Builds the rows in parallel. `row(i, scratch, out)` adds row `i` to `out`, columns
    /// ascending; each worker has a scratch of its own.
    pub(crate) fn build<S>(
        size: usize,
        scratch: impl Fn() -> S + Sync,
        row: impl Fn(usize, &mut S, &mut Vec<(u32, f64)>) + Sync,
    ) -> Self {
        let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        offsets.reserve_exact(size);
        // A wave of chunks at a time: what is made is moved to its place before the next one begins.
        let rows = CHUNK * size.div_ceil(CHUNK * WAVES).max(WAVE);
        for wave in (0..size).step_by(rows) {
            let starts = (wave..size.min(wave + rows)).into_par_iter().step_by(CHUNK);
            let chunks: Vec<Chunk> = starts
                .map_init(&scratch, |scratch, start| {
                    let (mut ends, mut entries) = (Vec::with_capacity(CHUNK), Vec::new());
                    let mut current = Vec::new();
                    for i in start..(start + CHUNK).min(size) {
                        row(i, scratch, &mut current);
                        entries.append(&mut current);
                        ends.push(entries.len());
                    }
                    (ends, entries)
                })
                .collect();
            let count: usize = chunks.iter().map(|(_, entries)| entries.len()).sum();
            if wave == 0 {
                // As much for the other rows; room that is not used costs nothing.
                let room = (1.1 * count as f64 * size as f64 / rows as f64) as usize;
                columns.reserve(room.max(count));
                values.reserve(room.max(count));
            }
            for (ends, entries) in chunks {
                let start = columns.len();
                offsets.extend(ends.iter().map(|end| start + end));
                columns.extend(entries.iter().map(|entry| entry.0));
                values.extend(entries.iter().map(|entry| entry.1));
            }
        }
        columns.shrink_to_fit();
        values.shrink_to_fit();
        SparseMatrix { offsets, columns, values }
    }

    /// Number of rows and columns.
    pub fn size(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Number of stored entries.
    pub fn entries(&self) -> usize {
        self.columns.len()
    }

    /// Columns of the entries of row `i`, ascending.
    pub fn columns(&self, i: usize) -> &[u32] {
        &self.columns[self.offsets[i]..self.offsets[i + 1]]
    }

    /// Values of the entries of row `i`.
    pub fn values(&self, i: usize) -> &[f64] {
        &self.values[self.offsets[i]..self.offsets[i + 1]]
    }

    /// Entries (column, value) of row `i`.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + Clone {
        let columns = self.columns(i).iter().map(|&j| j as usize);
        columns.zip(self.values(i).iter().copied())
    }

    /// All entries (row, column, value).
    #[cfg(test)]
    pub(crate) fn list(&self) -> Vec<(usize, usize, f64)> {
        let of = |i: usize| self.row(i).map(move |(j, value)| (i, j, value));
        (0..self.size()).flat_map(of).collect()
    }

    /// Entry (i, j), zero where none is stored.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.find(i, j).unwrap_or(0.0)
    }

    /// Entry (i, j), if it is stored.
    pub(crate) fn find(&self, i: usize, j: usize) -> Option<f64> {
        self.columns(i).binary_search(&(j as u32)).ok().map(|at| self.values(i)[at])
    }

    /// A matrix of the same pattern with entries `f(row, column, value)`.
    pub(crate) fn map(&self, f: impl Fn(usize, usize, f64) -> f64 + Sync) -> Self {
        let mut mapped = self.clone();
        mapped.change(f);
        mapped
    }

    /// Replaces each entry by `f(row, column, value)`.
    pub(crate) fn change(&mut self, f: impl Fn(usize, usize, f64) -> f64 + Sync) {
        let SparseMatrix { offsets, columns, values } = self;
        let size = offsets.len() - 1;
        let mut chunks = Vec::with_capacity(size / CHUNK + 1);
        let mut rest = values.as_mut_slice();
        for start in (0..size).step_by(CHUNK) {
            let end = (start + CHUNK).min(size);
            let (chunk, tail) = rest.split_at_mut(offsets[end] - offsets[start]);
            chunks.push((start..end, chunk));
            rest = tail;
        }
        let (offsets, columns) = (&*offsets, &*columns);
        chunks.into_par_iter().for_each(|(rows, chunk)| {
            let mut chunk = chunk.iter_mut();
            for i in rows {
                for (&j, value) in columns[offsets[i]..offsets[i + 1]].iter().zip(chunk.by_ref()) {
                    *value = f(i, j as usize, *value);
                }
            }
        });
    }

    /// The matrix without the entries that `keep(row, column, value)` refuses.
    pub(crate) fn filter(&self, keep: impl Fn(usize, usize, f64) -> bool + Sync) -> Self {
        SparseMatrix::build(
            self.size(),
            || (),
            |i, (), out| {
                let kept = self.row(i).filter(|&(j, value)| keep(i, j, value));
                out.extend(kept.map(|(j, value)| (j as u32, value)));
            },
        )
    }

    /// Sum of each row.
    pub(crate) fn row_sums(&self) -> Vec<f64> {
        let sum = |i| self.values(i).iter().sum();
        (0..self.size()).into_par_iter().with_min_len(512).map(sum).collect()
    }

    /// The rows and columns with these ascending indices.
    pub(crate) fn select(&self, indices: &[u32]) -> Self {
        let mut new_index = vec![u32::MAX; self.size()];
        for (new, &old) in indices.iter().enumerate() {
            new_index[old as usize] = new as u32;
        }
        SparseMatrix::build(
            indices.len(),
            || (),
            |i, (), out| {
                let row = self.row(indices[i] as usize);
                let kept = row.map(|(j, value)| (new_index[j], value));
                out.extend(kept.filter(|&(j, _)| j != u32::MAX));
            },
        )
    }
}

impl Operator for SparseMatrix {
    fn size(&self) -> usize {
        self.offsets.len() - 1
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        y.par_iter_mut().with_min_len(1024).enumerate().for_each(|(i, y)| {
            let terms = self.row(i).map(|(j, value)| value * x[j]);
            *y = terms.sum();
        });
    }
}
