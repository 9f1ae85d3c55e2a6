//! Unpredictability at a price: its limits, its bound, what it recovers, what it refuses.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::{point_methods, roll, run};
use nrdr::datasets::SwissRoll;
use nrdr::quality::recovery;
use nrdr::{
    Embedding, Error, HessianLle, LaplacianEigenmaps, Lle, Ltsa, Method, Options, Priced,
    SmootherOptions, SolverKind, SolverOptions, Strategy, embed,
};

fn options(priced: Priced, dims: usize) -> Options {
    Options { strategy: Strategy::priced(priced), dims: dims.into(), ..Default::default() }
}

#[test]
fn without_a_price_and_a_choice_it_is_the_original() {
    let points = roll(300, 2);
    for (name, method) in point_methods() {
        let free = Priced { mu: Some(0.0), pool: Some(1), ..Default::default() };
        let ours = run(&points, method.as_ref(), &options(free, 3));
        let original =
            Options { strategy: Strategy::orthogonal(), dims: 3.into(), ..Default::default() };
        let original = run(&points, method.as_ref(), &original);
        for i in 0..3 {
            assert_eq!(ours.coordinate(i), original.coordinate(i), "{name}, {i}");
        }
    }
}

/// The best vector orthogonal to g_1 costs its energy and at most mu; what was chosen costs no more.
#[test]
fn with_one_candidate_the_energy_exceeds_the_best_by_the_price_at_most() {
    let points = roll(800, 3);
    let lem = LaplacianEigenmaps::default();
    let original = run(&points, &lem, &common::original());
    let best = 1.0 - original.coordinates[1].eigenvalue;
    let mut energies = Vec::new();
    for mu in [0.0, 0.001, 0.01, 0.1, 1.0] {
        let smoother = SmootherOptions { alpha: 0.3.into(), ..Default::default() };
        let priced = Priced { mu: Some(mu), pool: Some(1), smoother, ..Default::default() };
        let found = run(&points, &lem, &options(priced, 2));
        let energy = 1.0 - found.coordinates[1].eigenvalue;
        assert!(energy <= best + mu + 1e-9, "{mu}: {energy} {best}");
        energies.push(energy);
    }
    // A higher price buys more unpredictability for more energy.
    assert!(energies.windows(2).all(|pair| pair[0] <= pair[1] + 1e-9), "{energies:?}");
    assert!(energies[4] > 1.5 * energies[0], "{energies:?}");
}

/// With all eigenfunctions and at any price it is the paper's form, but for the orthogonality to the first coordinate, which the
/// smoother all but forbids.
#[test]
fn at_any_price_it_tends_to_the_hard_constraint() {
    let points = roll(400, 6);
    let lem = LaplacianEigenmaps::default();
    let smoother = SmootherOptions { alpha: 0.3.into(), ..Default::default() };
    let hard = Strategy::unpredictable(smoother.clone());
    let hard = run(&points, &lem, &Options { strategy: hard, ..Default::default() });
    let at = |mu: f64| {
        let (mu, pool, depth) = (Some(mu), Some(1), Some(399));
        let priced = Priced { mu, pool, depth, smoother: smoother.clone(), ..Default::default() };
        let found = run(&points, &lem, &options(priced, 2));
        common::correlation(hard.coordinate(1), found.coordinate(1))
    };
    let same: Vec<f64> = [0.0, 0.01, 1.0, 1e6].into_iter().map(at).collect();
    println!("{same:?}");
    assert!(same.is_sorted() && same[0] < 0.6 && same[3] > 0.99, "{same:?}");
}

/// Of many points a sample decides, and few eigenfunctions are looked at first.
#[test]
fn many_points_are_judged_by_a_sample() {
    let data = SwissRoll { n: 12_000, height: 10.0, noise: 0.0, hole: false }.generate(1).unwrap();
    let found = run(&data.points, &LaplacianEigenmaps::default(), &options(Priced::default(), 2));
    let height = recovery(&found.to_points().unwrap(), &[&data.truth.column(1)]).unwrap()[0];
    assert!(height > 0.95, "{height}");
}

