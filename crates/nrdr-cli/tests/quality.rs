//! What `nrdr embed` says of quality beside the original, and of tables before the numbers.
#![allow(clippy::unwrap_used)]

mod common;

use common::Place;
use serde_json::Value;

fn json(place: &Place, name: &str) -> Value {
    serde_json::from_str(&place.read(name)).unwrap()
}

/// Rows of a wave and another column.
fn table(header: &str, second: impl Fn(u32) -> f64) -> String {
    let rows = (0..60).map(|i| format!("{},{}\n", (0.7 * f64::from(i)).sin(), second(i)));
    format!("{header}\n{}", rows.collect::<String>())
}

#[test]
fn the_original_stands_beside_every_embedding() {
    let place = Place::new();
    place.ok("dataset swiss-roll -n 500 --height 10 -o roll.csv");
    let told = place.ok("embed roll.csv -s unpredictable -o out.csv --json run.json");
    let run = json(&place, "run.json");
    let number = |run: &Value, name: &str| run["quality"][name].as_f64().unwrap();
    let line = |title: &str, run: &Value| {
        format!(
            "{title:<14} {:>11.3} {:>11.3} {:>5.2}\n",
            number(run, "trustworthiness"),
            number(run, "continuity"),
            number(run, "neighborhoods"),
        )
    };
    let expected = format!(
        "\nneighbours     trustworthy  continuous  kept\n{}{}",
        line("original", &run["original"]),
        line("non-redundant", &run),
    );
    assert!(told.contains(&expected), "{told}\n{expected}");
    let shares: Vec<f64> = [&run, &run["original"]]
        .map(|run| run["redundancy"]["errors"][1].as_f64().unwrap())
        .map(|error| 100.0 * (1.0 - error * error))
        .to_vec();
    let beside = format!("{:.0} % (original: {:.0} %)", shares[0], shares[1]);
    assert!(told.contains(&beside), "{told}\n{beside}");
    let against = |name: &str| {
        let (ours, theirs) = (number(&run, name), number(&run["original"], name));
        format!("{name} {ours:.3} against {theirs:.3}")
    };
    let torn = format!(
        "neighbourhoods are kept better in one respect ({}) and worse in another ({}).",
        against("trustworthiness"),
        against("continuity"),
    );
    assert!(told.contains(&torn), "{told}\n{torn}");
    assert!(run["verdict"].as_str().unwrap().ends_with(&torn));
    assert_eq!(run["quality"]["spikes"].as_array().unwrap().len(), 2);
    assert!(run["quality"]["accuracy"].is_null());
}

#[test]
fn the_original_alone_is_measured_too() {
    let place = Place::new();
    place.labelled("table.csv", ["a", "b"]);
    let told = place.ok("embed table.csv --label kind -s orthogonal -o out.csv --json run.json");
    let run = json(&place, "run.json");
    assert!(run.get("original").is_none() && run["quality"]["accuracy"].as_f64().is_some());
    assert!(told.contains("continuous  kept  labels"), "{told}");
    assert!(told.contains("Neighbourhoods are kept with a trustworthiness of"), "{told}");
    assert!(told.contains("of the labels."), "{told}");
}

#[test]
fn the_numbers_do_not_depend_on_the_number_of_threads() {
    let place = Place::new();
    for threads in [1, 2] {
        place.ok(&format!(
            "embed --dataset torus -n 2500 -o out.csv --json {threads}.json --threads {threads} -q"
        ));
    }
    let [one, two] = ["1.json", "2.json"].map(|name| json(&place, name));
    assert_eq!(one["quality"], two["quality"]);
    assert_eq!(one["original"]["quality"], two["original"]["quality"]);
    assert_eq!(one["quality"]["queries"], 2000);
}

#[test]
fn columns_that_mislead_are_told_before_the_numbers() {
    let place = Place::new();
    let wave = |i: u32| (1.9 * f64::from(i)).cos();
    place.write("plain.csv", table("a,b", wave));
    assert!(!place.ok("embed plain.csv -o out.csv").contains("note:"));
    place.write("scales.csv", table("a,price", |i| 1000.0 * wave(i)));
    let told = place.ok("embed scales.csv -o out.csv --report out.html");
    let note = "note: column \"price\" varies ";
    assert!(told.find(note) < told.find("eigenvalue") && told.contains(note), "{told}");
    assert!(told.contains("columns with large numbers: use --standardize\n"), "{told}");
    assert!(place.read("out.html").contains("use --standardize"));
    for decided in ["--standardize", "--standardize=yes", "--standardize no"] {
        assert!(!place.ok(&format!("embed scales.csv {decided} -o out.csv")).contains("note:"));
    }
    place.write("id.csv", table("a,id", f64::from));
    let told = place.ok("compare id.csv --strategies orthogonal");
    let note =
        "note: column(s) \"id\" number the rows, and are embedded like any other: use --drop id\n";
    assert!(told.contains(note), "{told}");
    assert!(!place.ok("embed id.csv --drop id -k 5 -o out.csv").contains("note: column"));
    let ran = place.run("embed id.csv -o out.csv -q");
    assert!(ran.out.is_empty() && ran.err.contains("warning: column(s) \"id\" number"), "{ran:?}");
}

