//! The report, as a file; in a browser it is tested elsewhere.
#![allow(clippy::unwrap_used)]

mod common;

use common::Place;
use serde_json::Value;

const HOSTILE: &str = "</script><script>alert(1)</script>";

/// The data of a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_report_holds_both_embeddings_and_a_verdict() {
    let place = Place::new();
    place.ok("embed --dataset swiss-roll -n 500 --height 10 -d 3 --report report.html");
    let page = place.read("report.html");
    let data = data(&page);
    let titles: Vec<&str> = data["embeddings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["title"].as_str().unwrap())
        .collect();
    assert_eq!(titles, ["original", "non-redundant"]);
    let verdict = data["verdict"].as_str().unwrap();
    let errors = |e: usize| {
        let errors = data["embeddings"][e]["redundancy"].as_array().unwrap();
        errors.iter().map(|error| error.as_f64().unwrap()).collect::<Vec<f64>>()
    };
    let (before, after) = (errors(0), errors(1));
    let share = |error: f64| format!("{:.0} %", 100.0 * (1.0 - error * error));
    let worst = |errors: &[f64]| if errors[1] < errors[2] { 2 } else { 3 };
    let (ours, theirs) = (worst(&after), worst(&before));
    let expected = format!("(original: up to {}, coordinate {theirs}).", share(before[theirs - 1]));
    assert!(verdict.contains(&expected), "{verdict}\n{expected}");
    assert!(verdict.contains(&share(after[ours - 1])), "{verdict}\n{after:?}");
    // One quantity has one value: what a plot tells of a pair is what the verdict tells.
    for e in 0..2 {
        assert_eq!(data["embeddings"][e]["pairwise"][1][0].as_f64(), Some(errors(e)[1]));
    }
    assert_eq!(data["columns"][0]["name"], "true t");
    let strings = ["src=\"http", "@import", "fetch(", "XMLHttpRequest"];
    assert!(strings.iter().all(|part| !page.contains(part)), "the page asks for something");
}

#[test]
fn hostile_labels_stay_inside_the_data() {
    let place = Place::new();
    place.labelled("table.csv", [HOSTILE, "<!--"]);
    place.ok("embed table.csv --label kind --report report.html -q");
    let page = place.read("report.html");
    assert!(!page.contains(HOSTILE));
    let data = data(&page);
    let labels: Vec<&str> = data["labels"][0]["values"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_str().unwrap())
        .collect();
    assert!(labels.contains(&HOSTILE) && labels.contains(&"<!--"), "{labels:?}");
}

#[test]
fn ten_thousand_points_take_less_than_six_megabytes() {
    let place = Place::new();
    place.ok("dataset cube -n 10000 --sides 9,8,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1 -o wide.npy");
    place.ok("embed wide.npy -d 2 -s orthogonal --report report.html -q");
    let size = place.bytes("report.html").len();
    assert!(size < 6_000_000, "{size} bytes");
}

#[test]
fn pictures_are_part_of_the_page() {
    let place = Place::new();
    place.ok("dataset cube -n 120 --sides 1,1,1,1,1,1 -o cube.csv");
    place.ok("embed cube.csv --images 3x2 --report report.html -q");
    let images = data(&place.read("report.html"))["images"].take();
    assert_eq!((images["width"].as_u64(), images["height"].as_u64()), (Some(3), Some(2)));
    assert!(images["png"].as_str().unwrap().starts_with("data:image/png;base64,"));
    place.fails(
        "embed cube.csv --images 3x3 --report other.html",
        "6 columns are not pictures of 3 x 3",
        "mend --images, or leave out other columns with --drop",
    );
}
