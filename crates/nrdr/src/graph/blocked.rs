//! Exact nearest neighbours in many dimensions by matrix multiplication.
//!
//! With centred points, |x - y|^2 = |x|^2 + |y|^2 - 2 x.y, and the inner products of two blocks of
//! points are one matrix product. The products are done in single precision, which is twice as
//! fast; their rounding error is bounded by w (|x|^2 + |y|^2), so every point that could be among
//! the k nearest within that bound stays a candidate, and the candidates are ranked by their
//! distance in double precision. The answer is exact, ties included.

use std::collections::HashMap;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rayon::prelude::*;

use super::neighbors::{Neighborhoods, keep_nearest};
use crate::error::Result;
use crate::linalg::vector::{dot, squared_distance, vectorized, wide};
use crate::points::Points;
use crate::progress::Progress;

/// Points whose neighbours are searched at a time.
const QUERIES: usize = 256;
/// Points they are compared with at a time: the products of a block stay in the cache.
const BLOCK: usize = 1024;

/// The `k` nearest neighbours of every point.
pub(super) fn neighbors(
    points: &Points,
    k: usize,
    progress: &Progress<'_>,
) -> Result<Neighborhoods> {
    // Copies of one point are searched once, or they would all be candidates for each other.
    let groups = groups_of_equal_points(points);
    let distinct = groups.len() < points.rows();
    let firsts: Vec<u32> = groups.iter().map(|group| group[0]).collect();
    let selected = distinct.then(|| points.select(&firsts));
    let unique = selected.as_ref().unwrap_or(points);
    let lists = search(unique, k.min(unique.rows() - 1), progress)?;
    let lists = if distinct { expand(&lists, &groups, k, points.rows()) } else { lists };
    let (squared, indices): (Vec<f64>, Vec<u32>) = lists.into_iter().flatten().unzip();
    let distances = squared.iter().map(|d| d.sqrt()).collect();
    Ok(Neighborhoods::uniform(k, indices, distances))
}

/// Indices of equal points together; groups and members in ascending order.
fn groups_of_equal_points(points: &Points) -> Vec<Vec<u32>> {
    let mut group_of: HashMap<Vec<u64>, usize> = HashMap::new();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for i in 0..points.rows() {
        // Adding zero turns -0 into 0.
        let key = points.row(i).iter().map(|v| (v + 0.0).to_bits()).collect();
        let group = *group_of.entry(key).or_insert(groups.len());
        match groups.get_mut(group) {
            Some(members) => members.push(i as u32),
            None => groups.push(vec![i as u32]),
        }
    }
    groups
}

/// Turns lists of distinct points into lists of all points.
fn expand(
    lists: &[Vec<(f64, u32)>],
    groups: &[Vec<u32>],
    k: usize,
    n: usize,
) -> Vec<Vec<(f64, u32)>> {
    let mut expanded = vec![Vec::new(); n];
    for (group, list) in groups.iter().zip(lists) {
        let mut all: Vec<(f64, u32)> = group.iter().take(k + 1).map(|&i| (0.0, i)).collect();
        for &(distance, other) in list {
            let members = groups[other as usize].iter().take(k);
            all.extend(members.map(|&j| (distance, j)));
        }
        keep_nearest(&mut all, k + 1);
        for &i in group {
            let others = all.iter().filter(|&&(_, j)| j != i);
            expanded[i as usize] = others.take(k).copied().collect();
        }
    }
    expanded
}

/// Points prepared for products in single precision.
struct Prepared {
    /// Centred points divided by the largest norm, a column each.
    columns: Mat<f32>,
    /// Squared norms of the columns.
    norms: Vec<f32>,
    /// Bound w of the rounding error.
    error: f32,
}

impl Prepared {
    fn new(points: &Points) -> Self {
        let (n, dim) = (points.rows(), points.columns());
        let means = points.means();
        let centred = |i: usize| {
            let pairs = points.row(i).iter().zip(&means);
            pairs.map(|(v, m)| v - m).collect::<Vec<f64>>()
        };
        let norms: Vec<f64> = (0..n)
            .into_par_iter()
            .map(|i| {
                let x = centred(i);
                dot(&x, &x)
            })
            .collect();
        let largest = norms.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let scale = largest.sqrt().recip();
        let mut columns = Mat::zeros(dim, n);
        for i in 0..n {
            for (out, v) in columns.col_as_slice_mut(i).iter_mut().zip(centred(i)) {
                *out = (v * scale) as f32;
            }
        }
        Prepared {
            columns,
            norms: norms.iter().map(|v| (v / largest) as f32).collect(),
            error: (dim + 16) as f32 * f32::EPSILON / 2.0,
        }
    }

    fn block(&self, start: usize, size: usize) -> MatRef<'_, f32> {
        let size = size.min(self.columns.ncols() - start);
        self.columns.as_ref().subcols(start, size)
    }
}

