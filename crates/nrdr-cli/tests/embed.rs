//! `nrdr embed`, run as users run it.
#![allow(clippy::unwrap_used)]

mod common;

use std::io::Write;
use std::process::Stdio;

use common::{Place, Ran, is_png, numbers};
use serde_json::Value;

#[test]
fn a_table_becomes_coordinates_and_a_summary() {
    let place = Place::new();
    place.ok("dataset swiss-roll -n 400 --height 10 -o roll.csv");
    let told = place.ok("embed roll.csv -d 3 -o out.csv");
    let out = place.read("out.csv");
    assert!(out.starts_with("f1,f2,f3\n"), "{out}");
    let rows = numbers(&out);
    assert_eq!(rows.len(), 400);
    assert!(rows.iter().flatten().all(|v| v.is_finite()));
    for part in [
        "roll.csv: 400 points, 3 columns",
        "Belkin",
        "non-redundant",
        "predictable",
        "wrote out.csv",
    ] {
        assert!(told.contains(part), "no {part:?} in\n{told}");
    }
}

#[test]
fn every_format_goes_in_and_out_with_the_same_bits() {
    let place = Place::new();
    let endings = ["csv", "tsv", "npy", "npz", "parquet"];
    for ending in endings {
        place.ok(&format!("dataset torus -n 300 --seed 3 -o points.{ending}"));
    }
    place.ok("embed points.csv -o expected.csv -q");
    for ending in endings {
        place.ok(&format!("embed points.{ending} -o from_{ending}.csv -q"));
        assert_eq!(
            place.read(&format!("from_{ending}.csv")),
            place.read("expected.csv"),
            "{ending}"
        );
        // And what is written reads back as the same numbers.
        place.ok(&format!("embed points.csv -o out.{ending} -q"));
        place.ok(&format!("redundancy out.{ending} --json of_{ending}.json"));
        let errors = |name: &str| -> Value {
            serde_json::from_str::<Value>(&place.read(name)).unwrap()["errors"].take()
        };
        assert_eq!(errors(&format!("of_{ending}.json")), errors("of_csv.json"), "{ending}");
    }
}

#[test]
fn every_method_and_strategy_has_its_name() {
    let place = Place::new();
    place.ok("dataset strip -n 150 -o strip.npy");
    for method in ["lem", "dfm", "lle", "hlle", "ltsa", "isomap", "kpca"] {
        place.ok(&format!("embed strip.npy -m {method} -o {method}.csv -q"));
    }
    let others = ["orthogonal", "selection", "independent", "regression", "advection"];
    for strategy in ["unpredictable", "priced"].into_iter().chain(others) {
        place.ok(&format!("embed strip.npy -s {strategy} -o {strategy}.csv -q"));
    }
    assert_ne!(place.read("unpredictable.csv"), place.read("orthogonal.csv"));
    assert_ne!(place.read("unpredictable.csv"), place.read("lem.csv"));
    assert_eq!(place.read("priced.csv"), place.read("lem.csv"));
}

