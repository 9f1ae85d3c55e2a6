//! One sparse factorisation for all coordinates. Needed when the gaps are narrow: eigenvalues of
//! 1e-10 to 1e-6 beside a norm of 1, as in LLE, Hessian LLE and LTSA always and in Laplacian
//! eigenmaps of many points on a low-dimensional manifold.
//!
//! M = bound I - A (or A - bound I at the smallest end) is positive semi-definite with t in its null
//! space; M + eps I is factorised once. In the complement of V the inverse of the projected M is
//! x -> M^-1 x - Z C^-1 V' M^-1 x with Z = M^-1 V and C = V'Z (a Schur complement).

use std::sync::Arc;

use faer::{Mat, MatMut, MatRef};

use super::accuracy::{Accuracy, Beside};
use super::krylov::{self, Found, Iteration};
use super::sparse_cholesky::{Cholesky, Failure, Symbolic};
use super::{
    Constraint, Pair, Request, SLACK, Solver, check_residual, digits_done, quotient_and_residual,
};
use crate::error::{Error, Result};
use crate::linalg::SparseMatrix;
use crate::linalg::small::CholeskyFactor;
use crate::linalg::tall::{inner, subtract_product};
use crate::problem::Problem;
use crate::progress::Progress;

/// The shift added to M, relative to its largest entry.
const SHIFT: f64 = 1e-10;

/// Eigenvalues of the matrix are known to this share of its norm.
const BLUR: f64 = 1e-14;
/// Vectors that are kept beside the wanted ones.
pub(super) const SPARE: usize = 26;

/// Solves with M + eps I. An engine outside that factorises in its own way implements this, and has a solver by
/// [`ShiftInvert::of_factor`].
pub trait Factor: Send + Sync {
    /// Replaces each column by its solution; where the rows are shared these are own rows, and every member must call this.
    fn solve(&self, block: MatMut<'_, f64>);
}

impl Factor for Cholesky {
    fn solve(&self, block: MatMut<'_, f64>) {
        Cholesky::solve(self, block);
    }
}

/// Eigenpairs by a factor of M + eps I, with M = bound I - A where the method maximises and A - bound I where it minimises.
pub struct ShiftInvert<F> {
    problem: Arc<Problem>,
    bound: f64,
    shift: f64,
    norm: f64,
    factor: F,
}

impl ShiftInvert<Cholesky> {
    /// `symbolic` is the structure of the factor of `matrix`, which is the problem's, and no
    /// eigenvalue of it lies beyond `bound`.
    pub(super) fn new(
        problem: &Arc<Problem>,
        matrix: &SparseMatrix,
        bound: f64,
        symbolic: Symbolic,
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
        Ok(ShiftInvert { problem: problem.clone(), bound, shift, norm, factor })
    }
}

impl<F: Factor> ShiftInvert<F> {
    /// The solver of a problem whose factor is that of M + `shift` I; `norm` is that of the problem's matrix. A problem
    /// without a bound has zero for one.
    pub fn of_factor(problem: &Arc<Problem>, factor: F, shift: f64, norm: f64) -> Self {
        let bound = problem.bound.unwrap_or(0.0);
        ShiftInvert { problem: problem.clone(), bound, shift, norm, factor }
    }
}

impl<F: Factor> Solver for ShiftInvert<F> {
    fn name(&self) -> &'static str {
        "shift-invert"
    }

    fn solve(&self, request: &Request<'_>, progress: &Progress<'_>) -> Result<Vec<Pair>> {
        request.check_room()?;
        let Request { constraint, count, tolerance, .. } = *request;
        let mut pairs: Vec<Pair> = Vec::with_capacity(count);
        let mut complement = constraint.clone();
        while pairs.len() < count {
            let earlier = pairs.len();
            let rest = Request { constraint: &complement, count: count - earlier, ..*request };
            let found = self.largest(&rest, progress);
            let found = found.map_err(|error| error.after(earlier))?;
            // What drowns beside the first ones comes up once they are out of the way.
            for at in 0..found.resolved.clamp(1, count - earlier) {
                let pair = self.pair(&found, at, constraint, tolerance);
                pairs.push(pair.map_err(|error| error.after(earlier))?);
            }
            if pairs.len() < count {
                complement.forbid(pairs[earlier..].iter().map(|pair| pair.vector.as_slice()));
            }
        }
        Ok(pairs)
    }
}

impl<F: Factor> ShiftInvert<F> {
    /// The largest pairs of the inverse in the complement of a constraint.
    fn largest(&self, request: &Request<'_>, progress: &Progress<'_>) -> Result<Found> {
        let Request { constraint, count, tolerance, max_iterations, seed } = *request;
        let eliminated = Eliminated::new(&self.factor, constraint)?;
        let iteration = Iteration {
            constraint,
            count,
            accuracy: Accuracy {
                tolerance,
                beside: Beside::Value,
                bound: None,
                blur: BLUR * self.norm,
            },
            spare: SPARE,
            iterations: max_iterations,
            seed,
        };
        let found = krylov::largest(
            &iteration,
            |block| eliminated.apply(block),
            |worst| progress.report(digits_done(worst * tolerance, tolerance)),
        )?;
        found.check(count, |at| found.values[at].abs())?;
        Ok(found)
    }

    /// Pair number `at` of the inverse as one of the matrix.
    fn pair(
        &self,
        found: &Found,
        at: usize,
        constraint: &Constraint,
        tolerance: f64,
    ) -> Result<Pair> {
        let (inverse, iterations) = (found.values[at], found.iterations);
        let vector = found.vectors.col_as_slice(at).to_vec();
        let operator = self.problem.matrix.operator();
        let (quotient, residual) = quotient_and_residual(operator, constraint, &vector);
        let residual = residual / self.norm;
        // The inverse tells little about an eigenvalue that is far from the bound: look at the
        // matrix itself, too.
        check_residual(at, residual, SLACK * tolerance, iterations)?;
        // Near the bound it has more digits than the Rayleigh quotient.
        let distance = inverse.recip() - self.shift;
        let value = if distance < 1e-3 * self.norm {
            self.bound - self.problem.end.sign() * distance
        } else {
            quotient
        };
        Ok(Pair { value, vector, residual, angle: found.angle(at), iterations, missed: None })
    }
}

/// The inverse within the complement of a constraint.
struct Eliminated<'a, F> {
    factor: &'a F,
    constraint: &'a Constraint,
    /// Z = M^-1 V
    solved: Mat<f64>,
    /// C = V' Z
    schur: CholeskyFactor,
}

impl<'a, F: Factor> Eliminated<'a, F> {
    fn new(factor: &'a F, constraint: &'a Constraint) -> Result<Self> {
        let mut solved = constraint.basis().to_owned();
        factor.solve(solved.as_mut());
        let schur = inner(constraint.basis(), solved.as_ref());
        let schur = CholeskyFactor::new(schur).ok_or(Error::Solver {
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
