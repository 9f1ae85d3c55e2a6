//! What takes the place of missing values.

use clap::ValueEnum;
use nrdr_io::Table;
use nrdr_model::{Fill, Imputer, Preparation};

use crate::failure::Failure;

/// What a missing value is filled by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Impute {
    /// The mean of its column
    Mean,
    /// The median of its column
    Median,
    /// The mean of the five rows that are nearest by the columns as they are given
    Knn,
}

impl Impute {
    /// Fills the missing values of a table and keeps how; what is to be told of it.
    pub(crate) fn fill(
        self,
        table: &mut Table,
        preparation: &mut Preparation,
    ) -> Result<Option<String>, Failure> {
        let (fill, by) = match self {
            Impute::Mean => (Fill::Mean, "the means of their columns"),
            Impute::Median => (Fill::Median, "the medians of their columns"),
            Impute::Knn => (Fill::Knn, "the five nearest rows"),
        };
        let without = |column: usize| {
            let (name, number) = (&table.names[column], table.numbers[column]);
            Failure::Usage(format!(
                "column {name:?} has no value to fill others by: leave it out with --drop {number}"
            ))
        };
        let impute = Imputer::fit(&table.values, table.names.len(), fill).map_err(without)?;
        let filled = impute.fill(&mut table.values);
        preparation.impute = Some(impute);
        Ok((filled.cells > 0).then(|| format!("{filled} are filled by {by}")))
    }
}
