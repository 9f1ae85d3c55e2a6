//! Calls of the system that fail at any moment, a process that is killed there, and disks that are full.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use common::{Place, Ran, soak};

const LIBRARY: &str = "fail.so";

const NO_ROOM: &str = "28";
const BROKEN: &str = "5";
const KILLED: &str = "0";

/// Two files by a command that takes no time.
const TWO: &str = "dataset strip -n 60 -o points.csv --truth truth.npy";
const OF_TWO: [&str; 2] = ["points.csv", "truth.npy"];
/// All that a run can write.
const FIVE: &str = "embed in.csv -k 5 -o out.npz --report page.html --plot plot.svg --json run.json --model a.model -q";
const OF_FIVE: [&str; 5] = ["out.npz", "page.html", "plot.svg", "run.json", "a.model"];

/// A folder with a table, and what lets calls fail.
struct Faulty {
    place: Place,
    library: Place,
}

impl Faulty {
    /// Whoever compiles Rust has a C compiler.
    fn new() -> Self {
        let (place, library) = (Place::new(), Place::new());
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/faults/fail.c");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(library.path(LIBRARY));
        assert!(compiler.args([source, "-ldl"]).status().unwrap().success());
        let line = |i: i32| format!("{},{},{}\n", i % 7, i * i % 11, i);
        place.write("in.csv", (0..40).map(line).collect::<String>());
        Faulty { place, library }
    }

    /// Runs with the outputs there already, each with the text "old".
    fn run(&self, arguments: &str, outputs: &[&str], faults: &[(&str, &str)]) -> Ran {
        outputs.iter().for_each(|name| self.place.write(name, "old"));
        let mut command = self.place.command(arguments);
        command.env("LD_PRELOAD", self.library.path(LIBRARY)).envs(faults.iter().copied());
        Ran::from(command.stdin(Stdio::null()).output().unwrap())
    }

    fn at(&self, arguments: &str, outputs: &[&str], call: &str, n: usize, error: &str) -> Ran {
        let n = n.to_string();
        let faults = [("FAULT_CALL", call), ("FAULT_AT", &n), ("FAULT_ERROR", error)];
        self.run(arguments, outputs, &faults)
    }

    fn is_old(&self, name: &str) -> bool {
        self.place.bytes(name) == b"old"
    }

    fn leftovers(&self) -> Vec<String> {
        self.place.files().into_iter().filter(|name| name.ends_with(".tmp")).collect()
    }
}

/// Lets every call fail, one run after another, until a run has no such call left. Returns how many there were.
fn every_failure(
    faulty: &Faulty,
    arguments: &str,
    outputs: &[&str],
    call: &str,
    error: &str,
) -> usize {
    for n in 1..1000 {
        let ran = faulty.at(arguments, outputs, call, n, error);
        assert_eq!(faulty.leftovers(), [""; 0], "{call} {n}: {ran:?}");
        if ran.code == Some(0) {
            assert!(outputs.iter().all(|name| !faulty.is_old(name)), "{call} {n}: {ran:?}");
            return n - 1;
        }
        assert_eq!(ran.code, Some(2), "{call} {n}: {ran:?}");
        assert!(
            ran.err.starts_with("error: ") && ran.err.lines().count() == 2,
            "{call} {n}: {ran:?}"
        );
        assert!(outputs.iter().all(|name| faulty.is_old(name)), "{call} {n}: {ran:?}");
    }
    panic!("{call} does not end");
}

#[test]
fn if_one_call_fails_nothing_is_replaced() {
    let faulty = Faulty::new();
    // Files are made to try their place, then to be written; the folder is synced after the two.
    for (call, error, least) in [
        ("open", NO_ROOM, 4),
        ("write", NO_ROOM, 2),
        ("fsync", BROKEN, 3),
        ("rename", BROKEN, 2),
        ("chmod", BROKEN, 4),
    ] {
        let calls = every_failure(&faulty, TWO, &OF_TWO, call, error);
        assert!(calls >= least, "{call}: {calls}");
    }
}

#[test]
fn if_one_of_five_outputs_fails_none_is_replaced() {
    let faulty = Faulty::new();
    for (call, least) in [("write", 5), ("rename", 5)] {
        let calls = every_failure(&faulty, FIVE, &OF_FIVE, call, NO_ROOM);
        assert!(calls >= least, "{call}: {calls}");
    }
}

