//! Numbers for cells that have none, from those of the training points, as scikit-learn's SimpleImputer and KNNImputer
//! compute them.
//!
//! The distance of two rows is over the columns where both have a value: the root of D / (their number) times the sum of
//! squared differences, D the number of all columns (J. K. Dixon, "Pattern recognition with partly missing data", IEEE
//! Transactions on Systems, Man, and Cybernetics 9 (1979)).

use std::fmt;
use std::sync::Arc;

use nrdr::{Model, Points, Result};
use rayon::prelude::*;

use crate::unfit;

/// Names of what a model keeps.
pub(crate) const NOTE: &str = "impute";
pub(crate) const VALUES: &str = "impute.values";
pub(crate) const POINTS: &str = "impute.points";
pub(crate) const MISSING: &str = "impute.missing";

/// Rows that a value is the mean of.
const NEIGHBORS: usize = 5;

/// What takes the place of a missing value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// The mean of its column.
    Mean,
    /// The median of its column.
    Median,
    /// The mean of its column in the five nearest rows that have a value there, or in all if there is no near one.
    Knn,
}

impl Fill {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Fill::Mean => "mean",
            Fill::Median => "median",
            Fill::Knn => "knn",
        }
    }
}

/// What missing values are filled by.
#[derive(Clone, Debug, PartialEq)]
pub struct Imputer {
    fill: Fill,
    /// A value for each column; its mean where neighbours are asked first.
    values: Vec<f64>,
    /// The training points with their missing values, row after row, where neighbours are asked.
    donors: Donors,
}

/// Rows some of whose values are NaN; equal if they have the same bits.
#[derive(Clone, Debug, Default)]
struct Donors(Arc<Vec<f64>>);

impl PartialEq for Donors {
    fn eq(&self, other: &Self) -> bool {
        let bits =
            |donors: &Donors| donors.0.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        bits(self) == bits(other)
    }
}

/// What was filled: for people, "3 missing value(s) in 2 row(s) and 1 column(s)".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filled {
    /// How many values.
    pub cells: usize,
    /// In how many rows.
    pub rows: usize,
    /// For each column, whether one was in it.
    pub columns: Vec<bool>,
}

impl Filled {
    /// Adds what was filled in further rows.
    pub fn add(&mut self, other: &Filled) {
        self.cells += other.cells;
        self.rows += other.rows;
        self.columns.resize(other.columns.len(), false);
        self.columns.iter_mut().zip(&other.columns).for_each(|(is, other)| *is |= other);
    }
}

impl fmt::Display for Filled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Filled { cells, rows, columns } = self;
        let columns = columns.iter().filter(|is| **is).count();
        write!(f, "{cells} missing value(s) in {rows} row(s) and {columns} column(s)")
    }
}

impl Imputer {
    /// What fills missing values like these, row after row, all but them finite. A column without a value is an error: the first
    /// of them.
    pub fn fit(values: &[f64], columns: usize, fill: Fill) -> std::result::Result<Self, usize> {
        let of = |column: usize| {
            let column = values.iter().skip(column).step_by(columns);
            column.copied().filter(|value| !value.is_nan()).collect::<Vec<f64>>()
        };
        let mut found = Vec::with_capacity(columns);
        for column in 0..columns {
            let there = of(column);
            if there.is_empty() {
                return Err(column);
            }
            found.push(if fill == Fill::Median { median(there) } else { mean(&there) });
        }
        let donors = if fill == Fill::Knn { values.to_vec() } else { Vec::new() };
        Ok(Imputer { fill, values: found, donors: Donors(Arc::new(donors)) })
    }

    /// What fills.
    pub fn kind(&self) -> Fill {
        self.fill
    }

    /// Number of columns.
    pub(crate) fn columns(&self) -> usize {
        self.values.len()
    }

    /// Fills the missing values of rows, which lie one after another.
    pub fn fill(&self, values: &mut [f64]) -> Filled {
        let columns = self.columns();
        let mut filled = Filled { columns: vec![false; columns], ..Filled::default() };
        for row in values.chunks_exact(columns).filter(|row| row.iter().any(|v| v.is_nan())) {
            filled.rows += 1;
            for (is, _) in filled.columns.iter_mut().zip(row).filter(|(_, value)| value.is_nan()) {
                filled.cells += 1;
                *is = true;
            }
        }
        let holed = |row: &&mut [f64]| row.iter().any(|value| value.is_nan());
        values.par_chunks_exact_mut(columns).filter(holed).for_each(|row| {
            let from = self.distances(row);
            for (column, value) in row.iter_mut().enumerate().filter(|(_, value)| value.is_nan()) {
                *value = self.near(&from, column).unwrap_or(self.values[column]);
            }
        });
        filled
    }

    /// Squared distances from the training points; NaN from one with which a row shares no column.
    fn distances(&self, row: &[f64]) -> Vec<f64> {
        let distance = |donor: &[f64]| {
            let (mut sum, mut shared) = (0.0, 0usize);
            for difference in row.iter().zip(donor).map(|(a, b)| a - b).filter(|d| !d.is_nan()) {
                sum += difference * difference;
                shared += 1;
            }
            sum * row.len() as f64 / shared as f64
        };
        self.donors.0.chunks_exact(self.columns()).map(distance).collect()
    }

