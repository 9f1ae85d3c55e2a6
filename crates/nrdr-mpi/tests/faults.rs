//! Ranks that are killed, disks that are full and files that are damaged: all ranks end, and nothing looks like a result.
#![cfg(target_os = "linux")]
#![allow(missing_docs, clippy::unwrap_used)]

mod launched;

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use launched::{Place, Ran, apart, mpirun};
use nrdr::Points;
use nrdr::datasets::SwissRoll;

/// Within this all ranks have ended after one of them was killed.
const SOON: Duration = Duration::from_secs(20);

fn roll(n: usize) -> Points {
    SwissRoll { n, height: 10.0, ..Default::default() }.generate(6).unwrap().points
}

fn place(n: usize) -> Place {
    let place = Place::new();
    place.parts("in", "npy", &roll(n));
    place
}

/// Runs in which one rank is to be disturbed take some seconds.
const LONG: &str = "embed in -d 3 -s unpredictable --alpha 0.3";

#[track_caller]
fn check_same(place: &Place, one: &str, other: &str) {
    let (one, other) = (place.columns(one).1, place.columns(other).1);
    for (at, (a, b)) in one.iter().zip(&other).enumerate() {
        assert!(apart(a, b) < 1e-6, "coordinate {} is {:e} apart", at + 1, apart(a, b));
    }
}

/// Kills or interrupts a run when its checkpoint has a record; how it ended after that, and how soon.
fn disturbed(
    place: &Place,
    ranks: usize,
    record: &str,
    signal: &str,
    rank: Option<usize>,
) -> (Ran, Duration) {
    let list = place.path("kept/checkpoint.json");
    let mut run = place.start(ranks, &format!("{LONG} -o out --checkpoint kept"));
    let has = || fs::read_to_string(&list).is_ok_and(|text| text.contains(record));
    assert!(run.wait_for(has), "{:?}", run.end());
    assert_eq!(run.ranks().len(), ranks);
    run.signal(signal, rank);
    let since = Instant::now();
    let ran = run.end();
    (ran, since.elapsed())
}

#[test]
fn killed_it_goes_on_with_any_number_of_ranks() {
    let place = place(6000);
    place.ok(2, &format!("{LONG} -q -o undisturbed"));
    let mut then = "the beginning".to_string();
    for (record, ranks, rank) in
        [("\"neighbours\"", 3, 1), ("coordinate 2", 2, 0), ("coordinate 3", 4, 3)]
    {
        let (ran, soon) = disturbed(&place, ranks, record, "-KILL", Some(rank));
        assert_ne!(ran.code, Some(0), "{ran:?}");
        assert!(soon < SOON, "{soon:?} after {record}: {ran:?}");
        assert_eq!(place.results("out"), [""; 0], "after {record}");
        if record != "\"neighbours\"" {
            assert!(ran.err.contains("going on from kept: "), "after {then}: {ran:?}");
        }
        then = record.to_string();
    }
    let ran = place.ok(1, &format!("{LONG} -o out --checkpoint kept"));
    assert!(ran.err.contains("going on from kept: ") && ran.err.contains("neighbours"), "{ran:?}");
    check_same(&place, "out", "undisturbed");
    // What is kept is of this run only.
    place.refused(
        2,
        "embed in -d 2 -o other --checkpoint kept",
        &["kept: the checkpoint was made with", "--dims 3"],
    );
    assert_eq!(place.results("other"), [""; 0]);
}

#[test]
fn interrupted_it_ends_and_leaves_nothing() {
    // mpirun gives ranks a second to end by themselves, in which the run must not come to its end.
    let place = place(30_000);
    let (ran, soon) = disturbed(&place, 3, "\"neighbours\"", "-INT", None);
    assert_ne!(ran.code, Some(0), "{ran:?}");
    assert!(soon < SOON, "{soon:?}");
    assert_eq!(place.results("out"), [""; 0]);
}

#[test]
fn a_damaged_part_is_named_once_by_all() {
    let place = place(900);
    let path = place.path("in/part-4.npy");
    let whole = fs::read(&path).unwrap();
    let refused = |ranks: usize, wanted: &[&str]| {
        let ran = place.refused(ranks, "embed in -o out", wanted);
        assert!(ran.took < SOON, "{ran:?}");
        assert_eq!(place.results("out"), [""; 0]);
    };
    // Which rank has the last part depends on their number.
    for ranks in [2, 3, 4] {
        fs::write(&path, &whole[..whole.len() - 100]).unwrap();
        refused(ranks, &["in/part-4.npy"]);
    }
    fs::write(&path, "no array").unwrap();
    refused(3, &["in/part-4.npy"]);
    // A value that is missing is found by who reads it.
    let mut bytes = whole.clone();
    let last = bytes.len() - 8;
    bytes[last..].copy_from_slice(&f64::NAN.to_le_bytes());
    fs::write(&path, bytes).unwrap();
    refused(3, &["in/part-4.npy", "is missing"]);
    fs::remove_file(&path).unwrap();
    fs::write(place.path("in/part-5.parquet"), "").unwrap();
    refused(3, &["two kinds"]);
}

