//! What is known of an embedding beside its coordinates: the schema of `--json`, of the page and of Python's `report_`.

use indexmap::IndexMap;
use nrdr::{Compared, Embedding, Estimate, Evidence, Metric, Quality, Redundancy, Vocabulary};
use serde::{Deserialize, Serialize};

use crate::found::{Found, why_unmeasured};
use crate::meaning::Meaning;

/// What is known of an embedding. Of one from elsewhere that is little.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// The method's short name.
    pub method: Option<String>,
    /// The strategy's name.
    pub strategy: String,
    /// By which neighbours were searched, where that is not the Euclidean metric.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// The solver that was used.
    pub solver: Option<String>,
    /// Number of points that are embedded.
    pub n: usize,
    /// Number of coordinates.
    pub dims: usize,
    /// Parameters that were chosen automatically.
    pub chosen: IndexMap<String, f64>,
    /// The eigenvalues.
    pub eigenvalues: Vec<f64>,
    /// Those of the original method's coordinates of the same numbers, where they are known.
    pub original_eigenvalues: Vec<Option<f64>>,
    /// The lengths that the method traditionally gives the coordinates.
    pub lengths: Vec<f64>,
    /// Relative residuals.
    pub residual: Vec<f64>,
    /// Products or solves with a block of vectors.
    pub iterations: Vec<usize>,
    /// Width of the smoother for each coordinate that had one.
    pub alpha: Vec<Option<f64>>,
    /// Every width that was tried, with the error of predicting its coordinate.
    pub alpha_tried: Vec<Option<Vec<(f64, f64)>>>,
    /// Directions that the smoother forbade.
    pub rank: Vec<Option<usize>>,
    /// What the smoother still predicts of the coordinate.
    pub predictable: Vec<Option<f64>>,
    /// Where being predictable had a price: that price, in units of the method's energy,
    pub price: Vec<Option<f64>>,
    /// and the share of the coordinate that it was paid for.
    pub paid: Vec<Option<f64>>,
    /// Which original coordinate it is, where one was selected.
    pub selected: Vec<Option<usize>>,
    /// How redundant the coordinates are, where that was measured.
    pub redundancy: Option<Redundancy>,
    /// Whether neighbours stayed neighbours, where that was measured.
    pub quality: Option<Quality>,
    /// What each coordinate tells of what is known of the points, where that was looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meaning: Vec<Meaning>,
    /// How many coordinates are worth having, if that was to be found out.
    pub dimension: Option<Dimension>,
    /// Sizes of the components of the graph.
    pub components: Vec<usize>,
    /// How many points were left out.
    pub left_out: usize,
    /// Time of each stage.
    pub seconds: IndexMap<String, f64>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// Singular values of the smoothers, where they are asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub singular_values: Vec<Option<Vec<f64>>>,
}

/// How many coordinates are worth having.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dimension {
    /// The number.
    pub dims: usize,
    /// Why it is not larger.
    pub reason: String,
    /// The mean squared distance of nearest neighbours as a share of the variance.
    pub resolution: f64,
    /// What was found out about each coordinate.
    pub evidence: Vec<Evidence>,
}

impl From<&Estimate> for Dimension {
    fn from(estimate: &Estimate) -> Self {
        Dimension {
            dims: estimate.dims,
            reason: estimate.reason.to_string(),
            resolution: estimate.resolution,
            evidence: estimate.evidence.clone(),
        }
    }
}

