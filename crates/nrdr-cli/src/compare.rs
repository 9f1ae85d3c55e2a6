//! `nrdr compare`: the strategies side by side.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{ArgAction, Args};
use nrdr::{Known, Points, Prepared, Strategy};
use nrdr_report::facts::{Measured, Row};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::bar::Bar;
use crate::best::{BestBy, bests, tell_bests};
use crate::failure::Failure;
use crate::found::{Found, predictable, title, verdict};
use crate::json::{self, About};
use crate::options::method::MethodArgs;
use crate::options::outputs::{Outputs, named, wrote};
use crate::options::reading::{notes_of, tell_notes};
use crate::options::run::RunArgs;
use crate::options::source::{Loaded, Source};
use crate::options::strategy;
use crate::report::Report;
use crate::terminal;
use crate::words::{Typed, by_metric};
use nrdr_io::{self as io, ReadOptions};
use nrdr_write::{Outputs as Written, printable};

/// Run several strategies on the same points and measure what they found
///
/// The graph of neighbours is built once. Told are, for each strategy: how predictable the most predictable coordinate is
/// from the earlier ones; trustworthiness and continuity of the 10 nearest neighbours, and the share of them that is kept (1
/// is best); with --label, the share of labels that neighbours tell; with --truth, or with generated data, R2 of each true parameter.
/// Below stands which strategy is best by each measure, and which are as good within the sampling error.
#[derive(Args)]
#[command(after_help = "\
Examples:
  nrdr compare data.csv --label species --report compare.html
  nrdr compare --dataset swiss-roll --height 10 --strategies orthogonal,priced")]
pub(crate) struct Compare {
    #[command(flatten)]
    source: Source,

    #[command(flatten)]
    method: MethodArgs,

    /// The strategies
    #[arg(long, value_name = "NAMES", value_delimiter = ',', action = ArgAction::Set)]
    #[arg(default_value = strategy::all(), value_parser = strategy::names())]
    strategies: Vec<String>,

    #[command(flatten)]
    run: RunArgs,

    /// Table of true parameters, a row for each point
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    truth: Option<PathBuf>,

    #[command(flatten)]
    outputs: Outputs,
}

/// A strategy that was tried, and what came of it.
struct Tried {
    strategy: Strategy,
    result: nrdr::Result<Measured>,
}

impl Tried {
    fn found(&self) -> Option<&Found> {
        self.result.as_ref().ok().map(|measured| &measured.found)
    }
}

/// What the file tells.
#[derive(Serialize)]
struct Told<'t> {
    version: &'static str,
    command: &'t str,
    rows: usize,
    standardized: bool,
    notes: Vec<String>,
    strategies: Vec<Row>,
    best: &'t [BestBy],
    config: &'t Map<String, Value>,
}

