//! `nrdr embed`: files in, an embedding and a report out.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use nrdr::{Embedding, Method, Model, Strategy, embed_observed, embed_strategies, fit_observed};

use crate::bar::Bar;
use crate::failure::Failure;
use crate::found::{Found, predictable, title, verdict};
use crate::json::{self, About};
use crate::options::method::MethodArgs;
use crate::options::outputs::{OUTPUT, Outputs, named, wrote};
use crate::options::reading::tell_notes;
use crate::options::run::{Dims, RunArgs, StrategyName};
use crate::options::source::{Loaded, Source};
use crate::{plot, report, terminal};
use nrdr_io::{add_table, check_ending};
use nrdr_write::{Outputs as Written, printable};

/// Embed points: a table, an array or images in, coordinates and a report out
///
/// Coordinates are eigenvectors of a matrix of the chosen method. With the strategy `unpredictable` none of them can be
/// predicted from the earlier ones, as it happens with the original methods.
#[derive(Args)]
#[command(after_help = "\
Examples:
  nrdr embed data.csv -d 3 -o embedding.csv --report report.html
  nrdr embed digits.parquet --label digit -m isomap -k 12 --plot digits.png
  nrdr embed --dataset swiss-roll --height 10 --report roll.html
  nrdr embed data.npy --config run.toml --json run.json
  nrdr embed old.csv --model roll.model && nrdr transform roll.model new.csv -o new-embedding.csv")]
pub(crate) struct Embed {
    #[command(flatten)]
    source: Source,

    #[command(flatten)]
    method: MethodArgs,

    /// What a coordinate owes to the earlier ones
    #[arg(short, long, value_enum, default_value_t = StrategyName::Unpredictable)]
    #[arg(help_heading = "Embedding")]
    strategy: StrategyName,

    #[command(flatten)]
    run: RunArgs,

    /// File of the coordinates f1,f2,..: .csv .tsv .npy .npz .parquet
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    out: Option<PathBuf>,

    /// What `nrdr transform` needs to embed new points: a model
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    model: Option<PathBuf>,

    /// A picture: .png or .svg
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    plot: Option<PathBuf>,

    #[command(flatten)]
    outputs: Outputs,
}

impl Embed {
    pub(crate) fn run(&self, about: &About, out: &mut impl Write) -> Result<(), Failure> {
        let Embed { source, outputs, run, .. } = self;
        self.check()?;
        let method = self.method.build()?;
        if self.model.is_some() {
            Model::check_extension(method.as_ref(), &run.strategy(self.strategy))?;
        }
        let options = run.options(run.strategy(self.strategy));
        method.check(source.points().unwrap_or(2), &options)?;
        let bar = Bar::new(method.name(), outputs.quiet);
        bar.message("reading");
        let loaded = source.load(run.seed)?;
        let (embeddings, model) = self.embed(&loaded, method.as_ref(), &bar)?;
        let mut found: Vec<Found> = embeddings
            .into_iter()
            .map(|embedding| Found::new(embedding, run.seed, &bar))
            .collect::<nrdr::Result<_>>()?;
        let original = (found.len() > 1).then(|| found.remove(0));
        let ours = found.swap_remove(0);
        bar.message("writing");
        let mut written = Written::default();
        self.write(about, &loaded, &ours, original.as_ref(), &mut written)?;
        self.write_model(&loaded, model, &mut written)?;
        written.commit()?;
        drop(bar);
        if outputs.quiet {
            tell_notes(&loaded.notes, true, out)?;
            for warning in &ours.embedding.warnings {
                terminal::tell(&format!("warning: {}", printable(&warning.to_string())));
            }
            return Ok(());
        }
        self.tell(&loaded, method.as_ref(), &ours, original.as_ref(), out)
    }

    /// The files that are written.
    fn files(&self) -> Vec<&Path> {
        named([&self.out, &self.outputs.report, &self.plot, &self.outputs.json, &self.model])
    }

    /// Refuses what cannot be written before anything is computed.
    fn check(&self) -> Result<(), Failure> {
        let files = self.files();
        if files.is_empty() {
            return Err(Failure::Usage(
                "there is nothing to write: name a file with --out, --report, --plot, --json or --model"
                    .to_string(),
            ));
        }
        self.outputs.check(&files, &[self.source.file()])?;
        if let Some(file) = &self.out {
            check_ending(file)?;
        }
        self.plot.as_deref().map_or(Ok(()), plot::check)
    }

