//! Eigenvectors in the complement of a constraint.

mod accuracy;
mod choice;
mod constraint;
mod dense;
mod krylov;
mod lanczos;
mod shift_invert;
mod space;
mod sparse_cholesky;

pub use choice::choose;
pub use constraint::Constraint;

use crate::error::{Error, Result};
use crate::linalg::Operator;
use crate::linalg::vector::{dot, norm};
use crate::progress::Progress;

/// The true residual may exceed the iteration's estimate of it by this factor.
const SLACK: f64 = 10.0;

/// Which solver to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SolverKind {
    /// Chosen from the size and kind of the matrix and the predicted cost of factorising it.
    #[default]
    Auto,
    /// All eigenvalues of the projected matrix; for small problems and as an oracle.
    Dense,
    /// Products with the matrix only: for wide gaps between eigenvalues.
    Lanczos,
    /// One sparse factorisation, then few solves: for narrow gaps.
    ShiftInvert,
}

/// How eigenvectors are computed.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverOptions {
    /// Which solver.
    pub kind: SolverKind,
    /// A pair counts as converged when |A g - lambda g| is below this share of the norm of A (of
    /// the inverse's eigenvalue, in a shift-invert), and below 1000 times as much of the distance to other eigenvalues.
    pub tolerance: f64,
    /// Products or solves with a block of vectors at most.
    pub max_iterations: usize,
}

impl Default for SolverOptions {
    fn default() -> Self {
        SolverOptions { kind: SolverKind::Auto, tolerance: 1e-8, max_iterations: 5000 }
    }
}

impl SolverOptions {
    pub(crate) fn check(&self) -> Result<()> {
        if !(self.tolerance > 0.0 && self.tolerance < 0.1) {
            return Err(Error::parameter("tolerance", self.tolerance, "between 0 and 0.1"));
        }
        if self.max_iterations == 0 {
            return Err(Error::parameter("max_iterations", 0, "at least 1"));
        }
        Ok(())
    }
}

/// An eigenvector of the constrained problem, and how well it is known.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The eigenvalue of (I - VV') A (I - VV').
    pub value: f64,
    /// The eigenvector g, of unit length and orthogonal to V.
    pub vector: Vec<f64>,
    /// |(I - VV') (A g - value g)| / |A|: a backward error.
    pub residual: f64,
    /// About how far g may be turned towards other eigenvectors: the residual beside the distance of their
    /// eigenvalues. Zero where all eigenvalues are computed.
    pub angle: f64,
    /// Products or solves with a block of vectors.
    pub iterations: usize,
}

/// Finds eigenvectors of one problem under one constraint after another.
pub trait Solver: Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// The `count` best eigenpairs orthogonal to the constraint, best first. An eigenpair that misses the tolerance is
    /// an error.
    fn solve(
        &self,
        constraint: &Constraint,
        count: usize,
        seed: u64,
        progress: &Progress<'_>,
    ) -> Result<Vec<Pair>>;
}

/// There must be room for `count` directions beside the constraint.
fn check_room(constraint: &Constraint, count: usize) -> Result<()> {
    let available = constraint.size() - constraint.rank();
    if count > available {
        return Err(Error::TooManyCoordinates { dims: count, available });
    }
    Ok(())
}

/// The relative residual of pair number `at` must be within the tolerance.
fn check_residual(at: usize, residual: f64, tolerance: f64, iterations: usize) -> Result<()> {
    // Not `>`: a NaN must not pass.
    if residual <= tolerance {
        return Ok(());
    }
    Err(Error::NotConverged { coordinate: at + 1, residual, tolerance, iterations })
}

/// The Rayleigh quotient of a unit vector and its residual, with the forbidden directions taken out.
fn quotient_and_residual(
    matrix: &dyn Operator,
    constraint: &Constraint,
    vector: &[f64],
) -> (f64, f64) {
    let mut image = faer::Mat::zeros(vector.len(), 1);
    matrix.apply(vector, image.col_as_slice_mut(0));
    constraint.project(image.as_mut());
    let image = image.col_as_slice_mut(0);
    let value = dot(vector, image);
    for (out, v) in image.iter_mut().zip(vector) {
        *out -= value * v;
    }
    (value, norm(image))
}

/// How far an iteration is, from its worst residual: a share of the digits wanted.
fn digits_done(worst: f64, tolerance: f64) -> f64 {
    match worst > 0.0 {
        true => (worst.ln() / tolerance.ln()).clamp(0.0, 1.0),
        false => 1.0,
    }
}
