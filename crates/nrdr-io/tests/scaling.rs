//! Twice as much to read takes about twice the time, whatever there is much of.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use flate2::Compression;
use flate2::write::GzEncoder;
use nrdr_io::{Missing, ReadOptions, Stream, read_bytes};

/// Nanoseconds that this thread has computed, where the system tells: others may be busy as well.
fn computed() -> Option<u64> {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split_whitespace().next()?.parse().ok()
}

/// The system may count in ticks of some milliseconds: work is measured for at least so many seconds.
const LEAST: f64 = 0.05;

/// The least time of three.
fn seconds(mut work: impl FnMut()) -> f64 {
    let mut once = || {
        let (start, before) = (Instant::now(), computed());
        for times in 1.. {
            work();
            let taken = match computed().zip(before) {
                Some((after, before)) => (after - before) as f64 / 1e9,
                None => start.elapsed().as_secs_f64(),
            };
            if taken >= LEAST {
                return taken / f64::from(times);
            }
        }
        f64::INFINITY
    };
    (0..3).map(|_| once()).fold(f64::INFINITY, f64::min)
}

struct Case {
    what: &'static str,
    name: &'static str,
    size: usize,
    bytes: fn(usize) -> Vec<u8>,
    options: fn(usize) -> ReadOptions,
}

fn plain(_: usize) -> ReadOptions {
    ReadOptions { missing: Missing::Keep, ..ReadOptions::default() }
}

fn header(count: usize) -> String {
    (0..count).map(|j| format!("name{j}")).collect::<Vec<_>>().join(",")
}

fn ones(count: usize) -> String {
    vec!["1"; count].join(",")
}

fn members(count: usize) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(b"1,2\n").unwrap();
    packer.finish().unwrap().repeat(count)
}

fn arrays(count: usize) -> Vec<u8> {
    let part = |kind: u32, data: &[u8]| {
        let mut bytes = [kind.to_le_bytes(), (data.len() as u32).to_le_bytes()].concat();
        bytes.extend(data);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes
    };
    let mut bytes = b"MATLAB 5.0 MAT-file".to_vec();
    bytes.resize(124, b' ');
    bytes.extend(b"\x00\x01IM");
    for i in 0..count {
        let rows = if i == 0 { 2u32 } else { 1 };
        let sizes = [rows.to_le_bytes(), 1u32.to_le_bytes()].concat();
        let flags = part(6, &[6, 0, 0, 0, 0, 0, 0, 0]);
        let name = part(1, format!("a{i}").as_bytes());
        let numbers = part(9, &vec![0; 8 * rows as usize]);
        bytes.extend(part(14, &[flags, part(5, &sizes), name, numbers].concat()));
    }
    bytes
}

const CASES: [Case; 9] = [
    Case {
        what: "blank lines before the table",
        name: "t.csv",
        size: 300_000,
        bytes: |n| format!("{}a,b\n1,2\n", "\n".repeat(n)).into_bytes(),
        options: plain,
    },
    Case {
        what: "rows",
        name: "t.csv",
        size: 40_000,
        bytes: |n| "1,2.5,-3e4\n".repeat(n).into_bytes(),
        options: plain,
    },
    Case {
        what: "columns",
        name: "t.csv",
        size: 50_000,
        bytes: |n| format!("{}\n{}\n", header(n), ones(n)).into_bytes(),
        options: plain,
    },
    Case {
        what: "columns chosen by name",
        name: "t.csv",
        size: 30_000,
        bytes: |n| format!("{}\n{}\n", header(n), ones(n)).into_bytes(),
        options: |n| {
            let columns = (0..n).rev().map(|j| format!("name{j}")).collect();
            ReadOptions { columns: Some(columns), ..plain(n) }
        },
    },
    Case {
        what: "empty columns",
        name: "t.csv",
        size: 60_000,
        bytes: |n| format!("{0}\n{0}\n{0}\n", ",".repeat(n)).into_bytes(),
        options: plain,
    },
    Case {
        what: "distinct texts",
        name: "t.csv",
        size: 60_000,
        bytes: |n| (0..n).map(|i| format!("word{i},1\n")).collect::<String>().into_bytes(),
        options: plain,
    },
    Case {
        what: "one long text",
        name: "t.csv",
        size: 1 << 21,
        bytes: |n| format!("a,b\n\"{}\",1\n\"x\",2\n", "\"\"".repeat(n)).into_bytes(),
        options: plain,
    },
    Case { what: "gzip members", name: "t.csv.gz", size: 10_000, bytes: members, options: plain },
    Case { what: "arrays", name: "t.mat", size: 10_000, bytes: arrays, options: plain },
];

/// The most that twice the input may take, in times; linear time with caches that do not grow.
const MOST: f64 = 2.6;

/// A ratio that is too large is measured twice more before it is believed.
fn check(what: &str, mut ratio: impl FnMut() -> f64) {
    let ratios: Vec<f64> = (0..3).map(|_| ratio()).take_while(|ratio| *ratio >= MOST).collect();
    assert!(ratios.len() < 3, "{what}: {ratios:.2?} times as long");
}

#[test]
fn twice_the_input_takes_twice_the_time() {
    for case in &CASES {
        let time = |size: usize| {
            let (bytes, options) = ((case.bytes)(size), (case.options)(size));
            seconds(|| drop(read_bytes(Path::new(case.name), &bytes, &options).unwrap()))
        };
        check(case.what, || time(2 * case.size) / time(case.size));
    }
}

#[test]
fn a_model_of_many_columns_finds_them_in_linear_time() {
    let time = |count: usize| {
        let text = format!("{}\n{}\n", header(count), ones(count));
        let wanted: Vec<String> = (0..count).rev().map(|j| format!("name{j}")).collect();
        let drop_some = (0..count / 2).map(|j| format!("name{j}")).collect();
        let options = ReadOptions { drop: drop_some, ..plain(0) };
        let kept = &wanted[..count / 2];
        seconds(|| {
            let stream = Stream::of_bytes(Path::new("t.csv"), text.as_bytes(), kept, &options);
            drop(stream.unwrap().next(10).unwrap());
        })
    };
    check("columns of a model", || time(60_000) / time(30_000));
}
