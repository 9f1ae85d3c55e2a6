//! Records come back bit for bit, whatever happens to the file.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

use nrdr::checkpoint::{Record, Store};
use nrdr_checkpoint::Checkpoint;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("run.checkpoint")
    }

    fn open(&self) -> Checkpoint {
        Checkpoint::open(&self.file()).unwrap()
    }

    /// What it says when it cannot be opened; the file must stay as it is.
    fn refused(&self) -> String {
        let before = fs::read(self.file()).unwrap();
        let reason = Checkpoint::open(&self.file()).err().unwrap().reason();
        assert_eq!(fs::read(self.file()).unwrap(), before, "{reason}");
        reason
    }

    /// A file with a few records, and its bytes after each.
    fn filled(&self) -> Vec<Vec<u8>> {
        let checkpoint = self.open();
        let mut states = vec![fs::read(self.file()).unwrap()];
        for (name, record) in records() {
            checkpoint.put(name, &record).unwrap();
            states.push(fs::read(self.file()).unwrap());
        }
        states
    }
}

fn records() -> Vec<(&'static str, Record<'static>)> {
    let all = Record {
        text: "größer".into(),
        numbers: vec![vec![0.1, -0.0, 5e-324].into(), Vec::new().into()],
        indices: vec![vec![0, u32::MAX].into()],
    };
    let long = vec![vec![1.5; 20_000].into()];
    let numbers = Record { numbers: long, ..Default::default() };
    let empty = Record::default();
    vec![("run", all), ("neighbours", numbers), ("3 original eigenvectors", empty)]
}

fn bits(record: &Record<'_>) -> (String, Vec<Vec<u64>>, Vec<Vec<u32>>) {
    let numbers = record.numbers.iter().map(|list| list.iter().map(|v| v.to_bits()).collect());
    let indices = record.indices.iter().map(|list| list.to_vec());
    (record.text.to_string(), numbers.collect(), indices.collect())
}

#[test]
fn records_come_back_bit_for_bit() {
    let folder = Folder::new();
    assert_eq!(folder.open().summary(), None);
    folder.filled();
    for _ in 0..2 {
        let checkpoint = folder.open();
        for (name, record) in records() {
            assert_eq!(bits(&checkpoint.get(name).unwrap().unwrap()), bits(&record), "{name}");
        }
        assert_eq!(checkpoint.get("coordinate 2 of 3").unwrap(), None);
        assert_eq!(checkpoint.summary().unwrap(), "neighbours, 3 original eigenvectors");
        assert_eq!(checkpoint.size(), fs::metadata(folder.file()).unwrap().len());
    }
    // The last one of a name counts.
    let checkpoint = folder.open();
    let other = Record { indices: vec![vec![7].into()], ..Default::default() };
    checkpoint.put("neighbours", &other).unwrap();
    drop(checkpoint);
    let checkpoint = folder.open();
    assert_eq!(bits(&checkpoint.get("neighbours").unwrap().unwrap()), bits(&other));
    assert_eq!(checkpoint.summary().unwrap(), "neighbours, 3 original eigenvectors");
}

/// Ended while it writes, a run leaves the file of before with a part of the next record behind it.
#[test]
fn a_torn_tail_is_no_damage() {
    let folder = Folder::new();
    let states = folder.filled();
    for pair in states.windows(2) {
        let [before, after] = pair else { unreachable!() };
        let tails = (0..=after.len() - before.len()).step_by(1 + (after.len() - before.len()) / 50);
        for tail in tails {
            let mut torn = before.clone();
            torn.extend(&after[before.len()..before.len() + tail]);
            fs::write(folder.file(), torn).unwrap();
            let checkpoint = folder.open();
            assert_eq!(checkpoint.size(), before.len() as u64);
            // What comes next takes its place.
            let (name, record) = records().remove(0);
            checkpoint.put(name, &record).unwrap();
            drop(checkpoint);
            let read = folder.open().get(name).unwrap().unwrap();
            assert_eq!(bits(&read), bits(&record));
        }
    }
}

#[test]
fn damage_is_told_and_nothing_is_lost() {
    let folder = Folder::new();
    let whole = folder.filled().pop().unwrap();
    let is_told = |bytes: &[u8], what: &str| {
        fs::write(folder.file(), bytes).unwrap();
        let reason = folder.refused();
        assert!(reason.contains(what), "{what}: {reason}");
    };
    let places =
        (0..400).chain((400..whole.len()).step_by(997)).chain(whole.len() - 200..whole.len());
    for at in places {
        for flip in [1, 0x80] {
            let mut flipped = whole.clone();
            flipped[at] ^= flip;
            let what = match at {
                0..16 => "is no checkpoint of nrdr: choose another name",
                16..20 => "is a checkpoint of version ",
                _ => "is damaged (",
            };
            is_told(&flipped, what);
        }
    }
    for length in (1..whole.len()).step_by(331).chain([16, 20, 63, 64, whole.len() - 1]) {
        let what = if length < 16 { "is no checkpoint" } else { "is damaged (" };
        is_told(&whole[..length], what);
    }
    let mut newer = whole.clone();
    newer[16] = 2;
    is_told(&newer, "is a checkpoint of version 2, this program has 1: take the nrdr that made it");
    is_told(b"x,y\n1,2\n", "is no checkpoint of nrdr");
    fs::write(folder.file(), &whole).unwrap();
    assert!(folder.open().summary().is_some());
}

/// Whole by its sums, but not written by this format: lengths that no file has are refused, not asked memory for.
#[test]
fn absurd_lengths_are_no_harm() {
    let folder = Folder::new();
    let record = Record { numbers: vec![vec![0.0; 4].into()], ..Default::default() };
    folder.open().put("a", &record).unwrap();
    let whole = fs::read(folder.file()).unwrap();
    let (start, end) = (64, whole.len() - 32);
    let mut refused = 0;
    for at in (start + 8..end - 8).step_by(1) {
        let mut absurd = whole.clone();
        absurd[at..at + 8].fill(0xff);
        let sum = Sha256::digest(&absurd[start..end]);
        absurd[end..].copy_from_slice(&sum);
        fs::write(folder.file(), &absurd).unwrap();
        let found = match Checkpoint::open(&folder.file()) {
            Ok(checkpoint) => checkpoint.get("a").map(|_| ()).map_err(|error| error.to_string()),
            Err(error) => Err(error.reason()),
        };
        refused += usize::from(found.is_err());
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn only_one_at_a_time() {
    let folder = Folder::new();
    let first = folder.open();
    let reason = folder.refused();
    assert_eq!(reason, "is in use by another run: wait for its end, or use another file");
    drop(first);
    folder.open();
}

#[test]
fn what_cannot_be_written_is_refused() {
    let folder = Folder::new();
    fs::create_dir(folder.file()).unwrap();
    let reason = |path: &Path| Checkpoint::open(path).err().unwrap().reason();
    assert_eq!(reason(&folder.file()), "is a folder: give the name of a file");
    let nowhere = folder.0.path().join("no/run.checkpoint");
    assert!(reason(&nowhere).ends_with(": make the folder first"));
}
