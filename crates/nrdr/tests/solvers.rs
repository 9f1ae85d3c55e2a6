//! The solvers agree on every problem builder.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::sync::Arc;

use common::{
    Opaque, assert_close, dot, point_methods, precomputed_smallest, ring_laplacian, roll, run,
    with_solver,
};
use nrdr::datasets::{Cube, Torus};
use nrdr::{
    End, Error, LaplacianEigenmaps, Ltsa, Matrix, Missed, Options, Precomputed, SolverKind,
    SolverOptions, SymmetricMatrix, embed,
};

/// Tight enough for the comparison.
fn options() -> Options {
    let (tolerance, missed) = (1e-11, Missed::Error);
    let solver = SolverOptions { tolerance, max_iterations: 20_000, missed, ..Default::default() };
    Options { neighbors: 12, solver, ..common::original() }
}

fn assert_lawful(name: &str, embedding: &nrdr::Embedding) {
    for (i, coordinate) in embedding.coordinates.iter().enumerate() {
        assert!((dot(&coordinate.values, &coordinate.values) - 1.0).abs() < 1e-12, "{name}");
        let largest = coordinate.values.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs()));
        assert!(largest.unwrap() > 0.0, "{name}: sign of coordinate {}", i + 1);
        assert!(coordinate.residual < 1e-9, "{name}: residual {}", coordinate.residual);
        // Where the trivial direction is the constant one, coordinates have mean zero.
        if !name.starts_with("lem") && !name.starts_with("dfm") {
            let mean = coordinate.values.iter().sum::<f64>() / embedding.len() as f64;
            assert!(mean.abs() < 1e-10, "{name}: mean {mean}");
        }
    }
}

#[test]
fn all_solvers_agree_on_all_methods() {
    let points = roll(600, 4);
    for (name, method) in point_methods() {
        let dense = run(&points, method.as_ref(), &with_solver(SolverKind::Dense, &options()));
        assert_eq!(dense.solver, "dense");
        assert_lawful(name, &dense);
        let kinds =
            [SolverKind::Lanczos, SolverKind::ShiftInvert, SolverKind::Multigrid, SolverKind::Auto];
        for kind in kinds {
            let found = match embed(&points, method.as_ref(), &with_solver(kind, &options())) {
                // Dense matrices cannot be factorised sparsely, and have no coarser levels.
                Err(Error::Solver { solver: "shift-invert" | "multigrid", .. })
                    if matches!(kind, SolverKind::ShiftInvert | SolverKind::Multigrid)
                        && (name == "isomap" || name.starts_with("kpca")) =>
                {
                    continue;
                }
                other => other.unwrap_or_else(|error| panic!("{name}, {kind:?}: {error}")),
            };
            assert_lawful(name, &found);
            assert_close(&format!("{name}, {kind:?}"), &dense, &found, 1e-6);
            for (a, b) in dense.eigenvalues().zip(found.eigenvalues()) {
                let scale = dense.eigenvalues().fold(1e-6f64, |m, v| m.max(v.abs()));
                assert!((a - b).abs() < 1e-7 * scale, "{name}, {kind:?}: eigenvalues {a} and {b}");
            }
        }
    }
}

/// With hardly more points than the basis has vectors it starts again with all that it has.
#[test]
fn multigrid_of_few_points_finds_all_pairs() {
    let method = LaplacianEigenmaps::default();
    for (dims, sizes) in [(3, 6..24), (11, 14..34), (40, 44..64)] {
        for n in sizes {
            let options = Options { neighbors: 4, dims: dims.into(), ..options() };
            let points = roll(n, 4);
            let dense = run(&points, &method, &with_solver(SolverKind::Dense, &options));
            let found = run(&points, &method, &with_solver(SolverKind::Multigrid, &options));
            for (one, other) in dense.coordinates.iter().zip(&found.coordinates) {
                let error = (one.eigenvalue - other.eigenvalue).abs();
                assert!(error < 1e-9, "{n} points, {dims} coordinates: {error:e}");
            }
        }
    }
}

