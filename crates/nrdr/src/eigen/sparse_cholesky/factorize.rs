//! Sparse Cholesky factorisation along the tree of a nested dissection (the multifrontal method).
//!
//! Each part of the tree is a front: a dense matrix whose first columns belong to the part's own
//! vertices and whose further rows, the boundary, belong to the separators above that it touches.
//! A front is assembled from the matrix and from what the two halves leave over, its own columns are
//! eliminated by dense arithmetic, and what is left over (the Schur complement on the boundary) goes
//! up. The halves are independent, so they run in parallel, and since every sum is formed in one
//! fixed order the factor is the same for any number of threads.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve;
use faer::{Accum, MatMut, MatRef, Par};

use super::super::choice::FACTOR_WAY_OUT;
use super::symbolic::{Front, Symbolic, visit};
use crate::error::Error;
use crate::linalg::SparseMatrix;
use crate::linalg::vector::{axpy, scale, vectorized, wide};
use crate::memory;
use crate::progress::Progress;

/// Fronts with fewer rows are eliminated by plain loops.
const SMALL: usize = 64;

/// Why there is no factor.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The pivot at this row of the matrix is not positive.
    NotPositive(usize),
    /// The observer has asked to stop.
    Stopped(Error),
}

impl Symbolic {
    /// The values of the factor of `sign` A + `diagonal` I for a matrix A of this pattern.
    pub(crate) fn factorize(
        &self,
        matrix: &SparseMatrix,
        sign: f64,
        diagonal: f64,
        progress: &Progress<'_>,
    ) -> Result<Vec<f64>, Failure> {
        let entries = self.cost.entries as usize;
        let mut values =
            memory::zeros(entries, "the factor", FACTOR_WAY_OUT).map_err(Failure::Stopped)?;
        let job = Job { symbolic: self, matrix, sign, diagonal, progress };
        job.factorize(&self.root, &mut values)?;
        Ok(values)
    }
}

/// A factorisation under way.
struct Job<'a> {
    symbolic: &'a Symbolic,
    matrix: &'a SparseMatrix,
    sign: f64,
    diagonal: f64,
    progress: &'a Progress<'a>,
}

impl Job<'_> {
    /// Factorises a subtree into its part of the factor's values. Returns what it leaves over on
    /// its boundary (lower triangle, column after column).
    fn factorize(&self, front: &Front, values: &mut [f64]) -> Result<Vec<f64>, Failure> {
        let (own, rows, boundary) = (front.own(), front.rows(), front.boundary.len());
        let (below, columns) = values.split_at_mut(values.len() - own * rows);
        let factorize = |child: &Front, values: &mut [f64]| self.factorize(child, values);
        let left_over = visit(&front.children, below, Front::subtree_entries, &factorize);
        // Fresh memory that is read before it is written costs two page faults instead of one.
        columns.fill(0.0);
        let mut rest = memory::zeros(boundary * boundary, "the factor", FACTOR_WAY_OUT)
            .map_err(Failure::Stopped)?;
        for (child, schur) in front.children.iter().zip(left_over) {
            add_left_over(&child.in_parent, &schur?, own, rows, columns, &mut rest);
        }
        let Symbolic { order, position, .. } = self.symbolic;
        for (column, at) in columns.chunks_exact_mut(rows.max(1)).zip(front.start..) {
            for (other, value) in self.matrix.row(order[at] as usize) {
                let row = position[other];
                if row as usize >= at {
                    column[front.row_of(row)] += self.sign * value;
                }
            }
            column[at - front.start] += self.diagonal;
        }
        eliminate(own, rows, columns, &mut rest)
            .map_err(|at| Failure::NotPositive(order[front.start + at] as usize))?;
        let total = self.symbolic.cost.entries as usize;
        self.progress.advance(own * rows, total).map_err(Failure::Stopped)?;
        Ok(rest)
    }
}

/// Adds what a half left over to its parent's front.
fn add_left_over(
    in_parent: &[u32],
    schur: &[f64],
    own: usize,
    rows: usize,
    columns: &mut [f64],
    rest: &mut [f64],
) {
    let size = in_parent.len();
    for (j, &column) in in_parent.iter().enumerate() {
        let source = &schur[j * size + j..(j + 1) * size];
        let column = column as usize;
        let (target, skipped) = if column < own {
            (&mut columns[column * rows..][..rows], 0)
        } else {
            (&mut rest[(column - own) * (rows - own)..][..rows - own], own)
        };
        for (&row, value) in in_parent[j..].iter().zip(source) {
            target[row as usize - skipped] += value;
        }
    }
}

/// Eliminates the first `own` columns of a front. The error is the column without a positive pivot.
fn eliminate(own: usize, rows: usize, columns: &mut [f64], rest: &mut [f64]) -> Result<(), usize> {
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
    rest: &mut [f64],
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
        let size = rows - own;
        for (at, target) in rest.chunks_exact_mut(size.max(1)).enumerate() {
            axpy(-below[at], &below[at..], &mut target[at..]);
        }
    }
    Ok(())
}

fn eliminate_large(
    own: usize,
    rows: usize,
    columns: &mut [f64],
    rest: &mut [f64],
) -> Result<(), usize> {
    let columns = MatMut::from_column_major_slice_mut(columns, rows, own);
    let (mut top, mut below) = columns.split_at_row_mut(own);
    let mut memory = MemBuffer::new(llt::factor::cholesky_in_place_scratch::<f64>(
        own,
        Par::Seq,
        Default::default(),
    ));
    llt::factor::cholesky_in_place(
        top.as_mut(),
        Default::default(),
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    )
    .map_err(|error| match error {
        llt::factor::LltError::NonPositivePivot { index } => index,
    })?;
    let top = top.as_ref();
    triangular_solve::solve_lower_triangular_in_place(
        top,
        below.as_mut().transpose_mut(),
        Par::Seq,
    );
    let below: MatRef<'_, f64> = below.as_ref();
    let rest = MatMut::from_column_major_slice_mut(rest, rows - own, rows - own);
    triangular::matmul(
        rest,
        BlockStructure::TriangularLower,
        Accum::Add,
        below,
        BlockStructure::Rectangular,
        below.transpose(),
        BlockStructure::Rectangular,
        -1.0,
        Par::Seq,
    );
    Ok(())
}
