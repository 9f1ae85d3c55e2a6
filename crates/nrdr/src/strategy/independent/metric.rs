//! The directions of all candidates at a point, and the energy of each.

use faer::Mat;
use rayon::prelude::*;

use crate::error::Result;
use crate::linalg::reduce::{dot, sum};
use crate::linalg::small::eigen_descending;
use crate::linalg::{SparseMatrix, tall};

/// Eigenvalues of the metric below this share of the largest are rounding.
const ROUNDING: f64 = 1e-12;

/// U(i): principal eigenvectors of the metric at a point, row after row, a row for each candidate.
pub(super) struct Frame {
    entries: Vec<f64>,
    /// How many there are: the dimension, or the rank where that is less.
    pub(super) columns: usize,
}

impl Frame {
    /// Row of a candidate.
    pub(super) fn row(&self, candidate: usize) -> &[f64] {
        &self.entries[candidate * self.columns..][..self.columns]
    }
}

/// The frames of some points.
///
/// With L = D^-1 W - 1, the metric is H_kl(i) = 1/2 sum_j W_ij / D_i (f_k(j) - f_k(i)) (f_l(j) - f_l(i)): a product
/// G'G of matrices with a row for each neighbour. A factor does not change its eigenvectors.
pub(super) fn frames(
    weights: &SparseMatrix,
    coordinates: &[Vec<f64>],
    points: &[usize],
    dimension: usize,
) -> Result<Vec<Frame>> {
    points.par_iter().map(|&i| frame(weights, coordinates, i, dimension)).collect()
}

fn frame(
    weights: &SparseMatrix,
    coordinates: &[Vec<f64>],
    i: usize,
    dimension: usize,
) -> Result<Frame> {
    let neighbors: Vec<(usize, f64)> = weights.row(i).filter(|&(j, _)| j != i).collect();
    let differences = Mat::from_fn(neighbors.len(), coordinates.len(), |at, k| {
        let (j, weight) = neighbors[at];
        weight.sqrt() * (coordinates[k][j] - coordinates[k][i])
    });
    // Of G'G and G G', which have the same eigenvalues, the smaller one: G'v of an eigenvector v of the latter is one of
    // the former.
    let few = neighbors.len() < coordinates.len();
    let gram = if few {
        let turned = differences.transpose().to_owned();
        tall::transposed_product(turned.as_ref(), turned.as_ref())
    } else {
        tall::transposed_product(differences.as_ref(), differences.as_ref())
    };
    let (values, vectors) = eigen_descending(gram.as_ref())?;
    let least = ROUNDING * values.first().copied().unwrap_or(0.0);
    let columns = values.iter().take(dimension).take_while(|&&value| value > least).count();
    let entry = |k: usize, c: usize| match few {
        true => {
            let along: f64 =
                (0..neighbors.len()).map(|at| differences[(at, k)] * vectors[(at, c)]).sum();
            along / values[c].sqrt()
        }
        false => vectors[(k, c)],
    };
    let entries = (0..coordinates.len()).flat_map(|k| (0..columns).map(move |c| (k, c)));
    Ok(Frame { entries: entries.map(|(k, c)| entry(k, c)).collect(), columns })
}

/// lambda_k = f'(D - W) f / f' D f of each candidate, with its mean by D taken out, in units of the first one's: for
/// diffusion maps the eigenvalues of the Laplacian.
pub(super) fn energies(weights: &SparseMatrix, coordinates: &[Vec<f64>]) -> Vec<f64> {
    let degrees = weights.row_sums();
    let total = sum(degrees.iter().sum());
    let energy = |f: &Vec<f64>| {
        let mean = dot(&degrees, f) / total;
        let of_row = |i: usize| -> f64 {
            weights.row(i).map(|(j, weight)| weight * (f[i] - f[j]).powi(2)).sum()
        };
        let rows: Vec<f64> =
            (0..weights.size()).into_par_iter().with_min_len(512).map(of_row).collect();
        let spread = degrees.iter().zip(f).map(|(degree, v)| degree * (v - mean).powi(2));
        sum(0.5 * rows.iter().sum::<f64>()) / sum(spread.sum())
    };
    let all: Vec<f64> = coordinates.iter().map(energy).collect();
    let first = all.first().copied().unwrap_or(1.0).max(f64::MIN_POSITIVE);
    all.iter().map(|energy| energy / first).collect()
}
