//! The table of points that is embedded.

use std::sync::Arc;

use crate::error::{Error, Result};

/// Numbers of this size and more are refused: their squares would overflow.
const LARGEST: f64 = 1e150;

/// N points of D numbers each, row after row, all finite. Clones share the numbers until one of them changes: what new
/// points need of a fit takes no copy of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    values: Arc<Vec<f64>>,
    columns: usize,
}

impl Points {
    /// Takes the values row after row and checks that they fill rows and are finite.
    pub fn new(values: Vec<f64>, columns: usize) -> Result<Self> {
        if values.is_empty() || columns == 0 {
            return Err(Error::Empty);
        }
        if !values.len().is_multiple_of(columns) {
            let values = values.len();
            return Err(Error::Ragged { values, columns });
        }
        // Not `>=`: a NaN compares as false.
        if let Some(at) = values.iter().position(|v| !(v.abs() < LARGEST)) {
            return Err(Error::NotFinite {
                row: at / columns,
                column: at % columns,
                value: values[at],
            });
        }
        Ok(Points { values: Arc::new(values), columns })
    }

    /// Points from an iterator of equally long rows.
    pub fn from_rows<R: AsRef<[f64]>>(rows: impl IntoIterator<Item = R>) -> Result<Self> {
        let mut values = Vec::new();
        let mut width = None;
        for row in rows {
            let row = row.as_ref();
            let columns = *width.get_or_insert(row.len());
            if row.len() != columns {
                return Err(Error::Ragged { values: row.len(), columns });
            }
            values.extend_from_slice(row);
        }
        Points::new(values, width.unwrap_or(0))
    }

    /// Points from equally long columns.
    pub fn from_columns<C: AsRef<[f64]>>(columns: &[C]) -> Result<Self> {
        let n = columns.first().map_or(0, |column| column.as_ref().len());
        if let Some(other) = columns.iter().find(|column| column.as_ref().len() != n) {
            return Err(Error::Size { what: "a column", got: other.as_ref().len(), expected: n });
        }
        let rows = (0..n).flat_map(|i| columns.iter().map(move |column| column.as_ref()[i]));
        Points::new(rows.collect(), columns.len())
    }

    /// The share that a process has of points, which may be none; what was checked before.
    pub(crate) fn share(values: Vec<f64>, columns: usize) -> Points {
        Points { values: Arc::new(values), columns }
    }

    /// The same from columns, which are checked.
    pub(crate) fn share_of_columns(columns: &[&[f64]]) -> Result<Points> {
        match columns.first() {
            Some(first) if first.is_empty() => Ok(Points::share(Vec::new(), columns.len())),
            _ => Points::from_columns(columns),
        }
    }

    /// Number of points.
    pub fn rows(&self) -> usize {
        self.values.len() / self.columns
    }

    /// Number of values of a point.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Point `i`.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.columns..][..self.columns]
    }

    /// Column `c`.
    pub fn column(&self, c: usize) -> Vec<f64> {
        self.values.iter().skip(c).step_by(self.columns).copied().collect()
    }

    /// All values, row after row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The points with these indices, in this order.
    pub fn select(&self, indices: &[u32]) -> Points {
        let rows = indices.iter().flat_map(|&i| self.row(i as usize)).copied();
        Points { values: Arc::new(rows.collect()), columns: self.columns }
    }

    /// Mean of each column.
    pub fn means(&self) -> Vec<f64> {
        let mut means = vec![0.0; self.columns];
        for row in self.values.chunks_exact(self.columns) {
            for (mean, value) in means.iter_mut().zip(row) {
                *mean += value;
            }
        }
        let n = self.rows() as f64;
        means.iter_mut().for_each(|mean| *mean /= n);
        means
    }

    /// Multiplies each column by a number of its own.
    pub(crate) fn scale_columns(&mut self, factors: &[f64]) {
        for row in Arc::make_mut(&mut self.values).chunks_exact_mut(self.columns) {
            row.iter_mut().zip(factors).for_each(|(value, factor)| *value *= factor);
        }
    }

    /// Subtracts a point from all of them.
    pub(crate) fn subtract(&mut self, origin: &[f64]) {
        for row in Arc::make_mut(&mut self.values).chunks_exact_mut(self.columns) {
            for (value, origin) in row.iter_mut().zip(origin) {
                *value -= origin;
            }
        }
    }

    /// The largest difference from the first point in any column; zero if all points coincide.
    pub(crate) fn spread(&self) -> f64 {
        let first = self.row(0).iter().cycle();
        self.values.iter().zip(first).map(|(v, f)| (v - f).abs()).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_go_in_and_come_out() {
        let points = Points::from_columns(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).unwrap();
        assert_eq!((points.row(1), points.column(1)), (&[2.0, 5.0][..], vec![4.0, 5.0, 6.0]));
        let uneven = Points::from_columns(&[vec![1.0, 2.0], vec![3.0]]);
        assert_eq!(uneven, Err(Error::Size { what: "a column", got: 1, expected: 2 }));
        assert_eq!(Points::from_columns::<Vec<f64>>(&[]), Err(Error::Empty));
    }

    #[test]
    fn clones_share_their_numbers_until_one_changes() {
        let points = Points::new(vec![1.0, 2.0, 3.0, 4.0], 2).unwrap();
        let mut other = points.clone();
        assert_eq!(other.values().as_ptr(), points.values().as_ptr());
        other.subtract(&[1.0, 1.0]);
        assert_eq!((points.row(0), other.row(0)), (&[1.0, 2.0][..], &[0.0, 1.0][..]));
    }
}