#[test]
fn every_format_fails_as_it_should() {
    let faulty = Faulty::new();
    faulty.place.ok("embed in.csv -k 5 --model b.model -q");
    for ending in ["csv", "tsv", "npy", "npz", "parquet"] {
        let file = format!("out.{ending}");
        let commands = [
            format!("embed in.csv -k 5 -q -o {file}"),
            format!("transform b.model in.csv -q -o {file}"),
        ];
        // Archives are not written row after row.
        let commands = if ending == "npz" { &commands[..1] } else { &commands };
        for command in commands {
            assert!(every_failure(&faulty, command, &[&file], "write", NO_ROOM) > 0, "{command}");
        }
    }
}

/// Without second names for the old files what was renamed cannot be put back: it is told.
#[test]
fn files_that_are_new_in_spite_of_an_error_are_named() {
    let faulty = Faulty::new();
    let faults = [
        ("FAULT_ALWAYS", "link"),
        ("FAULT_CALL", "rename"),
        ("FAULT_AT", "2"),
        ("FAULT_ERROR", BROKEN),
    ];
    let ran = faulty.run(TWO, &OF_TWO, &faults);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.err.starts_with("error: truth.npy: ")
            && ran.err.contains("; points.csv is new already\n"),
        "{ran:?}"
    );
    assert!(!faulty.is_old("points.csv") && faulty.is_old("truth.npy"));
    assert_eq!(faulty.leftovers(), [""; 0]);
    // Such a disk is good enough where nothing else is wrong.
    let ran = faulty.run(TWO, &OF_TWO, &faults[..1]);
    assert_eq!((ran.code, faulty.is_old("points.csv")), (Some(0), false), "{ran:?}");
}

#[test]
fn killed_at_any_call_it_leaves_whole_files() {
    let faulty = Faulty::new();
    faulty.place.ok(TWO);
    let whole = OF_TWO.map(|name| faulty.place.bytes(name));
    let (mut left, mut mixed) = (0, 0);
    for n in 1..1000 {
        let ran = faulty.at(TWO, &OF_TWO, "all", n, KILLED);
        let new: Vec<bool> = OF_TWO.map(|name| !faulty.is_old(name)).to_vec();
        for (name, whole) in OF_TWO.iter().zip(&whole) {
            assert!(faulty.is_old(name) || faulty.place.bytes(name) == *whole, "{n}: {name}");
        }
        mixed += usize::from(new[0] != new[1]);
        left += usize::from(!faulty.leftovers().is_empty());
        if ran.code == Some(0) {
            assert!(
                n > 15 && left > 5 && mixed <= 4,
                "{n} calls, {left} with leftovers, {mixed} with one file new"
            );
            return;
        }
        assert_eq!(ran.code, None, "{n}: {ran:?}");
        faulty.place.ok(TWO);
        assert_eq!(faulty.leftovers(), [""; 0], "{n}");
    }
    panic!("it does not end");
}

#[test]
fn killed_at_random_it_leaves_whole_files() {
    let faulty = Faulty::new();
    let place = &faulty.place;
    let mut random = 1_u64;
    for _ in 0..12 * soak() {
        let mut child =
            place.command(FIVE).stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        sleep(Duration::from_millis(random >> 33 & 0x1ff));
        child.kill().unwrap();
        child.wait().unwrap();
        let there = |name: &str| place.path(name).exists();
        let ends: [(&str, &[u8]); 3] =
            [("page.html", b"</html>\n"), ("plot.svg", b"</svg>"), ("run.json", b"}\n")];
        for (name, end) in ends {
            assert!(
                !there(name) || place.bytes(name).trim_ascii_end().ends_with(end.trim_ascii_end()),
                "{name}"
            );
        }
        for (name, read) in [("a.model", "inspect a.model"), ("out.npz", "redundancy out.npz")] {
            if there(name) {
                place.ok(read);
            }
        }
    }
    place.ok(FIVE);
    assert_eq!(faulty.leftovers(), [""; 0]);
}

/// A disk of 64 kB, which an administrator can have.
#[test]
fn a_full_disk_leaves_the_old_files() {
    let place = Place::new();
    fs::create_dir(place.path("disk")).unwrap();
    let script = "mount -t tmpfs -o size=64k none disk || exit 77
        printf old > disk/out.csv; printf old > disk/page.html
        \"$0\" embed --dataset strip -n 500 -o disk/out.csv --report disk/page.html -q
        echo \"$?\"; ls -A disk; cat disk/*
        mount -o remount,ro disk; \"$0\" dataset strip -n 50 -o disk/out.csv; echo \"$?\"";
    let mut shell = Command::new("unshare");
    shell.args(["--mount", "bash", "-c", script]).arg(env!("CARGO_BIN_EXE_nrdr"));
    let ran = shell.current_dir(place.path(".")).output().map(Ran::from);
    let ran = match ran {
        Ok(ran) if ran.code != Some(77) && !ran.err.contains("unshare") => ran,
        other => {
            eprintln!("skipped, disks cannot be mounted here: {other:?}");
            return;
        }
    };
    assert_eq!(ran.out, "2\nout.csv\npage.html\noldold2\n", "{ran:?}");
    assert!(ran.err.contains("page.html: does not fit on the disk\n       make room"), "{ran:?}");
    assert!(ran.err.contains("out.csv: lies on a disk that is read-only\n"), "{ran:?}");
}