/// The engines agree on what is found.
#[test]
fn all_solvers_find_the_same() {
    let points = roll(400, 4);
    let methods: [Box<dyn Method>; 2] =
        [Box::new(LaplacianEigenmaps::default()), Box::new(Lle::default())];
    for method in methods {
        let with = |kind| {
            let solver = SolverOptions { kind, tolerance: 1e-10, ..Default::default() };
            Options { solver, ..options(Priced::default(), 2) }
        };
        let dense = run(&points, method.as_ref(), &with(SolverKind::Dense));
        for kind in [SolverKind::Lanczos, SolverKind::ShiftInvert] {
            // The small eigenvalues of LLE are beyond products with the matrix.
            if kind == SolverKind::Lanczos && method.name() == "lle" {
                continue;
            }
            let found = run(&points, method.as_ref(), &with(kind));
            let same = common::correlation(dense.coordinate(1), found.coordinate(1));
            assert!(same > 1.0 - 1e-6, "{}, {kind:?}: {same}", method.name());
        }
    }
}

fn height(method: &dyn Method, roll: &SwissRoll, priced: &Priced) -> f64 {
    let seeds = 3;
    let one = |seed| {
        let data = roll.generate(seed).unwrap();
        let found: Embedding = run(&data.points, method, &options(priced.clone(), 2));
        recovery(&found.to_points().unwrap(), &[&data.truth.column(1)]).unwrap()[0]
    };
    (1..=seeds).map(one).sum::<f64>() / seeds as f64
}

#[test]
fn rolls_are_unrolled() {
    let noisy = SwissRoll { n: 1000, height: 8.0, noise: 0.3, hole: false };
    let methods: [(&dyn Method, f64); 3] =
        [(&Lle::default(), 0.8), (&Ltsa::default(), 0.85), (&HessianLle::default(), 0.95)];
    for (method, least) in methods {
        let found = height(method, &noisy, &Priced::default());
        println!("{}: {found:.2}", method.name());
        assert!(found > least, "{}: {found}", method.name());
    }
    for (height_of, least) in [(4.0, 0.83), (10.0, 0.97), (21.0, 0.98)] {
        let clean = SwissRoll { n: 2000, height: height_of, noise: 0.0, hole: false };
        let found = height(&LaplacianEigenmaps::default(), &clean, &Priced::default());
        println!("lem, height {height_of}: {found:.2}");
        assert!(found > least, "height {height_of}: {found}");
    }
}

#[test]
fn what_it_did_is_told() {
    let points = roll(500, 5);
    let found = run(&points, &LaplacianEigenmaps::default(), &options(Priced::default(), 3));
    assert!(found.coordinates[0].smoothing.is_none());
    for coordinate in &found.coordinates[1..] {
        let smoothing = coordinate.smoothing.as_ref().unwrap();
        let paid = smoothing.paid.unwrap();
        assert!(paid.price >= 0.0 && (0.0..1.0 + 1e-9).contains(&paid.share), "{paid:?}");
        assert!(paid.pool >= 1 && smoothing.rank > 0 && !smoothing.tried.is_empty());
    }
}

#[test]
fn bad_parameters_are_refused_and_too_few_candidates_are_no_error() {
    let points = roll(60, 1);
    let method = LaplacianEigenmaps::default();
    let refused = |priced: Priced| embed(&points, &method, &options(priced, 2)).unwrap_err();
    for mu in [-0.1, f64::NAN, f64::INFINITY] {
        let error = refused(Priced { mu: Some(mu), ..Default::default() });
        assert!(matches!(error, Error::Parameter { name: "mu", .. }), "{error}");
    }
    for pool in [0, 33, 1000] {
        let error = refused(Priced { pool: Some(pool), ..Default::default() });
        assert!(matches!(error, Error::Parameter { name: "pool", .. }), "{error}");
    }
    for depth in [0, 1] {
        let error = refused(Priced { depth: Some(depth), ..Default::default() });
        assert!(matches!(error, Error::Parameter { name: "depth", .. }), "{error}");
    }
    let error = refused(Priced { thrift: Some(-1.0), ..Default::default() });
    assert!(matches!(error, Error::Parameter { name: "thrift", .. }), "{error}");
    // As many as there are.
    let many = Priced { pool: Some(32), depth: Some(1000), ..Default::default() };
    assert_eq!(run(&points, &method, &options(many, 2)).dims(), 2);
    let few = Priced { pool: Some(12), depth: Some(2), ..Default::default() };
    assert_eq!(run(&points, &method, &options(few, 2)).dims(), 2);
}
