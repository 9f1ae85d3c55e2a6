//! Multigrid by smoothed aggregation.
//!
//! P. Vanek, J. Mandel and M. Brezina, "Algebraic multigrid by smoothed aggregation for second and fourth order elliptic
//! problems", Computing 56 (1996).
//!
//! An approximate inverse of a symmetric positive semi-definite matrix M whose low eigenvectors are, within a neighbourhood,
//! combinations of a few known candidates: the constant for a Laplacian, the constant and the points' coordinates for the
//! matrix of LTSA. Neighbouring unknowns become aggregates, the candidates within an aggregate the unknowns of the next
//! level, P its smoothed prolongation and P'MP its matrix. A cycle smooths on each level and solves on the last.

mod aggregate;
mod chebyshev;
mod csr;
mod prolong;
#[cfg(test)]
mod tests;

use faer::{Mat, MatRef};
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::linalg::small::{CholeskyFactor, eigen_descending};
use crate::problem::Problem;
use crate::progress::Progress;
use aggregate::{Groups, aggregate};
use chebyshev::Chebyshev;
use csr::{Csr, WIDTH};
use prolong::{Candidates, Tentative, smoothed};

/// The last level has about so many unknowns at most.
const COARSEST: usize = 600;
/// More than this on the last level cannot be solved there.
const MOST_COARSEST: usize = 6000;
/// A level that has more than this share of the unknowns of the one before is not worth it.
const COARSENING: f64 = 0.7;
/// The coarser levels may have so many times the entries of the finest.
const COMPLEXITY: f64 = 4.0;
/// The prolongation is smoothed by this over the largest eigenvalue of D^-1 M.
const PROLONGATION: f64 = 4.0 / 3.0;
/// The coarsest matrix is made definite by this share of the mean diagonal of M.
const SHIFT: f64 = 1e-12;

/// One level but the last.
struct Level {
    matrix: Csr,
    smoother: Chebyshev,
    prolongation: Csr,
    restriction: Csr,
}

/// The levels for one matrix.
pub(super) struct Multigrid {
    /// M itself.
    finest: Csr,
    /// None where M is small enough to be the last level.
    levels: Vec<Level>,
    coarsest: Mat<f64>,
    factor: CholeskyFactor,
}

impl Multigrid {
    /// The levels for M = |A - bound|, the matrix of a problem whose bound is known.
    pub(super) fn new(problem: &Problem, progress: &Progress<'_>) -> Result<Self> {
        let (Matrix::Sparse(matrix), Some(bound)) = (&problem.matrix, problem.bound) else {
            return Err(unsuited("it needs a sparse matrix with a known bound of its eigenvalues"));
        };
        let sign = -problem.end.sign();
        let n = matrix.size();
        let mut matrix =
            Csr { entries: matrix.clone(), columns: n, scale: sign, shift: -sign * bound };
        let trivial = problem.trivial.clone().unwrap_or_else(|| vec![1.0; n]);
        let mut candidates: Candidates =
            std::iter::once(trivial).chain(problem.near_null.iter().cloned()).collect();
        let mut groups = Groups::single(n);
        let finest = matrix.clone();
        let mut levels: Vec<Level> = Vec::new();
        let mut entries = 0.0;
        while matrix.rows() > COARSEST {
            progress.check()?;
            let aggregates = aggregate(&matrix, &groups);
            let tentative = Tentative::new(&aggregates, &groups, &candidates);
            let coarse = tentative.prolongation.columns;
            if coarse as f64 > COARSENING * matrix.rows() as f64 || coarse == 0 {
                break;
            }
            let smoother = Chebyshev::new(&matrix)?;
            let weight = PROLONGATION / smoother.largest;
            let prolongation =
                smoothed(&matrix, &smoother.inverse_diagonal, weight, &tentative.prolongation);
            progress.check()?;
            let restriction = prolongation.transposed();
            let next = restriction.times(&matrix.times(&prolongation));
            entries += next.entries.entries() as f64;
            if entries > COMPLEXITY * finest.entries.entries() as f64 {
                return Err(unsuited("its coarser levels fill in"));
            }
            levels.push(Level { matrix, smoother, prolongation, restriction });
            (matrix, groups, candidates) = (next, tentative.groups, tentative.candidates);
        }
        let size = matrix.rows();
        if size > MOST_COARSEST {
            return Err(unsuited(format!("its coarsest level has {size} unknowns")));
        }
        let mut coarsest = Mat::zeros(size, size);
        for i in 0..size {
            matrix.row(i).for_each(|(j, value)| coarsest[(i, j)] = value);
            coarsest[(i, i)] += matrix.shift;
        }
        // Beside the diagonal of M: where all has become one aggregate the coarsest matrix is zero.
        let scale = finest.diagonal().iter().sum::<f64>() / n as f64;
        let mut shift = SHIFT * scale;
        let factor = loop {
            let shifted = Mat::from_fn(size, size, |i, j| {
                coarsest[(i, j)] + if i == j { shift } else { 0.0 }
            });
            match CholeskyFactor::new(shifted) {
                Some(factor) => break factor,
                None if shift < 1e-3 * scale => shift *= 10.0,
                None => return Err(unsuited("its coarsest matrix is indefinite")),
            }
        };
        Ok(Multigrid { finest, levels, coarsest, factor })
    }

