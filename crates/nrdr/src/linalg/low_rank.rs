//! Symmetric matrices of low rank, by their eigenvectors.
//!
//! A matrix that is too large to be written down is often nearly F S F' with few columns F, a row for each point, and signs S
//! on the diagonal. Such a matrix is centred and turned into U diag(values) U' with orthonormal columns U at once: with
//! H F = Q T, Q orthonormal, its eigenvalues are those of the small matrix T S T'.

use std::fmt;
use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::solve_upper_triangular_in_place;
use faer::{Accum, Mat, MatRef, Par};
use rayon::prelude::*;

use super::small::eigen_descending;
use super::tall::{inner, product, transposed_product};
use super::vector::wide;
use super::{Operator, reduce};
use crate::error::Result;

/// Rows worked on at a time,
const PIECE: usize = 2048;
/// and pieces whose sums are held at a time.
const HELD: usize = 16;
/// A direction whose squared length is below this share of the longest is rounding.
const DEPENDENT: f64 = 1e-11;

/// Numbers of which a matrix of low rank is made: a row for each point.
pub(crate) trait Rows: Sync {
    /// How many points there are.
    fn len(&self) -> usize;
    /// How many numbers each of them has.
    fn width(&self) -> usize;
    /// The numbers of some points.
    fn piece(&self, rows: Range<usize>) -> Mat<f64>;
}

impl Rows for Mat<f64> {
    fn len(&self) -> usize {
        self.nrows()
    }
    fn width(&self) -> usize {
        self.ncols()
    }
    fn piece(&self, rows: Range<usize>) -> Mat<f64> {
        self.as_ref().subrows(rows.start, rows.len()).to_owned()
    }
}

/// Which eigenvalues are kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keep {
    /// Those of more than this share of the largest in magnitude,
    pub(crate) share: f64,
    /// and so many of them at most.
    pub(crate) most: usize,
}

/// A symmetric matrix U diag(values) U' of low rank, with orthonormal columns U that sum to zero.
#[derive(Clone)]
pub struct LowRank {
    vectors: Mat<f64>,
    values: Vec<f64>,
    /// Turns the numbers that a point was given by into its row of U, but for a constant.
    map: Mat<f64>,
    /// The points whose columns it was made of, if it was.
    chosen: Vec<u32>,
}

impl LowRank {
    /// H F S F' H with F = X `map`, X the rows, S the signs on a diagonal and H = I - 11'/N.
    pub(crate) fn centred(
        rows: &dyn Rows,
        map: MatRef<'_, f64>,
        signs: &[f64],
        keep: Keep,
    ) -> Result<Self> {
        let means = means(rows);
        let (lengths, directions) = eigen_descending(gram(rows, &means, map).as_ref())?;
        let longest = lengths.first().copied().unwrap_or(0.0);
        let sound = lengths.iter().take_while(|&&l| l > DEPENDENT * longest && l > 0.0).count();
        // H F = Q T; this is T'.
        let t = Mat::from_fn(map.ncols(), sound, |i, j| lengths[j].sqrt() * directions[(i, j)]);
        let (values, turned) = eigen_descending(signed_product(t.as_ref(), signs).as_ref())?;
        let kept = keep.of(&values);
        let turned =
            Mat::from_fn(sound, kept.len(), |i, j| turned[(i, kept[j])] / lengths[i].sqrt());
        let combined = product(directions.as_ref().subcols(0, sound), turned.as_ref());
        let map = product(map, combined.as_ref());
        let mut vectors = Mat::zeros(rows.len(), kept.len());
        vectors.as_mut().par_row_chunks_mut(PIECE).enumerate().for_each(|(at, mut into)| {
            let start = at * PIECE;
            let piece = centred_piece(rows, start..start + into.nrows(), &means);
            wide(|| matmul(into.as_mut(), Accum::Replace, piece, map.as_ref(), 1.0, Par::Seq));
        });
        Ok(LowRank {
            vectors,
            values: kept.iter().map(|&i| values[i]).collect(),
            map,
            chosen: Vec::new(),
        })
    }

    /// The same with the points whose columns it was made of.
    pub(crate) fn made_of(mut self, chosen: Vec<u32>) -> Self {
        self.chosen = chosen;
        self
    }

    /// The points whose columns it was made of.
    pub(crate) fn chosen(&self) -> &[u32] {
        &self.chosen
    }

