//! What Laplacian eigenmaps and diffusion maps share: kernel weights on a graph, and the symmetric
//! form of the random walk on it.

use super::{EdgeKind, Graph};
use crate::error::{Error, Result};
use crate::linalg::SparseMatrix;
use crate::problem::{End, Length, Problem};

/// No weight of an edge falls below this: far outliers and the edges that connect components stay
/// part of the graph.
const LEAST: f64 = 1e-10;

/// exp(-length^2 / epsilon), but not less than the least.
pub(crate) fn weight(squared_length: f64, epsilon: f64) -> f64 {
    (-squared_length / epsilon).exp().max(LEAST)
}

/// Weights exp(-length^2 / epsilon) of the edges; affinities are taken as they are.
pub(super) fn gaussian(graph: &Graph, epsilon: f64) -> SparseMatrix {
    match graph.kind {
        EdgeKind::Length => graph.edges.map(|_, _, length| weight(length * length, epsilon)),
        EdgeKind::Affinity => graph.edges.clone(),
    }
}

/// The median of the squared lengths of the edges that are not zero.
pub(super) fn median_squared_length(edges: &SparseMatrix) -> Result<f64> {
    let mut lengths: Vec<f64> = edges.values.iter().copied().filter(|&d| d > 0.0).collect();
    if lengths.is_empty() {
        return Err(Error::AllEqual { points: edges.size() });
    }
    let middle = lengths.len() / 2;
    let (_, median, _) = lengths.select_nth_unstable_by(middle, f64::total_cmp);
    Ok(*median * *median)
}

/// A = D^-1/2 W D^-1/2 with s = D^-1/2 and t = D^1/2 1, the largest end, eigenvalues at most 1.
pub(super) fn random_walk(weights: &SparseMatrix) -> Result<Problem> {
    random_walk_of(weights, weights.row_sums(), |weight| weight)
}

/// The same with a weight of one for each edge, whatever its value.
pub(super) fn binary_random_walk(edges: &SparseMatrix) -> Result<Problem> {
    let degrees = (0..edges.size()).map(|i| edges.columns(i).len() as f64).collect();
    random_walk_of(edges, degrees, |_| 1.0)
}

fn random_walk_of(
    edges: &SparseMatrix,
    degrees: Vec<f64>,
    weight: impl Fn(f64) -> f64 + Sync,
) -> Result<Problem> {
    if let Some(row) = degrees.iter().position(|&degree| !(degree > 0.0)) {
        return Err(Error::Parameter {
            name: "weights",
            value: format!("{} in all at point {row}", degrees[row]),
            expected: "positive for every point",
        });
    }
    let roots: Vec<f64> = degrees.iter().map(|degree| degree.sqrt()).collect();
    let normalized = edges.map(|i, j, value| weight(value) / (roots[i] * roots[j]));
    Ok(Problem {
        scale: Some(roots.iter().map(|root| root.recip()).collect()),
        trivial: Some(roots),
        matrix: normalized.into(),
        end: End::Largest,
        bound: Some(1.0),
        length: Length::One,
        chosen: Vec::new(),
    })
}
