//! The search for neighbours in shares: for engines that keep some of the points on each of several machines, and come to
//! the lists that one machine comes to.
//!
//! Points are as the metric sees them ([`see`]). Lists have what the norm of the metric tells, which grows with the
//! distance ([`length`] is that); a point is told by a number, and of equals the smaller one is first.

use std::borrow::Cow;

use super::kd_tree::{KdTree, pays};
pub use super::kd_tree::{MOST_COLUMNS, arrange, levels, sampled};
use super::neighbors::Search;
use super::queries::Index;
use super::scan;
use crate::error::Result;
use crate::metric::Metric;
use crate::metric::norm::{Norm, by_norm};
use crate::points::Points;

/// What is nearest to something else: what the norm tells, and a number.
pub type Found = (f64, u32);

/// Rows of so many columns, one after another, as a metric sees them; errors count rows from `first`.
pub fn see<'r>(
    metric: Metric,
    rows: &'r [f64],
    columns: usize,
    first: usize,
) -> Result<Cow<'r, [f64]>> {
    metric.check_itself()?;
    metric.see(rows, columns, first)
}

/// How many columns points of so many have as a metric sees them.
pub fn columns_seen(metric: Metric, columns: usize) -> usize {
    metric.columns(columns)
}

/// The distance of points of so many columns by what the norm tells.
pub fn length(metric: Metric, measure: f64, columns: usize) -> f64 {
    metric.length(measure, columns)
}

/// What the norm tells of two points.
pub fn measure(metric: Metric, a: &[f64], b: &[f64]) -> f64 {
    metric.measure(a, b)
}

/// What the norm tells at least of all points in a box.
pub fn to_box(metric: Metric, point: &[f64], lower: &[f64], upper: &[f64]) -> f64 {
    by_norm!(metric, norm => norm.to_box(point, lower, upper))
}

/// Whether neighbours are searched in a tree, when sample queries of `k` neighbours look at this share of the points.
pub fn tree_pays(metric: Metric, visited: f64, k: usize) -> bool {
    fn of<N: Norm>(_: N, visited: f64, k: usize) -> bool {
        pays::<N>(visited, k)
    }
    by_norm!(metric, norm => of(norm, visited, k))
}

/// Refuses a search that there is not by a metric.
pub fn check_search(search: Search, metric: Metric) -> Result<()> {
    search.check(metric)
}

/// A part of the kd-tree over all points: what lies below one of its nodes.
pub struct Subtree {
    tree: Box<dyn Below>,
}

/// What is asked of a tree by any norm.
trait Below: Send + Sync {
    fn go_on(
        &self,
        point: &[f64],
        at: usize,
        k: usize,
        limit: f64,
        found: &mut Vec<Found>,
    ) -> usize;
    fn bounds(&self) -> (&[f64], &[f64]);
    fn smallest(&self) -> u32;
    fn renumber(&mut self, numbers: Vec<u32>);
    fn owners(&self, group_of: &[u32]) -> Vec<u32>;
    fn nearest_outside(
        &self,
        point: &[f64],
        group: u32,
        groups: (&[u32], &[u32]),
        limit: f64,
    ) -> Option<Found>;
}

impl<N: Norm> Below for KdTree<N> {
    fn go_on(
        &self,
        point: &[f64],
        at: usize,
        k: usize,
        limit: f64,
        found: &mut Vec<Found>,
    ) -> usize {
        KdTree::go_on(self, point, at, k, limit, found)
    }

    fn bounds(&self) -> (&[f64], &[f64]) {
        KdTree::bounds(self, 0)
    }

    fn smallest(&self) -> u32 {
        self.smallest[0]
    }

    fn renumber(&mut self, numbers: Vec<u32>) {
        KdTree::renumber(self, numbers);
    }

    fn owners(&self, group_of: &[u32]) -> Vec<u32> {
        KdTree::owners(self, group_of)
    }

    fn nearest_outside(
        &self,
        point: &[f64],
        group: u32,
        groups: (&[u32], &[u32]),
        limit: f64,
    ) -> Option<Found> {
        KdTree::nearest_outside(self, point, group, groups, limit)
    }
}

impl Subtree {
    /// Of points in the order of a tree of so many levels ([`arrange`]), each with a number.
    pub fn new(metric: Metric, points: Points, numbers: Vec<u32>, levels: u32) -> Self {
        let tree: Box<dyn Below> = by_norm!(metric, norm =>
            Box::new(KdTree::of_arranged(norm, points, numbers, levels)));
        Subtree { tree }
    }

    /// Gives the points other numbers.
    pub fn renumber(&mut self, numbers: Vec<u32>) {
        self.tree.renumber(numbers);
    }

    /// The lower and the upper corner of the box of all points.
    pub fn bounds(&self) -> (&[f64], &[f64]) {
        self.tree.bounds()
    }

    /// The smallest number.
    pub fn smallest(&self) -> u32 {
        self.tree.smallest()
    }

