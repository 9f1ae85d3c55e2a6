//! The page of a run.

use nrdr_report::page::Images;
use nrdr_report::{Found, Page, Shown, Source};

use crate::failure::Failure;
use crate::json::About;
use crate::options::source::{Loaded, label_of};
use crate::words::Typed;

/// What a page tells.
pub(crate) struct Report<'p> {
    pub(crate) about: &'p About,
    pub(crate) loaded: &'p Loaded,
    pub(crate) verdict: String,
    /// The embeddings, the original one first.
    pub(crate) found: Vec<&'p Found>,
    /// Which of them the page is about.
    pub(crate) ours: usize,
    /// What became of strategies that found none.
    pub(crate) failed: Vec<String>,
    pub(crate) seed: u64,
}

impl Report<'_> {
    /// The text of the page.
    pub(crate) fn html(&self) -> Result<String, Failure> {
        let Loaded { name, points, names, truth, known, images, total, kept, .. } = self.loaded;
        let notes = self.loaded.all_notes();
        let source = Source {
            title: name.clone(),
            columns: Some(points.columns()),
            given: Some(self.loaded.given()),
            names,
            truth: truth.as_ref().map(|(names, table)| (names.as_slice(), table)),
            numbers: known.numbers(),
            labels: known.labels.iter().map(label_of).collect(),
            ids: known.id.as_ref().map(label_of),
            texts: known.texts.iter().map(label_of).collect(),
            images: images.map(|shape| Images {
                width: shape.width,
                height: shape.height,
                channels: shape.channels,
            }),
            total: *total,
            kept: kept.as_deref(),
            notes: &notes,
        };
        let page = Page {
            command: &self.about.command,
            config: &self.about.config,
            source,
            verdict: self.verdict.clone(),
            shown: self.found.iter().map(|&found| Shown::new(found, &Typed)).collect(),
            ours: self.ours,
            failed: self.failed.clone(),
            seed: self.seed,
        };
        page.html().map_err(|error| Failure::Usage(error.to_string()))
    }
}
