//! A kd-tree with tight boxes: exact nearest neighbours by any norm, with ties broken by index.
//!
//! Every node knows its bounding box and the smallest index below it. A node is skipped when even
//! the pair (distance to its box, smallest index) is no better than the worst neighbour so far, so
//! many equal distances (points on a lattice, thousands of copies of one point) cost no more
//! than others. The tree is balanced and lies in one array; node `i` has children `2i+1` and `2i+2`.

use rayon::prelude::*;

use super::neighbors::Neighborhoods;
use crate::error::Result;
use crate::metric::norm::{Norm, Squares};
use crate::points::Points;
use crate::progress::Progress;

const LEAF: usize = 12;
const CHUNK: usize = 1024;

/// A static kd-tree over a set of points.
pub(crate) struct KdTree<N = Squares> {
    pub(super) norm: N,
    /// Original index of the point at each position of the tree.
    pub(super) order: Vec<u32>,
    /// The points in tree order, row after row.
    pub(super) points: Points,
    /// Lower then upper corner of each node's box.
    boxes: Vec<f64>,
    /// Smallest original index below each node.
    pub(super) smallest: Vec<u32>,
    /// Number of levels of inner nodes.
    depth: u32,
}

/// A candidate: what the norm tells of it and its index, compared in this order.
type Found = (f64, u32);

/// Farther than every point.
const NOTHING: Found = (f64::INFINITY, u32::MAX);

/// Whether `a` comes before `b`.
#[inline(always)]
fn closer(a: Found, b: Found) -> bool {
    a.0 < b.0 || a.0 == b.0 && a.1 < b.1
}

/// With more columns than this a tree is not even tried.
pub const MOST_COLUMNS: usize = 64;

impl KdTree {
    /// Of squared Euclidean distances.
    pub(crate) fn new(points: &Points) -> Self {
        KdTree::by(Squares, points)
    }
}

impl<N: Norm> KdTree<N> {
    /// Of distances by a norm.
    pub(crate) fn by(norm: N, points: &Points) -> Self {
        let n = points.rows();
        let depth = levels(n);
        let mut order: Vec<u32> = (0..n as u32).collect();
        arrange(points, &mut order, depth);
        KdTree::of_arranged(norm, points.select(&order), order, depth)
    }

    /// Of points that lie in the order of a tree of so many levels, with the number of each.
    pub(super) fn of_arranged(norm: N, points: Points, order: Vec<u32>, depth: u32) -> Self {
        let (n, dim) = (points.rows(), points.columns());
        let mut tree = KdTree {
            norm,
            points,
            boxes: vec![0.0; ((2 << depth) - 1) * 2 * dim],
            smallest: vec![0; (2 << depth) - 1],
            order,
            depth,
        };
        tree.fill_boxes(0, 0, n, 0);
        tree
    }

    /// Gives the points other numbers.
    pub(super) fn renumber(&mut self, order: Vec<u32>) {
        self.order = order;
        self.fill_boxes(0, 0, self.order.len(), 0);
    }

    /// Goes on with a query that has found up to `k` points elsewhere, of which nothing farther than a limit is wanted.
    /// Returns how many points were looked at.
    pub(super) fn go_on(
        &self,
        point: &[f64],
        position: usize,
        k: usize,
        limit: f64,
        found: &mut Vec<(f64, u32)>,
    ) -> usize {
        let mut query = Query::new(self, k);
        query.found = std::mem::take(found);
        let last = query.found.get(k - 1).copied();
        query.worst = last.unwrap_or((limit, u32::MAX));
        query.visit_all(point, position);
        *found = query.found;
        query.visited
    }

    pub(super) fn is_leaf(&self, level: u32) -> bool {
        level == self.depth
    }

    pub(super) fn bounds(&self, node: usize) -> (&[f64], &[f64]) {
        let dim = self.points.columns();
        self.boxes[node * 2 * dim..][..2 * dim].split_at(dim)
    }

    fn fill_boxes(&mut self, node: usize, lo: usize, hi: usize, level: u32) {
        let dim = self.points.columns();
        let mut corners = vec![f64::INFINITY; dim];
        corners.resize(2 * dim, f64::NEG_INFINITY);
        let smallest;
        if self.is_leaf(level) {
            smallest = self.order[lo..hi].iter().copied().min().unwrap_or(u32::MAX);
            for p in lo..hi {
                widen(&mut corners, self.points.row(p), self.points.row(p));
            }
        } else {
            let mid = lo.midpoint(hi);
            let children = [2 * node + 1, 2 * node + 2];
            self.fill_boxes(children[0], lo, mid, level + 1);
            self.fill_boxes(children[1], mid, hi, level + 1);
            smallest = self.smallest[children[0]].min(self.smallest[children[1]]);
            for child in children {
                let (lower, upper) = self.bounds(child);
                widen(&mut corners, lower, upper);
            }
        }
        self.smallest[node] = smallest;
        self.boxes[node * 2 * dim..][..2 * dim].copy_from_slice(&corners);
    }

