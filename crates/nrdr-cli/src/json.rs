//! A run as JSON.

use std::path::Path;

use nrdr::{Embedding, Estimate, Redundancy};
use serde_json::{Map, Value, json};

use crate::found::{Found, verdict};
use crate::io::{IoError, write_atomically};
use crate::memory;

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

/// What is known of an embedding, without its coordinates.
pub(crate) fn of_embedding(found: &Found) -> Value {
    let Found { embedding, redundancy } = found;
    let coordinates = &embedding.coordinates;
    let smoothing = || coordinates.iter().map(|c| c.smoothing.as_ref());
    json!({
        "method": embedding.method,
        "strategy": embedding.strategy,
        "solver": embedding.solver,
        "n": embedding.len() - embedding.left_out,
        "dims": embedding.dims(),
        "chosen": embedding.chosen.iter().map(|(k, v)| (k.to_string(), json!(v))).collect::<Map<_, _>>(),
        "eigenvalues": embedding.eigenvalues().collect::<Vec<f64>>(),
        "original_eigenvalues": coordinates.iter().map(|c| c.original_eigenvalue).collect::<Vec<f64>>(),
        "lengths": coordinates.iter().map(|c| c.length).collect::<Vec<f64>>(),
        "residual": coordinates.iter().map(|c| c.residual).collect::<Vec<f64>>(),
        "iterations": coordinates.iter().map(|c| c.iterations).collect::<Vec<usize>>(),
        "alpha": smoothing().map(|s| s.map(|s| s.alpha)).collect::<Vec<_>>(),
        "alpha_tried": smoothing().map(|s| s.map(|s| s.tried.clone())).collect::<Vec<_>>(),
        "rank": smoothing().map(|s| s.map(|s| s.rank)).collect::<Vec<_>>(),
        "predictable": smoothing().map(|s| s.map(|s| s.predictable)).collect::<Vec<_>>(),
        "selected": coordinates.iter().map(|c| c.selected.map(|s| s.candidate)).collect::<Vec<_>>(),
        "redundancy": redundancy.as_ref().map(of_redundancy),
        "dimension": embedding.dimension.as_ref().map(of_estimate),
        "components": embedding.components,
        "left_out": embedding.left_out,
        "seconds": seconds(embedding),
        "warnings": embedding.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// How redundant an embedding is.
pub(crate) fn of_redundancy(redundancy: &Redundancy) -> Map<String, Value> {
    let Redundancy { errors, bandwidths, pairwise, points } = redundancy;
    let fields = [
        ("errors", json!(errors)),
        ("bandwidths", json!(bandwidths)),
        ("pairwise", json!(pairwise)),
        ("points", json!(points)),
    ];
    fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

/// Writes it for people as well as for programs.
pub(crate) fn write(file: &Path, value: &Value) -> Result<(), IoError> {
    write_atomically(file, |out| writeln!(out, "{value:#}"))
}

fn seconds(embedding: &Embedding) -> Map<String, Value> {
    let stages = embedding.times.iter();
    stages.map(|(stage, time)| (stage.to_string(), json!(time.as_secs_f64()))).collect()
}

/// How many coordinates are worth having, and why.
pub(crate) fn of_estimate(estimate: &Estimate) -> Value {
    let evidence = estimate.evidence.iter().map(|e| {
        json!({"unexplained": e.unexplained, "redundancy": e.redundancy, "eigenvalue": e.eigenvalue})
    });
    json!({
        "dims": estimate.dims,
        "reason": estimate.reason.to_string(),
        "resolution": estimate.resolution,
        "evidence": evidence.collect::<Vec<_>>(),
    })
}
