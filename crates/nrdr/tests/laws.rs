//! What must not change the result, and what must.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::{
    assert_close, point_methods, precomputed_smallest, ring_laplacian, roll, run, with_rows,
};
use nrdr::{Embedding, Kernel, KernelPca, Matrix, Method, Options, Points, SolverOptions};
use proptest::prelude::*;

fn options() -> Options {
    let solver = SolverOptions { tolerance: 1e-10, ..Default::default() };
    Options { neighbors: 10, solver, ..common::original() }
}

fn map(points: &Points, f: impl Fn(&[f64]) -> Vec<f64>) -> Points {
    Points::from_rows((0..points.rows()).map(|i| f(points.row(i)))).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3, failure_persistence: None, ..Default::default() })]

    #[test]
    fn permuting_points_permutes_rows(seed in 0u64..1000, step in 1usize..100) {
        let points = roll(331, seed);
        // 331 is prime: multiples of any step visit every row.
        let order: Vec<usize> = (0..331).map(|i| i * step % 331).collect();
        let permuted = Points::from_rows(order.iter().map(|&i| points.row(i))).unwrap();
        for (name, method) in point_methods() {
            let expected = with_rows(&run(&points, method.as_ref(), &options()), &order);
            let found = run(&permuted, method.as_ref(), &options());
            assert_close(name, &expected, &found, 1e-6);
        }
    }

    #[test]
    fn moving_and_turning_the_data_changes_nothing(seed in 0u64..1000, angle in 0.1f64..3.0) {
        let points = roll(300, seed);
        let (sin, cos) = angle.sin_cos();
        let moved = map(&points, |p| {
            vec![cos * p[0] - sin * p[1] + 3.0, sin * p[0] + cos * p[1] - 5.0, p[2] + 0.25]
        });
        for (name, method) in point_methods() {
            // Inner products depend on the origin; the linear kernel is centred afterwards.
            if ["kpca poly", "kpca cosine", "kpca sigmoid"].contains(&name) {
                continue;
            }
            let expected = run(&points, method.as_ref(), &options());
            assert_close(name, &expected, &run(&moved, method.as_ref(), &options()), 1e-6);
        }
    }

    #[test]
    fn scaling_the_data_changes_nothing(seed in 0u64..1000, factor in 0.001f64..1000.0) {
        let points = roll(300, seed);
        let scaled = map(&points, |p| p.iter().map(|v| v * factor).collect());
        for (name, method) in point_methods() {
            // This one has its gamma fixed.
            if name == "kpca sigmoid" {
                continue;
            }
            let expected = run(&points, method.as_ref(), &options());
            assert_close(name, &expected, &run(&scaled, method.as_ref(), &options()), 1e-6);
        }
    }
}

/// Every number of a result, as bits.
fn bits(embedding: &Embedding) -> Vec<u64> {
    let mut bits = Vec::new();
    for c in &embedding.coordinates {
        bits.extend(c.values.iter().map(|v| v.to_bits()));
        bits.extend([c.eigenvalue, c.residual, c.length].map(f64::to_bits));
    }
    bits
}

#[test]
fn the_bits_do_not_depend_on_the_number_of_threads() {
    // Large enough that every parallel loop is cut into several pieces.
    let points = roll(6000, 9);
    let wide =
        map(&roll(1500, 9), |p| (0..70).map(|j| (p[j % 3] * (1.0 + j as f64)).sin()).collect());
    let with_threads = |threads| Options { threads: Some(threads), dims: 3.into(), ..options() };
    let check = |name: &str, points: &Points, method: &dyn Method| {
        let one = bits(&run(points, method, &with_threads(1)));
        assert!(one == bits(&run(points, method, &with_threads(2))), "{name}: 1 and 2 threads");
        assert!(one == bits(&run(points, method, &with_threads(3))), "{name}: 1 and 3 threads");
        assert!(one == bits(&run(points, method, &with_threads(2))), "{name}: run to run");
    };
    for (name, method) in point_methods() {
        // Two dense N x N kernels of this size are enough.
        match name {
            "kpca" | "kpca linear" | "kpca poly" | "kpca cosine" | "kpca sigmoid" | "isomap" => {
                check(name, &wide, method.as_ref());
            }
            _ => check(name, &points, method.as_ref()),
        }
    }
    check("wide lem", &wide, &nrdr::LaplacianEigenmaps::default());
    let matrix = Matrix::from(ring_laplacian(9000));
    let method = precomputed_smallest(9000);
    let one = bits(&run(&matrix, &method, &with_threads(1)));
    assert!(one == bits(&run(&matrix, &method, &with_threads(2))), "precomputed");
}

#[test]
fn the_seed_matters_only_within_the_tolerance() {
    let points = roll(1000, 2);
    for (name, method) in point_methods() {
        let one = run(&points, method.as_ref(), &Options { seed: 1, ..options() });
        let two = run(&points, method.as_ref(), &Options { seed: 2, ..options() });
        assert_close(name, &one, &two, 1e-6);
    }
}

#[test]
fn linear_kernel_pca_is_principal_component_analysis() {
    // Points on a plane with variances 9 and 1: the coordinates are the axes themselves.
    let n = 200;
    let axis = |i: usize, frequency: f64| (i as f64 * frequency).sin();
    let points =
        Points::from_rows((0..n).map(|i| [3.0 * axis(i, 1.1), axis(i, 2.3), 0.0])).unwrap();
    let pca = run(&points, &KernelPca { kernel: Kernel::Linear, ..Default::default() }, &options());
    for (coordinate, column) in pca.coordinates.iter().zip(0..) {
        let values: Vec<f64> = (0..n).map(|i| points.row(i)[column]).collect();
        assert!(common::correlation(&coordinate.values, &values) > 0.999);
        // Its traditional length reproduces the spread along the axis.
        let mean = values.iter().sum::<f64>() / n as f64;
        let spread = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>().sqrt();
        assert!((coordinate.length - spread).abs() < 0.02 * spread);
    }
}