    /// The `k` nearest neighbours of every point, with what the norm tells of them, and with the points numbered as they
    /// lie in the tree: near points have near numbers. Equal distances are still ordered by the original index.
    pub(crate) fn neighbors(&self, k: usize, progress: &Progress<'_>) -> Result<Neighborhoods> {
        let n = self.order.len();
        let mut position = vec![0u32; n];
        for (at, &original) in self.order.iter().enumerate() {
            position[original as usize] = at as u32;
        }
        let mut indices = vec![0; n * k];
        let mut distances = vec![0.0; n * k];
        indices
            .par_chunks_mut(CHUNK * k)
            .zip(distances.par_chunks_mut(CHUNK * k))
            .enumerate()
            .try_for_each(|(chunk, (indices, distances))| {
                let mut query = Query::new(self, k);
                let lists = indices.chunks_exact_mut(k).zip(distances.chunks_exact_mut(k));
                let count = lists.len();
                for (at, (indices, distances)) in (chunk * CHUNK..).zip(lists) {
                    let found = query.run(at);
                    for ((index, distance), &(d, j)) in indices.iter_mut().zip(distances).zip(found)
                    {
                        (*index, *distance) = (position[j as usize], d);
                    }
                }
                progress.advance(count, n)
            })?;
        Ok(Neighborhoods::uniform(k, indices, distances))
    }

    /// The `k` nearest points of each of some others, by their original index, with what the norm tells.
    pub(super) fn nearest<'p>(
        &self,
        others: impl Iterator<Item = &'p [f64]>,
        k: usize,
    ) -> Vec<Vec<(f64, u32)>> {
        let mut query = Query::new(self, k);
        others.map(|point| query.near(point, usize::MAX).to_vec()).collect()
    }

    /// The points in the order of the tree, and the original index of each.
    pub(crate) fn into_points(self) -> (Points, Vec<u32>) {
        (self.points, self.order)
    }

    /// Whether sample queries look at so few points that the tree beats all distances together.
    pub(crate) fn is_worthwhile(&self, k: usize) -> bool {
        pays::<N>(self.visited_fraction(k), k)
    }

    /// Whether a tree of so many points is, of which this one has some that are near each other. The more there are the smaller is the
    /// share that a query looks at: about with the root of their number in many dimensions, faster in few.
    pub(crate) fn would_be_worthwhile(&self, points: usize, k: usize) -> bool {
        let grown = (self.order.len() as f64 / points as f64).sqrt().min(1.0);
        pays::<N>(grown * self.visited_fraction(k), k)
    }

    /// Share of the points that a few sample queries had to look at.
    fn visited_fraction(&self, k: usize) -> f64 {
        let n = self.order.len();
        let mut query = Query::new(self, k);
        let positions = sampled(n);
        let count = positions.len();
        positions.for_each(|position| {
            query.run(position);
        });
        query.visited as f64 / (count * n) as f64
    }
}

/// The levels of inner nodes that a tree of so many points has.
pub fn levels(points: usize) -> u32 {
    points.div_ceil(LEAF).next_power_of_two().trailing_zeros()
}

/// Positions of the points in a tree of so many from which sample queries are made.
pub fn sampled(points: usize) -> impl ExactSizeIterator<Item = usize> {
    const SAMPLES: usize = 32;
    let count = SAMPLES.min(points);
    (0..count).map(move |s| s * points / count)
}

/// Whether queries of `k` neighbours that look at this share of the points beat all distances together.
pub(super) fn pays<N: Norm>(visited: f64, k: usize) -> bool {
    // Keeping many candidates sorted costs, too.
    visited * (1.0 + k as f64 / 256.0) < N::WORTHWHILE
}

