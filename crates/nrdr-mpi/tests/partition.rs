//! The working order is that of one machine.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod clouds;

use clouds::*;
use nrdr::graph::share::{arrange, levels};
use nrdr::team::of_threads;
use nrdr::{Metric, Points, Search};
use nrdr_mpi::order::partition;

/// Parts of the order at each member put together, whether pieces were made.
fn found(points: &Points, size: usize, search: Search, k: usize) -> (Vec<u64>, bool) {
    let parts = of_threads(size, |team| {
        let made = partition(team, share(points, team), Metric::Euclidean, search, k).unwrap();
        assert_eq!(made.rows.count(team.rank()), made.inputs.len());
        for (at, &input) in made.inputs.iter().enumerate() {
            assert_eq!(made.points.row(at), points.row(input as usize));
        }
        let even = made.rows.total() as usize / size + made.rows.total() as usize / (8 * size) + 26;
        assert!(made.pieces.is_none() || made.inputs.len() <= even);
        (made.inputs, made.pieces.is_some())
    });
    let is_tree = parts[0].1;
    assert!(parts.iter().all(|part| part.1 == is_tree));
    (parts.into_iter().flat_map(|part| part.0).collect(), is_tree)
}

#[test]
fn the_order_is_that_of_the_tree_of_one_machine() {
    let few = |n: usize| cube(n, 3, 9);
    let all = [
        cube(1000, 1, 1),
        cube(777, 3, 2),
        cube(500, 9, 3),
        roll(1200),
        lattice(9, 3),
        lattice(30, 2),
    ];
    let all = all.into_iter().chain([
        copies(600, 4),
        clusters(400, 5),
        few(2),
        few(3),
        few(5),
        few(13),
        few(40),
    ]);
    for points in all {
        let mut order: Vec<u32> = (0..points.rows() as u32).collect();
        arrange(&points, &mut order, levels(points.rows()));
        let order: Vec<u64> = order.into_iter().map(u64::from).collect();
        for size in SIZES {
            let (found, is_tree) = found(&points, size, Search::KdTree, 1);
            assert!(is_tree && found == order, "{} points, {size} members", points.rows());
        }
    }
}

/// Negative zeros and numbers of all sizes are ordered as on one machine, too.
#[test]
fn odd_numbers_are_in_order() {
    let value = |i: usize| match i % 5 {
        0 => -0.0,
        1 => 0.0,
        2 => -1e-300 * i as f64,
        3 => 1e140 * (i as f64).sin(),
        _ => -(i as f64),
    };
    let points = Points::new((0..600).map(value).collect(), 2).unwrap();
    let mut order: Vec<u32> = (0..300).collect();
    arrange(&points, &mut order, levels(300));
    let order: Vec<u64> = order.into_iter().map(u64::from).collect();
    for size in SIZES {
        assert_eq!(found(&points, size, Search::KdTree, 3).0, order);
    }
}

#[test]
fn where_no_tree_pays_the_order_is_that_of_the_input() {
    for (points, k) in [(cube(300, 70, 4), 5), (cube(400, 20, 5), 12)] {
        for size in SIZES {
            let (found, is_tree) = found(&points, size, Search::Auto, k);
            assert!(!is_tree && found.into_iter().eq(0..points.rows() as u64));
        }
    }
}

/// The same number of members or another: what decides is the same. Among these some trees pay and some do not.
#[test]
fn all_members_decide_alike_whether_a_tree_pays() {
    let mut decided = Vec::new();
    for n in [600, 900, 1300, 1700, 2200, 2800, 3500] {
        let points = cube(n, 4, 3);
        let pays = SIZES.map(|size| found(&points, size, Search::Auto, 10).1);
        assert!(pays.iter().all(|other| *other == pays[0]), "{n} points: {pays:?}");
        decided.push(pays[0]);
    }
    assert!(decided.contains(&true) && decided.contains(&false), "{decided:?}");
}
