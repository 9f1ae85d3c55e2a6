//! Runs that are killed go on from their checkpoint and give the same bytes.
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use common::{Place, Ran, soak};
use nrdr_checkpoint::Checkpoint;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const FILE: &str = "run.checkpoint";
/// Moments at which runs of both strategies together are killed.
const MOMENTS: u64 = 50;
/// Runs that are killed before one is left alone.
const KILLED: u32 = 6;

/// Something that takes about a second in a build for tests.
fn command(strategy: &str, more: &str) -> String {
    format!(
        "embed --dataset swiss-roll --height 10 -n 3000 -d 3 --strategy {strategy} -o out.npy --model out.model -q {more}"
    )
}

/// What was told of what there was, if it went on from something.
fn found(told: &str) -> &str {
    let line = told.lines().find_map(|line| line.strip_prefix("going on from run.checkpoint: "));
    line.unwrap_or_default()
}

fn outputs(place: &Place) -> [Vec<u8>; 2] {
    ["out.npy", "out.model"].map(|name| place.bytes(name))
}

/// Ends a run at a random moment: after a share of its time, or when it has kept so much.
struct Moment {
    time: f64,
    size: u64,
}

impl Moment {
    fn wait(&self, place: &Place, run: &mut Child) {
        let start = Instant::now();
        let kept = || fs::metadata(place.path(FILE)).map_or(0, |file| file.len());
        while start.elapsed().as_secs_f64() < self.time
            && kept() < self.size
            && run.try_wait().unwrap().is_none()
        {
            sleep(Duration::from_millis(1));
        }
    }
}

/// Kills runs at random moments until so many were, and lets one come to its end now and then. Returns from what runs
/// went on.
fn killed(strategy: &str, moments: u64, seed: u64) -> Vec<String> {
    let place = Place::new();
    let kept = || Checkpoint::open(&place.path(FILE)).unwrap().summary().unwrap_or_default();
    let start = Instant::now();
    place.ok(&command(strategy, ""));
    let time = start.elapsed().as_secs_f64();
    let whole = outputs(&place);
    let arguments = command(strategy, "--checkpoint run.checkpoint");
    place.ok(&arguments);
    assert!(outputs(&place) == whole, "{strategy}: other bytes");
    let size = place.bytes(FILE).len() as u64;
    fs::remove_file(place.path(FILE)).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut kills, mut in_a_row, mut seen) = (0, 0, Vec::new());
    while kills < moments || in_a_row > 0 {
        ["out.npy", "out.model"].iter().for_each(|name| {
            let _ = fs::remove_file(place.path(name));
        });
        let before = if place.path(FILE).exists() { kept() } else { String::new() };
        let mut run = place.command(&arguments);
        let mut run = run.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        // Sooner or later it is to come to its end.
        if in_a_row < KILLED {
            let share: f64 = random.random_range(0.0..1.2);
            let now = fs::metadata(place.path(FILE)).map_or(0, |file| file.len());
            let more = (share / 1.2 * (size - now.min(size)) as f64) as u64;
            let moment = if random.random_bool(0.5) {
                Moment { time: share * time, size: u64::MAX }
            } else {
                Moment { time: 60.0, size: now + more }
            };
            moment.wait(&place, &mut run);
            run.kill().unwrap();
        }
        let ran = Ran::from(run.wait_with_output().unwrap());
        seen.push(before);
        if ran.code == Some(0) {
            assert!(outputs(&place) == whole, "{strategy}: other bytes after {in_a_row} kills");
            fs::remove_file(place.path(FILE)).unwrap();
            in_a_row = 0;
        } else {
            assert_eq!(ran.code, None, "{strategy}: {ran:?}");
            (kills, in_a_row) = (kills + 1, in_a_row + 1);
        }
    }
    seen
}

#[test]
fn killed_at_any_moment_it_goes_on_with_the_same_bytes() {
    let moments = MOMENTS * soak() / 2;
    let paper = killed("unpredictable", moments, 1);
    let ours = killed("priced", moments, 2);
    // Each kind of record was the last one that a run found.
    let expected = [
        (&paper, "neighbours"),
        (&paper, "3 original eigenvectors"),
        (&paper, " of 3"),
        (&ours, "neighbours"),
        (&ours, "48 original eigenvectors"),
    ];
    for (seen, what) in expected {
        assert!(seen.iter().any(|kept| kept.ends_with(what)), "none from {what}: {seen:?}");
    }
}

#[test]
fn other_runs_are_refused_with_what_differs() {
    let place = Place::new();
    let base = "embed --dataset strip -n 300 -o out.csv -q --checkpoint run.checkpoint";
    place.ok(base);
    let kept = place.bytes(FILE);
    let differ = [
        ("-k 12", "--neighbors 10", "--neighbors 12"),
        (
            "-d 3 --components largest",
            "--components connect, --dims 2",
            "--components largest, --dims 3",
        ),
        ("-d auto", "--dims 2", "--dims auto"),
        ("-m dfm", "--method lem", "--method dfm"),
        ("--weights heat", "--weights none", "--weights heat"),
        ("--strategy orthogonal", "--strategy priced", "--strategy orthogonal"),
        ("--alpha 0.4", "--alpha auto", "--alpha 0.4"),
    ];
    for (options, there, here) in differ {
        place.fails(
            &format!("{base} {options}"),
            &format!("run.checkpoint: the checkpoint was made with {there}, this run has {here}"),
            "use another file or delete it",
        );
    }
    // Another input; a seed makes one here.
    let ran = place.run(&format!("{base} --seed 1"));
    let told = "the checkpoint was made with the input 300 points of 2 columns (SHA-256 ";
    assert!(
        ran.code == Some(2) && ran.err.contains(told) && ran.err.contains("--seed 1"),
        "{ran:?}"
    );
    assert_eq!(place.bytes(FILE), kept);
    place.ok(&format!("{base} --threads 1"));
    assert_eq!(place.bytes(FILE), kept);
}

