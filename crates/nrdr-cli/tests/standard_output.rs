//! Results on standard output, messages on standard error, and runs that write nothing.
#![allow(clippy::unwrap_used)]

mod common;

use std::io::Read;
use std::process::{Command, Stdio};

use common::{Place, Ran, numbers};
use serde_json::Value;

#[test]
fn a_run_without_outputs_tells_its_table_and_writes_nothing() {
    let place = Place::new();
    place.labelled("table.csv", ["a", "b"]);
    let ran = place.run("embed table.csv --label kind");
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.lines().all(|line| line.starts_with("warning: ")), "{}", ran.err);
    assert_eq!(place.files(), ["table.csv"]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "table.csv: 200 points, 3 columns");
    assert!(lines.iter().any(|line| line.starts_with("coordinate    eigenvalue")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("non-redundant  ")), "{lines:?}");
    // A sentence of the verdict in a line.
    let verdict = lines.iter().find(|line| line.starts_with("Coordinate 2 is ")).unwrap();
    assert!(verdict.ends_with(").") && !verdict.contains(". "), "{verdict}");
    assert!(!ran.out.contains("wrote"), "{}", ran.out);
    place.fails(
        "embed table.csv -q",
        "there is nothing to write and nothing to say",
        "name a file, or leave out --quiet",
    );
}

#[test]
fn coordinates_go_to_standard_output_and_messages_beside() {
    let place = Place::new();
    place.labelled("table.csv", ["a", "007"]);
    let told = place.ok("embed table.csv --label kind --keep kind,x --id y -o out.csv");
    let ran = place.run("embed table.csv --label kind --keep kind,x --id y -o -");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.out, place.read("out.csv"));
    assert!(
        ran.out.starts_with("y,kind,x,f1,f2\n1,a,0.0,")
            || ran.out.starts_with("y,kind,x,f1,f2\n1.0,a,")
    );
    assert!(ran.out.lines().nth(2).unwrap().contains(",007,"), "{}", ran.out);
    // All that is told beside a file is told, but for the file.
    let beside: Vec<&str> = ran.err.lines().filter(|line| !line.starts_with("warning: ")).collect();
    assert_eq!(format!("{}\nwrote out.csv\n", beside.join("\n")), told);
    let quiet = place.run("embed table.csv --columns x,y,z -q -o -");
    assert_eq!(quiet.code, Some(0));
    assert!(quiet.err.lines().all(|line| line.starts_with("warning: ")), "{}", quiet.err);
    let rows = numbers(&quiet.out);
    assert!(rows.len() == 200 && rows.iter().all(|row| row.len() == 2), "{}", quiet.out);
}

#[test]
fn files_beside_standard_output_are_written_or_none() {
    let place = Place::new();
    place.labelled("table.csv", ["a", "b"]);
    let ran = place.run("embed table.csv --label kind -o - --json run.json --model a.model");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.ends_with("wrote run.json\nwrote a.model\n"), "{ran:?}");
    let run: Value = serde_json::from_str(&place.read("run.json")).unwrap();
    assert!(run["config"].get("out").is_none());
    assert_eq!(place.files(), ["a.model", "run.json", "table.csv"]);
    // Standard output is where results go that are tables, and nothing else.
    for option in ["--report", "--json", "--model", "--plot"] {
        let ran = place.run(&format!("embed table.csv -o - {option} -"));
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{option} {ran:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_behind_standard_output_is_an_error_and_no_file_is_new() {
    let place = Place::new();
    place.labelled("table.csv", ["a", "b"]);
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    for arguments in
        ["embed table.csv --label kind -o - --json run.json", "dataset strip -o - --truth t.csv"]
    {
        let ran = Ran::from(place.command(arguments).stdout(full()).output().unwrap());
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains("error: standard output cannot be written"), "{ran:?}");
        assert_eq!(place.files(), ["table.csv"]);
    }
}

#[test]
fn who_stops_reading_has_seen_enough() {
    let place = Place::new();
    place.ok("dataset swiss-roll -n 40000 -o many.csv");
    place.ok("embed --dataset swiss-roll -n 300 --model a.model -q");
    for arguments in [
        "embed --dataset swiss-roll -n 3000 -q -o - --json run.json",
        "transform a.model many.csv -o -",
        "dataset swiss-roll -n 40000 -o -",
        "embed --dataset swiss-roll -n 300",
        "methods",
    ] {
        let mut child = place
            .command(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Nothing is read of it.
        drop(child.stdout.take());
        let mut told = String::new();
        child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        assert!(child.wait().unwrap().success(), "{arguments}: {told}");
        assert!(!told.contains("error") && !told.contains("panic"), "{arguments}: {told}");
    }
    assert!(place.files().contains(&"run.json".to_string()));
}

#[test]
fn other_tables_go_there_as_well() {
    let place = Place::new();
    place.ok("dataset torus -n 300 --noise 0.1 --seed 3 -o torus.csv --truth truth.csv");
    let ran = place.run("dataset torus -n 300 --noise 0.1 --seed 3 -o - --truth again.csv");
    assert_eq!(ran.out, place.read("torus.csv"));
    assert_eq!(ran.err, "wrote again.csv (300 rows, 2 columns)\n");
    assert_eq!(place.read("again.csv"), place.read("truth.csv"));
    place.ok("embed torus.csv --model a.model -q");
    place.ok("transform a.model torus.csv -o new.csv");
    let ran = place.run("transform a.model torus.csv -o -");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), place.read("new.csv").as_str()));
    assert!(
        ran.err.starts_with("torus.csv: 300 new points in ") && !ran.err.contains("wrote"),
        "{ran:?}"
    );
    // From one program into the next.
    let mut first = place.command("dataset torus -n 300 --noise 0.1 --seed 3 -o - --truth t.csv");
    let mut first = first.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut next: Command = place.command("transform a.model - -o - -q");
    let next = next.stdin(first.stdout.take().unwrap()).output().unwrap();
    assert!(first.wait().unwrap().success());
    assert_eq!(Ran::from(next).out, place.read("new.csv"));
}

