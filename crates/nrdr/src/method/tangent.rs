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
/// Neighbourhoods that are looked at for their dimension, at most, and the share of the variance that counts.
const NEIGHBORHOODS: usize = 500;
const MOST_OF: f64 = 0.95;

/// Regularisation of the weights that extend coordinates to new points, as that of LLE.
pub(super) const BARYCENTRIC: f64 = 1e-3;

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

/// The local dimension in use, and as a parameter if it was chosen here: the one asked for, or what the
/// neighbourhoods look like. `needed` tells how many neighbours it takes.
pub(super) fn local_dimension(
    method: &dyn Method,
    asked: Option<usize>,
    points: &Points,
    lists: &Neighborhoods,
    needed: impl Fn(usize) -> usize,
) -> Result<(usize, Vec<(&'static str, f64)>)> {
    let neighbors = lists.least();
    let (local_dimension, chosen) = match asked {
        Some(dimension) => (dimension, Vec::new()),
        None => {
            let possible = (1..neighbors).take_while(|&d| needed(d) <= neighbors).count();
            let dimension = typical_dimension(points, lists)?.clamp(1, possible.max(1));
            (dimension, vec![("local dimension", dimension as f64)])
        }
    };
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
        false => Ok((local_dimension, chosen)),
    }
}

/// The number of principal directions that hold most of the variance of a neighbourhood, on average.
fn typical_dimension(points: &Points, lists: &Neighborhoods) -> Result<usize> {
    let every = lists.len().div_ceil(NEIGHBORHOODS);
    let mut shares: Vec<f64> = Vec::new();
    for i in (0..lists.len()).step_by(every) {
        let mut members = points.select(lists.of(i));
        let means = members.means();
        members.subtract(&means);
        let k = members.rows();
        let gram = Mat::from_fn(k, k, |a, b| dot(members.row(a), members.row(b)));
        let (values, _) = eigen_descending(gram.as_ref())?;
        let total = values.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        shares.resize(shares.len().max(k), 0.0);
        shares.iter_mut().zip(values).for_each(|(share, value)| *share += value / total);
    }
    let (total, mut sum) = (shares.iter().sum::<f64>(), 0.0);
    let short = shares.iter().take_while(|share| {
        sum += **share;
        sum < MOST_OF * total
    });
    Ok(short.count() + 1)
}

/// Writes vectors over the members as the first columns of rows of `width` numbers.
pub(super) fn write_columns(vectors: &[Vec<f64>], width: usize, rows: &mut [f64]) {
    for (column, vector) in vectors.iter().enumerate() {
        for (row, value) in rows.chunks_exact_mut(width).zip(vector) {
            row[column] = *value;
        }
    }
}
