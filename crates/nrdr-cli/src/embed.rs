//! `nrdr embed`: files in, an embedding and a report out.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{ArgAction, Args};
use nrdr::number::rounded;
use nrdr::{Embedding, Error, Method, Model, Options, Prepared, Strategy};

use crate::bar::Bar;
use crate::checkpoint::Kept;
use crate::failure::Failure;
use crate::found::{Found, title, verdict};
use crate::json::{self, About, Run};
use crate::options::method::MethodArgs;
use crate::options::outputs::{OUTPUT, Outputs, is_stdout, named, print_results, wrote};
use crate::options::reading::tell_notes;
use crate::options::run::RunArgs;
use crate::options::source::{Loaded, Source};
use crate::options::strategy::{self, HEADING};
use crate::tables::{in_lines, tell_coordinates, tell_quality};
use crate::words::{Typed, by_metric};
use crate::{plan, plot, report, terminal};
use nrdr_io::{Column, add_table, check_ending, invented, write_csv};
use nrdr_model::ModelFile;
use nrdr_report::Facts;
use nrdr_write::{Outputs as Written, printable};

/// Embed points: a table, an array or images in, coordinates and a report out
///
/// Coordinates come from eigenvectors of a matrix of the chosen method. By default they are as unpredictable from the earlier ones as it
/// pays; in the original methods (`--strategy orthogonal`) later coordinates are often functions of earlier ones.
#[derive(Args)]
#[command(after_help = "\
Examples:
  nrdr embed data.csv                  tell what comes out, write nothing
  nrdr embed data.csv -d 3 -o embedding.csv --report report.html
  nrdr embed data.csv --id name --keep kind -o - | sort -t, -k3 -g
  nrdr embed digits.parquet --label digit -m isomap -k 12 --plot digits.pdf
  nrdr embed --dataset swiss-roll --height 10 --report roll.html
  nrdr embed data.npy --config run.toml --json run.json
  nrdr embed large.npy -m ltsa --memory 8G --plan
  nrdr embed old.csv --model roll.model && nrdr transform roll.model new.csv -o new-embedding.csv")]
pub(crate) struct Embed {
    #[command(flatten)]
    source: Source,

    #[command(flatten)]
    method: MethodArgs,

    /// What a coordinate owes to the earlier ones
    #[arg(short, long, value_name = "NAME", default_value = strategy::usual())]
    #[arg(value_parser = strategy::names(), help_heading = HEADING)]
    strategy: String,

    #[command(flatten)]
    run: RunArgs,

    /// File of the coordinates f1,f2,..: .csv .tsv .npy .npz .parquet, or - for CSV on standard output
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    out: Option<PathBuf>,

    /// Columns of the input that --out carries before the coordinates, beside that of --id
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', action = ArgAction::Set)]
    #[arg(requires = "out", help_heading = OUTPUT)]
    keep: Option<Vec<String>>,

    /// What `nrdr transform` needs to embed new points: a model
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    model: Option<PathBuf>,

    /// A picture, original beside ours: .png, .svg or .pdf
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    plot: Option<PathBuf>,

    /// Width and height of the picture in pixels, such as 1600x800, 96 to the inch of a PDF; all in it grows with it
    #[arg(long, value_name = "WxH", requires = "plot", help_heading = OUTPUT)]
    plot_size: Option<plot::Size>,

    /// Say what the run would take and how it would be done, and do not run it; --json takes that, too
    #[arg(long, help_heading = OUTPUT)]
    plan: bool,

    /// What is finished, kept while the run lasts: ended at any moment, the same command goes on from it
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    checkpoint: Option<PathBuf>,

    #[command(flatten)]
    outputs: Outputs,
}

