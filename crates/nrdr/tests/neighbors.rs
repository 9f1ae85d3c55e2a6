//! The neighbour searches agree with each other and with the definition, ties included.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::quietly;
use nrdr::graph::neighbors;
use nrdr::{Error, LaplacianEigenmaps, Options, Points, Search, Strategy, embed};
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
    for search in [Search::KdTree, Search::Blocked, Search::Exact, Search::Auto] {
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
    // These are projected piece by piece, and not all of them tell the directions.
    let (n, dim, k) = (280, 65_000, 5);
    let wide = Points::new(values(n, dim), dim).unwrap();
    assert_eq!(found(&wide, k, Search::Blocked), naive(&wide, k));
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
    for search in [Search::Auto, Search::KdTree, Search::Blocked, Search::Approximate] {
        let most = quietly(|p| neighbors(&points, 9, search, p));
        assert_eq!(most.unwrap().of(0).len(), 9);
        let error = quietly(|p| neighbors(&points, 10, search, p)).unwrap_err();
        assert_eq!(error, Error::TooManyNeighbors { neighbors: 10, available: 9 });
        assert!(quietly(|p| neighbors(&points, 0, search, p)).is_err());
    }
}

/// Points around centres in many dimensions, from numbers that are not random.
fn clusters(n: usize, dim: usize, centres: usize, spread: f64) -> Points {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    let middles: Vec<f64> = (0..centres * dim).map(|_| next()).collect();
    // Along a few directions: a cloud that fills all dimensions has no neighbours to speak of.
    let directions: Vec<f64> = (0..6 * dim).map(|_| next()).collect();
    let row = |i: usize| -> Vec<f64> {
        let along: Vec<f64> = (0..6).map(|_| spread * next()).collect();
        let value = |c: usize| {
            let moved = along.iter().enumerate().map(|(d, a)| a * directions[d * dim + c]);
            middles[i % centres * dim + c] + moved.sum::<f64>()
        };
        (0..dim).map(value).collect()
    };
    Points::from_rows((0..n).map(row)).unwrap()
}

/// Whole numbers, copies, columns of zeros and points far away.
fn awkward(n: usize, dim: usize) -> Points {
    let mut values: Vec<f64> = (0..n * dim).map(|i| ((i * 2654435761) >> 9 & 7) as f64).collect();
    for i in 0..n {
        let row = &mut values[i * dim..][..dim];
        row[0] = 0.0;
        row[dim / 2] = 0.0;
        if i % 97 == 5 {
            row.iter_mut().for_each(|v| *v *= 4096.0);
        }
    }
    for i in (10..n).step_by(10) {
        values.copy_within((i - 10) * dim..(i - 9) * dim, i * dim);
    }
    Points::new(values, dim).unwrap()
}

#[test]
fn blocks_find_what_a_scan_finds_in_spite_of_ties_copies_and_outliers() {
    for (n, dim, k) in [(1300, 70, 10), (900, 200, 15), (600, 40, 300)] {
        let points = awkward(n, dim);
        assert_eq!(found(&points, k, Search::Blocked), naive(&points, k), "{n} x {dim}");
    }
}

/// Share of the lists' entries that are no farther than the k-th nearest.
fn recall(points: &Points, k: usize, lists: &[Vec<u32>]) -> f64 {
    let right = |(i, list): (usize, &Vec<u32>)| {
        let distance = |j: u32| squared_distance(points.row(i), points.row(j as usize));
        let mut all: Vec<f64> =
            (0..points.rows() as u32).filter(|&j| j as usize != i).map(distance).collect();
        all.sort_by(f64::total_cmp);
        list.iter().filter(|&&j| distance(j) <= all[k - 1]).count()
    };
    let right: usize = lists.iter().enumerate().map(right).sum();
    right as f64 / (k * lists.len()) as f64
}

#[test]
fn approximate_neighbours_are_nearly_all_right() {
    let uniform = Points::new(clusters(3000, 8, 3000, 0.0).values().to_vec(), 8).unwrap();
    for (points, k) in [(clusters(3000, 100, 12, 1.0), 10), (uniform, 10), (awkward(2500, 80), 5)] {
        let lists = found(&points, k, Search::Approximate);
        for (i, list) in lists.iter().enumerate() {
            let mut others: Vec<u32> = list.iter().copied().filter(|&j| j as usize != i).collect();
            others.sort_unstable();
            others.dedup();
            assert_eq!(others.len(), k, "point {i}");
        }
        let share = recall(&points, k, &lists);
        assert!(share > 0.97, "{share}");
    }
}

#[test]
fn approximate_neighbours_do_not_depend_on_the_number_of_threads() {
    let points = clusters(4000, 90, 7, 2.0);
    let search = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| quietly(|p| neighbors(&points, 8, Search::Approximate, p)).unwrap())
    };
    let one = search(1);
    assert!(one == search(2) && one == search(3));
}

#[test]
fn the_embedding_tells_the_recall_and_refuses_too_little_of_it() {
    let points = clusters(1500, 80, 3, 1.0);
    let method = LaplacianEigenmaps::default();
    let options = |search, recall| Options {
        search,
        recall,
        strategy: Strategy::orthogonal(),
        ..Default::default()
    };
    let told = |search| {
        let embedding = embed(&points, &method, &options(search, 0.95)).unwrap();
        embedding.chosen.iter().find(|chosen| chosen.0 == "recall").map(|chosen| chosen.1)
    };
    assert!(told(Search::Approximate).is_some_and(|recall| recall >= 0.95));
    assert_eq!((told(Search::Exact), told(Search::Auto)), (None, None));
    for recall in [0.0, -1.0, 1.5, f64::NAN] {
        let error = embed(&points, &method, &options(Search::Auto, recall)).unwrap_err();
        assert!(matches!(error, Error::Parameter { name: "recall", .. }), "{error}");
    }
}

#[test]
fn what_is_not_found_is_an_error_with_the_way_out() {
    // Random numbers in so many dimensions: everyone is as far as everyone else.
    let points = clusters(6000, 120, 6000, 0.0);
    let options =
        Options { search: Search::Approximate, recall: 1.0, neighbors: 20, ..Default::default() };
    let error = embed(&points, &LaplacianEigenmaps::default(), &options).unwrap_err();
    assert!(matches!(error, Error::Recall { wanted: 1.0, .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("search") && text.contains("recall"), "{text}");
}
