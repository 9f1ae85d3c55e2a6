//! `nrdr demo`: embeds a Swiss roll and tells what happened.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, value_parser};
use nrdr::datasets::{Dataset, SwissRoll};
use nrdr::method::Needs;
use nrdr::number::rounded;
use nrdr::quality::recovery;
use nrdr::{Coordinate, Embedding, Error, Method, Options, Points, Prepared, Strategy, Warning};

use crate::bar::Bar;
use crate::failure::Failure;
use crate::found::{self, Found};
use crate::json::About;
use crate::options::method::{methods, names};
use crate::options::outputs::{make_folder, wrote};
use crate::options::run::memory;
use crate::options::source::Loaded;
use crate::words::Typed;
use crate::{report, terminal};
use nrdr_write::{check_place, write_atomically};

/// A narrow, slightly noisy sheet: on a wide one without noise LLE, Hessian LLE and LTSA find both
/// parameters.
const HEIGHT: f64 = 10.0;
const NOISE: f64 = 0.3;

/// Neighbours of a point, unless the points are fewer.
const NEIGHBORS: usize = 12;

/// With this R2 a parameter counts as found, and below the other as lost.
const FOUND: f64 = 0.9;
const LOST: f64 = 0.5;

/// The file of the report.
const REPORT: &str = "report.html";

const MEANING: &str = "\
R2: how well the embedding tells t, or the height, of a point (the mean over its 10 nearest
neighbours in the embedding, itself left out). 1 is perfectly, 0 or less is not at all.";

/// Embed a Swiss roll by every method, or by one in detail
///
/// The roll is a flat sheet, rolled up in three dimensions. Each of its points is made from two
/// numbers, the angle t along the roll and the height across it, and a little noise. A good
/// embedding in two dimensions finds both numbers.
#[derive(Args)]
#[command(after_help = "\
Examples:
  nrdr demo
  nrdr demo --out demo             and open demo/report.html
  nrdr demo --method lem --points 5000")]
pub(crate) struct Demo {
    /// Show one method in detail, instead of all in a table
    #[arg(long, value_name = "NAME", value_parser = names())]
    method: Option<String>,

    /// Write a report of the roll, original beside non-redundant, to report.html in this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Number of points
    #[arg(short = 'n', long, default_value_t = 2000)]
    #[arg(value_parser = value_parser!(u32).range(2..=10_000_000))]
    points: u32,

    /// Number of coordinates
    #[arg(short, long, default_value_t = 2)]
    dims: usize,

    /// Number of nearest neighbours [default: 12, or all others of fewer points]
    #[arg(short = 'k', long)]
    neighbors: Option<usize>,

    /// Start of the random numbers
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Number of threads of the embedding [default: all cores]
    #[arg(long, value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Memory that an embedding may take, such as 8G or 512M [default: three quarters of what is available]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<u64>,
}

impl Demo {
    /// Runs the demonstration and writes what happened to `out`.
    pub(crate) fn run(&self, about: &About, out: &mut impl Write) -> Result<(), Failure> {
        if let Some(folder) = &self.out {
            make_folder(folder)?;
            check_place(&folder.join(REPORT), &[])?;
        }
        let n = self.points as usize;
        let roll = SwissRoll { n, height: HEIGHT, noise: NOISE, hole: false };
        let data = roll.generate(self.seed)?;
        if self.neighbors.is_none() && self.neighbors() < NEIGHBORS {
            let taken = self.neighbors();
            terminal::warn(&Warning::FewerNeighbors { wanted: NEIGHBORS, taken }.told(&Typed));
        }
        let words = format!(
            "Data: a Swiss roll, {n} points in {} dimensions (height {HEIGHT}, noise {NOISE}, seed {})",
            data.points.columns(),
            self.seed,
        );
        let written = match &self.out {
            Some(folder) => Some(self.report(&data, &folder.join(REPORT), about)?),
            None => None,
        };
        match &self.method {
            None => self.compare(&data, &words, out)?,
            Some(name) => methods()
                .filter(|method| method.name() == name)
                .try_for_each(|method| self.explain(&data, &words, method.as_ref(), out))?,
        }
        match written {
            Some(words) => Ok(writeln!(out, "\n{words}")?),
            None => Ok(()),
        }
    }

