//! The generators make what they say.
#![allow(clippy::unwrap_used, missing_docs)]

use std::f64::consts::PI;

use nrdr::datasets::{Cube, Dataset, SCurve, Strip, SwissRoll, Torus};

fn column(data: &Dataset, at: usize) -> Vec<f64> {
    (0..data.truth.rows()).map(|i| data.truth.row(i)[at]).collect()
}

fn range(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::MAX, f64::MIN), |(lo, hi), &v| (lo.min(v), hi.max(v)))
}

#[test]
fn points_lie_where_their_parameters_say() {
    let roll = SwissRoll { n: 2000, height: 8.0, ..Default::default() }.generate(1).unwrap();
    for i in 0..2000 {
        let (p, q) = (roll.points.row(i), roll.truth.row(i));
        assert_eq!(p, [q[0] * q[0].cos(), q[1], q[0] * q[0].sin()]);
    }
    let (low, high) = range(&column(&roll, 0));
    assert!((1.5 * PI..1.52 * PI).contains(&low) && (4.48 * PI..4.5 * PI).contains(&high));
    let (low, high) = range(&column(&roll, 1));
    assert!(low >= 0.0 && high <= 8.0 && high - low > 7.9);

    let torus = Torus { n: 4000, ..Default::default() }.generate(2).unwrap();
    let mut outside = 0;
    for i in 0..4000 {
        let p = torus.points.row(i);
        let ring = p[0].hypot(p[1]) - 10.0;
        assert!((ring.hypot(p[2]) - 4.0).abs() < 1e-12);
        outside += usize::from(ring > 0.0);
    }
    // Uniform on the surface: the outer half has a share of 1/2 + (r/R)/pi.
    let share = outside as f64 / 4000.0;
    assert!((share - (0.5 + 0.4 / PI)).abs() < 0.03, "{share}");

    let curve = SCurve { n: 1000, ..Default::default() }.generate(3).unwrap();
    for i in 0..1000 {
        let p = curve.points.row(i);
        // Two circles of radius 1 around (0, -1) and (0, 1), seen from the side.
        let centre = if curve.truth.row(i)[0] < 0.0 { 1.0 } else { -1.0 };
        assert!(((p[2] - centre).hypot(p[0]) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn options_do_what_they_say() {
    let hole = SwissRoll { n: 3000, hole: true, ..Default::default() }.generate(1).unwrap();
    let inside = (0..3000).filter(|&i| {
        let q = hole.truth.row(i);
        (2.5 * PI..3.5 * PI).contains(&q[0]) && (7.0..14.0).contains(&q[1])
    });
    assert_eq!(inside.count(), 0);
    let clean = Strip { n: 5000, ..Default::default() }.generate(4).unwrap();
    assert_eq!(clean.points, clean.truth);
    let noisy = Strip { n: 5000, noise: 0.1, ..Default::default() }.generate(4).unwrap();
    let differences = noisy.points.values().iter().zip(noisy.truth.values()).map(|(a, b)| a - b);
    let variance = differences.map(|d| d * d).sum::<f64>() / 10_000.0;
    assert!((variance.sqrt() - 0.1).abs() < 0.005);
    let cube = Cube { n: 1000, sides: vec![1.0, 2.0, 3.0, 4.0, 5.0], noise: 0.0 };
    let cube = cube.generate(5).unwrap();
    assert_eq!((cube.points.columns(), cube.names.len()), (5, 5));
    assert_eq!(cube.names[4], "x5");
    let many = Cube { n: 10, sides: vec![1.0; 40], noise: 0.1 }.generate(5).unwrap();
    assert_eq!((many.points.columns(), many.truth.columns()), (40, 40));
    for axis in 0..5 {
        let (low, high) = range(&column(&cube, axis));
        let side = axis as f64 + 1.0;
        assert!(low >= 0.0 && high <= side && high - low > 0.97 * side);
    }
}

#[test]
fn a_seed_is_a_data_set() {
    let make = |seed| SwissRoll { n: 50, noise: 0.1, ..Default::default() }.generate(seed).unwrap();
    assert_eq!(make(1), make(1));
    assert_ne!(make(1), make(2));
    // The stream of random numbers is part of the promise: these figures may not change.
    let strip = Strip { n: 2, aspect: 2.0, noise: 0.0 }.generate(0).unwrap();
    let figures = [1.4181508308531237, 0.46592172228961015, 1.3982864853494634, 0.0601711656341718];
    assert_eq!(strip.points.values(), figures);
}

#[test]
fn impossible_shapes_are_refused() {
    assert!(SwissRoll { height: 0.0, ..Default::default() }.generate(0).is_err());
    assert!(SwissRoll { noise: -1.0, ..Default::default() }.generate(0).is_err());
    assert!(SwissRoll { n: 0, ..Default::default() }.generate(0).is_err());
    assert!(Strip { aspect: f64::NAN, ..Default::default() }.generate(0).is_err());
    assert!(Torus { minor: 10.0, ..Default::default() }.generate(0).is_err());
    assert!(Cube { sides: vec![], ..Default::default() }.generate(0).is_err());
    assert!(Cube { sides: vec![1.0, -1.0], ..Default::default() }.generate(0).is_err());
}
