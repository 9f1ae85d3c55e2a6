//! Products with the matrix only. Good when the gaps between the wanted eigenvalues and the others
//! are wide: kernels, and neighbour graphs of high-dimensional data.

use faer::{Mat, MatRef};

use super::krylov::{self, Request, State};
use super::{Pair, Solver, SolverOptions, check_room, digits_done, quotient_and_residual};
use crate::constraint::Constraint;
use crate::error::{Error, Result};
use crate::matrix::Matrix;
use crate::problem::{End, Problem};
use crate::progress::Progress;

pub(super) struct Lanczos<'p> {
    problem: &'p Problem,
    options: SolverOptions,
}

impl<'p> Lanczos<'p> {
    pub(super) fn new(problem: &'p Problem, options: &SolverOptions) -> Self {
        Lanczos { problem, options: options.clone() }
    }

    /// The wanted end of the matrix, turned so that it is the largest.
    fn apply(&self, block: MatRef<'_, f64>) -> Mat<f64> {
        let mut image = Mat::zeros(block.nrows(), block.ncols());
        let block = block.to_owned();
        for j in 0..block.ncols() {
            let operator = self.problem.matrix.operator();
            operator.apply(block.col_as_slice(j), image.col_as_slice_mut(j));
        }
        if self.problem.end == End::Smallest {
            image *= faer::Scale(-1.0);
        }
        image
    }
}

impl Solver for Lanczos<'_> {
    fn name(&self) -> &'static str {
        "Lanczos"
    }

    fn solve(
        &self,
        constraint: &Constraint,
        count: usize,
        seed: u64,
        progress: &Progress<'_>,
    ) -> Result<Vec<Pair>> {
        check_room(constraint, count)?;
        let tolerance = self.options.tolerance;
        let request = Request {
            constraint,
            count,
            block: match self.problem.matrix {
                Matrix::Dense(_) => (count + 1).min(4),
                _ => count.min(2),
            },
            basis: (3 * count + 20).max(40),
            iterations: self.options.max_iterations,
            seed,
        };
        let worst = |state: &State<'_>| {
            let worst = state.residuals.iter().copied().fold(0.0, f64::max);
            worst / state.norm
        };
        let found = krylov::largest(
            &request,
            |block| self.apply(block),
            |state| worst(state) <= tolerance,
            |state| progress.report(digits_done(worst(state), tolerance)),
        )?;
        let columns = (0..count).map(|j| found.vectors.col_as_slice(j).to_vec());
        let pair = |(at, vector): (usize, Vec<f64>)| {
            let operator = self.problem.matrix.operator();
            let (value, residual) = quotient_and_residual(operator, constraint, &vector);
            let residual = residual / found.norm;
            // The estimate of the iteration and the true residual differ by rounding.
            if residual > 10.0 * tolerance {
                return Err(Error::NotConverged {
                    coordinate: at + 1,
                    residual,
                    tolerance,
                    iterations: found.iterations,
                });
            }
            Ok(Pair { value, vector, residual, iterations: found.iterations })
        };
        columns.enumerate().map(pair).collect()
    }
}