fn search(points: &Points, k: usize, progress: &Progress<'_>) -> Result<Vec<Vec<(f64, u32)>>> {
    let n = points.rows();
    if k == 0 {
        return Ok(vec![Vec::new(); n]);
    }
    let prepared = Prepared::new(points);
    let blocks: Vec<Vec<Vec<(f64, u32)>>> = (0..n)
        .into_par_iter()
        .step_by(QUERIES)
        .map(|start| search_block(points, &prepared, start, k, progress))
        .collect::<Result<_>>()?;
    Ok(blocks.into_iter().flatten().collect())
}

/// Neighbours of the points from `start` on.
fn search_block(
    points: &Points,
    prepared: &Prepared,
    start: usize,
    k: usize,
    progress: &Progress<'_>,
) -> Result<Vec<Vec<(f64, u32)>>> {
    let n = points.rows();
    let queries = prepared.block(start, QUERIES);
    let mut candidates: Vec<Candidates> =
        (start..start + queries.ncols()).map(|i| Candidates::new(i, k, points, prepared)).collect();
    let mut products = Mat::<f32>::zeros(BLOCK, QUERIES);
    for other in (0..n).step_by(BLOCK) {
        let others = prepared.block(other, BLOCK);
        let into = products.as_mut().submatrix_mut(0, 0, others.ncols(), queries.ncols());
        wide(|| matmul(into, Accum::Replace, others.transpose(), queries, 1.0, Par::Seq));
        let norms = &prepared.norms[other..][..others.ncols()];
        vectorized(|| {
            for (column, candidates) in candidates.iter_mut().enumerate() {
                candidates.scan(&products.col_as_slice(column)[..norms.len()], norms, other);
            }
        });
        progress.advance(queries.ncols() * others.ncols(), n * n)?;
    }
    candidates.iter_mut().for_each(Candidates::sift);
    Ok(candidates.iter().map(Candidates::nearest).collect())
}

/// What may be among the k nearest of one point.
struct Candidates<'p> {
    query: usize,
    k: usize,
    points: &'p Points,
    prepared: &'p Prepared,
    /// (|y|^2 - 2 x.y - w |y|^2, index of y): a lower bound of the distance but for a constant.
    found: Vec<(f32, u32)>,
    /// Nothing with a lower bound above this is among the k nearest.
    limit: f32,
    /// The candidates are sifted when they are this many.
    full: usize,
}

impl<'p> Candidates<'p> {
    fn new(query: usize, k: usize, points: &'p Points, prepared: &'p Prepared) -> Self {
        let full = 4 * k + 256;
        Candidates {
            query,
            k,
            points,
            prepared,
            found: Vec::with_capacity(full),
            limit: f32::INFINITY,
            full,
        }
    }

    #[inline(always)]
    fn scan(&mut self, products: &[f32], norms: &[f32], start: usize) {
        const LANES: usize = 32;
        let shrink = 1.0 - self.prepared.error;
        for (chunk, (products, norms)) in
            products.chunks(LANES).zip(norms.chunks(LANES)).enumerate()
        {
            let lower = |(norm, product): (&f32, &f32)| norm * shrink - 2.0 * product;
            let limit = self.limit;
            let pairs = norms.iter().zip(products);
            if !pairs.fold(false, |any, pair| any | (lower(pair) <= limit)) {
                continue;
            }
            let first = start + chunk * LANES;
            for (j, pair) in (first..).zip(norms.iter().zip(products)) {
                let lower = lower(pair);
                if lower <= self.limit && j != self.query {
                    self.found.push((lower, j as u32));
                    if self.found.len() >= self.full {
                        self.sift();
                    }
                }
            }
        }
    }

    /// Lowers the limit to the k-th smallest upper bound and drops what is above it.
    fn sift(&mut self) {
        let Prepared { norms, error, .. } = self.prepared;
        if self.found.len() < self.k {
            return;
        }
        let own = norms[self.query];
        // From lower to upper bound: twice the error, and what rounding here may add.
        let upper = |&(lower, j): &(f32, u32)| {
            lower + 4.0 * error * (own + norms[j as usize]) + f32::MIN_POSITIVE
        };
        let mut uppers: Vec<f32> = self.found.iter().map(upper).collect();
        let (_, limit, _) = uppers.select_nth_unstable_by(self.k - 1, f32::total_cmp);
        self.limit = *limit;
        self.found.retain(|&(lower, _)| lower <= self.limit);
        if self.found.len() > self.full / 2 {
            // Single precision cannot tell these apart: let their distances decide.
            let nearest = self.nearest();
            self.found.retain(|&(_, j)| nearest.iter().any(|&(_, other)| other == j));
        }
    }

    /// The k nearest with their squared distances in double precision.
    fn nearest(&self) -> Vec<(f64, u32)> {
        let query = self.points.row(self.query);
        let exact =
            |&(_, j): &(f32, u32)| (squared_distance(query, self.points.row(j as usize)), j);
        let mut nearest: Vec<(f64, u32)> = vectorized(|| self.found.iter().map(exact).collect());
        keep_nearest(&mut nearest, self.k);
        nearest
    }
}
