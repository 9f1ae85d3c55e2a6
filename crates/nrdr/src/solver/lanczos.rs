//! Products with the matrix only. Good when the gaps between the wanted eigenvalues and the others
//! are wide: kernels, and neighbour graphs of high-dimensional data.

use faer::{Mat, MatRef};

use super::krylov::{self, Request, State};
use super::{Pair, Solver, SolverOptions, digits_done, quotient_and_residual};
use crate::constraint::Constraint;
use crate::error::{Error, Result};
use crate::problem::Problem;
use crate::progress::Progress;

/// Residual over distance to the extreme eigenvalue.
const RELATIVE: f64 = 1e-4;
/// Residuals below this share of the norm are rounding.
const ROUNDING: f64 = 1e-13;

pub(super) struct Lanczos<'p> {
    problem: &'p Problem,
    options: SolverOptions,
}

impl<'p> Lanczos<'p> {
    pub(super) fn new(problem: &'p Problem, options: &SolverOptions) -> Self {
        Lanczos { problem, options: options.clone() }
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

    /// The residual that a pair with this (turned) eigenvalue may have: the tolerance times the norm,
    /// but also little beside the distance to the extreme eigenvalue, where that is known. An
    /// eigenvalue of 1e-9 is not known by a residual of 1e-8.
    fn allowed(&self, value: f64, norm: f64) -> f64 {
        let allowed = self.options.tolerance * norm;
        match self.problem.bound {
            Some(bound) => {
                let distance = (value - self.problem.end.sign() * bound).abs();
                allowed.min((RELATIVE * distance).max(ROUNDING * norm))
            }
            None => allowed,
        }
    }
}

impl Solver for Lanczos<'_> {
    fn name(&self) -> &'static str {
        "Lanczos"
    }

    fn solve_together(
        &self,
        constraint: &Constraint,
        count: usize,
        seed: u64,
        progress: &Progress<'_>,
    ) -> Result<Vec<Pair>> {
        let tolerance = self.options.tolerance;
        let request = Request {
            constraint,
            count,
            block: count,
            basis: (3 * count + 20).max(40),
            norm: self.problem.matrix.norm(),
            iterations: self.options.max_iterations,
            seed,
        };
        let worst = |state: &State<'_>| {
            let pairs = state.values.iter().zip(state.residuals);
            pairs.map(|(v, r)| r / self.allowed(*v, state.norm)).fold(0.0, f64::max)
        };
        let found = krylov::largest(
            &request,
            |block| self.apply(block),
            |state| worst(state) <= 1.0,
            |state| progress.report(digits_done(worst(state) * tolerance, tolerance)),
        )?;
        found.check_count(count, tolerance)?;
        let columns = (0..count).map(|j| found.vectors.col_as_slice(j).to_vec());
        let pair = |(at, vector): (usize, Vec<f64>)| {
            let operator = self.problem.matrix.operator();
            let (value, residual) = quotient_and_residual(operator, constraint, &vector);
            // The estimate of the iteration and the true residual differ by rounding. Not `>`: a NaN
            // must not pass.
            let allowed = self.allowed(self.problem.end.sign() * value, found.norm);
            if !(residual <= 10.0 * allowed) {
                return Err(Error::NotConverged {
                    coordinate: at + 1,
                    residual: residual / found.norm,
                    tolerance: allowed / found.norm,
                    iterations: found.iterations,
                });
            }
            let residual = residual / found.norm;
            Ok(Pair { value, vector, residual, iterations: found.iterations })
        };
        columns.enumerate().map(pair).collect()
    }
}
