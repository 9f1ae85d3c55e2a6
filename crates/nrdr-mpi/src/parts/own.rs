//! A member's own rows: read, hashed, standardised.

use std::ops::Range;

use nrdr::team::Team;
use nrdr_cli::shared::{Failure, Typed};
use nrdr_io::{IoError, Table};
use nrdr_write::printable;

use super::Parts;

/// Values that are read at a time, about.
const MOST_VALUES: usize = 1 << 23;
/// Numbers of this size and more are refused: their squares would overflow.
const LARGEST: f64 = 1e150;

/// The rows of a member.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Own {
    /// Those that are embedded, counted from the first one of the input.
    pub rows: Vec<u64>,
    /// Their values, row after row.
    pub values: Vec<f64>,
    /// Number of values of a row.
    pub columns: usize,
    /// How many rows were left out, as they have missing values.
    pub dropped: u64,
    /// The rows that were picked, as they were given.
    pub picked: Vec<Picked>,
    /// The sum of a hash of each row with its number; it does not depend on who reads which.
    pub sum: [u64; 2],
}

/// A row that was picked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picked {
    /// Which it is, counted from the first one of the input.
    pub row: u64,
    /// Its values.
    pub values: Vec<f64>,
    /// Its texts.
    pub texts: Vec<String>,
}

impl Parts {
    /// Reads some rows. Those that are picked, by ascending numbers, are kept as they were given, too.
    pub fn read(&self, rows: Range<u64>, picks: &[u64]) -> Result<Own, Failure> {
        let mut own = Own { columns: self.names.len(), ..Own::default() };
        self.each(rows, |start, table| {
            own.take(start, table, picks);
            Ok(())
        })?;
        Ok(own)
    }

    /// Gives pieces of some rows to `take`, with the number of the first row of each.
    pub fn each(
        &self,
        rows: Range<u64>,
        mut take: impl FnMut(u64, Table) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let most = (MOST_VALUES / self.names.len()).max(1);
        for (part, rows) in self.pieces(rows) {
            let mut ranged = self.how.open(&self.path(part))?;
            if ranged.rows() as u64 != self.list[part].rows {
                let path = printable(&self.path(part).to_string_lossy());
                return Err(Failure::Usage(format!(
                    "{path} changed while it was read: wait until all parts are written"
                )));
            }
            for from in rows.clone().step_by(most) {
                let to = rows.end.min(from + most);
                let told = |error: IoError| Failure::Usage(error.told(&Typed));
                let table = ranged.read(from..to).map_err(told)?;
                self.check_size(part, from, &table)?;
                take(self.starts[part] + from as u64, table)?;
            }
        }
        Ok(())
    }

    /// Refuses numbers whose squares would overflow.
    fn check_size(&self, part: usize, from: usize, table: &Table) -> Result<(), Failure> {
        let Some(at) = table.values.iter().position(|value| value.abs() >= LARGEST) else {
            return Ok(());
        };
        let (row, column) = (at / self.names.len(), at % self.names.len());
        let row = table.kept.as_ref().map_or(row, |kept| kept[row] as usize);
        let (path, name) = (self.path(part), &self.names[column]);
        let (path, value) = (printable(&path.to_string_lossy()), table.values[at]);
        let (row, name) = (from + row + 1, printable(name));
        Err(Failure::Usage(format!(
            "{path}: row {row}, column \"{name}\" is {value:e}, too large to be squared: rescale the columns"
        )))
    }
}

impl Own {
    fn take(&mut self, start: u64, table: Table, picks: &[u64]) {
        let Table { values, kept, dropped, text, rows, .. } = table;
        let number = |i: usize| start + kept.as_ref().map_or(i as u64, |kept| u64::from(kept[i]));
        self.dropped += dropped as u64;
        self.rows.reserve(rows);
        for i in 0..rows {
            let (row, values) = (number(i), &values[i * self.columns..][..self.columns]);
            self.rows.push(row);
            let hashed = hash(row, values);
            for (sum, hash) in self.sum.iter_mut().zip(hashed) {
                *sum = sum.wrapping_add(hash);
            }
            if picks.binary_search(&row).is_ok() {
                let texts = text.iter().map(|column| column.get(i).to_string()).collect();
                self.picked.push(Picked { row, values: values.to_vec(), texts });
            }
        }
        if self.values.is_empty() {
            self.values = values;
        } else {
            self.values.extend(values);
        }
    }
}

/// Two hashes of a row with its number. They tell inputs apart that differ by accident.
pub(crate) fn hash(row: u64, values: &[f64]) -> [u64; 2] {
    const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f];
    FACTORS.map(|factor| {
        let add = |hash: u64, word: u64| {
            let mixed = (hash ^ word).wrapping_mul(factor);
            mixed ^ (mixed >> 29)
        };
        let words = std::iter::once(row).chain(values.iter().map(|value| value.to_bits()));
        add(words.fold(factor.rotate_left(17), add), factor)
    })
}

/// Gives the columns of all rows together mean 0 and variance 1, as the single machine does. Constant ones become 0. The means that
/// were subtracted, and what the differences were multiplied by.
pub fn standardize(team: &dyn Team, own: &mut Own) -> (Vec<f64>, Vec<f64>) {
    let columns = own.columns;
    let total = |of: &dyn Fn(&mut [f64], &[f64])| {
        // The last one counts the rows.
        let mut sums = vec![0.0; columns + 1];
        own.values.chunks_exact(columns).for_each(|row| of(&mut sums, row));
        sums[columns] = own.rows.len() as f64;
        team.sum(&mut sums);
        let n = sums[columns].max(1.0);
        sums.truncate(columns);
        sums.iter_mut().for_each(|sum| *sum /= n);
        sums
    };
    let means = total(&|sums, row| sums.iter_mut().zip(row).for_each(|(sum, v)| *sum += v));
    let squares = total(&|sums, row| {
        let apart = row.iter().zip(&means).map(|(value, mean)| value - mean);
        sums.iter_mut().zip(apart).for_each(|(sum, apart)| *sum += apart * apart);
    });
    let scale = |(square, mean): (&f64, &f64)| {
        let deviation = square.sqrt();
        // Not `<=`: a NaN compares as false.
        if deviation > 1e-12 * mean.abs() { deviation.recip() } else { 0.0 }
    };
    let scales: Vec<f64> = squares.iter().zip(&means).map(scale).collect();
    for row in own.values.chunks_exact_mut(columns) {
        for (value, (mean, scale)) in row.iter_mut().zip(means.iter().zip(&scales)) {
            *value = (*value - mean) * scale;
        }
    }
    (means, scales)
}
