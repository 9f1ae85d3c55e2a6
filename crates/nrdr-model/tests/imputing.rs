//! What missing values are filled with, against scikit-learn: fixtures of scripts/imputed.py. And what a model keeps of it.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use nrdr::{LaplacianEigenmaps, Options, Points, fit};
use nrdr_model::{Fill, Imputer, ModelFile, Preparation};
use nrdr_report::Facts;

const COLUMNS: usize = 5;

/// The values of a fixture, NaN where there is none.
fn values(name: &str) -> Vec<f64> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let text = fs::read_to_string(folder.join(name)).unwrap();
    let number = |cell: &str| if cell.is_empty() { f64::NAN } else { cell.parse().unwrap() };
    text.lines().flat_map(|line| line.split(',').map(number).collect::<Vec<f64>>()).collect()
}

const FILLS: [Fill; 3] = [Fill::Mean, Fill::Median, Fill::Knn];

#[test]
fn the_numbers_are_those_of_scikit_learn() {
    let (table, new) = (values("holes.csv"), values("new.csv"));
    for fill in FILLS {
        let expected = values(&format!("{}.csv", fill.name()));
        let imputer = Imputer::fit(&table, COLUMNS, fill).unwrap();
        let (mut filled, mut more) = (table.clone(), new.clone());
        let told = imputer.fill(&mut filled);
        assert_eq!(told.cells, table.iter().filter(|value| value.is_nan()).count());
        imputer.fill(&mut more);
        filled.extend(more);
        assert_eq!(filled.len(), expected.len());
        for (at, (ours, theirs)) in filled.iter().zip(&expected).enumerate() {
            let error = (ours - theirs).abs();
            assert!(error <= 1e-12 * theirs.abs().max(1.0), "{fill:?} {at}: {ours} {theirs}");
        }
    }
}

/// A model of filled points with all that it takes to fill others.
fn model(fill: Fill) -> ModelFile {
    let mut table = values("holes.csv");
    let impute = Imputer::fit(&table, COLUMNS, fill).unwrap();
    impute.fill(&mut table);
    let points = Points::new(table, COLUMNS).unwrap();
    let mut preparation = Preparation { impute: Some(impute), ..Preparation::default() };
    let points = preparation.standardize(&points).unwrap();
    let (found, model) = fit(&points, &LaplacianEigenmaps::default(), &Options::default()).unwrap();
    let of = |number: f64| vec![number; found.dims()];
    let facts = Facts {
        eigenvalues: of(0.5),
        lengths: of(1.0),
        residual: of(0.0),
        iterations: vec![1; found.dims()],
        alpha: vec![None; found.dims()],
        ..Facts::default()
    };
    ModelFile::new(model, preparation, None, &facts).unwrap()
}

#[test]
fn a_model_fills_new_points_as_it_did_before_it_was_written() {
    for fill in FILLS {
        let file = model(fill);
        let again = ModelFile::from_bytes(&file.to_bytes().unwrap()).unwrap();
        assert_eq!(again.preparation(), file.preparation());
        assert_eq!(again.preparation().impute.as_ref().unwrap().kind(), fill);
        let (mut new, mut other) = (values("new.csv"), values("new.csv"));
        file.preparation().fill(&mut new);
        again.preparation().fill(&mut other);
        let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<u64>>();
        assert_eq!(bits(&new), bits(&other));
        assert!(again.transform(Points::new(new, COLUMNS).unwrap(), &()).is_ok());
    }
}

#[test]
fn what_a_model_keeps_of_it_must_fit_together() {
    let file = model(Fill::Knn);
    let refused = |name: &str, rows: &[&[f64]]| {
        let mut model = file.model().clone();
        model.set_table(name, Points::from_rows(rows).unwrap());
        ModelFile::of(model).unwrap_err().to_string()
    };
    for (name, rows, told) in [
        ("impute.values", &[&[1.0, 2.0][..]][..], "impute.points"),
        ("impute.values", &[&[0.0; 5][..], &[0.0; 5]], "impute.values"),
        ("impute.points", &[&[1.0][..]], "impute.points"),
        ("impute.missing", &[&[1.0][..]], "impute.missing"),
        ("impute.missing", &[&[80.0, 0.0][..]], "impute.missing"),
        ("impute.missing", &[&[0.0, 5.0][..]], "impute.missing"),
        ("impute.missing", &[&[0.5, 0.0][..]], "impute.missing"),
        ("impute.missing", &[&[-1.0, 0.0][..]], "impute.missing"),
    ] {
        let refused = refused(name, rows);
        assert!(refused.contains(&format!("its table {told} does not fit")), "{refused}");
    }
    let mut narrow = model(Fill::Mean).model().clone();
    narrow.set_table("impute.values", Points::from_rows([[1.0, 2.0]]).unwrap());
    let told = ModelFile::of(narrow).unwrap_err().to_string();
    assert!(told.contains("its table impute.values does not fit"), "{told}");
    let mut unknown = file.model().clone();
    unknown.set_note("impute", "guess");
    assert!(ModelFile::of(unknown).unwrap_err().to_string().contains("its note impute"));
    let mut without = file.model().clone();
    without.set_note("impute", "mean");
    assert!(ModelFile::of(without).unwrap_err().to_string().contains("impute.points"));
}