#[test]
fn options_of_methods_act() {
    let place = Place::new();
    place.ok("dataset swiss-roll -n 150 --noise 0.1 -o roll.npy");
    let run = |options: &str| -> (String, Value) {
        place.ok(&format!("embed roll.npy {options} -o out.csv --json out.json -q"));
        let run: Value = serde_json::from_str(&place.read("out.json")).unwrap();
        (place.read("out.csv"), run["lengths"].clone())
    };
    // The rest of the options, one with another value, and the same with its default value, where it has one.
    let cases = [
        ("-m lem", "--weights heat", "--weights binary"),
        ("-m lem --weights heat", "--sigma 0.5", ""),
        ("-m dfm", "--epsilon 0.1", ""),
        ("-m dfm", "--density 0.5", "--density 1"),
        ("-m dfm", "--time 2", "--time 1"),
        ("-m lle", "--reg 0.1", "--reg 0.001"),
        ("-m ltsa", "--local-dim 1", "--local-dim 2"),
        ("-m hlle", "--local-dim 1", "--local-dim 2"),
        ("-m kpca", "--kernel linear", "--kernel rbf"),
        ("-m kpca", "--kernel cosine", ""),
        ("-m kpca", "--kernel sigmoid", ""),
        ("-m kpca", "--gamma 0.5", ""),
        ("-m kpca --kernel polynomial", "--gamma 0.5", ""),
        ("-m kpca --kernel poly", "--degree 2", "--degree 3"),
        ("-m kpca --kernel poly", "--coef0 2", "--coef0 1"),
        ("-m kpca", "--rank 5", ""),
        ("-m isomap", "--landmarks 40", ""),
        ("-m isomap", "-k 20", "-k 10"),
        ("", "--alpha 0.5", "--alpha auto"),
        ("--alpha 0.6", "--smoother local-linear", "--smoother nw"),
        ("-s selection -d 2", "--candidates 3", ""),
        ("-s independent", "--candidates 2", "--candidates 20"),
        ("-s independent", "--zeta 0", ""),
        ("-s independent -d 3", "--intrinsic-dim 2", "--intrinsic-dim 3"),
        ("-s priced", "--mu 0.01", ""),
        ("-s priced", "--pool 1", ""),
        ("-s priced", "--thrift 9", ""),
        ("-s priced", "--depth 4", ""),
        ("", "-s orthogonal", "-s priced"),
        ("", "-d 3", "-d 2"),
        ("", "-k 20", "-k 10"),
        ("", "--standardize", "--standardize no"),
        ("", "--standardize yes", "--standardize auto"),
        ("", "--pca 2", "--pca 3"),
    ];
    let catalog = nrdr::catalog::catalog();
    let of_methods = catalog.methods.iter().filter(|method| method.takes != "a matrix");
    let of_methods = of_methods.flat_map(|method| &method.parameters);
    let of_strategies = catalog.strategies.iter().flat_map(|strategy| &strategy.parameters);
    for parameter in of_methods.chain(of_strategies) {
        let option = format!("--{} ", parameter.name.replace('_', "-"));
        assert!(cases.iter().any(|(_, other, _)| other.starts_with(&option)), "{option}");
    }
    for (rest, other, usual) in cases {
        let plain = run(rest);
        assert_ne!(run(&format!("{rest} {other}")), plain, "{rest} {other}");
        // Principal components are the points, but turned.
        if usual != "--pca 3" {
            assert_eq!(run(&format!("{rest} {usual}")), plain, "{rest} {usual}");
        }
    }
}

#[test]
fn columns_are_chosen_and_labels_are_not_embedded() {
    let place = Place::new();
    place.labelled("table.csv", ["a", "b"]);
    place.ok("embed table.csv --label kind -o all.csv -q");
    place.ok("embed table.csv --columns x,y --label kind -o two.csv -q");
    place.ok("embed table.csv --drop z,kind -o dropped.csv -q");
    assert_eq!(place.read("two.csv"), place.read("dropped.csv"));
    assert_ne!(place.read("two.csv"), place.read("all.csv"));
    let told = place.ok("embed table.csv -o text.csv");
    assert!(told.contains("text are left out: \"kind\""), "{told}");
    assert_eq!(place.read("text.csv"), place.read("all.csv"));
    let told = place.ok("embed table.csv --pca 2 -o pca.csv");
    assert!(told.contains("2 columns"), "{told}");
}

#[test]
fn rows_with_missing_values_stay_empty() {
    let place = Place::new();
    place.labelled("table.csv", ["a", "b"]);
    let text = place.read("table.csv");
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    lines[3] = "1.0,,0.5,a".to_string();
    lines[8] = "NA,2,0.5,a".to_string();
    place.write("holes.csv", lines.join("\n"));
    let told = place.ok("embed holes.csv --missing drop --label kind -o out.csv");
    assert!(told.contains("2 row(s) with missing values"), "{told}");
    let rows = numbers(&place.read("out.csv"));
    assert_eq!(rows.len(), 200);
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(row.iter().all(|v| v.is_nan()), i == 2 || i == 7, "row {i}");
    }
}

