//! The tangent space at a point: principal directions of its neighbours.

use faer::Mat;

use super::Method;
use super::near_null::near_null;
use crate::error::{Error, Result};
use crate::graph::Neighborhoods;
use crate::linalg::SparseMatrix;
use crate::linalg::small::eigen_descending;
use crate::linalg::vector::{axpy, dot, norm, scale};
use crate::parameter::{Parameter, Range};
use crate::points::Points;
use crate::problem::{End, Problem};
use crate::warning::Warning;

/// No tangent space has more dimensions.
const MOST_DIMENSIONS: usize = 1000;
/// Directions with less than this share of the largest singular value do not count.
const FLAT: f64 = 1e-7;
/// Neighbourhoods that are looked at for their dimension, at most, and the share of the variance that counts.
const NEIGHBORHOODS: usize = 500;
const MOST_OF: f64 = 0.95;
/// Where all columns count, the directions before a drop of the variance by this factor are taken. Directions of an
/// evenly filled neighbourhood follow each other by a factor of about two.
const DROP: f64 = 3.0;

/// Name of the parameter.
const LOCAL_DIMENSION: &str = "local_dim";

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

/// The local dimension as a parameter.
pub(super) fn local_dimension_parameter(field: &mut Option<usize>) -> Parameter<'_> {
    Parameter::new(LOCAL_DIMENSION, field, "dimension of the tangent spaces")
        .within(Range::new(1.0, MOST_DIMENSIONS as f64, "from 1 to 1000"))
        .without("that of the neighbourhoods")
}

/// Refuses a local dimension that is asked for and that so many neighbours cannot tell. `needed` tells how many it
/// takes; of a dimension that is to be estimated it must be possible for one direction.
pub(super) fn check_local_dimension(
    method: &dyn Method,
    asked: Option<usize>,
    neighbors: usize,
    needed: impl Fn(usize) -> usize,
) -> Result<()> {
    let local_dimension = asked.unwrap_or(1);
    let needed = needed(local_dimension);
    if neighbors >= needed {
        return Ok(());
    }
    Err(Error::TooFewNeighbors { method: method.name(), local_dimension, neighbors, needed })
}

/// The local dimension in use: the one asked for, or what the neighbourhoods look like, as far as their size can
/// tell it. In the second case also what they look like.
pub(super) fn local_dimension(
    method: &dyn Method,
    asked: Option<usize>,
    points: &Points,
    lists: &Neighborhoods,
    needed: impl Fn(usize) -> usize,
) -> Result<(usize, Option<usize>)> {
    settle(method, asked, lists.least(), || typical_dimension(points, lists), needed)
}

/// The same where neighbourhoods of at least so many look like a dimension that is to be estimated.
pub(super) fn settle(
    method: &dyn Method,
    asked: Option<usize>,
    neighbors: usize,
    estimate: impl FnOnce() -> Result<usize>,
    needed: impl Fn(usize) -> usize,
) -> Result<(usize, Option<usize>)> {
    check_local_dimension(method, asked, neighbors, &needed)?;
    if let Some(dimension) = asked {
        return Ok((dimension, None));
    }
    let most = (1..=MOST_DIMENSIONS).take_while(|&d| needed(d) <= neighbors).count();
    let estimated = estimate()?;
    Ok((estimated.min(most), Some(estimated)))
}

/// The problem of an alignment matrix of tangent spaces of dimension `d`, which was estimated, or asked for.
pub(super) fn aligned(
    matrix: SparseMatrix,
    points: &Points,
    d: usize,
    estimated: Option<usize>,
) -> Result<Problem> {
    let mut problem = Problem::constant_trivial(matrix, End::Smallest);
    problem.bound = Some(0.0);
    problem.near_null = near_null(points)?;
    problem.chosen.extend(chosen(d, estimated));
    problem.warnings = tangent_warnings(d, estimated, points.columns());
    Ok(problem)
}

