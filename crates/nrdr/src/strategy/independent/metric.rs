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
    pub(super) entries: Vec<f64>,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring with chords, and three functions on it.
    fn example(n: usize) -> (SparseMatrix, Vec<Vec<f64>>) {
        let mut edges = Vec::new();
        for i in 0..n {
            for step in 1..4 {
                let (j, weight) = ((i + step) % n, 1.0 / (step + i % 3) as f64);
                edges.extend([(i, j, weight), (j, i, weight)]);
            }
        }
        let wave = |k: usize| (0..n).map(|i| (0.3 * (i * k) as f64).sin()).collect();
        (SparseMatrix::new(n, &edges).unwrap(), (1..4).map(wave).collect())
    }

    /// 1/2 [L(f_k f_l) - f_k L f_l - f_l L f_k] at a point, as it is written.
    fn metric(weights: &SparseMatrix, f: &[Vec<f64>], i: usize) -> Mat<f64> {
        let degree: f64 = weights.values(i).iter().sum();
        let laplacian = |g: &dyn Fn(usize) -> f64| {
            weights.row(i).map(|(j, w)| w * g(j)).sum::<f64>() / degree - g(i)
        };
        Mat::from_fn(f.len(), f.len(), |k, l| {
            let both = laplacian(&|j| f[k][j] * f[l][j]);
            let (of_k, of_l) = (laplacian(&|j| f[k][j]), laplacian(&|j| f[l][j]));
            0.5 * (both - f[k][i] * of_l - f[l][i] * of_k)
        })
    }

    #[test]
    fn frames_are_the_principal_eigenvectors_of_the_metric() {
        let (weights, mut f) = example(40);
        for candidates in [3, 9] {
            // More candidates than the six neighbours: then the other product is decomposed.
            while f.len() < candidates {
                let k = f.len();
                f.push((0..40).map(|i| (0.2 * (i * k) as f64).cos()).collect());
            }
            let found = frames(&weights, &f, &[0, 7, 39], 2).unwrap();
            for (frame, i) in found.iter().zip([0, 7, 39]) {
                let (_, vectors) = eigen_descending(metric(&weights, &f, i).as_ref()).unwrap();
                assert_eq!(frame.columns, 2);
                for c in 0..2 {
                    let same: f64 = (0..candidates).map(|k| frame.row(k)[c] * vectors[(k, c)]).sum();
                    assert!((same.abs() - 1.0).abs() < 1e-9, "{candidates}, {i}, {c}: {same}");
                }
            }
        }
    }

    #[test]
    fn energies_are_rayleigh_quotients_beside_the_first() {
        let (weights, f) = example(40);
        let degrees = weights.row_sums();
        let quotient = |f: &[f64]| {
            let mean = dot(&degrees, f) / degrees.iter().sum::<f64>();
            let spread: f64 = (0..40).map(|i| degrees[i] * (f[i] - mean).powi(2)).sum();
            let products: f64 =
                weights.list().iter().map(|&(i, j, w)| w * (f[i] - mean) * (f[j] - mean)).sum();
            1.0 - products / spread
        };
        let found = energies(&weights, &f);
        for (energy, f_k) in found.iter().zip(&f) {
            assert!((energy - quotient(f_k) / quotient(&f[0])).abs() < 1e-9, "{found:?}");
        }
    }

    #[test]
    fn a_point_whose_neighbours_are_copies_has_no_directions() {
        let (weights, _) = example(10);
        let found = frames(&weights, &[vec![1.0; 10], vec![2.0; 10]], &[3], 2).unwrap();
        assert_eq!(found[0].columns, 0);
    }
}
