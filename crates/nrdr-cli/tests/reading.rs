//! Nothing of a table is left out without a word, whichever command reads it.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Place, numbers};

/// Forty points, one of whose cells is this.
fn forty(row: usize, cell: &str) -> String {
    let line = |i: usize| {
        let t = i as f64;
        let first = if i == row { cell.to_string() } else { (0.37 * t).sin().to_string() };
        format!("{first},{},{}\n", (0.91 * t).cos(), 0.1 * t)
    };
    (0..40).map(line).collect()
}

#[test]
fn a_missing_value_in_the_first_row_is_no_header() {
    let place = Place::new();
    place.write("t.csv", forty(0, "n.d."));
    place.fails(
        "embed t.csv -k 5 -o out.csv",
        "t.csv: row 1 (line 1), column \"x1\" is missing",
        "leave such rows out with --missing drop, or the column with --drop x1",
    );
    let told = place.ok("embed t.csv -k 5 --missing drop -o out.csv --model m");
    assert!(told.contains("t.csv: 39 points, 3 columns"), "{told}");
    assert!(told.contains("note: 1 row(s) with missing values are not embedded"), "{told}");
    assert_eq!(numbers(&place.read("out.csv")).len(), 40);
    let quiet = place.run("embed t.csv -k 5 --missing drop -o out.csv -q");
    assert_eq!(quiet.err, "warning: 1 row(s) with missing values are not embedded\n");
    // New points are read in the same way.
    let told = place.run("transform m t.csv --missing drop -o new.csv -q");
    assert_eq!(
        (told.code, told.err.as_str()),
        (Some(0), "warning: 1 row(s) with missing values stay empty\n")
    );
    assert_eq!(numbers(&place.read("new.csv")).len(), 40);
}

#[test]
fn a_bad_cell_is_named_with_the_ways_out() {
    let place = Place::new();
    for row in [0, 7] {
        place.write("t.csv", forty(row, "<0.01"));
        let ran = place.run("embed t.csv -k 5 -o out.csv");
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let what = format!(
            "row {0} (line {0}), column \"x1\" is \"<0.01\", a bound, not a number",
            row + 1
        );
        assert!(ran.err.contains(&what), "{ran:?}");
        for way_out in ["--na '<0.01'", "--drop x1", "--label x1"] {
            assert!(ran.err.contains(way_out), "{ran:?}");
        }
        let mut command = place.command("embed t.csv -k 5 --missing drop -o out.csv --na");
        assert!(command.arg("<0.01").output().unwrap().status.success());
        place.write("run.toml", "na = [\"<0.01\"]\nmissing = \"drop\"\nneighbors = 5\n");
        let told = place.ok("embed t.csv --config run.toml -o again.csv");
        assert!(told.contains("39 points, 3 columns"), "{told}");
        assert_eq!(place.read("out.csv"), place.read("again.csv"));
    }
    let ran = place.run("redundancy t.csv");
    assert!(ran.err.contains("--drop x1") && !ran.err.contains("--label"), "{ran:?}");
    place.write("nine.csv", forty(3, "-999"));
    let told = place.ok("embed nine.csv -k 5 --na -999 --missing drop -o out.csv");
    assert!(told.contains("39 points"), "{told}");
    let ran = place.run("embed --dataset strip -n 50 --na x -o out.csv");
    assert!(ran.err.contains("--na belongs to files"), "{ran:?}");
}

#[test]
fn columns_that_are_left_out_are_told() {
    let place = Place::new();
    place.labelled("t.csv", ["a", "b"]);
    let note = "column(s) of text are left out: \"kind\"";
    let strategies = "--strategies orthogonal";
    for (arguments, prefix) in [
        ("embed t.csv -o out.csv --model m".to_string(), "note: "),
        (format!("compare t.csv {strategies}"), "note: "),
        ("redundancy t.csv".to_string(), "note: "),
        (format!("compare t.csv --drop kind {strategies} --truth t.csv"), "note: t.csv: "),
    ] {
        let told = place.ok(&arguments);
        assert!(told.contains(&format!("{prefix}{note}\n")), "{arguments}: {told}");
    }
    let unknown = "column(s) that the model does not know are left out: \"kind\"";
    assert!(place.ok("transform m t.csv -o new.csv").contains(&format!("note: {unknown}\n")));
    for (arguments, warning) in [
        ("embed t.csv -o out.csv -q".to_string(), note),
        (format!("compare t.csv {strategies} -q"), note),
        ("transform m t.csv -o new.csv -q".to_string(), unknown),
    ] {
        let ran = place.run(&arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{ran:?}");
        assert!(ran.err.contains(&format!("warning: {warning}\n")), "{ran:?}");
    }
    // What was asked for is not told.
    for arguments in
        ["embed t.csv --drop kind -o out.csv -q", "transform m t.csv --drop kind -o new.csv -q"]
    {
        let ran = place.run(arguments);
        assert!(ran.code == Some(0) && !ran.err.contains("left out"), "{ran:?}");
    }
    place.write("id.csv", "id,x,y\nA7,1,3\n12,2,1\nB3,3,4\n7,4,1\nC,5,5\n");
    let told = place.ok("redundancy id.csv");
    assert!(told.contains("\"id\" (2 of its cells are numbers)"), "{told}");
    place.write("words.csv", "a,b\nc,d\ne,f\n");
    place.fails(
        "redundancy words.csv",
        "words.csv has no column of numbers",
        "choose others with --columns",
    );
}
