//! Models are written, shown and used by the real program.
#![allow(clippy::unwrap_used)]

mod common;

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Stdio;

use common::Place;

/// A bent sheet with names, `extra` columns of text and holes beside the three that count.
fn sheet(rows: std::ops::Range<usize>, extra: bool) -> String {
    let mut text = if extra { "z,note,x,hole,y\n" } else { "x,y,z\n" }.to_string();
    for i in rows {
        let (u, v) = ((i * 37 % 211) as f64 / 211.0, (i * 61 % 197) as f64 / 197.0);
        let (x, y, z) = ((4.0 * u).sin(), 2.0 * v, (4.0 * u).cos());
        if extra {
            writeln!(text, "{z:?},a,{x:?},,{y:?}").unwrap()
        } else {
            writeln!(text, "{x:?},{y:?},{z:?}").unwrap()
        }
    }
    text
}

/// The numbers of a CSV without its header.
fn numbers(text: &str) -> Vec<Vec<f64>> {
    let row = |line: &str| line.split(',').map(|v| v.parse().unwrap_or(f64::NAN)).collect();
    text.lines().skip(1).map(row).collect()
}

fn far(a: &str, b: &str) -> f64 {
    let (a, b) = (numbers(a), numbers(b));
    assert_eq!(a.len(), b.len());
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

#[test]
fn training_points_come_back_whatever_was_done_to_the_columns() {
    let place = Place::new();
    place.write("old.csv", sheet(0..400, false));
    place.write("extra.csv", sheet(0..400, true));
    for options in ["", "--standardize", "--pca 2", "--standardize --pca 3 -m isomap", "-m kpca"] {
        let made = format!("embed old.csv {options} -o old-f.csv --model m.model --quiet");
        place.ok(&made);
        place.ok("transform m.model old.csv -o again.csv --quiet");
        let old = place.read("old-f.csv");
        assert!(far(&old, &place.read("again.csv")) < 1e-6, "{options}");
        // By name, whatever the order and whatever else there is.
        place.ok("transform m.model extra.csv -o named.csv --quiet");
        assert_eq!(place.read("named.csv"), place.read("again.csv"), "{options}");
    }
    // With a model the coordinates are the same.
    place.ok("embed old.csv -o without.csv --quiet");
    place.ok("embed old.csv -o with.csv --model m.model --report r.html --quiet");
    assert_eq!(place.read("with.csv"), place.read("without.csv"));
}

#[test]
fn all_formats_and_standard_input_agree() {
    let place = Place::new();
    place.write("old.csv", sheet(0..300, false));
    place.write("new.csv", sheet(300..700, false));
    place.ok("embed old.csv --model m.model --quiet");
    let told = place.ok("transform m.model new.csv -o new-f.csv");
    assert!(told.starts_with("new.csv: 400 new points in "), "{told}");
    let expected = place.read("new-f.csv");
    assert_eq!(expected.lines().count(), 401);
    for ending in ["tsv", "npy", "parquet"] {
        place.ok(&format!("transform m.model new.csv -o f.{ending} --quiet --threads 1"));
        // Read back by being measured: the same numbers in another file.
        place.ok(&format!("redundancy f.{ending} --json {ending}.json"));
    }
    let measured = |ending: &str| -> serde_json::Value {
        serde_json::from_str(&place.read(&format!("{ending}.json"))).unwrap()
    };
    assert!(measured("npy")["pairwise"][0][1].as_f64().is_some_and(|error| error < 1.0));
    assert_eq!(measured("npy")["pairwise"], measured("parquet")["pairwise"]);
    assert_eq!(measured("npy")["pairwise"], measured("tsv")["pairwise"]);
    // New points in other formats.
    for ending in ["npy", "parquet", "npz"] {
        place.ok(&format!("dataset swiss-roll -n 250 -o roll.{ending}"));
        place.ok(&format!("embed roll.{ending} --model roll.model --columns 1,2,3 --quiet"));
        place.ok(&format!(
            "transform roll.model roll.{ending} --columns 1,2,3 -o {ending}.csv --quiet"
        ));
    }
    assert_eq!(place.read("npy.csv"), place.read("parquet.csv"));
    assert_eq!(place.read("npy.csv"), place.read("npz.csv"));
    piped(&place, "transform m.model - -o piped.csv --quiet", &sheet(300..700, false));
    assert_eq!(place.read("piped.csv"), expected);
}

#[test]
fn pieces_make_no_difference() {
    // More rows than are worked on at a time.
    let place = Place::new();
    place.write("old.csv", sheet(0..300, false));
    place.ok("embed old.csv -m lle --model m.model --quiet");
    let rows = 70_000;
    place.write("long.csv", sheet(0..rows, false));
    place.ok("transform m.model long.csv -o long-f.csv --quiet");
    place.write("end.csv", sheet(rows - 50..rows, false));
    place.ok("transform m.model end.csv -o end-f.csv --quiet");
    let (long, end) = (place.read("long-f.csv"), place.read("end-f.csv"));
    assert_eq!(long.lines().count(), rows + 1);
    assert!(long.lines().rev().zip(end.lines().rev()).take(50).all(|(a, b)| a == b));
}

#[test]
fn missing_values_leave_their_rows_empty() {
    let place = Place::new();
    place.write("old.csv", sheet(0..300, false));
    place.ok("embed old.csv --model m.model --quiet");
    let mut text = sheet(300..310, false);
    text.push_str("1,,2\n");
    place.write("new.csv", &text);
    place.fails(
        "transform m.model new.csv -o f.csv",
        "new.csv: row 11 (line 12), column \"y\" is missing",
        "leave such rows out with --missing drop",
    );
    let told = place.ok("transform m.model new.csv -o f.csv --missing drop");
    assert!(told.starts_with("new.csv: 10 new points in "), "{told}");
    assert!(told.contains("note: 1 row(s) with missing values stay empty"), "{told}");
    assert_eq!(place.read("f.csv").lines().last(), Some(","));
    let expected = place.read("f.csv");
    // Whether a format is read in pieces or whole.
    place.write("new.npy", npy(&text, false));
    place.write("turned.npy", npy(&text, true));
    for file in ["new.npy", "turned.npy"] {
        place.ok(&format!("transform m.model {file} -o f.csv --missing drop --quiet"));
        assert_eq!(place.read("f.csv"), expected, "{file}");
    }
    // A hole where nobody looks, in a file and in a pipe.
    place.write("beside.csv", sheet(300..310, true));
    place.ok("transform m.model beside.csv -o f.csv --quiet");
    let beside = place.read("f.csv");
    assert_eq!(beside.lines().collect::<Vec<_>>(), expected.lines().take(11).collect::<Vec<_>>());
    piped(&place, "transform m.model - -o f.csv --quiet", &sheet(300..310, true));
    assert_eq!(place.read("f.csv"), beside);
}

/// The numbers of a CSV as an array of numpy, row after row or column after column.
fn npy(text: &str, by_columns: bool) -> Vec<u8> {
    let rows = numbers(text);
    let (count, columns) = (rows.len(), rows[0].len());
    let order = if by_columns { "True" } else { "False" };
    let head =
        format!("{{'descr': '<f8', 'fortran_order': {order}, 'shape': ({count}, {columns}), }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((head.len() as u16).to_le_bytes());
    bytes.extend(head.as_bytes());
    let values: Vec<f64> = if by_columns {
        (0..columns).flat_map(|j| rows.iter().map(move |row| row[j])).collect()
    } else {
        rows.concat()
    };
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

/// Runs a command with a text on its standard input.
fn piped(place: &Place, arguments: &str, text: &str) {
    let mut child = place.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn columns_without_names_are_counted() {
    let place = Place::new();
    let text = sheet(0..300, false);
    place.write("old.npy", npy(&text, false));
    place.ok("embed old.npy -o old-f.csv --model m.model --quiet");
    let wide: String = text.lines().map(|line| format!("7,{line}\n")).collect();
    place.write("wide.npy", npy(&wide, false));
    let (_, headless) = wide.split_once('\n').unwrap();
    place.write("wide.csv", headless);
    for file in ["wide.npy", "wide.csv"] {
        place.fails(
            &format!("transform m.model {file} -o f.csv"),
            &format!("{file}: has 4 column(s) of numbers, but 3 are wanted"),
            "choose the same ones with --columns or --drop",
        );
        for choice in ["--drop 1", "--columns 2,3,4"] {
            place.ok(&format!("transform m.model {file} {choice} -o f.csv --quiet"));
            assert_eq!(place.read("f.csv"), place.read("old-f.csv"), "{file} {choice}");
        }
    }
}

#[test]
fn columns_of_other_names_come_in_the_order_they_are_given_in() {
    let place = Place::new();
    place.write("old.csv", sheet(0..300, false));
    place.ok("embed old.csv -o old-f.csv --model m.model --quiet");
    let renamed = sheet(0..300, true).replacen("z,note,x,hole,y", "c,note,a,hole,b", 1);
    place.write("renamed.csv", renamed);
    place.ok("transform m.model renamed.csv --columns a,b,c -o f.csv --quiet");
    assert_eq!(place.read("f.csv"), place.read("old-f.csv"));
}

#[test]
fn points_of_more_columns_than_points_come_back_by_principal_components() {
    let place = Place::new();
    // Of rank 4.
    let value = |i: usize, j: usize| -> f64 {
        (0..4).map(|r| ((i * (r + 3)) as f64).sin() * ((j * (r + 7)) as f64).cos()).sum()
    };
    let mut text = String::new();
    for i in 0..40 {
        let row: Vec<String> = (0..50).map(|j| format!("{:?}", value(i, j))).collect();
        writeln!(text, "{}", row.join(",")).unwrap();
    }
    place.write("wide.csv", &text);
    place.ok("embed wide.csv --pca 20 -o f.csv --model m.model --quiet");
    place.ok("transform m.model wide.csv -o again.csv --quiet");
    assert_eq!(place.read("f.csv"), place.read("again.csv"));
}

/// What is typed, what is wrong with it, and the way out.
const MISFITS: [(&str, &str, &str); 10] = [
    (
        "transform m.model wide.csv -o f.csv",
        "wide.csv: has 4 column(s) of numbers, but 3 are wanted; it has no column \"x\"",
        "choose the same ones with --columns or --drop",
    ),
    (
        "transform m.model other.csv -o f.csv",
        "other.csv: has no column \"x\", which is wanted",
        "name the columns as they are wanted, or give all in the same order with --columns",
    ),
    (
        "transform m.model words.csv -o f.csv",
        "words.csv: row 2 (line 3), column \"y\" is \"abc\", not a number",
        "write it as a plain number, or leave its row out with --na abc --missing drop",
    ),
    (
        "transform m.model quote.csv -o f.csv",
        "quote.csv: has a row, from line 3 on, of more than 16 MB",
        "check that it is a table in text, and that quotes are closed",
    ),
    (
        "transform old.csv old.csv -o f.csv",
        "old.csv: the model cannot be read: it is no model of nrdr",
        "give a file that holds one",
    ),
    (
        "transform m.model old.csv -o f.npz",
        "f.npz: cannot be written row after row",
        "give .csv, .tsv, .npy or .parquet",
    ),
    (
        "transform text.csv old.csv -o f.csv",
        "text.csv: the model cannot be read: it is no model of nrdr",
        "give a file that holds one",
    ),
    (
        "inspect none.model",
        "none.model cannot be read (No such file or directory (os error 2))",
        "check the path",
    ),
    (
        "transform m.model old.csv -o m.model",
        "m.model: is an input as well",
        "choose another name for the output",
    ),
    (
        "embed old.csv -s advection --model a.model",
        "strategy advection with lem cannot be extended to new points",
        "choose --strategy priced, unpredictable, orthogonal or selection or use lle, mlle, hlle or ltsa",
    ),
];

#[test]
fn what_does_not_fit_is_told() {
    let place = Place::new();
    place.write("old.csv", sheet(0..300, false));
    place.ok("embed old.csv --model m.model --quiet");
    place.write("wide.csv", "a,b,c,d\n1,2,3,4\n");
    place.write("other.csv", "a,b,c\n1,2,3\n");
    place.write("text.csv", "hello\n");
    place.write("words.csv", "x,y,z\n1,2,3\n1,abc,3\n");
    place.write("quote.csv", "x,y,z\n1,2,3\n\"1,2,3\n".to_string() + &"1,2,3\n".repeat(3 << 20));
    for (arguments, what, way_out) in MISFITS {
        place.fails(arguments, what, way_out);
    }
    // The same number of columns, chosen by hand, is taken as it comes.
    place.ok("transform m.model wide.csv --columns a,b,c -o f.csv --quiet");
    let mut bytes = place.bytes("m.model");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    place.write("altered.model", &bytes);
    place.fails(
        "transform altered.model old.csv -o g.csv",
        "altered.model: the model cannot be read: it is damaged (its checksum is wrong)",
        "make it again, or copy it again",
    );
    place.write("cut.model", &bytes[..middle]);
    let cut = place.run("inspect cut.model");
    assert_eq!(cut.code, Some(2));
    assert!(cut.err.contains("damaged"), "{}", cut.err);
}

#[test]
fn a_model_tells_what_it_is() {
    let place = Place::new();
    place.write("old.csv", sheet(0..300, false));
    place.ok(
        "embed old.csv -m dfm -d 3 -s unpredictable --alpha 0.3 --standardize --model m.model --quiet",
    );
    let told = place.ok("inspect m.model --json m.json");
    for line in [
        "method         dfm",
        "strategy       unpredictable (non-redundant)",
        "training       300 points",
        "columns        3: x, y, z",
        "standardize    yes",
        "neighbors      10",
        "density        1.0",
    ] {
        assert!(told.lines().any(|told| told == line), "{line}\n{told}");
    }
    let json: serde_json::Value = serde_json::from_str(&place.read("m.json")).unwrap();
    assert_eq!(json["columns"], serde_json::json!(["x", "y", "z"]));
    assert_eq!((&json["n"], &json["dims"]), (&300.into(), &3.into()));
    assert!(json["centres"][0].is_null() && json["centres"][2].as_u64().unwrap() > 3);
}
