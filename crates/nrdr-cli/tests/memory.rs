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
        // 8 bytes for each pair of 9000 points: 648 MB.
        ("swiss-roll -n 9000 -m kpca -s orthogonal", 900_000, None),
        ("swiss-roll -n 9000 -m isomap -s orthogonal", 900_000, None),
        ("swiss-roll -n 3000 -m kpca", 450_000, Some(1_000_000)),
        ("swiss-roll -n 3000 -m isomap", 450_000, Some(1_000_000)),
        ("swiss-roll -n 100000 -m lem", 500_000, Some(1_600_000)),
        ("swiss-roll -n 50000 -m ltsa", 500_000, Some(1_600_000)),
    ] {
        let ran = limited(&place, least, arguments);
        assert_eq!(ran.code, Some(2), "{arguments}: {ran:?}");
        assert!(ran.err.contains("B of memory, but only "), "{arguments}: {ran:?}");
        assert_eq!(ran.err.lines().count(), 2, "{arguments}: {ran:?}");
        assert_eq!(place.files(), [""; 0], "{arguments}");
        if let Some(most) = most {
            let ran = limited(&place, most, arguments);
            assert_eq!(ran.code, Some(0), "{arguments}: {ran:?}");
            std::fs::remove_file(place.path("out.csv")).unwrap();
        }
    }
}

/// Whatever the limit, between a run that is refused at once and one that has room. What matrix products set aside on each
/// thread is estimated, not asked for, so it may once be missed.
#[test]
fn hardly_a_limit_ends_in_a_signal() {
    let place = Place::new();
    let missing = format!("memory allocation of {} bytes", aside() << 10);
    let mut missed = 0;
    for arguments in
        ["swiss-roll -n 3000 -m kpca", "swiss-roll -n 20000 -m lem", "swiss-roll -n 10000 -m ltsa"]
    {
        for limit in (450_000..=850_000).step_by(100_000) {
            let ran = limited(&place, limit, arguments);
            if ran.code.is_none() && ran.err.starts_with(&missing) {
                missed += 1;
                continue;
            }
            assert!(matches!(ran.code, Some(0 | 2)), "{arguments}, {limit}: {ran:?}");
        }
    }
    assert!(missed <= 1, "{missed} of 15 runs were ended by a signal");
}

/// Nothing is searched or made for points that are too many.
#[test]
fn too_many_points_are_refused_before_they_are_made() {
    let place = Place::new();
    for method in ["isomap", "kpca"] {
        let start = std::time::Instant::now();
        place.fails(
            &format!("embed --dataset swiss-roll -n 10000000 -m {method} -o out.csv"),
            &format!("{method} of 10000000 points needs a dense matrix of 800000 GB"),
            "embed at most 25000 points or choose another --method",
        );
        assert!(start.elapsed().as_secs() < 5, "{method}: {:?}", start.elapsed());
    }
    place.fails(
        "embed none.csv -m kpca --gamma=-1 -o out.csv",
        "--gamma = -1 is out of range",
        "it must be positive",
    );
}
