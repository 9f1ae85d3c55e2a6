use std::sync::Arc;

use super::*;
use crate::datasets::Cube;
use crate::linalg::reduce::{dot, norm};
use crate::linalg::{SparseMatrix, SymmetricMatrix};
use crate::problem::End;
use crate::progress::Watch;
use crate::stage::Stage;
use crate::threads::with_threads;
use crate::{LaplacianEigenmaps, Ltsa, Method, Options, Points, Prepared};

/// Points of a cube, with the first side bent in one dimension more.
fn sheet(n: usize) -> Points {
    let cube = Cube { n, sides: vec![1.0; 3], noise: 0.0 }.generate(1).unwrap().points;
    let bent = |i: usize| {
        let row = cube.row(i);
        [row[0].cos(), row[0].sin(), row[1], row[2]]
    };
    Points::from_rows((0..n).map(bent)).unwrap()
}

fn problem(method: &dyn Method) -> Arc<Problem> {
    let options = Options::default();
    let points = sheet(3000);
    let prepared = Prepared::new(&points, method, &options).unwrap();
    prepared.problem().unwrap().clone()
}

fn multigrid(problem: &Problem) -> Multigrid {
    let watch = Watch::new(None);
    watch.stage(Stage::Factorization, |progress| Multigrid::new(problem, progress)).unwrap()
}

/// Columns of numbers between -1 and 1.
fn block(n: usize, columns: usize) -> Mat<f64> {
    Mat::from_fn(n, columns, |i, j| ((i * 7919 + j * 104_729 + 13) % 1009) as f64 / 504.5 - 1.0)
}

fn methods() -> [Box<dyn Method>; 2] {
    [Box::new(LaplacianEigenmaps::default()), Box::new(Ltsa { local_dimension: Some(3) })]
}

#[test]
fn aggregates_represent_the_candidates() {
    for method in methods() {
        let problem = problem(method.as_ref());
        let Matrix::Sparse(entries) = &problem.matrix else { panic!("not sparse") };
        let n = entries.size();
        let matrix = Csr { entries: entries.clone(), columns: n, scale: 1.0, shift: 0.0 };
        let trivial = problem.trivial.clone().into_iter();
        let candidates: Candidates = trivial.chain(problem.near_null.iter().cloned()).collect();
        let groups = Groups::single(n);
        let aggregates = aggregate(&matrix, &groups);
        let mut members: Vec<u32> = aggregates.iter().flatten().copied().collect();
        members.sort_unstable();
        assert!(members.iter().copied().eq(0..n as u32), "every unknown is in one aggregate");
        let tentative = Tentative::new(&aggregates, &groups, &candidates);
        assert!(tentative.prolongation.columns * 2 < n);
        for (fine, coarse) in candidates.iter().zip(&tentative.candidates) {
            let mut back = vec![0.0; n];
            tentative.prolongation.multiply::<1>(coarse, &mut back);
            let apart = back.iter().zip(fine).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < 1e-6 * norm(fine), "{}: {apart}", method.name());
        }
    }
}

#[test]
fn a_cycle_is_symmetric_and_reduces_errors() {
    for (method, most) in methods().iter().zip([0.25, 0.9]) {
        let problem = problem(method.as_ref());
        let multigrid = multigrid(&problem);
        assert!(!multigrid.levels.is_empty());
        let x = block(problem.size(), 2);
        let y = multigrid.solve(x.as_ref());
        let (a, b) = (x.col_as_slice(0), x.col_as_slice(1));
        let (ka, kb) = (y.col_as_slice(0), y.col_as_slice(1));
        let (left, right) = (dot(a, kb), dot(ka, b));
        assert!((left - right).abs() < 1e-8 * left.abs().max(norm(a) * norm(kb)), "{left} {right}");
        // The error e <- e - K M e of a random start, in the norm of M.
        let energy = |e: &Mat<f64>| {
            let image = multigrid.multiply(e.as_ref());
            dot(e.col_as_slice(0), image.col_as_slice(0)).sqrt()
        };
        let mut error = block(problem.size(), 1);
        let (mut before, mut rate) = (energy(&error), 1.0);
        for _ in 0..12 {
            let image = multigrid.multiply(error.as_ref());
            error -= multigrid.solve(image.as_ref());
            let now = energy(&error);
            (rate, before) = (now / before, now);
        }
        assert!(rate < most, "{}: {rate}", method.name());
    }
}

#[test]
fn the_bits_do_not_depend_on_threads() {
    let problem = problem(&LaplacianEigenmaps::default());
    let solve = |threads| {
        with_threads(Some(threads), || {
            Ok(multigrid(&problem).solve(block(problem.size(), 3).as_ref()))
        })
        .unwrap()
    };
    let one = solve(1);
    for threads in [2, 3] {
        assert!(solve(threads) == one, "{threads} threads");
    }
}

#[test]
fn blocks_of_any_width_are_the_same_as_columns() {
    let problem = problem(&LaplacianEigenmaps::default());
    let multigrid = multigrid(&problem);
    let x = block(problem.size(), 7);
    let together = multigrid.solve(x.as_ref());
    for j in 0..x.ncols() {
        let alone = multigrid.solve(x.as_ref().subcols(j, 1));
        let (alone, together) = (alone.col_as_slice(0), together.col_as_slice(j));
        let apart = alone.iter().zip(together).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        // The last level is solved for all columns at once, which rounds in another order.
        assert!(apart < 1e-10 * norm(alone), "column {j}: {apart}");
    }
}

#[test]
fn a_graph_that_becomes_one_aggregate_has_an_inverse() {
    // All of 700 points joined: the energy of every vector of sum zero is 700.
    let n = 700;
    let entry = |i: usize, j: usize| if i == j { n as f64 - 1.0 } else { -1.0 };
    let full = SymmetricMatrix::new((0..n * n).map(|at| entry(at / n, at % n)).collect()).unwrap();
    let mut problem = Problem::constant_trivial(SparseMatrix::from_dense(&full), End::Smallest);
    problem.bound = Some(0.0);
    let multigrid = multigrid(&problem);
    let mut x = block(n, 1);
    let mean = x.col_as_slice(0).iter().sum::<f64>() / n as f64;
    x.col_as_slice_mut(0).iter_mut().for_each(|v| *v -= mean);
    let y = multigrid.solve(x.as_ref());
    let (x, y) = (x.col_as_slice(0), y.col_as_slice(0));
    let apart = x.iter().zip(y).map(|(x, y)| (x - n as f64 * y).abs()).fold(0.0, f64::max);
    assert!(apart < 0.1, "{apart}");
}
