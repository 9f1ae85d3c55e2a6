//! Squared distances of all points from some of them.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};

use crate::linalg::vector::{dot, vectorized, wide};
use crate::metric::Metric;
use crate::points::Points;

/// Points of more columns have their distances from products: |x|^2 + |y|^2 - 2 x'y.
const FEW: usize = 7;
/// Unless some squared length is so many times the median one: rounding would drown the distances of the others.
const UNEVEN: f64 = 1e8;

/// Points whose squared distances are asked for.
pub(super) enum Squares<'p> {
    /// Column after column.
    Few(Vec<Vec<f64>>),
    /// The points less their means, and their squared lengths.
    Many(Mat<f64>, Vec<f64>),
    /// By a norm: what grows with the distance.
    ByNorm(Metric, &'p Points),
}

impl<'p> Squares<'p> {
    /// Of points as a metric sees them.
    pub(super) fn by(metric: Metric, points: &'p Points) -> Self {
        if metric.is_euclidean_at_heart() {
            Squares::new(points)
        } else {
            Squares::ByNorm(metric, points)
        }
    }

    pub(super) fn new(points: &Points) -> Self {
        if points.columns() <= FEW {
            return Squares::Few((0..points.columns()).map(|c| points.column(c)).collect());
        }
        // Columns of large means would leave few digits to the differences.
        let means = points.means();
        let centred =
            Mat::from_fn(points.columns(), points.rows(), |c, i| points.row(i)[c] - means[c]);
        let lengths =
            (0..points.rows()).map(|i| dot(centred.col_as_slice(i), centred.col_as_slice(i)));
        let lengths: Vec<f64> = lengths.collect();
        if is_uneven(&lengths) {
            return Squares::Few((0..points.columns()).map(|c| points.column(c)).collect());
        }
        Squares::Many(centred, lengths)
    }

    /// The squared distances of all points from some, a column for each of them; those from themselves are infinite.
    pub(super) fn from(&self, some: &[usize]) -> Mat<f64> {
        match self {
            Squares::Few(columns) => few(columns, some),
            Squares::Many(centred, lengths) => many(centred.as_ref(), lengths, some),
            Squares::ByNorm(metric, points) => by_norm(*metric, points, some),
        }
    }
}

/// Whether the longest is much longer than most.
fn is_uneven(lengths: &[f64]) -> bool {
    let mut ordered = lengths.to_vec();
    ordered.sort_unstable_by(f64::total_cmp);
    let (median, longest) = (ordered.get(ordered.len() / 2), ordered.last());
    median.zip(longest).is_some_and(|(median, longest)| *longest > UNEVEN * median)
}

fn few(columns: &[Vec<f64>], some: &[usize]) -> Mat<f64> {
    let mut squares = Mat::zeros(columns[0].len(), some.len());
    for (at, &own) in some.iter().enumerate() {
        let squares = squares.col_as_slice_mut(at);
        vectorized(|| {
            for column in columns {
                let centre = column[own];
                for (square, value) in squares.iter_mut().zip(column) {
                    *square += (value - centre) * (value - centre);
                }
            }
        });
        squares[own] = f64::INFINITY;
    }
    squares
}

fn by_norm(metric: Metric, points: &Points, some: &[usize]) -> Mat<f64> {
    let measure = |i: usize, own: usize| {
        if i == own { f64::INFINITY } else { metric.measure(points.row(i), points.row(own)) }
    };
    vectorized(|| Mat::from_fn(points.rows(), some.len(), |i, at| measure(i, some[at])))
}

fn many(centred: MatRef<'_, f64>, lengths: &[f64], some: &[usize]) -> Mat<f64> {
    let own = Mat::from_fn(centred.nrows(), some.len(), |c, at| centred[(c, some[at])]);
    let mut squares = Mat::zeros(lengths.len(), some.len());
    let (product, all) = (squares.as_mut(), centred.transpose());
    wide(|| matmul(product, Accum::Replace, all, own.as_ref(), -2.0, Par::Seq));
    for (at, &own) in some.iter().enumerate() {
        let squares = squares.col_as_slice_mut(at);
        for (square, length) in squares.iter_mut().zip(lengths) {
            *square = (*square + (length + lengths[own])).max(0.0);
        }
        squares[own] = f64::INFINITY;
    }
    squares
}
