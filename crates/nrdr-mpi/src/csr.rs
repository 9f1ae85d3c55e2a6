//! A sparse symmetric matrix whose rows are spread over the members of a team.

use std::sync::Arc;

use nrdr::Operator;
use nrdr::team::Team;
use rayon::prelude::*;

use crate::shared::Rows;

/// Rows that a thread takes at a time.
const CHUNK: usize = 512;

/// The own rows of a matrix, one after another.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedCsr {
    /// Who has which rows.
    pub rows: Rows,
    /// Where the entries of each own row begin, and where those of the last one end.
    pub offsets: Vec<usize>,
    /// The column of each entry, counted over all rows: ascending in a row, the diagonal always there.
    pub columns: Vec<u64>,
    /// The value of each entry.
    pub values: Vec<f64>,
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
        self.matrix.offsets.len() - 1
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
