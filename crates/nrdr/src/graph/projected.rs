//! Exact nearest neighbours in many dimensions by way of few.
//!
//! Let P be an orthonormal basis of a few directions in which the points spread most, and r the length of what P
//! leaves of a centred point. Then |x - y|^2 >= |P'x - P'y|^2 + (r_x - r_y)^2: the squared distance of short vectors
//! (P'x, r_x) is a lower bound. All lower bounds of a block of points are one small matrix product in single precision;
//! the true distance is worth computing only where the bound, less its rounding, is below that of the k nearest so far.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

use super::neighbors::keep_nearest;
use crate::error::Result;
use crate::linalg::small::{eigen_descending, whitening};
use crate::linalg::tall::{product, transposed_product};
use crate::linalg::vector::{dot, squared_difference, squared_distance, vectorized, wide};
use crate::points::Points;

/// Directions of the projection for queries, at most.
pub(super) const DIRECTIONS: usize = 128;
/// Points that are looked at for these directions, at most,
const SAMPLE: usize = 4096;
/// and at least, where they have so many columns that
const FEWEST: usize = 2 * DIRECTIONS;
/// these would be more numbers than this.
const SAMPLED: usize = 1 << 24;
/// Points that are compared with at a time.
const BLOCK: usize = 2048;
/// Numbers that are projected at a time.
const PIECE: usize = 1 << 21;
/// Squared length, beside the largest of the points, from which on single precision says nothing.
const FAR: f32 = 1e6;

pub(crate) struct Projected {
    pub(super) means: Vec<f64>,
    /// P, a column each.
    basis: Mat<f64>,
    /// Divides lengths, so that the largest is one.
    pub(super) scale: f64,
    /// The short vectors of the points, a column each.
    pub(super) short: Mat<f32>,
    /// Their squared lengths.
    norms: Vec<f32>,
    /// Bound of the rounding error, beside the sum of the squared lengths of two points.
    error: f32,
}

impl Projected {
    /// By at most so many directions.
    pub(crate) fn new(points: &Points, directions: usize) -> Result<Self> {
        let means = points.means();
        let basis = basis(points, &means, directions)?;
        let n = points.rows();
        let lengths: Vec<f64> = (0..n).map(|i| squared_distance(points.row(i), &means)).collect();
        let largest = lengths.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let width = basis.ncols() + 1;
        let mut projected = Projected {
            means,
            basis,
            scale: largest.sqrt().recip(),
            short: Mat::zeros(width, n),
            norms: Vec::new(),
            error: (width + 16) as f32 * f32::EPSILON,
        };
        let rows = (PIECE / points.columns()).clamp(1, BLOCK);
        let pieces: Vec<Mat<f32>> = points
            .values()
            .par_chunks(rows * points.columns())
            .map(|piece| projected.shorten(piece))
            .collect();
        for (at, piece) in pieces.iter().enumerate() {
            let mut into = projected.short.as_mut().subcols_mut(at * rows, piece.ncols());
            into.copy_from(piece);
        }
        projected.norms = squares(projected.short.as_ref());
        Ok(projected)
    }

    /// Vectors of the first so many directions alone, and the length of the rest.
    pub(super) fn head(&self, width: usize) -> Mat<f32> {
        let (width, n) = (width.min(self.basis.ncols()), self.short.ncols());
        let mut head = Mat::zeros(width + 1, n);
        for i in 0..n {
            let (kept, rest) = self.short.col_as_slice(i).split_at(width);
            let into = head.col_as_slice_mut(i);
            into[..width].copy_from_slice(kept);
            into[width] = rest.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>().sqrt() as f32;
        }
        head
    }

    /// How many points have a lower bound to point `i` of at most this squared distance, by the first so many directions
    /// for each of some ascending numbers.
    pub(super) fn within<const W: usize>(
        &self,
        i: usize,
        widths: [usize; W],
        squared: f64,
    ) -> [usize; W] {
        let own = self.short.col_as_slice(i);
        let limit = (squared * self.scale * self.scale) as f32;
        let mut counts = [0; W];
        for j in 0..self.short.ncols() {
            let other = self.short.col_as_slice(j);
            let (mut from, mut sum) = (0, 0.0);
            for (count, width) in counts.iter_mut().zip(widths) {
                let to = width.min(self.basis.ncols());
                sum += squared_difference(&own[from..to], &other[from..to]);
                from = to;
                *count += usize::from(sum <= limit);
            }
        }
        counts
    }

