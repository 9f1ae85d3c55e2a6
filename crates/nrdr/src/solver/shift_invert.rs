//! One sparse factorisation for all coordinates. Needed when the gaps are narrow: eigenvalues of
//! 1e-10 to 1e-6 beside a norm of 1, as in LLE, Hessian LLE and LTSA always and in Laplacian
//! eigenmaps of many points on a low-dimensional manifold.
//!
//! M = bound I - A (or A - bound I at the smallest end) is positive semi-definite with t in its null
//! space; M + eps I is factorised once. In the complement of V the inverse of the projected M is
//! x -> M^-1 x - Z C^-1 V' M^-1 x with Z = M^-1 V and C = V'Z (a Schur complement).

use faer::{Mat, MatRef};

use super::cholesky::Failure;
use super::krylov::{self, Request, State};
use super::symbolic::Symbolic;
use super::triangular::Cholesky;
use super::{Pair, Solver, SolverOptions, digits_done, quotient_and_residual};
use crate::constraint::Constraint;
use crate::error::{Error, Result};
use crate::matrix::SparseMatrix;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::small::Definite;
use crate::tall::{inner, subtract_product};

/// The shift added to M, relative to its largest entry.
const SHIFT: f64 = 1e-10;

pub(super) struct ShiftInvert<'p> {
    problem: &'p Problem,
    options: SolverOptions,
    bound: f64,
    shift: f64,
    norm: f64,
    factor: Cholesky,
}

impl<'p> ShiftInvert<'p> {
    /// `symbolic` is the structure of the factor of `matrix`, which is the problem's, and no
    /// eigenvalue of it lies beyond `bound`.
    pub(super) fn new(
        problem: &'p Problem,
        matrix: &SparseMatrix,
        bound: f64,
        symbolic: Symbolic,
        options: &SolverOptions,
        progress: &Progress<'_>,
    ) -> Result<Self> {
        let sign = -problem.end.sign();
        let diagonal = (0..matrix.size()).map(|i| (matrix.get(i, i) - bound).abs());
        let largest = diagonal.fold(f64::MIN_POSITIVE, f64::max);
        let mut shift = SHIFT * largest;
        let factor = loop {
            match symbolic.factorize(matrix, sign, shift - sign * bound, progress) {
                Ok(values) => break Cholesky::new(symbolic, values),
                // Rounding has made the matrix indefinite: a larger shift costs only iterations.
                Err(Failure::NotPositive(_)) if shift < 1e-6 * largest => shift *= 100.0,
                Err(Failure::Stopped(error)) => return Err(error),
                Err(Failure::NotPositive(row)) => {
                    return Err(Error::Solver {
                        solver: "shift-invert",
                        reason: format!(
                            "the matrix has eigenvalues beyond {bound} (found at row {row})"
                        ),
                    });
                }
            }
        };
        let norm = problem.matrix.norm().unwrap_or(largest);
        Ok(ShiftInvert { problem, options: options.clone(), bound, shift, norm, factor })
    }
}

impl Solver for ShiftInvert<'_> {
    fn name(&self) -> &'static str {
        "shift-invert"
    }

    fn solve_together(
        &self,
        constraint: &Constraint,
        count: usize,
        seed: u64,
        progress: &Progress<'_>,
    ) -> Result<Vec<Pair>> {
        let tolerance = self.options.tolerance;
        let eliminated = Eliminated::new(&self.factor, constraint)?;
        let request = Request {
            constraint,
            count,
            block: count,
            basis: (4 * count + 20).max(30),
            norm: None,
            iterations: self.options.max_iterations,
            seed,
        };
        // Relative to each eigenvalue of the inverse, which may differ by orders of magnitude.
        let worst = |state: &State<'_>| {
            let relative = state.values.iter().zip(state.residuals);
            relative.map(|(v, r)| r / v.abs()).fold(0.0, f64::max)
        };
        let found = krylov::largest(
            &request,
            |block| eliminated.apply(block),
            |state| worst(state) <= tolerance,
            |state| progress.report(digits_done(worst(state), tolerance)),
        )?;
        found.check_count(count, tolerance)?;
        let pair = |at: usize| {
            let inverse = found.values[at];
            let residual = found.residuals[at] / inverse.abs();
            // Not `>`: a NaN must not pass.
            if !(residual <= tolerance) {
                return Err(Error::NotConverged {
                    coordinate: at + 1,
                    residual,
                    tolerance,
                    iterations: found.iterations,
                });
            }
            let vector = found.vectors.col_as_slice(at).to_vec();
            let operator = self.problem.matrix.operator();
            let (quotient, residual) = quotient_and_residual(operator, constraint, &vector);
            let residual = residual / self.norm;
            // The inverse tells little about an eigenvalue that is far from the bound: look at the
            // matrix itself, too. Rounding in the solves may cost a digit.
            if !(residual <= 10.0 * tolerance) {
                return Err(Error::NotConverged {
                    coordinate: at + 1,
                    residual,
                    tolerance,
                    iterations: found.iterations,
                });
            }
            // Near the bound it has more digits than the Rayleigh quotient.
            let distance = inverse.recip() - self.shift;
            let value = match distance < 1e-3 * self.norm {
                true => self.bound - self.problem.end.sign() * distance,
                false => quotient,
            };
            Ok(Pair { value, vector, residual, iterations: found.iterations })
        };
        (0..count).map(pair).collect()
    }
}

/// The inverse within the complement of a constraint.
struct Eliminated<'a> {
    factor: &'a Cholesky,
    constraint: &'a Constraint,
    /// Z = M^-1 V
    solved: Mat<f64>,
    /// C = V' Z
    schur: Definite,
}

impl<'a> Eliminated<'a> {
    fn new(factor: &'a Cholesky, constraint: &'a Constraint) -> Result<Self> {
        let mut solved = constraint.basis().to_owned();
        factor.solve(solved.as_mut());
        let schur = inner(constraint.basis(), solved.as_ref());
        let schur = Definite::factorize(schur).ok_or(Error::Solver {
            solver: "shift-invert",
            reason: "the constraint cannot be eliminated in working precision".into(),
        })?;
        Ok(Eliminated { factor, constraint, solved, schur })
    }

    fn apply(&self, block: MatRef<'_, f64>) -> Mat<f64> {
        let mut image = block.to_owned();
        self.factor.solve(image.as_mut());
        if self.constraint.rank() > 0 {
            let mut parts = inner(self.constraint.basis(), image.as_ref());
            self.schur.solve(parts.as_mut());
            subtract_product(image.as_mut(), self.solved.as_ref(), parts.as_ref());
        }
        image
    }
}
