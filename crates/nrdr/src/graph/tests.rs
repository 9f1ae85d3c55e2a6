//! Symmetry, links between components and geodesics of the neighbour graph.

use super::components::{links_between_points, links_between_rows};
use super::geodesic::all_distances;
use super::neighbors::{neighbors, neighbors_from_distances};
use super::symmetric::symmetric;
use super::*;
use crate::datasets::SwissRoll;
use crate::error::Result;
use crate::linalg::SymmetricMatrix;
use crate::linalg::vector::squared_distance;
use crate::metric::Metric;
use crate::points::Points;
use crate::progress::{Progress, Watch};
use crate::stage::Stage;

fn quietly<T>(work: impl FnOnce(&Progress<'_>) -> Result<T>) -> Result<T> {
    Watch::new(None).stage(Stage::Graph, work)
}

fn roll(n: usize, seed: u64) -> Points {
    SwissRoll { n, noise: 0.05, ..Default::default() }.generate(seed).unwrap().points
}

fn graph(points: &Points, k: usize, symmetry: Symmetry) -> SparseMatrix {
    symmetric(&quietly(|p| neighbors(points, k, Search::Auto, p)).unwrap(), symmetry)
}

#[test]
fn union_and_mutual_edges() {
    let points = roll(300, 1);
    let lists = quietly(|p| neighbors(&points, 6, Search::Auto, p)).unwrap();
    let (union, mutual) = (symmetric(&lists, Symmetry::Union), symmetric(&lists, Symmetry::Mutual));
    for i in 0..300 {
        for j in 0..300u32 {
            let (out, back) =
                (lists.of(i).contains(&j), lists.of(j as usize).contains(&(i as u32)));
            assert_eq!(union.columns(i).contains(&j), out || back);
            assert_eq!(mutual.columns(i).contains(&j), out && back);
        }
        for (&j, d) in lists.of(i).iter().zip(lists.distances(i)) {
            assert_eq!(union.get(i, j as usize), *d);
            assert_eq!(union.get(j as usize, i), *d);
        }
    }
}

fn all_pairs(points: &Points) -> SymmetricMatrix {
    let n = points.rows();
    let distance = |at: usize| squared_distance(points.row(at / n), points.row(at % n)).sqrt();
    SymmetricMatrix::new((0..n * n).map(distance).collect()).unwrap()
}

#[test]
fn links_are_the_minimum_spanning_tree_of_the_components() {
    // Pieces of a roll, far from each other and of several sizes.
    let (roll, far) = (roll(86, 1), |i: usize| 400.0 * (i % 9 % 5).pow(2) as f64);
    let row = |i: usize| roll.row(i).iter().map(|x| x + far(i)).collect::<Vec<f64>>();
    let points = Points::from_rows((0..86).map(row)).unwrap();
    let components = Components::of(&graph(&points, 3, Symmetry::Union));
    assert!(components.count() >= 5);
    assert!(components.sizes.is_sorted_by(|a, b| a >= b));
    // Kruskal over all pairs of points of different components.
    let distances = all_pairs(&points);
    let mut pairs = Vec::new();
    for i in 0..points.rows() {
        for j in 0..i {
            pairs.push((distances.row(i)[j], i, j));
        }
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut label: Vec<u32> = components.labels.clone();
    let mut total = 0.0;
    for (d, i, j) in pairs {
        let (a, b) = (label[i], label[j]);
        if a != b {
            total += d;
            label.iter_mut().filter(|l| **l == b).for_each(|l| *l = a);
        }
    }
    let by_points =
        quietly(|p| links_between_points(&points, Metric::Euclidean, &components, p)).unwrap();
    let by_rows = quietly(|p| links_between_rows(&distances, &components, p)).unwrap();
    for links in [by_points, by_rows] {
        assert_eq!(links.len(), components.count() - 1);
        let sum: f64 = links.iter().map(|link| link.0).sum();
        assert!((sum - total).abs() < 1e-9 * total, "{sum} is not {total}");
    }
}

/// Shortest paths by the definition.
fn floyd_warshall(edges: &SparseMatrix) -> Vec<f64> {
    let n = edges.size();
    let mut d = vec![f64::INFINITY; n * n];
    for i in 0..n {
        d[i * n + i] = 0.0;
        for (j, length) in edges.row(i) {
            d[i * n + j] = length;
        }
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                d[i * n + j] = d[i * n + j].min(d[i * n + k] + d[k * n + j]);
            }
        }
    }
    d
}

#[test]
fn geodesics_are_shortest_paths() {
    // A roll, a ring of equal edges, and a graph with edges of length zero.
    let ring: Vec<_> =
        (0..200).flat_map(|i| [(i, (i + 1) % 200, 1.0), ((i + 1) % 200, i, 1.0)]).collect();
    let copies = Points::new((0..90).map(|i| f64::from(i / 30 * 2 + i % 2)).collect(), 1).unwrap();
    let graphs = [
        graph(&roll(250, 2), 6, Symmetry::Union),
        SparseMatrix::new(200, &ring).unwrap(),
        graph(&copies, 40, Symmetry::Union),
    ];
    for edges in graphs {
        let n = edges.size();
        let ours = quietly(|p| all_distances(&edges, p)).unwrap();
        let oracle = floyd_warshall(&edges);
        for (at, (a, b)) in ours.values().iter().zip(&oracle).enumerate() {
            assert!((a - b).abs() <= 1e-12 * b, "{}, {}: {a} is not {b}", at / n, at % n);
        }
    }
}

#[test]
fn given_distances_give_the_same_neighbours() {
    let points = roll(150, 3);
    let n = points.rows();
    let distances = all_pairs(&points);
    let from_points = quietly(|p| neighbors(&points, 8, Search::Auto, p)).unwrap();
    let from_distances = quietly(|p| neighbors_from_distances(&distances, 8, p)).unwrap();
    for i in 0..n {
        assert_eq!(from_points.of(i), from_distances.of(i));
        for (a, b) in from_points.distances(i).iter().zip(from_distances.distances(i)) {
            assert!((a - b).abs() <= 1e-14 * a);
        }
    }
}
