//! What must not change the result, for every method and every strategy; `laws.rs` has the original methods in all
//! their variants.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::ops::ControlFlow;

use common::{difference, methods_of, roll, soak, strategies};
use nrdr::{
    Embedding, Error, Method, Options, Points, Prepared, Priced, Realization, SmootherOptions,
    SolverOptions, Stage, Strategy, embed,
};

/// Points of the small tests; a prime.
const N: usize = 331;

fn options(strategy: &Strategy) -> Options {
    let solver = SolverOptions { tolerance: 1e-10, ..Default::default() };
    Options { neighbors: 10, solver, strategy: strategy.clone(), ..Default::default() }
}

/// How far results may be apart, in standard deviations of a coordinate: the tolerance of the solver, amplified by
/// what divides it (the gaps between eigenvalues).
const EXACT: f64 = 1e-6;
/// Where the low-rank smoother draws other pivots: it stands for the weights to within 0.003 of them, which ends up
/// in the coordinate.
const LOW_RANK: f64 = 1e-2;

/// A strategy as it is by default and, where it has a smoother, with the exact one; each with its tolerance.
fn variants(strategy: &Strategy) -> Vec<(Strategy, f64)> {
    let smoother = SmootherOptions { realization: Realization::Dense, ..Default::default() };
    let exact = match strategy.name() {
        "unpredictable" => Strategy::unpredictable(smoother),
        "regression" => Strategy::regression(smoother),
        "priced" => Strategy::priced(Priced { smoother, ..Default::default() }),
        _ => return vec![(strategy.clone(), EXACT)],
    };
    vec![(strategy.clone(), LOW_RANK), (exact, EXACT)]
}

fn map(points: &Points, f: impl Fn(&[f64]) -> Vec<f64>) -> Points {
    Points::from_rows((0..points.rows()).map(|i| f(points.row(i)))).unwrap()
}

/// How far an embedding of changed points is from that of the points; row i of it belongs to point `order[i]`.
fn changed(
    method: &dyn Method,
    options: &Options,
    points: &Points,
    other: &Points,
    order: &[usize],
) -> f64 {
    let name = format!("{}, {}", method.name(), options.strategy.name());
    let run = |points: &Points| -> Embedding {
        embed(points, method, options).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let (plain, found) = (run(points), run(other));
    assert_eq!(plain.dims(), found.dims(), "{name}");
    let far = |i: usize| {
        let expected: Vec<f64> = order.iter().map(|&row| plain.coordinate(i)[row]).collect();
        // Unit length spreads over all points: a standard deviation is one over the root of their number.
        (N as f64).sqrt() * difference(&expected, found.coordinate(i))
    };
    // Advection moves the points onto a curve, where LLE's weights are no longer unique but for its regularisation:
    // its second coordinate depends on the last digits. The first one is that of the original.
    let unstable = method.name() == "lle" && options.strategy.name() == "advection";
    let dims = if unstable { 1 } else { plain.dims() };
    (0..dims).map(far).fold(0.0, f64::max)
}

/// All methods and strategies keep a law: what `change` does to points changes the embedding only in the order of
/// its rows, which it returns.
fn holds(law: &str, change: impl Fn(&Points) -> (Points, Vec<usize>)) {
    for seed in 0..u64::from(soak(1)) {
        let points = roll(N, 7 + seed);
        let (other, order) = change(&points);
        for (strategy, tolerance) in strategies().iter().flat_map(variants) {
            for (name, method) in methods_of(&strategy) {
                let options = options(&strategy);
                let far = changed(method.as_ref(), &options, &points, &other, &order);
                println!("{law}: {name}, {}: {far:.1e}", strategy.name());
                assert!(far <= tolerance, "{law}, {name}, {strategy:?}: {far:.1e}");
            }
        }
    }
}

#[test]
fn permuting_points_permutes_rows() {
    let change = |points: &Points| {
        let order: Vec<usize> = (0..N).map(|i| i * 47 % N).collect();
        let rows = order.iter().map(|&i| points.row(i));
        (Points::from_rows(rows).unwrap(), order)
    };
    holds("permuted", change);
}

#[test]
fn moving_and_turning_the_data_changes_nothing() {
    let (sin, cos) = 0.7f64.sin_cos();
    let turn =
        |p: &[f64]| vec![cos * p[0] - sin * p[1] + 3.0, sin * p[0] + cos * p[1] - 5.0, p[2] + 0.25];
    holds("turned", |points| (map(points, turn), (0..N).collect()));
}

#[test]
fn scaling_the_data_changes_nothing() {
    let scale = |p: &[f64]| p.iter().map(|v| 300.7 * v).collect();
    holds("scaled", |points| (map(points, scale), (0..N).collect()));
}

/// Every number of a result, as bits.
fn bits(embedding: &Embedding) -> Vec<u64> {
    let numbers = embedding.coordinates.iter().flat_map(|c| {
        let smoothing = c.smoothing.iter().flat_map(|s| s.singular_values.iter().copied());
        c.values.iter().copied().chain([c.eigenvalue, c.residual, c.length]).chain(smoothing)
    });
    numbers.map(f64::to_bits).collect()
}

#[test]
fn the_bits_do_not_depend_on_the_number_of_threads() {
    // More points than any parallel loop takes at a time.
    let points = roll(1100, 9);
    for strategy in strategies() {
        for (name, method) in methods_of(&strategy) {
            let with = |threads| {
                let options = Options { threads: Some(threads), ..options(&strategy) };
                bits(&embed(&points, method.as_ref(), &options).unwrap())
            };
            let one = with(1);
            for threads in [2, 3] {
                assert!(one == with(threads), "{name}, {}: {threads} threads", strategy.name());
            }
        }
    }
}

#[test]
fn every_stage_can_be_cancelled_at_its_beginning_and_in_its_middle() {
    let points = roll(1100, 1);
    for strategy in strategies() {
        for (name, method) in methods_of(&strategy) {
            let options = options(&strategy);
            let complete = embed(&points, method.as_ref(), &options).unwrap();
            for (wanted, _) in complete.times {
                for at in [0.0, 0.3] {
                    let observer = |stage: Stage, fraction: f64| {
                        if stage == wanted && fraction >= at {
                            return ControlFlow::Break(());
                        }
                        ControlFlow::Continue(())
                    };
                    let prepared = Prepared::new(&points, method.as_ref(), &options).unwrap();
                    let found = prepared.observed(&observer).embed(&options.strategy);
                    let name = format!("{name}, {}, {wanted} at {at}", strategy.name());
                    assert_eq!(found.unwrap_err(), Error::Cancelled { stage: wanted }, "{name}");
                }
            }
        }
    }
}