#[test]
fn all_solvers_agree_on_a_matrix_of_ones_own() {
    let n = 500;
    let laplacian = ring_laplacian(n);
    let sparse = Matrix::from(laplacian.clone());
    let entries = (0..n * n).map(|at| laplacian.get(at / n, at % n)).collect();
    let dense = Matrix::from(SymmetricMatrix::new(entries).unwrap());
    let operator = Matrix::Operator(Arc::new(Opaque(laplacian)));
    let method = precomputed_smallest(n);
    let oracle = run(&dense, &method, &with_solver(SolverKind::Dense, &options()));
    assert_lawful("precomputed", &oracle);
    let sparse_only = [SolverKind::ShiftInvert, SolverKind::Multigrid];
    let kinds = [SolverKind::Dense, SolverKind::Lanczos, SolverKind::Auto].into_iter();
    let kinds: Vec<SolverKind> = kinds.chain(sparse_only).collect();
    for (name, matrix) in [("dense", &dense), ("sparse", &sparse), ("operator", &operator)] {
        for &kind in &kinds {
            if sparse_only.contains(&kind) && name != "sparse" {
                continue;
            }
            let found = run(matrix, &method, &with_solver(kind, &options()));
            assert_close(&format!("{name}, {kind:?}"), &oracle, &found, 1e-6);
        }
    }
    // The other end, with a scale and without a trivial direction.
    let scale: Vec<f64> = (0..n).map(|i| 1.0 + (i % 3) as f64).collect();
    let method = Precomputed { end: End::Largest, scale: Some(scale), ..Default::default() };
    let oracle = run(&dense, &method, &with_solver(SolverKind::Dense, &options()));
    let found = run(&operator, &method, &with_solver(SolverKind::Lanczos, &options()));
    assert_close("largest", &oracle, &found, 1e-6);
}

#[test]
fn eigenvalues_that_occur_twice_are_found_twice() {
    // The eigenvectors of a ring come in pairs; a square's and a torus's nearly so.
    let n = 400;
    let ring: Vec<_> = (0..n)
        .flat_map(|i| [(i, (i + 1) % n, -1.0), ((i + 1) % n, i, -1.0), (i, i, 2.0)])
        .collect();
    let ring = Matrix::from(nrdr::SparseMatrix::new(n, &ring).unwrap());
    let expected = |j: usize| 2.0 - 2.0 * (2.0 * std::f64::consts::PI * j as f64 / n as f64).cos();
    for kind in [SolverKind::ShiftInvert, SolverKind::Lanczos, SolverKind::Multigrid] {
        let options = Options { dims: 4.into(), ..with_solver(kind, &options()) };
        let found = run(&ring, &precomputed_smallest(n), &options);
        for (i, value) in found.eigenvalues().enumerate() {
            let wanted = expected(i / 2 + 1);
            assert!((value - wanted).abs() < 1e-8, "{kind:?}: {value} is not {wanted}");
        }
    }
}

#[test]
fn the_choice_follows_the_predicted_cost() {
    let solver = |points: &nrdr::Points, neighbors| {
        let options = Options { neighbors, ..common::original() };
        run(points, &LaplacianEigenmaps::default(), &options).solver
    };
    let flat = Torus { n: 5000, ..Default::default() }.generate(1).unwrap().points;
    assert_eq!(solver(&flat, 10), "shift-invert");
    // The factor of an eight-dimensional cloud fills in almost completely.
    let thick = Cube { n: 5000, sides: vec![1.0; 8], noise: 0.0 }.generate(1).unwrap().points;
    assert_eq!(solver(&thick, 10), "multigrid");
    assert_eq!(solver(&common::roll(80, 1), 10), "dense");
    let options = Options { neighbors: 10, ..common::original() };
    assert_eq!(run(&flat, &Ltsa::default(), &options).solver, "shift-invert");
}

