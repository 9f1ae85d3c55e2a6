//! `nrdr redundancy`: how predictable each coordinate of any embedding is.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nrdr::{Bandwidth, Points, Redundancy, RedundancyOptions};
use serde::Serialize;

use crate::bar::Bar;
use crate::failure::Failure;
use crate::found::predictable;
use crate::json;
use crate::options::reading::{Reading, notes_of, tell_notes};
use nrdr_io as io;
use nrdr_write::{check_place, printable, write_atomically};

/// Tell how predictable each coordinate of an embedding is from the earlier ones
///
/// The embedding may come from anywhere. Told is the share of a coordinate's variance that local linear regression on the
/// earlier ones predicts, with the point itself left out: 0 % is new, 100 % is a function of them. --json has the
/// errors, from 1 to 0.
#[derive(Args)]
#[command(mut_arg("missing", |arg| arg.default_value("drop")))]
#[command(after_help = "\
Example:
  nrdr redundancy embedding.csv --json redundancy.json")]
pub(crate) struct Measure {
    /// The embedding: .csv .tsv .npy .npz .parquet, a coordinate a column
    #[arg(value_name = "EMBEDDING")]
    input: PathBuf,

    #[command(flatten)]
    reading: Reading,

    /// How far the points reach that predict a value
    #[arg(long, value_enum, default_value_t = BandwidthName::Best)]
    bandwidth: BandwidthName,

    /// Of more points than this a random sample is measured
    #[arg(long, default_value_t = RedundancyOptions::default().sample)]
    sample: usize,

    /// Standard error of an error, at most: fewer points are predicted; 0 predicts all of the sample
    #[arg(long, default_value_t = RedundancyOptions::default().accuracy)]
    accuracy: f64,

    /// Start of the random numbers
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Write the numbers to a file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Bandwidths of the regression.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BandwidthName {
    /// The best of a grid, by the error with the point left out
    Best,
    /// A third of the median distance (Dsilva et al. 2018)
    MedianThird,
    /// As datafold has it
    Datafold,
}

/// What the file tells.
#[derive(Serialize)]
struct Told<'t> {
    columns: &'t [String],
    #[serde(flatten)]
    measured: &'t Redundancy,
}

impl Measure {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        if let Some(file) = &self.json {
            check_place(file, &[&self.input])?;
        }
        let table = io::read(&self.input, &self.reading.options())?;
        let mut notes = notes_of(&table);
        if table.dropped > 0 {
            notes.push(format!("{} row(s) with missing values are left out", table.dropped));
        }
        if table.names.is_empty() {
            let name = self.input.display();
            return Err(Failure::Usage(format!(
                "{name} has no column of numbers: choose others with --columns"
            )));
        }
        let embedding = Points::new(table.values, table.names.len())?;
        let bandwidth = match self.bandwidth {
            BandwidthName::Best => Bandwidth::Best,
            BandwidthName::MedianThird => Bandwidth::MedianThird,
            BandwidthName::Datafold => Bandwidth::Datafold,
        };
        let Measure { sample, seed, accuracy, .. } = *self;
        let options = RedundancyOptions { bandwidth, sample, seed, accuracy };
        let bar = Bar::new("redundancy", false);
        let measured = nrdr::redundancy(&embedding, &options, &bar).map_err(|error| match error {
            nrdr::Error::TooFewPoints { points, needed } => Failure::Usage(format!(
                "{points} distinct row(s) are too few to measure redundancy: give at least {needed}"
            )),
            other => other.into(),
        })?;
        drop(bar);
        if let Some(file) = &self.json {
            let text = json::text(&Told { columns: &table.names, measured: &measured })?;
            write_atomically(file, |out| out.write_all(text.as_bytes()))?;
        }
        tell_notes(&notes, false, out)?;
        writeln!(
            out,
            "coordinate            predictable from the earlier ones, % of its variance"
        )?;
        for (i, error) in measured.errors.iter().enumerate() {
            let share = format!("{:.0} %", predictable(*error));
            let name = printable(&table.names[i]);
            writeln!(out, "{:>3} {name:<16} {share:>12}", i + 1)?;
        }
        writeln!(
            out,
            "\n0 % is new, 100 % is a function of the earlier ones; {} points.",
            measured.points
        )?;
        Ok(())
    }
}
