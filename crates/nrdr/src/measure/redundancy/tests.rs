//! The quick regressions beside those of all points with all weights.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

/// Rows of a function of uniform numbers from -1 to 1.
fn rows(n: usize, seed: u64, row: impl Fn(&mut dyn FnMut() -> f64) -> Vec<f64>) -> Points {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut number = || 2.0 * random.random::<f64>() - 1.0;
    Points::from_rows((0..n).map(|_| row(&mut number))).unwrap()
}

/// Curves, sheets, noise, clusters far apart, copies, lone points, spikes, waves; 2 to 11 coordinates.
fn embeddings(n: usize) -> Vec<(&'static str, Points)> {
    let with =
        |f: fn(f64, f64, f64) -> Vec<f64>| move |u: &mut dyn FnMut() -> f64| f(u(), u(), u());
    vec![
        ("parabola", rows(n, 1, with(|x, y, z| vec![x, x * x + 0.1 * y, z]))),
        ("noise", rows(n, 2, with(|x, y, z| vec![x, y, z]))),
        ("wave", rows(n, 3, with(|x, y, _| vec![x, (40.0 * x).sin(), y, (9.0 * x).sin() * y]))),
        ("half", rows(n, 4, with(|x, y, z| vec![x, x + y, x * y + 0.5 * z]))),
        (
            "clusters",
            rows(n, 5, with(|x, y, z| vec![(3.0 * x).round() + 1e-3 * y, y, y * x + 0.1 * z])),
        ),
        ("spike", rows(n, 6, with(|x, y, z| vec![x, y.powi(41), z * x]))),
        ("lone", rows(n, 7, with(|x, y, z| vec![(1.5 * x).tan() * 20.0, y, x * x + 0.2 * z]))),
        ("copies", rows(n, 8, with(|x, y, _| vec![(20.0 * x).round(), (20.0 * x * y).round()]))),
        (
            "eleven",
            rows(n, 9, |u| {
                let x: Vec<f64> = (0..9).map(|_| u()).collect();
                let last = [x[0] * x[1] + 0.3 * x[8], x.iter().sum()];
                x.into_iter().chain(last).collect()
            }),
        ),
    ]
}

fn exact(embedding: &Points) -> Vec<(f64, Option<f64>)> {
    let standard = Standard::new(embedding, &RedundancyOptions::default()).unwrap();
    let error = |i| standard.error(i, Bandwidth::Best, &|| Ok(())).unwrap();
    (1..embedding.columns()).map(error).collect()
}

#[test]
fn weights_that_are_left_out_do_not_matter() {
    let options = RedundancyOptions { accuracy: 0.0, ..Default::default() };
    for (name, embedding) in embeddings(500) {
        let found = redundancy(&embedding, &options, &()).unwrap();
        for (i, (error, bandwidth)) in exact(&embedding).into_iter().enumerate() {
            let quick = found.errors[i + 1];
            assert!((quick - error).abs() < 1e-6, "{name} {i}: {quick}, exact {error}");
            assert_eq!(found.bandwidths[i + 1], bandwidth, "{name} {i}");
        }
        assert!(found.standard_errors.iter().all(|&error| error == 0.0), "{name}");
    }
}

#[test]
fn errors_from_some_points_are_within_their_standard_errors() {
    let options = RedundancyOptions::default();
    let (mut off, mut count) = (0.0, 0);
    for (name, embedding) in embeddings(3000) {
        let found = redundancy(&embedding, &options, &()).unwrap();
        for (i, (error, _)) in exact(&embedding).into_iter().enumerate() {
            let (quick, likely) = (found.errors[i + 1], found.standard_errors[i + 1]);
            assert!(likely <= options.accuracy, "{name} {i}: {likely}");
            let within = (quick - error).abs() <= 4.0 * likely + 1e-4;
            assert!(within, "{name} {i}: {quick} +- {likely}, exact {error}");
            if likely > 0.0 {
                off += ((quick - error) / likely).powi(2);
                count += 1;
            }
        }
    }
    // The standard error is neither too small nor too large.
    let off = (off / f64::from(count)).sqrt();
    assert!(count > 10 && (0.3..1.7).contains(&off), "{off} of {count}");
}

/// Many targets of which each stops at its own time, and those that tell nothing of each other.
#[test]
fn pairwise_errors_are_those_of_all_points() {
    let [.., (_, embedding)] = &embeddings(2500)[..] else { unreachable!() };
    let quick = redundancy(embedding, &RedundancyOptions::default(), &()).unwrap();
    let options = RedundancyOptions { accuracy: 0.0, ..Default::default() };
    let slow = redundancy(embedding, &options, &()).unwrap();
    for (i, (quick, slow)) in quick.pairwise.iter().zip(&slow.pairwise).enumerate() {
        for (j, (quick, slow)) in quick.iter().zip(slow).enumerate() {
            assert!((quick - slow).abs() < 0.06, "{i} {j}: {quick} {slow}");
        }
    }
    assert!(slow.pairwise[10][0] < 0.98 && slow.pairwise[1][0] > 0.98);
}

#[test]
fn where_most_points_are_at_one_place_errors_are_numbers() {
    for (name, spikes) in [("one", 1), ("few", 40)] {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut row = |i: usize| {
            let y = random.random::<f64>();
            [if i < spikes { 1.0 + y } else { 0.0 }, if i < spikes { y } else { random.random() }]
        };
        let points = Points::from_rows((0..700).map(&mut row)).unwrap();
        for bandwidth in [Bandwidth::Best, Bandwidth::MedianThird, Bandwidth::Datafold] {
            let options = RedundancyOptions { bandwidth, ..Default::default() };
            let found = redundancy(&points, &options, &()).unwrap();
            assert!(found.errors[1] > 0.9, "{name}, {bandwidth:?}: {found:?}");
            assert!(found.pairwise[0][1] > 0.5, "{name}, {bandwidth:?}: {found:?}");
        }
    }
}