    /// M X
    pub(super) fn multiply(&self, block: MatRef<'_, f64>) -> Mat<f64> {
        self.each(block, |multigrid, x, y, width| match width {
            1 => multigrid.finest.multiply::<1>(x, y),
            2 => multigrid.finest.multiply::<2>(x, y),
            _ => multigrid.finest.multiply::<WIDTH>(x, y),
        })
    }

    /// About M^-1 X
    pub(super) fn solve(&self, block: MatRef<'_, f64>) -> Mat<f64> {
        self.each(block, |multigrid, x, y, width| {
            let rest = x.to_vec();
            match width {
                1 => multigrid.cycle::<1>(0, y, rest),
                2 => multigrid.cycle::<2>(0, y, rest),
                _ => multigrid.cycle::<WIDTH>(0, y, rest),
            }
        })
    }

    /// Solves M x = rest on a level, from x = 0.
    fn cycle<const W: usize>(&self, level: usize, x: &mut [f64], mut rest: Vec<f64>) {
        let Some(Level { matrix, smoother, prolongation, restriction }) = self.levels.get(level)
        else {
            let mut block = Mat::from_fn(rest.len() / W, W, |i, j| rest[i * W + j]);
            self.factor.solve(block.as_mut());
            x.iter_mut().enumerate().for_each(|(at, x)| *x = block[(at / W, at % W)]);
            return;
        };
        let step = smoother.smooth::<W>(matrix, x, &mut rest);
        matrix.subtract_product::<W>(&step, &mut rest);
        let coarse = restriction.rows() * W;
        let (mut below, mut correction) = (vec![0.0; coarse], vec![0.0; coarse]);
        restriction.multiply::<W>(&rest, &mut below);
        self.cycle::<W>(level + 1, &mut correction, below);
        let mut fine = vec![0.0; x.len()];
        prolongation.multiply::<W>(&correction, &mut fine);
        x.par_iter_mut().zip(&fine).with_min_len(4096).for_each(|(x, fine)| *x += fine);
        matrix.subtract_product::<W>(&fine, &mut rest);
        smoother.smooth::<W>(matrix, x, &mut rest);
    }

    /// Functions that vary as little as the last level can tell, smoothed on the way up, a column each.
    pub(super) fn smoothest(&self, count: usize) -> Result<Mat<f64>> {
        let (_, vectors) = eigen_descending(self.coarsest.as_ref())?;
        let size = vectors.ncols();
        let count = count.min(size);
        let mut block = vectors.as_ref().subcols(size - count, count).reverse_cols().to_owned();
        for level in self.levels.iter().rev() {
            block = apply(block.as_ref(), level.prolongation.rows(), |x, y, width| match width {
                1 => level.prolongation.multiply::<1>(x, y),
                2 => level.prolongation.multiply::<2>(x, y),
                _ => level.prolongation.multiply::<WIDTH>(x, y),
            });
        }
        Ok(block)
    }

    /// Applies `f` to a few columns at a time.
    fn each(
        &self,
        block: MatRef<'_, f64>,
        f: impl Fn(&Self, &[f64], &mut [f64], usize),
    ) -> Mat<f64> {
        apply(block, block.nrows(), |x, y, width| f(self, x, y, width))
    }
}

/// Applies `f(x, y, width)` to a few columns x of a block at a time, side by side; y has so many rows.
fn apply(block: MatRef<'_, f64>, rows: usize, f: impl Fn(&[f64], &mut [f64], usize)) -> Mat<f64> {
    let mut result = Mat::zeros(rows, block.ncols());
    let mut start = 0;
    while start < block.ncols() {
        let width = match block.ncols() - start {
            1 => 1,
            2 => 2,
            _ => WIDTH,
        };
        let filled = width.min(block.ncols() - start);
        let mut x = vec![0.0; block.nrows() * width];
        for j in 0..filled {
            let column = block.col(start + j);
            x.iter_mut().skip(j).step_by(width).zip(column.iter()).for_each(|(x, v)| *x = *v);
        }
        let mut y = vec![0.0; rows * width];
        f(&x, &mut y, width);
        for j in 0..filled {
            let column = result.col_as_slice_mut(start + j);
            column.iter_mut().zip(y.iter().skip(j).step_by(width)).for_each(|(out, v)| *out = *v);
        }
        start += filled;
    }
    result
}

/// The error of a problem that multigrid is not for.
fn unsuited(reason: impl Into<String>) -> Error {
    Error::Solver { solver: "multigrid", reason: reason.into() }
}
