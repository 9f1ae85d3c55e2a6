//! Exact nearest neighbours of points that are not among those that are searched.

use super::kd_tree::{KdTree, MOST_COLUMNS};
use super::projected::{DIRECTIONS, Projected};
use super::scan;
use crate::error::Result;
use crate::metric::Metric;
use crate::metric::norm::{Norm, by_norm};
use crate::points::Points;

/// Something that is nearest to something else: a number and the index of a point, compared in this order.
type Found = (f64, u32);

/// Points, as a metric sees them, prepared for being searched. All ways give the same answer.
pub(crate) struct Index {
    metric: Metric,
    way: Way,
}

enum Way {
    /// For points of few, or effectively few, dimensions.
    Tree(Box<dyn Nearest>),
    /// For points of many dimensions.
    Projected(Projected),
    /// For the same by metrics that no product tells.
    Scan,
}

/// A tree by any norm.
trait Nearest: Send + Sync {
    /// The `k` nearest points of each of some others, with what the norm tells.
    fn nearest(&self, others: &[f64], columns: usize, k: usize) -> Vec<Vec<Found>>;
}

impl<N: Norm> Nearest for KdTree<N> {
    fn nearest(&self, others: &[f64], columns: usize, k: usize) -> Vec<Vec<Found>> {
        KdTree::nearest(self, others.chunks_exact(columns), k)
    }
}

/// A tree, if it pays for queries of about `k` neighbours.
fn tree<N: Norm + 'static>(norm: N, points: &Points, k: usize) -> Option<Box<dyn Nearest>> {
    if points.columns() > MOST_COLUMNS {
        return None;
    }
    let tree = KdTree::by(norm, points);
    tree.is_worthwhile(k).then(|| Box::new(tree) as Box<dyn Nearest>)
}

impl Index {
    /// Prepares points for queries of about `k` neighbours.
    pub(crate) fn new(points: &Points, metric: Metric, k: usize) -> Result<Self> {
        let tree = by_norm!(metric, norm => tree(norm, points, k));
        let way = match tree {
            Some(tree) => Way::Tree(tree),
            None if metric.is_euclidean_at_heart() => {
                Way::Projected(Projected::new(points, DIRECTIONS)?)
            }
            None => Way::Scan,
        };
        Ok(Index { metric, way })
    }

    /// The `k` nearest of the prepared `points` to each of the `others`, nearest first and of equals the first, with
    /// squared distances. There are at least `k` points.
    pub(crate) fn nearest(&self, points: &Points, others: &[f64], k: usize) -> Vec<Vec<Found>> {
        let (metric, columns) = (self.metric, points.columns());
        let mut found = self.measured(points, others, k);
        if metric != Metric::Euclidean {
            let all = found.iter_mut().flatten();
            all.for_each(|found| found.0 = metric.length(found.0, columns).powi(2));
        }
        found
    }

    /// The same with what the norm tells.
    pub(super) fn measured(&self, points: &Points, others: &[f64], k: usize) -> Vec<Vec<Found>> {
        match &self.way {
            Way::Tree(tree) => tree.nearest(others, points.columns(), k),
            Way::Projected(projected) => projected.nearest(points, others, k),
            Way::Scan => by_norm!(self.metric, norm => scan::nearest(norm, points, others, k)),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use rand_distr::{Distribution, StandardNormal};

    use super::*;
    use crate::graph::neighbors::keep_nearest;
    use crate::linalg::vector::squared_distance;

    /// Points on a curved surface in many dimensions, every third one on a coarse lattice so that distances repeat.
    fn cloud(n: usize, columns: usize, seed: u64) -> Points {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let row = |i: usize| -> Vec<f64> {
            let (a, b): (f64, f64) =
                (StandardNormal.sample(&mut random), StandardNormal.sample(&mut random));
            let (a, b) = if i.is_multiple_of(3) { (a.round(), b.round()) } else { (a, b) };
            let wave = |c: usize| ((c % 7) as f64 * a).sin() + ((c % 5) as f64 * b).cos() + 0.1 * a;
            (0..columns).map(wave).collect()
        };
        Points::from_rows((0..n).map(row)).unwrap()
    }

    #[test]
    fn both_ways_find_what_a_linear_scan_finds() {
        for (columns, k) in [(1, 3), (3, 10), (40, 7), (150, 10)] {
            let (points, others) = (cloud(1500, columns, 1), cloud(300, columns, 2));
            let tree = Way::Tree(Box::new(KdTree::new(&points)));
            let projected = Way::Projected(Projected::new(&points, DIRECTIONS).unwrap());
            for way in [tree, projected] {
                let index = Index { metric: Metric::Euclidean, way };
                let found = index.nearest(&points, others.values(), k);
                for (i, found) in found.iter().enumerate() {
                    let distance = |j| squared_distance(others.row(i), points.row(j as usize));
                    let mut all: Vec<(f64, u32)> = (0..1500).map(|j| (distance(j), j)).collect();
                    keep_nearest(&mut all, k);
                    assert_eq!(found, &all, "{columns} columns, query {i}");
                }
            }
        }
    }

    #[test]
    fn trees_and_scans_by_a_norm_find_the_same() {
        let (points, others) = (cloud(900, 4, 3), cloud(100, 4, 4));
        let metrics =
            [Metric::Manhattan, Metric::Chebyshev, Metric::Hamming, Metric::Minkowski(2.5)];
        for metric in metrics {
            let tree: Box<dyn Nearest> =
                by_norm!(metric, norm => Box::new(KdTree::by(norm, &points)));
            let [tree, scan] = [Way::Tree(tree), Way::Scan].map(|way| Index { metric, way });
            let [tree, scan] = [tree, scan].map(|index| index.nearest(&points, others.values(), 9));
            assert_eq!(tree, scan, "{metric}");
            let squared = metric.distance(others.row(5), points.row(tree[5][8].1 as usize));
            assert_eq!(tree[5][8].0, squared.unwrap().powi(2));
        }
    }

    #[test]
    fn points_that_all_coincide_are_no_trouble() {
        let points = Points::new(vec![0.25; 70 * 200], 70).unwrap();
        let index = Index::new(&points, Metric::Euclidean, 4).unwrap();
        let found = index.nearest(&points, points.row(0), 4);
        assert_eq!(found, [[(0.0, 0), (0.0, 1), (0.0, 2), (0.0, 3)]]);
    }
}
