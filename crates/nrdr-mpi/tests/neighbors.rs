//! The lists are those of one machine.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod clouds;

use clouds::*;
use nrdr::graph::neighbors_by;
use nrdr::team::of_threads;
use nrdr::{Metric, Points, Search, Stage, Watch};
use nrdr_mpi::neighbors::neighbors;
use nrdr_mpi::order::partition;
use nrdr_mpi::shared::Own;

/// Compares the lists of members with those of one machine, by the rows of the input.
fn check(points: &Points, metric: Metric, search: Search, k: usize) {
    let watch = Watch::new(None);
    let wanted = watch.stage(Stage::Neighbors, |progress| {
        neighbors_by(metric, points, k, Search::Exact, progress)
    });
    let wanted = wanted.unwrap();
    for size in SIZES {
        let parts = of_threads(size, |team| {
            let own = share(points, team);
            let first = start(points.rows(), size, team.rank());
            let seen =
                nrdr::graph::share::see(metric, own.values(), points.columns(), first).unwrap();
            let width = nrdr::graph::share::columns_seen(metric, points.columns());
            let own = Own::new(seen.to_vec(), width).unwrap();
            let mut made = partition(team, own, metric, search, k).unwrap();
            let lists = Watch::new(None).stage(Stage::Neighbors, |progress| {
                Ok(neighbors(team, &mut made, metric, k, progress, &|| Ok(())).unwrap())
            });
            (made.inputs, lists.unwrap())
        });
        let order: Vec<u64> = parts.iter().flat_map(|part| &part.0).copied().collect();
        for (inputs, lists) in &parts {
            for (i, &input) in inputs.iter().enumerate() {
                let input = input as usize;
                let found: Vec<u32> =
                    lists.of(i).iter().map(|&j| order[j as usize] as u32).collect();
                assert_eq!(found, wanted.of(input), "{metric}, {size} members, point {input}");
                for (a, b) in lists.distances(i).iter().zip(wanted.distances(input)) {
                    assert!((a - b).abs() <= 1e-12 * b, "{a} {b}");
                }
            }
        }
    }
}

#[test]
fn trees_find_what_one_machine_finds() {
    for (points, k) in [
        (roll(900), 10),
        (cube(800, 5, 7), 8),
        (lattice(8, 3), 9),
        (copies(500, 3), 7),
        (clusters(300, 4), 6),
    ] {
        check(&points, Metric::Euclidean, Search::KdTree, k);
    }
    for metric in [Metric::Manhattan, Metric::Chebyshev, Metric::Minkowski(3.0), Metric::Cosine] {
        check(&lattice(7, 3).select(&(1..300).collect::<Vec<u32>>()), metric, Search::KdTree, 5);
    }
}

#[test]
fn rings_find_what_one_machine_finds() {
    for (points, k) in
        [(cube(300, 90, 8), 6), (copies(300, 80), 7), (lattice(3, 5), 4), (roll(500), 10)]
    {
        check(&points, Metric::Euclidean, Search::Blocked, k);
    }
    check(&cube(200, 100, 3), Metric::Cosine, Search::Auto, 5);
    check(&lattice(4, 4), Metric::Hamming, Search::Blocked, 5);
}

#[test]
fn more_members_and_neighbours_than_points_of_a_member() {
    for n in [2, 3, 6, 20] {
        for search in [Search::KdTree, Search::Blocked, Search::Auto] {
            check(&cube(n, 3, n as u64), Metric::Euclidean, search, n - 1);
            check(&cube(n, 3, n as u64), Metric::Euclidean, search, 1);
        }
    }
    let one = Points::new(vec![0.5; 40], 2).unwrap();
    check(&one, Metric::Euclidean, Search::KdTree, 4);
    check(&one, Metric::Euclidean, Search::Blocked, 4);
}
