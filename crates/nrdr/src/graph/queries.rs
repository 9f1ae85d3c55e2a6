//! Exact nearest neighbours of points that are not among those that are searched.

use super::kd_tree::KdTree;
use super::projected::{DIRECTIONS, Projected};
use crate::error::Result;
use crate::points::Points;

/// Points prepared for being searched. Both ways give the same answer.
pub(crate) enum Index {
    /// For points of few, or effectively few, dimensions.
    Tree(KdTree),
    /// For points of many dimensions.
    Projected(Projected),
}

impl Index {
    /// Prepares points for queries of about `k` neighbours.
    pub(crate) fn new(points: &Points, k: usize) -> Result<Self> {
        if points.columns() <= KdTree::MOST_COLUMNS {
            let tree = KdTree::new(points);
            if tree.is_worthwhile(k) {
                return Ok(Index::Tree(tree));
            }
        }
        Ok(Index::Projected(Projected::new(points, DIRECTIONS)?))
    }

    /// The `k` nearest of the prepared `points` to each of the `others`, nearest first and of equals the first, with
    /// squared distances. There are at least `k` points.
    pub(crate) fn nearest(
        &self,
        points: &Points,
        others: &[f64],
        k: usize,
    ) -> Vec<Vec<(f64, u32)>> {
        match self {
            Index::Tree(tree) => tree.nearest(others.chunks_exact(points.columns()), k),
            Index::Projected(projected) => projected.nearest(points, others, k),
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
            let tree = Index::Tree(KdTree::new(&points));
            let projected = Index::Projected(Projected::new(&points, DIRECTIONS).unwrap());
            for index in [tree, projected] {
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
    fn points_that_all_coincide_are_no_trouble() {
        let points = Points::new(vec![0.25; 70 * 200], 70).unwrap();
        let index = Index::new(&points, 4).unwrap();
        let found = index.nearest(&points, points.row(0), 4);
        assert_eq!(found, [[(0.0, 0), (0.0, 1), (0.0, 2), (0.0, 3)]]);
    }
}
