//! The tangent space at a point: principal directions of its neighbours.

use faer::Mat;

use crate::error::Result;
use crate::points::Points;
use crate::small::eigen_descending;
use crate::vector::{axpy, dot, norm, scale};

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
pub(super) fn append(basis: &mut Vec<Vec<f64>>, mut vector: Vec<f64>) -> bool {
    let before = norm(&vector);
    for _ in 0..2 {
        for known in basis.iter() {
            axpy(-dot(known, &vector), known, &mut vector);
        }
    }
    let length = norm(&vector);
    let new = length > 1e-8 * before;
    if new {
        scale(&mut vector, length.recip());
        basis.push(vector);
    }
    new
}

/// The local dimension in use: the one asked for, or the number of coordinates.
pub(super) fn local_dimension(asked: Option<usize>, dims: usize) -> usize {
    asked.unwrap_or(dims)
}
