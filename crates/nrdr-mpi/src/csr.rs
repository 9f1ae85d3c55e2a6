//! Sparse symmetric matrices whose rows are spread over members.

use std::sync::Arc;

use nrdr::Operator;
use nrdr::team::Team;
use rayon::prelude::*;

use crate::failure::{Failure, Result, agree};
use crate::shared::Rows;
use crate::wire::exchange;

/// Rows that a thread takes at a time.
const CHUNK: usize = 512;

/// Own rows of a sparse symmetric matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedCsr {
    /// Who has which rows.
    pub rows: Rows,
    /// Where each own row begins; one more entry than own rows.
    pub offsets: Vec<usize>,
    /// The columns of the entries, by the numbers of all rows, ascending in each row.
    pub columns: Vec<u64>,
    /// Their values.
    pub values: Vec<f64>,
}

impl SharedCsr {
    /// From entries (row, column, value), of any rows at any member; entries of one place are added up, in an order that does not
    /// depend on who gave them.
    pub fn from_entries(
        team: &dyn Team,
        rows: Rows,
        entries: impl IntoIterator<Item = (u64, u64, f64)>,
    ) -> Result<Self> {
        let mut to: Vec<Vec<[u64; 3]>> = vec![Vec::new(); team.size()];
        let mut outside = None;
        for (row, column, value) in entries {
            if row.max(column) < rows.total() {
                to[rows.owner(row)].push([row, column, value.to_bits()]);
            } else {
                outside = Some(row.max(column) as usize);
            }
        }
        let size = outside.map(|got| nrdr::Error::Size {
            what: "a place in the matrix",
            got,
            expected: rows.total() as usize,
        });
        agree(team, size.map_or(Ok(()), |error| Err(Failure::Core(error))))?;
        let mut mine: Vec<[u64; 3]> = exchange(team, to).into_iter().flatten().collect();
        let ascending = |a: &[u64; 3], b: &[u64; 3]| {
            let values = || f64::from_bits(a[2]).total_cmp(&f64::from_bits(b[2]));
            a[..2].cmp(&b[..2]).then_with(values)
        };
        mine.par_sort_unstable_by(ascending);
        let own = rows.of(team.rank());
        let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        let mut places = mine.chunk_by(|a, b| a[..2] == b[..2]).peekable();
        for row in own {
            while let Some(place) = places.next_if(|place| place[0][0] == row) {
                columns.push(place[0][1]);
                values.push(place.iter().map(|entry| f64::from_bits(entry[2])).sum());
            }
            offsets.push(columns.len());
        }
        let matrix = SharedCsr { rows, offsets, columns, values };
        matrix.check(team)?;
        Ok(matrix)
    }

    /// Refuses rows that do not fit each other, and numbers that are not finite.
    pub fn check(&self, team: &dyn Team) -> Result<()> {
        agree(team, self.check_own(team.rank()).map_err(Failure::Core))
    }

    fn check_own(&self, member: usize) -> nrdr::Result<()> {
        let (own, total) = (self.rows.count(member), self.rows.total());
        let size = |what, got, expected| nrdr::Error::Size { what, got, expected };
        if self.offsets.len() != own + 1 {
            return Err(size("the rows of the matrix", self.offsets.len().saturating_sub(1), own));
        }
        let entries = self.offsets[own];
        let ascend = self.offsets[0] == 0 && self.offsets.is_sorted();
        if !ascend || self.columns.len() != entries || self.values.len() != entries {
            return Err(size("the entries of the matrix", self.columns.len(), entries));
        }
        for i in 0..own {
            let row = (self.rows.of(member).start + i as u64) as usize;
            let ascends = self.columns(i).windows(2).all(|w| w[0] < w[1]);
            let last = self.columns(i).last().copied().unwrap_or(0);
            if !ascends || last >= total {
                return Err(size("a column of the matrix", last as usize, total as usize));
            }
            if let Some(at) = self.values(i).iter().position(|value| !value.is_finite()) {
                let (column, value) = (self.columns(i)[at] as usize, self.values(i)[at]);
                return Err(nrdr::Error::NotFinite { row, column, value });
            }
        }
        Ok(())
    }

