//! The corpus of the fuzzers, once, without their tools: nothing panics, and nothing takes long or much memory.
#![allow(clippy::unwrap_used, clippy::expect_used, unreachable_pub)]

#[path = "../../../fuzz/src/entries.rs"]
mod entries;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// What the process took at most, in megabytes, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

#[test]
fn the_corpus_does_no_harm() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for (target, entry) in entries::TARGETS {
        let folder = fs::read_dir(corpus.join(target)).unwrap();
        let mut files: Vec<_> = folder.map(|file| file.unwrap().path()).collect();
        files.sort();
        assert!(files.len() >= 2, "{target} has {} seeds", files.len());
        for file in files {
            let bytes = fs::read(&file).unwrap();
            let start = Instant::now();
            entry(&bytes);
            assert!(start.elapsed() < Duration::from_secs(20), "{file:?}: {:?}", start.elapsed());
            let peak = peak_memory().unwrap_or(0);
            assert!(peak < 500, "{file:?}: {peak} MB");
        }
    }
}
