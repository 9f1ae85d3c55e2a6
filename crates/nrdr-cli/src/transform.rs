//! `nrdr transform`: coordinates of new points, by a model that `nrdr embed --model` wrote.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use clap::Args;
use nrdr::{Model, Observer, Points, Stage};

use crate::bar::Bar;
use crate::failure::Failure;
use crate::inspect;
use crate::io::{Piece, Stream, check_appendable, check_place, invented, write_rows};
use crate::options::reading::Reading;
use crate::preparation::Preparation;

/// Values that are in memory at a time, about, and the most rows.
const VALUES: usize = 4 << 20;
const MOST_ROWS: usize = 1 << 16;
/// Rows come in multiples of this: what the library works on at a time.
const BLOCK: usize = 128;

/// Embed new points by a model: what `nrdr embed --model` wrote, and a table of any length in, coordinates out
///
/// Columns are found by their names where both the model and the table have them, or else by their places. Everything
/// that was done to the columns before, such as --standardize and --pca, is done again.
#[derive(Args)]
#[command(after_help = "\
Examples:
  nrdr embed old.csv -d 3 --model roll.model
  nrdr transform roll.model new.csv -o new-embedding.csv
  zcat huge.csv.gz | nrdr transform roll.model - -o huge.parquet")]
pub(crate) struct Transform {
    /// The model
    #[arg(value_name = "MODEL")]
    model: PathBuf,

    /// New points: .csv .tsv .npy .parquet .idx of any length (also .gz of text and .idx), .npz, .mat, a folder of images,
    /// or - for CSV on standard input
    #[arg(value_name = "NEW")]
    input: PathBuf,

    /// File of the coordinates f1,f2,..: .csv .tsv .npy .parquet
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
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        check_place(&self.out, &[&self.model, &self.input])?;
        check_appendable(&self.out)?;
        let bar = Bar::new("transform", self.quiet);
        bar.message("reading");
        let model = inspect::load(&self.model)?;
        let (preparation, names) = Preparation::of(&model)?;
        let (mut stream, order) = self.open(&names)?;
        let titles: Vec<String> = (1..=model.dims()).map(|i| format!("f{i}")).collect();
        let start = Instant::now();
        let mut rows = 0;
        write_rows(&self.out, &titles, |sink| -> Result<(), Failure> {
            let most = (VALUES / stream.names.len()).clamp(1, MOST_ROWS).next_multiple_of(BLOCK);
            let mut piece = stream.next(most)?;
            let mut fraction = stream.fraction();
            while let Some(now) = piece {
                rows += now.rows;
                // The next rows are read while these are worked on.
                let stream = &mut stream;
                let (done, next) = thread::scope(|scope| {
                    let next =
                        scope.spawn(move || stream.next(most).map(|p| (p, stream.fraction())));
                    let done = self.embed(&model, &preparation, &order, &now);
                    (done, next.join())
                });
                sink.push(&done?)?;
                // A thread of the standard library fails only by a panic, which has been told.
                let next = next.map_err(|_| Failure::Usage("reading failed".to_string()))?;
                let _ = bar.update(Stage::NewPoints, fraction);
                (piece, fraction) = next?;
            }
            Ok(())
        })?;
        let seconds = start.elapsed().as_secs_f64();
        drop(bar);
        if !self.quiet {
            let rate = rows as f64 / seconds.max(1e-9);
            let name = self.input.display();
            writeln!(out, "{name}: {rows} new points in {seconds:.2} s, {rate:.0} a second")?;
            writeln!(out, "wrote {}", self.out.display())?;
        }
        Ok(())
    }

    /// The table, and where in it each of the model's columns is.
    fn open(&self, wanted: &[String]) -> Result<(Stream, Vec<usize>), Failure> {
        let mut options = self.reading.options();
        let mut stream = Stream::open(&self.input, &options)?;
        let named = |names: &[String]| -> Option<Vec<usize>> {
            let place = |name: &String| {
                let mut places = (0..names.len()).filter(|&j| names[j] == *name);
                places.next().filter(|_| places.next().is_none())
            };
            wanted.iter().map(place).collect()
        };
        if let Some(order) = named(&stream.names) {
            let again = self.input != Path::new("-") && stream.names.len() > wanted.len();
            if again {
                // Other columns need not even be complete.
                options.columns = Some(wanted.to_vec());
                stream = Stream::open(&self.input, &options)?;
                if let Some(order) = named(&stream.names) {
                    return Ok((stream, order));
                }
            }
            return Ok((stream, order));
        }
        let (got, expected) = (stream.names.len(), wanted.len());
        let missing = wanted.iter().find(|name| !stream.names.contains(name));
        let input = self.input.display();
        if got != expected {
            let missing = missing.map_or_else(String::new, |name| format!("; {name:?} is missing"));
            return Err(Failure::Usage(format!(
                "{input} has {got} column(s) of numbers, but the model was fitted to {expected}{missing}: choose the same ones with --columns or --drop"
            )));
        }
        match missing {
            Some(name)
                if !invented(wanted)
                    && !invented(&stream.names)
                    && self.reading.only.columns.is_none() =>
            {
                Err(Failure::Usage(format!(
                    "{input} has no column {name:?}, which the model needs: name the columns as `nrdr inspect` shows them, or choose them with --columns"
                )))
            }
            _ => Ok((stream, (0..expected).collect())),
        }
    }

    /// The coordinates of the rows, one after another; NaN where a row is left out.
    fn embed(
        &self,
        model: &Model,
        preparation: &Preparation,
        order: &[usize],
        piece: &Piece,
    ) -> nrdr::Result<Vec<f64>> {
        let dims = model.dims();
        let mut all = vec![f64::NAN; piece.rows * dims];
        if piece.values.is_empty() {
            return Ok(all);
        }
        let columns = piece.values.len() / piece.kept.as_ref().map_or(piece.rows, Vec::len);
        let rows = piece.values.chunks_exact(columns);
        let values = rows.flat_map(|row| order.iter().map(|&j| row[j])).collect();
        let quiet = |_: Stage, _: f64| std::ops::ControlFlow::Continue(());
        let work = || {
            let points = preparation.apply(Points::new(values, order.len())?)?;
            model.transform_observed(&points, self.threads.map(usize::from), &quiet)
        };
        let found = work().map_err(|error| in_whole(error, piece))?;
        match &piece.kept {
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

/// An error that names a row of the piece as one of the whole table.
fn in_whole(error: nrdr::Error, piece: &Piece) -> nrdr::Error {
    match error {
        nrdr::Error::NotFinite { row, column, value } => {
            let row = piece.kept.as_ref().and_then(|kept| kept.get(row).copied()).unwrap_or(row);
            nrdr::Error::NotFinite { row: piece.start + row, column, value }
        }
        other => other,
    }
}
