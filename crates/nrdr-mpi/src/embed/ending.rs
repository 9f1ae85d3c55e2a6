//! How a run ends: what is written, and what is told.

use std::io::Write;

use nrdr::Method;
use nrdr::team::Team;
use nrdr_cli::shared::{
    About, Failure, Run, Typed, by_metric, in_lines, json_text, make_folder, tell_coordinates,
    tell_quality, warn, wrote,
};
use nrdr_io::invented;
use nrdr_model::ModelFile;
use nrdr_report::found::title;
use nrdr_report::memory;
use nrdr_write::{Outputs, printable};
use serde::Serialize;

use super::{Embed, Standardize, shown};
use crate::identity::Items;
use crate::manifest::{Manifest, Results};
use crate::parts::Parts;
use crate::rank_cost::RankCost;
use crate::rows;
use crate::sample::{self, Measured, Placed};
use crate::together::gathered;

/// All numbers of a run, and what it took of each process.
#[derive(Serialize)]
struct Shared<'r> {
    #[serde(flatten)]
    run: Run<'r>,
    ranks: &'r [RankCost],
}

impl Embed {
    #[allow(clippy::too_many_arguments, reason = "all that a run came to")]
    pub(super) fn write(
        &self,
        team: &dyn Team,
        parts: &Parts,
        results: &Results<'_>,
        run: Items,
        placed: &[Placed],
        measured: Option<&Measured>,
        about: &About,
    ) -> Result<Manifest, Failure> {
        let Some(Placed { embedding, rows }) = placed.last() else {
            return Err(Failure::Usage("nothing was embedded: report this".to_string()));
        };
        let columns: Vec<Vec<f64>> =
            embedding.coordinates.iter().map(|c| c.values.clone()).collect();
        let filled = rows::filled(team, parts, rows, &columns);
        let embedded: u64 = gathered(team, Ok(rows.len() as u64))?.into_iter().sum();
        let manifest = Manifest {
            version: 0,
            run,
            input: parts.list.clone(),
            columns: (1..=embedding.dims()).map(|i| format!("f{i}")).collect(),
            parts: Vec::new(),
            left_out: parts.rows() - embedded,
            eigenvalues: embedding.eigenvalues().collect(),
            residual: embedding.coordinates.iter().map(|c| c.residual).collect(),
        };
        results.write(filled, manifest, |outputs| {
            measured.map_or(Ok(()), |measured| self.add_told(measured, about, parts, outputs))
        })
    }

    /// The sample and the numbers of the run.
    pub(super) fn add_told(
        &self,
        measured: &Measured,
        about: &About,
        parts: &Parts,
        outputs: &mut Outputs,
    ) -> Result<(), Failure> {
        let folder = self.out.join(sample::FOLDER);
        make_folder(&folder)?;
        measured.sample.add(&folder, outputs)?;
        let drawn = &measured.sample.drawn;
        let facts = |at: usize| measured.facts.get(at).cloned();
        if let (Some(file), Some((model, preparation))) = (&self.model, &measured.model) {
            let names = Some(parts.names.clone()).filter(|names| !invented(names));
            let known = facts(drawn.ours).unwrap_or_default();
            let model = ModelFile::new(model.clone(), preparation.clone(), names, &known)?;
            let bytes = model.to_bytes()?;
            outputs.add(file, |out| out.write_all(&bytes))?;
        }
        let Some(file) = &self.json else { return Ok(()) };
        let run = Run {
            facts: facts(drawn.ours).unwrap_or_default(),
            version: env!("CARGO_PKG_VERSION"),
            command: &about.command,
            rows: parts.rows() as usize,
            standardized: self.standardize == Some(Standardize::Yes),
            notes: drawn.notes.clone(),
            verdict: drawn.verdict.clone(),
            peak_memory_mb: memory::peak_megabytes(),
            original: facts(0).filter(|_| drawn.ours > 0),
            config: &drawn.config,
        };
        let text = json_text(&Shared { run, ranks: &measured.ranks })?;
        Ok(outputs.add(file, |out| out.write_all(text.as_bytes()))?)
    }

    /// What happened, for people.
    pub(super) fn tell(
        &self,
        parts: &Parts,
        method: &dyn Method,
        measured: &Measured,
        manifest: &Manifest,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let (ours, original) = (measured.ours(), measured.original());
        let drawn = &measured.sample.drawn;
        let embedding = &ours.embedding;
        if !self.quiet {
            let mut out = out;
            let name = printable(&drawn.title);
            let (rows, columns, count) = (parts.rows(), parts.names.len(), parts.list.len());
            writeln!(out, "{name}: {rows} points, {columns} columns, {count} part(s)")?;
            let by = by_metric(embedding.metric);
            writeln!(out, "{}, {}{by}\n", method.about(), title(embedding.strategy))?;
            tell_coordinates(ours, original, &mut out)?;
            tell_quality(original.into_iter().chain([ours]), &mut out)?;
            writeln!(out, "\n{}", in_lines(&drawn.verdict))?;
            for note in &drawn.notes {
                writeln!(out, "note: {}", printable(note))?;
            }
            let files = manifest.parts.len();
            writeln!(out, "{}: {files} part(s) and the manifest", wrote(&self.out))?;
            for file in self.model.iter().chain(&self.json) {
                writeln!(out, "{}", wrote(file))?;
            }
            if let Some(folder) = &self.checkpoint {
                let folder = shown(folder);
                writeln!(
                    out,
                    "kept {folder}: the same run is quick with it, and nothing else needs it"
                )?;
            }
            out.flush()?;
        }
        embedding.warnings.iter().for_each(|warning| warn(&warning.told(&Typed)));
        Ok(())
    }
}
