//! What is done to columns before they are embedded, kept in a model so that it is done to new points, too.

use nrdr::{Model, Pca, Points};

use nrdr_io::{MOST_COLUMNS, invented_names};

/// Names of what a model keeps.
const COLUMNS: &str = "columns";
const STANDARDIZE: &str = "standardize";
const PCA_MEANS: &str = "pca.means";
const PCA_DIRECTIONS: &str = "pca.directions";

/// What is done to the columns, in this order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Preparation {
    /// Means that are subtracted and numbers that the difference is multiplied by.
    pub(crate) standardize: Option<(Vec<f64>, Vec<f64>)>,
    /// Principal components that take the place of the columns.
    pub(crate) pca: Option<Pca>,
}

impl Preparation {
    /// Keeps it, and the names of the columns, in a model.
    pub(crate) fn keep(&self, names: &[String], model: &mut Model) -> nrdr::Result<()> {
        model.set_note(COLUMNS, serde_json::Value::from(names.to_vec()).to_string());
        if let Some((means, scales)) = &self.standardize {
            model.set_table(STANDARDIZE, Points::from_rows([means, scales])?);
        }
        if let Some(pca) = &self.pca {
            model.set_table(PCA_MEANS, Points::from_rows([&pca.means])?);
            model.set_table(PCA_DIRECTIONS, pca.directions.clone());
        }
        Ok(())
    }

    /// What a model keeps, and the names of the columns of new points: x1, x2, .. if it keeps none. A model whose parts
    /// do not fit is refused.
    pub(crate) fn of(model: &Model) -> nrdr::Result<(Self, Vec<String>)> {
        let bad = |what: &str| {
            let reason = format!("{what} does not fit its other parts: make it again");
            Err(nrdr::Error::BadModel { reason })
        };
        let standardize = match model.table(STANDARDIZE) {
            Some(table) if table.rows() == 2 => {
                Some((table.row(0).to_vec(), table.row(1).to_vec()))
            }
            Some(_) => return bad("its table standardize"),
            None => None,
        };
        let pca = match (model.table(PCA_MEANS), model.table(PCA_DIRECTIONS)) {
            (Some(means), Some(directions))
                if means.rows() == 1
                    && means.columns() == directions.columns()
                    && directions.rows() == model.columns() =>
            {
                Some(Pca { means: means.row(0).to_vec(), directions: directions.clone() })
            }
            (None, None) => None,
            _ => return bad("its table pca"),
        };
        let columns = pca.as_ref().map_or(model.columns(), |pca| pca.means.len());
        if standardize.as_ref().is_some_and(|(means, _)| means.len() != columns) {
            return bad("its table standardize");
        }
        let names = match model.note(COLUMNS).map(serde_json::from_str::<Vec<String>>) {
            Some(Ok(names)) if names.len() == columns => names,
            Some(_) => return bad("its list of columns"),
            None if columns > MOST_COLUMNS => return bad("its number of columns"),
            None => invented_names(columns, None),
        };
        Ok((Preparation { standardize, pca }, names))
    }

    /// Does it to points.
    pub(crate) fn apply(&self, points: Points) -> nrdr::Result<Points> {
        let points = match &self.standardize {
            Some((means, scales)) => standardized(&points, means, scales)?,
            None => points,
        };
        match &self.pca {
            Some(pca) => pca.project(&points),
            None => Ok(points),
        }
    }
}

/// (x - mean) scale in each column.
pub(crate) fn standardized(points: &Points, means: &[f64], scales: &[f64]) -> nrdr::Result<Points> {
    let columns = points.columns();
    let values = points.values().iter().enumerate();
    let values = values.map(|(at, v)| (v - means[at % columns]) * scales[at % columns]);
    Points::new(values.collect(), columns)
}
