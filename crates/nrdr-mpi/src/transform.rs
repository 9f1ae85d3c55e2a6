//! `nrdr-mpi transform`: new points by a model; each member embeds its own rows.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use nrdr::team::{Team, join};
use nrdr::{Observer, Points, Stage, with_threads};
use nrdr_cli::shared::{Bar, Failure, Typed, names_of, renumbered, warn, wrote};
use nrdr_io::{Missing, RangedKind, Table};
use nrdr_model::{Filled, ModelFile};
use nrdr_write::printable;
use sha2::{Digest, Sha256};

use crate::embed::{name_of, shown};
use crate::identity::{self, Items};
use crate::manifest::{Manifest, Results};
use crate::options::Reading;
use crate::parts::{How, Parts};
use crate::rows;
use crate::together::{agreed, even, gathered};

/// Rows that are embedded at a time: what the library works on.
const BLOCK: usize = 1 << 14;

/// Embed new points that are spread over several processes, by a model of `nrdr embed --model`
///
/// Each process embeds its own rows, as `nrdr transform` does, bit for bit.
#[derive(Args)]
#[command(mut_arg("columns", |arg| {
    arg.help("Only these columns, by name or by number from 1; if called otherwise than the model's, in their order")
}))]
#[command(after_help = "\
Example:
  nrdr embed sample.parquet -d 3 --model roll.model
  mpirun -n 16 nrdr-mpi transform roll.model points/ -o out/")]
pub(crate) struct Transform {
    /// The model
    #[arg(value_name = "MODEL")]
    model: PathBuf,

    /// New points: a folder of .npy or .parquet parts, in the natural order of their names, or one such file
    #[arg(value_name = "POINTS")]
    input: PathBuf,

    /// Folder of the parts and the manifest
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,

    /// What the parts are written as [default: what those of the input are]
    #[arg(long, value_name = "FORMAT", value_parser = ["npy", "parquet"])]
    format: Option<String>,

    #[command(flatten)]
    reading: Reading,

    /// Number of threads of each process; the result does not depend on it [default: those of its host, shared evenly]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Say nothing unless something is wrong
    #[arg(short, long)]
    quiet: bool,
}

/// What a member found.
#[derive(Default)]
struct Done {
    rows: Vec<u64>,
    columns: Vec<Vec<f64>>,
    /// How many rows were left out.
    left_out: u64,
    filled: Filled,
    sum: [u64; 2],
}

impl Transform {
    /// How many threads are asked for.
    pub(crate) fn threads(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }

    pub(crate) fn run(&self, team: &dyn Team, out: &mut dyn Write) -> Result<(), Failure> {
        let speaks = team.rank() == 0;
        let bar = Bar::new("transform", self.quiet || !speaks);
        bar.message("reading");
        let read = || -> Result<_, Failure> {
            let model = ModelFile::read(&self.model)?;
            let names = names_of(&model)?;
            Ok((names, model))
        };
        let (names, model) = agreed(team, read())?;
        let mut options = self.reading.options(&[]);
        // What the model fills is no error; rows that are to be left out still are.
        if model.preparation().impute.is_some() && options.missing == Missing::Error {
            options.missing = Missing::Fill;
        }
        let parts = Parts::open(team, &self.input, How { options, wanted: Some(names) })?;
        let kind = match self.format.as_deref() {
            Some("npy") => RangedKind::Npy,
            Some("parquet") => RangedKind::Parquet,
            _ => parts.kind,
        };
        let results = Results::open(team, &self.out, kind, (&self.input, &parts.list))?;
        let run = self.items(&parts, &model, kind)?;
        results.check(&run)?;
        let start = Instant::now();
        let done = join(None, || self.embed(team, &parts, &model, &bar));
        let done = agreed(team, done)?;
        let mut run = run;
        run.push(identity::of_rows(&gathered(team, Ok(done.sum))?));
        results.check(&run)?;
        let filled = rows::filled(team, &parts, &done.rows, &done.columns);
        let left_out: u64 = gathered(team, Ok(done.left_out))?.into_iter().sum();
        let manifest = Manifest {
            version: 0,
            run,
            input: parts.list.clone(),
            columns: (1..=model.model().dims()).map(|i| format!("f{i}")).collect(),
            parts: Vec::new(),
            left_out,
            eigenvalues: Vec::new(),
            residual: Vec::new(),
        };
        let manifest = results.write(filled, manifest, |_| Ok(()))?;
        let cells = gathered(team, Ok((done.filled.cells as u64, done.filled.rows as u64)))?;
        drop(bar);
        if !speaks {
            return Ok(());
        }
        let mut notes = Vec::new();
        if left_out > 0 {
            notes.push(format!("{left_out} row(s) with missing values stay empty"));
        }
        let cells: u64 = cells.iter().map(|(cells, _)| cells).sum();
        if cells > 0 {
            notes.push(format!("{cells} missing value(s) are filled as those of the fit"));
        }
        if self.quiet {
            notes.iter().for_each(|note| warn(note));
            return Ok(());
        }
        let new = parts.rows() - left_out;
        let seconds = start.elapsed().as_secs_f64();
        let rate = new as f64 / seconds.max(1e-9);
        let name = printable(&name_of(&self.input));
        writeln!(out, "{name}: {new} new points in {seconds:.2} s, {rate:.0} a second")?;
        let files = manifest.parts.len();
        writeln!(out, "{}: {files} part(s) and the manifest", wrote(&self.out))?;
        notes.iter().try_for_each(|note| writeln!(out, "note: {}", printable(note)))?;
        Ok(())
    }

