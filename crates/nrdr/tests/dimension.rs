//! How many coordinates are worth having.

#![allow(clippy::unwrap_used)]

mod common;

use nrdr::datasets::{Cube, Dataset, Strip, SwissRoll, Torus};
use nrdr::{
    Alpha, EdgeKind, Embedding, Error, Graph, Input, Isomap, LaplacianEigenmaps, Ltsa, Matrix,
    Method, Options, Precomputed, Reason, SmootherOptions, SparseMatrix, Strategy, SymmetricMatrix,
    embed,
};

use common::run;

fn auto() -> Options {
    let smoother = SmootherOptions { alpha: Alpha::Auto, ..Default::default() };
    let strategy = Strategy::Unpredictable(smoother);
    Options { dims: 6, auto_dims: true, strategy, ..Default::default() }
}

fn by(method: &dyn Method, data: &Dataset) -> Embedding {
    run(&data.points, method, &auto())
}

fn lem(data: &Dataset) -> Embedding {
    by(&LaplacianEigenmaps::default(), data)
}

#[test]
fn laplacian_eigenmaps_find_the_dimension_of_known_sets() {
    let strip = Strip { n: 1000, aspect: 5.0, noise: 0.0 }.generate(1).unwrap();
    let roll = SwissRoll { n: 1500, height: 10.0, noise: 0.3, hole: false }.generate(1).unwrap();
    let torus = Torus { n: 1500, ..Default::default() }.generate(1).unwrap();
    let line = Cube { n: 500, sides: vec![1.0], noise: 0.0 }.generate(1).unwrap();
    let cube = Cube { n: 1500, sides: vec![1.0, 0.9, 0.8], noise: 0.02 }.generate(1).unwrap();
    for (name, data, right) in [
        ("strip", strip, 2),
        ("roll", roll, 2),
        ("torus", torus, 3),
        ("line", line, 1),
        ("cube", cube, 3),
    ] {
        let found = lem(&data);
        let estimate = found.dimension.as_ref().unwrap();
        assert_eq!(found.dims(), right, "{name}: {estimate:?}");
        assert_eq!(estimate.dims, right);
        assert_ne!(estimate.reason, Reason::Most);
    }
}

#[test]
fn the_evidence_bears_out_the_number() {
    let roll = SwissRoll { n: 1000, height: 10.0, ..Default::default() }.generate(2).unwrap();
    let found = lem(&roll);
    let estimate = found.dimension.as_ref().unwrap();
    assert_eq!(estimate.dims, 2);
    let unexplained: Vec<f64> = estimate.evidence.iter().map(|e| e.unexplained).collect();
    // Without the height its share of the variance is left, with it much less.
    let variance = |values: Vec<f64>| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter().map(|v| (v - mean).powi(2)).sum::<f64>()
    };
    let shares: Vec<f64> = (0..3).map(|c| variance(roll.points.column(c))).collect();
    let height = shares[1] / shares.iter().sum::<f64>();
    assert!((unexplained[0] - height).abs() < 0.05 * height, "{unexplained:?} {height}");
    assert!(unexplained[1] < 0.5 * height, "{unexplained:?} {height}");
    let found: Vec<f64> = found.eigenvalues().collect();
    assert_eq!(found[0], estimate.evidence[0].eigenvalue);
    assert_eq!(found[1], estimate.evidence[1].eigenvalue);
}

#[test]
fn an_original_method_stops_at_its_first_redundant_coordinate() {
    let strip = Strip { n: 800, aspect: 5.0, noise: 0.0 }.generate(3).unwrap();
    let options = Options { strategy: Strategy::Orthogonal, ..auto() };
    let found = run(&strip.points, &LaplacianEigenmaps::default(), &options);
    let estimate = found.dimension.unwrap();
    assert_eq!((estimate.dims, estimate.reason), (1, Reason::Redundant));
    assert!(estimate.evidence[1].redundancy < 0.2);
}

#[test]
fn every_strategy_takes_it() {
    let roll = SwissRoll { n: 400, ..Default::default() }.generate(4).unwrap();
    for strategy in Strategy::all() {
        let name = strategy.name();
        let options = Options { strategy, ..auto() };
        let found = run(&roll.points, &LaplacianEigenmaps::default(), &options);
        assert_eq!(found.dimension.as_ref().map(|e| e.dims), Some(found.dims()), "{name}");
    }
}

#[test]
fn distances_serve_as_well_as_points() {
    let strip = Strip { n: 500, aspect: 3.0, noise: 0.0 }.generate(5).unwrap();
    let row = |i: usize| strip.points.row(i);
    let distance = |i: usize, j: usize| {
        row(i).iter().zip(row(j)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    };
    let values = (0..500).flat_map(|i| (0..500).map(move |j| (i, j)));
    let values = values.map(|(i, j)| distance(i, j)).collect();
    let distances = SymmetricMatrix::new(values).unwrap();
    let method = Isomap::default();
    let (of_points, of_distances) =
        (run(&strip.points, &method, &auto()), run(&distances, &method, &auto()));
    let (a, b) = (of_points.dimension.unwrap(), of_distances.dimension.unwrap());
    assert_eq!((a.dims, b.dims), (2, 2));
    assert!((a.evidence[0].unexplained - b.evidence[0].unexplained).abs() < 1e-6);
}

#[test]
fn tangent_spaces_get_a_dimension_of_their_own() {
    let roll = SwissRoll { n: 1000, ..Default::default() }.generate(6).unwrap();
    let found = by(&Ltsa::default(), &roll);
    assert_eq!(found.chosen, [("local dimension", 2.0)]);
    assert_eq!(found.dims(), 2, "{:?}", found.dimension);
}

#[test]
fn a_graph_or_a_matrix_has_nothing_to_explain() {
    let edges = [(0, 1, 1.0), (1, 0, 1.0), (1, 2, 1.0), (2, 1, 1.0)];
    let edges = SparseMatrix::new(3, &edges).unwrap();
    let graph = Graph { edges: edges.clone(), kind: EdgeKind::Affinity };
    let result = embed(Input::Graph(&graph), &LaplacianEigenmaps::default(), &auto());
    assert!(matches!(result, Err(Error::NeedsDistances { given: "a graph" })), "{result:?}");
    let matrix = Matrix::from(edges);
    let result = embed(Input::Matrix(&matrix), &Precomputed::default(), &auto());
    assert!(matches!(result, Err(Error::NeedsDistances { given: "a matrix" })), "{result:?}");
}

#[test]
fn so_few_points_that_the_most_is_more_than_there_are() {
    let strip = Strip { n: 6, aspect: 3.0, noise: 0.0 }.generate(7).unwrap();
    let options = Options { dims: 50, neighbors: 3, ..auto() };
    let found = embed(&strip.points, &LaplacianEigenmaps::default(), &options);
    assert!(found.is_ok_and(|found| found.dims() < 6));
}