impl Facts {
    /// What is known of an embedding of this library, in the words of a front end.
    pub fn new(found: &Found, words: &dyn Vocabulary) -> Self {
        let Found { embedding, redundancy, quality, .. } = found;
        let coordinates = &embedding.coordinates;
        let smoothing = || coordinates.iter().map(|c| c.smoothing.as_ref());
        Facts {
            method: Some(embedding.method.to_string()),
            strategy: embedding.strategy.to_string(),
            metric: Some(embedding.metric)
                .filter(|metric| *metric != Metric::Euclidean)
                .map(|metric| metric.to_string()),
            solver: Some(embedding.solver.to_string()),
            n: embedding.len() - embedding.left_out,
            dims: embedding.dims(),
            chosen: embedding.chosen.iter().map(|(k, v)| (k.to_string(), *v)).collect(),
            eigenvalues: embedding.eigenvalues().collect(),
            original_eigenvalues: coordinates.iter().map(|c| c.original_eigenvalue).collect(),
            lengths: coordinates.iter().map(|c| c.length).collect(),
            residual: coordinates.iter().map(|c| c.residual).collect(),
            iterations: coordinates.iter().map(|c| c.iterations).collect(),
            alpha: smoothing().map(|s| s.map(|s| s.alpha)).collect(),
            alpha_tried: smoothing().map(|s| s.map(|s| s.tried.clone())).collect(),
            rank: smoothing().map(|s| s.map(|s| s.rank)).collect(),
            predictable: smoothing().map(|s| s.map(|s| s.predictable)).collect(),
            price: smoothing().map(|s| s?.paid.map(|paid| paid.price)).collect(),
            paid: smoothing().map(|s| s?.paid.map(|paid| paid.share)).collect(),
            selected: coordinates.iter().map(|c| c.selected.map(|s| s.candidate)).collect(),
            redundancy: redundancy.clone(),
            quality: quality.clone(),
            meaning: found.meaning.clone(),
            dimension: embedding.dimension.as_ref().map(Dimension::from),
            components: embedding.components.clone(),
            left_out: embedding.left_out,
            seconds: seconds(embedding),
            warnings: embedding.warnings.iter().map(|warning| warning.told(words)).collect(),
            singular_values: Vec::new(),
        }
    }

    /// The same with the singular values of the smoothers.
    pub fn in_full(found: &Found, words: &dyn Vocabulary) -> Self {
        let smoothing = found.embedding.coordinates.iter().map(|c| c.smoothing.as_ref());
        let singular_values = smoothing.map(|s| s.map(|s| s.singular_values.clone())).collect();
        Facts { singular_values, ..Facts::new(found, words) }
    }
}

fn seconds(embedding: &Embedding) -> IndexMap<String, f64> {
    let stages = embedding.times.iter();
    stages.map(|(stage, time)| (stage.to_string(), time.as_secs_f64())).collect()
}

/// How a strategy did beside others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The strategy's name.
    pub strategy: String,
    /// Why it failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What was measured, if it did not.
    #[serde(flatten)]
    pub scores: Option<Scores>,
}

/// What was measured of a strategy's embedding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// Whether neighbours stayed neighbours, and how many of the labels they tell.
    #[serde(flatten)]
    pub quality: Quality,
    /// R2 of each true parameter, if there are any.
    pub recovered: Vec<(String, f64)>,
    /// What is known of the embedding.
    pub run: Facts,
}

/// An embedding and what was measured of it.
pub struct Measured {
    /// The embedding.
    pub found: Found,
    /// Whether neighbours stayed neighbours, and how many of the labels they tell.
    pub quality: Quality,
    /// R2 of each true parameter, if there are any.
    pub recovered: Vec<f64>,
}

impl From<Compared> for Measured {
    fn from(compared: Compared) -> Self {
        let Compared { embedding, redundancy, unmeasured, quality, recovered, .. } = compared;
        let unmeasured = unmeasured.as_ref().and_then(why_unmeasured);
        let found = Found::unmeasured(embedding);
        let found = Found { redundancy, unmeasured, quality: Some(quality.clone()), ..found };
        Measured { found, quality, recovered }
    }
}

impl Row {
    /// What became of a strategy; `names` are those of the true parameters, and an error is in words already.
    pub fn new(
        strategy: &str,
        tried: Result<&Measured, String>,
        names: &[String],
        words: &dyn Vocabulary,
    ) -> Self {
        let scores = |measured: &Measured| Scores {
            quality: measured.quality.clone(),
            recovered: names.iter().cloned().zip(measured.recovered.iter().copied()).collect(),
            run: Facts::new(&measured.found, words),
        };
        let (scores, error) = match tried {
            Ok(measured) => (Some(scores(measured)), None),
            Err(error) => (None, Some(error)),
        };
        Row { strategy: strategy.to_string(), error, scores }
    }
}