    /// The embedding, and for a report the original one before it; and the model, if one is asked for.
    fn embed(
        &self,
        loaded: &Loaded,
        method: &dyn Method,
        bar: &Bar,
    ) -> nrdr::Result<(Vec<Embedding>, Option<Model>)> {
        let strategy = self.run.strategy(self.strategy);
        let options = self.run.options(strategy.clone());
        let alone = self.outputs.report.is_none() || strategy == Strategy::Orthogonal;
        let ours = || match self.model {
            Some(_) => {
                let (embedding, model) = fit_observed(&loaded.points, method, &options, bar)?;
                Ok((embedding, Some(model)))
            }
            None => Ok((embed_observed(&loaded.points, method, &options, bar)?, None)),
        };
        if alone {
            let (ours, model) = ours()?;
            return Ok((vec![ours], model));
        }
        if self.run.dims == Dims::Auto || self.model.is_some() {
            // The original beside it has as many coordinates, whatever they are worth.
            let (ours, model) = ours()?;
            let (dims, auto_dims) = (ours.dims(), false);
            let options =
                nrdr::Options { dims, auto_dims, strategy: Strategy::Orthogonal, ..options };
            let original = embed_observed(&loaded.points, method, &options, bar)?;
            return Ok((vec![original, ours], model));
        }
        let both = [Strategy::Orthogonal, strategy];
        let found = embed_strategies(&loaded.points, method, &options, &both, Some(bar))?;
        Ok((found.into_iter().collect::<nrdr::Result<_>>()?, None))
    }

    fn write_model(
        &self,
        loaded: &Loaded,
        model: Option<Model>,
        written: &mut Written,
    ) -> Result<(), Failure> {
        if let (Some(file), Some(mut model)) = (&self.model, model) {
            loaded.preparation.keep(&loaded.names, &mut model)?;
            let bytes = model.to_bytes()?;
            written.add(file, |out| out.write_all(&bytes))?;
        }
        Ok(())
    }

    fn write(
        &self,
        about: &About,
        loaded: &Loaded,
        ours: &Found,
        original: Option<&Found>,
        written: &mut Written,
    ) -> Result<(), Failure> {
        if let Some(file) = &self.out {
            let coordinates = ours.embedding.coordinates.iter();
            let columns: Vec<Vec<f64>> =
                coordinates.map(|c| loaded.in_input_order(&c.values)).collect();
            let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
            let names: Vec<String> = (1..=columns.len()).map(|i| format!("f{i}")).collect();
            add_table(written, file, &names, &columns)?;
        }
        if let Some(file) = &self.outputs.report {
            let page = report::Report {
                about,
                loaded,
                verdict: verdict(ours, original),
                found: original.into_iter().chain([ours]).collect(),
                failed: Vec::new(),
                seed: self.run.seed,
            };
            let text = page.html()?;
            written.add(file, |out| out.write_all(text.as_bytes()))?;
        }
        if let Some(file) = &self.plot {
            let picture = plot::drawn(file, &ours.embedding, loaded)?;
            written.add(file, |out| out.write_all(&picture))?;
        }
        if let Some(file) = &self.outputs.json {
            let text = json::text(&json::of_run(about, loaded.total, ours, original));
            written.add(file, |out| out.write_all(text.as_bytes()))?;
        }
        Ok(())
    }

    /// What happened, for people.
    fn tell(
        &self,
        loaded: &Loaded,
        method: &dyn Method,
        ours: &Found,
        original: Option<&Found>,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let embedding = &ours.embedding;
        writeln!(out, "{}", printable(&loaded.headline()))?;
        writeln!(out, "{}, {}\n", method.about(), title(embedding.strategy))?;
        writeln!(
            out,
            "coordinate    eigenvalue  residual  alpha  rank  predictable from the earlier ones, % of its variance"
        )?;
        let errors = ours.errors();
        for (i, c) in embedding.coordinates.iter().enumerate() {
            let smoothing = c.smoothing.as_ref();
            let alpha = smoothing.map_or("-".to_string(), |s| s.alpha.to_string());
            let rank = smoothing.map_or("-".to_string(), |s| s.rank.to_string());
            let share = match (i, errors.get(i)) {
                (0, _) | (_, None) => "-".to_string(),
                (_, Some(error)) => format!("{:.0} %", predictable(*error)),
            };
            writeln!(
                out,
                "{:>10} {:>13.6e} {:>9.0e} {alpha:>6} {rank:>5}  {share}",
                i + 1,
                c.eigenvalue,
                c.residual,
            )?;
        }
        writeln!(out, "\n{}", verdict(ours, original))?;
        if let Some(estimate) = &embedding.dimension {
            writeln!(out, "{} coordinate(s): {}.", estimate.dims, estimate.reason)?;
        }
        for (name, value) in &embedding.chosen {
            writeln!(out, "chosen: {name} = {value:.6}")?;
        }
        tell_notes(&loaded.notes, false, out)?;
        for warning in &embedding.warnings {
            writeln!(out, "warning: {}", printable(&warning.to_string()))?;
        }
        for file in self.files() {
            writeln!(out, "{}", wrote(file))?;
        }
        Ok(())
    }
}
