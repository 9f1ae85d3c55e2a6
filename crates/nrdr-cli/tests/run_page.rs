//! The page of a run whose points are spread over several machines.
#![allow(missing_docs, clippy::unwrap_used)]

mod common;

use std::fs;

use common::Place;
use nrdr::Points;
use nrdr_cli::shared::{Drawn, Sample};
use nrdr_report::Facts;
use nrdr_write::Outputs;

/// A sample of three points, with two columns of one name and labels.
fn sample() -> Sample {
    let facts =
        |strategy: &str| Facts { strategy: strategy.to_string(), dims: 1, ..Facts::default() };
    let drawn = Drawn {
        command: "nrdr-mpi embed points/ -o out/".to_string(),
        title: "points".to_string(),
        names: vec!["x".to_string(), "x".to_string()],
        labels: vec!["kind".to_string()],
        rows: 1000,
        facts: vec![facts("orthogonal"), facts("priced")],
        ours: 1,
        verdict: "Nothing is redundant.".to_string(),
        notes: vec!["the page shows 3 of 1000 points".to_string()],
        ..Drawn::default()
    };
    Sample {
        drawn,
        rows: vec![7, 70, 700],
        given: Points::new(vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6], 2).unwrap(),
        coordinates: vec![vec![vec![1.0, 2.0, 3.0]], vec![vec![-1.0, 0.5, 1.0]]],
        labels: vec![vec!["1".to_string(), "b".to_string(), "1".to_string()]],
    }
}

fn written(place: &Place) -> Sample {
    let sample = sample();
    fs::create_dir_all(place.path("out/sample")).unwrap();
    let mut outputs = Outputs::default();
    sample.add(&place.path("out/sample"), &mut outputs).unwrap();
    outputs.commit().unwrap();
    sample
}

#[test]
fn a_sample_comes_back() {
    let place = Place::new();
    let sample = written(&place);
    let again = Sample::read(&place.path("out/sample")).unwrap();
    assert_eq!((again.rows, again.given), (sample.rows, sample.given));
    assert_eq!((again.coordinates, again.labels), (sample.coordinates, sample.labels));
    assert_eq!(again.drawn.facts, sample.drawn.facts);
}

#[test]
fn the_page_is_made_from_it() {
    let place = Place::new();
    written(&place);
    let told = place.ok("report out -o page.html");
    assert_eq!(told, "wrote page.html\n");
    let page = place.read("page.html");
    for wanted in [
        "the page shows 3 of 1000 points",
        "Nothing is redundant.",
        "nrdr-mpi embed points/ -o out/",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
}

#[test]
fn what_is_no_run_is_refused() {
    let place = Place::new();
    fs::create_dir(place.path("empty")).unwrap();
    let way_out = "name the folder of a finished run of `nrdr-mpi embed`";
    place.fails("report empty -o page.html", "empty has no folder sample", way_out);
    written(&place);
    place.write("out/sample/run.json", r#"{"facts": "none"}"#);
    let ran = place.run("report out -o page.html");
    assert!(ran.code == Some(2) && ran.err.contains("run.json: is no sample of a run"), "{ran:?}");
    let mut other = sample().drawn;
    other.names.pop();
    place.write("out/sample/run.json", serde_json::to_string(&other).unwrap());
    let ran = place.run("report out -o page.html");
    assert!(ran.code == Some(2) && ran.err.contains("does not fit points.parquet"), "{ran:?}");
}
