//! Coordinates of new points.

mod common;

use common::{flat_methods, point_methods, roll};
use nrdr::datasets::{Dataset, SwissRoll};
use nrdr::quality::recovery;
use nrdr::{
    Error, Input, LaplacianEigenmaps, Method, Model, Options, Points, Precomputed, Realization,
    Regression, SmootherOptions, Strategy, SymmetricMatrix, embed, fit,
};

fn unpredictable() -> Strategy {
    Strategy::Unpredictable(SmootherOptions { alpha: 0.3.into(), ..Default::default() })
}

fn options(strategy: Strategy, dims: usize) -> Options {
    Options { dims, strategy, neighbors: 12, ..Default::default() }
}

/// Largest difference of two tables.
fn difference(a: &Points, b: &Points) -> f64 {
    assert_eq!((a.rows(), a.columns()), (b.rows(), b.columns()));
    a.values().iter().zip(b.values()).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

#[test]
fn a_model_embeds_like_the_embedding_and_knows_its_training_points() {
    let points = roll(500, 3);
    for (name, method) in point_methods() {
        for strategy in [Strategy::Orthogonal, unpredictable()] {
            let options = options(strategy, if name == "hlle" { 2 } else { 3 });
            let plain = embed(&points, method.as_ref(), &options).unwrap();
            let (kept, model) = fit(&points, method.as_ref(), &options).unwrap();
            for i in 0..plain.dims() {
                assert_eq!(plain.coordinate(i), kept.coordinate(i), "{name}: coordinate {i}");
            }
            assert_eq!((model.method(), model.strategy()), (kept.method, kept.strategy));
            assert_eq!((model.rows(), model.columns(), model.dims()), (500, 3, kept.dims()));
            let again = model.transform(&points).unwrap();
            let far = difference(&again, &kept.to_points().unwrap());
            assert!(far < 1e-6, "{name}, {}: {far}", kept.strategy);
        }
    }
}

#[test]
fn the_formula_holds_at_the_training_points() {
    // A point that is moved by next to nothing is new, but has the same neighbours with itself in front; without it,
    // among all the others, the formula must give what the eigenvector has.
    let points = roll(600, 5);
    let smoothers = [
        (Regression::NadarayaWatson, Realization::Dense),
        (Regression::LocallyLinear, Realization::Dense),
        (Regression::NadarayaWatson, Realization::LowRank),
        (Regression::LocallyLinear, Realization::LowRank),
    ];
    for (name, method) in flat_methods() {
        if !["kpca", "kpca poly", "kpca cosine"].contains(&name) {
            continue;
        }
        let mut strategies = vec![Strategy::Orthogonal];
        strategies.extend(smoothers.map(|(regression, realization)| {
            let alpha = 0.3.into();
            let smoother = SmootherOptions { alpha, regression, realization, ..Default::default() };
            Strategy::Unpredictable(smoother)
        }));
        for strategy in strategies {
            let options = options(strategy, 3);
            let (embedding, model) = fit(&points, method.as_ref(), &options).unwrap();
            let moved = points.values().iter().map(|v| v * (1.0 + 1e-13));
            let moved = Points::new(moved.collect(), 3).unwrap();
            let new = model.transform(&moved).unwrap();
            let far = difference(&new, &embedding.to_points().unwrap());
            println!("{name}, {:?}: {far:.1e}", options.strategy);
        }
    }
}

/// A roll and points held out from it.
fn split(n: usize, held_out: usize, seed: u64) -> (Dataset, Dataset) {
    let whole = SwissRoll { n: n + held_out, height: 21.0, ..Default::default() };
    let whole = whole.generate(seed).unwrap();
    let part = |from: usize, to: usize| {
        let rows: Vec<u32> = (from as u32..to as u32).collect();
        Dataset {
            points: whole.points.select(&rows),
            truth: whole.truth.select(&rows),
            names: whole.names.clone(),
        }
    };
    (part(0, n), part(n, n + held_out))
}

#[test]
fn held_out_points_of_the_roll_recover_their_parameters() {
    let (training, held_out) = split(2000, 500, 11);
    let truth = |data: &Dataset| [data.truth.column(0), data.truth.column(1)];
    for (name, method) in flat_methods() {
        for strategy in [Strategy::Orthogonal, unpredictable()] {
            let options = options(strategy, 2);
            let (embedding, model) = fit(&training.points, method.as_ref(), &options).unwrap();
            let known = embedding.to_points().unwrap();
            let new = model.transform(&held_out.points).unwrap();
            let [t, height] = truth(&training);
            let before = recovery(&known, &[&t, &height]).unwrap();
            // New points among the training points: their parameters by their nearest training points.
            let after = predicted(&known, &[&t, &height], &new, &truth(&held_out));
            println!("{name} {}: {before:.3?} {after:.3?}", embedding.strategy);
            for (before, after) in before.iter().zip(&after) {
                assert!(
                    before.max(0.0) - after.max(0.0) < 0.02,
                    "{name} {}: {before} {after}",
                    embedding.strategy
                );
            }
        }
    }
}

/// R2 of the targets of new points by the mean of their 10 nearest training points in the embedding.
fn predicted(known: &Points, targets: &[&[f64]], new: &Points, truth: &[Vec<f64>]) -> Vec<f64> {
    let (n, dims) = (known.rows(), known.columns());
    let deviation = |c: usize| {
        let column = known.column(c);
        let mean = column.iter().sum::<f64>() / n as f64;
        (column.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n as f64).sqrt()
    };
    let deviations: Vec<f64> = (0..dims).map(deviation).collect();
    let distance = |i: usize, j: usize| -> f64 {
        let pairs = new.row(i).iter().zip(known.row(j)).zip(&deviations);
        pairs.map(|((a, b), d)| ((a - b) / d).powi(2)).sum()
    };
    let mut errors = vec![0.0; targets.len()];
    for i in 0..new.rows() {
        let mut all: Vec<(f64, usize)> = (0..n).map(|j| (distance(i, j), j)).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        for ((error, target), truth) in errors.iter_mut().zip(targets).zip(truth) {
            let mean = all[..10].iter().map(|&(_, j)| target[j]).sum::<f64>() / 10.0;
            *error += (truth[i] - mean).powi(2);
        }
    }
    let score = |(error, truth): (f64, &Vec<f64>)| {
        let mean = truth.iter().sum::<f64>() / truth.len() as f64;
        1.0 - error / truth.iter().map(|v| (v - mean).powi(2)).sum::<f64>()
    };
    errors.into_iter().zip(truth).map(score).collect()
}
