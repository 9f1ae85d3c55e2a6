//! The tangent space at a point: principal directions of its neighbours.

use faer::Mat;

use super::Method;
use crate::error::{Error, Result};
use crate::graph::Neighborhoods;
use crate::points::Points;
use crate::small::eigen_descending;
use crate::vector::{axpy, dot, norm, scale};

/// No tangent space has more dimensions.
const MOST_DIMENSIONS: usize = 1000;
/// Directions with less than this share of the largest singular value do not count.
const FLAT: f64 = 1e-7;

/// Orthonormal vectors over the members of a neighbourhood: the constant 1/sqrt(k) and then the
/// left singular vectors of its centred points, largest first, at most `dimension` of them. Fewer
/// when the neighbours span fewer directions, as copies of one point do.
pub(super) fn tangent_basis(
    points: &Points,
    members: &[u32],
    dimension: usize,
) -> Result<Vec<Vec<f64>>> {
    let (k, columns) = (members.len(), points.columns());
    let mut centred = points.select(members);
    let means = centred.means();
    centred.subtract(&means);
    let row = |a: usize| centred.row(a);
    let mut basis = vec![vec![(k as f64).sqrt().recip(); k]];
    // Eigenvectors of the smaller of the two Gram matrices.
    let directions: Vec<Vec<f64>> = if columns <= k {
        let mut covariance = Mat::zeros(columns, columns);
        for a in 0..k {
            for (i, x) in row(a).iter().enumerate() {
                for (j, y) in row(a).iter().enumerate().take(i + 1) {
                    covariance[(i, j)] += x * y;
                }
            }
        }
        let (_, vectors) = eigen_descending(covariance.as_ref())?;
        let image = |j: usize| (0..k).map(|a| dot(row(a), vectors.col_as_slice(j))).collect();
        (0..dimension.min(columns)).map(image).collect()
    } else {
        let mut gram = Mat::zeros(k, k);
        for a in 0..k {
            for b in 0..=a {
                gram[(a, b)] = dot(row(a), row(b));
            }
        }
        let (values, vectors) = eigen_descending(gram.as_ref())?;
        let scaled = |j: usize| {
            let mut vector = vectors.col_as_slice(j).to_vec();
            scale(&mut vector, values[j].max(0.0).sqrt());
            vector
        };
        (0..dimension.min(k)).map(scaled).collect()
    };
    let largest = directions.first().map_or(0.0, |first| norm(first));
    for direction in directions {
        if norm(&direction) > FLAT * largest {
            append(&mut basis, direction);
        }
    }
    Ok(basis)
}

/// Appends what a vector adds to an orthonormal basis, if that is more than rounding.
pub(super) fn append(basis: &mut Vec<Vec<f64>>, mut vector: Vec<f64>) {
    let before = norm(&vector);
    for _ in 0..2 {
        for known in basis.iter() {
            axpy(-dot(known, &vector), known, &mut vector);
        }
    }
    let length = norm(&vector);
    if length > 1e-8 * before {
        scale(&mut vector, length.recip());
        basis.push(vector);
    }
}

/// The local dimension in use: the one asked for, or the number of coordinates. `needed` tells how
/// many neighbours it takes.
pub(super) fn local_dimension(
    method: &dyn Method,
    asked: Option<usize>,
    dims: usize,
    lists: &Neighborhoods,
    needed: impl Fn(usize) -> usize,
) -> Result<usize> {
    let (local_dimension, neighbors) = (asked.unwrap_or(dims), lists.least());
    if !(1..=MOST_DIMENSIONS).contains(&local_dimension) {
        return Err(Error::parameter("local_dimension", local_dimension, "from 1 to 1000"));
    }
    let needed = needed(local_dimension);
    match neighbors < needed {
        true => Err(Error::TooFewNeighbors {
            method: method.name(),
            local_dimension,
            neighbors,
            needed,
        }),
        false => Ok(local_dimension),
    }
}

/// Writes vectors over the members as the first columns of rows of `width` numbers.
pub(super) fn write_columns(vectors: &[Vec<f64>], width: usize, rows: &mut [f64]) {
    for (column, vector) in vectors.iter().enumerate() {
        for (row, value) in rows.chunks_exact_mut(width).zip(vector) {
            row[column] = *value;
        }
    }
}
