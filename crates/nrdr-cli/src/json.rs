//! A run as JSON.

use nrdr_report::{Facts, Found, memory, verdict};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::options::source::Loaded;
use crate::words::Typed;

/// What is told of a run beside its results.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The command line.
    pub command: String,
    /// All options, as `--config` takes them.
    pub config: Map<String, Value>,
}

impl About {
    /// The same with the number of neighbours that was taken, where it has one.
    pub fn with_neighbors(&self, neighbors: usize) -> Self {
        let mut config = self.config.clone();
        config.insert("neighbors".to_string(), Value::String(neighbors.to_string()));
        About { command: self.command.clone(), config }
    }
}

/// Everything about one embedding.
#[derive(Serialize)]
pub struct Run<'r> {
    /// What is known of the embedding.
    #[serde(flatten)]
    pub facts: Facts,
    /// The program's version.
    pub version: &'static str,
    /// The command line.
    pub command: &'r str,
    /// Rows of the input.
    pub rows: usize,
    /// Whether the columns were standardised.
    pub standardized: bool,
    /// What the user should know of the input.
    pub notes: Vec<String>,
    /// What it means, in sentences.
    pub verdict: String,
    /// The most memory that the process took.
    pub peak_memory_mb: Option<f64>,
    /// What is known of the original method's embedding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original: Option<Facts>,
    /// All options.
    pub config: &'r Map<String, Value>,
}

impl<'r> Run<'r> {
    pub(crate) fn new(
        about: &'r About,
        loaded: &Loaded,
        ours: &Found,
        original: Option<&Found>,
    ) -> Self {
        Run {
            facts: Facts::new(ours, &Typed),
            version: env!("CARGO_PKG_VERSION"),
            command: &about.command,
            rows: loaded.total,
            standardized: loaded.preparation.standardize.is_some(),
            notes: loaded.all_notes(),
            verdict: verdict(ours, original, &Typed),
            peak_memory_mb: memory::peak_megabytes(),
            original: original.map(|original| Facts::new(original, &Typed)),
            config: &about.config,
        }
    }
}

/// The text of a file, for people as well as for programs.
pub fn text(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value);
    let text = text.map_err(|error| Failure::Usage(format!("no JSON can be made: {error}")))?;
    Ok(text + "\n")
}
