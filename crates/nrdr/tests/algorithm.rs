//! The paper's algorithm line by line, on dense matrices, beside the fast path; and what must hold
//! of every coordinate whatever the method.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::sync::Arc;

use common::{correlation, dot, problems, quietly, roll};
use faer::{Mat, Side};
use nrdr::eigen::{Builtin, Request};
use nrdr::strategy::{Originals, Step, Task};
use nrdr::{
    Constraint, End, Engine, Missed, Options, Problem, Realization, SmootherOptions, SolverKind,
    SolverOptions, Strategy,
};

const ALPHA: f64 = 0.3;
const TRUNCATION: f64 = 0.03;

fn solver_options(kind: SolverKind) -> SolverOptions {
    let missed = Missed::Error;
    SolverOptions { kind, tolerance: 1e-10, max_iterations: 20_000, missed }
}

fn steps(problem: &Problem, strategy: &Strategy, kind: SolverKind, dims: usize) -> Vec<Step> {
    quietly(|progress| {
        let accuracy = solver_options(kind);
        let solver = Builtin.prepare(&Arc::new(problem.clone()), &accuracy, progress)?;
        let task = Task {
            problem,
            solver: solver.as_ref(),
            accuracy: &accuracy,
            originals: &Originals::default(),
            kept: Default::default(),
            dims,
            judge: None,
            seed: 1,
            movable: None,
            laplacian: None,
            extend: false,
        };
        Ok(strategy.rule().coordinates(&task, progress)?.steps)
    })
    .unwrap()
}

fn unpredictable(realization: Realization) -> Strategy {
    Strategy::unpredictable(SmootherOptions {
        realization,
        alpha: ALPHA.into(),
        ..Default::default()
    })
}

/// The matrix of a problem, entry by entry.
fn dense(problem: &Problem) -> Mat<f64> {
    let n = problem.size();
    let mut matrix = Mat::zeros(n, n);
    for j in 0..n {
        let unit: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i == j))).collect();
        problem.matrix.operator().apply(&unit, matrix.col_as_slice_mut(j));
    }
    matrix
}

fn scale_of(problem: &Problem) -> Vec<f64> {
    problem.scale.clone().unwrap_or_else(|| vec![1.0; problem.size()])
}

/// f = s . g with unit length.
fn coordinate(problem: &Problem, g: &[f64]) -> Vec<f64> {
    let f: Vec<f64> = g.iter().zip(scale_of(problem)).map(|(g, s)| g * s).collect();
    let length = dot(&f, &f).sqrt();
    f.into_iter().map(|v| v / length).collect()
}

/// The smoother of the earlier coordinates times diag(s): Gaussian weights with rows that sum to one.
fn smoother(earlier: &[Vec<f64>], scale: &[f64]) -> Mat<f64> {
    let n = scale.len();
    let energy: f64 = earlier.iter().map(|f| dot(f, f)).sum();
    let h = ALPHA * (energy / n as f64).sqrt();
    let squared = |j: usize, k: usize| earlier.iter().map(|f| (f[j] - f[k]).powi(2)).sum::<f64>();
    let mut weights = Mat::from_fn(n, n, |j, k| (-squared(j, k) / (2.0 * h * h)).exp());
    for j in 0..n {
        let sum: f64 = (0..n).map(|k| weights[(j, k)]).sum();
        for k in 0..n {
            weights[(j, k)] *= scale[k] / sum;
        }
    }
    weights
}

/// The largest singular value, and the right singular vectors above the truncation.
fn truncated(matrix: &Mat<f64>) -> (f64, Mat<f64>) {
    let svd = matrix.svd().unwrap();
    let values = svd.S().column_vector();
    let rank = values.iter().take_while(|&&value| value > TRUNCATION * values[0]).count();
    (values[0], svd.V().subcols(0, rank).to_owned())
}

/// Algorithm 1 in the standard form: coordinates as they should be.
fn algorithm(problem: &Problem, dims: usize) -> Vec<Vec<f64>> {
    let n = problem.size();
    let scale = scale_of(problem);
    let mut kernel = dense(problem);
    // The largest eigenvalue is wanted, and all of them above zero, where the forbidden directions
    // end up.
    if problem.end == End::Smallest {
        kernel = -kernel;
    }
    let least = kernel.self_adjoint_eigenvalues(Side::Lower).unwrap()[0];
    kernel -= Mat::from_fn(n, n, |i, j| if i == j { least - 1.0 } else { 0.0 });
    let trivial = problem.trivial.clone().unwrap();
    let mut earlier: Vec<Vec<f64>> = Vec::new();
    for _ in 0..dims {
        let vectors = if earlier.is_empty() {
            Mat::zeros(n, 0)
        } else {
            truncated(&smoother(&earlier, &scale)).1
        };
        let constraint = Mat::from_fn(n, 1 + vectors.ncols(), |i, j| match j {
            0 => trivial[i] / dot(&trivial, &trivial).sqrt(),
            _ => vectors[(i, j - 1)],
        });
        // P1 = 1 may put t into the span already: an orthonormal basis that knows ranks.
        let svd = constraint.thin_svd().unwrap();
        let values = svd.S().column_vector();
        let rank = values.iter().take_while(|&&value| value > 1e-9).count();
        let basis = svd.U().subcols(0, rank);
        let outside = Mat::<f64>::identity(n, n) - basis * basis.transpose();
        let projected = &outside * &kernel * &outside;
        let eigen = projected.self_adjoint_eigen(Side::Lower).unwrap();
        let top: Vec<f64> = eigen.U().col(n - 1).iter().copied().collect();
        earlier.push(coordinate(problem, &top));
    }
    earlier
}

