//! The report: one HTML file that opens without a network.

mod atlas;
mod content;
mod curves;
mod source;
mod strips;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

pub use source::{Images, Shown, Source};

const HTML: &str = include_str!("page.html");
const CSS: &str = include_str!("page.css");
/// The scripts, each of which may use those before it.
const SCRIPTS: [&str; 21] = [
    include_str!("data.js"),
    include_str!("colors.js"),
    include_str!("scales.js"),
    include_str!("view.js"),
    include_str!("state.js"),
    include_str!("webgl.js"),
    include_str!("canvas.js"),
    include_str!("frame.js"),
    include_str!("pictures.js"),
    include_str!("plot.js"),
    include_str!("gestures.js"),
    include_str!("legend.js"),
    include_str!("inspect.js"),
    include_str!("find.js"),
    include_str!("scatter.js"),
    include_str!("charts.js"),
    include_str!("mini.js"),
    include_str!("meaning.js"),
    include_str!("sections.js"),
    include_str!("export.js"),
    include_str!("page.js"),
];

/// What can keep a page from being made.
#[derive(Debug, thiserror::Error)]
#[error("the pictures cannot be encoded: {0}")]
pub struct PageError(#[from] image::ImageError);

/// What a page shows.
pub struct Page<'p> {
    /// The command.
    pub command: &'p str,
    /// All options.
    pub config: &'p Map<String, Value>,
    /// What was embedded.
    pub source: Source<'p>,
    /// What the embeddings mean, in a sentence.
    pub verdict: String,
    /// The embeddings, the original one first.
    pub shown: Vec<Shown<'p>>,
    /// Which of them the page is about.
    pub ours: usize,
    /// What became of strategies that found none.
    pub failed: Vec<String>,
    /// Of the sample, where there are too many points.
    pub seed: u64,
}

impl Page<'_> {
    /// The page.
    pub fn html(&self) -> Result<String, PageError> {
        // In JSON a `<` stands only in strings: none can end the script it is part of.
        let data = self.data()?.to_string().replace('<', "\\u003c");
        let page = HTML.replacen("/*CSS*/", CSS, 1).replacen("/*JS*/", &SCRIPTS.join("\n"), 1);
        // Last, so that a label which reads like one of these marks stays a label.
        Ok(page.replacen("/*DATA*/", &data, 1))
    }
}

fn floats(values: impl Iterator<Item = f64>) -> String {
    STANDARD.encode(values.flat_map(|v| (v as f32).to_le_bytes()).collect::<Vec<u8>>())
}

fn integers(values: impl Iterator<Item = u32>) -> String {
    STANDARD.encode(values.flat_map(u32::to_le_bytes).collect::<Vec<u8>>())
}
