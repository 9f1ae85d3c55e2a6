//! Symmetry, components and geodesics of the neighbour graph.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::{quietly, roll};
use nrdr::graph::neighbors;
use nrdr::{
    EdgeKind, Error, Graph, LaplacianEigenmaps, Options, Points, Policy, Search, SparseMatrix,
    SymmetricMatrix, Symmetry, Warning, embed,
};

/// The graph of neighbours, from their lists.
fn graph(points: &Points, k: usize) -> SparseMatrix {
    let lists = quietly(|p| neighbors(points, k, Search::Auto, p)).unwrap();
    let offsets = (0..=points.rows()).map(|i| i * k).collect();
    let columns = (0..points.rows()).flat_map(|i| lists.of(i).to_vec()).collect();
    let lengths = (0..points.rows()).flat_map(|i| lists.distances(i).to_vec()).collect();
    Graph::from_neighbors(offsets, columns, lengths, k).unwrap().edges
}

/// Clumps on a line, so far apart that few neighbours do not join them.
fn clumps(sizes: &[usize]) -> Points {
    let clump = |(c, &size): (usize, &usize)| {
        (0..size).map(move |i| [(100 * c * c) as f64 + (i as f64 * 0.7).sin(), (i as f64).cos()])
    };
    Points::from_rows(sizes.iter().enumerate().flat_map(clump)).unwrap()
}

fn distances(points: &Points) -> SymmetricMatrix {
    let n = points.rows();
    let distance = |i: usize, j: usize| {
        let pairs = points.row(i).iter().zip(points.row(j));
        pairs.map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    };
    SymmetricMatrix::new((0..n * n).map(|at| distance(at / n, at % n)).collect()).unwrap()
}

#[test]
fn unconnected_graphs_under_each_policy() {
    let points = clumps(&[40, 25, 10]);
    let method = LaplacianEigenmaps::default();
    let options = |components| Options { components, neighbors: 5, ..common::original() };

    let joined = embed(&points, &method, &options(Policy::Connect)).unwrap();
    assert_eq!(joined.components, [40, 25, 10]);
    assert!(matches!(&joined.warnings[..], [Warning::Connected { sizes, longest }]
        if sizes == &[40, 25, 10] && *longest > 200.0));
    assert!(joined.coordinate(0).iter().all(|v| v.is_finite()));

    let largest = embed(&points, &method, &options(Policy::Largest)).unwrap();
    assert_eq!(largest.left_out, 35);
    assert!(matches!(&largest.warnings[..], [Warning::LeftOut { .. }]));
    assert!(largest.coordinate(1)[..40].iter().all(|v| v.is_finite()));
    assert!(largest.coordinate(1)[40..].iter().all(|v| v.is_nan()));
    // The rows that are there are those of the component alone.
    let alone = Points::from_rows((0..40).map(|i| points.row(i))).unwrap();
    let alone = embed(&alone, &method, &options(Policy::Error)).unwrap();
    assert!(common::difference(&largest.coordinate(1)[..40], alone.coordinate(1)) < 1e-7);

    let error = embed(&points, &method, &options(Policy::Error)).unwrap_err();
    assert_eq!(error, Error::Unconnected { sizes: vec![40, 25, 10] });
    assert!(error.to_string().contains("3 components (sizes 40, 25, 10)"), "{error}");
}

#[test]
fn a_graph_of_ones_own() {
    let points = roll(400, 5);
    let edges = graph(&points, 8);
    let own = Graph { edges: edges.clone(), kind: EdgeKind::Length };
    let method = LaplacianEigenmaps::default();
    let options = Options { neighbors: 8, ..common::original() };
    let from_points = embed(&points, &method, &options).unwrap();
    let from_graph = embed(&own, &method, &options).unwrap();
    let from_distances = embed(&distances(&points), &method, &options).unwrap();
    common::assert_close("graph", &from_points, &from_graph, 1e-7);
    common::assert_close("distances", &from_points, &from_distances, 1e-7);
    // Affinities of one for each edge are the binary weights.
    let ones: Vec<_> = (0..400).flat_map(|i| edges.row(i).map(move |(j, _)| (i, j, 1.0))).collect();
    let ones = SparseMatrix::new(400, &ones).unwrap();
    let affine = embed(&Graph { edges: ones, kind: EdgeKind::Affinity }, &method, &options);
    common::assert_close("affinities", &from_points, &affine.unwrap(), 1e-7);

    let apart = SparseMatrix::new(4, &[(0, 1, 1.0), (1, 0, 1.0), (2, 3, 1.0), (3, 2, 1.0)]);
    let apart = Graph { edges: apart.unwrap(), kind: EdgeKind::Length };
    let one = Options { dims: 1.into(), ..options.clone() };
    let joined = embed(&apart, &method, &one).unwrap();
    assert!(matches!(&joined.warnings[..], [Warning::Bridged { sizes, value, .. }]
        if sizes == &[2, 2] && *value == 1.0));
    let nothing = Graph { edges: SparseMatrix::new(4, &[]).unwrap(), kind: EdgeKind::Length };
    let error = embed(&nothing, &method, &one).unwrap_err();
    assert_eq!(error, Error::CannotConnect { sizes: vec![1; 4] });
    let negative = SparseMatrix::new(2, &[(0, 1, -1.0), (1, 0, -1.0)]).unwrap();
    let negative = Graph { edges: negative, kind: EdgeKind::Length };
    let error = embed(&negative, &method, &Options { dims: 1.into(), ..options }).unwrap_err();
    assert_eq!(error, Error::Negative { row: 0, column: 1, value: -1.0 });
}

