//! What a constraint takes from A g, as a function of any point.
//!
//! A coordinate satisfies A g = lambda g + Q Q'A g with Q an orthonormal basis of the trivial direction t and the
//! smoother's right singular vectors V. Q Q'A g is a combination of t and V, and both are functions of the earlier
//! coordinates: so it is known at new points, too.

use faer::Mat;

use super::Forbidden;
use crate::eigen::Constraint;
use crate::eigen::Pair;
use crate::error::Result;
use crate::linalg::reduce::norm;
use crate::linalg::small::eigen_descending;
use crate::linalg::tall::{inner, product, transposed_product};
use crate::problem::Problem;
use crate::smoother::{SingularVectors, Smoother};

/// Combinations of t and V of less than this squared length are left alone: what tells t from V is hardly more than
/// the error of the smoother.
const DEPENDENT: f64 = 1e-10;

pub(super) fn forbidden(
    problem: &Problem,
    constraint: &Constraint,
    smoother: &dyn Smoother,
    kept: &SingularVectors,
    pair: &Pair,
) -> Result<Forbidden> {
    let n = problem.size();
    let mut image = Mat::zeros(n, 1);
    problem.matrix.operator().apply(&pair.vector, image.col_as_slice_mut(0));
    let parts = inner(constraint.basis(), image.as_ref());
    let taken = product(constraint.basis(), parts.as_ref());
    // [t V] c = Q Q'A g
    let trivial: Option<&[f64]> = problem.trivial.as_deref();
    let length = trivial.map_or(1.0, norm);
    let first = usize::from(trivial.is_some());
    let spanning = Mat::from_fn(n, first + kept.vectors.ncols(), |i, j| match trivial {
        Some(t) if j == 0 => t[i] / length,
        _ => kept.vectors[(i, j - first)],
    });
    let right = inner(spanning.as_ref(), taken.as_ref());
    let (values, vectors) = eigen_descending(inner(spanning.as_ref(), spanning.as_ref()).as_ref())?;
    let mut along = transposed_product(vectors.as_ref(), right.as_ref());
    for (i, value) in values.iter().enumerate() {
        along[(i, 0)] = if *value > DEPENDENT { along[(i, 0)] / value } else { 0.0 };
    }
    let coefficients = product(vectors.as_ref(), along.as_ref());
    let coefficients = coefficients.col_as_slice(0);
    let constant = trivial.map_or(0.0, |_| coefficients[0] / length);
    let scale = problem.scale.as_deref();
    let predictor = Some(smoother.extend(kept, scale, &coefficients[first..])?);
    Ok(Forbidden { constant, predictor })
}
