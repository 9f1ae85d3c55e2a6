//! An embedding as JSON.

use nrdr::{Embedding, Estimate, Redundancy};
use serde_json::{Map, Value, json};

use crate::found::Found;

/// What is known of an embedding, without its coordinates.
pub fn of_embedding(found: &Found) -> Value {
    let Found { embedding, redundancy, .. } = found;
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

/// The same with the singular values of the smoothers.
pub fn in_full(found: &Found) -> Value {
    let smoothing = found.embedding.coordinates.iter().map(|c| c.smoothing.as_ref());
    let mut value = of_embedding(found);
    value["singular_values"] =
        smoothing.map(|s| json!(s.map(|s| s.singular_values.as_slice()))).collect();
    value
}

/// How redundant an embedding is.
pub fn of_redundancy(redundancy: &Redundancy) -> Map<String, Value> {
    let Redundancy { errors, bandwidths, pairwise, points } = redundancy;
    let fields = [
        ("errors", json!(errors)),
        ("bandwidths", json!(bandwidths)),
        ("pairwise", json!(pairwise)),
        ("points", json!(points)),
    ];
    fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

fn seconds(embedding: &Embedding) -> Map<String, Value> {
    let stages = embedding.times.iter();
    stages.map(|(stage, time)| (stage.to_string(), json!(time.as_secs_f64()))).collect()
}

/// How many coordinates are worth having, and why.
pub fn of_estimate(estimate: &Estimate) -> Value {
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
