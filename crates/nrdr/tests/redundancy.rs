//! The redundancy of constructed embeddings, and the definition computed naively.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use nrdr::{Bandwidth, Error, Points, RedundancyOptions, redundancy};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn random_rows(n: usize, seed: u64, row: impl Fn(f64, f64, f64) -> Vec<f64>) -> Points {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut number = || 2.0 * random.random::<f64>() - 1.0;
    Points::from_rows((0..n).map(|_| row(number(), number(), number()))).unwrap()
}

fn with(bandwidth: Bandwidth) -> RedundancyOptions {
    RedundancyOptions { bandwidth, ..Default::default() }
}

#[test]
fn functions_of_earlier_coordinates_are_redundant_and_noise_is_not() {
    let points = random_rows(1000, 1, |x, y, _| vec![x, x * x, y]);
    let found = redundancy(&points, &RedundancyOptions::default(), &()).unwrap();
    assert!(found.errors[0] == 1.0 && found.errors[1] < 0.02, "{found:?}");
    assert!(found.errors[2] > 0.95 && found.errors[2] <= 1.0, "{found:?}");
    // x is not a function of x^2, and nothing of y is in either.
    assert!(found.pairwise[1][0] < 0.02 && found.pairwise[0][1] > 0.95, "{found:?}");
    assert!(found.pairwise[0][2] > 0.95 && found.pairwise[2][2] == 0.0, "{found:?}");
    let noise = random_rows(1000, 2, |x, y, z| vec![x, y, z]);
    let found = redundancy(&noise, &RedundancyOptions::default(), &()).unwrap();
    assert!(found.errors.iter().all(|&error| error > 0.97), "{found:?}");
    // A high harmonic: seen at a fine bandwidth, not at a wide one.
    let wave = random_rows(2000, 3, |x, y, _| vec![x, (40.0 * x).sin(), y]);
    let best = redundancy(&wave, &RedundancyOptions::default(), &()).unwrap();
    let wide = redundancy(&wave, &with(Bandwidth::MedianThird), &()).unwrap();
    assert!(best.errors[1] < 0.1 && wide.errors[1] > 0.9, "{best:?} {wide:?}");
}

#[test]
fn scale_shift_and_order_do_not_matter() {
    let row = |x: f64, y: f64, z: f64| vec![x + 0.3 * z, (3.0 * x).cos() + 0.2 * y, y * x];
    let points = random_rows(600, 4, row);
    let changed: Vec<Vec<f64>> = (0..600)
        .rev()
        .map(|i| points.row(i))
        .map(|p| vec![100.0 * p[0] - 7.0, -1e-6 * p[1], p[2] + 50.0])
        .collect();
    let changed = Points::from_rows(changed).unwrap();
    for bandwidth in [Bandwidth::Best, Bandwidth::MedianThird, Bandwidth::Datafold] {
        let (a, b) = (
            redundancy(&points, &with(bandwidth), &()),
            redundancy(&changed, &with(bandwidth), &()),
        );
        for (a, b) in a.unwrap().errors.iter().zip(b.unwrap().errors) {
            assert!((a - b).abs() < 1e-6, "{bandwidth:?}: {a} {b}");
        }
    }
    // Copies predict their originals and do not count.
    let twice: Vec<&[f64]> = (0..1200).map(|i| points.row(i % 600)).collect();
    let twice = redundancy(&Points::from_rows(twice).unwrap(), &RedundancyOptions::default(), &());
    assert_eq!(twice.unwrap(), redundancy(&points, &RedundancyOptions::default(), &()).unwrap());
}

/// The least squares fit of y on (1, x - x_n) with weights, by normal equations and elimination.
fn fit(x: &[Vec<f64>], y: &[f64], weights: &[f64], at: &[f64]) -> f64 {
    let q = at.len() + 1;
    let mut a = vec![vec![0.0; q + 1]; q];
    for ((x, y), w) in x.iter().zip(y).zip(weights) {
        let row: Vec<f64> =
            std::iter::once(1.0).chain(x.iter().zip(at).map(|(x, at)| x - at)).collect();
        for i in 0..q {
            for j in 0..q {
                a[i][j] += w * row[i] * row[j];
            }
            a[i][q] += w * row[i] * y;
        }
    }
    for i in 0..q {
        let pivot = (i..q).max_by(|&p, &r| a[p][i].abs().total_cmp(&a[r][i].abs())).unwrap();
        a.swap(i, pivot);
        for r in 0..q {
            if r != i {
                let factor = a[r][i] / a[i][i];
                let pivot_row = a[i].clone();
                a[r].iter_mut().zip(&pivot_row).for_each(|(v, p)| *v -= factor * p);
            }
        }
    }
    a[0][q] / a[0][0]
}

