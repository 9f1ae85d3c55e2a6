//! `nrdr dataset`: writes a generated data set and its true parameters.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::failure::Failure;
use crate::options::generated::{Name, Shape};
use crate::options::outputs::{is_stdout, print_results, wrote};
use nrdr_io::{Column, add_table, check_ending, write_csv};
use nrdr_write::{Outputs, check_different, check_place};

/// Write a generated data set and its true parameters
#[derive(Args)]
#[command(after_help = "\
Examples:
  nrdr dataset swiss-roll -n 5000 --height 10 --noise 0.3 -o roll.csv --truth truth.csv
  nrdr dataset torus -o - | nrdr embed -")]
pub(crate) struct Generate {
    /// The data set
    #[arg(value_enum)]
    name: Name,

    /// File of the points: .csv .tsv .npy .npz .parquet, or - for CSV on standard output
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,

    /// File of the true parameters
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,

    /// Start of the random numbers
    #[arg(long, default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    shape: Shape,
}

impl Generate {
    /// Whether standard output takes the points.
    pub(crate) fn prints_results(&self) -> bool {
        is_stdout(&self.out)
    }

    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let points = Some(&self.out).filter(|file| !is_stdout(file));
        let named: Vec<&Path> = self.truth.iter().chain(points).map(PathBuf::as_path).collect();
        for file in &named {
            check_ending(file)?;
            check_place(file, &[])?;
        }
        check_different(&named)?;
        let data = self.shape.generate(self.name, self.seed)?;
        let names: Vec<String> = (1..=data.points.columns()).map(|c| format!("x{c}")).collect();
        let mut files = vec![(&self.out, names, &data.points)];
        files.extend(self.truth.as_ref().map(|file| (file, data.names.clone(), &data.truth)));
        let mut outputs = Outputs::default();
        for (file, names, table) in &files {
            let columns = (0..table.columns()).map(|c| Column::from(table.column(c)));
            let columns: Vec<Column<'_>> = columns.collect();
            if is_stdout(file) {
                print_results(|mut out| Ok(write_csv(&mut out, names, &columns)?))?;
            } else {
                add_table(&mut outputs, file, names, &columns)?;
            }
        }
        outputs.commit()?;
        for (file, _, table) in files.into_iter().filter(|(file, ..)| !is_stdout(file)) {
            let size = format!("({} rows, {} columns)", table.rows(), table.columns());
            writeln!(out, "{} {size}", wrote(file))?;
        }
        Ok(())
    }
}