    /// The mean of a column in the nearest rows that have a value there; of equally near ones the earlier.
    fn near(&self, from: &[f64], column: usize) -> Option<f64> {
        let mut nearest: Vec<(f64, f64)> = Vec::with_capacity(NEIGHBORS + 1);
        let donors = self.donors.0.iter().skip(column).step_by(self.columns());
        for (&distance, &value) in from.iter().zip(donors) {
            let is_full = nearest.len() == NEIGHBORS;
            let is_far = is_full && nearest.last().is_some_and(|(last, _)| distance >= *last);
            if distance.is_nan() || value.is_nan() || is_far {
                continue;
            }
            let at = nearest.partition_point(|(other, _)| *other <= distance);
            nearest.insert(at, (distance, value));
            nearest.truncate(NEIGHBORS);
        }
        let values: Vec<f64> = nearest.into_iter().map(|(_, value)| value).collect();
        (!values.is_empty()).then(|| mean(&values))
    }

    /// Keeps it in a model. Tables of a model have no missing values: zeros stand there, and another table tells where.
    pub(crate) fn keep(&self, model: &mut Model) -> Result<()> {
        model.set_note(NOTE, self.fill.name());
        model.set_table(VALUES, Points::from_rows([&self.values])?);
        if self.fill != Fill::Knn {
            return Ok(());
        }
        let columns = self.columns();
        let donors = self.donors.0.iter();
        let filled = donors.clone().map(|value| if value.is_nan() { 0.0 } else { *value });
        model.set_table(POINTS, Points::new(filled.collect(), columns)?);
        let places = donors.enumerate().filter(|(_, value)| value.is_nan());
        let places: Vec<[f64; 2]> =
            places.map(|(at, _)| [(at / columns) as f64, (at % columns) as f64]).collect();
        if !places.is_empty() {
            model.set_table(MISSING, Points::from_rows(places)?);
        }
        Ok(())
    }

    /// What a model keeps, if it keeps one.
    pub(crate) fn of(model: &Model) -> Result<Option<Self>> {
        let Some(name) = model.note(NOTE) else { return Ok(None) };
        let known = [Fill::Mean, Fill::Median, Fill::Knn];
        let fill = known.into_iter().find(|fill| fill.name() == name);
        let (Some(fill), Some(values)) = (fill, model.table(VALUES)) else {
            return Err(unfit("its note impute"));
        };
        if values.rows() != 1 {
            return Err(unfit("its table impute.values"));
        }
        let columns = values.columns();
        let donors = match model.table(POINTS) {
            Some(points) if fill == Fill::Knn && points.columns() == columns => {
                with_holes(points, model.table(MISSING))?
            }
            None if fill != Fill::Knn => Vec::new(),
            _ => return Err(unfit("its table impute.points")),
        };
        let values = values.row(0).to_vec();
        Ok(Some(Imputer { fill, values, donors: Donors(Arc::new(donors)) }))
    }
}

/// The values of points, NaN where a table of rows and columns says so.
fn with_holes(points: &Points, places: Option<&Points>) -> Result<Vec<f64>> {
    let (mut values, columns) = (points.values().to_vec(), points.columns());
    let Some(places) = places else { return Ok(values) };
    let wrong = || unfit("its table impute.missing");
    let index = |number: f64, end: usize| {
        let is_index = number >= 0.0 && number < end as f64 && number.fract() == 0.0;
        if is_index { Ok(number as usize) } else { Err(wrong()) }
    };
    if places.columns() != 2 {
        return Err(wrong());
    }
    for at in 0..places.rows() {
        let place = places.row(at);
        let (row, column) = (index(place[0], points.rows())?, index(place[1], columns)?);
        values[row * columns + column] = f64::NAN;
    }
    Ok(values)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The middle value, or the mean of the middle two. There is at least one.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let (low, high) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const NAN: f64 = f64::NAN;

    #[test]
    fn columns_are_filled_by_their_means_and_medians() {
        let values = [1.0, 10.0, NAN, 20.0, 4.0, NAN, 7.0, 90.0, 0.0, NAN];
        for (fill, expected) in [(Fill::Mean, (3.0, 40.0)), (Fill::Median, (2.5, 20.0))] {
            let mut filled = values;
            let told = Imputer::fit(&values, 2, fill).unwrap().fill(&mut filled);
            assert_eq!((filled[2], filled[5], filled[9]), (expected.0, expected.1, expected.1));
            assert_eq!(told.to_string(), "3 missing value(s) in 3 row(s) and 2 column(s)");
        }
        assert_eq!(Imputer::fit(&[1.0, NAN, 2.0, NAN], 2, Fill::Mean), Err(1));
    }

    #[test]
    fn neighbours_that_have_a_value_fill() {
        // The sixth row is at 0: of the others five have a second value, at 1, 2, 4, 5, 6, and one more is further away.
        let mut values = Vec::new();
        for (x, y) in [(1.0, 10.0), (2.0, 20.0), (3.0, NAN), (4.0, 40.0), (5.0, 50.0)] {
            values.extend([x, y]);
        }
        values.extend([0.0, NAN, 6.0, 60.0, 7.0, 1000.0, NAN, NAN]);
        let imputer = Imputer::fit(&values, 2, Fill::Knn).unwrap();
        let mut filled = values.clone();
        imputer.fill(&mut filled);
        assert_eq!(filled[11], (10.0 + 20.0 + 40.0 + 50.0 + 60.0) / 5.0);
        // A row without any value has no neighbours.
        assert_eq!(filled[16..], [3.5, 1180.0 / 6.0]);
        // New rows ask the training points, not each other.
        let mut new = [0.5, NAN, 0.5, 7.0];
        assert_eq!(imputer.fill(&mut new).rows, 1);
        assert_eq!(new[1], 36.0);
        // Fewer rows than neighbours: all of them.
        let few = Imputer::fit(&[1.0, 2.0, 3.0, 4.0, 5.0, NAN], 2, Fill::Knn).unwrap();
        let mut row = [9.0, NAN];
        few.fill(&mut row);
        assert_eq!(row[1], 3.0);
    }
}
