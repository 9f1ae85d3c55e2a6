//! Local linear regression at some of the points, from those that are near them at each bandwidth.
//!
//! The same sums as of all points, but for weights below [`LEAST`] of the largest, which are left out: together at
//! most n times [`LEAST`] of all weights. Points lie in the order of a kd-tree, so that those left out are whole tiles.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};

use super::bandwidth::Grid;
use super::leave_one_out::{Moments, range};
use crate::error::Result;
use crate::graph::KdTree;
use crate::linalg::vector::{exp, vectorized, wide};
use crate::points::Points;

/// Weights below this share of the largest may be left out,
const LEAST: f64 = 1e-10;
/// where those of so many neighbouring points are.
const TILE: usize = 64;

/// Points that predict each other, in the order of a tree.
pub(super) struct Near {
    /// Predictors, a column each.
    x: Mat<f64>,
    /// What is predicted, a column each.
    y: Mat<f64>,
    /// The least and the largest value of each.
    ranges: Vec<(f64, f64)>,
    moments: Moments,
}

impl Near {
    pub(super) fn new(x: MatRef<'_, f64>, y: MatRef<'_, f64>) -> Result<Self> {
        let (n, q) = (x.nrows(), x.ncols());
        let rows = (0..n).flat_map(|i| x.row(i).iter().copied()).collect();
        let (_, order) = KdTree::new(&Points::new(rows, q)?).into_points();
        let ordered =
            |m: MatRef<'_, f64>| Mat::from_fn(n, m.ncols(), |i, j| m[(order[i] as usize, j)]);
        let (x, y) = (ordered(x), ordered(y));
        let ranges = y.col_iter().map(range).collect();
        let moments = Moments::new(x.as_ref(), y.as_ref());
        Ok(Near { x, y, ranges, moments })
    }

    /// The values that are predicted, a column each.
    pub(super) fn targets(&self) -> &Mat<f64> {
        &self.y
    }

    /// The squared errors at some points, by ascending number: a row for each point, a column for each target, a matrix
    /// for each of these steps of the grid.
    pub(super) fn squared_errors(
        &self,
        points: &[usize],
        grid: &Grid,
        steps: &[usize],
    ) -> Vec<Mat<f64>> {
        let distances = Distances::new(self.x.as_ref(), points);
        let mut weights = Mat::zeros(self.x.nrows(), points.len());
        let of_step = |&step: &usize| {
            let bandwidth = grid.bandwidth(step);
            let sums = self.sums(&distances, 0.5 / (bandwidth * bandwidth), &mut weights);
            let mut errors = Mat::zeros(points.len(), self.y.ncols());
            for (i, &point) in points.iter().enumerate() {
                let at: Vec<f64> = self.x.row(point).iter().copied().collect();
                let sums: Vec<f64> = sums.row(i).iter().copied().collect();
                let predicted = self.moments.predict(&at, &sums, bandwidth);
                for (j, predicted) in predicted.into_iter().enumerate() {
                    let predicted = predicted.clamp(self.ranges[j].0, self.ranges[j].1);
                    errors[(i, j)] = (self.y[(point, j)] - predicted).powi(2);
                }
            }
            errors
        };
        steps.iter().map(of_step).collect()
    }

    /// The weighted sums of moments at some points, a row for each; `weights` is room for the weights.
    fn sums(&self, distances: &Distances, scale: f64, weights: &mut Mat<f64>) -> Mat<f64> {
        let values = self.moments.values();
        let mut sums = Mat::zeros(distances.excess.ncols(), values.ncols());
        for near in distances.within(-LEAST.ln() / scale) {
            let (start, size) = (near.start, near.len());
            for i in 0..distances.excess.ncols() {
                let excess = &distances.excess.col_as_slice(i)[near.clone()];
                let weights = &mut weights.col_as_slice_mut(i)[near.clone()];
                vectorized(|| {
                    for (weight, excess) in weights.iter_mut().zip(excess) {
                        *weight = exp(-excess * scale);
                    }
                });
            }
            let weights = weights.as_ref().subrows(start, size).transpose();
            let values = values.subrows(start, size);
            wide(|| matmul(sums.as_mut(), Accum::Add, weights, values, 1.0, Par::Seq));
        }
        sums
    }
}

/// How far all points are from some.
struct Distances {
    /// The squared distances less that of the nearest other point, a column for each of the some; infinite from itself.
    excess: Mat<f64>,
    /// The least of each tile.
    tiles: Vec<f64>,
}

impl Distances {
    fn new(x: MatRef<'_, f64>, points: &[usize]) -> Self {
        let n = x.nrows();
        let mut excess = Mat::zeros(n, points.len());
        let mut tiles = vec![f64::INFINITY; n.div_ceil(TILE)];
        for (i, &point) in points.iter().enumerate() {
            let squares = excess.col_as_slice_mut(i);
            vectorized(|| {
                for column in x.col_iter() {
                    let own = column[point];
                    for (square, value) in squares.iter_mut().zip(column.iter()) {
                        *square += (value - own) * (value - own);
                    }
                }
                squares[point] = f64::INFINITY;
                let nearest = least(squares);
                for (tile, squares) in tiles.iter_mut().zip(squares.chunks_mut(TILE)) {
                    squares.iter_mut().for_each(|square| *square -= nearest);
                    *tile = tile.min(least(squares));
                }
            });
        }
        Distances { excess, tiles }
    }

    /// The runs of points in tiles with at least one that is less far than `reach`.
    fn within(&self, reach: f64) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        let near = self.tiles.iter().enumerate().filter(|(_, least)| **least < reach);
        for (tile, _) in near {
            let (start, end) = (tile * TILE, ((tile + 1) * TILE).min(self.excess.nrows()));
            match runs.last_mut() {
                Some(run) if run.end == start => run.end = end,
                _ => runs.push(start..end),
            }
        }
        runs
    }
}

/// The least of some values.
#[inline(always)]
fn least(values: &[f64]) -> f64 {
    let lesser = |a: f64, b: f64| if b < a { b } else { a };
    let (chunks, rest) = values.as_chunks::<8>();
    let mut lanes = [f64::INFINITY; 8];
    for chunk in chunks {
        for lane in 0..8 {
            lanes[lane] = lesser(lanes[lane], chunk[lane]);
        }
    }
    lanes.iter().chain(rest).copied().fold(f64::INFINITY, lesser)
}