    /// Which run it is.
    fn items(&self, parts: &Parts, model: &ModelFile, kind: RangedKind) -> Result<Items, Failure> {
        let sum = Sha256::digest(model.to_bytes()?);
        let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        let names = parts.list.iter().map(|part| part.name.as_str()).collect::<Vec<_>>();
        let items = [
            ("the version of nrdr", env!("CARGO_PKG_VERSION").to_string()),
            ("the input", format!("{} rows in {} part(s)", parts.rows(), parts.list.len())),
            ("the parts", names.join(",")),
            ("the columns", parts.names.join(",")),
            ("method", format!("{} by a model", model.model().method().name)),
            ("the model", sum),
            ("format", kind.ending().to_string()),
        ];
        Ok(items.map(|(name, value)| (name.to_string(), value)).to_vec())
    }

    /// The coordinates of the member's rows.
    fn embed(
        &self,
        team: &dyn Team,
        parts: &Parts,
        model: &ModelFile,
        bar: &Bar,
    ) -> Result<Done, Failure> {
        let starts = even(parts.rows(), team.size());
        let (start, end) = (starts[team.rank()], starts[team.rank() + 1]);
        let mut done = Done { columns: vec![Vec::new(); model.model().dims()], ..Done::default() };
        parts.each(start..end, |first, table| {
            let read = first + (table.rows + table.dropped) as u64;
            self.embed_piece(parts, model, first, table, &mut done)?;
            let fraction = (read - start) as f64 / (end - start).max(1) as f64;
            let _ = bar.update(Stage::NewPoints, fraction);
            Ok(())
        })?;
        Ok(done)
    }

    fn embed_piece(
        &self,
        parts: &Parts,
        model: &ModelFile,
        first: u64,
        table: Table,
        done: &mut Done,
    ) -> Result<(), Failure> {
        let Table { mut values, kept, dropped, rows, .. } = table;
        let number = |i: usize| first + kept.as_ref().map_or(i as u64, |kept| u64::from(kept[i]));
        let columns = model.columns();
        done.left_out += dropped as u64;
        for from in (0..rows).step_by(BLOCK) {
            let to = rows.min(from + BLOCK);
            let block = &mut values[from * columns..to * columns];
            for (i, row) in block.chunks_exact(columns).enumerate() {
                let hashed = crate::parts::hash(number(from + i), row);
                done.sum.iter_mut().zip(hashed).for_each(|(s, h)| *s = s.wrapping_add(h));
            }
            let found = with_threads(self.threads(), || {
                done.filled.add(&model.preparation().fill(block));
                model.transform(Points::new(block.to_vec(), columns)?, &())
            });
            let found = found.map_err(|error| self.placed(parts, error, &|i| number(from + i)))?;
            done.rows.extend((from..to).map(number));
            for (at, column) in done.columns.iter_mut().enumerate() {
                column.extend(found.column(at));
            }
        }
        Ok(())
    }

    /// An error of a row, told with its part and its place there.
    fn placed(&self, parts: &Parts, error: nrdr::Error, number: &dyn Fn(usize) -> u64) -> Failure {
        let mut part = None;
        let error = renumbered(error, |row| {
            let row = number(row);
            let at = parts.part_of(row);
            part = Some(at);
            (row - parts.starts[at]) as usize
        });
        match part {
            Some(part) => {
                Failure::Usage(format!("{}: {}", shown(&parts.path(part)), error.told(&Typed)))
            }
            None => error.into(),
        }
    }
}