#[test]
fn parts_of_another_run_are_refused() {
    let place = place(400);
    place.ok(2, "embed in -q -o out");
    let old = fs::read(place.path("out/part-1.npy")).unwrap();
    place.refused(
        3,
        "embed in -o out -k 7",
        &["out has the parts of another run", "--neighbors 10"],
    );
    assert_eq!(fs::read(place.path("out/part-1.npy")).unwrap(), old);
    // The same run on another number of ranks is the same run.
    place.ok(3, "embed in -q -o out");
    fs::remove_file(place.path("out/manifest.json")).unwrap();
    place.refused(2, "embed in -o out", &["without a manifest"]);
}

/// Lets calls of the system fail on one rank.
struct Faulty {
    place: Place,
    library: PathBuf,
}

impl Faulty {
    fn new(n: usize) -> Self {
        let place = place(n);
        let library = place.path("fail.so");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../nrdr-cli/tests/faults/fail.c");
        // Whoever compiles Rust has a C compiler.
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library);
        assert!(compiler.args([source, "-ldl"]).status().unwrap().success());
        Faulty { place, library }
    }

    /// Runs on three ranks, of which the second has this environment.
    fn run(&self, faults: &str) -> Ran {
        let library = self.library.to_str().unwrap();
        let script = format!(
            "if [ \"$OMPI_COMM_WORLD_RANK\" = 1 ]; then export LD_PRELOAD={library} {faults}; fi; exec \"$0\" \"$@\""
        );
        let mut command = mpirun(3);
        command.args(["sh", "-c", &script, env!("CARGO_BIN_EXE_nrdr-mpi")]);
        self.place.start_by(&mut command, "embed in -q -o out --checkpoint kept").end()
    }
}

#[test]
fn what_fails_on_one_rank_fails_on_all() {
    const NO_ROOM: &str = "28";
    const NO_PERMISSION: &str = "13";
    let faulty = Faulty::new(300);
    let place = &faulty.place;
    for (call, error) in
        [("fsync", NO_ROOM), ("write", NO_ROOM), ("open", NO_PERMISSION), ("rename", NO_ROOM)]
    {
        let mut named = 0;
        let mut at = 1;
        loop {
            let ran = faulty.run(&format!("FAULT_CALL={call} FAULT_AT={at} FAULT_ERROR={error}"));
            assert!(ran.took < SOON, "{call} {at}: {ran:?}");
            if ran.code == Some(0) {
                break;
            }
            assert_eq!(place.results("out"), [""; 0], "{call} {at}: {ran:?}");
            if ran.err.contains("error: ") {
                ran.check_refused(&[]);
                named += usize::from(ran.err.contains("out/part-") || ran.err.contains("kept/"));
            }
            at += 1;
            assert!(at < 40, "{call} does not end");
        }
        println!("{call}: {} runs failed, {named} named a file", at - 1);
        assert!(named > 0, "{call}");
        // The next call begins anew.
        for folder in ["out", "kept"] {
            fs::remove_dir_all(place.path(folder)).unwrap();
        }
    }
}

/// A rank without memory aborts, and one that is killed at its end does not leave parts.
#[test]
fn a_rank_that_breaks_down_ends_all() {
    let faulty = Faulty::new(3000);
    for faults in [
        "FAULT_CALL=memory FAULT_BYTES=100000 FAULT_AT=5 FAULT_ERROR=12",
        "FAULT_CALL=fsync FAULT_AT=2 FAULT_ERROR=0",
        "FAULT_CALL=rename FAULT_AT=1 FAULT_ERROR=0",
    ] {
        let ran = faulty.run(faults);
        assert!(!matches!(ran.code, Some(0)), "{faults}: {ran:?}");
        assert!(ran.took < SOON, "{faults}: {ran:?}");
        assert_eq!(faulty.place.results("out"), [""; 0], "{faults}");
    }
    faulty.place.ok(2, "embed in -q -o out --checkpoint kept");
}
