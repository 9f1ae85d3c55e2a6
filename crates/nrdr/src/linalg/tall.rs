//! Products of tall matrices: many rows, few columns.
//!
//! The rows are cut into pieces of a fixed size, so the rounding, and with it every bit of the
//! result, does not depend on the number of threads.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::reduce;
use super::vector::wide;

/// With fewer multiplications than this, waking other threads takes longer than the work.
const WORTHWHILE: usize = 400_000;

/// Rows of a piece, so that there is work for many threads and little to add up in the end.
fn piece(rows: usize) -> usize {
    (rows / 16).clamp(512, 4096)
}

/// A' B of matrices with a row for each point.
pub(crate) fn inner(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Mat<f64> {
    reduce::sum_each(transposed_product(a, b))
}

/// A' B of matrices whose rows are no points.
pub(crate) fn transposed_product(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Mat<f64> {
    let (n, rows, columns) = (a.nrows(), a.ncols(), b.ncols());
    let piece = piece(n);
    let part = |start: usize| {
        let size = piece.min(n - start);
        let mut part = Mat::zeros(rows, columns);
        let (a, b) = (a.subrows(start, size), b.subrows(start, size));
        wide(|| matmul(part.as_mut(), Accum::Replace, a.transpose(), b, 1.0, Par::Seq));
        part
    };
    let starts = (0..n).step_by(piece);
    let parts: Vec<Mat<f64>> = if n * rows * columns > WORTHWHILE {
        (0..n).into_par_iter().step_by(piece).map(part).collect()
    } else {
        starts.map(part).collect()
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

/// X <- X B, in the first columns of X: as many as B has.
pub(crate) fn multiply_in_place(x: MatMut<'_, f64>, b: MatRef<'_, f64>) {
    let multiply = |x: MatMut<'_, f64>| {
        let mut result = Mat::zeros(x.nrows(), b.ncols());
        wide(|| matmul(result.as_mut(), Accum::Replace, x.as_ref(), b, 1.0, Par::Seq));
        x.subcols_mut(0, b.ncols()).copy_from(result);
    };
    let piece = piece(x.nrows());
    if x.nrows() * b.nrows() * b.ncols() > WORTHWHILE {
        x.par_row_chunks_mut(piece).for_each(multiply);
    } else {
        multiply(x);
    }
}

fn accumulate(
    x: MatMut<'_, f64>,
    mode: Accum,
    a: MatRef<'_, f64>,
    b: MatRef<'_, f64>,
    factor: f64,
) {
    // Every row is a sum of its own: here the size of the pieces has no influence on the bits.
    let piece = piece(x.nrows());
    if x.nrows() * b.nrows() * b.ncols() > WORTHWHILE {
        x.par_row_chunks_mut(piece)
            .zip(a.par_row_chunks(piece))
            .for_each(|(x, a)| wide(|| matmul(x, mode, a, b, factor, Par::Seq)))
    } else {
        wide(|| matmul(x, mode, a, b, factor, Par::Seq))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_in_place_are_the_same_bits() {
        for (rows, size, columns) in [(40, 7, 3), (9000, 30, 12)] {
            let number = |i: usize, j: usize| ((i * 31 + j * 17) as f64).sin();
            let (mut x, b) =
                (Mat::from_fn(rows, size, number), Mat::from_fn(size, columns, number));
            let expected = product(x.as_ref(), b.as_ref());
            multiply_in_place(x.as_mut(), b.as_ref());
            assert_eq!(x.as_ref().subcols(0, columns), expected.as_ref());
        }
    }
}