    /// The short vectors of some points, given row after row.
    fn shorten(&self, rows: &[f64]) -> Mat<f32> {
        let columns = self.means.len();
        let count = rows.len() / columns;
        let centred = Mat::from_fn(columns, count, |c, i| {
            self.scale * (rows[i * columns + c] - self.means[c])
        });
        let mut along = Mat::zeros(self.basis.ncols(), count);
        let basis = self.basis.transpose();
        wide(|| matmul(along.as_mut(), Accum::Replace, basis, &centred, 1.0, Par::Seq));
        let rest = |i: usize| {
            let (whole, part) = (centred.col_as_slice(i), along.col_as_slice(i));
            (dot(whole, whole) - dot(part, part)).max(0.0).sqrt()
        };
        let rest: Vec<f64> = vectorized(|| (0..count).map(rest).collect());
        Mat::from_fn(along.nrows() + 1, count, |c, i| {
            if c < along.nrows() { along[(c, i)] as f32 } else { rest[i] as f32 }
        })
    }

    /// See [`super::queries::Index::nearest`].
    pub(super) fn nearest(
        &self,
        points: &Points,
        others: &[f64],
        k: usize,
    ) -> Vec<Vec<(f64, u32)>> {
        let short = self.shorten(others);
        let own = squares(short.as_ref());
        let n = points.rows();
        // |y|^2 - 2 x.y for all points y.
        let mut bounds = Mat::<f32>::zeros(n, short.ncols());
        for start in (0..n).step_by(BLOCK) {
            let size = BLOCK.min(n - start);
            let block = self.short.as_ref().subcols(start, size);
            let mut into = bounds.as_mut().subrows_mut(start, size);
            wide(|| {
                let into = into.as_mut();
                matmul(into, Accum::Replace, block.transpose(), &short, -2.0, Par::Seq);
            });
        }
        let columns = points.columns();
        let mut candidates = Vec::new();
        others
            .chunks_exact(columns)
            .enumerate()
            .map(|(i, other)| {
                let bounds = bounds.col_as_slice_mut(i);
                let (own, error) = (own[i], 2.0 * self.error);
                if !(own < FAR) {
                    return scan(points, other, k);
                }
                vectorized(|| {
                    for (bound, norm) in bounds.iter_mut().zip(&self.norms) {
                        *bound += norm - error * (norm + own) + own;
                    }
                });
                self.select(points, other, bounds, k, &mut candidates)
            })
            .collect()
    }

    /// The k nearest by the lower bounds of all (scaled) squared distances.
    fn select(
        &self,
        points: &Points,
        other: &[f64],
        bounds: &[f32],
        k: usize,
        candidates: &mut Vec<(f32, u32)>,
    ) -> Vec<(f64, u32)> {
        let distance = |j: u32| (vectorized(|| squared_distance(other, points.row(j as usize))), j);
        // The k of smallest bounds tell how far the k nearest can be at most.
        let guess = smallest(bounds, k, candidates);
        let mut found: Vec<(f64, u32)> = guess.iter().map(|&(_, j)| distance(j)).collect();
        keep_nearest(&mut found, k);
        // The bounds of what is tiny beside the farthest point have absolute errors, too.
        let scaled = |farthest: f64| {
            (farthest * self.scale * self.scale * (1.0 + 1e-6)) as f32 + f32::MIN_POSITIVE
        };
        let limit = scaled(found[k - 1].0);
        let beyond = guess[k - 1];
        candidates.clear();
        gather(bounds, limit, candidates);
        candidates.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for &(bound, j) in candidates.iter() {
            if (bound, j) <= beyond {
                continue;
            }
            if bound > scaled(found[k - 1].0) {
                break;
            }
            let (d, j) = distance(j);
            let last = found[k - 1];
            if d < last.0 || d == last.0 && j < last.1 {
                found.pop();
                let place = found.partition_point(|&(e, l)| e < d || e == d && l < j);
                found.insert(place, (d, j));
            }
        }
        found
    }
}

