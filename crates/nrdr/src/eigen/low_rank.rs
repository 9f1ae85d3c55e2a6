//! Eigenvectors of a matrix of low rank, exactly.
//!
//! With A = U diag(values) U' and the constraint V, (I - VV') U = Q T with Q orthonormal follows from G = V'U alone: T'T = I - G'G.
//! The eigenpairs that are not zero are those of the small matrix T diag(values) T'.

use std::sync::Arc;

use faer::Mat;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::{Constraint, Pair, Request, Solver, check_residual, quotient_and_residual};
use crate::error::Result;
use crate::linalg::LowRank;
use crate::linalg::low_rank::signed_product;
use crate::linalg::reduce::norm;
use crate::linalg::small::eigen_descending;
use crate::linalg::tall::{inner, product, transposed_product};
use crate::problem::Problem;
use crate::progress::Progress;

/// What the constraint leaves of a direction, as a square, below which it is rounding.
const LEFT: f64 = 1e-9;
/// An eigenvalue below this share of the largest is zero.
const ROUNDING: f64 = 1e-14;

pub(super) struct OfLowRank {
    problem: Arc<Problem>,
    matrix: Arc<LowRank>,
}

impl OfLowRank {
    pub(super) fn new(problem: &Arc<Problem>, matrix: &Arc<LowRank>) -> Self {
        OfLowRank { problem: problem.clone(), matrix: matrix.clone() }
    }

    /// Eigenvectors beside zero, best first: how many are better than zero, and their columns.
    fn beside_zero(&self, constraint: &Constraint) -> Result<(usize, Mat<f64>)> {
        let u = self.matrix.vectors();
        let shared = inner(constraint.basis(), u);
        let mut gram = Mat::identity(u.ncols(), u.ncols());
        gram -= transposed_product(shared.as_ref(), shared.as_ref());
        let (lengths, directions) = eigen_descending(gram.as_ref())?;
        let left = lengths.iter().take_while(|&&length| length > LEFT).count();
        let t = Mat::from_fn(u.ncols(), left, |i, j| lengths[j].sqrt() * directions[(i, j)]);
        let sign = self.problem.end.sign();
        let values: Vec<f64> = self.matrix.values().iter().map(|value| sign * value).collect();
        let (values, turned) = eigen_descending(signed_product(t.as_ref(), &values).as_ref())?;
        let good = values.iter().take_while(|v| **v > ROUNDING * self.matrix.norm()).count();
        let turned = Mat::from_fn(left, left, |i, j| turned[(i, j)] / lengths[i].sqrt());
        Ok((good, product(directions.as_ref().subcols(0, left), turned.as_ref())))
    }
}

impl Solver for OfLowRank {
    fn name(&self) -> &'static str {
        "low rank"
    }

    fn solve(&self, request: &Request<'_>, progress: &Progress<'_>) -> Result<Vec<Pair>> {
        request.check_room()?;
        let Request { constraint, count, tolerance, seed, .. } = *request;
        progress.report(0.1)?;
        let (good, combinations) = self.beside_zero(constraint)?;
        let zeros = constraint.size() - constraint.rank() - combinations.ncols();
        let zeros = count.saturating_sub(good).min(zeros);
        let few = combinations.as_ref().subcols(0, good.min(count));
        let mut vectors = product(self.matrix.vectors(), few);
        constraint.project(vectors.as_mut());
        let mut columns: Vec<Vec<f64>> = vectors.col_iter().map(column).collect();
        columns.extend(null_vectors(constraint, &self.matrix, zeros, seed)?);
        if columns.len() < count {
            // So few points that not even zeros suffice.
            let rest = combinations.as_ref().subcols(good, count - columns.len());
            let mut vectors = product(self.matrix.vectors(), rest);
            constraint.project(vectors.as_mut());
            columns.extend(vectors.col_iter().map(column));
        }
        let norm = self.matrix.norm();
        let pair = |(at, vector): (usize, Vec<f64>)| {
            let (value, residual) =
                quotient_and_residual(self.matrix.as_ref(), constraint, &vector);
            let residual = residual / norm;
            check_residual(at, residual, tolerance, 1)?;
            Ok(Pair { value, vector, residual, angle: 0.0, iterations: 1, missed: None })
        };
        columns.into_iter().enumerate().map(pair).collect()
    }
}

/// A column with unit length.
fn column(values: faer::ColRef<'_, f64>) -> Vec<f64> {
    let mut vector: Vec<f64> = values.iter().copied().collect();
    let length = norm(&vector);
    vector.iter_mut().for_each(|v| *v /= length);
    vector
}

/// Random vectors that the matrix takes to zero.
fn null_vectors(
    constraint: &Constraint,
    matrix: &LowRank,
    count: usize,
    seed: u64,
) -> Result<Vec<Vec<f64>>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut all = constraint.clone();
    all.forbid_block(matrix.vectors().to_owned())?;
    let before = all.rank();
    let block = Mat::from_fn(constraint.size(), count, |_, _| StandardNormal.sample(&mut random));
    all.forbid_block(block)?;
    Ok((before..all.rank()).map(|i| all.direction(i).to_vec()).collect())
}