impl Compare {
    pub(crate) fn run(&self, about: &About, out: &mut impl Write) -> Result<(), Failure> {
        let outputs = named([&self.outputs.report, &self.outputs.json]);
        let source = &self.source;
        let inputs = [source.file(), source.labels_file(), self.truth.as_deref()];
        self.outputs.check(&outputs, &inputs)?;
        let method = self.method.build()?;
        let mut options = self.run.options();
        let points = self.source.points();
        let fewer = points.and_then(|points| self.run.fit(&mut options, method.as_ref(), points));
        method.check_all(points.unwrap_or(usize::MAX), options.neighbors)?;
        let strategies = self.strategies.iter().map(|name| self.run.strategy(name));
        let strategies = strategies.collect::<Result<Vec<Strategy>, Failure>>()?;
        let bar = Bar::new(method.name(), self.outputs.quiet);
        bar.message("reading");
        let mut loaded = self.source.load(self.run.seed, &[])?;
        let points = loaded.points.rows();
        let fewer = fewer.or_else(|| self.run.fit(&mut options, method.as_ref(), points));
        let about = &about.with_neighbors(options.neighbors);
        if let Some(file) = &self.truth {
            let (truth, notes) = read_truth(file, &loaded, self.source.na())?;
            loaded.truth = Some(truth);
            loaded.notes.extend(notes);
        }
        let known = Known {
            parameters: loaded.truth.as_ref().map(|(_, table)| table),
            labels: loaded.known.judged_by(),
        };
        let prepared = Prepared::new(&loaded.points, method.as_ref(), &options)?.observed(&bar);
        let results = prepared.compare(&strategies, known)?;
        drop(prepared);
        drop(bar);
        let parameters = loaded.truth.as_ref().map(|(names, _)| names.as_slice());
        let bests = bests(&strategies, &results, parameters.unwrap_or_default());
        let tellable = loaded.tellable();
        let measured = |result: nrdr::Result<nrdr::Compared>| {
            let mut measured = Measured::from(result?);
            measured.found.embedding.warnings.splice(0..0, fewer.clone());
            measured.found.explain(&tellable, self.run.seed)?;
            Ok(measured)
        };
        let results: Vec<nrdr::Result<Measured>> = results.into_iter().map(measured).collect();
        let tried = strategies.into_iter().zip(results);
        let tried: Vec<Tried> =
            tried.map(|(strategy, result)| Tried { strategy, result }).collect();
        if let Some(Tried { result: Err(error), .. }) = tried.first()
            && tried.iter().all(|one| one.result.is_err())
        {
            return Err(error.clone().into());
        }
        let mut written = Written::default();
        if let Some(file) = &self.outputs.json {
            let text = json::text(&told(about, &loaded, &tried, &bests))?;
            written.add(file, |out| out.write_all(text.as_bytes()))?;
        }
        if let Some(file) = &self.outputs.report {
            let text = report(about, &loaded, &tried, self.run.seed)?;
            written.add(file, |out| out.write_all(text.as_bytes()))?;
        }
        written.commit()?;
        if self.outputs.quiet {
            tell_notes(&loaded.remarks, true, out)?;
            tell_notes(&loaded.notes, true, out)?;
            warn(&tried);
            return Ok(());
        }
        writeln!(out, "{}", printable(&loaded.headline()))?;
        writeln!(out, "{}{}", method.about(), by_metric(options.metric))?;
        tell_notes(&loaded.remarks, false, out)?;
        writeln!(out)?;
        table(&loaded, &tried, out)?;
        tell_bests(&bests, tried.iter().filter_map(Tried::found).count(), out)?;
        tell_notes(&loaded.notes, false, out)?;
        warn(&tried);
        outputs.iter().try_for_each(|file| writeln!(out, "{}", wrote(file)))?;
        Ok(())
    }
}

fn told<'t>(about: &'t About, loaded: &Loaded, tried: &[Tried], bests: &'t [BestBy]) -> Told<'t> {
    let names = loaded.truth.as_ref().map(|(names, _)| names.as_slice()).unwrap_or_default();
    let row = |Tried { strategy, result }: &Tried| {
        let result = result.as_ref().map_err(|error| error.told(&Typed));
        Row::new(strategy.name(), result, names, &Typed)
    };
    Told {
        version: env!("CARGO_PKG_VERSION"),
        command: &about.command,
        rows: loaded.total,
        standardized: loaded.preparation.standardize.is_some(),
        notes: loaded.all_notes(),
        strategies: tried.iter().map(row).collect(),
        best: bests,
        config: &about.config,
    }
}

/// Names and values of the true parameters.
type Truth = (Vec<String>, Points);

/// The true parameters of the rows that are embedded, and what was left out of their table.
fn read_truth(
    file: &Path,
    loaded: &Loaded,
    na: Vec<String>,
) -> Result<(Truth, Vec<String>), Failure> {
    let missing = match loaded.kept {
        Some(_) => io::Missing::Drop,
        None => io::Missing::Error,
    };
    // Options that choose columns and rows are those of the input: this table is to be as it should.
    let mended = |error: io::IoError| {
        Failure::Usage(format!("{}: mend the table of true parameters", error.what()))
    };
    let table =
        io::read(file, &ReadOptions { missing, na, ..Default::default() }).map_err(mended)?;
    let (rows, total) = (table.rows + table.dropped, loaded.total);
    let wrong = |what: String, way_out: &str| {
        Err(Failure::Usage(format!("{} {what}: {way_out}", file.display())))
    };
    if rows != total {
        return wrong(
            format!("has {rows} rows, but the input has {total}"),
            "give a row for each point",
        );
    }
    if table.names.is_empty() {
        return wrong("has no column of numbers".to_string(), "give true parameters as numbers");
    }
    let of_truth = |note| format!("{}: {note}", file.display());
    let notes = notes_of(&table).into_iter().map(of_truth).collect();
    let truth = Points::new(table.values, table.names.len())?;
    let Some(kept) = &loaded.kept else { return Ok(((table.names, truth), notes)) };
    // Where each row of the input went, in the table of those that are complete.
    let there = table.kept.unwrap_or_else(|| (0..rows as u32).collect());
    let places: Option<Vec<u32>> =
        kept.iter().map(|row| there.binary_search(row).ok().map(|at| at as u32)).collect();
    match places {
        Some(places) => Ok(((table.names, truth.select(&places)), notes)),
        None => wrong("lacks values of rows that are embedded".to_string(), "fill them in"),
    }
}