    /// How many own rows there are.
    pub fn own(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The columns of own row `i`, ascending.
    pub fn columns(&self, i: usize) -> &[u64] {
        &self.columns[self.offsets[i]..self.offsets[i + 1]]
    }

    /// The values of own row `i`.
    pub fn values(&self, i: usize) -> &[f64] {
        &self.values[self.offsets[i]..self.offsets[i + 1]]
    }

    /// The matrix with an entry on the diagonal of each row, of zero where there was none.
    pub fn with_diagonal(self, member: usize) -> Self {
        let first = self.rows.of(member).start;
        let own = self.own();
        let mut offsets = Vec::with_capacity(own + 1);
        let mut columns = Vec::with_capacity(self.columns.len() + own);
        let mut values = Vec::with_capacity(self.values.len() + own);
        offsets.push(0);
        for i in 0..own {
            let row = first + i as u64;
            let at = self.columns(i).partition_point(|&column| column < row);
            columns.extend_from_slice(&self.columns(i)[..at]);
            values.extend_from_slice(&self.values(i)[..at]);
            if self.columns(i).get(at) != Some(&row) {
                columns.push(row);
                values.push(0.0);
            }
            columns.extend_from_slice(&self.columns(i)[at..]);
            values.extend_from_slice(&self.values(i)[at..]);
            offsets.push(columns.len());
        }
        SharedCsr { rows: self.rows, offsets, columns, values }
    }
}

/// A matrix that multiplies vectors of which each member has its own rows. What it needs of the others' rows was agreed on
/// once; every product sends just that.
pub struct Product {
    team: Arc<dyn Team>,
    matrix: Arc<SharedCsr>,
    /// The place of each entry's column: among the own rows, or behind them among those that others send.
    places: Vec<u32>,
    /// Own rows that each member is sent, counted from the first own one.
    sent: Vec<Vec<u32>>,
    /// How many rows come from each.
    received: Vec<usize>,
}

impl Product {
    /// Agrees with the other members on what is sent. All of them must call this.
    pub fn new(team: Arc<dyn Team>, matrix: Arc<SharedCsr>) -> Self {
        let own = matrix.rows.of(team.rank());
        let mut ghosts: Vec<u64> =
            matrix.columns.iter().copied().filter(|column| !own.contains(column)).collect();
        ghosts.par_sort_unstable();
        ghosts.dedup();
        let rows = (own.end - own.start) as usize;
        let place = |column: &u64| {
            if own.contains(column) {
                (column - own.start) as u32
            } else {
                (rows + ghosts.partition_point(|ghost| ghost < column)) as u32
            }
        };
        let places = matrix.columns.par_iter().with_min_len(4096).map(place).collect();
        let mut wanted = vec![Vec::new(); team.size()];
        let mut received = vec![0; team.size()];
        for &ghost in &ghosts {
            let owner = matrix.rows.owner(ghost);
            let row = (ghost - matrix.rows.starts[owner]) as u32;
            wanted[owner].extend_from_slice(&row.to_le_bytes());
            received[owner] += 1;
        }
        let row = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
        let asked = team.exchange(wanted);
        let sent = asked.iter().map(|rows| rows.as_chunks().0.iter().map(row).collect()).collect();
        Product { team, matrix, places, sent, received }
    }

    /// How many rows of others a product needs here.
    pub fn ghosts(&self) -> usize {
        self.received.iter().sum()
    }

    /// Own rows of the vectors and behind them those of others, for each vector.
    fn with_ghosts(&self, x: &[&[f64]]) -> Vec<Vec<f64>> {
        let pack = |rows: &Vec<u32>| {
            let all = x.iter().flat_map(|x| rows.iter().map(|&row| x[row as usize]));
            all.flat_map(f64::to_le_bytes).collect()
        };
        let came = self.team.exchange(self.sent.iter().map(pack).collect());
        let full = |(at, x): (usize, &&[f64])| {
            let mut full = x.to_vec();
            for (bytes, &count) in came.iter().zip(&self.received) {
                let numbers = &bytes.as_chunks().0[at * count..(at + 1) * count];
                full.extend(numbers.iter().map(|number| f64::from_le_bytes(*number)));
            }
            full
        };
        x.iter().enumerate().map(full).collect()
    }

    fn multiply(&self, full: &[f64], y: &mut [f64]) {
        let SharedCsr { offsets, values, .. } = self.matrix.as_ref();
        y.par_iter_mut().with_min_len(CHUNK).enumerate().for_each(|(i, y)| {
            let range = offsets[i]..offsets[i + 1];
            let entries = self.places[range.clone()].iter().zip(&values[range]);
            *y = entries.map(|(&place, value)| value * full[place as usize]).sum();
        });
    }
}

impl Operator for Product {
    /// Own rows.
    fn size(&self) -> usize {
        self.matrix.own()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.multiply(&self.with_ghosts(&[x])[0], y);
    }

    fn apply_block(&self, x: &[&[f64]], y: &mut [f64]) {
        let rows = self.size();
        for (at, full) in self.with_ghosts(x).iter().enumerate() {
            self.multiply(full, &mut y[at * rows..(at + 1) * rows]);
        }
    }
}

#[cfg(test)]
mod tests {
    use nrdr::team::{current, of_threads};

    use super::*;

    /// Entries of a symmetric matrix of seven rows, some places several times.
    fn entries() -> Vec<(u64, u64, f64)> {
        let upper = (0..7).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let upper = upper.filter(|(i, j)| (i * 3 + j) % 4 != 1).chain([(5, 2), (5, 2), (6, 6)]);
        let both = upper.flat_map(|(i, j)| [(i, j), (j, i)]);
        let place = both.enumerate().filter(|(at, (i, j))| i != j || at % 2 == 0);
        place.map(|(at, (i, j))| (i, j, 0.1 * (i * j) as f64 + 1e-3 * (at / 2) as f64)).collect()
    }

