//! What a model holds, as the command line shows it and as Python makes an estimator of it.

use nrdr::extend::Training;
use nrdr::parameter::Named;
use serde::Serialize;

use crate::ModelFile;

/// What a new point is given as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Takes {
    /// Its columns.
    Points,
    /// Its distances from all rows of the input.
    Distances,
    /// Its row of the matrix.
    Matrix,
}

/// What a model holds.
#[derive(Clone, Debug, Serialize)]
pub struct Held<'h> {
    /// The method with its parameters, also those it chose by itself.
    pub method: &'h Named,
    /// The strategy with its parameters.
    pub strategy: &'h Named,
    /// Number of training points.
    pub n: usize,
    /// What a new point is given as.
    pub takes: Takes,
    /// Names of the columns of new points.
    pub columns: &'h [String],
    /// What their missing values are filled by, if they are.
    pub impute: Option<&'static str>,
    /// Whether they are standardised.
    pub standardize: bool,
    /// How many principal components take their place, if they do.
    pub pca: Option<usize>,
    /// Number of neighbours that a point has.
    pub neighbors: usize,
    /// The metric that they are searched by.
    pub metric: String,
    /// Number of coordinates.
    pub dims: usize,
    /// The eigenvalue of each coordinate.
    pub eigenvalues: Vec<f64>,
    /// For each coordinate the number of centres of the smoother that it is extended by, if it has one.
    pub centres: Vec<Option<usize>>,
}

impl ModelFile {
    /// What it holds, with these names of the columns.
    pub fn held<'h>(&'h self, columns: &'h [String]) -> Held<'h> {
        let model = self.model();
        Held {
            method: model.method(),
            strategy: model.strategy(),
            n: model.rows(),
            takes: match model.training() {
                Training::Points(_) => Takes::Points,
                Training::Distances { .. } => Takes::Distances,
                Training::Row => Takes::Matrix,
            },
            columns,
            impute: self.preparation().impute.as_ref().map(|impute| impute.kind().name()),
            standardize: self.preparation().standardize.is_some(),
            pca: self.preparation().components(),
            neighbors: model.neighbors(),
            metric: model.metric().to_string(),
            dims: model.dims(),
            eigenvalues: model.eigenvalues().collect(),
            centres: model.centres().collect(),
        }
    }
}