#[test]
fn the_fast_path_is_the_algorithm_of_the_paper() {
    let points = roll(500, 12);
    let options = Options { neighbors: 12, ..common::original() };
    for (name, problem) in problems(&points, &options) {
        let expected = algorithm(&problem, 3);
        let found = steps(&problem, &unpredictable(Realization::LowRank), SolverKind::Auto, 3);
        for (i, (expected, step)) in expected.iter().zip(&found).enumerate() {
            let same = correlation(expected, &coordinate(&problem, &step.pair.vector));
            println!("{name}, coordinate {}: {same:.6}", i + 1);
            assert!(same > 0.999, "{name}, coordinate {}: {same}", i + 1);
        }
    }
}

#[test]
fn coordinates_keep_the_constraint() {
    let points = roll(400, 5);
    for (name, problem) in problems(&points, &common::original()) {
        let scale = scale_of(&problem);
        let trivial = problem.trivial.clone().unwrap();
        let trivial: Vec<f64> =
            trivial.iter().map(|t| t / dot(&trivial, &trivial).sqrt()).collect();
        for (realization, slack) in [(Realization::Dense, 1e-6), (Realization::LowRank, 0.05)] {
            let found = steps(&problem, &unpredictable(realization), SolverKind::Auto, 3);
            let coordinates: Vec<Vec<f64>> =
                found.iter().map(|step| coordinate(&problem, &step.pair.vector)).collect();
            for i in 1..3 {
                let g = &found[i].pair.vector;
                assert!((dot(g, g) - 1.0).abs() < 1e-12, "{name}");
                assert!(dot(g, &trivial).abs() < 1e-8, "{name}: {}", dot(g, &trivial));
                let matrix = smoother(&coordinates[..i], &scale);
                let (largest, vectors) = truncated(&matrix);
                let column = Mat::from_fn(g.len(), 1, |row, _| g[row]);
                let inside = (vectors.transpose() * &column).norm_l2();
                let predicted = (&matrix * &column).norm_l2();
                let at = format!("{name}, {realization:?}, coordinate {}", i + 1);
                if realization == Realization::Dense {
                    assert!(inside <= 1e-8, "{at}: {inside:.1e}");
                }
                assert!(
                    predicted <= (1.0 + slack) * TRUNCATION * largest,
                    "{at}: {predicted} of {largest}"
                );
            }
        }
    }
}

#[test]
fn forbidding_the_earlier_coordinates_alone_is_the_original_method() {
    let points = roll(500, 4);
    for (name, problem) in problems(&points, &common::original()) {
        let original = steps(&problem, &Strategy::orthogonal(), SolverKind::Auto, 3);
        let ours = steps(&problem, &unpredictable(Realization::LowRank), SolverKind::Auto, 3);
        let first = correlation(&original[0].pair.vector, &ours[0].pair.vector);
        assert!(first > 1.0 - 1e-9, "{name}: {first}");
        quietly(|progress| {
            let SolverOptions { tolerance, max_iterations, .. } = solver_options(SolverKind::Auto);
            let shared = Arc::new(problem.clone());
            let solver = Builtin.prepare(&shared, &solver_options(SolverKind::Auto), progress)?;
            let mut constraint = Constraint::none(problem.size());
            constraint.forbid(problem.trivial.as_deref());
            for (i, expected) in original.iter().enumerate() {
                let request = Request {
                    constraint: &constraint,
                    count: 1,
                    tolerance,
                    max_iterations,
                    seed: 7,
                };
                let pair = solver.solve(&request, progress)?.remove(0);
                let same = correlation(&pair.vector, &expected.pair.vector);
                assert!(same > 0.99999, "{name}, coordinate {}: {same}", i + 1);
                constraint.forbid([pair.vector.as_slice()]);
            }
            Ok(())
        })
        .unwrap();
    }
}

#[test]
fn solvers_agree_under_the_constraint() {
    let points = roll(500, 4);
    for (name, problem) in problems(&points, &common::original()) {
        let strategy = unpredictable(Realization::LowRank);
        let oracle = steps(&problem, &strategy, SolverKind::Dense, 3);
        let factorizable = matches!(problem.matrix, nrdr::Matrix::Sparse(_));
        let kinds = [SolverKind::Lanczos, SolverKind::ShiftInvert];
        for kind in kinds.into_iter().take(1 + usize::from(factorizable)) {
            let found = steps(&problem, &strategy, kind, 3);
            for i in 0..3 {
                let same = correlation(&oracle[i].pair.vector, &found[i].pair.vector);
                assert!(same > 0.9999, "{name}, {kind:?}, coordinate {}: {same}", i + 1);
            }
        }
    }
}