impl Embed {
    pub(crate) fn run(&self, about: &About, out: &mut impl Write) -> Result<(), Failure> {
        let Embed { source, outputs, run, .. } = self;
        self.check()?;
        let (method, strategy) = (self.method.build()?, run.strategy(&self.strategy)?);
        if self.model.is_some() {
            Model::check_extension(method.as_ref(), &strategy)?;
        }
        let mut options = Options { strategy: strategy.clone(), ..run.options() };
        let fewer =
            source.points().and_then(|points| run.fit(&mut options, method.as_ref(), points));
        method.check_all(source.points().unwrap_or(usize::MAX), options.neighbors)?;
        let bar = Bar::new(method.name(), outputs.quiet);
        bar.message("reading");
        let keep = self.keep.as_deref().unwrap_or_default();
        let mut loaded = source.load(run.seed, keep)?;
        let fewer = fewer.or_else(|| run.fit(&mut options, method.as_ref(), loaded.points.rows()));
        let about = &about.with_neighbors(options.neighbors);
        if let Some(file) = &self.out {
            loaded.known.carried.iter().try_for_each(|column| column.check(file))?;
        }
        // It lives longer than what is prepared, and is opened when nothing is left to be refused.
        let kept;
        let mut prepared = Prepared::new(&loaded.points, method.as_ref(), &options)?.observed(&bar);
        if self.plan {
            let plan = plan::of_process(prepared.plan(&strategy)?);
            drop(prepared);
            drop(bar);
            return plan::tell(&plan, &loaded.headline(), outputs, out);
        }
        kept = self.checkpoint.as_deref().map(Kept::open).transpose()?;
        if let Some(kept) = &kept {
            prepared = kept.with(prepared)?;
            kept.tell_before(&bar);
        }
        let (mut ours, model) = self.embed(&prepared, &strategy)?;
        ours.warnings.splice(0..0, fewer);
        let original = self.original(&prepared, &strategy, &ours, &mut loaded.notes)?;
        drop(prepared);
        let (ours, original) = self.found(ours, original, &loaded, &bar)?;
        bar.message("writing");
        let mut written = Written::default();
        self.write(about, &loaded, &ours, original.as_ref(), &mut written)?;
        self.write_model(&loaded, &ours, model, &mut written)?;
        drop(bar);
        if self.prints_results() {
            // Before files take their names: if this fails, none of them is new.
            let (names, columns) = self.table(&ours.embedding, &loaded);
            print_results(|mut out| Ok(write_csv(&mut out, &names, &columns)?))?;
        }
        written.commit()?;
        if outputs.quiet {
            tell_notes(&loaded.remarks, true, out)?;
            tell_notes(&loaded.notes, true, out)?;
            warn(&ours.embedding);
            return Ok(());
        }
        self.tell(&loaded, method.as_ref(), &ours, original.as_ref(), out)?;
        kept.map_or(Ok(()), |kept| kept.tell_after(out))
    }

    /// Whether standard output takes the coordinates.
    pub(crate) fn prints_results(&self) -> bool {
        !self.plan && self.out.as_deref().is_some_and(is_stdout)
    }

    /// The files that are written.
    fn files(&self) -> Vec<&Path> {
        let out = self.out.as_deref().filter(|out| !is_stdout(out));
        let others = [&self.outputs.report, &self.plot, &self.outputs.json, &self.model];
        out.into_iter().chain(named(others)).collect()
    }

    /// Refuses what cannot be written before anything is computed.
    fn check(&self) -> Result<(), Failure> {
        let mut files = self.files();
        if files.is_empty() && self.outputs.quiet && !self.prints_results() {
            return Err(Failure::Usage(
                "there is nothing to write and nothing to say: name a file, or leave out --quiet"
                    .to_string(),
            ));
        }
        files.extend(self.checkpoint.as_deref());
        self.outputs.check(&files, &[self.source.file(), self.source.labels_file()])?;
        if let Some(file) = self.out.as_deref().filter(|out| !is_stdout(out)) {
            check_ending(file)?;
        }
        self.plot.as_deref().map_or(Ok(()), |file| plot::check(file, self.plot_size))
    }

    /// Whether somebody will read what is measured.
    fn is_told(&self) -> bool {
        !self.outputs.quiet || self.outputs.report.is_some() || self.outputs.json.is_some()
    }

    /// The embedding, and the model, if one is asked for.
    fn embed(
        &self,
        prepared: &Prepared<'_>,
        strategy: &Strategy,
    ) -> nrdr::Result<(Embedding, Option<Model>)> {
        match self.model {
            Some(_) => prepared.fit(strategy).map(|(ours, model)| (ours, Some(model))),
            None => Ok((prepared.embed(strategy)?, None)),
        }
    }

    /// The original one to stand beside it, with as many coordinates, whatever they are worth.
    fn original(
        &self,
        prepared: &Prepared<'_>,
        strategy: &Strategy,
        ours: &Embedding,
        notes: &mut Vec<String>,
    ) -> nrdr::Result<Option<Embedding>> {
        if strategy.is_original() || !(self.is_told() || self.plot.is_some()) {
            return Ok(None);
        }
        match prepared.original(ours.dims()) {
            Ok(original) => Ok(Some(original)),
            Err(cancelled @ Error::Cancelled { .. }) => Err(cancelled),
            // An embedding all the same.
            Err(error) => {
                notes.push(format!(
                    "nothing stands beside it, the original failed: {}",
                    error.told(&Typed)
                ));
                Ok(None)
            }
        }
    }

