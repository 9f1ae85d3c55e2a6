//! Non-redundant coordinates: the constraint holds, and the fast path is the paper's algorithm.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::{correlation, dot, flat_methods, roll, run};
use nrdr::datasets::{SwissRoll, Torus};
use nrdr::quality::recovery;
use nrdr::{
    Alpha, DiffusionMaps, Embedding, Error, HessianLle, LaplacianEigenmaps, Lle, Ltsa, Method,
    Options, Points, Precomputed, Realization, Regression, Selection, SmootherOptions,
    SolverOptions, Strategy, embed,
};

fn unpredictable(smoother: SmootherOptions, dims: usize) -> Options {
    let solver = SolverOptions { tolerance: 1e-10, max_iterations: 20_000, ..Default::default() };
    let strategy = Strategy::unpredictable(smoother);
    Options { dims: dims.into(), strategy, solver, ..Default::default() }
}

/// The weights P of Nadaraya-Watson, by the definition.
fn smoother_matrix(earlier: &[&[f64]], alpha: f64) -> Vec<Vec<f64>> {
    let n = earlier[0].len();
    let energy: f64 = earlier.iter().map(|f| dot(f, f)).sum();
    let h = alpha * (energy / n as f64).sqrt();
    let row = |j: usize| {
        let distance = |k: usize| earlier.iter().map(|f| (f[j] - f[k]).powi(2)).sum::<f64>();
        let weights: Vec<f64> = (0..n).map(|k| (-distance(k) / (2.0 * h * h)).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|w| w / sum).collect()
    };
    (0..n).map(row).collect()
}

#[test]
fn the_first_coordinate_is_the_original_one_and_the_others_are_unpredictable() {
    let points = roll(700, 3);
    for (name, method) in flat_methods() {
        let original =
            run(&points, method.as_ref(), &Options { dims: 3.into(), ..common::original() });
        let ours = run(&points, method.as_ref(), &unpredictable(Default::default(), 3));
        assert!(common::difference(ours.coordinate(0), original.coordinate(0)) < 1e-6, "{name}");
        assert!(ours.coordinates[0].smoothing.is_none(), "{name}");
        for i in 1..3 {
            let coordinate = &ours.coordinates[i];
            let smoothing = coordinate.smoothing.as_ref().unwrap();
            // What the smoother keeps below the truncation may still be predicted.
            let earlier: Vec<&[f64]> = (0..i).map(|j| ours.coordinate(j)).collect();
            let matrix = smoother_matrix(&earlier, smoothing.alpha);
            let predicted: Vec<f64> = matrix.iter().map(|p| dot(p, &coordinate.values)).collect();
            let predictable = dot(&predicted, &predicted).sqrt();
            assert!((predictable - smoothing.predictable).abs() < 0.01, "{name}: {predictable}");
            assert!(predictable < 0.1, "{name}, coordinate {}: {predictable}", i + 1);
            assert!(smoothing.rank >= 3 && smoothing.rank <= smoothing.size, "{name}");
            let values = &smoothing.singular_values;
            assert!(values.is_sorted_by(|a, b| a >= b), "{name}");
            assert!(values[smoothing.rank - 1] > 0.03 * values[0], "{name}");
            let original = original.coordinates[i].eigenvalue;
            assert!(
                (coordinate.original_eigenvalue.unwrap() - original).abs() <= 1e-6 * original.abs()
            );
        }
    }
}

