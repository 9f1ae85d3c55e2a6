//! What is done to columns before they are embedded, kept in a model so that it is done to new points, too.

use nrdr::{Model, Pca, Points, Result};

use crate::impute::{Filled, Imputer};
use crate::unfit;

/// Names of what a model keeps.
pub(crate) const STANDARDIZE: &str = "standardize";
pub(crate) const PCA_MEANS: &str = "pca.means";
pub(crate) const PCA_DIRECTIONS: &str = "pca.directions";

/// What is done to the columns, in this order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preparation {
    /// What missing values are filled by.
    pub impute: Option<Imputer>,
    /// Means that are subtracted and numbers that the difference is multiplied by.
    pub standardize: Option<(Vec<f64>, Vec<f64>)>,
    /// Principal components that take the place of the columns.
    pub pca: Option<Pca>,
}

impl Preparation {
    /// Keeps it in a model.
    pub(crate) fn keep(&self, model: &mut Model) -> Result<()> {
        if let Some(impute) = &self.impute {
            impute.keep(model)?;
        }
        if let Some((means, scales)) = &self.standardize {
            model.set_table(STANDARDIZE, Points::from_rows([means, scales])?);
        }
        if let Some(pca) = &self.pca {
            model.set_table(PCA_MEANS, Points::from_rows([&pca.means])?);
            model.set_table(PCA_DIRECTIONS, pca.directions.clone());
        }
        Ok(())
    }

    /// What a model keeps.
    pub(crate) fn of(model: &Model) -> Result<Self> {
        let standardize = match model.table(STANDARDIZE) {
            Some(table) if table.rows() == 2 => {
                Some((table.row(0).to_vec(), table.row(1).to_vec()))
            }
            Some(_) => return Err(unfit("its table standardize")),
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
            _ => return Err(unfit("its table pca")),
        };
        let preparation = Preparation { impute: Imputer::of(model)?, standardize, pca };
        let columns = preparation.columns(model);
        if preparation.impute.as_ref().is_some_and(|impute| impute.columns() != columns) {
            return Err(unfit("its table impute.values"));
        }
        match &preparation.standardize {
            Some((means, _)) if means.len() != columns => Err(unfit("its table standardize")),
            _ => Ok(preparation),
        }
    }

    /// Number of columns that it is done to, where a model takes what becomes of them.
    pub(crate) fn columns(&self, model: &Model) -> usize {
        self.pca.as_ref().map_or(model.columns(), |pca| pca.means.len())
    }

    /// How many principal components take the place of the columns.
    pub fn components(&self) -> Option<usize> {
        self.pca.as_ref().map(|pca| pca.directions.rows())
    }

    /// Fills the missing values of rows that have the columns of the input, if something says how; what is filled.
    pub fn fill(&self, values: &mut [f64]) -> Filled {
        self.impute.as_ref().map(|impute| impute.fill(values)).unwrap_or_default()
    }

    /// Gives the columns of points mean 0 and variance 1, and keeps how. Constant ones become 0.
    pub fn standardize(&mut self, points: &Points) -> Result<Points> {
        let (n, columns) = (points.rows() as f64, points.columns());
        let means = points.means();
        let mut squares = vec![0.0; columns];
        for i in 0..points.rows() {
            let row = points.row(i).iter().zip(&means);
            squares.iter_mut().zip(row).for_each(|(s, (v, m))| *s += (v - m).powi(2));
        }
        let deviation = |square: &f64| (square / n).sqrt();
        let deviations: Vec<f64> = squares.iter().map(deviation).collect();
        let constant = |(d, m): &(&f64, &f64)| !(**d > 1e-12 * m.abs());
        let scale = |(d, m): (&f64, &f64)| if constant(&(d, m)) { 0.0 } else { d.recip() };
        let scales: Vec<f64> = deviations.iter().zip(&means).map(scale).collect();
        let standard = standardized(points, &means, &scales)?;
        self.standardize = Some((means, scales));
        Ok(standard)
    }

    /// Does it to points, which have no missing values any more.
    pub fn apply(&self, points: Points) -> Result<Points> {
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
fn standardized(points: &Points, means: &[f64], scales: &[f64]) -> Result<Points> {
    let columns = points.columns();
    let values = points.values().iter().enumerate();
    let values = values.map(|(at, v)| (v - means[at % columns]) * scales[at % columns]);
    Points::new(values.collect(), columns)
}