    /// The embeddings with what is measured of them.
    fn found(
        &self,
        ours: Embedding,
        original: Option<Embedding>,
        loaded: &Loaded,
        bar: &Bar,
    ) -> nrdr::Result<(Found, Option<Found>)> {
        if !self.is_told() {
            return Ok((Found::unmeasured(ours), original.map(Found::unmeasured)));
        }
        let labels = loaded.known.judged_by();
        let embeddings = std::iter::once(ours).chain(original).collect();
        let mut found = Found::all(embeddings, &loaded.points, labels, self.run.seed, bar)?;
        let known = loaded.tellable();
        found.iter_mut().try_for_each(|found| found.explain(&known, self.run.seed))?;
        let original = (found.len() > 1).then(|| found.remove(1));
        Ok((found.remove(0), original))
    }

    fn write_model(
        &self,
        loaded: &Loaded,
        ours: &Found,
        model: Option<Model>,
        written: &mut Written,
    ) -> Result<(), Failure> {
        if let (Some(file), Some(model)) = (&self.model, model) {
            let names = Some(loaded.names.clone()).filter(|names| !invented(names));
            let facts = Facts::new(ours, &Typed);
            let model = ModelFile::new(model, loaded.preparation.clone(), names, &facts)?;
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
        if let Some(file) = self.out.as_deref().filter(|out| !is_stdout(out)) {
            let (names, columns) = self.table(&ours.embedding, loaded);
            add_table(written, file, &names, &columns)?;
        }
        if let Some(file) = &self.outputs.report {
            let page = report::Report {
                about,
                loaded,
                verdict: verdict(ours, original, &Typed),
                found: original.into_iter().chain([ours]).collect(),
                ours: usize::from(original.is_some()),
                failed: Vec::new(),
                seed: self.run.seed,
            };
            let text = page.html()?;
            written.add(file, |out| out.write_all(text.as_bytes()))?;
        }
        if let Some(file) = &self.plot {
            let original = original.map(|original| &original.embedding);
            let picture = plot::drawn(file, self.plot_size, loaded, &ours.embedding, original)?;
            written.add(file, |out| out.write_all(&picture))?;
        }
        if let Some(file) = &self.outputs.json {
            let text = json::text(&Run::new(about, loaded, ours, original))?;
            written.add(file, |out| out.write_all(text.as_bytes()))?;
        }
        Ok(())
    }

    /// The table of the coordinates, and what is carried beside them: names and columns.
    fn table<'l>(
        &self,
        embedding: &Embedding,
        loaded: &'l Loaded,
    ) -> (Vec<String>, Vec<Column<'l>>) {
        let file = self.out.as_deref().unwrap_or(Path::new(""));
        let in_order = |values: &[f64]| loaded.in_input_order(values);
        let carried = &loaded.known.carried;
        let beside = carried.iter().map(|column| column.column(file, &in_order));
        let coordinates = embedding.coordinates.iter().map(|c| in_order(&c.values).into());
        let names = carried.iter().map(|column| column.name().to_string());
        let names = names.chain((1..=embedding.dims()).map(|i| format!("f{i}"))).collect();
        (names, beside.chain(coordinates).collect())
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
        let by = by_metric(embedding.metric);
        writeln!(out, "{}, {}{by}", method.about(), title(embedding.strategy))?;
        tell_notes(&loaded.remarks, false, out)?;
        writeln!(out)?;
        tell_coordinates(ours, original, out)?;
        tell_quality(original.into_iter().chain([ours]), out)?;
        writeln!(out, "\n{}", in_lines(&verdict(ours, original, &Typed)))?;
        if let Some(estimate) = &embedding.dimension {
            writeln!(out, "{} coordinate(s): {}.", estimate.dims, estimate.reason)?;
        }
        for (name, value) in &embedding.chosen {
            writeln!(out, "chosen: {name} = {}", rounded(*value, 6))?;
        }
        tell_notes(&loaded.notes, false, out)?;
        warn(embedding);
        for file in self.files() {
            writeln!(out, "{}", wrote(file))?;
        }
        Ok(())
    }
}

/// What should be known of an embedding, on standard error.
fn warn(embedding: &Embedding) {
    embedding.warnings.iter().for_each(|warning| terminal::warn(&warning.told(&Typed)));
}