/// Sorts positions so that every node of a tree of so many levels is a contiguous range, split at the median of its
/// widest side, of equal sides the last; of equal values the smaller index counts as smaller. In leaves indices ascend.
pub fn arrange(points: &Points, order: &mut [u32], levels: u32) {
    if levels == 0 {
        // What the search for the middle leaves behind could be found in no other way.
        order.sort_unstable();
        return;
    }
    let dim = points.columns();
    let mut corners = vec![f64::INFINITY; dim];
    corners.resize(2 * dim, f64::NEG_INFINITY);
    for &i in order.iter() {
        let point = points.row(i as usize);
        widen(&mut corners, point, point);
    }
    let width = |axis: usize| corners[dim + axis] - corners[axis];
    let axis = (0..dim).max_by(|&a, &b| width(a).total_cmp(&width(b)));
    let axis = axis.unwrap_or(0);
    let key = |&i: &u32| points.row(i as usize)[axis];
    let mid = order.len() / 2;
    if mid > 0 {
        order.select_nth_unstable_by(mid, |a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
    }
    let (left, right) = order.split_at_mut(mid);
    rayon::join(|| arrange(points, left, levels - 1), || arrange(points, right, levels - 1));
}

/// Makes the box hold another one.
fn widen(corners: &mut [f64], lower: &[f64], upper: &[f64]) {
    let (low, high) = corners.split_at_mut(lower.len());
    for (low, &value) in low.iter_mut().zip(lower) {
        *low = low.min(value);
    }
    for (high, &value) in high.iter_mut().zip(upper) {
        *high = high.max(value);
    }
}

/// A slice whose length the compiler knows, so that it unrolls loops over it.
#[inline(always)]
fn fixed<const D: usize>(row: &[f64]) -> &[f64] {
    if D > 0 { &row[..D] } else { row }
}

/// One nearest-neighbour query after another.
struct Query<'t, N> {
    tree: &'t KdTree<N>,
    k: usize,
    /// Best candidates so far, sorted.
    found: Vec<Found>,
    /// What a candidate must be closer than.
    worst: Found,
    /// Points looked at by all queries.
    visited: usize,
}

impl<'t, N: Norm> Query<'t, N> {
    fn new(tree: &'t KdTree<N>, k: usize) -> Self {
        let found = Vec::with_capacity(k + 1);
        Query { tree, k, found, worst: NOTHING, visited: 0 }
    }

    #[inline(always)]
    fn run(&mut self, position: usize) -> &[Found] {
        self.near(self.tree.points.row(position), position)
    }

    /// The nearest points of one that need not be in the tree, without the one at `position`.
    #[inline(always)]
    fn near(&mut self, point: &[f64], position: usize) -> &[Found] {
        self.found.clear();
        self.worst = NOTHING;
        self.visit_all(point, position);
        &self.found
    }

    #[inline(always)]
    fn visit_all(&mut self, point: &[f64], position: usize) {
        let n = self.tree.order.len();
        match self.tree.points.columns() {
            2 => self.visit::<2>(point, position, 0, 0, n, 0),
            3 => self.visit::<3>(point, position, 0, 0, n, 0),
            _ => self.visit::<0>(point, position, 0, 0, n, 0),
        }
    }

    #[inline(always)]
    fn accepts(&self, candidate: Found) -> bool {
        closer(candidate, self.worst)
    }

    /// `D` is the number of columns, or 0 for any.
    fn visit<const D: usize>(
        &mut self,
        point: &[f64],
        position: usize,
        node: usize,
        lo: usize,
        hi: usize,
        level: u32,
    ) {
        let tree = self.tree;
        if tree.is_leaf(level) {
            self.visited += hi - lo;
            for other in (lo..hi).filter(|&other| other != position) {
                let row = fixed::<D>(tree.points.row(other));
                let d = tree.norm.between(fixed::<D>(point), row);
                let candidate = (d, tree.order[other]);
                if self.accepts(candidate) {
                    self.insert(candidate);
                }
            }
            return;
        }
        let mid = lo.midpoint(hi);
        let with_distance = |child: usize| {
            let (lower, upper) = tree.bounds(child);
            let (lower, upper) = (fixed::<D>(lower), fixed::<D>(upper));
            (child, tree.norm.to_box(fixed::<D>(point), lower, upper))
        };
        let left = with_distance(2 * node + 1);
        let right = with_distance(2 * node + 2);
        let (left, right) = ((left, lo, mid), (right, mid, hi));
        let order = if left.0.1 <= right.0.1 { [left, right] } else { [right, left] };
        for (child, lo, hi) in order {
            if self.accepts((child.1, tree.smallest[child.0])) {
                self.visit::<D>(point, position, child.0, lo, hi, level + 1);
            }
        }
    }

    /// Puts a candidate in its place among the best.
    #[inline(always)]
    fn insert(&mut self, candidate: Found) {
        if self.found.len() < self.k {
            self.found.push(candidate);
        }
        // Few neighbours: moving them one by one from the end beats a binary search.
        let mut at = self.found.len() - 1;
        while at > 0 && closer(candidate, self.found[at - 1]) {
            self.found[at] = self.found[at - 1];
            at -= 1;
        }
        self.found[at] = candidate;
        if self.found.len() == self.k {
            self.worst = self.found[self.k - 1];
        }
    }
}