/// The parameter that was chosen, if it was estimated.
pub(super) fn chosen(d: usize, estimated: Option<usize>) -> Option<(&'static str, f64)> {
    estimated.map(|_| (LOCAL_DIMENSION, d as f64))
}

/// What is to be said about the local dimension in use among so many columns.
pub(super) fn tangent_warnings(
    in_use: usize,
    estimated: Option<usize>,
    columns: usize,
) -> Vec<Warning> {
    let cut = estimated.filter(|&estimated| in_use < estimated);
    let cut = cut.map(|estimated| Warning::TangentsCut { in_use, estimated });
    let flat = (in_use >= columns).then_some(Warning::TangentsFill { columns });
    cut.into_iter().chain(flat).collect()
}

/// The dimension of the neighbourhoods by their spectra: the number of principal directions that hold most of the
/// variance of a neighbourhood. A direction's share is its median over the neighbourhoods, so that a few that reach
/// from one sheet to another do not count.
///
/// Where every column counts, the tangent space would be the whole space: then the directions before the largest drop
/// are taken, if there is one, since what follows it is noise or curvature.
fn typical_dimension(points: &Points, lists: &Neighborhoods) -> Result<usize> {
    let width = points.columns().min(lists.least());
    let sampled = (0..lists.len()).step_by(every(lists.len()));
    let shares = sampled.map(|i| shares(points, lists.of(i), width)).collect::<Result<Vec<_>>>()?;
    Ok(dimension_of(&shares, points.columns()))
}

/// Of so many neighbourhoods each such one is looked at.
pub(super) fn every(neighborhoods: usize) -> usize {
    neighborhoods.div_ceil(NEIGHBORHOODS)
}

/// The dimension by the shares of the variance in neighbourhoods of points of so many columns.
pub(super) fn dimension_of(of_neighborhoods: &[Vec<f64>], columns: usize) -> usize {
    let width = of_neighborhoods.first().map_or(0, Vec::len);
    let median = |direction: usize| {
        let mut shares: Vec<f64> =
            of_neighborhoods.iter().map(|shares| shares[direction]).collect();
        shares.sort_unstable_by(f64::total_cmp);
        shares[shares.len() / 2]
    };
    let shares: Vec<f64> = (0..width).map(median).collect();
    let (total, mut sum) = (shares.iter().sum::<f64>(), 0.0);
    let short = shares.iter().take_while(|share| {
        sum += **share;
        sum < MOST_OF * total
    });
    let dimension = short.count() + 1;
    if dimension < columns {
        return dimension;
    }
    let drop = |d: usize| shares[d - 1] / shares[d].max(f64::MIN_POSITIVE);
    let largest = (1..shares.len()).max_by(|&a, &b| drop(a).total_cmp(&drop(b)).then(b.cmp(&a)));
    largest.filter(|&d| drop(d) >= DROP).unwrap_or(dimension)
}

/// The share of the variance of a neighbourhood along each principal direction, largest first, as many as there are columns
/// or as the smallest neighbourhood has.
pub(super) fn shares(points: &Points, members: &[u32], width: usize) -> Result<Vec<f64>> {
    let mut members = points.select(members);
    let means = members.means();
    members.subtract(&means);
    let k = members.rows();
    let gram = Mat::from_fn(k, k, |a, b| dot(members.row(a), members.row(b)));
    let (values, _) = eigen_descending(gram.as_ref())?;
    let total = values.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    Ok(values.into_iter().take(width).map(|value| value.max(0.0) / total).collect())
}

/// Writes vectors over the members as the first columns of rows of `width` numbers.
pub(super) fn write_columns(vectors: &[Vec<f64>], width: usize, rows: &mut [f64]) {
    for (column, vector) in vectors.iter().enumerate() {
        for (row, value) in rows.chunks_exact_mut(width).zip(vector) {
            row[column] = *value;
        }
    }
}
