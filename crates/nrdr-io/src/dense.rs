//! Arrays of which a file holds only the numbers that are not zero, made dense as far as they are wanted.

use super::advice::{ReadOption, advice};
use super::columns::{Named, Role, invented_names, of_named};
use super::error::{Fault, fault};
use super::limit::{Budget, NUMBER, check_columns, zeros};
use super::{ReadOptions, Table, TextColumn};

/// A dense array that is filled number after number.
pub(super) struct Dense {
    values: Vec<f64>,
    rows: usize,
    /// For each column of the array, its place among those that are read.
    places: Vec<Option<u32>>,
    columns: Vec<Named>,
    transpose: bool,
}

impl Dense {
    /// Zeros for an array of so many rows and columns, whose columns have no names. With `transpose` its columns are the points.
    pub(super) fn nameless(
        (rows, columns): (usize, usize),
        options: &ReadOptions,
        budget: Budget,
    ) -> Result<Self, Fault> {
        let (points, columns) = if options.transpose { (columns, rows) } else { (rows, columns) };
        check_columns(columns)?;
        let all = Named::all(invented_names(columns, None), options)?;
        let dense = Dense::new(points, all, budget)?;
        Ok(Dense { transpose: options.transpose, ..dense })
    }

    /// Zeros for so many rows, and for those of the columns that are wanted.
    pub(super) fn new(rows: usize, all: Vec<Named>, mut budget: Budget) -> Result<Self, Fault> {
        if rows == 0 || all.is_empty() {
            return Err(fault("holds an empty array", "check that the file is the right one"));
        }
        let mut width = 0;
        let places = all.iter().map(|named| {
            let place = (named.role != Role::Skip).then_some(width);
            width += u32::from(place.is_some());
            place
        });
        let places: Vec<Option<u32>> = places.collect();
        let count = rows.saturating_mul(width as usize);
        let bytes = (count as u64).saturating_mul(NUMBER);
        if budget.take(bytes).is_err() {
            let (full, most) = (bytes as f64 / 1e9, budget.left() as f64 / 1e9);
            let what = format!(
                "holds a sparse array that with its zeros would take {full:.1} GB, and at most {most:.1} GB may be used"
            );
            return Err(fault(
                what,
                advice("take fewer columns with ").option(ReadOption::Columns),
            ));
        }
        let columns = all.into_iter().filter(|named| named.role != Role::Skip).collect();
        Ok(Dense { values: zeros(count)?, rows, places, columns, transpose: false })
    }

    /// Adds a number at a place of the array.
    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) -> Result<(), Fault> {
        let (row, column) = if self.transpose { (column, row) } else { (row, column) };
        let place = self.places.get(column).filter(|_| row < self.rows);
        let Some(place) = place else {
            return Err(Fault::damaged("a number outside of its array"));
        };
        if let Some(place) = place {
            self.values[row * self.columns.len() + *place as usize] += value;
        }
        Ok(())
    }

    /// Adds compressed lines: each has as many of the `others` and `values` as lie between two bounds. What a line and
    /// one of the others mean, `add` says.
    pub(super) fn compressed(
        &mut self,
        bounds: &[f64],
        others: &[f64],
        values: &[f64],
        is_row: bool,
    ) -> Result<(), Fault> {
        for (line, bound) in bounds.windows(2).enumerate() {
            let (start, end) = (index(bound[0])?, index(bound[1])?);
            let inside = others.get(start..end).zip(values.get(start..end));
            let (others, values) = inside.ok_or_else(|| Fault::damaged("bounds out of order"))?;
            for (other, &value) in others.iter().zip(values) {
                let other = index(*other)?;
                let (row, column) = if is_row { (line, other) } else { (other, line) };
                self.add(row, column, value)?;
            }
        }
        Ok(())
    }

    /// The table, with columns of text beside the numbers.
    pub(super) fn finish(
        self,
        text: Vec<TextColumn>,
        options: &ReadOptions,
    ) -> Result<Table, Fault> {
        of_named(self.values, self.rows, self.columns, text, None, options)
    }
}

/// A place that was stored as a number.
pub(super) fn index(number: f64) -> Result<usize, Fault> {
    const MOST: f64 = (1u64 << 53) as f64;
    if (0.0..MOST).contains(&number) && number.fract() == 0.0 {
        return Ok(number as usize);
    }
    Err(Fault::damaged(format!("{number} as a place")))
}
