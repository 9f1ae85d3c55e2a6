//! `nrdr transform`: coordinates of new points, by a model that `nrdr embed --model` wrote.

use std::io::{IsTerminal, Write, stdout};
use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use clap::Args;
use nrdr::{Observer, Points, Stage, with_threads};

use crate::bar::Bar;
use crate::failure::Failure;
use crate::inspect::names_of;
use crate::options::outputs::{is_stdout, print_results, wrote};
use crate::options::reading::{Reading, tell_notes};
use crate::words::Typed;
use nrdr_io::{Missing, Piece, Stream, TextRows, add_rows, check_appendable};
use nrdr_model::{Filled, ModelFile};
use nrdr_write::{Outputs, check_place, printable};

/// Values that are in memory at a time, about, and the most rows.
const VALUES: usize = 4 << 20;
const MOST_ROWS: usize = 1 << 16;
/// Rows come in multiples of this: what the library works on at a time.
const BLOCK: usize = 128;

/// Takes rows of coordinates, one after another.
type Push<'p> = dyn FnMut(&[f64]) -> Result<(), Failure> + 'p;

/// Embed new points by a model of `nrdr embed --model`
///
/// Columns are found by their names where both the model and the table have them, or else by their places. Everything
/// that was done to the columns before, such as --impute, --standardize and --pca, is done again. A table of any length
/// comes in, and coordinates go out.
#[derive(Args)]
#[command(mut_arg("columns", |arg| {
    arg.help("Only these columns, by name or by number from 1; if called otherwise than the model's, in their order")
}))]
#[command(after_help = "\
Examples:
  nrdr embed old.csv -d 3 --model roll.model
  nrdr transform roll.model new.csv -o new-embedding.csv
  zcat huge.csv.gz | nrdr transform roll.model - -o huge.parquet
  nrdr transform roll.model new.csv -o - | head")]
pub(crate) struct Transform {
    /// The model
    #[arg(value_name = "MODEL")]
    model: PathBuf,

    /// New points: .csv .tsv .txt .npy .parquet .idx of any length (also .gz of text and .idx), what else `nrdr embed` reads, or
    /// - for text on standard input
    #[arg(value_name = "NEW")]
    input: PathBuf,

    /// File of the coordinates f1,f2,..: .csv .tsv .npy .parquet, or - for CSV on standard output
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    reading: Reading,

    /// Number of threads; the result does not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Say nothing unless something is wrong
    #[arg(short, long)]
    quiet: bool,
}

