//! Every bad input has its error.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod common;

use std::ops::ControlFlow;

use common::{point_methods, roll};
use nrdr::{
    DiffusionMaps, EdgeKind, Error, Graph, HessianLle, Input, Isomap, Kernel, KernelPca,
    LaplacianEigenmaps, Lle, Ltsa, Matrix, Method, ModifiedLle, Options, Points, Precomputed,
    Prepared, SolverKind, SolverOptions, SparseMatrix, Stage, Strategy, SymmetricMatrix, Warning,
    Weights, embed, method,
};

fn error(points: &Points, method: &dyn Method, options: &Options) -> Error {
    embed(points, method, options).expect_err(method.name())
}

#[test]
fn tables_that_are_no_points() {
    assert_eq!(Points::new(vec![], 3), Err(Error::Empty));
    assert_eq!(Points::new(vec![1.0], 0), Err(Error::Empty));
    assert_eq!(Points::new(vec![1.0; 5], 3), Err(Error::Ragged { values: 5, columns: 3 }));
    assert!(matches!(Points::from_rows([&[1.0, 2.0][..], &[1.0][..]]), Err(Error::Ragged { .. })));
    let empty_first = Points::from_rows([&[][..], &[1.0, 2.0][..]]);
    assert!(matches!(empty_first, Err(Error::Ragged { .. })));
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e200] {
        let message = Points::new(vec![1.0, 2.0, 3.0, 4.0, 5.0, value], 2).unwrap_err().to_string();
        assert!(message.starts_with("row 2, column 1 holds"), "{message}");
    }
}

#[test]
fn too_few_points_for_what_is_asked() {
    let options = common::original();
    for (name, method) in point_methods() {
        let one = Points::new(vec![1.0, 2.0], 2).unwrap();
        let found = error(&one, method.as_ref(), &options);
        assert_eq!(found, Error::TooFewPoints { points: 1, needed: 2 }, "{name}");

        let ten = roll(10, 1);
        let found = error(&ten, method.as_ref(), &Options { dims: 10.into(), ..options.clone() });
        assert_eq!(found, Error::TooManyCoordinates { dims: 10, available: 9 }, "{name}");
        if !name.starts_with("kpca") {
            let found = error(&ten, method.as_ref(), &Options { neighbors: 10, ..options.clone() });
            assert_eq!(found, Error::TooManyNeighbors { neighbors: 10, available: 9 }, "{name}");
        }
        let found = error(&ten, method.as_ref(), &Options { dims: 0.into(), ..options.clone() });
        assert!(matches!(found, Error::Parameter { name: "dims", .. }), "{name}");

        let equal = Points::new(vec![3.5; 60], 2).unwrap();
        let found = error(&equal, method.as_ref(), &options);
        assert_eq!(found, Error::AllEqual { points: 30 }, "{name}");
    }
}

#[test]
fn a_constant_column_does_no_harm() {
    let points = roll(200, 1);
    let wider = Points::from_rows((0..200).map(|i| [points.row(i), &[7.0]].concat())).unwrap();
    for (name, method) in point_methods() {
        if !["kpca poly", "kpca cosine", "kpca sigmoid"].contains(&name) {
            let plain = common::run(&points, method.as_ref(), &common::original());
            let found = common::run(&wider, method.as_ref(), &common::original());
            common::assert_close(name, &plain, &found, 1e-5);
        }
    }
}