/// Both smoothers, three realisations, on the same earlier coordinates: the same next coordinate.
#[test]
fn low_rank_sparse_and_dense_smoothers_agree() {
    let points = roll(500, 8);
    for (dims, alpha) in [(2, 0.3), (3, 0.3), (6, 0.8), (11, 1.2)] {
        for regression in [Regression::NadarayaWatson, Regression::LocallyLinear] {
            let with = |realization| {
                let smoother = SmootherOptions {
                    regression,
                    realization,
                    alpha: alpha.into(),
                    ..Default::default()
                };
                run(&points, &LaplacianEigenmaps::default(), &unpredictable(smoother, dims))
            };
            let dense = with(Realization::Dense);
            for realization in [Realization::LowRank, Realization::Sparse { neighbors: 499 }] {
                let other = with(realization);
                for i in 1..dims {
                    let (a, b) = (&dense.coordinates[i], &other.coordinates[i]);
                    let rank = |c: &nrdr::Coordinate| c.smoothing.as_ref().unwrap().rank as f64;
                    let name =
                        format!("{regression:?} {realization:?} {dims}: coordinate {}", i + 1);
                    assert!(
                        (rank(a) - rank(b)).abs() <= 0.02 * rank(a) + 0.5,
                        "{name}: {} {}",
                        rank(a),
                        rank(b)
                    );
                    let same = correlation(&a.values, &b.values);
                    assert!(same > 0.999, "{name}: {same}");
                }
            }
        }
    }
}

fn recovered(embedding: &Embedding, parameter: &[f64]) -> f64 {
    recovery(&embedding.to_points().unwrap(), &[parameter]).unwrap()[0]
}

fn mean_recovery(
    method: &dyn Method,
    roll: &SwissRoll,
    strategy: &Strategy,
    neighbors: usize,
) -> (f64, f64) {
    let seeds = 5;
    let (mut t, mut height) = (0.0, 0.0);
    for seed in 0..seeds {
        let data = roll.generate(seed).unwrap();
        let options = Options { strategy: strategy.clone(), neighbors, ..Default::default() };
        let embedding = run(&data.points, method, &options);
        t += recovered(&embedding, &data.truth.column(0)) / seeds as f64;
        height += recovered(&embedding, &data.truth.column(1)) / seeds as f64;
    }
    (t, height)
}

fn alpha(alpha: f64) -> Strategy {
    Strategy::unpredictable(SmootherOptions { alpha: alpha.into(), ..Default::default() })
}

fn auto() -> Strategy {
    Strategy::unpredictable(Default::default())
}

#[test]
fn swiss_rolls_are_unrolled() {
    let noisy = SwissRoll { n: 1000, height: 8.0, noise: 0.3, hole: false };
    let methods: [(&dyn Method, f64, f64); 3] = [
        (&Lle::default(), 0.85, 0.8),
        (&Ltsa::default(), 0.3, 0.85),
        (&HessianLle::default(), 0.35, 0.85),
    ];
    for (method, most, least) in methods {
        let (t, before) = mean_recovery(method, &noisy, &Strategy::orthogonal(), 10);
        assert!(t > 0.98 && before < most, "{} original: {t} {before}", method.name());
        for strategy in [alpha(0.3), auto()] {
            let (t, after) = mean_recovery(method, &noisy, &strategy, 10);
            println!("{} {before:.2} -> {after:.2}", method.name());
            assert!(t > 0.95 && after > least, "{}: {t} {after}", method.name());
        }
    }
    for (height, most, least) in [(10.0, 0.2, 0.65), (21.0, 0.3, 0.75)] {
        let clean = SwissRoll { n: 2000, height, noise: 0.0, hole: false };
        let lem = LaplacianEigenmaps::default();
        let (t, before) = mean_recovery(&lem, &clean, &Strategy::orthogonal(), 10);
        assert!(t > 0.98 && before < most, "height {height}, original: {t} {before}");
        for strategy in [alpha(0.2), auto()] {
            let (_, after) = mean_recovery(&lem, &clean, &strategy, 10);
            println!("lem {height} {before:.2} -> {after:.2}");
            assert!(after > least, "height {height}: {after}");
        }
    }
}