impl Transform {
    /// Whether standard output takes the coordinates.
    pub(crate) fn prints_results(&self) -> bool {
        is_stdout(&self.out)
    }

    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        if !self.prints_results() {
            check_place(&self.out, &[&self.model, &self.input])?;
            check_appendable(&self.out)?;
        }
        // Rows on a terminal show how far it is.
        let shows_rows = self.prints_results() && stdout().is_terminal();
        let bar = Bar::new("transform", self.quiet || shows_rows);
        bar.message("reading");
        let model = ModelFile::read(&self.model)?;
        let names = names_of(&model)?;
        let mut options = self.reading.options();
        // What the model fills is no error; rows that are to be left out still are.
        if model.preparation().impute.is_some() && options.missing == Missing::Error {
            options.missing = Missing::Fill;
        }
        let mut stream = Stream::open(&self.input, &names, &options)?;
        let mut notes = Vec::new();
        if !stream.left_out().is_empty() {
            let left_out: Vec<String> =
                stream.left_out().iter().map(|n| format!("{n:?}")).collect();
            let left_out = left_out.join(", ");
            notes.push(format!("column(s) that the model does not know are left out: {left_out}"));
        }
        let titles: Vec<String> = (1..=model.model().dims()).map(|i| format!("f{i}")).collect();
        let start = Instant::now();
        let (mut rows, mut left_out, mut filled) = (0, 0, Filled::default());
        let mut embed_all = |push: &mut Push<'_>| -> Result<(), Failure> {
            let most = (VALUES / names.len()).clamp(1, MOST_ROWS).next_multiple_of(BLOCK);
            let mut piece = stream.next(most)?;
            let mut fraction = stream.fraction();
            while let Some(now) = piece {
                rows += now.rows;
                left_out += now.kept.as_ref().map_or(0, |kept| now.rows - kept.len());
                // The next rows are read while these are worked on.
                let stream = &mut stream;
                let (done, next) = thread::scope(|scope| {
                    let next =
                        scope.spawn(move || stream.next(most).map(|p| (p, stream.fraction())));
                    let done = self.embed(&model, now, &mut filled);
                    (done, next.join())
                });
                push(&done?)?;
                // A thread of the standard library fails only by a panic, which has been told.
                let next = next.map_err(|_| Failure::Usage("reading failed".to_string()))?;
                let _ = bar.update(Stage::NewPoints, fraction);
                (piece, fraction) = next?;
            }
            Ok(())
        };
        if self.prints_results() {
            print_results(|out| {
                let mut table = TextRows::new(out, b',', &titles)?;
                embed_all(&mut |rows| Ok(table.push(rows)?))?;
                Ok(table.finish()?)
            })?;
        } else {
            let mut written = Outputs::default();
            add_rows(&mut written, &self.out, &titles, |table| {
                embed_all(&mut |rows| Ok(table.push(rows)?))
            })?;
            written.commit()?;
        }
        // What text is in may show late.
        notes.splice(0..0, stream.notes().iter().map(|note| note.told(&Typed)));
        let seconds = start.elapsed().as_secs_f64();
        drop(bar);
        if left_out > 0 {
            notes.push(format!("{left_out} row(s) with missing values stay empty"));
        }
        if filled.cells > 0 {
            notes.push(format!("{filled} are filled as those of the fit"));
        }
        if !self.quiet {
            let rate = rows as f64 / seconds.max(1e-9);
            let name = printable(&self.input.to_string_lossy());
            let new = rows - left_out;
            writeln!(out, "{name}: {new} new points in {seconds:.2} s, {rate:.0} a second")?;
            if !self.prints_results() {
                writeln!(out, "{}", wrote(&self.out))?;
            }
        }
        Ok(tell_notes(&notes, self.quiet, out)?)
    }

    /// The coordinates of the rows, one after another; NaN where a row is left out. What was missing and is filled is counted.
    fn embed(
        &self,
        model: &ModelFile,
        piece: Piece,
        filled: &mut Filled,
    ) -> nrdr::Result<Vec<f64>> {
        let Piece { start, rows, mut values, kept } = piece;
        let (columns, dims) = (model.columns(), model.model().dims());
        let mut all = vec![f64::NAN; rows * dims];
        if values.is_empty() {
            return Ok(all);
        }
        let work = || {
            with_threads(self.threads.map(usize::from), || {
                filled.add(&model.preparation().fill(&mut values));
                model.transform(Points::new(values, columns)?, &())
            })
        };
        let found = work().map_err(|error| in_whole(error, start, kept.as_ref()))?;
        match kept {
            None => Ok(found.values().to_vec()),
            Some(kept) => {
                for (i, row) in kept.iter().enumerate() {
                    all[row * dims..][..dims].copy_from_slice(found.row(i));
                }
                Ok(all)
            }
        }
    }
}

/// An error that names a row of a piece as one of the whole table.
fn in_whole(error: nrdr::Error, start: usize, kept: Option<&Vec<usize>>) -> nrdr::Error {
    let whole = |row: usize| {
        let row = kept.and_then(|kept| kept.get(row).copied()).unwrap_or(row);
        start + row
    };
    renumbered(error, whole)
}

/// An error with the row that it names, if it does, numbered anew.
pub fn renumbered(error: nrdr::Error, mut number: impl FnMut(usize) -> usize) -> nrdr::Error {
    match error {
        nrdr::Error::NotFinite { row, column, value } => {
            nrdr::Error::NotFinite { row: number(row), column, value }
        }
        nrdr::Error::NoDirection { metric, row } => {
            nrdr::Error::NoDirection { metric, row: number(row) }
        }
        nrdr::Error::NoLatitude { row, value } => {
            nrdr::Error::NoLatitude { row: number(row), value }
        }
        nrdr::Error::TooFar { row, value } => nrdr::Error::TooFar { row: number(row), value },
        other => other,
    }
}