#[test]
fn parameters_out_of_range() {
    let points = roll(50, 1);
    let named = |method: &dyn Method| match error(&points, method, &common::original()) {
        Error::Parameter { name, .. } => name,
        other => panic!("{other}"),
    };
    for sigma in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let heat = LaplacianEigenmaps { sigma: Some(sigma), ..Default::default() };
        assert_eq!(named(&heat), "sigma");
        assert_eq!(named(&DiffusionMaps { epsilon: Some(sigma), ..Default::default() }), "epsilon");
        assert_eq!(named(&KernelPca { gamma: Some(sigma), ..Default::default() }), "gamma");
        assert_eq!(named(&Lle { regularization: sigma }), "reg");
        let modified = ModifiedLle { regularization: sigma, ..Default::default() };
        assert_eq!(named(&modified), "reg");
    }
    assert_eq!(named(&DiffusionMaps { density: 1.5, ..Default::default() }), "density");
    assert_eq!(named(&DiffusionMaps { time: -1.0, ..Default::default() }), "time");
    assert_eq!(named(&Ltsa { local_dimension: Some(0) }), "local_dim");
    assert_eq!(named(&HessianLle { local_dimension: Some(0) }), "local_dim");
    for degree in [0, 3_000_000_000] {
        let kernel = Kernel::Polynomial;
        assert_eq!(named(&KernelPca { kernel, degree, ..Default::default() }), "degree");
    }
    for huge in [usize::MAX, 5000] {
        assert_eq!(named(&Ltsa { local_dimension: Some(huge) }), "local_dim");
        assert_eq!(named(&HessianLle { local_dimension: Some(huge) }), "local_dim");
    }
    let (kernel, degree, constant) = (Kernel::Polynomial, 1000, 10.0);
    let steep = KernelPca { kernel, gamma: Some(10.0), degree, constant, rank: None };
    let found = error(&points, &steep, &common::original());
    assert!(matches!(found, Error::Kernel { .. }), "{found}");

    let lem = LaplacianEigenmaps::default();
    for tolerance in [0.0, -1.0, 1.0, f64::NAN] {
        let solver = SolverOptions { tolerance, ..Default::default() };
        let found = error(&points, &lem, &Options { solver, ..common::original() });
        assert!(matches!(found, Error::Parameter { name: "tolerance", .. }));
    }
    for threads in [0, 100_000] {
        let found = error(&points, &lem, &Options { threads: Some(threads), ..common::original() });
        assert!(matches!(found, Error::Parameter { name: "threads", .. }));
    }
    let found = error(&points, &lem, &Options { neighbors: 0, ..common::original() });
    assert!(matches!(found, Error::Parameter { name: "neighbors", .. }));
}

#[test]
fn neighbourhoods_that_are_too_small() {
    let points = roll(100, 1);
    let options = |neighbors| Options { neighbors, dims: 3.into(), ..common::original() };
    // d (d + 3) / 2 = 9 for d = 3: ten neighbours are the least.
    let (hlle, ltsa) = (HessianLle { local_dimension: Some(3) }, Ltsa { local_dimension: Some(3) });
    let found = error(&points, &hlle, &options(9));
    assert_eq!(
        found,
        Error::TooFewNeighbors { method: "hlle", local_dimension: 3, neighbors: 9, needed: 10 }
    );
    assert!(found.to_string().contains("at least 10 neighbours, not 9"), "{found}");
    assert!(embed(&points, &hlle, &options(10)).is_ok());
    let found = error(&points, &ltsa, &options(4));
    assert!(matches!(found, Error::TooFewNeighbors { needed: 5, .. }));
    assert!(embed(&points, &ltsa, &options(5)).is_ok());
    let mlle = ModifiedLle { local_dimension: Some(3), ..Default::default() };
    let found = error(&points, &mlle, &options(3));
    assert!(matches!(found, Error::TooFewNeighbors { method: "mlle", needed: 4, .. }));
    assert!(embed(&points, &mlle, &options(4)).is_ok());
    // A dimension that is estimated is cut to what the neighbourhoods can tell, and that is told.
    let found = common::run(&points, &HessianLle::default(), &options(5));
    assert_eq!(found.chosen[0], ("local_dim", 1.0));
    assert_eq!(found.warnings, [Warning::TangentsCut { in_use: 1, estimated: 2 }]);
    let found = error(&points, &HessianLle::default(), &options(2));
    assert!(matches!(found, Error::TooFewNeighbors { local_dimension: 1, needed: 3, .. }));
}

