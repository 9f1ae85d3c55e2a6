//! Eigenvectors in the complement of a constraint.

mod accuracy;
mod choice;
mod constraint;
mod davidson;
mod dense;
mod fallback;
pub(crate) mod kept;
mod krylov;
mod lanczos;
mod low_rank;
mod multigrid;
mod predict;
mod searched;
mod shift_invert;
mod space;
mod sparse_cholesky;

pub use accuracy::{Accuracy, Beside, Wanted};
pub use choice::Builtin;
pub(crate) use choice::foresee;
pub use constraint::Constraint;
pub(crate) use predict::{Glance, Levels};
pub use shift_invert::{Factor, ShiftInvert};
pub use sparse_cholesky::{Cost, factor_cost};

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::linalg::Operator;
use crate::linalg::reduce::{count, dot, norm};
use crate::parameter::{Word, Words};
use crate::problem::Problem;
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
    /// Davidson with a multigrid preconditioner: for narrow gaps where a factor would be too large.
    Multigrid,
}

impl Words for SolverKind {
    const WORDS: &'static [Word] = &[
        Word::new("auto", "Chosen by the problem"),
        Word::new("dense", "All eigenvalues"),
        Word::new("lanczos", "Products with the matrix only"),
        Word::new("shift-invert", "One sparse factorisation"),
        Word::new("multigrid", "Coarser and coarser levels"),
    ];
    const VALUES: &'static [Self] = &[
        SolverKind::Auto,
        SolverKind::Dense,
        SolverKind::Lanczos,
        SolverKind::ShiftInvert,
        SolverKind::Multigrid,
    ];
}

/// What a missed tolerance means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missed {
    /// The residual that was reached is made do with, as long as it is below 1e-3, and a warning tells it.
    #[default]
    Loosen,
    /// An error.
    Error,
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
    /// What a missed tolerance means.
    pub missed: Missed,
}

impl Default for SolverOptions {
    fn default() -> Self {
        let (kind, missed) = (SolverKind::Auto, Missed::Loosen);
        SolverOptions { kind, tolerance: 1e-8, max_iterations: 5000, missed }
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
    /// The tolerance that was wanted, where this pair missed it.
    pub missed: Option<f64>,
}

/// Which eigenpairs are wanted, and how well.
#[derive(Clone, Copy)]
pub struct Request<'r> {
    /// The directions that they must be orthogonal to.
    pub constraint: &'r Constraint,
    /// How many.
    pub count: usize,
    /// See [`SolverOptions::tolerance`].
    pub tolerance: f64,
    /// Products or solves with a block of vectors at most.
    pub max_iterations: usize,
    /// Start of the random numbers.
    pub seed: u64,
}

impl Request<'_> {
    /// Refuses more directions than the constraint leaves. Where the rows are shared, every member must ask.
    pub fn check_room(&self) -> Result<()> {
        let available = count(self.constraint.size()) - self.constraint.rank();
        if self.count > available {
            return Err(Error::TooManyCoordinates { dims: self.count, available });
        }
        Ok(())
    }
}

/// Makes solvers: what an eigenproblem is handed to. [`Builtin`] is the one of this crate; another one is written
/// outside by implementing this trait and [`Solver`] (`examples/engine.rs` does).
pub trait Engine: Sync {
    /// Prepares a problem for being solved under one constraint after another; here it is factorised, say.
    fn prepare(
        &self,
        problem: &Arc<Problem>,
        options: &SolverOptions,
        progress: &Progress<'_>,
    ) -> Result<Box<dyn Solver>>;
}

/// Finds eigenvectors of one problem under one constraint after another.
pub trait Solver: Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// The best eigenpairs orthogonal to the constraint, best first. An eigenpair that misses the tolerance is the error
    /// [`Error::NotConverged`] with the residual that was reached.
    fn solve(&self, request: &Request<'_>, progress: &Progress<'_>) -> Result<Vec<Pair>>;
}

/// Vectors that the basis of an iterative solver of a kind takes for so many pairs of `points` points.
pub(crate) fn basis_columns(kind: SolverKind, count: usize, points: usize) -> usize {
    let spare = match kind {
        SolverKind::Multigrid => return davidson::basis_columns(count, points),
        SolverKind::ShiftInvert => shift_invert::SPARE,
        _ => lanczos::SPARE,
    };
    krylov::basis_columns(count, spare, points)
}

/// The relative residual of pair number `at` must be within the tolerance.
fn check_residual(at: usize, residual: f64, tolerance: f64, iterations: usize) -> Result<()> {
    // Not `>`: a NaN must not pass.
    if residual <= tolerance {
        return Ok(());
    }
    Err(Error::NotConverged { coordinate: at + 1, residual, tolerance, iterations })
}

/// The Rayleigh quotient of a unit vector and the norm of its residual, with the forbidden directions taken out.
pub fn quotient_and_residual(
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
    if worst > 0.0 { (worst.ln() / tolerance.ln()).clamp(0.0, 1.0) } else { 1.0 }
}
