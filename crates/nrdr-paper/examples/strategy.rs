//! Embeds by a strategy of any name, or measures coordinates whoever made them, and prints one line of JSON;
//! `bench/run.py` calls it.
//!
//! ```text
//! strategy embed FILE COLUMNS METHOD NEIGHBORS DIMS REPEATS OUT STRATEGY [NAME=VALUE ..]
//! strategy redundancy FILE COLUMNS
//! ```
//!
//! FILE and OUT hold little-endian f64, row after row; OUT may be `-`: nothing is written. After each repeat `seconds` is the
//! best wall time until then, without reading and writing, and `processor` the best processor time, of all threads together;
//! `selected` are the numbers of original coordinates, where some were selected; `errors` are those of predicting each
//! coordinate from the earlier ones: 1 is new, 0 is redundant.

mod driver;

use std::error::Error;
use std::time::Instant;

use driver::clock::Clock;
use driver::{read, strategy};
use nrdr::{Options, Points, RedundancyOptions, redundancy};
use serde_json::json;

const USAGE: &str = "usage: strategy embed FILE COLUMNS METHOD NEIGHBORS DIMS REPEATS OUT STRATEGY [NAME=VALUE ..], \
or strategy redundancy FILE COLUMNS";

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["embed", file, columns, method, neighbors, dims, repeats, out, name, settings @ ..] => {
            let points = read(file, columns.parse()?)?;
            let options = Options {
                neighbors: neighbors.parse()?,
                dims: dims.parse::<usize>()?.into(),
                strategy: strategy(name, settings)?,
                ..Default::default()
            };
            embed(&points, method, &options, repeats.parse()?, out)
        }
        ["redundancy", file, columns] => {
            let start = Instant::now();
            let coordinates = read(file, columns.parse()?)?;
            let found = redundancy(&coordinates, &RedundancyOptions::default(), &())?;
            let seconds = start.elapsed().as_secs_f64();
            println!("{{\"seconds\": {seconds:.6}, \"errors\": {:?}}}", found.errors);
            Ok(())
        }
        _ => Err(USAGE.into()),
    }
}

fn embed(
    points: &Points,
    method: &str,
    options: &Options,
    repeats: usize,
    out: &str,
) -> Result<(), Box<dyn Error>> {
    let method = nrdr::method::by_name(method)?;
    let (mut seconds, mut processor) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..repeats.max(1) {
        let clock = Clock::start();
        let embedding = nrdr::embed(points, method.as_ref(), options)?;
        let spent = clock.spent();
        (seconds, processor) = (seconds.min(spent.wall), processor.min(spent.processor));
        if out != "-" {
            let coordinates = embedding.to_points()?;
            let rows = (0..coordinates.rows()).flat_map(|i| coordinates.row(i));
            std::fs::write(out, rows.flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>())?;
        }
        let selected = embedding.coordinates.iter().filter_map(|c| c.selected);
        let selected: Vec<usize> = selected.map(|s| s.candidate).collect();
        println!("{}", json!({"seconds": seconds, "processor": processor, "selected": selected}));
    }
    Ok(())
}
