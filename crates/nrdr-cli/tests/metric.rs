//! `--metric` from the table to new points, by the real program.
#![allow(clippy::unwrap_used)]

mod common;

use std::f64::consts::PI;
use std::fmt::Write as _;

use common::Place;
use serde_json::Value;

/// Rows in some directions, each of its own length.
fn table(rows: std::ops::Range<usize>) -> String {
    let mut text = "a,b,c\n".to_string();
    for i in rows {
        let (u, v) = ((i * 37 % 211) as f64 / 211.0, (i * 61 % 197) as f64 / 197.0);
        let length = 1.0 + (i * 29 % 101) as f64;
        let row = [length * (1.0 + u), length * (1.0 + v), length * (1.5 + (4.0 * u).sin())];
        writeln!(text, "{:?},{:?},{:?}", row[0], row[1], row[2]).unwrap();
    }
    text
}

fn json(place: &Place, file: &str) -> Value {
    serde_json::from_str(&place.read(file)).unwrap()
}

#[test]
fn a_run_tells_its_metric_and_can_be_repeated() {
    let place = Place::new();
    place.write("t.csv", table(0..300));
    let told = place.ok("embed t.csv --metric cosine -o f.csv --json f.json --model f.model");
    assert!(told.contains(", metric cosine\n"), "{told}");
    let run = json(&place, "f.json");
    assert_eq!((&run["metric"], &run["config"]["metric"]), (&"cosine".into(), &"cosine".into()));
    place.ok("embed --config f.json -o again.csv --quiet");
    assert_eq!(place.read("again.csv"), place.read("f.csv"));
    // Written by hand, and not told where it is the usual one.
    place.write("own.toml", "metric = \"minkowski:3\"\nneighbors = 12\n");
    let told = place.ok("embed t.csv --config own.toml -o own.csv");
    assert!(told.contains(", metric minkowski:3\n"), "{told}");
    let told = place.ok("embed t.csv -o plain.csv --json plain.json");
    assert!(!told.contains("metric") && json(&place, "plain.json")["metric"].is_null(), "{told}");
    assert_ne!(place.read("plain.csv"), place.read("f.csv"));
    // Judged by their own neighbours.
    let kept = |file: &str| json(&place, file)["quality"]["neighborhoods"].as_f64().unwrap();
    assert!(kept("f.json") > 0.5, "{}", kept("f.json"));
    let shown = place.ok("compare t.csv --metric cosine --strategies orthogonal,priced");
    assert!(shown.contains(", metric cosine\n"), "{shown}");
    let plan = place.ok("embed t.csv --metric manhattan --plan");
    assert!(plan.contains("kd-tree") || plan.contains("all distances"), "{plan}");
}

#[test]
fn a_model_keeps_its_metric() {
    let place = Place::new();
    place.write("t.csv", table(0..300));
    for metric in ["cosine", "manhattan", "hamming", "minkowski:3", "correlation"] {
        let made =
            format!("embed t.csv --metric {metric} -o f.csv --model f.model -m isomap --quiet");
        place.ok(&made);
        let shown = place.ok("inspect f.model --json held.json");
        assert!(shown.contains(&format!("metric         {metric}\n")), "{shown}");
        assert_eq!(json(&place, "held.json")["metric"], metric);
        place.ok("transform f.model t.csv -o again.csv --quiet");
        assert_eq!(place.read("again.csv"), place.read("f.csv"), "{metric}");
    }
    place.ok("embed t.csv --metric cosine -o f.csv --model f.model --quiet");
    place.write("new.csv", "a,b,c\n1,2,3\n0,0,0\n");
    place.fails(
        "transform f.model new.csv -o new-f.csv",
        "row 2 is zero, and has no cosine distance from others",
        "leave the row out or choose another --metric",
    );
}

#[test]
fn what_a_metric_cannot_do_is_told_with_the_way_out() {
    let place = Place::new();
    place.write("t.csv", table(0..60));
    let mut towns = "name,lat,lon\n".to_string();
    for i in 0..80 {
        let (lat, lon) = (47.0 + (i * 13 % 31) as f64 * 0.1, 9.0 + (i * 7 % 53) as f64 * 0.13);
        writeln!(towns, "t{i},{lat},{lon}").unwrap();
    }
    place.write("towns.csv", &towns);
    place.fails(
        "embed towns.csv --metric haversine -o f.csv",
        "row 1 has the latitude 47, which is beyond the poles at pi/2",
        "convert degrees to radians, latitude first and longitude second",
    );
    place.fails(
        "embed t.csv --metric haversine -o f.csv",
        "the metric haversine takes 2 columns, and there are 3",
        "choose the columns of latitude and longitude, in radians",
    );
    place.fails(
        "embed t.csv --metric manhattan --neighbors-approximate -o f.csv",
        "neighbours by the metric manhattan are searched exactly only",
        "choose --neighbors-exact or choose --metric euclidean or cosine",
    );
    place.fails(
        "embed t.csv --metric cosine -m kpca -o f.csv",
        "--metric cosine has no meaning where the method looks for no neighbours",
        "choose --metric euclidean",
    );
    let wrong = place.run("embed t.csv --metric euclid -o f.csv");
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("euclid") && wrong.err.contains("minkowski:3"), "{}", wrong.err);
    let wrong = place.run("embed t.csv --metric minkowski:0.5 -o f.csv");
    assert!(wrong.code == Some(2) && wrong.err.contains("at least 1"), "{}", wrong.err);
    let help = place.ok("embed --help");
    for metric in ["cosine", "haversine", "minkowski:p"] {
        assert!(help.contains(&format!("- {metric}")), "{help}");
        assert!(place.ok("methods").contains(metric));
    }
    // In radians it is an angle.
    let radians = |line: &str| {
        let mut cells = line.split(',').skip(1).map(|cell| cell.parse::<f64>().unwrap());
        let mut next = || cells.next().unwrap() * PI / 180.0;
        format!("{},{}\n", next(), next())
    };
    let rows: String = towns.lines().skip(1).map(radians).collect();
    place.write("radians.csv", format!("lat,lon\n{rows}"));
    place.ok("embed radians.csv --metric haversine -m ltsa -o f.csv --model f.model --quiet");
    place.ok("transform f.model radians.csv -o again.csv --quiet");
    assert_eq!(place.read("again.csv"), place.read("f.csv"));
}

#[test]
fn a_checkpoint_by_another_metric_is_refused() {
    let place = Place::new();
    place.write("t.csv", table(0..200));
    place.ok("embed t.csv --metric cosine -o f.csv --checkpoint run.checkpoint --quiet");
    place.fails(
        "embed t.csv --metric manhattan -o g.csv --checkpoint run.checkpoint",
        "run.checkpoint: the checkpoint was made with --metric cosine, this run has --metric manhattan",
        "use another file or delete it",
    );
}