#[test]
fn it_is_the_definition() {
    let n = 300;
    let points = random_rows(n, 5, |x, y, z| vec![x, y, x * y + 0.3 * z]);
    let standard = |c: usize| {
        let values: Vec<f64> = (0..n).map(|i| points.row(i)[c]).collect();
        let mean = values.iter().sum::<f64>() / n as f64;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n as f64;
        values.into_iter().map(|v| (v - mean) / variance.sqrt()).collect::<Vec<f64>>()
    };
    let (a, b, y) = (standard(0), standard(1), standard(2));
    let x: Vec<Vec<f64>> = (0..n).map(|i| vec![a[i], b[i]]).collect();
    let square =
        |i: usize, j: usize| -> f64 { x[i].iter().zip(&x[j]).map(|(a, b)| (a - b).powi(2)).sum() };
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        let half = values.len() / 2;
        match values.len() % 2 {
            0 => 0.5 * (values[half - 1] + values[half]),
            _ => values[half],
        }
    };
    let pairs = || (0..n).flat_map(move |i| (0..n).map(move |j| (i, j)));
    let distances = pairs().filter(|(i, j)| i != j).map(|(i, j)| square(i, j).sqrt()).collect();
    let third = median(distances) / 3.0;
    let scale = median(pairs().map(|(i, j)| square(i, j)).collect()) / 3.0;
    for (bandwidth, scale, left_out) in
        [(Bandwidth::MedianThird, third * third, true), (Bandwidth::Datafold, scale, false)]
    {
        let error = |i: usize| {
            let weight =
                |k: usize| if left_out && k == i { 0.0 } else { (-square(i, k) / scale).exp() };
            let weights: Vec<f64> = (0..n).map(weight).collect();
            (y[i] - fit(&x, &y, &weights, &x[i])).powi(2)
        };
        let expected = ((0..n).map(error).sum::<f64>() / n as f64).sqrt();
        let found = redundancy(&points, &with(bandwidth), &()).unwrap().errors[2];
        assert!((found - expected).abs() < 1e-4, "{bandwidth:?}: {found}, expected {expected}");
    }
}

/// What datafold 2.0.2 finds (LocalRegressionSelection, eps_med_scale 3, all points) for each of these
/// columns, at mean 0 and variance 1, given the earlier ones.
#[test]
fn datafold_finds_the_same() {
    let row = |i: u32| {
        let i = f64::from(i);
        let x = (0.7 * i).sin() + 0.3 * (1.3 * i).cos();
        let y = (2.1 * i + 0.4).cos();
        [x, x * x - 0.2 * y, (3.0 * x).sin() + 0.5 * y, x * y]
    };
    let points = Points::from_rows((0..200).map(row)).unwrap();
    let found = redundancy(&points, &with(Bandwidth::Datafold), &()).unwrap().errors;
    for (found, expected) in found[1..].iter().zip([0.318966, 0.381355, 0.498164]) {
        assert!((found - expected).abs() < 1e-4, "{found}, datafold {expected}");
    }
}

#[test]
fn many_points_are_sampled() {
    let points = random_rows(20_000, 6, |x, y, _| vec![x, x.exp(), y]);
    let options = RedundancyOptions { sample: 1500, ..Default::default() };
    let found = redundancy(&points, &options, &()).unwrap();
    assert_eq!(found.points, 1500);
    assert!(found.errors[1] < 0.02 && found.errors[2] > 0.95, "{found:?}");
    assert_eq!(found, redundancy(&points, &options, &()).unwrap());
}

#[test]
fn bad_input_gets_its_error() {
    let options = RedundancyOptions::default();
    let error = |rows: Vec<Vec<f64>>| {
        redundancy(&Points::from_rows(rows).unwrap(), &options, &()).unwrap_err()
    };
    let wavy = |i: usize| (i as f64).sin();
    let constant = (0..50).map(|i| vec![wavy(i), 3.0]).collect();
    assert_eq!(error(constant), Error::Constant { coordinate: 2 });
    let one = (0..50).map(|i| vec![wavy(i)]).collect();
    assert_eq!(error(one), Error::TooFewCoordinates { dims: 1 });
    let few = (0..3).map(|i| vec![wavy(i), wavy(i * i), wavy(i + 7)]).collect();
    assert_eq!(error(few), Error::TooFewPoints { points: 3, needed: 5 });
    let nan = Points::from_rows([[0.0, 1.0], [f64::NAN, 2.0]]);
    assert!(matches!(nan, Err(Error::NotFinite { row: 1, column: 0, .. })));
    let points = random_rows(50, 1, |x, y, _| vec![x, y]);
    let sample = RedundancyOptions { sample: 3, ..Default::default() };
    assert!(matches!(
        redundancy(&points, &sample, &()),
        Err(Error::Parameter { name: "sample", .. })
    ));
}