    #[test]
    fn entries_go_to_their_rows_and_multiply() {
        let mut dense = [[0.0; 7]; 7];
        entries().iter().for_each(|&(i, j, v)| dense[i as usize][j as usize] += v);
        let x: Vec<f64> = (0..7).map(|i| (i as f64).sin() + 0.3).collect();
        let mut whole: Vec<f64> = Vec::new();
        for size in [1, 2, 3, 4, 9] {
            let parts = of_threads(size, |team| {
                let rank = team.rank();
                let count = 7 * (rank + 1) / size - 7 * rank / size;
                let rows = Rows::of_counts(team, count);
                let mine = entries().into_iter().enumerate();
                let mine = mine.filter(|(at, _)| at % size == rank).map(|(_, entry)| entry);
                let matrix = SharedCsr::from_entries(team, rows.clone(), mine).unwrap();
                let own = rows.of(rank).start as usize..rows.of(rank).end as usize;
                let product = Product::new(current().unwrap(), Arc::new(matrix.clone()));
                let mut y = vec![0.0; count];
                product.apply(&x[own.clone()], &mut y);
                for (i, y) in own.zip(y) {
                    let wanted: f64 = dense[i].iter().zip(&x).map(|(a, x)| a * x).sum();
                    assert!((y - wanted).abs() < 1e-14);
                }
                let full = matrix.clone().with_diagonal(rank);
                for i in 0..count {
                    let row = rows.of(rank).start + i as u64;
                    assert!(full.columns(i).contains(&row) && full.columns(i).is_sorted());
                }
                full.check(team).unwrap();
                matrix.values
            });
            let values = parts.concat();
            // To the bit, whoever gave which entry.
            assert!(whole.is_empty() || whole == values);
            whole = values;
        }
    }

    #[test]
    fn what_is_wrong_at_one_member_is_told_to_all() {
        let told = of_threads(3, |team| {
            let rows = Rows::of_counts(team, 2);
            let value = if team.rank() == 1 { f64::NAN } else { 1.0 };
            let place = 2 * team.rank() as u64;
            let matrix = SharedCsr::from_entries(team, rows.clone(), [(place, place, value)]);
            let nan = matrix.unwrap_err().to_string();
            let beyond = SharedCsr::from_entries(team, rows, [(place + 3, 0, 1.0)]);
            (nan, beyond.unwrap_err().to_string())
        });
        for (nan, beyond) in &told {
            assert!(nan.contains("row 3, column 3") || nan.contains("NaN"), "{nan}");
            assert!(beyond.contains('7') && beyond.contains('6'), "{beyond}");
        }
        assert_eq!(told[0], told[2]);
    }

    /// Entry (i, j) of a symmetric matrix with few entries, some of them far from the diagonal.
    fn entry(i: u64, j: u64) -> f64 {
        let (a, b) = (i.min(j), i.max(j));
        let is_there = a == b || (a * 7 + b * 3) % 5 == 0;
        if is_there { 1.0 + (a * 31 + b) as f64 / 7.0 } else { 0.0 }
    }

    #[test]
    fn products_are_those_of_the_whole_matrix() {
        for (starts, all) in
            [(vec![0, 20], 20), (vec![0, 7, 20], 20), (vec![0, 0, 3, 3, 19, 20], 20)]
        {
            let x: Vec<f64> = (0..all).map(|i| (i as f64 * 0.7).sin()).collect();
            let wanted: Vec<f64> =
                (0..all).map(|i| (0..all).map(|j| entry(i, j) * x[j as usize]).sum()).collect();
            let seen = of_threads(starts.len() - 1, |team| {
                let rows = Rows { starts: starts.clone() };
                let own = rows.of(team.rank());
                let mut matrix =
                    SharedCsr { rows, offsets: vec![0], columns: vec![], values: vec![] };
                for i in own.clone() {
                    for j in (0..all).filter(|&j| entry(i, j) != 0.0) {
                        matrix.columns.push(j);
                        matrix.values.push(entry(i, j));
                    }
                    matrix.offsets.push(matrix.columns.len());
                }
                let product = Product::new(current().unwrap(), Arc::new(matrix));
                let own = own.start as usize..own.end as usize;
                let twice: Vec<f64> = x.iter().map(|v| 2.0 * v).collect();
                let mut y = vec![0.0; 2 * own.len()];
                product.apply_block(&[&x[own.clone()], &twice[own.clone()]], &mut y);
                let (y, z) = y.split_at(own.len());
                assert!(y.iter().zip(z).all(|(y, z)| (2.0 * y - z).abs() < 1e-12));
                y.to_vec()
            });
            for (seen, wanted) in seen.concat().iter().zip(&wanted) {
                assert!((seen - wanted).abs() < 1e-12, "{seen} {wanted}");
            }
        }
    }
}
