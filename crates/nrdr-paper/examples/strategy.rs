//! Embeds by a strategy of any name, or measures coordinates whoever made them, and prints one line of JSON;
//! `bench/competitors.py` calls it.
//!
//! ```text
//! strategy embed FILE COLUMNS METHOD NEIGHBORS DIMS REPEATS OUT STRATEGY [NAME=VALUE ..]
//! strategy redundancy FILE COLUMNS
//! ```
//!
//! FILE and OUT hold little-endian f64, row after row. `seconds` is the best wall time of the repeats, without reading
//! and writing; `selected` are the numbers of original coordinates, where some were selected; `errors` are those of
//! predicting each coordinate from the earlier ones: 1 is new, 0 is redundant.

use std::error::Error;
use std::time::Instant;

use nrdr::parameter::{Parameter, Value};
use nrdr::{Options, Points, RedundancyOptions, Strategy, redundancy};

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

/// The strategy of a name with some parameters set.
fn strategy(name: &str, settings: &[&str]) -> Result<Strategy, Box<dyn Error>> {
    let mut strategy = Strategy::by_name(name)?;
    for setting in settings {
        let (wanted, value) = setting.split_once('=').ok_or(USAGE)?;
        let named = |parameter: &Parameter<'_>| parameter.name == wanted;
        strategy = strategy.with(|parameters| {
            let mut found = parameters.into_iter().filter(named);
            found.try_for_each(|mut parameter| parameter.set(&Value::of_text(value)))
        })?;
    }
    Ok(strategy)
}

fn embed(
    points: &Points,
    method: &str,
    options: &Options,
    repeats: usize,
    out: &str,
) -> Result<(), Box<dyn Error>> {
    let method = nrdr::method::by_name(method)?;
    let mut seconds = f64::INFINITY;
    for _ in 0..repeats.max(1) {
        let start = Instant::now();
        let embedding = nrdr::embed(points, method.as_ref(), options)?;
        seconds = seconds.min(start.elapsed().as_secs_f64());
        let coordinates = embedding.to_points()?;
        let rows = (0..coordinates.rows()).flat_map(|i| coordinates.row(i));
        std::fs::write(out, rows.flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>())?;
        let selected = embedding.coordinates.iter().filter_map(|c| c.selected);
        let selected: Vec<usize> = selected.map(|s| s.candidate).collect();
        println!("{{\"seconds\": {seconds:.6}, \"selected\": {selected:?}}}");
    }
    Ok(())
}

fn read(file: &str, columns: usize) -> Result<Points, Box<dyn Error>> {
    let bytes = std::fs::read(file)?;
    let (values, rest) = bytes.as_chunks::<8>();
    if !rest.is_empty() {
        return Err(format!("{file}: the last number is cut").into());
    }
    Ok(Points::new(values.iter().map(|&value| f64::from_le_bytes(value)).collect(), columns)?)
}