fn table(loaded: &Loaded, tried: &[Tried], out: &mut impl Write) -> Result<(), Failure> {
    let names = loaded.truth.iter().flat_map(|(names, _)| names);
    let names: Vec<String> = names.map(|name| printable(name)).collect();
    write!(out, "strategy       coordinates  predictable  trustworthy  continuous  kept")?;
    if loaded.known.judged_by().is_some() {
        write!(out, "  labels")?;
    }
    for name in &names {
        write!(out, "  R2({name})")?;
    }
    writeln!(out, "  seconds")?;
    for Tried { strategy, result } in tried {
        let name = strategy.name();
        let measured = match result {
            Ok(measured) => measured,
            Err(error) => {
                writeln!(out, "{name:<14} - {}", error.told(&Typed))?;
                continue;
            }
        };
        let found = &measured.found;
        let least = found.errors().iter().skip(1).copied().reduce(f64::min);
        let share = least.map_or("-".to_string(), |e| format!("{:.0} %", predictable(e)));
        let preserved = measured.quality.preservation;
        write!(
            out,
            "{name:<14} {:>11} {share:>12} {:>12.3} {:>11.3} {:>5.2}",
            found.embedding.dims(),
            preserved.trustworthiness,
            preserved.continuity,
            preserved.neighborhoods,
        )?;
        if let Some(accuracy) = measured.quality.accuracy {
            write!(out, " {accuracy:>7.3}")?;
        }
        for (name, recovered) in names.iter().zip(&measured.recovered) {
            write!(out, " {recovered:>width$.2}", width = name.chars().count() + 5)?;
        }
        writeln!(out, " {:>8.2}", found.embedding.time().as_secs_f64())?;
    }
    writeln!(
        out,
        "\npredictable: of the most predictable coordinate, in percent of its variance, from the earlier ones\n"
    )?;
    Ok(())
}

/// What should be known of the embeddings, once each, with the strategies that it is about.
fn warn(tried: &[Tried]) {
    let mut warnings: Vec<(String, Vec<&str>)> = Vec::new();
    let found: Vec<&Found> = tried.iter().filter_map(Tried::found).collect();
    for embedding in found.iter().map(|found| &found.embedding) {
        for text in embedding.warnings.iter().map(|warning| warning.told(&Typed)) {
            match warnings.iter_mut().find(|(other, _)| *other == text) {
                Some((_, names)) => names.push(embedding.strategy),
                None => warnings.push((text, vec![embedding.strategy])),
            }
        }
    }
    for (text, names) in warnings {
        if names.len() == found.len() {
            terminal::warn(&text);
        } else {
            terminal::warn(&format!("{}: {text}", names.join(", ")));
        }
    }
}

/// The text of the page.
fn report(about: &About, loaded: &Loaded, tried: &[Tried], seed: u64) -> Result<String, Failure> {
    let found: Vec<&Found> = tried.iter().filter_map(Tried::found).collect();
    let by_name = |name: &str| found.iter().copied().find(|found| found.embedding.strategy == name);
    let Some(ours) = by_name(strategy::usual()).or(found.last().copied()) else {
        return Err(Failure::Usage("no strategy has found anything".to_string()));
    };
    let original =
        found.iter().copied().find(|found| title(found.embedding.strategy) == "original");
    let original =
        original.filter(|original| original.embedding.strategy != ours.embedding.strategy);
    let verdict =
        format!("{}: {}", title(ours.embedding.strategy), verdict(ours, original, &Typed));
    let failed = tried.iter().filter_map(|Tried { strategy, result }| {
        let error = result.as_ref().err()?;
        Some(format!("{}: {}", title(strategy.name()), error.told(&Typed)))
    });
    let failed = failed.collect();
    let strategy = ours.embedding.strategy;
    let ours = found.iter().position(|found| found.embedding.strategy == strategy).unwrap_or(0);
    Report { about, loaded, verdict, found, ours, failed, seed }.html()
}