/// 39 seconds of searching neighbours came before the refusal once.
#[test]
fn what_is_refused_is_refused_before_any_work() {
    let many = Points::new((0..60_000).map(f64::from).collect(), 2).unwrap();
    let hopeless: [&dyn Method; 8] = [
        &Isomap { landmarks: Some(30_001) },
        &KernelPca { rank: Some(0), ..Default::default() },
        &KernelPca { gamma: Some(-1.0), ..Default::default() },
        &LaplacianEigenmaps { weights: Some(Weights::Heat), sigma: Some(0.0) },
        &DiffusionMaps { time: -1.0, ..Default::default() },
        &Lle { regularization: 0.0 },
        &Ltsa { local_dimension: Some(9) },
        &HessianLle { local_dimension: Some(4) },
    ];
    for method in hopeless {
        let observer = |stage: Stage, _: f64| -> ControlFlow<()> {
            panic!("{} began with {stage}", method.name())
        };
        let options = common::original();
        let found = Prepared::new(&many, method, &options)
            .and_then(|prepared| prepared.observed(&observer).embed(&options.strategy));
        assert!(found.is_err(), "{}", method.name());
    }
}

#[test]
fn matrices_that_are_not_symmetric() {
    let mut values = vec![0.0; 9];
    values[3] = 1.0;
    let found = SymmetricMatrix::new(values).unwrap_err();
    assert_eq!(found, Error::NotSymmetric { row: 1, column: 0, value: 1.0, mirrored: 0.0 });
    assert!(matches!(SymmetricMatrix::new(vec![1.0; 8]), Err(Error::Size { .. })));
    assert!(matches!(SymmetricMatrix::new(vec![]), Err(Error::Size { .. })));
    let nan = SymmetricMatrix::new(vec![0.0, f64::NAN, f64::NAN, 0.0]);
    assert!(matches!(nan, Err(Error::NotFinite { row: 1, column: 0, .. })));
    // Rounding beside large entries is no asymmetry.
    assert!(SymmetricMatrix::new(vec![1.0, 1e-17, -1e-17, 1.0]).is_ok());
    for value in [1.0, 0.0] {
        let lonely = SparseMatrix::new(3, &[(0, 2, value)]);
        assert!(matches!(lonely, Err(Error::NotSymmetric { row: 0, column: 2, .. })));
    }
    let lonely = SparseMatrix::new(3, &[(0, 2, 1.0)]);
    assert!(matches!(lonely, Err(Error::NotSymmetric { row: 0, column: 2, .. })));
    assert!(matches!(SparseMatrix::new(3, &[(0, 3, 1.0)]), Err(Error::Size { .. })));
}

#[test]
fn the_wrong_kind_of_input() {
    let points = roll(30, 1);
    let matrix = Matrix::from(SymmetricMatrix::new(vec![1.0; 900]).unwrap());
    let apart = |at: usize| f64::from(u8::from(at / 30 != at % 30));
    let distances = SymmetricMatrix::new((0..900).map(apart).collect()).unwrap();
    let edges = SparseMatrix::new(2, &[(0, 1, 1.0), (1, 0, 1.0)]).unwrap();
    let affinities = Graph { edges, kind: EdgeKind::Affinity };
    for method in method::all() {
        let takes_points = method.name() != "precomputed";
        let given = if takes_points { Input::Matrix(&matrix) } else { Input::Points(&points) };
        let found = embed(given, method.as_ref(), &common::original()).unwrap_err();
        assert!(matches!(found, Error::WrongInput { .. }), "{}: {found}", method.name());
    }
    let found = embed(&distances, &Lle::default(), &common::original()).unwrap_err();
    assert_eq!(found.to_string(), "lle needs points, not distances");
    let one = Options { dims: 1.into(), ..common::original() };
    let found = embed(&affinities, &Isomap::default(), &one).unwrap_err();
    assert_eq!(found.to_string(), "isomap needs the lengths of edges, not affinities");
}

