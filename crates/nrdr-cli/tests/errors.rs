//! What goes wrong is told in two lines, with exit code 2, and nothing is left behind.
#![allow(clippy::unwrap_used)]

mod common;

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{Place, Ran};

#[test]
fn options_that_make_no_sense() {
    let place = Place::new();
    place.labelled("table.csv", ["a", "b"]);
    for (arguments, what, way_out) in [
        (
            "embed table.csv -q",
            "there is nothing to write and nothing to say",
            "name a file, or leave out --quiet",
        ),
        (
            "embed table.csv -o out.csv -m dfm --sigma 1",
            "--sigma belongs to lem, not to dfm",
            "leave it out or choose --method",
        ),
        (
            "embed table.csv -o out.csv --weights binary --sigma 1",
            "--sigma has no meaning with --weights binary",
            "choose --weights heat",
        ),
        (
            "embed table.csv -m kpca --degree 2 -o out.csv",
            "--degree belongs to kernel poly",
            "add --kernel poly",
        ),
        (
            "embed table.csv -o out.csv --report out.csv",
            "out.csv: is named twice",
            "give each output a file of its own",
        ),
        (
            "embed table.csv --plot out.gif",
            "out.gif is not a name for a picture",
            "end it in .png, .svg or .pdf",
        ),
        (
            "embed table.csv --plot out.png --plot-size 8000x8000",
            "a PNG has at most 40 million pixels",
            "lower --plot-size, or end the name in .svg or .pdf",
        ),
        (
            "embed table.csv -o out.csv -k 200 --label kind",
            "-k 200 is more than the 200 points allow",
            "use -k 199",
        ),
        (
            "embed table.csv -o out.csv -d 500 --label kind",
            "500 coordinate(s) were asked for, but there are only 199",
            "choose at most 199",
        ),
        (
            "embed table.csv -o out.csv --pca 9 --label kind",
            "number of principal components = 9 is out of range",
            "it must be at least 1, and at most the number of columns and of points",
        ),
    ] {
        place.fails(arguments, what, way_out);
    }
    for usage in
        ["embed table.csv -o out.csv -d none", "embed -o out.csv", "embed table.csv --alpha 0"]
    {
        let ran = place.run(usage);
        assert_eq!((ran.code, place.files().len()), (Some(2), 1), "{ran:?}");
        assert!(ran.err.starts_with("error: "), "{ran:?}");
    }
}

#[test]
fn a_graph_in_pieces_stops_when_it_should() {
    let place = Place::new();
    let line = |i: i32| format!("{},{}\n", i / 50 * 1000 + i % 50, i % 7);
    place.write("two.csv", (0..100).map(line).collect::<String>());
    let ran = place.run("embed two.csv -o out.csv --components error");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("2 components") && ran.err.contains("50, 50"), "{}", ran.err);
    let ran = place.run("embed two.csv -o out.csv --components largest");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("warning: ") && ran.err.contains("50 points"), "{ran:?}");
    assert_eq!(place.read("out.csv").lines().filter(|line| *line == ",").count(), 50);
}

/// The figures of the paper have a program of their own.
#[test]
fn a_command_that_is_not_there_is_named() {
    let place = Place::new();
    let ran = place.run("paper fig1 --out figures");
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.starts_with("error: unrecognized subcommand 'paper'\n"), "{}", ran.err);
    assert!(place.files().is_empty());
}

/// Ends a run in its middle and looks at what is left.
#[test]
#[cfg(unix)]
fn ctrl_c_ends_at_once_and_leaves_nothing() {
    let place = Place::new();
    let slow =
        "embed --dataset cube --sides 1,1,1,1,1,1 -n 100000 -d 3 -o out.csv --report out.html";
    let mut command = place.command(slow);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.unwrap();
    sleep(Duration::from_millis(800));
    let sent = Instant::now();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert!(sent.elapsed() < Duration::from_secs(2), "{:?}", sent.elapsed());
    assert!(ran.err.contains("interrupted"), "{ran:?}");
    assert_eq!(place.files(), [""; 0]);
}

/// A limit on the size of files acts as a full disk does.
#[test]
#[cfg(unix)]
fn a_disk_without_room_leaves_no_file() {
    let place = Place::new();
    for output in ["-o out.csv", "-o out.npy", "-o out.parquet", "--report out.html"] {
        // The signal must be ignored for the program to see an error.
        let script = format!(
            "trap '' XFSZ; ulimit -f 1; exec \"$0\" embed --dataset strip -n 2000 {output}"
        );
        let mut shell = Command::new("bash");
        let shell = shell.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_nrdr"));
        let ran = Ran::from(shell.current_dir(place.path(".")).output().unwrap());
        assert_eq!(ran.code, Some(2), "{output}: {ran:?}");
        assert!(ran.err.starts_with("error: ") && ran.err.contains("out."), "{output}: {ran:?}");
        assert_eq!(place.files(), [""; 0], "{output}");
    }
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    let place = Place::new();
    let script = "\"$0\" methods | head -1";
    let shell = Command::new("bash")
        .args(["-o", "pipefail", "-c", script])
        .arg(env!("CARGO_BIN_EXE_nrdr"))
        .current_dir(place.path("."))
        .output()
        .unwrap();
    let ran = Ran::from(shell);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
}

