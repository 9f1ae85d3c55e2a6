//! What a run found: an embedding for each strategy, how redundant it is, and what that means in a sentence.

use nrdr::{Embedding, Error, Observer, Redundancy, RedundancyOptions};

/// An embedding and how redundant it is.
pub struct Found {
    /// The embedding.
    pub embedding: Embedding,
    /// `None` with a single coordinate, or too few points to measure it.
    pub redundancy: Option<Redundancy>,
}

impl Found {
    /// Measures an embedding; the observer sees it.
    pub fn new(embedding: Embedding, seed: u64, observer: &dyn Observer) -> nrdr::Result<Self> {
        let options = RedundancyOptions { seed, ..Default::default() };
        let redundancy = match embedding.redundancy_observed(&options, observer) {
            // An embedding all the same.
            Err(Error::TooFewPoints { .. } | Error::Constant { .. }) => None,
            measured => measured?,
        };
        Ok(Found { embedding, redundancy })
    }

    /// The error of predicting each coordinate from the earlier ones.
    pub fn errors(&self) -> Vec<f64> {
        self.redundancy.as_ref().map_or_else(|| vec![1.0], |r| r.errors.clone())
    }
}

/// How a strategy is called where people read.
pub fn title(strategy: &str) -> &str {
    match strategy {
        "orthogonal" => "original",
        "unpredictable" => "non-redundant",
        other => other,
    }
}

/// The share of a coordinate's variance that the earlier ones predict, in percent.
pub fn predictable(error: f64) -> f64 {
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
pub fn verdict(ours: &Found, original: Option<&Found>) -> String {
    let Embedding { strategy, coordinates, .. } = &ours.embedding;
    let original = original.map(Found::errors);
    verdict_of(strategy, coordinates.len(), &ours.errors(), original.as_deref())
}

/// The same of the errors of a strategy's `dims` coordinates.
pub fn verdict_of(strategy: &str, dims: usize, errors: &[f64], original: Option<&[f64]>) -> String {
    let Some((worst, share)) = redundant(errors) else {
        return match dims {
            0 | 1 => "There is one coordinate, so nothing can be redundant.".to_string(),
            _ => "There are too few points to measure redundancy.".to_string(),
        };
    };
    let name = match strategy {
        "unpredictable" => "ours",
        other => other,
    };
    let start = match original.and_then(redundant) {
        Some((i, before)) => {
            let after = match errors.get(i - 1) {
                Some(error) => format!("{name} is {:.0} %", predictable(*error)),
                None => format!("{name} has none"),
            };
            let from = earlier(i);
            format!(
                "Coordinate {i} of the original is {before:.0} % predictable from {from}; {after}."
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
