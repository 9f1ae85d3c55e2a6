//! An engine from outside the crate solves what the built-in one does, on all methods and strategies.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

#[path = "common/textbook.rs"]
mod textbook;

use common::{correlation, flat_methods, roll};
use nrdr::{Error, Missed, Options, Prepared, SmootherOptions, SolverOptions, Strategy};
use textbook::Textbook;

#[test]
fn it_finds_the_same_coordinates_under_every_strategy() {
    let points = roll(150, 3);
    let fixed = || SmootherOptions { alpha: 0.3.into(), ..Default::default() };
    let strategies = [
        Strategy::orthogonal(),
        Strategy::unpredictable(fixed()),
        Strategy::selection(Default::default()),
    ];
    for (name, method) in flat_methods() {
        let options = Options { dims: 3.into(), ..Default::default() };
        let usual = Prepared::new(&points, method.as_ref(), &options).unwrap();
        let other = Prepared::new(&points, method.as_ref(), &options).unwrap();
        let other = other.with_engine(&Textbook);
        // Kernels of three columns have few eigenvectors: some of the candidates would be rounding.
        let sound = if name.starts_with("kpca") { &strategies[..2] } else { &strategies };
        for strategy in sound {
            let (a, b) = (usual.embed(strategy).unwrap(), other.embed(strategy).unwrap());
            assert_eq!(b.solver, "textbook");
            assert!(b.coordinates.iter().all(|c| c.residual < 1e-8), "{name}");
            for i in 0..a.dims() {
                let same = correlation(a.coordinate(i), b.coordinate(i));
                assert!(same > 1.0 - 1e-6, "{name}, {}, {i}: {same}", strategy.name());
            }
        }
        // What new points need comes from the constraint, whoever solved under it.
        if usual.fit(&strategies[1]).is_ok() {
            let (_, model) = other.fit(&strategies[1]).unwrap();
            let again = model.transform(&points, &()).unwrap();
            assert_eq!(again.rows(), 150, "{name}");
        }
    }
}

/// A tolerance that is out of reach is made do with, or is an error, as the options say; for any engine.
#[test]
fn a_missed_tolerance_means_what_the_options_say() {
    let points = roll(1500, 2);
    let method = nrdr::LaplacianEigenmaps::default();
    let with = |missed| {
        let solver = SolverOptions { tolerance: 1e-15, missed, ..Default::default() };
        Options { solver, ..common::original() }
    };
    let embed = |options: &Options| {
        let prepared = Prepared::new(&points, &method, options).unwrap();
        prepared.with_engine(&Textbook).embed(&options.strategy)
    };
    let refused = embed(&with(Missed::Error)).unwrap_err();
    assert!(matches!(refused, Error::NotConverged { .. }), "{refused}");
    let found = embed(&with(Missed::Loosen)).unwrap();
    let told = found.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(told.contains("did not converge") && told.contains("wanted 1.0e-15"), "{told}");
    assert!(found.coordinates.iter().all(|c| c.residual < 1e-3));
}