/// Every array of all pairs, factor, basis and smoother is asked for, not taken: if it is not to be had, that is an
/// error. What libraries take for themselves ends the program, but leaves whole files.
#[test]
fn a_large_array_that_is_not_to_be_had_is_an_error() {
    let faulty = Faulty::new();
    let runs = [
        ("kpca", "-n 1200 -m kpca", 8 * 1200 * 1200),
        ("isomap", "-n 1200 -m isomap", 8 * 1200 * 1200),
        ("ltsa", "-n 12000 -m ltsa", 7_000_000),
        ("lem", "-n 20000 -m lem -d 3", 6_000_000),
    ];
    for (name, options, bytes) in runs {
        let arguments = format!("embed --dataset swiss-roll {options} -o out.npy -q --threads 1");
        let (mut errors, mut ended) = (0, 0);
        for n in 1..=6 {
            let (n, bytes) = (n.to_string(), bytes.to_string());
            let faults = [
                ("FAULT_CALL", "memory"),
                ("FAULT_AT", &n),
                ("FAULT_ERROR", "12"),
                ("FAULT_BYTES", &bytes),
            ];
            let ran = faulty.run(&arguments, &["out.npy"], &faults);
            if ran.code == Some(0) {
                // There were not so many, or it could do with less.
                continue;
            }
            assert!(faulty.is_old("out.npy"), "{name} {n}: {ran:?}");
            match ran.code {
                Some(2) => {
                    errors += 1;
                    assert!(ran.err.contains(" of memory"), "{name} {n}: {ran:?}");
                }
                None | Some(101) => ended += 1,
                _ => panic!("{name} {n}: {ran:?}"),
            }
        }
        println!("{name}: {errors} errors, {ended} ended by a library");
        assert!(errors > 0, "{name}: {errors} errors, {ended} ended by a library");
    }
    faulty.place.ok("embed in.csv -k 5 -o out.npy -q");
    assert_eq!(faulty.leftovers(), [""; 0]);
}

/// Where memory runs out within a library, the program is ended by the system instead of by itself: even then no file is
/// half-written, and the next run leaves nothing of it.
#[test]
fn without_memory_it_leaves_whole_files() {
    let faulty = Faulty::new();
    let place = &faulty.place;
    let (mut done, mut failed) = (0, 0);
    let mut kilobytes = 20_000;
    // Up to where it is enough: how much products of matrices set aside depends on the machine's caches.
    while done < 2 && kilobytes < 16_000_000 {
        OF_FIVE.iter().for_each(|name| place.write(name, "old"));
        let script = format!("ulimit -v {kilobytes}; exec \"$0\" {FIVE} --threads 2");
        let mut shell = Command::new("bash");
        shell.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_nrdr")).env("RUST_BACKTRACE", "0");
        let ran = Ran::from(shell.current_dir(place.path(".")).output().unwrap());
        let new = OF_FIVE.iter().filter(|name| !faulty.is_old(name)).count();
        match ran.code {
            Some(0) => assert_eq!(new, OF_FIVE.len(), "{kilobytes} kB: {ran:?}"),
            // Behind a warning, perhaps, that signals are not handled.
            Some(2) => assert!(
                ran.err.lines().any(|line| line.starts_with("error: ")),
                "{kilobytes} kB: {ran:?}"
            ),
            // The loader of programs, and the end by a signal.
            Some(127) | None => {}
            _ => panic!("{kilobytes} kB: {ran:?}"),
        }
        if ran.code == Some(0) {
            done += 1;
        } else {
            assert_eq!(new, 0, "{kilobytes} kB: {ran:?}");
            failed += 1;
        }
        kilobytes += kilobytes / (4 * soak().min(60));
    }
    assert!(done > 0 && failed > 0, "{done} runs had enough, {failed} had not");
    place.ok(FIVE);
    assert_eq!(faulty.leftovers(), [""; 0]);
}