#[test]
fn precomputed_parts_that_do_not_fit() {
    let matrix = Matrix::from(common::ring_laplacian(150));
    let found = |method: &Precomputed| embed(&matrix, method, &common::original()).unwrap_err();
    let short = Precomputed { scale: Some(vec![1.0; 3]), ..Default::default() };
    assert_eq!(found(&short), Error::Size { what: "scale", got: 3, expected: 150 });
    let mut trivial = vec![1.0; 150];
    trivial[4] = f64::NAN;
    let broken = Precomputed { trivial: Some(trivial), ..Default::default() };
    assert!(matches!(found(&broken), Error::NotFinite { row: 4, .. }));
    let nothing = Precomputed { scale: Some(vec![0.0; 150]), ..Default::default() };
    assert_eq!(found(&nothing), Error::Vanished { coordinate: 1 });
    // A bound that is not one: the factorisation notices.
    let method = Precomputed { bound: Some(1.0), ..common::precomputed_smallest(150) };
    let options = common::with_solver(SolverKind::ShiftInvert, &common::original());
    let found = embed(&matrix, &method, &options).unwrap_err();
    assert!(found.to_string().contains("eigenvalues beyond 1"), "{found}");
}

/// An operator that does not keep its promise.
struct Broken;

impl nrdr::Operator for Broken {
    fn size(&self) -> usize {
        150
    }
    fn apply(&self, _: &[f64], y: &mut [f64]) {
        y.fill(f64::NAN);
    }
}

#[test]
fn an_operator_that_gives_nan() {
    let matrix = Matrix::Operator(std::sync::Arc::new(Broken));
    for kind in [SolverKind::Auto, SolverKind::Lanczos, SolverKind::Dense] {
        let solver = SolverOptions { kind, max_iterations: 50, ..Default::default() };
        let options = Options { solver, ..common::original() };
        let found = embed(&matrix, &Precomputed::default(), &options);
        assert!(found.is_err(), "{kind:?}: {found:?}");
    }
}

#[test]
fn data_too_small_to_be_squared() {
    let tiny: Vec<f64> = roll(50, 1).values().iter().map(|v| v * 1e-170).collect();
    let found = error(&Points::new(tiny, 3).unwrap(), &Lle::default(), &common::original());
    assert!(found.to_string().contains("rescale"), "{found}");
}

#[test]
fn affinities_taken_for_distances() {
    let kernel = SymmetricMatrix::new(vec![1.0; 900]).unwrap();
    let found = embed(&kernel, &Isomap::default(), &common::original()).unwrap_err();
    assert_eq!(found, Error::NotDistances { row: 0, value: 1.0 });
}

#[test]
fn fewer_iterations_than_coordinates() {
    let points = roll(300, 1);
    for kind in [SolverKind::Lanczos, SolverKind::ShiftInvert] {
        let solver = SolverOptions { kind, max_iterations: 1, ..Default::default() };
        let options = Options { dims: 6.into(), solver, ..common::original() };
        let found = error(&points, &LaplacianEigenmaps::default(), &options);
        assert!(matches!(found, Error::NotConverged { .. }), "{kind:?}: {found}");
    }
}

#[test]
fn weights_of_any_size_are_weights() {
    let points = roll(60, 1);
    let strategy = Strategy::unpredictable(Default::default());
    let (lem, options) =
        (LaplacianEigenmaps::default(), Options { strategy, ..Default::default() });
    let distances = |i: usize, j: usize| -> f64 {
        points.row(i).iter().zip(points.row(j)).map(|(a, b)| (a - b).powi(2)).sum()
    };
    let graph = |size: f64| {
        let values = (0..3600).map(|at| size * (-0.02 * distances(at / 60, at % 60)).exp());
        let full = SymmetricMatrix::new(values.collect()).unwrap();
        Graph { edges: SparseMatrix::from_dense(&full), kind: EdgeKind::Affinity }
    };
    let plain = embed(&graph(1.0), &lem, &options).unwrap();
    for size in [1e-300, 1e-150, 1e-20, 1e20, 1e100] {
        let scaled = embed(&graph(size), &lem, &options).unwrap();
        for c in 0..2 {
            let pairs = plain.coordinate(c).iter().zip(scaled.coordinate(c));
            let far = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(far < 1e-6, "{size}: {far}");
        }
    }
}