#[test]
fn the_json_of_a_run_repeats_it_bit_for_bit() {
    let place = Place::new();
    place.labelled("my table.csv", ["a", "b"]);
    let mut command =
        place.command("embed --label kind -d 3 -k 9 --standardize -o one.csv --json run.json");
    let first = Ran::from(command.arg("my table.csv").output().unwrap());
    assert_eq!(first.code, Some(0), "{first:?}");
    place.ok("embed --config run.json -o two.csv --threads 1 -q");
    assert_eq!(place.read("one.csv"), place.read("two.csv"));
    let run: Value = serde_json::from_str(&place.read("run.json")).unwrap();
    for field in [
        "method",
        "strategy",
        "n",
        "dims",
        "eigenvalues",
        "rank",
        "residual",
        "iterations",
        "redundancy",
        "seconds",
        "peak_memory_mb",
        "warnings",
        "version",
        "alpha",
        "config",
        "command",
        "verdict",
    ] {
        assert!(run.get(field).is_some(), "no {field}");
    }
    assert_eq!(run["config"]["neighbors"], "9");
    assert_eq!(run["config"]["standardize"], "yes");
    assert_eq!(run["standardized"], true);
    assert_eq!(run["command"].as_str().unwrap().matches("'my table.csv'").count(), 1);
}

#[test]
fn a_configuration_gives_way_to_what_is_typed() {
    let place = Place::new();
    place.ok("dataset strip -n 150 -o strip.npy");
    place.write("run.toml", "method = \"dfm\"\nneighbors = 15\nstandardize = true\ndims = 3\n");
    place.ok("embed strip.npy --config run.toml -k 8 -o out.csv --json out.json -q");
    let run: Value = serde_json::from_str(&place.read("out.json")).unwrap();
    assert_eq!((run["method"].as_str(), run["dims"].as_u64()), (Some("dfm"), Some(3)));
    assert_eq!(run["config"]["neighbors"], "8");
    place.write("bad.toml", "neighbours = 3\n");
    place.fails(
        "embed strip.npy --config bad.toml -o other.csv",
        "bad.toml has an unknown option \"neighbours\"",
        "`nrdr embed --help` lists what there is",
    );
}

#[test]
fn standard_input_is_csv() {
    let place = Place::new();
    place.labelled("table.csv", ["a", "b"]);
    place.ok("embed table.csv --label kind -o expected.csv -q");
    let mut command = place.command("embed - --label kind -o out.csv -q");
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&place.bytes("table.csv")).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(place.read("out.csv"), place.read("expected.csv"));
}

#[test]
fn the_number_of_coordinates_finds_itself() {
    let place = Place::new();
    let told =
        place.ok("embed --dataset strip -n 500 --aspect 5 -d auto -o out.csv --report out.html");
    assert!(place.read("out.csv").starts_with("f1,f2\n"), "{told}");
    assert!(told.contains("2 coordinate(s): "), "{told}");
}

#[test]
fn pictures_are_drawn() {
    let place = Place::new();
    place.labelled("table.csv", ["a", "b"]);
    place.ok("embed table.csv --label kind -d 3 --plot out.png -q");
    assert!(is_png(&place.path("out.png")));
    place.ok("embed table.csv --label kind -d 1 --plot out.svg -q");
    let svg = place.read("out.svg");
    assert!(svg.contains("<svg") && svg.contains("coordinate 1"), "{}", &svg[..200]);
}

#[test]
fn quiet_says_nothing() {
    let place = Place::new();
    let ran = place.run("embed --dataset strip -n 100 -o out.csv --quiet");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""));
}

#[test]
fn the_help_shows_every_option_with_an_example() {
    let place = Place::new();
    for command in ["demo", "embed", "compare", "redundancy", "dataset", "methods", "completions"] {
        let help = place.ok(&format!("{command} --help"));
        assert!(help.contains("Example"), "{help}");
        assert!(help.contains(&format!("nrdr {command}")), "{help}");
    }
}

#[test]
fn a_configuration_of_another_source_or_method_gives_way() {
    let place = Place::new();
    place.labelled("table.csv", ["a", "b"]);
    place.ok("embed table.csv --label kind -o expected.csv -q");
    place.ok("embed --dataset strip -n 100 -m kpca --gamma 0.5 --json strip.json -q");
    place.ok("embed table.csv --label kind --config strip.json -m lem -o out.csv -q");
    assert_eq!(place.read("out.csv"), place.read("expected.csv"));
    place.ok("compare --config strip.json --strategies orthogonal --json compare.json -q");
    place.ok("embed --config compare.json -o again.csv -q");
    assert_eq!(place.read("again.csv").lines().count(), 101);
}