    /// Goes on with a query that has found up to `k` points elsewhere, of which nothing farther than `limit` is wanted;
    /// the point at a position is left out. Returns how many points were looked at.
    pub fn go_on(
        &self,
        point: &[f64],
        without: Option<usize>,
        k: usize,
        limit: f64,
        found: &mut Vec<Found>,
    ) -> usize {
        self.tree.go_on(point, without.unwrap_or(usize::MAX), k, limit, found)
    }

    /// What tells a search outside of groups where it need not look; points by their numbers.
    pub fn owners(&self, group_of: &[u32]) -> Vec<u32> {
        self.tree.owners(group_of)
    }

    /// The nearest point outside of a group, if one is no farther than a limit; `owners` are those of the same groups.
    pub fn nearest_outside(
        &self,
        point: &[f64],
        group: u32,
        group_of: &[u32],
        owners: &[u32],
        limit: f64,
    ) -> Option<Found> {
        self.tree.nearest_outside(point, group, (group_of, owners), limit)
    }
}

/// Points that others are compared with, block by block, where a tree over all points does not pay.
pub struct Block {
    points: Points,
    index: Index,
}

impl Block {
    /// Prepares points for queries of about `k` neighbours.
    pub fn new(metric: Metric, points: Points, k: usize) -> Result<Self> {
        let index = Index::new(&points, metric, k)?;
        Ok(Block { points, index })
    }

    /// The `k` nearest points, or all if there are fewer, of each of some others; a point's number is its row.
    pub fn nearest(&self, others: &[f64], k: usize) -> Vec<Vec<Found>> {
        self.index.measured(&self.points, others, k.min(self.points.rows()))
    }
}

/// The same by all distances, without preparation.
pub fn nearest_by_all(
    metric: Metric,
    points: &Points,
    others: &[f64],
    k: usize,
) -> Vec<Vec<Found>> {
    let k = k.min(points.rows());
    by_norm!(metric, norm => scan::nearest(norm, points, others, k))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::neighbors::keep_nearest;

    /// Points of a lattice, so that distances repeat.
    fn lattice() -> Points {
        let row = |i: usize| [(i * 37 % 211) % 15, (i * 37 % 211) / 15].map(|v| v as f64);
        Points::from_rows((0..211).map(row)).unwrap()
    }

    #[test]
    fn leaves_have_ascending_indices_whatever_order_came_before() {
        let points = lattice();
        let mut order: Vec<u32> = (0..211).collect();
        let mut other: Vec<u32> = (0..211).map(|i| i * 50 % 211).collect();
        arrange(&points, &mut order, levels(211));
        arrange(&points, &mut other, levels(211));
        assert_eq!(order, other);
    }

    #[test]
    fn a_query_goes_on_from_tree_to_tree_and_to_blocks() {
        let points = lattice();
        for metric in [Metric::Euclidean, Metric::Manhattan, Metric::Hamming] {
            // Every third point is elsewhere; numbers are those of all.
            let shares = [0, 1, 2].map(|share| (share..211).step_by(3).collect::<Vec<u32>>());
            let trees = shares.clone().map(|share| {
                let own = points.select(&share);
                let mut order: Vec<u32> = (0..share.len() as u32).collect();
                arrange(&own, &mut order, levels(share.len()));
                let numbers = order.iter().map(|&at| share[at as usize]).collect();
                Subtree::new(metric, own.select(&order), numbers, levels(share.len()))
            });
            let blocks =
                shares.clone().map(|share| Block::new(metric, points.select(&share), 6).unwrap());
            for i in 0..211 {
                let point = points.row(i);
                let tell = |j: usize| (measure(metric, point, points.row(j)), j as u32);
                let mut wanted: Vec<Found> = (0..211).map(tell).collect();
                keep_nearest(&mut wanted, 6);
                let (mut found, mut together) = (Vec::new(), Vec::new());
                for ((tree, block), share) in trees.iter().zip(&blocks).zip(&shares) {
                    tree.go_on(point, None, 6, f64::INFINITY, &mut found);
                    let near = block.nearest(point, 6).remove(0);
                    together.extend(near.into_iter().map(|(d, at)| (d, share[at as usize])));
                    let (lower, upper) = tree.bounds();
                    let least = to_box(metric, point, lower, upper);
                    assert!(share.iter().all(|&j| least <= tell(j as usize).0));
                }
                keep_nearest(&mut together, 6);
                assert_eq!((&found, &together), (&wanted, &wanted), "{metric}");
                // A limit keeps what is as far.
                let (limit, mut within) = (wanted[2].0, Vec::new());
                trees[0].go_on(point, None, 6, limit, &mut within);
                assert!(within.iter().all(|found| found.0 <= limit));
                let in_share = |found: &&Found| found.1.is_multiple_of(3) && found.0 <= limit;
                assert!(wanted.iter().filter(in_share).all(|found| within.contains(found)));
            }
        }
    }
}
