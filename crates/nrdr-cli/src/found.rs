//! What a run found: an embedding for each strategy, how redundant it is, and what that means in a sentence.

use nrdr::{Embedding, Redundancy, RedundancyOptions, redundancy};

/// An embedding and how redundant it is.
pub(crate) struct Found {
    pub(crate) embedding: Embedding,
    /// `None` with a single coordinate.
    pub(crate) redundancy: Option<Redundancy>,
}

impl Found {
    /// Measures an embedding.
    pub(crate) fn new(embedding: Embedding, seed: u64) -> nrdr::Result<Self> {
        let options = RedundancyOptions { seed, ..Default::default() };
        let redundancy = match embedding.dims() {
            0 | 1 => None,
            _ => Some(redundancy(&embedding.to_points()?, &options)?),
        };
        Ok(Found { embedding, redundancy })
    }

    /// The error of predicting each coordinate from the earlier ones.
    pub(crate) fn errors(&self) -> Vec<f64> {
        self.redundancy.as_ref().map_or_else(|| vec![1.0], |r| r.errors.clone())
    }
}

/// How a strategy is called where people read.
pub(crate) fn title(strategy: &str) -> &str {
    match strategy {
        "orthogonal" => "original",
        "unpredictable" => "non-redundant",
        other => other,
    }
}

/// The share of a coordinate's variance that the earlier ones predict, in percent.
pub(crate) fn predictable(error: f64) -> f64 {
    100.0 * (1.0 - error * error).max(0.0)
}

/// Coordinates 1 to i - 1.
fn earlier(i: usize) -> String {
    match i {
        2 => "coordinate 1".to_string(),
        _ => format!("coordinates 1 to {}", i - 1),
    }
}

/// A coordinate that is predictable by more than this, in percent, adds little.
const MUCH: f64 = 50.0;

/// The first coordinate, counted from 1, that is predictable by much, or else the most predictable one.
fn redundant(errors: &[f64]) -> Option<(usize, f64)> {
    let later = || errors.iter().enumerate().skip(1).map(|(i, error)| (i + 1, predictable(*error)));
    let first = later().find(|(_, share)| *share > MUCH);
    first.or_else(|| later().max_by(|a, b| a.1.total_cmp(&b.1)))
}

/// A sentence or two on how redundant the embedding is, beside the original if there is one.
pub(crate) fn verdict(ours: &Found, original: Option<&Found>) -> String {
    let errors = ours.errors();
    let Some((worst, share)) = redundant(&errors) else {
        return "There is one coordinate, so nothing can be redundant.".to_string();
    };
    let name = match ours.embedding.strategy {
        "unpredictable" => "ours",
        other => other,
    };
    let start = match original.and_then(|original| redundant(&original.errors())) {
        Some((i, before)) => {
            let after = errors.get(i - 1).map_or(0.0, |error| predictable(*error));
            let from = earlier(i);
            format!(
                "Coordinate {i} of the original is {before:.0} % predictable from {from}; {name} is {after:.0} %."
            )
        }
        None => {
            let from = earlier(worst);
            format!("Coordinate {worst} is {share:.0} % predictable from {from}.")
        }
    };
    match share > MUCH && original.is_some() {
        true => format!(
            "{start} The first of {name} that is mostly predictable is coordinate {worst}, by {share:.0} %."
        ),
        false => start,
    }
}