    /// Writes the report of one method.
    fn report(&self, data: &Dataset, file: &Path, about: &About) -> Result<String, Failure> {
        let name = self.method.as_deref().unwrap_or("lem");
        let (method, options) = (nrdr::method::by_name(name)?, self.options());
        let bar = Bar::new(name, false);
        let prepared = Prepared::new(&data.points, method.as_ref(), &options)?.observed(&bar);
        let strategies = [Strategy::orthogonal(), Strategy::default()];
        let embeddings = strategies.iter().map(|strategy| prepared.embed(strategy));
        let embeddings = embeddings.collect::<nrdr::Result<Vec<_>>>()?;
        let mut found = Found::all(embeddings, &data.points, None, self.seed, &bar)?;
        let loaded = Loaded::generated("Swiss roll".to_string(), data.clone());
        found.iter_mut().try_for_each(|found| found.explain(&loaded.tellable(), self.seed))?;
        let page = report::Report {
            about,
            loaded: &loaded,
            verdict: found::verdict(&found[1], Some(&found[0]), &Typed),
            found: found.iter().collect(),
            ours: 1,
            failed: Vec::new(),
            seed: self.seed,
        };
        let text = page.html()?;
        write_atomically(file, |out| out.write_all(text.as_bytes()))?;
        Ok(format!("{}\n{}", page.verdict, wrote(file)))
    }

    /// As many neighbours as are typed, or as the points have.
    fn neighbors(&self) -> usize {
        self.neighbors.unwrap_or(NEIGHBORS.min(self.points as usize - 1))
    }

    fn options(&self) -> Options {
        Options {
            dims: self.dims.into(),
            neighbors: self.neighbors(),
            seed: self.seed,
            threads: self.threads.map(usize::from),
            memory: self.memory,
            ..Default::default()
        }
    }

    fn embed(
        &self,
        data: &Dataset,
        method: &dyn Method,
        strategy: &Strategy,
    ) -> nrdr::Result<Embedding> {
        let (options, bar) = (self.options(), Bar::new(method.name(), false));
        Prepared::new(&data.points, method, &options)?.observed(&bar).embed(strategy)
    }

    /// All methods, a line each.
    fn compare(&self, data: &Dataset, about: &str, out: &mut impl Write) -> Result<(), Failure> {
        let (dims, neighbors) = (&self.dims, self.neighbors());
        let (mut wasteful, mut originals) = (Vec::new(), Vec::new());
        let mut notes: Vec<(String, Vec<&str>)> = Vec::new();
        for (i, method) in methods().enumerate() {
            let name = method.name();
            let embedding = match self.embed(data, method.as_ref(), &Strategy::orthogonal()) {
                Ok(embedding) => Some(embedding),
                // Limits of this method alone: the others may still do.
                Err(
                    error @ (Error::NotEnoughMemory { .. }
                    | Error::TooFewNeighbors { .. }
                    | Error::NotConverged { .. }
                    | Error::Solver { .. }),
                ) => {
                    notes.push((error.told(&Typed), Vec::new()));
                    None
                }
                Err(error) => return Err(error.into()),
            };
            // Not before: what is wrong with the options shows in the first method.
            if i == 0 {
                writeln!(out, "{about}")?;
                writeln!(
                    out,
                    "Methods in their original form: {dims} coordinate(s), {neighbors} neighbours\n"
                )?;
                writeln!(out, "method  solver        seconds  residual  R2(t)  R2(height)")?;
            }
            let Some(embedding) = embedding else {
                writeln!(out, "{name:<7} -")?;
                continue;
            };
            let [t, height] = scores(&embedding, data)?;
            let residuals = embedding.coordinates.iter().map(|c| c.residual);
            writeln!(
                out,
                "{name:<7} {:<13} {:>7.3} {:>9.0e} {t:>6.2} {height:>11.2}",
                embedding.solver,
                embedding.time().as_secs_f64(),
                residuals.fold(0.0, f64::max),
            )?;
            if *dims > 1 && t >= FOUND && height < LOST {
                wasteful.push(name);
            }
            for warning in embedding.warnings.iter().map(|warning| warning.told(&Typed)) {
                match notes.iter_mut().find(|(note, _)| *note == warning) {
                    Some((_, names)) => names.push(name),
                    None => notes.push((warning, vec![name])),
                }
            }
            originals.push((method, embedding));
        }
        remarks(&wasteful, notes, out)?;
        if *dims == 1 { Ok(()) } else { self.contrast(data, &originals, out) }
    }