#[test]
fn outputs_do_not_overwrite_each_other_or_an_input() {
    let place = Place::new();
    place.labelled("table.csv", ["a", "b"]);
    place.write("run.toml", "dims = 2\n");
    for (arguments, file) in [
        ("embed table.csv --drop kind -o out.csv --json ./out.csv", "./out.csv"),
        ("compare table.csv --drop kind --report out.x --json out.x", "out.x"),
    ] {
        let what = format!("{file}: is named twice");
        place.fails(arguments, &what, "give each output a file of its own");
    }
    for arguments in [
        "embed table.csv -o table.csv",
        "embed table.csv --config run.toml --json run.toml",
        "compare table.csv --truth table.csv --json table.csv",
    ] {
        let file = if arguments.contains("run.toml") { "run.toml" } else { "table.csv" };
        let what = format!("{file}: is an input as well");
        place.fails(arguments, &what, "choose another name for the output");
    }
    assert_eq!(place.read("run.toml"), "dims = 2\n");
}

#[test]
fn files_are_written_even_if_nobody_reads_the_output() {
    let place = Place::new();
    place.labelled("table.csv", ["a", "b"]);
    for (arguments, file) in [
        ("dataset strip -n 50 -o points.csv --truth truth.csv", "truth.csv"),
        (
            "compare table.csv --drop kind --strategies orthogonal --json compare.json",
            "compare.json",
        ),
        ("redundancy table.csv --drop kind --json redundancy.json", "redundancy.json"),
        ("embed table.csv --drop kind --json embed.json", "embed.json"),
    ] {
        let script = format!("exec \"$0\" {arguments} >&-");
        let mut shell = Command::new("bash");
        shell.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_nrdr"));
        shell.current_dir(place.path(".")).output().unwrap();
        assert!(place.files().contains(&file.to_string()), "{arguments}");
    }
}

#[test]
fn few_points_are_embedded_as_far_as_that_goes() {
    let place = Place::new();
    place.write("three.csv", "0,1\n1,5\n2,0\n");
    let told = place.ok("embed three.csv -k 2 -s orthogonal -o out.csv");
    assert!(told.contains("there are 3 different points, 4 are needed"), "{told}");
    let line = |i: i32| format!("{},{}\n", i, i * i % 7);
    place.write("twelve.csv", (0..12).map(line).collect::<String>());
    place.ok("embed twelve.csv -k 3 -s selection -o selected.csv");
    place.fails(
        "redundancy three.csv",
        "3 distinct row(s) are too few to measure redundancy",
        "give at least 4",
    );
}

#[test]
fn widths_beyond_reason_are_refused() {
    let place = Place::new();
    for alpha in ["0", "1e-170", "1e-7", "1e300", "NaN", "-1"] {
        let ran = place.run(&format!("embed --dataset strip -n 100 --alpha={alpha} -o out.csv"));
        assert_eq!(ran.code, Some(2), "{alpha}: {ran:?}");
        assert!(ran.err.contains("it must be between 1e-6 and 1e6"), "{ran:?}");
    }
}

#[test]
fn files_that_cannot_be_read_or_written() {
    let place = Place::new();
    place.labelled("table.csv", ["a", "b"]);
    place.write("hole.csv", "x,y\n1,2\n3,\n5,6\n");
    place.write("word.csv", "x,y\n1,2\n3,4\n");
    place.write("cut.npy", b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8'");
    place.write("data.xyz", "1,2\n");
    for (arguments, what, way_out) in [
        ("embed none.csv -o out.csv", "none.csv: does not exist", "check the path"),
        (
            "embed table.csv -o no/out.csv",
            "no/out.csv: cannot be written, the folder no does not exist",
            "make the folder first",
        ),
        (
            "embed table.csv -o out.doc",
            "out.doc: has no ending of a table that can be written",
            "give .csv, .tsv, .npy, .npz or .parquet",
        ),
        (
            "embed word.csv --columns z -o out.csv",
            "word.csv: has no column \"z\" (the columns are x, y)",
            "give one of their names, or a number from 1 to 2",
        ),
    ] {
        place.fails(arguments, what, way_out);
    }
    for (arguments, parts) in [
        ("embed hole.csv -o out.csv", ["row 2", "\"y\"", "--missing drop"]),
        ("embed cut.npy -o out.csv", ["cut.npy", "cut short or damaged", "make the file again"]),
        ("embed data.xyz -o out.csv", ["data.xyz", "no known ending", ".parquet"]),
    ] {
        let ran = place.run(arguments);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(parts.iter().all(|part| ran.err.contains(part)), "{ran:?}");
        assert_eq!(ran.err.lines().count(), 2, "{ran:?}");
    }
    assert!(!place.files().iter().any(|file| file.starts_with("out")));
}
