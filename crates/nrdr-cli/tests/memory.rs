//! Memory that is limited ends in an error with numbers, not in a signal.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use std::process::Command;

use common::{Place, Ran};

/// What matrix products set aside on a thread, in kilobytes: twice the third-level cache.
fn aside() -> u64 {
    let size = std::fs::read_to_string("/sys/devices/system/cpu/cpu0/cache/index3/size");
    let size = size.ok().and_then(|size| size.trim().strip_suffix('K')?.parse().ok());
    2 * size.unwrap_or(USUAL_CACHE)
}

const USUAL_CACHE: u64 = 32 << 10;

/// Runs `nrdr embed` on two threads with so much address space, in kilobytes, on a machine of the usual cache; more, where five
/// threads set more aside.
fn limited(place: &Place, limit: u64, arguments: &str) -> Ran {
    let limit = limit + 5 * aside() - 5 * 2 * USUAL_CACHE;
    let script = format!(
        "ulimit -v {limit}; exec \"$0\" embed --dataset {arguments} --threads 2 -q -o out.csv"
    );
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_nrdr")).env("RAYON_NUM_THREADS", "2");
    Ran::from(shell.current_dir(place.path(".")).output().unwrap())
}

/// What does not fit is refused with its number and nothing is written; what fits runs.
#[test]
fn runs_that_do_not_fit_are_refused() {
    let place = Place::new();
    // The program itself takes 0.1 GB, and each of five threads 128 MB of address space.
    for (arguments, least, most) in [
        ("swiss-roll -n 100000 -m lem", 900_000, 1_600_000),
        ("swiss-roll -n 50000 -m ltsa", 900_000, 1_600_000),
    ] {
        let ran = limited(&place, least, arguments);
        assert_eq!(ran.code, Some(2), "{arguments}: {ran:?}");
        assert!(ran.err.contains("B of memory, but only "), "{arguments}: {ran:?}");
        assert_eq!(ran.err.lines().count(), 2, "{arguments}: {ran:?}");
        assert_eq!(place.files(), [""; 0], "{arguments}");
        let ran = limited(&place, most, arguments);
        assert_eq!(ran.code, Some(0), "{arguments}: {ran:?}");
        std::fs::remove_file(place.path("out.csv")).unwrap();
    }
}

/// 8 bytes for each pair of 9000 points are 648 MB: where these do not fit, landmarks and a kernel of low rank do.
#[test]
fn methods_of_all_pairs_take_what_fits() {
    let place = Place::new();
    for method in ["kpca", "isomap"] {
        let ran =
            limited(&place, 900_000, &format!("swiss-roll -n 9000 -m {method} -s orthogonal"));
        assert_eq!(ran.code, Some(0), "{method}: {ran:?}");
    }
}

/// Whatever the limit, from a run that is refused at once to one that has room.
#[test]
fn no_limit_ends_in_a_signal() {
    let place = Place::new();
    let (mut threads, mut refused, mut ran_through) = (0, 0, 0);
    for arguments in
        ["swiss-roll -n 3000 -m kpca", "swiss-roll -n 20000 -m lem", "swiss-roll -n 10000 -m ltsa"]
    {
        for limit in (450_000..=1_050_000).step_by(100_000) {
            let ran = limited(&place, limit, arguments);
            match ran.code {
                Some(0) => ran_through += 1,
                Some(2) if ran.err.contains("the address space of the threads") => threads += 1,
                Some(2) => refused += 1,
                _ => panic!("{arguments}, {limit}: {ran:?}"),
            }
        }
    }
    assert!(threads > 0 && refused > 0 && ran_through > 0, "{threads}, {refused}, {ran_through}");
}

/// What no realisation fits is refused with what would.
#[test]
fn too_many_points_are_refused() {
    let place = Place::new();
    for method in ["isomap", "kpca"] {
        let ran = place.run(&format!(
            "embed --dataset swiss-roll -n 200000 -m {method} --memory 30M -o out.csv"
        ));
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains("of memory, but only 30 MB are allowed"), "{ran:?}");
        assert!(ran.err.contains("raise --memory to "), "{ran:?}");
        assert_eq!(place.files(), [""; 0], "{method}");
    }
    place.fails(
        "embed none.csv -m kpca --gamma=-1 -o out.csv",
        "--gamma = -1 is out of range",
        "it must be positive",
    );
}