#[test]
fn a_solve_that_misses_its_tolerance_is_an_error() {
    let points = roll(2000, 1);
    let solver = SolverOptions {
        kind: SolverKind::Lanczos,
        max_iterations: 30,
        missed: Missed::Error,
        ..Default::default()
    };
    let options = Options { solver, ..common::original() };
    match embed(&points, &Ltsa::default(), &options) {
        Err(Error::NotConverged { coordinate, residual, tolerance, iterations }) => {
            assert!(coordinate >= 1 && residual > tolerance && iterations == 30);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn eigenvalues_that_occur_many_times_are_found_as_often() {
    // The corners of a cube of eight dimensions: all eight directions have the same variance.
    let corners = (0..256u32).map(|i| (0..8).map(|b| f64::from(i >> b & 1)).collect::<Vec<f64>>());
    let corners = nrdr::Points::from_rows(corners).unwrap();
    let linear = nrdr::KernelPca { kernel: nrdr::Kernel::Linear, ..Default::default() };
    let found = run(&corners, &linear, &Options { dims: 8.into(), ..options() });
    assert!(
        found.eigenvalues().all(|v| (v - 64.0).abs() < 1e-6),
        "{:?}",
        found.eigenvalues().collect::<Vec<_>>()
    );
    assert!(found.warnings.is_empty());
    // The ninth is none.
    let found = run(&corners, &linear, &Options { dims: 9.into(), ..options() });
    assert_eq!(found.warnings, [nrdr::Warning::Spent { informative: 8 }]);

    // A projector of rank three, as an operator.
    struct Projector;
    impl nrdr::Operator for Projector {
        fn size(&self) -> usize {
            300
        }
        fn apply(&self, x: &[f64], y: &mut [f64]) {
            y.fill(0.0);
            y[..3].copy_from_slice(&x[..3]);
        }
    }
    let projector = Matrix::Operator(Arc::new(Projector));
    let found = run(&projector, &Precomputed::default(), &Options { dims: 4.into(), ..options() });
    let values: Vec<f64> = found.eigenvalues().map(|v| v.round()).collect();
    assert_eq!(values, [1.0, 1.0, 1.0, 0.0]);

    // Six rings without a link: five more vectors than the constant have no energy.
    let mut entries = Vec::new();
    for ring in 0..6 {
        for i in 0..40 {
            let (a, b) = (ring * 40 + i, ring * 40 + (i + 1) % 40);
            entries.extend([(a, b, -1.0), (b, a, -1.0), (a, a, 1.0), (b, b, 1.0)]);
        }
    }
    let rings = Matrix::from(nrdr::SparseMatrix::new(240, &entries).unwrap());
    for kind in [SolverKind::ShiftInvert, SolverKind::Lanczos, SolverKind::Dense] {
        let options = Options { dims: 6.into(), ..with_solver(kind, &options()) };
        let found: Vec<f64> =
            run(&rings, &precomputed_smallest(240), &options).eigenvalues().collect();
        assert!(
            found[..5].iter().all(|v| v.abs() < 1e-8) && found[5] > 1e-3,
            "{kind:?}: {found:?}"
        );
    }
}

#[test]
fn a_bound_far_from_the_spectrum_is_no_excuse() {
    let n = 400;
    let entries: Vec<_> = (0..n)
        .flat_map(|i| {
            ring_laplacian(n).row(i).map(move |(j, v)| (i, j, 1e-6 * v)).collect::<Vec<_>>()
        })
        .collect();
    let matrix = Matrix::from(nrdr::SparseMatrix::new(n, &entries).unwrap());
    let exact = run(&matrix, &precomputed_smallest(n), &options());
    let loose = Precomputed { bound: Some(-1.0), ..precomputed_smallest(n) };
    match embed(&matrix, &loose, &with_solver(SolverKind::ShiftInvert, &options())) {
        Ok(found) => assert_close("loose bound", &exact, &found, 1e-5),
        Err(error) => assert!(matches!(error, Error::NotConverged { .. }), "{error}"),
    }
}