/// A roll so thin that no eigenvector holds its height alone, and that an alpha of 0.3 is too wide:
/// harmonics of the first coordinate pass.
#[test]
fn alpha_found_by_itself_unrolls_a_thin_roll() {
    let thin = SwissRoll { n: 2000, height: 4.0, noise: 0.0, hole: false };
    let dfm = DiffusionMaps::default();
    let height = |strategy: Strategy| mean_recovery(&dfm, &thin, &strategy, 30).1;
    for candidates in [10, 20, 30, 40] {
        let selection = Selection { candidates: Some(candidates), ..Default::default() };
        let found = height(Strategy::selection(selection));
        println!("selection from {candidates}: {found:.2}");
        assert!(found < 0.65, "selection from {candidates}: {found}");
    }
    let fixed = height(alpha(0.3));
    let found = height(auto());
    println!("alpha 0.3: {fixed:.2}, auto: {found:.2}");
    assert!(fixed < 0.4, "{fixed}");
    assert!(found > 0.65, "{found}");
    // Where the height itself solves the eigenproblem it is found entirely.
    let ltsa = mean_recovery(&Ltsa::default(), &thin, &auto(), 30).1;
    println!("LTSA, auto: {ltsa:.2}");
    assert!(ltsa > 0.95, "{ltsa}");
}

#[test]
fn alpha_found_by_itself_tells_what_it_tried() {
    let alpha = Alpha::Auto;
    let smoother = SmootherOptions { alpha, ..Default::default() };
    let thin = SwissRoll { n: 1000, height: 4.0, ..Default::default() }.generate(1).unwrap();
    let lem = LaplacianEigenmaps::default();
    let found = run(&thin.points, &lem, &unpredictable(smoother.clone(), 2));
    let smoothing = found.coordinates[1].smoothing.as_ref().unwrap();
    assert!(smoothing.tried.len() > 1 && smoothing.tried[0].0 == 0.6, "{:?}", smoothing.tried);
    assert!(smoothing.tried.is_sorted_by(|a, b| a.0 > b.0), "{:?}", smoothing.tried);
    let best = smoothing.tried.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    assert_eq!(smoothing.alpha, best.0);
    // The same as that alpha alone.
    let alone = SmootherOptions { alpha: best.0.into(), ..Default::default() };
    let alone = run(&thin.points, &lem, &unpredictable(alone, 2));
    assert_eq!(alone.coordinate(1), found.coordinate(1));
    // Where nothing predicts the coordinate of 0.6 it is taken at once: here the height itself solves the eigenproblem.
    let found = run(&thin.points, &Ltsa::default(), &unpredictable(smoother, 2));
    let smoothing = found.coordinates[1].smoothing.as_ref().unwrap();
    assert!(smoothing.tried.len() == 1 && smoothing.alpha == 0.6, "{:?}", smoothing.tried);
}

#[test]
fn the_inner_angle_of_a_torus_is_found() {
    let seeds = 5;
    let mut sums = [0.0; 4];
    for seed in 0..seeds {
        let torus = Torus { n: 3000, ..Default::default() }.generate(seed).unwrap();
        let angle =
            |f: fn(f64) -> f64| (0..3000).map(|i| f(torus.truth.row(i)[1])).collect::<Vec<f64>>();
        let (cos, sin) = (angle(f64::cos), angle(f64::sin));
        for (at, strategy) in [Strategy::orthogonal(), Strategy::unpredictable(Default::default())]
            .into_iter()
            .enumerate()
        {
            let options = Options { dims: 3.into(), strategy, ..Default::default() };
            let embedding = run(&torus.points, &LaplacianEigenmaps::default(), &options);
            sums[2 * at] += recovered(&embedding, &cos) / seeds as f64;
            sums[2 * at + 1] += recovered(&embedding, &sin) / seeds as f64;
        }
    }
    println!("torus: {sums:?}");
    assert!(sums[1] < 0.55 && sums[2] > 0.6 && sums[3] > 0.6, "{sums:?}");
}

#[test]
fn the_bits_do_not_depend_on_the_number_of_threads() {
    let points = roll(5000, 5);
    let methods: [&dyn Method; 3] =
        [&LaplacianEigenmaps::default(), &Ltsa::default(), &DiffusionMaps::default()];
    for method in methods {
        let with =
            |threads| Options { threads: Some(threads), ..unpredictable(Default::default(), 3) };
        let (one, two) = (run(&points, method, &with(1)), run(&points, method, &with(2)));
        for i in 0..3 {
            let bits =
                |e: &Embedding| e.coordinate(i).iter().map(|v| v.to_bits()).collect::<Vec<u64>>();
            assert!(bits(&one) == bits(&two), "{} coordinate {}", method.name(), i + 1);
        }
    }
}

