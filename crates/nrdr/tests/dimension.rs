//! How many coordinates are worth having.

#![allow(clippy::unwrap_used)]

mod common;

use nrdr::datasets::{Cube, Dataset, SCurve, Strip, SwissRoll, Torus};
use nrdr::quality::recovery;
use nrdr::{
    Alpha, Dims, EdgeKind, Embedding, Error, Graph, HessianLle, Input, Isomap, LaplacianEigenmaps,
    Ltsa, Matrix, Method, Options, Points, Precomputed, Reason, SmootherOptions, SparseMatrix,
    Strategy, SymmetricMatrix, Warning, embed,
};

use common::run;

fn auto() -> Options {
    let smoother = SmootherOptions { alpha: Alpha::Auto, ..Default::default() };
    let strategy = Strategy::unpredictable(smoother);
    Options { dims: Dims::Auto { most: 6 }, strategy, ..Default::default() }
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
    let options = Options { strategy: Strategy::orthogonal(), ..auto() };
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
    assert_eq!(found.chosen, [("local_dim", 2.0)]);
    assert_eq!(found.dims(), 2, "{:?}", found.dimension);
}

/// Asked for three coordinates, a sheet in three dimensions is not a solid: the tangent spaces are planes, and its
/// parameters are found. With tangent spaces of three dimensions the coordinates are copies of the columns.
#[test]
fn a_sheet_is_unrolled_whatever_the_number_of_coordinates() {
    let roll = SwissRoll { n: 1000, ..Default::default() }.generate(6).unwrap();
    let (t, columns) = (roll.truth.column(0), (0..3).map(|c| roll.points.column(c)));
    let columns: Vec<Vec<f64>> = columns.collect();
    let methods = |local_dimension| -> [Box<dyn Method>; 2] {
        [Box::new(Ltsa { local_dimension }), Box::new(HessianLle { local_dimension })]
    };
    let options = Options { dims: 3.into(), neighbors: 12, ..common::original() };
    for method in methods(None) {
        let found = run(&roll.points, method.as_ref(), &options);
        assert_eq!(found.chosen, [("local_dim", 2.0)]);
        assert_eq!(found.warnings, []);
        let r2 = recovery(&found.to_points().unwrap(), &[&t]).unwrap()[0];
        println!("{}: R2(t) = {r2:.3}", method.name());
        assert!(r2 > 0.95, "{}: {r2}", method.name());
        // The first two alone tell it: t and the height, not x, y and z.
        let two = found.to_points().unwrap();
        let two = Points::from_columns(&[two.column(0), two.column(1)]).unwrap();
        assert!(recovery(&two, &[&t]).unwrap()[0] > 0.95, "{}", method.name());
    }
    for method in methods(Some(3)) {
        let found = run(&roll.points, method.as_ref(), &options);
        assert_eq!(found.warnings, [Warning::TangentsFill { columns: 3 }]);
        // Each column is an affine function of the coordinates.
        for column in &columns {
            let mean = column.iter().sum::<f64>() / 1000.0;
            let centred: Vec<f64> = column.iter().map(|v| v - mean).collect();
            let explained: f64 =
                found.coordinates.iter().map(|c| common::dot(&c.values, &centred).powi(2)).sum();
            let share = explained / common::dot(&centred, &centred);
            assert!(share > 0.999_999, "{}: {share}", method.name());
        }
    }
}

#[test]
fn the_local_dimension_is_that_of_the_shape() {
    let roll = |n, height, noise| SwissRoll { n, height, noise, hole: false }.generate(1).unwrap();
    let cube =
        |sides: usize, noise| Cube { n: 1000, sides: vec![1.0; sides], noise }.generate(2).unwrap();
    let shapes: [(&str, Dataset, usize); 9] = [
        ("roll", roll(1000, 21.0, 0.0), 2),
        ("noisy roll", roll(1000, 8.0, 0.3), 2),
        // So dense that the noise fills all three columns: the drop behind the second direction tells.
        ("dense noisy roll", roll(2000, 10.0, 0.3), 2),
        ("sparse roll", roll(200, 21.0, 0.0), 2),
        ("S-curve", SCurve { n: 1000, noise: 0.03, ..Default::default() }.generate(1).unwrap(), 2),
        ("torus", Torus { n: 1000, ..Default::default() }.generate(1).unwrap(), 2),
        ("line", cube(1, 0.0), 1),
        ("cube", cube(3, 0.0), 3),
        ("four dimensions", cube(4, 0.0), 4),
    ];
    for (name, data, expected) in shapes {
        // Eight neighbours fill four dimensions too unevenly: three are found.
        for neighbors in [8, 12, 15].into_iter().filter(|&k| k > 2 * expected) {
            let options = Options { neighbors, ..common::original() };
            let found = run(&data.points, &Ltsa::default(), &options);
            let chosen = found.chosen[0];
            assert_eq!(chosen, ("local_dim", expected as f64), "{name}, {neighbors}");
            let fills = expected == data.points.columns();
            assert_eq!(!found.warnings.is_empty(), fills, "{name}: {:?}", found.warnings);
        }
    }
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
    let options = Options { dims: Dims::Auto { most: 50 }, neighbors: 3, ..auto() };
    let found = embed(&strip.points, &LaplacianEigenmaps::default(), &options);
    assert!(found.is_ok_and(|found| found.dims() < 6));
}