#[test]
fn every_method_under_every_policy_and_symmetry() {
    let points = clumps(&[60, 45, 30]);
    for (name, method) in common::point_methods() {
        for symmetry in [Symmetry::Union, Symmetry::Mutual] {
            for components in [Policy::Connect, Policy::Largest, Policy::Error] {
                let options = Options { components, symmetry, neighbors: 8, ..common::original() };
                let label = format!("{name} {symmetry:?} {components:?}");
                match embed(&points, method.as_ref(), &options) {
                    Ok(embedding) => {
                        let graph = !embedding.components.is_empty();
                        assert!(!graph || components != Policy::Error, "{label}");
                        let kept = if graph && components == Policy::Largest {
                            embedding.components[0]
                        } else {
                            135
                        };
                        assert_eq!(embedding.left_out, 135 - kept, "{label}");
                        let finite =
                            embedding.coordinate(1).iter().filter(|v| v.is_finite()).count();
                        assert_eq!(finite, kept, "{label}");
                    }
                    Err(Error::Unconnected { sizes }) => {
                        assert!(components == Policy::Error && sizes.len() >= 3, "{label}");
                    }
                    // Mutual neighbours may be too few for a tangent space.
                    Err(Error::TooFewNeighbors { .. }) => {
                        assert!(
                            symmetry == Symmetry::Mutual && components == Policy::Largest,
                            "{label}"
                        );
                    }
                    Err(error) => panic!("{label}: {error}"),
                }
            }
        }
    }
    let edges = graph(&points, 8);
    let own = Graph { edges, kind: EdgeKind::Length };
    let options = Options { components: Policy::Largest, ..common::original() };
    let largest = embed(&own, &LaplacianEigenmaps::default(), &options).unwrap();
    assert_eq!(largest.left_out, 75);
    let options = Options { neighbors: 8, ..options };
    let rows = embed(&distances(&points), &LaplacianEigenmaps::default(), &options).unwrap();
    assert_eq!(rows.left_out, 75);
}

#[test]
fn what_joins_nothing_in_a_graph_is_left_out() {
    let points = roll(300, 5);
    let edges = graph(&points, 8);
    let mut entries: Vec<_> =
        (0..300).flat_map(|i| edges.row(i).map(move |(j, d)| (i, j, d))).collect();
    let plain = Graph { edges, kind: EdgeKind::Length };
    entries.extend((0..300).map(|i| (i, i, 0.0)));
    let looped = Graph { edges: SparseMatrix::new(300, &entries).unwrap(), kind: EdgeKind::Length };
    for method in
        [&LaplacianEigenmaps::default() as &dyn nrdr::Method, &nrdr::DiffusionMaps::default()]
    {
        let one = embed(&plain, method, &common::original()).unwrap();
        let two = embed(&looped, method, &common::original()).unwrap();
        assert_eq!(one.coordinate(1), two.coordinate(1), "{}", method.name());
    }
    // Two triangles joined by an affinity of zero are two components.
    let pairs =
        [(0, 1, 1.0), (1, 2, 1.0), (0, 2, 1.0), (3, 4, 1.0), (4, 5, 1.0), (3, 5, 1.0), (2, 3, 0.0)];
    let entries: Vec<_> = pairs.iter().flat_map(|&(i, j, w)| [(i, j, w), (j, i, w)]).collect();
    let apart = Graph { edges: SparseMatrix::new(6, &entries).unwrap(), kind: EdgeKind::Affinity };
    let two = embed(&apart, &LaplacianEigenmaps::default(), &common::original()).unwrap();
    assert!(matches!(&two.warnings[..], [Warning::Bridged { sizes, .. }] if sizes == &[3, 3]));
    // The first coordinate tells them apart.
    let first = two.coordinate(0);
    assert!(first[..3].iter().all(|value| value * first[5] < 0.0));
    let refuse = Options { components: Policy::Error, ..common::original() };
    let error = embed(&apart, &LaplacianEigenmaps::default(), &refuse).unwrap_err();
    assert_eq!(error, Error::Unconnected { sizes: vec![3, 3] });
}