#[test]
fn constants_copies_and_wide_tables_are_told() {
    let place = Place::new();
    place.write("constant.csv", table("a,b", |_| 3.5));
    let told = place.ok("embed constant.csv -o out.csv");
    assert!(
        told.contains(
            "note: 1 column(s) are constant and count for nothing: \"b\"; use --drop b\n"
        ),
        "{told}"
    );
    let twice = table("a,b", |i| (1.9 * f64::from(i)).cos());
    let copy = twice.lines().nth(5).unwrap();
    place.write("copies.csv", format!("{twice}{copy}\n{copy}\n"));
    let told = place.ok("embed copies.csv -o out.csv");
    assert!(told.contains("note: 2 row(s) are copies of others, up to 3 are the same: "), "{told}");
    place.ok("dataset cube -n 12 --sides 1,1,1,1,1,1,1,1,1,1,1,1,1,1 -o wide.csv");
    let told = place.ok("embed wide.csv -k 4 -o out.csv");
    assert!(told.contains("note: there are more columns (14) than rows (12)"), "{told}");
    assert!(told.contains(": use --pca\n"), "{told}");
    assert!(!place.ok("embed wide.csv -k 4 --pca 3 -o out.csv").contains("more columns"));
}

/// Columns of these scales, a line for each of 120 rows.
fn scaled(scales: &[f64]) -> String {
    let names: Vec<String> = (1..=scales.len()).map(|c| format!("c{c}")).collect();
    let cell = |i: u32, (c, scale): (usize, &f64)| {
        (scale * ((0.3 + 0.17 * c as f64) * f64::from(i)).sin()).to_string()
    };
    let row = |i: u32| {
        scales.iter().enumerate().map(|at| cell(i, at)).collect::<Vec<_>>().join(",") + "\n"
    };
    names.join(",") + "\n" + &(0..120).map(row).collect::<String>()
}

#[test]
fn columns_are_standardised_if_they_need_it() {
    let place = Place::new();
    place.write("table.csv", scaled(&[1.0, 1.0, 2.0, 3000.0]));
    place.write("like.csv", scaled(&[1.0, 3000.0, 2000.0, 3000.0]));
    place.write("new.csv", scaled(&[1.0, 1.0, 2.0, 3000.0]));
    let told = place.ok(
        "embed table.csv --standardize auto -o auto.csv --json auto.json --report auto.html --model auto.model",
    );
    let note = "columns standardised: \"c4\" varies 2997 ";
    let rest = "times as much as half of the columns; --standardize no keeps them";
    assert!(told.contains(&format!("note: {note}")) && told.contains(rest), "{told}");
    assert!(told.find(note) < told.find("eigenvalue") && !told.contains("use --standardize"));
    place.ok("embed table.csv --standardize -o yes.csv --json yes.json -q");
    place.ok("embed --standardize table.csv -o first.csv -q");
    place.ok("embed table.csv -o raw.csv --json raw.json -q");
    assert_eq!(place.read("auto.csv"), place.read("yes.csv"));
    assert_eq!(place.read("auto.csv"), place.read("first.csv"));
    assert_ne!(place.read("auto.csv"), place.read("raw.csv"));
    let run = json(&place, "auto.json");
    assert_eq!(
        (&run["standardized"], &run["config"]["standardize"]),
        (&true.into(), &"auto".into())
    );
    assert!(run["notes"][0].as_str().unwrap().starts_with(note), "{}", run["notes"]);
    assert!(place.read("auto.html").contains(rest));
    assert_eq!(json(&place, "yes.json")["notes"], serde_json::json!([]));
    assert_eq!(json(&place, "raw.json")["standardized"], false);
    // The same again, for new points and from configurations.
    place.ok("transform auto.model new.csv -o again.csv");
    assert_eq!(place.read("again.csv"), place.read("auto.csv"));
    assert!(place.ok("inspect auto.model").contains("standardize    yes"));
    place.ok("embed --config auto.json -o config.csv -q");
    assert_eq!(place.read("config.csv"), place.read("auto.csv"));
    for (value, like) in [("true", "yes.csv"), ("false", "raw.csv"), ("\"auto\"", "auto.csv")] {
        place.write("run.toml", format!("standardize = {value}\n"));
        place.ok("embed table.csv --config run.toml -o config.csv -q");
        assert_eq!(place.read("config.csv"), place.read(like), "{value}");
    }
    // A single narrow column is no reason, and is told.
    let told = place.ok("embed like.csv --standardize auto -o out.csv --json out.json");
    assert!(told.contains("use --standardize\n"), "{told}");
    assert_eq!(json(&place, "out.json")["standardized"], false);
    // Pixels and what is generated stay as they are.
    let told = place.ok("embed table.csv --images 2x2 --standardize auto -o out.csv");
    assert!(!told.contains("standardised"), "{told}");
    place.ok("embed --dataset cube --sides 1,1,1,99 -n 200 --standardize auto -o auto.csv -q");
    place.ok("embed --dataset cube --sides 1,1,1,99 -n 200 -o raw.csv -q");
    assert_eq!(place.read("auto.csv"), place.read("raw.csv"));
    let wrong = place.run("embed table.csv --standardize=maybe -o out.csv");
    assert!(wrong.code == Some(2) && wrong.err.contains("[possible values: auto, yes, no]"));
}

#[test]
fn a_graph_that_falls_apart_is_told_with_the_option() {
    let place = Place::new();
    let apart = |i: u32| (1.9 * f64::from(i)).cos() + if i < 30 { 0.0 } else { 50.0 };
    place.write("apart.csv", table("a,b", apart));
    let told = place.run("embed apart.csv -o out.csv").err;
    assert!(told.contains("warning: the neighbour graph had 2 components"), "{told}");
    assert!(told.contains("more --neighbors may be better"), "{told}");
}
