//! Neighbours that another program has searched, new points by a model, and the page of a run: with the program on several ranks.
#![allow(missing_docs, clippy::unwrap_used)]

mod launched;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use launched::{Place, apart, write};
use nrdr::datasets::SwissRoll;
use nrdr::graph::neighbors;
use nrdr::{LaplacianEigenmaps, Options, Plain, Points, Search, Stage, Watch, fit};
use nrdr_model::{ModelFile, Preparation};
use nrdr_report::{Facts, Found};

fn roll(n: usize, seed: u64) -> Points {
    SwissRoll { n, height: 10.0, ..Default::default() }.generate(seed).unwrap().points
}

/// Rows i, j, distance of the nearest neighbours, as arrays of blocks of queries.
fn write_neighbors(folder: &Path, points: &Points, k: usize) {
    fs::create_dir_all(folder).unwrap();
    let watch = Watch::new(None);
    let lists = watch.stage(Stage::Neighbors, |p| neighbors(points, k, Search::Exact, p)).unwrap();
    for (at, block) in (0..points.rows()).collect::<Vec<_>>().chunks(400).enumerate() {
        let row = |i: usize| {
            let list = lists.of(i).iter().zip(lists.distances(i));
            list.map(move |(&j, &d)| [i as f64, f64::from(j), d]).collect::<Vec<_>>()
        };
        let rows = Points::from_rows(block.iter().flat_map(|&i| row(i))).unwrap();
        write(&folder.join(format!("block-{at}.npy")), &rows, 0..rows.rows());
    }
}

#[test]
fn neighbours_of_another_program() {
    let place = Place::new();
    let points = roll(1200, 6);
    place.parts("in", "parquet", &points);
    write_neighbors(&place.path("found"), &points, 12);
    place.ok(2, "embed in -q -o searched --checkpoint kept");
    place.ok(3, "embed in -q -o given --neighbors found");
    for (at, (a, b)) in
        place.columns("searched").1.iter().zip(&place.columns("given").1).enumerate()
    {
        assert!(apart(a, b) < 1e-6, "coordinate {} is {:e} apart", at + 1, apart(a, b));
    }
    // Neighbours that were searched, and those of files, are of two runs.
    place.refused(
        2,
        "embed in -o other --checkpoint kept --neighbors found",
        &["kept", "the neighbours searched"],
    );
    place.refused(2, "embed in -o searched --neighbors found", &["parts of another run"]);
    place.refused(3, "embed in -o other --neighbors nowhere", &["nowhere is no folder"]);
    // Too few of them.
    place.refused(3, "embed in -o other -k 20 --neighbors found", &["found: ", "20"]);
    assert_eq!(place.results("other"), [""; 0]);
}

#[test]
fn new_points_are_those_of_a_single_machine() {
    let place = Place::new();
    let old = roll(500, 5);
    let (embedding, model) =
        fit(&old, &LaplacianEigenmaps::default(), &Options::default()).unwrap();
    let facts = Facts::new(&Found::unmeasured(embedding), &Plain);
    let names = vec!["x1".to_string(), "x2".to_string(), "x3".to_string()];
    let file = ModelFile::new(model, Preparation::default(), Some(names), &facts).unwrap();
    fs::write(place.path("roll.model"), file.to_bytes().unwrap()).unwrap();
    let new = roll(1000, 8);
    place.parts("in", "npy", &new);
    let wanted = file.transform(new, &()).unwrap();
    for ranks in [1, 3] {
        let out = format!("out-{ranks}");
        place.ok(ranks, &format!("transform roll.model in -q -o {out}"));
        let (_, columns) = place.columns(&out);
        for (at, column) in columns.iter().enumerate() {
            assert_eq!(*column, wanted.column(at));
        }
    }
    place.refused(2, "transform nowhere.model in -o out", &["nowhere.model"]);
}

/// The program `nrdr` beside the one that is tested; it is made where there is none.
fn nrdr() -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_nrdr-mpi")).with_file_name("nrdr");
    if !path.exists() {
        let made =
            Command::new(env!("CARGO")).args(["build", "--locked", "-p", "nrdr-cli"]).status();
        assert!(made.unwrap().success());
    }
    path
}

#[test]
fn the_page_of_a_run() {
    let place = Place::new();
    place.parts("in", "npy", &roll(900, 6));
    place.ok(2, "embed in -q -d 3 -o out");
    let mut command = Command::new(nrdr());
    let made = command.args(["report", "out", "-o", "page.html"]).current_dir(place.path(""));
    let made = made.output().unwrap();
    assert!(made.status.success(), "{made:?}");
    let page = fs::read_to_string(place.path("page.html")).unwrap();
    assert!(page.contains("nrdr-mpi embed in -q -d 3 -o out"), "no command on the page");
    assert!(page.contains("2 processes shared the rows"), "no note on the page");
}
