//! Outputs that are devices, pipes, links or read-only, Ctrl-C while they are written, and names that would like to
//! play with the terminal.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{Place, Ran};

#[test]
fn devices_pipes_folders_and_read_only_files_stay_as_they_are() {
    let place = Place::new();
    assert!(Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    fs::create_dir(place.path("folder")).unwrap();
    place.write("page.html", "old");
    fs::set_permissions(place.path("page.html"), fs::Permissions::from_mode(0o444)).unwrap();
    symlink("none/page.html", place.path("astray")).unwrap();
    for (file, what, way_out) in [
        ("/dev/full", "is a device or a pipe", "give the name of a file"),
        ("pipe", "is a device or a pipe", "give the name of a file"),
        ("folder", "is a folder", "give the name of a file"),
        ("page.html", "is read-only", "make it writable, or choose another name"),
        ("-", "is no name of a file", "give one"),
    ] {
        for command in ["embed --dataset strip --report", "compare --dataset strip --json"] {
            place.fails(&format!("{command} {file}"), &format!("{file}: {what}"), way_out);
        }
    }
    assert_eq!(place.run("embed --dataset strip --report astray").code, Some(2));
    assert_eq!(place.read("page.html"), "old");
}

#[test]
fn links_stay_and_lead_to_what_was_written() {
    let place = Place::new();
    fs::create_dir(place.path("far")).unwrap();
    place.write("far/old.csv", "old");
    symlink("far/old.csv", place.path("a.csv")).unwrap();
    symlink("far/new.csv", place.path("b.csv")).unwrap();
    place.ok("dataset strip -n 50 -o a.csv --truth b.csv");
    assert_eq!(place.files(), ["a.csv", "b.csv", "far"]);
    assert_eq!(place.read("far/old.csv").lines().count(), 51);
    assert_eq!(place.read("far/new.csv").lines().count(), 51);
    assert!(place.path("a.csv").is_symlink() && place.path("b.csv").is_symlink());
}

/// How often the rows of a table are repeated.
const TIMES: usize = 100;

/// A run that waits for more rows on standard input, in the middle of its output.
fn in_the_middle(place: &Place) -> Child {
    place.ok("dataset strip -n 300 -o strip.csv");
    place.ok("embed strip.csv --model strip.model -q");
    let mut command = place.command("transform strip.model - -o out.csv -q");
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let table = place.read("strip.csv");
    let (header, rows) = table.split_once('\n').unwrap();
    let input = child.stdin.as_mut().unwrap();
    // Enough for the reader to know what it reads.
    write!(input, "{header}\n{}", rows.repeat(TIMES)).unwrap();
    let start = Instant::now();
    while temporary(place).is_empty() {
        assert!(start.elapsed() < Duration::from_secs(20), "no output is begun");
        sleep(Duration::from_millis(10));
    }
    child
}

fn temporary(place: &Place) -> Vec<String> {
    place.files().into_iter().filter(|name| name.ends_with(".tmp")).collect()
}

#[test]
fn ctrl_c_in_the_middle_of_an_output_removes_it() {
    let place = Place::new();
    for signal in ["-INT", "-TERM"] {
        let child = in_the_middle(&place);
        let id = child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(ran.code, Some(130), "{ran:?}");
        assert_eq!(place.files(), ["strip.csv", "strip.model"]);
    }
}

#[test]
fn what_a_living_process_writes_is_not_swept() {
    let place = Place::new();
    let child = in_the_middle(&place);
    let before = temporary(&place);
    place.write(".nrdr-dead00.tmp", "left by another");
    place.ok("dataset strip -n 50 -o other.csv");
    assert_eq!(temporary(&place), before);
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!((ran.code, temporary(&place).len()), (Some(0), 0), "{ran:?}");
    assert_eq!(place.read("out.csv").lines().count(), 1 + 300 * TIMES);
}

/// Names that clear the screen, turn the direction of writing, or pretend to be another line.
const HOSTILE: [&str; 4] = ["a\u{1b}[2Jb", "a\u{202e}b", "a\u{9b}31mb", "a\nwrote b"];

fn assert_harmless(ran: &Ran, lines: Option<usize>) {
    for text in [&ran.out, &ran.err] {
        let acts = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!text.contains(acts), "{text:?}");
        assert!(!text.contains("\nwrote b"), "{text:?}");
    }
    if let Some(lines) = lines {
        assert_eq!(ran.out.lines().count() + ran.err.lines().count(), lines, "{ran:?}");
    }
}

#[test]
fn names_cannot_play_with_the_terminal() {
    for name in HOSTILE {
        let place = Place::new();
        let line = |i: i32| {
            format!("{},{},{},{name}{}\n", i % 7, i * i % 11, i, i % 2).replace(name, "\"t\"")
        };
        let rows: String = (0..40).map(line).collect();
        place.write(&format!("{name}.csv"), format!("\"{name}\",y,z,\"text {name}\"\n{rows}"));
        let run = |arguments: &[&str]| {
            let typed: Vec<String> =
                arguments.iter().map(|text| text.replace("NAME", name)).collect();
            let mut command = place.command("");
            Ran::from(command.args(&typed).stdin(Stdio::null()).output().unwrap())
        };
        for arguments in [
            &["embed", "NAME.csv", "-k5", "-o", "NAME.npy", "--model", "NAME.model"][..],
            &["embed", "NAME.csv", "-k5", "--report", "NAME.html"],
            &["compare", "NAME.csv", "-k", "5", "--truth", "NAME.csv", "--json", "NAME.json"],
            &["transform", "NAME.model", "NAME.csv", "-o", "NAME.tsv"],
            &["inspect", "NAME.model", "--json", "NAME.inspected"],
            &["redundancy", "NAME.csv", "--columns", "1,2,3", "--json", "NAME.redundancy"],
            &["dataset", "strip", "-n", "50", "-o", "NAME.parquet"],
            &["demo", "--method", "lem", "-n", "100", "--out", "NAME"],
        ] {
            let ran = run(arguments);
            assert_eq!(ran.code, Some(0), "{arguments:?} {ran:?}");
            let shown = nrdr_write::printable(name);
            assert!(ran.out.contains(&shown), "{arguments:?} {ran:?}");
            assert_harmless(&ran, None);
        }
        for (arguments, lines) in [
            (&["embed", "NAME.csv", "-o", "NAME"][..], Some(2)),
            (&["embed", "NAME.csv", "-o", "none NAME/a.csv"], Some(2)),
            (&["embed", "NAME.csv", "-o", "a.csv", "--drop", "no NAME"], Some(2)),
            (&["embed", "NAME.txt", "-o", "a.csv"], Some(2)),
            (&["embed", "NAME.csv", "--plot", "NAME"], Some(2)),
            (&["embed", "NAME.csv", "--config", "NAME.toml", "-o", "a.csv"], Some(2)),
            (&["transform", "NAME.csv", "NAME.csv", "-o", "a.csv"], Some(2)),
            (&["inspect", "NAME"], Some(2)),
            (&["NAME"], None),
            (&["embed", "--NAME"], None),
            (&["embed", "NAME.csv", "-d", "NAME"], None),
            (&["embed", "NAME.csv", "--method", "NAME"], None),
        ] {
            let ran = run(arguments);
            assert_eq!(ran.code, Some(2), "{arguments:?} {ran:?}");
            assert!(ran.err.starts_with("error: "), "{arguments:?} {ran:?}");
            assert_harmless(&ran, lines);
        }
    }
}
