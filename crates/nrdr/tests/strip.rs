//! Laplacian eigenmaps of a strip are the Laplacian's eigenfunctions, repeated directions and all.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::{correlation, run};
use nrdr::datasets::Strip;
use nrdr::{LaplacianEigenmaps, Options};

#[test]
fn coordinates_are_cosines_in_the_order_of_theory() {
    for aspect in [1.5, 2.5, 3.5] {
        let strip = Strip { n: 5000, aspect, noise: 0.0 };
        let data = strip.generate(11).unwrap();
        // The first floor(aspect) are functions of x alone; then y has its turn.
        let dims = aspect as usize + 1;
        let options = Options { dims: dims.into(), neighbors: 10, ..common::original() };
        let embedding = run(&data.points, &LaplacianEigenmaps::default(), &options);
        for (i, wave) in strip.wave_numbers(dims).into_iter().enumerate() {
            let theory: Vec<f64> =
                (0..5000).map(|n| strip.eigenfunction(wave, data.truth.row(n))).collect();
            let found = correlation(embedding.coordinate(i), &theory);
            assert!(found > 0.95, "aspect {aspect}, coordinate {}, {wave:?}: {found}", i + 1);
        }
        let waves = strip.wave_numbers(dims);
        assert!(waves[..dims - 1].iter().all(|&(_, b)| b == 0), "aspect {aspect}: {waves:?}");
    }
}