#[test]
fn warnings_are_on_standard_error_once_each() {
    let place = Place::new();
    let line = |i: i32| format!("{},{}\n", i / 50 * 1000 + i % 50, i % 7);
    place.write("two.csv", (0..100).map(line).collect::<String>());
    for arguments in ["embed two.csv", "embed two.csv -o -", "embed two.csv -q -o out.csv"] {
        let ran = place.run(arguments);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(!ran.out.contains("warning:"), "{arguments} {ran:?}");
        let count = ran.err.matches("warning: the neighbour graph had 2 components").count();
        assert_eq!(count, 1, "{arguments} {ran:?}");
    }
    // Notes stay with the results.
    let ran = place.run("embed two.csv");
    assert!(ran.out.contains("note: column") && !ran.err.contains("note:"), "{ran:?}");
}

#[test]
fn few_points_have_as_many_neighbours_as_there_are() {
    let place = Place::new();
    let line = |i: u32| {
        let t = f64::from(i);
        format!("{},{},{}\n", t.sin(), (2.7 * t).cos(), (0.3 * t).sin())
    };
    place.write("few.csv", (0..8).map(line).collect::<String>());
    let ran = place.run("embed few.csv -o out.csv --json run.json");
    let warning = "there are only 8 points: -k 7 instead of 10";
    assert_eq!((ran.code, ran.err), (Some(0), format!("warning: {warning}\n")));
    let run: Value = serde_json::from_str(&place.read("run.json")).unwrap();
    assert_eq!((&run["config"]["neighbors"], &run["warnings"][0]), (&"7".into(), &warning.into()));
    // Typed, as the configuration of that run has it, it is no surprise; and the bits are the same.
    let again = place.run("embed --config run.json -o again.csv");
    assert_eq!((again.code, again.err.as_str()), (Some(0), ""));
    assert_eq!(place.read("again.csv"), place.read("out.csv"));
    for typed in ["-k 10", "-k 8", "--neighbors 100"] {
        let k = typed.split(' ').nth(1).unwrap();
        place.fails(
            &format!("embed few.csv {typed} -o new.csv"),
            &format!("-k {k} is more than the 8 points allow"),
            "use -k 7",
        );
    }
    // Methods without neighbours have nothing to be told.
    assert_eq!(place.run("embed few.csv -m kpca -o out.csv").err, "");
    let ran = place.run("compare few.csv --strategies orthogonal,selection");
    assert_eq!(ran.err.matches(warning).count(), 1, "{ran:?}");
}

#[test]
fn large_numbers_are_told_with_an_exponent() {
    let place = Place::new();
    for (arguments, told) in [
        ("embed --dataset strip --weights heat --sigma -1e200", "--sigma = -1e200 is out of range"),
        ("embed --dataset strip --noise=-1e300", "--noise = -1e300 is out of range"),
    ] {
        let ran = place.run(arguments);
        assert!(ran.code == Some(2) && ran.err.contains(told), "{ran:?}");
    }
    let line = |i: u32| format!("{:e},{}\n", 1e140 * f64::from(i * i % 97), i * 7 % 13);
    place.write("large.csv", (0..100).map(line).collect::<String>());
    for arguments in ["embed large.csv -m dfm", "embed large.csv -m dfm --standardize auto"] {
        let ran = place.run(arguments);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let words = || ran.out.split_whitespace().chain(ran.err.split_whitespace());
        assert!(words().all(|word| word.len() < 40), "{ran:?}");
        assert!(
            ran.out.contains("chosen: epsilon = ") && ran.out.contains("e140 times as"),
            "{ran:?}"
        );
    }
}

#[test]
fn widths_of_smoothers_have_three_digits() {
    let place = Place::new();
    let told =
        place.ok("embed --dataset strip -n 300 --strategy unpredictable --alpha 0.123456789");
    let row = told.lines().find(|line| line.trim_start().starts_with("2 ")).unwrap();
    assert_eq!(row.split_whitespace().nth(3), Some("0.123"), "{told}");
}
