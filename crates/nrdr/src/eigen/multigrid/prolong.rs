//! From the unknowns of aggregates to those of the finer level.

use rayon::prelude::*;

use super::aggregate::Groups;
use super::csr::Csr;
use crate::linalg::SparseMatrix;
use crate::linalg::vector::{axpy, dot, norm, scale};

/// What a candidate adds to the earlier ones within an aggregate counts as nothing below this share of it.
const DEPENDENT: f64 = 1e-8;

/// Functions that the matrix nearly annihilates in every neighbourhood, a column each.
pub(super) type Candidates = Vec<Vec<f64>>;

/// An orthonormal basis of the candidates within each aggregate, T; the unknowns of the coarser level by aggregates; and the
/// candidates there.
pub(super) struct Tentative {
    pub(super) prolongation: Csr,
    pub(super) groups: Groups,
    pub(super) candidates: Candidates,
}

impl Tentative {
    /// Of these aggregates of groups.
    pub(super) fn new(aggregates: &[Vec<u32>], groups: &Groups, candidates: &Candidates) -> Self {
        let bases: Vec<Basis> = aggregates
            .par_iter()
            .with_min_len(64)
            .map(|members| {
                let unknowns = members.iter().flat_map(|&g| groups.unknowns(g as usize)).collect();
                Basis::new(unknowns, candidates)
            })
            .collect();
        let mut starts = vec![0u32];
        let mut coarse = vec![Vec::new(); candidates.len()];
        let rows = candidates.first().map_or(0, Vec::len);
        let mut lengths = vec![0; rows + 1];
        for basis in &bases {
            let start = starts[starts.len() - 1];
            starts.push(start + basis.columns.len() as u32);
            for along in &basis.along {
                coarse.iter_mut().zip(along).for_each(|(column, value)| column.push(*value));
            }
            basis.unknowns.iter().for_each(|&i| lengths[i + 1] = basis.columns.len());
        }
        for i in 0..rows {
            lengths[i + 1] += lengths[i];
        }
        let offsets = lengths;
        let mut columns = vec![0; offsets[rows]];
        let mut values = vec![0.0; offsets[rows]];
        for (basis, &start) in bases.iter().zip(&starts) {
            for (at, &i) in basis.unknowns.iter().enumerate() {
                for (k, column) in basis.columns.iter().enumerate() {
                    columns[offsets[i] + k] = start + k as u32;
                    values[offsets[i] + k] = column[at];
                }
            }
        }
        let size = starts[starts.len() - 1] as usize;
        let prolongation = Csr::new(SparseMatrix { offsets, columns, values }, size);
        Tentative { prolongation, groups: Groups { starts }, candidates: coarse }
    }
}

/// The candidates within one aggregate, Q R.
struct Basis {
    unknowns: Vec<usize>,
    /// Columns of Q.
    columns: Vec<Vec<f64>>,
    /// Rows of R: what each candidate has of each column.
    along: Vec<Vec<f64>>,
}

impl Basis {
    fn new(unknowns: Vec<usize>, candidates: &Candidates) -> Self {
        let (mut columns, mut along): (Vec<Vec<f64>>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
        for (c, candidate) in candidates.iter().enumerate() {
            let mut column: Vec<f64> = unknowns.iter().map(|&i| candidate[i]).collect();
            let before = norm(&column);
            // Twice, for the rounding that the first time leaves.
            for _ in 0..2 {
                for (known, along) in columns.iter().zip(&mut along) {
                    let part = dot(known, &column);
                    along[c] += part;
                    axpy(-part, known, &mut column);
                }
            }
            let rest = norm(&column);
            if rest > DEPENDENT * before && columns.len() < unknowns.len() {
                scale(&mut column, rest.recip());
                let mut row = vec![0.0; candidates.len()];
                row[c] = rest;
                columns.push(column);
                along.push(row);
            }
        }
        Basis { unknowns, columns, along }
    }
}

/// P = (I - weight D^-1 M) T
pub(super) fn smoothed(
    matrix: &Csr,
    inverse_diagonal: &[f64],
    weight: f64,
    tentative: &Csr,
) -> Csr {
    matrix.combined(tentative, |i| {
        let factor = -weight * inverse_diagonal[i];
        (factor, 1.0 + factor * matrix.shift)
    })
}