#[test]
fn a_label_called_true_is_still_a_label() {
    let place = Place::new();
    place.labelled("table.csv", ["a", "b"]);
    place.write("odd.csv", place.read("table.csv").replacen("kind", "true", 1));
    place.ok("embed odd.csv --label true -o one.csv --json run.json -q");
    place.ok("embed --config run.json -o two.csv -q");
    assert_eq!(place.read("one.csv"), place.read("two.csv"));
    place.write("bad.toml", "dims = true\n");
    place.fails(
        "embed odd.csv --config bad.toml -o three.csv",
        "bad.toml gives dims = true",
        "dims takes a value",
    );
}

#[test]
fn columns_that_are_only_numbered_are_no_point() {
    let place = Place::new();
    place.ok("dataset strip -n 100 -o strip.csv");
    let points = place.read("strip.csv");
    place.write("numbered.csv", points.replacen("x1,x2", "0,1", 1));
    let told = place.ok("embed numbered.csv -o out.csv");
    assert!(told.contains("100 points, 2 columns"), "{told}");
    // With the index that pandas writes, which is a column like any other.
    let rows = points.lines().skip(1).enumerate().map(|(i, line)| format!("{i},{line}\n"));
    place.write("indexed.csv", format!(",0,1\n{}", rows.collect::<String>()));
    place.ok("embed indexed.csv --drop x1 -o dropped.csv -q");
    assert_eq!(place.read("dropped.csv"), place.read("out.csv"));
}

#[test]
fn pictures_come_from_folders_and_idx_files() {
    let place = Place::new();
    let pixel = |i: u8, p: u8| (u32::from(i) * 37 * (1 + u32::from(p)) % 251) as u8;
    let mut idx = vec![0, 0, 8, 3, 0, 0, 0, 30, 0, 0, 0, 3, 0, 0, 0, 4];
    std::fs::create_dir(place.path("pictures")).unwrap();
    for i in 0..30 {
        let pixels: Vec<u8> = (0..12).map(|p| pixel(i, p)).collect();
        idx.extend_from_slice(&pixels);
        let picture = image::GrayImage::from_raw(4, 3, pixels).unwrap();
        picture.save(place.path(&format!("pictures/{i:02}.png"))).unwrap();
    }
    place.write("train-images-idx3-ubyte", idx);
    place.ok("embed train-images-idx3-ubyte -k 5 -o idx.csv --report idx.html -q");
    place.ok("embed pictures -k 5 -o folder.csv --report folder.html -q");
    // Grey values of 255 and of 1 at most: the same points on another scale.
    let (a, b) = (numbers(&place.read("idx.csv")), numbers(&place.read("folder.csv")));
    for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
    for page in ["idx.html", "folder.html"] {
        assert!(place.read(page).contains("data:image/png;base64,"), "{page}");
    }
}

/// Two measurements of time are never the same to the last bit: where they are, the stage was done once.
#[test]
fn a_report_and_a_model_share_the_graph_and_the_factor() {
    let place = Place::new();
    place.ok("dataset swiss-roll -n 400 --height 10 -o roll.npy");
    for options in ["-d 3", "-d auto", "-d 2 --model roll.model", "-d auto --model roll.model"] {
        place.ok(&format!("embed roll.npy -m ltsa {options} --report r.html --json run.json -q"));
        let run: Value = serde_json::from_str(&place.read("run.json")).unwrap();
        for stage in ["neighbour search", "graph", "matrix", "factorisation"] {
            let (ours, original) = (&run["seconds"][stage], &run["original"]["seconds"][stage]);
            assert!(ours.as_f64().is_some_and(|seconds| seconds > 0.0), "{options}: {run}");
            assert_eq!(ours, original, "{options}: {stage}");
        }
        assert_eq!(run["dims"], run["original"]["dims"]);
    }
}