    /// The eigenvectors U, a column each.
    pub(crate) fn vectors(&self) -> MatRef<'_, f64> {
        self.vectors.as_ref()
    }

    /// The eigenvalues that are not zero, descending.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The largest eigenvalue in magnitude.
    pub(crate) fn norm(&self) -> f64 {
        self.values.iter().fold(f64::MIN_POSITIVE, |norm, value| norm.max(value.abs()))
    }

    /// The weights w for which (A g)(x) is the sum of w times the numbers of point x, but for a constant, also where x is new.
    pub(crate) fn weights(&self, g: &[f64]) -> Vec<f64> {
        let image = self.shrunk(MatRef::from_column_major_slice(g, g.len(), 1));
        product(self.map.as_ref(), image.as_ref()).col_as_slice(0).to_vec()
    }

    /// The same for points that are given by other numbers y, of which the rows x were made by L x = y, L lower triangular.
    pub(crate) fn given_by(mut self, l: MatRef<'_, f64>) -> Self {
        wide(|| solve_upper_triangular_in_place(l.transpose(), self.map.as_mut(), Par::Seq));
        self
    }

    /// diag(values) U' X
    fn shrunk(&self, x: MatRef<'_, f64>) -> Mat<f64> {
        let mut parts = inner(self.vectors(), x);
        for j in 0..parts.ncols() {
            parts.col_as_slice_mut(j).iter_mut().zip(&self.values).for_each(|(p, v)| *p *= v);
        }
        parts
    }

    /// How far the first eigenvectors g of a coarser matrix are from being eigenvectors of this one: the largest sine of the angle
    /// between g and A g, which for small ones is the residual beside the eigenvalue. What is less than a tenth as long as the
    /// first counts for less: it is mostly noise.
    pub(crate) fn change_from(&self, coarser: &LowRank, count: usize) -> f64 {
        let count = count.min(coarser.values.len());
        let first = coarser.vectors().subcols(0, count);
        let image = product(self.vectors(), self.shrunk(first).as_ref());
        let largest = coarser.values.first().map_or(1.0, |value| value.abs());
        let residual = |j: usize| {
            let (g, image) = (first.subcols(j, 1), image.as_ref().subcols(j, 1));
            let value = inner(g, image)[(0, 0)];
            let square = inner(image, image)[(0, 0)];
            let counts = (10.0 * (coarser.values[j].abs() / largest).sqrt()).min(1.0);
            let sine =
                if value > 0.0 { (1.0 - value * value / square).max(0.0).sqrt() } else { 1.0 };
            counts * sine
        };
        (0..count).map(residual).fold(0.0, f64::max)
    }
}

impl Keep {
    /// The places of the kept among descending values.
    fn of(self, values: &[f64]) -> Vec<usize> {
        let mut places: Vec<usize> = (0..values.len()).collect();
        places.sort_by(|&i, &j| values[j].abs().total_cmp(&values[i].abs()));
        let largest = places.first().map_or(0.0, |&i| values[i].abs());
        places.retain(|&i| values[i].abs() > self.share * largest);
        places.truncate(self.most);
        places.sort_unstable();
        places
    }
}

/// The rows of a piece, with the means taken off.
fn centred_piece(rows: &dyn Rows, range: Range<usize>, means: &[f64]) -> Mat<f64> {
    let mut piece = rows.piece(range);
    for (j, mean) in means.iter().enumerate() {
        piece.col_as_slice_mut(j).iter_mut().for_each(|value| *value -= mean);
    }
    piece
}

/// Sums over the pieces of the rows of a small matrix for each, always in the same order.
fn sum_pieces(
    rows: &dyn Rows,
    size: (usize, usize),
    of: impl Fn(Range<usize>) -> Mat<f64> + Sync,
) -> Mat<f64> {
    let n = rows.len();
    let starts: Vec<usize> = (0..n).step_by(PIECE).collect();
    let mut sum = Mat::zeros(size.0, size.1);
    for some in starts.chunks(HELD) {
        let parts: Vec<Mat<f64>> =
            some.par_iter().map(|&start| of(start..(start + PIECE).min(n))).collect();
        parts.into_iter().for_each(|part| sum += part);
    }
    reduce::sum_each(sum)
}

