//! Elimination of a front's own columns by dense arithmetic, in blocks of columns.
//!
//! The blocks of large fronts are worked on in parallel. Their bounds depend on the size of the front only, so the result
//! is the same for any number of threads.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::super::choice::FACTOR_WAY_OUT;
use crate::error::Error;
use crate::linalg::vector::{axpy, scale, vectorized, wide};
use crate::memory;

/// Fronts with fewer rows are eliminated by plain loops.
const SMALL: usize = 64;
/// Columns of a block.
const BLOCK: usize = 128;
/// Rows that are solved for together.
const CHUNK: usize = 256;

/// What a front leaves over on its boundary (the Schur complement): the lower triangle, in blocks of columns. A block
/// has the rows from its first diagonal entry on, column after column.
pub(super) struct LeftOver {
    size: usize,
    values: Vec<f64>,
}

impl LeftOver {
    pub(super) fn zeros(size: usize) -> Result<Self, Error> {
        let values = memory::zeros(start_of_block(size, size), "the factor", FACTOR_WAY_OUT)?;
        Ok(LeftOver { size, values })
    }

    /// Where a column's entries on and below the diagonal are.
    fn range(&self, column: usize) -> std::ops::Range<usize> {
        let first = column - column % BLOCK;
        let rows = self.size - first;
        let start = start_of_block(self.size, first) + (column - first) * rows;
        start + column - first..start + rows
    }

    /// A column on and below the diagonal.
    pub(super) fn column(&self, at: usize) -> &[f64] {
        &self.values[self.range(at)]
    }

    pub(super) fn column_mut(&mut self, at: usize) -> &mut [f64] {
        let range = self.range(at);
        &mut self.values[range]
    }

    /// The blocks, each with its first row.
    fn blocks(&mut self) -> Vec<(usize, MatMut<'_, f64>)> {
        let mut blocks = Vec::with_capacity(self.size.div_ceil(BLOCK));
        let mut left = self.values.as_mut_slice();
        for first in (0..self.size).step_by(BLOCK) {
            let (rows, columns) = (self.size - first, BLOCK.min(self.size - first));
            let (block, others) = left.split_at_mut(rows * columns);
            blocks.push((first, MatMut::from_column_major_slice_mut(block, rows, columns)));
            left = others;
        }
        blocks
    }
}

/// Entries before the block whose first column is `first`, or of all blocks if that is the size.
fn start_of_block(size: usize, first: usize) -> usize {
    let (blocks, partial) = (first / BLOCK, first % BLOCK);
    let whole = BLOCK * (blocks * size - BLOCK * (blocks * blocks.saturating_sub(1) / 2));
    whole + partial * (size - blocks * BLOCK)
}

/// Eliminates the first `own` columns of a front. The error is the column without a positive pivot.
pub(super) fn eliminate(
    own: usize,
    rows: usize,
    columns: &mut [f64],
    rest: &mut LeftOver,
) -> Result<(), usize> {
    if rows < SMALL || own == 0 {
        vectorized(|| eliminate_small(own, rows, columns, rest))
    } else {
        wide(|| eliminate_large(own, rows, columns, rest))
    }
}

#[inline(always)]
fn eliminate_small(
    own: usize,
    rows: usize,
    columns: &mut [f64],
    rest: &mut LeftOver,
) -> Result<(), usize> {
    for j in 0..own {
        let (head, tail) = columns.split_at_mut((j + 1) * rows);
        let column = &mut head[j * rows..];
        let pivot = column[j];
        // Not `<=`: a NaN must not pass.
        if !(pivot > 0.0) {
            return Err(j);
        }
        let root = pivot.sqrt();
        scale(&mut column[j + 1..], root.recip());
        column[j] = root;
        for (later, target) in tail.chunks_exact_mut(rows).zip(j + 1..) {
            axpy(-column[target], &column[target..], &mut later[target..]);
        }
        let below = &column[own..];
        for at in 0..below.len() {
            axpy(-below[at], &below[at..], rest.column_mut(at));
        }
    }
    Ok(())
}

fn eliminate_large(
    own: usize,
    rows: usize,
    columns: &mut [f64],
    rest: &mut LeftOver,
) -> Result<(), usize> {
    let mut columns = MatMut::from_column_major_slice_mut(columns, rows, own);
    for first in (0..own).step_by(BLOCK) {
        let width = BLOCK.min(own - first);
        let left = columns.as_mut().get_mut(first.., first..);
        let (block, mut later) = left.split_at_col_mut(width);
        let (mut top, mut below) = block.split_at_row_mut(width);
        factorize_block(top.as_mut()).map_err(|at| first + at)?;
        let top = top.as_ref();
        let chunks = below.as_mut().par_row_chunks_mut(CHUNK);
        chunks.for_each(|chunk| {
            wide(|| solve_lower_triangular_in_place(top, chunk.transpose_mut(), Par::Seq));
        });
        let below = below.as_ref();
        let later = later.as_mut().get_mut(width.., ..);
        later.par_col_chunks_mut(BLOCK).enumerate().for_each(|(at, target)| {
            let start = at * BLOCK;
            subtract_product(target.get_mut(start.., ..), below.get(start.., ..));
        });
    }
    let below = columns.as_ref().get(own.., ..);
    rest.blocks().into_par_iter().for_each(|(first, target)| {
        subtract_product(target, below.get(first.., ..));
    });
    Ok(())
}

/// The Cholesky factor of a block on the diagonal.
fn factorize_block(block: MatMut<'_, f64>) -> Result<(), usize> {
    let scratch = llt::factor::cholesky_in_place_scratch::<f64>;
    let mut memory = MemBuffer::new(scratch(block.ncols(), Par::Seq, Default::default()));
    let stack = MemStack::new(&mut memory);
    llt::factor::cholesky_in_place(block, Default::default(), Par::Seq, stack, Default::default())
        .map(drop)
        .map_err(|error| match error {
            llt::factor::LltError::NonPositivePivot { index } => index,
        })
}

/// C <- C - P Q' for the rows of Q that come first in P; what is above the diagonal of C is left alone.
fn subtract_product(target: MatMut<'_, f64>, rows: MatRef<'_, f64>) {
    let width = target.ncols();
    let (top, below) = target.split_at_row_mut(width);
    let (first, others) = rows.split_at_row(width);
    let right = first.transpose();
    let whole = BlockStructure::Rectangular;
    wide(|| {
        triangular::matmul(
            top,
            BlockStructure::TriangularLower,
            Accum::Add,
            first,
            whole,
            right,
            whole,
            -1.0,
            Par::Seq,
        );
        matmul(below, Accum::Add, others, right, -1.0, Par::Seq);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_blocks_of_what_is_left_over_agree() {
        for size in [0, 1, 127, 128, 129, 400] {
            let mut rest = LeftOver::zeros(size).unwrap();
            for j in 0..size {
                let column = rest.column_mut(j);
                assert_eq!(column.len(), size - j);
                column.iter_mut().zip(j..).for_each(|(value, i)| *value = (i * 1000 + j) as f64);
            }
            let mut columns = 0;
            for (first, block) in rest.blocks() {
                assert_eq!(first, columns);
                columns += block.ncols();
                for j in 0..block.ncols() {
                    for i in j..block.nrows() {
                        assert_eq!(block[(i, j)], ((first + i) * 1000 + first + j) as f64);
                    }
                }
            }
            assert_eq!(columns, size);
        }
    }
}
