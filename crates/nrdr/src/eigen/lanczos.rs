//! Products with the matrix only. Good when the gaps between the wanted eigenvalues and the others
//! are wide: kernels, and neighbour graphs of high-dimensional data.

use std::sync::Arc;

use faer::{Mat, MatRef};

use super::accuracy::{Accuracy, Beside};
use super::krylov::{self, Iteration};
use super::{Pair, Request, SLACK, Solver, check_residual, digits_done, quotient_and_residual};
use crate::error::Result;
use crate::problem::Problem;
use crate::progress::Progress;

/// Residuals below this share of the norm are rounding.
const ROUNDING: f64 = 1e-13;
/// Vectors that are kept beside the wanted ones,
pub(super) const SPARE: usize = 36;
/// and where gaps are known to be narrow, so that every restart loses much.
const SPARE_NARROW: usize = 80;

pub(super) struct Lanczos {
    problem: Arc<Problem>,
    /// What the number of iterations that is asked for is divided by.
    haste: usize,
}

impl Lanczos {
    pub(super) fn new(problem: &Arc<Problem>) -> Self {
        Lanczos::hasty(problem, 1)
    }

    /// A solver for narrow gaps, with a large basis, that gives up after so many times fewer blocks than are asked for.
    pub(super) fn hasty(problem: &Arc<Problem>, haste: usize) -> Self {
        Lanczos { problem: problem.clone(), haste }
    }

    /// sign A X
    fn apply(&self, block: MatRef<'_, f64>) -> Mat<f64> {
        let (n, width) = (block.nrows(), block.ncols());
        let block = block.to_owned();
        let columns: Vec<&[f64]> = (0..width).map(|j| block.col_as_slice(j)).collect();
        let mut image = vec![0.0; n * width];
        self.problem.matrix.operator().apply_block(&columns, &mut image);
        let sign = self.problem.end.sign();
        Mat::from_fn(n, width, |i, j| sign * image[j * n + i])
    }
}

impl Solver for Lanczos {
    fn name(&self) -> &'static str {
        "Lanczos"
    }

    fn solve(&self, request: &Request<'_>, progress: &Progress<'_>) -> Result<Vec<Pair>> {
        request.check_room()?;
        let Request { constraint, count, tolerance, max_iterations, seed } = *request;
        let sign = self.problem.end.sign();
        let bound = self.problem.bound.map(|bound| sign * bound);
        let spare = if self.haste > 1 { SPARE_NARROW } else { SPARE };
        let iteration = Iteration {
            constraint,
            count,
            accuracy: Accuracy { tolerance, beside: Beside::Norm, bound, blur: 0.0 },
            spare,
            iterations: max_iterations.div_ceil(self.haste),
            seed,
        };
        let found = krylov::largest(
            &iteration,
            |block| self.apply(block),
            |worst| progress.report(digits_done(worst * tolerance, tolerance)),
        )?;
        let norm = self.problem.matrix.norm().unwrap_or(found.norm);
        found.check(count, |_| norm)?;
        let pair = |at: usize| {
            let vector = found.vectors.col_as_slice(at).to_vec();
            let operator = self.problem.matrix.operator();
            let (value, residual) = quotient_and_residual(operator, constraint, &vector);
            let allowed = (SLACK * found.wanted[at].limit).max(ROUNDING * norm);
            let (residual, tolerance) = (residual / norm, allowed / norm);
            let iterations = found.iterations;
            check_residual(at, residual, tolerance, iterations)?;
            Ok(Pair { value, vector, residual, angle: found.angle(at), iterations, missed: None })
        };
        (0..count).map(pair).collect()
    }
}
