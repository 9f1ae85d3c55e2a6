//! The neighbour searches agree with each other and with the definition, ties included.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::quietly;
use nrdr::graph::neighbors;
use nrdr::{Error, Points, Search};
use proptest::prelude::*;

fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// The definition: sort all others by (distance, index).
fn naive(points: &Points, k: usize) -> Vec<Vec<u32>> {
    let n = points.rows();
    let list = |i: usize| {
        let others = (0..n).filter(|&j| j != i);
        let mut others: Vec<(f64, u32)> =
            others.map(|j| (squared_distance(points.row(i), points.row(j)), j as u32)).collect();
        others.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        others[..k].iter().map(|&(_, j)| j).collect()
    };
    (0..n).map(list).collect()
}

fn found(points: &Points, k: usize, search: Search) -> Vec<Vec<u32>> {
    let lists = quietly(|progress| neighbors(points, k, search, progress)).unwrap();
    (0..points.rows()).map(|i| lists.of(i).to_vec()).collect()
}

fn assert_agree(points: &Points, k: usize) {
    let expected = naive(points, k);
    for search in [Search::KdTree, Search::Blocked, Search::Auto] {
        assert_eq!(found(points, k, search), expected, "{search:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

    /// Points on a coarse lattice: distances are exact, and most of them tie.
    #[test]
    fn searches_agree_on_ties(
        n in 2usize..300,
        dim in 1usize..12,
        k in 1usize..20,
        spread in 1u64..6,
        seed in any::<u64>(),
    ) {
        let mut state = seed | 1;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) % spread) as f64
        };
        let points = Points::new((0..n * dim).map(|_| next()).collect(), dim).unwrap();
        assert_agree(&points, k.min(n - 1));
    }
}

#[test]
fn searches_agree_in_many_dimensions() {
    // Integers below 16: all sums are exact, so the definition needs no tolerance.
    let values = |n: usize, dim: usize| {
        (0..n * dim).map(|i| ((i * 2654435761) >> 7 & 15) as f64).collect::<Vec<f64>>()
    };
    for (n, dim, k) in [(700, 100, 12), (1500, 33, 7), (40, 784, 39)] {
        assert_agree(&Points::new(values(n, dim), dim).unwrap(), k);
    }
}

#[test]
fn single_precision_does_not_decide() {
    // Far from the origin, and closer together than single precision can tell apart.
    let n = 200;
    let value = |i: usize| 1e6 + ((i * 7919) % n) as f64 * 1e-4;
    let points = Points::new((0..n).flat_map(|i| [value(i), -1e6, 3.0]).collect(), 3).unwrap();
    let tree = found(&points, 5, Search::KdTree);
    assert_eq!(found(&points, 5, Search::Blocked), tree);
    // With one outlier the bound of the rounding error is useless, and everything is a candidate.
    let mut values = points.values().to_vec();
    values.extend([1e12, 0.0, 0.0]);
    let points = Points::new(values, 3).unwrap();
    let tree = found(&points, 5, Search::KdTree);
    assert_eq!(found(&points, 5, Search::Blocked), tree);
}

#[test]
fn copies_are_neighbours_by_index() {
    // 300 copies of one point and 20 others.
    let points = Points::new((0..320).map(|i| if i < 300 { 0.0 } else { i as f64 }).collect(), 1);
    let points = points.unwrap();
    assert_agree(&points, 5);
    assert_eq!(found(&points, 5, Search::Auto)[200], [0, 1, 2, 3, 4]);
    assert_eq!(found(&points, 5, Search::Auto)[2], [0, 1, 3, 4, 5]);
}

#[test]
fn tens_of_thousands_of_copies_take_no_time() {
    let n = 40_000;
    let low = Points::new((0..n * 3).map(|i| f64::from(i < 3000)).collect(), 3).unwrap();
    let high = Points::new((0..n * 80).map(|i| f64::from(i < 80_000)).collect(), 80).unwrap();
    for points in [low, high] {
        let lists = found(&points, 4, Search::Auto);
        assert_eq!(lists[n - 1], [1000, 1001, 1002, 1003]);
        assert_eq!(lists[500], [0, 1, 2, 3]);
    }
}

#[test]
fn impossible_numbers_of_neighbours_are_refused() {
    let points = common::roll(10, 1);
    for search in [Search::Auto, Search::KdTree, Search::Blocked] {
        let most = quietly(|p| neighbors(&points, 9, search, p));
        assert_eq!(most.unwrap().of(0).len(), 9);
        let error = quietly(|p| neighbors(&points, 10, search, p)).unwrap_err();
        assert_eq!(error, Error::TooManyNeighbors { neighbors: 10, available: 9 });
        assert!(quietly(|p| neighbors(&points, 0, search, p)).is_err());
    }
}
