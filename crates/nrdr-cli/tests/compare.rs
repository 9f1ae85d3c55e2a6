//! `nrdr compare`, `redundancy`, `dataset`, `methods` and `completions`, run as users run them.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Place, numbers};
use serde_json::Value;

/// The numbers in the line of a table that begins with a word.
fn row(table: &str, first: &str) -> Vec<f64> {
    let line = table.lines().find(|line| line.starts_with(first)).unwrap_or_default();
    line.split_whitespace().filter_map(|cell| cell.parse().ok()).collect()
}

#[test]
fn strategies_stand_side_by_side() {
    let place = Place::new();
    let told = place
        .ok("compare --dataset swiss-roll -n 600 --height 10 --json out.json --report out.html");
    let others = ["selection", "independent", "regression", "advection"];
    for strategy in ["orthogonal", "priced", "unpredictable"].into_iter().chain(others) {
        assert!(told.lines().any(|line| line.starts_with(strategy)), "no {strategy} in\n{told}");
    }
    // The last columns are R2 of t and of the height, and the seconds.
    let height = |strategy: &str| row(&told, strategy).iter().rev().nth(1).copied().unwrap();
    assert!(height("orthogonal") < 0.4 && height("unpredictable") > 0.5, "{told}");
    let value: Value = serde_json::from_str(&place.read("out.json")).unwrap();
    assert_eq!(value["strategies"].as_array().unwrap().len(), 7);
    assert!(place.read("out.html").contains("id=\"data\""));
}

#[test]
fn labels_and_true_parameters_are_scored() {
    let place = Place::new();
    place.labelled("table.csv", ["a", "b"]);
    place.ok("dataset cube -n 200 --sides 1 -o truth.csv");
    let told = place.ok(
        "compare table.csv --label kind --truth truth.csv --strategies orthogonal,unpredictable",
    );
    assert!(told.contains("labels") && told.contains("R2(x1)"), "{told}");
    place.ok("dataset cube -n 100 --sides 1 -o short.csv");
    place.fails(
        "compare table.csv --label kind --truth short.csv",
        "short.csv has 100 rows, but the input has 200",
        "give a row for each point",
    );
}

#[test]
fn any_embedding_is_measured() {
    let place = Place::new();
    let mut text = "x,square,y\n".to_string();
    for i in 0..500 {
        let (x, y) = ((0.7 * f64::from(i)).sin(), (1.9 * f64::from(i)).cos());
        text += &format!("{x},{},{y}\n", x * x);
    }
    place.write("triple.csv", text);
    let told = place.ok("redundancy triple.csv --json out.json");
    let value: Value = serde_json::from_str(&place.read("out.json")).unwrap();
    let errors: Vec<f64> =
        value["errors"].as_array().unwrap().iter().map(|e| e.as_f64().unwrap()).collect();
    assert!(errors[0] == 1.0 && errors[1] < 0.1 && errors[2] > 0.9, "{told}");
    assert!(told.contains("square"), "{told}");
    place.fails(
        "redundancy triple.csv --columns x",
        "1 coordinate(s) cannot repeat each other",
        "give at least two",
    );
}

#[test]
fn data_sets_are_written_with_their_truth() {
    let place = Place::new();
    for (name, columns, parameters) in
        [("swiss-roll", 3, 2), ("s-curve", 3, 2), ("strip", 2, 2), ("cube", 3, 3), ("torus", 3, 2)]
    {
        place.ok(&format!(
            "dataset {name} -n 50 --noise 0.1 -o {name}.csv --truth {name}-truth.csv"
        ));
        let (points, truth) = (
            numbers(&place.read(&format!("{name}.csv"))),
            numbers(&place.read(&format!("{name}-truth.csv"))),
        );
        assert_eq!((points.len(), points[0].len()), (50, columns), "{name}");
        assert_eq!((truth.len(), truth[0].len()), (50, parameters), "{name}");
    }
    place.fails(
        "dataset strip -o a.csv --truth ./a.csv",
        "a.csv: is named twice",
        "give each output a file of its own",
    );
    place.fails(
        "dataset strip --aspect 0 -o a.csv",
        "--aspect = 0 is out of range",
        "it must be positive",
    );
}

#[test]
fn methods_are_listed_with_their_options() {
    let told = Place::new().ok("methods");
    for part in ["lem", "Belkin", "--sigma", "kpca", "--degree", "--local-dim", "isomap"] {
        assert!(told.contains(part), "no {part:?} in\n{told}");
    }
}

#[test]
fn shells_get_their_completions() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = place.ok(&format!("completions {shell}"));
        assert!(text.contains("redundancy") && text.contains("neighbors"), "{shell}");
    }
}

#[test]
fn the_best_by_each_measure_is_named_and_ties_are_told() {
    let place = Place::new();
    let told = place.ok(
        "compare --dataset swiss-roll -n 600 --height 10 --strategies orthogonal,unpredictable,orthogonal --json out.json",
    );
    let best =
        |measure: &str| told.lines().find(|line| line.starts_with(measure)).unwrap_or_default();
    assert_eq!(best("R2(height) "), "R2(height)       unpredictable", "{told}");
    assert_eq!(best("predictability").split_whitespace().nth(1), Some("unpredictable"), "{told}");
    let value: Value = serde_json::from_str(&place.read("out.json")).unwrap();
    let all = value["best"].as_array().unwrap();
    assert_eq!(all.len(), 6);
    for one in all {
        // What is the same cannot be told apart.
        let ties = one["ties"].as_array().unwrap();
        assert!(one["strategy"] != "orthogonal" || ties.contains(&"orthogonal".into()), "{one}");
    }
    let told = place.ok("compare --dataset strip -n 300 --strategies orthogonal,orthogonal");
    for measure in ["predictability", "trustworthiness", "continuity", "neighborhoods", "R2(x)"] {
        let line = told.lines().find(|line| line.starts_with(measure)).unwrap_or_default();
        assert!(line.ends_with(" orthogonal (a tie of all)"), "{measure} {told}");
    }
    // One alone is best in nothing.
    let told = place.ok("compare --dataset strip -n 300 --strategies orthogonal");
    assert!(!told.contains("a tie"), "{told}");
}

#[test]
fn what_all_strategies_are_warned_of_is_said_once() {
    let place = Place::new();
    let line = |i: i32| format!("{},{}\n", i / 50 * 1000 + i % 50, i % 7);
    place.write("two.csv", (0..100).map(line).collect::<String>());
    let ran = place.run("compare two.csv --strategies orthogonal,unpredictable,selection");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!ran.out.contains("warning:"), "{ran:?}");
    assert_eq!(
        ran.err.matches("warning: the neighbour graph had 2 components").count(),
        1,
        "{ran:?}"
    );
}
