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
    let told = place.ok("embed roll.csv -o out.csv --json run.json");
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
    assert!(!place.ok("embed scales.csv --standardize -o out.csv").contains("note:"));
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
        told.contains("note: 1 column(s) are constant and count for nothing: \"b\"\n"),
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