#[test]
fn what_is_no_checkpoint_is_refused_and_stays() {
    let place = Place::new();
    let base = "embed --dataset strip -n 300 -o out.csv -q --checkpoint";
    place.ok(&format!("{base} {FILE}"));
    let whole = place.bytes(FILE);
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 4;
    let mut newer = whole.clone();
    newer[16] = 9;
    place.write("damaged", &flipped);
    place.write("short", &whole[..whole.len() / 2]);
    place.write("newer", &newer);
    place.write("table.csv", "x,y\n1,2\n");
    fs::create_dir(place.path("folder")).unwrap();
    let anew = "copy it again, or delete it and start anew";
    let (length, half) = (whole.len(), whole.len() / 2);
    let short = format!("is damaged (of {length} bytes there are {half})");
    for (name, what, way_out) in [
        ("short", short.as_str(), anew),
        (
            "newer",
            "is a checkpoint of version 9, this program has 1",
            "take the nrdr that made it, or use another file",
        ),
        ("table.csv", "is no checkpoint of nrdr", "choose another name"),
        ("folder", "is a folder", "give the name of a file"),
        ("out.csv", "is named twice", "give each output a file of its own"),
    ] {
        place.fails(&format!("{base} {name}"), &format!("{name}: {what}"), way_out);
    }
    let ran = place.run(&format!("{base} damaged"));
    assert!(ran.code == Some(2) && ran.err.contains("damaged: is damaged (record "), "{ran:?}");
    assert_eq!(place.bytes("damaged"), flipped);
    assert_eq!(place.bytes("short"), whole[..half]);
    // An empty file is as good as none, and a torn tail is no damage.
    place.write("empty", "");
    place.ok(&format!("{base} empty"));
    assert_eq!(place.bytes("empty").len(), length);
    place.write("torn", [&whole, &flipped[100..]].concat());
    place.ok(&format!("{base} torn"));
}

#[test]
fn a_second_run_with_the_same_file_is_refused() {
    let place = Place::new();
    let arguments = command("priced", "--checkpoint run.checkpoint");
    let mut first = place.command(&arguments).stdin(Stdio::null()).spawn().unwrap();
    while !place.path(FILE).exists() {
        sleep(Duration::from_millis(2));
    }
    // It takes a moment from the file to the lock.
    sleep(Duration::from_millis(50));
    let ran = place.run(&arguments);
    let is_running = first.try_wait().unwrap().is_none();
    assert!(is_running, "the first run ended too early to tell");
    let told = "error: run.checkpoint: is in use by another run\n       wait for its end, or use another file\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), told));
    assert!(first.wait().unwrap().success());
}

#[test]
fn everything_together_and_with_other_threads() {
    let place = Place::new();
    let base = "embed --dataset swiss-roll --height 10 -n 1200 -d auto --strategy unpredictable -o out.npy --model out.model";
    place.ok(&format!("{base} --threads 2"));
    let whole = outputs(&place);
    let kept =
        format!("{base} --checkpoint {FILE} --report page.html --json run.json --plot plot.svg");
    let out = place.ok(&format!("{kept} --threads 2"));
    assert!(outputs(&place) == whole && out.contains("\nkept run.checkpoint ("), "{out}");
    let size = place.bytes(FILE).len();
    // Its options are those of a run without a checkpoint.
    assert!(!place.read("run.json").contains("\"checkpoint\""));
    let again = place.run(&format!("{kept} --threads 1"));
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(
        found(&again.err).starts_with("neighbours, 10 original eigenvectors, coordinate 2 of 10"),
        "{again:?}"
    );
    assert!(outputs(&place) == whole && place.bytes(FILE).len() == size);
    // Quietly, nothing is said of it.
    let quiet = place.run(&format!("{base} -q --checkpoint {FILE}"));
    assert_eq!((quiet.code, quiet.out.as_str(), quiet.err.as_str()), (Some(0), "", ""));
}

/// A disk of 300 kB, which an administrator can have.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_nothing_is_lost() {
    let place = Place::new();
    fs::create_dir(place.path("disk")).unwrap();
    let script = "mount -t tmpfs -o size=300k none disk || exit 77
        run() { \"$0\" embed --dataset swiss-roll -n 2000 -o out.npy --checkpoint disk/c > /dev/null; echo \"$?\"; }
        run; mount -o remount,size=9M disk; run";
    let mut shell = std::process::Command::new("unshare");
    shell.args(["--mount", "bash", "-c", script]).arg(env!("CARGO_BIN_EXE_nrdr"));
    let ran = match shell.current_dir(place.path(".")).output().map(Ran::from) {
        Ok(ran) if ran.code != Some(77) && !ran.err.contains("unshare") => ran,
        other => {
            eprintln!("skipped, disks cannot be mounted here: {other:?}");
            return;
        }
    };
    assert_eq!(ran.out, "2\n0\n", "{ran:?}");
    let told =
        "error: the checkpoint cannot be used: disk/c: does not fit on the disk\n       make room";
    assert!(
        ran.err.contains(told) && ran.err.contains("going on from disk/c: neighbours\n"),
        "{ran:?}"
    );
}