/// The mean of each column.
fn means(rows: &dyn Rows) -> Vec<f64> {
    let count = reduce::count(rows.len()) as f64;
    let of = |range: Range<usize>| {
        let piece = rows.piece(range);
        Mat::from_fn(rows.width(), 1, |j, _| piece.col_as_slice(j).iter().sum::<f64>())
    };
    let sums = sum_pieces(rows, (rows.width(), 1), of);
    sums.col_as_slice(0).iter().map(|sum| sum / count).collect()
}

/// F'F of F = (X - means) map
fn gram(rows: &dyn Rows, means: &[f64], map: MatRef<'_, f64>) -> Mat<f64> {
    let size = map.ncols();
    sum_pieces(rows, (size, size), |range| {
        let piece = centred_piece(rows, range, means);
        let mut factor = Mat::zeros(piece.nrows(), size);
        let mut part = Mat::zeros(size, size);
        wide(|| {
            matmul(factor.as_mut(), Accum::Replace, piece, map, 1.0, Par::Seq);
            let factor = factor.as_ref();
            matmul(part.as_mut(), Accum::Replace, factor.transpose(), factor, 1.0, Par::Seq);
        });
        part
    })
}

impl Operator for LowRank {
    fn size(&self) -> usize {
        self.vectors.nrows()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.apply_block(&[x], y);
    }

    fn apply_block(&self, x: &[&[f64]], y: &mut [f64]) {
        let n = self.size();
        let block = Mat::from_fn(n, x.len(), |i, j| x[j][i]);
        let image = product(self.vectors(), self.shrunk(block.as_ref()).as_ref());
        for (j, y) in y.chunks_exact_mut(n).enumerate() {
            y.copy_from_slice(image.col_as_slice(j));
        }
    }
}

impl fmt::Debug for LowRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LowRank({0} x {0}, rank {1})", self.size(), self.values.len())
    }
}

/// A' S A of a small matrix A, S on the diagonal.
pub(crate) fn signed_product(a: MatRef<'_, f64>, signs: &[f64]) -> Mat<f64> {
    let signed = Mat::from_fn(a.nrows(), a.ncols(), |i, j| signs[i] * a[(i, j)]);
    transposed_product(a, signed.as_ref())
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// Against all entries of H F S F' H, with more rows than one piece has.
    #[test]
    fn it_is_what_all_entries_are() {
        let (n, signs) = (PIECE + 300, [1.0, -1.0, 1.0, 1.0]);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let x = Mat::from_fn(n, 4, |_, j| (4 - j) as f64 * random.random::<f64>() + 7.0);
        let map = Mat::from_fn(4, 4, |i, j| if i <= j { 1.0 / (1 + i + j) as f64 } else { 0.0 });
        let keep = Keep { share: 1e-12, most: 10 };
        let found = LowRank::centred(&x, map.as_ref(), &signs, keep).unwrap();
        assert!(found.values().is_sorted_by(|a, b| a >= b) && found.values()[3] < 0.0);
        let f = product(x.as_ref(), map.as_ref());
        let mean = |j: usize| f.col_as_slice(j).iter().sum::<f64>() / n as f64;
        let means: Vec<f64> = (0..4).map(mean).collect();
        let f = Mat::from_fn(n, 4, |i, j| f[(i, j)] - means[j]);
        let g: Vec<f64> = (0..n).map(|_| random.random()).collect();
        let parts = inner(f.as_ref(), MatRef::from_column_major_slice(&g, n, 1));
        let (mut image, weights) = (vec![0.0; n], found.weights(&g));
        found.apply(&g, &mut image);
        let sum = |i: usize| (0..4).map(|j| weights[j] * x[(i, j)]).sum::<f64>();
        for i in 0..n {
            let expected: f64 = (0..4).map(|j| signs[j] * f[(i, j)] * parts[(j, 0)]).sum();
            assert!((image[i] - expected).abs() < 1e-9 * found.norm(), "row {i}");
            // The weights tell the same but for a constant.
            assert!((sum(i) - sum(0) - image[i] + image[0]).abs() < 1e-9 * found.norm(), "row {i}");
        }
        let few = LowRank::centred(&x, map.as_ref(), &signs, Keep { most: 2, ..keep }).unwrap();
        assert_eq!((few.values().len(), few.values()[0]), (2, found.values()[0]));
        assert!(found.change_from(&few, 1) < 1e-6);
    }
}
