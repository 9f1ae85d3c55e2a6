//! The corpus of the fuzzers without their tools, as it is and changed at random: nothing panics, and nothing takes long
//! or much memory.
#![allow(clippy::unwrap_used, clippy::expect_used, unreachable_pub)]

#[path = "../../../fuzz/src/entries.rs"]
mod entries;

mod common;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use common::soak;
use nrdr_report::memory::peak_megabytes;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The seeds of a target by their names.
fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let folder = fs::read_dir(corpus.join(target)).unwrap();
    let mut files: Vec<_> = folder.map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 2, "{target} has {} seeds", files.len());
    files.iter().map(|file| (file.display().to_string(), fs::read(file).unwrap())).collect()
}

/// Runs an entry within the bounds of time and memory.
fn bounded(name: &str, entry: entries::Entry, bytes: &[u8]) {
    let start = Instant::now();
    entry(bytes);
    assert!(start.elapsed() < Duration::from_secs(20), "{name}: {:?}", start.elapsed());
    let peak = peak_megabytes().unwrap_or(0.0);
    assert!(peak < 500.0, "{name}: {peak} MB");
}

#[test]
fn the_corpus_does_no_harm() {
    for (target, entry) in entries::TARGETS {
        for (name, bytes) in seeds(target) {
            bounded(&name, entry, &bytes);
        }
    }
}

/// The fuzzers do better, but they are not always there.
#[test]
fn changed_seeds_do_no_harm() {
    for (target, entry) in entries::TARGETS {
        let seeds = seeds(target);
        for case in 0..300 * soak() {
            let mut random = ChaCha8Rng::seed_from_u64(case);
            let mut bytes = seeds[random.random_range(0..seeds.len())].1.clone();
            for _ in 0..random.random_range(1..6) {
                change(&mut bytes, &mut random);
            }
            bounded(&format!("{target} {case}"), entry, &bytes);
        }
    }
}

/// One change of bytes as damage or malice would make it.
fn change(bytes: &mut Vec<u8>, random: &mut ChaCha8Rng) {
    if bytes.is_empty() {
        return;
    }
    let at = random.random_range(0..bytes.len());
    let end = (at + random.random_range(1..9)).min(bytes.len());
    match random.random_range(0..5) {
        0 => bytes[at] ^= 1 << random.random_range(0..8),
        1 => bytes[at..end].fill([0, 1, 0x7f, 0x80, 0xff, b'9'][random.random_range(0..6)]),
        2 => drop(bytes.drain(at..end)),
        3 => {
            let copy = bytes[at..end].to_vec();
            let to = random.random_range(0..bytes.len());
            bytes.splice(to..to, copy);
        }
        _ => random.fill_bytes(&mut bytes[at..end]),
    }
}