#[test]
fn bad_parameters_are_refused() {
    let points = roll(50, 1);
    let error =
        |smoother| embed(&points, &Ltsa::default(), &unpredictable(smoother, 2)).unwrap_err();
    for alpha in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let found = error(SmootherOptions { alpha: alpha.into(), ..Default::default() });
        assert!(matches!(found, Error::Parameter { name: "alpha", .. }));
    }
    // The last one is too small for single precision alone.
    for truncation in [0.0, 1.0, -0.1, f64::NAN, 1e-6] {
        let found = error(SmootherOptions { truncation, ..Default::default() });
        assert!(matches!(found, Error::Parameter { name: "truncation", .. }));
    }
    // Nothing is left to find: the error tells how many coordinates exist.
    let few = roll(30, 1);
    let smoother = SmootherOptions { alpha: 0.05.into(), ..Default::default() };
    match embed(&few, &LaplacianEigenmaps::default(), &unpredictable(smoother, 8)) {
        Err(Error::TooManyCoordinates { dims: 8, available }) => {
            assert!((1..8).contains(&available))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn outliers_duplicates_and_constant_coordinates_do_no_harm() {
    let base = roll(600, 2);
    let mut values = base.values().to_vec();
    values.extend([500.0, 500.0, 500.0]);
    let outlier = Points::new(values, 3).unwrap();
    let copies =
        Points::from_rows((0..600).map(|i| base.row(if i < 60 { i } else { i % 6 }))).unwrap();
    for (name, points) in [("outlier", &outlier), ("copies", &copies)] {
        let methods: [&dyn Method; 2] = [&LaplacianEigenmaps::default(), &Lle::default()];
        for method in methods {
            let embedding = run(points, method, &unpredictable(Default::default(), 3));
            let finite = |c: &nrdr::Coordinate| c.values.iter().all(|v| v.is_finite());
            assert!(embedding.coordinates.iter().all(finite), "{name}, {}", method.name());
        }
    }
    // Without a trivial direction the first coordinate of this kernel is constant.
    let n = 200;
    let kernel = |at: usize| 1.0 + if at / n == at % n { 1e-3 * (at / n) as f64 } else { 0.0 };
    let kernel = nrdr::SymmetricMatrix::new((0..n * n).map(kernel).collect()).unwrap();
    let matrix = nrdr::Matrix::from(kernel);
    let embedding = run(&matrix, &Precomputed::default(), &unpredictable(Default::default(), 2));
    assert!(embedding.coordinates[1].smoothing.as_ref().unwrap().predictable < 0.05);
}

#[test]
fn auto_takes_wider_smoothers_before_they_forbid_everything() {
    // Nothing but noise: each coordinate adds as many directions as fit.
    let cube = nrdr::datasets::Cube { n: 150, sides: vec![1.0; 12], noise: 0.0 };
    let points = cube.generate(1).unwrap().points;
    let ranks = |alpha: Alpha| -> Vec<(f64, usize)> {
        let smoother = SmootherOptions { alpha, ..Default::default() };
        let embedding = run(&points, &LaplacianEigenmaps::default(), &unpredictable(smoother, 9));
        let smoothing = embedding.coordinates.iter().skip(1).map(|c| c.smoothing.as_ref().unwrap());
        smoothing.map(|s| (s.alpha, s.rank)).collect()
    };
    let (fixed, auto) = (ranks(0.6.into()), ranks(Alpha::Auto));
    assert!(fixed[7].1 > 150 / 4, "{fixed:?}");
    assert!(auto.iter().all(|(_, rank)| *rank <= 150 / 4), "{auto:?}");
    assert!(auto.is_sorted_by(|a, b| a.0 <= b.0) && auto[7].0 > 0.6, "{auto:?}");
    // And the same as long as there is room.
    assert_eq!(fixed[0], auto[0]);
}