/// The k nearest by all distances.
fn scan(points: &Points, other: &[f64], k: usize) -> Vec<(f64, u32)> {
    let distance = |j: usize| (squared_distance(other, points.row(j)), j as u32);
    let mut all = (0..points.rows()).map(distance).collect();
    keep_nearest(&mut all, k);
    all
}

/// The entries that are at most `limit`, with their places.
fn gather(bounds: &[f32], limit: f32, into: &mut Vec<(f32, u32)>) {
    const LANES: usize = 32;
    vectorized(|| {
        for (at, chunk) in bounds.chunks(LANES).enumerate() {
            if chunk.iter().fold(false, |any, bound| any | (*bound <= limit)) {
                let places = (at * LANES) as u32..;
                let below = chunk.iter().copied().zip(places).filter(|(bound, _)| *bound <= limit);
                into.extend(below);
            }
        }
    });
}

/// The `k` smallest entries, with their places, smallest first and of equals the first.
fn smallest(bounds: &[f32], k: usize, scratch: &mut Vec<(f32, u32)>) -> Vec<(f32, u32)> {
    let order = |a: &(f32, u32), b: &(f32, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    let keep = |list: &mut Vec<(f32, u32)>| {
        if list.len() > k {
            list.select_nth_unstable_by(k - 1, order);
            list.truncate(k);
        }
    };
    let full = 4 * k + 64;
    let mut limit = f32::INFINITY;
    scratch.clear();
    for (at, chunk) in bounds.chunks(256).enumerate() {
        let before = scratch.len();
        gather(chunk, limit, scratch);
        scratch[before..].iter_mut().for_each(|entry| entry.1 += 256 * at as u32);
        if scratch.len() > full {
            keep(scratch);
            limit = scratch[k - 1].0;
        }
    }
    keep(scratch);
    scratch.sort_unstable_by(order);
    scratch.clone()
}

fn squares(columns: MatRef<'_, f32>) -> Vec<f32> {
    columns.col_iter().map(|column| column.iter().map(|v| v * v).sum()).collect()
}

/// How many points of so many columns are looked at for the directions.
pub(crate) fn sampled(columns: usize) -> usize {
    (SAMPLED / columns).clamp(FEWEST, SAMPLE)
}

/// Directions in which the points spread much, most first: a random block, multiplied by their covariance.
fn basis(points: &Points, means: &[f64], directions: usize) -> Result<Mat<f64>> {
    let (columns, width) = (points.columns(), directions.min(points.columns()));
    let every = points.rows().div_ceil(sampled(columns));
    let rows: Vec<usize> = (0..points.rows()).step_by(every).collect();
    let sample = Mat::from_fn(rows.len(), columns, |i, c| points.row(rows[i])[c] - means[c]);
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let mut block = Mat::from_fn(columns, width, |_, _| StandardNormal.sample(&mut random));
    for _ in 0..3 {
        let image = product(sample.as_ref(), block.as_ref());
        block = transposed_product(sample.as_ref(), image.as_ref());
        block = orthonormal(block)?;
    }
    let block = orthonormal(block)?;
    let image = product(sample.as_ref(), block.as_ref());
    let (_, turn) = eigen_descending(transposed_product(image.as_ref(), image.as_ref()).as_ref())?;
    Ok(product(block.as_ref(), turn.as_ref()))
}

/// An orthonormal basis of what the columns span.
fn orthonormal(block: Mat<f64>) -> Result<Mat<f64>> {
    // Points that spread nowhere have no directions.
    let largest = block.col_iter().flat_map(|c| c.iter()).fold(0.0, |m: f64, v| m.max(v.abs()));
    if !(largest > 0.0) {
        return Ok(Mat::zeros(block.nrows(), 0));
    }
    let block = Mat::from_fn(block.nrows(), block.ncols(), |i, j| block[(i, j)] / largest);
    let combination = whitening(transposed_product(block.as_ref(), block.as_ref()))?;
    Ok(product(block.as_ref(), combination.as_ref()))
}
