//! A run as JSON.

use nrdr_report::{Found, memory, verdict};
use serde_json::{Map, Value, json};

pub(crate) use nrdr_report::json::{of_embedding, of_redundancy};

/// What is told of a run beside its results.
pub(crate) struct About {
    /// The command line.
    pub(crate) command: String,
    /// All options, as `--config` takes them.
    pub(crate) config: Map<String, Value>,
}

/// Everything about one embedding.
pub(crate) fn of_run(about: &About, rows: usize, ours: &Found, original: Option<&Found>) -> Value {
    let mut value = of_embedding(ours);
    if let Value::Object(fields) = &mut value {
        fields.insert("version".into(), env!("CARGO_PKG_VERSION").into());
        fields.insert("command".into(), about.command.clone().into());
        fields.insert("rows".into(), rows.into());
        fields.insert("verdict".into(), verdict(ours, original).into());
        fields.insert("peak_memory_mb".into(), json!(memory::peak_megabytes()));
        if let Some(original) = original {
            fields.insert("original".into(), of_embedding(original));
        }
        fields.insert("config".into(), Value::Object(about.config.clone()));
    }
    value
}

/// The text of a file, for people as well as for programs.
pub(crate) fn text(value: &Value) -> String {
    format!("{value:#}\n")
}
