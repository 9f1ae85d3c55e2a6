//! New points by a model, on any number of members.
#![allow(missing_docs, clippy::unwrap_used)]

mod place;

use std::fs;

use nrdr::datasets::SwissRoll;
use nrdr::{LaplacianEigenmaps, Options, Points, fit};
use nrdr_model::{ModelFile, Preparation};
use nrdr_report::{Facts, Found};
use place::Place;

/// A model with a preparation, written to a file.
fn model(place: &Place, names: Option<Vec<String>>) -> ModelFile {
    let roll = SwissRoll { n: 300, ..Default::default() }.generate(5).unwrap().points;
    let mut preparation = Preparation::default();
    let standard = preparation.standardize(&roll).unwrap();
    let (embedding, model) =
        fit(&standard, &LaplacianEigenmaps::default(), &Options::default()).unwrap();
    let facts = Facts::new(&Found::unmeasured(embedding), &nrdr::Plain);
    let file = ModelFile::new(model, preparation, names, &facts).unwrap();
    fs::write(place.path("roll.model"), file.to_bytes().unwrap()).unwrap();
    file
}

const RUN: &str = "transform ./roll.model ./in -q -o ./out";

fn check(place: &Place, ending: &str, rows: &[usize], wanted: &Points) {
    let mut start = 0;
    for (i, &rows) in rows.iter().enumerate() {
        let (found, values) = place.part(&format!("out/part-{}.{ending}", i + 1));
        assert_eq!(found, rows);
        assert_eq!(values, wanted.values()[2 * start..2 * (start + rows)]);
        start += rows;
    }
}

#[test]
fn coordinates_are_those_of_a_single_machine_bit_for_bit() {
    for (ending, rows, members) in [
        ("npy", vec![200, 31, 400], 1),
        ("npy", vec![200, 31, 400], 3),
        ("parquet", vec![9, 700], 4),
    ] {
        let place = Place::new();
        let model = model(&place, None);
        let points = place.parts("in", ending, &rows);
        place.ok(members, RUN);
        check(&place, ending, &rows, &model.transform(points, &()).unwrap());
    }
}

#[test]
fn columns_are_found_by_their_names() {
    let place = Place::new();
    // The model has them in another order.
    let names = ["z", "x", "y"].map(str::to_string).to_vec();
    let model = model(&place, Some(names));
    let points = place.parts("in", "parquet", &[50, 60]);
    let turned = Points::from_columns(&[2, 0, 1].map(|j| points.column(j))).unwrap();
    place.ok(2, RUN);
    check(&place, "parquet", &[50, 60], &model.transform(turned, &()).unwrap());
    place.fails(
        2,
        &format!("{RUN} --drop z"),
        "part-1.parquet: has 2 column(s) of numbers, but 3 are wanted",
    );
}

#[test]
fn what_is_no_model_is_refused() {
    let place = Place::new();
    place.parts("in", "npy", &[50, 60]);
    place.fails(2, RUN, "roll.model cannot be read");
    fs::write(place.path("roll.model"), b"something else").unwrap();
    place.fails(2, RUN, "roll.model: ");
    model(&place, None);
    place.ok(2, RUN);
    // Its parts are not those of an embedding.
    place.fails(2, "embed ./in -q -o ./out", "has the parts of another run");
}
