//! Sparse Cholesky factorisation along the tree of a nested dissection (the multifrontal method).
//!
//! Each part of the tree is a front: a dense matrix whose first columns belong to the part's own
//! vertices and whose further rows, the boundary, belong to the separators above that it touches.
//! A front is assembled from the matrix and from what the two halves leave over, its own columns are
//! eliminated by dense arithmetic, and what is left over (the Schur complement on the boundary) goes
//! up. The halves are independent, so they run in parallel, and since every sum is formed in one
//! fixed order the factor is the same for any number of threads.

use super::super::choice::FACTOR_WAY_OUT;
use super::eliminate::{LeftOver, eliminate};
use super::symbolic::{Front, Symbolic, visit};
use crate::error::Error;
use crate::linalg::SparseMatrix;
use crate::memory;
use crate::progress::Progress;

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
    /// its boundary.
    fn factorize(&self, front: &Front, values: &mut [f64]) -> Result<LeftOver, Failure> {
        let (own, rows) = (front.own(), front.rows());
        let (below, columns) = values.split_at_mut(values.len() - own * rows);
        let factorize = |child: &Front, values: &mut [f64]| self.factorize(child, values);
        let left_over = visit(&front.children, below, Front::subtree_entries, &factorize);
        // Fresh memory that is read before it is written costs two page faults instead of one.
        columns.fill(0.0);
        let mut rest = LeftOver::zeros(front.boundary.len()).map_err(Failure::Stopped)?;
        for (child, schur) in front.children.iter().zip(left_over) {
            add_left_over(&child.in_parent, &schur?, own, columns, &mut rest);
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

/// Adds what a child left over to its parent's front.
fn add_left_over(
    in_parent: &[u32],
    schur: &LeftOver,
    own: usize,
    columns: &mut [f64],
    rest: &mut LeftOver,
) {
    let rows = columns.len().checked_div(own).unwrap_or(0);
    for (j, &column) in in_parent.iter().enumerate() {
        let first = column as usize;
        let target = match first.checked_sub(own) {
            None => &mut columns[first * rows + first..(first + 1) * rows],
            Some(beyond) => rest.column_mut(beyond),
        };
        for (&row, value) in in_parent[j..].iter().zip(schur.column(j)) {
            target[row as usize - first] += value;
        }
    }
}