    /// The original coordinates beside non-redundant ones.
    fn contrast(
        &self,
        data: &Dataset,
        originals: &[(Box<dyn Method>, Embedding)],
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let strategy = Strategy::default();
        writeln!(
            out,
            "\nNon-redundant: {} (strategy {})\n",
            strategy.about().help,
            strategy.name()
        )?;
        writeln!(out, "          coordinate 2 from 1      height found")?;
        writeln!(out, "method    original      ours    original   ours")?;
        for (method, original) in originals {
            let name = method.name();
            let ours = match self.embed(data, method.as_ref(), &strategy) {
                Ok(ours) => ours,
                Err(error @ (Error::NotConverged { .. } | Error::TooManyCoordinates { .. })) => {
                    writeln!(out, "{name:<7} - {}", error.told(&Typed))?;
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            let predicted = |embedding: &Embedding| {
                let (first, rest) = embedding.coordinates.split_at(1);
                recovered(first, &[&rest[0].values]).map(|found| found[0])
            };
            writeln!(
                out,
                "{name:<7} {:>10.2} {:>9.2} {:>11.2} {:>6.2}",
                predicted(original)?,
                predicted(&ours)?,
                scores(original, data)?[1],
                scores(&ours, data)?[1],
            )?;
        }
        Ok(())
    }

    /// One method, with all that is known about its run.
    fn explain(
        &self,
        data: &Dataset,
        about: &str,
        method: &dyn Method,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let embedding = self.embed(data, method, &Strategy::orthogonal())?;
        let neighbors = match method.needs() {
            Needs::Graph | Needs::Neighborhoods => format!(", {} neighbours", self.neighbors()),
            Needs::Points | Needs::Matrix => String::new(),
        };
        writeln!(out, "{about}")?;
        writeln!(out, "Method: {}, in its original form{neighbors}", method.about())?;
        for (name, value) in &embedding.chosen {
            writeln!(out, "Chosen: {name} = {}", rounded(*value, 6))?;
        }
        writeln!(out, "Solver: {}\n", embedding.solver)?;
        writeln!(out, "coordinate     eigenvalue  residual  iterations  R2 from earlier ones")?;
        for (i, c) in embedding.coordinates.iter().enumerate() {
            let predicted = match i {
                0 => "-".to_string(),
                _ => format!("{:.2}", recovered(&embedding.coordinates[..i], &[&c.values])?[0]),
            };
            writeln!(
                out,
                "{:>10} {:>14.6e} {:>9.0e} {:>11} {predicted:>21}",
                i + 1,
                c.eigenvalue,
                c.residual,
                c.iterations,
            )?;
        }
        let stages = embedding.times.iter();
        let seconds = stages.map(|(stage, time)| format!("{stage} {:.3}", time.as_secs_f64()));
        writeln!(out, "\nSeconds: {}", seconds.collect::<Vec<_>>().join(", "))?;
        for warning in &embedding.warnings {
            terminal::warn(&warning.told(&Typed));
        }
        let [t, height] = scores(&embedding, data)?;
        writeln!(out, "Found: R2(t) = {t:.2}, R2(height) = {height:.2}")?;
        writeln!(out, "\n{MEANING}\n{}", verdict(t, height))?;
        Ok(())
    }
}

/// What is to be said below the table; notes stand with the methods they are about.
fn remarks(
    wasteful: &[&str],
    notes: Vec<(String, Vec<&str>)>,
    out: &mut impl Write,
) -> Result<(), Failure> {
    writeln!(out, "\n{MEANING}")?;
    if !wasteful.is_empty() {
        let names = wasteful.join(", ");
        writeln!(out, "The height is not found by {names}: they spend every coordinate on t.")?;
    }
    for (note, names) in notes {
        let colon = if names.is_empty() { "" } else { ": " };
        writeln!(out, "Note: {}{colon}{note}", names.join(", "))?;
    }
    Ok(())
}

/// How well t and the height are recovered.
fn scores(embedding: &Embedding, data: &Dataset) -> nrdr::Result<[f64; 2]> {
    let (t, height) = (data.truth.column(0), data.truth.column(1));
    let found = recovered(&embedding.coordinates, &[&t, &height])?;
    Ok([found[0], found[1]])
}

/// How well some coordinates tell each target.
fn recovered(coordinates: &[Coordinate], targets: &[&[f64]]) -> nrdr::Result<Vec<f64>> {
    let columns: Vec<&[f64]> = coordinates.iter().map(|c| c.values.as_slice()).collect();
    recovery(&Points::from_columns(&columns)?, targets)
}

/// What the two scores mean, in a sentence.
fn verdict(t: f64, height: f64) -> String {
    let word = |score: f64| match score {
        FOUND.. => "found",
        LOST.. => "partly found",
        _ => "not found",
    };
    let end = match (t >= FOUND, height >= FOUND, height < LOST) {
        (true, true, _) => ": the sheet is unrolled",
        (true, _, true) => ": every coordinate is spent on t",
        _ => "",
    };
    format!("t is {}, the height is {}{end}.", word(t), word(height))
}
