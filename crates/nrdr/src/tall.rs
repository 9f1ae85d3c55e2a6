//! Products of tall matrices: many rows, few columns.
//!
//! The rows are cut into pieces of a fixed size, so the rounding, and with it every bit of the
//! result, does not depend on the number of threads.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

use crate::error::Result;
use crate::small::eigen_descending;

const PIECE: usize = 4096;
/// Squared length, relative to the longest, below which a direction is rounding.
const DEPENDENT: f64 = 1e-14;
/// With fewer multiplications than this, waking other threads takes longer than the work.
const WORTHWHILE: usize = 400_000;

/// A' B
pub(crate) fn inner(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Mat<f64> {
    let (n, rows, columns) = (a.nrows(), a.ncols(), b.ncols());
    let part = |start: usize| {
        let size = PIECE.min(n - start);
        let mut part = Mat::zeros(rows, columns);
        let (a, b) = (a.subrows(start, size), b.subrows(start, size));
        matmul(part.as_mut(), Accum::Replace, a.transpose(), b, 1.0, Par::Seq);
        part
    };
    let starts = (0..n).step_by(PIECE);
    let parts: Vec<Mat<f64>> = match n * rows * columns > WORTHWHILE {
        true => (0..n).into_par_iter().step_by(PIECE).map(part).collect(),
        false => starts.map(part).collect(),
    };
    let mut sum = Mat::zeros(rows, columns);
    for part in parts {
        sum += part;
    }
    sum
}

/// X <- X - A B
pub(crate) fn subtract_product(x: MatMut<'_, f64>, a: MatRef<'_, f64>, b: MatRef<'_, f64>) {
    accumulate(x, Accum::Add, a, b, -1.0);
}

/// A B
pub(crate) fn product(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Mat<f64> {
    let mut result = Mat::zeros(a.nrows(), b.ncols());
    accumulate(result.as_mut(), Accum::Replace, a, b, 1.0);
    result
}

fn accumulate(
    x: MatMut<'_, f64>,
    mode: Accum,
    a: MatRef<'_, f64>,
    b: MatRef<'_, f64>,
    factor: f64,
) {
    // Every row is a sum of its own: here the size of the pieces has no influence on the bits.
    match x.nrows() * b.nrows() * b.ncols() > WORTHWHILE {
        true => x
            .par_row_chunks_mut(PIECE)
            .zip(a.par_row_chunks(PIECE))
            .for_each(|(x, a)| matmul(x, mode, a, b, factor, Par::Seq)),
        false => matmul(x, mode, a, b, factor, Par::Seq),
    }
}

/// An orthonormal basis of the span of the columns; what depends on the others is dropped.
pub(crate) fn orthonormalize(block: Mat<f64>) -> Result<Mat<f64>> {
    let mut block = block;
    // Once more, for the rounding that the first time leaves.
    for _ in 0..2 {
        let (values, vectors) = eigen_descending(inner(block.as_ref(), block.as_ref()).as_ref())?;
        let largest = values.first().copied().unwrap_or(0.0);
        let kept = values.iter().take_while(|&&value| value > DEPENDENT * largest).count();
        let directions =
            Mat::from_fn(vectors.nrows(), kept, |i, j| vectors[(i, j)] / values[j].sqrt());
        block = product(block.as_ref(), directions.as_ref());
    }
    Ok(block)
}
