//! What a strategy works on, and what it finds.

use std::sync::Arc;
use std::time::Duration;

use super::Originals;
use crate::checkpoint::{Keep, Kept};
use crate::eigen::{
    Constraint, Missed, Pair, Request, Solver, SolverKind, SolverOptions, basis_columns,
};
use crate::error::{Error, FEWER_POINTS, Hint, MORE_MEMORY, Result};
use crate::linalg::SparseMatrix;
use crate::linalg::reduce::{self, norm};
use crate::linalg::vector::{point_up, scale};
use crate::measure::dimension::{Estimate, Judge, Trial};
use crate::points::Points;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::smoother::Predictor;
use crate::warning::Warning;

/// What a strategy works on.
pub struct Task<'t> {
    /// The eigenproblem.
    pub problem: &'t Problem,
    /// Its solver.
    pub solver: &'t dyn Solver,
    /// How well eigenvectors are to be known.
    pub accuracy: &'t SolverOptions,
    /// Number of coordinates wanted, or the most.
    pub dims: usize,
    /// Who tells how many are worth having, if that is to be found out.
    pub judge: Option<&'t Judge>,
    /// Start of the random numbers.
    pub seed: u64,
    /// The points, for strategies that move them; there are none when a graph or a matrix was given.
    pub movable: Option<&'t dyn Movable>,
    /// The graph of neighbours, for strategies that look along it; there is none for a method that does without.
    pub laplacian: Option<&'t dyn Laplacian>,
    /// Whether the coordinates are to be extended to new points.
    pub extend: bool,
    /// The original method's eigenpairs, as far as they are known.
    pub originals: &'t Originals,
    /// What an earlier run has left of them and of coordinates.
    pub kept: Kept<'t>,
}

/// No residual beyond this is worth having.
const WORST: f64 = 1e-3;
/// What helps where the vectors of an iteration do not fit.
const BASIS_WAY_OUT: &[Hint] = &[Hint::Lower("dims"), FEWER_POINTS, MORE_MEMORY];
/// How often a solve that missed its tolerance is repeated with a looser one.
const ATTEMPTS: usize = 3;

impl<'t> Task<'t> {
    /// The best eigenpairs under a constraint. Where the tolerance is missed and may be, the residual that was reached is
    /// made do with, and the pairs tell.
    pub fn solve(
        &self,
        constraint: &Constraint,
        count: usize,
        seed: u64,
        progress: &Progress<'_>,
    ) -> Result<Vec<Pair>> {
        let SolverOptions { tolerance: wanted, max_iterations, missed, .. } = *self.accuracy;
        let columns = basis_columns(SolverKind::ShiftInvert, count, self.problem.points());
        let basis = 8.0 * self.problem.size() as f64 * columns as f64;
        let room = progress.budget().check("the basis of the iteration", basis, BASIS_WAY_OUT);
        reduce::agree(room)?;
        let (mut tolerance, mut attempts) = (wanted, 0);
        loop {
            let request = Request { constraint, count, tolerance, max_iterations, seed };
            progress.check_all()?;
            match reduce::agree(self.solver.solve(&request, progress)).map(the_same) {
                Err(Error::NotConverged { residual, .. })
                    if missed == Missed::Loosen && residual < WORST && attempts < ATTEMPTS =>
                {
                    tolerance = (2.0 * residual).max(2.0 * tolerance);
                    attempts += 1;
                }
                Ok(mut pairs) if attempts > 0 => {
                    let late = pairs.iter_mut().filter(|pair| pair.residual > wanted);
                    late.for_each(|pair| pair.missed = Some(wanted));
                    return Ok(pairs);
                }
                found => return found,
            }
        }
    }

    /// The first eigenpairs of the original method.
    pub fn original(&self, count: usize, progress: &Progress<'_>) -> Result<Arc<Vec<Pair>>> {
        self.originals.get(count, self.problem.size(), self.kept, || {
            let mut constraint = Constraint::none(self.problem.size());
            constraint.forbid(self.problem.trivial.as_deref());
            self.solve(&constraint, count, self.seed, progress)
        })
    }

    /// The first coordinates of the original method.
    pub fn original_steps(&self, count: usize, progress: &Progress<'_>) -> Result<Vec<Step>> {
        self.first_original_steps(count, count, progress)
    }

    /// The first of them.
    pub(super) fn first_original_steps(
        &self,
        first: usize,
        count: usize,
        progress: &Progress<'_>,
    ) -> Result<Vec<Step>> {
        let pairs = self.original(count, progress)?;
        let time = self.originals.time(count) / count as u32;
        Ok(pairs.iter().take(first).map(|pair| Step::original(pair.clone(), time)).collect())
    }

    /// Coordinate number `i`, counted from 0, or what it is made of: kept where it is found, and not found again.
    pub(super) fn kept_coordinate<T: Keep>(
        &self,
        i: usize,
        fits: impl FnOnce(&T) -> bool,
        find: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let name = format!("coordinate {} of {}", i + 1, self.dims);
        self.kept.coordinates().or_made(&name, fits, find)
    }

    /// The points, or why the strategy cannot do without.
    pub(super) fn movable(&self, strategy: &'static str) -> Result<&'t dyn Movable> {
        self.movable.ok_or(Error::NeedsPoints { strategy })
    }

    /// The graph's Laplacian, or why the strategy cannot do without.
    pub(super) fn laplacian(&self, strategy: &'static str) -> Result<&'t dyn Laplacian> {
        self.laplacian.ok_or(Error::NeedsGraph { strategy })
    }

    /// The coordinate of eigenvector `g`, which is number `i`, counted from 0.
    pub(super) fn coordinate(&self, i: usize, g: &[f64]) -> Result<Vec<f64>> {
        coordinate_of(self.problem, i, g)
    }

    /// Those of the coordinates found that are worth having.
    pub(super) fn worth_having(&self, outcome: Outcome) -> Result<Outcome> {
        let Outcome { steps, candidates, warning, .. } = outcome;
        let mut trial = Trial::new(self.judge);
        let mut coordinates = Vec::new();
        for (i, step) in steps.iter().enumerate() {
            if !trial.is_on() || trial.is_settled() {
                break;
            }
            coordinates.push(self.coordinate(i, &step.pair.vector)?);
            trial.look(&coordinates, step.pair.value)?;
        }
        Ok(Outcome { candidates, warning, ..Outcome::judged(steps, trial) })
    }
}

/// Pairs that processes share: their numbers are those that the first one has, and their signs do not depend on how many
/// processes there are.
fn the_same(mut pairs: Vec<Pair>) -> Vec<Pair> {
    if reduce::is_shared() {
        let numbers = reduce::of_first(pairs.iter().flat_map(Pair::numbers).collect());
        for (pair, numbers) in pairs.iter_mut().zip(numbers.as_chunks().0) {
            *pair = Pair::of_numbers(*numbers, std::mem::take(&mut pair.vector));
            point_up(&mut pair.vector);
        }
    }
    pairs
}

/// Points that can be embedded again elsewhere.
pub trait Movable: Sync {
    /// The points, in the order of the problem's rows.
    fn points(&self) -> &Points;
    /// Neighbours of each point among them.
    fn neighbors(&self) -> usize;
    /// The first original coordinate of other points; a graph that falls apart is joined.
    fn first_coordinate(&self, points: &Points, progress: &Progress<'_>) -> Result<Pair>;
}

/// The Laplacian of the neighbour graph.
pub trait Laplacian: Sync {
    /// Weights W of its edges: D^-1 W - 1, D the row sums of W, is the Laplace-Beltrami operator but for a factor.
    fn weights(&self, progress: &Progress<'_>) -> Result<SparseMatrix>;
}

/// What a strategy found.
pub struct Outcome {
    /// The coordinates.
    pub steps: Vec<Step>,
    /// The errors of all candidates that were looked at.
    pub candidates: Vec<f64>,
    /// How many coordinates are worth having, if that was to be found out.
    pub estimate: Option<Estimate>,
    /// What the user should know.
    pub warning: Option<Warning>,
}

impl From<Vec<Step>> for Outcome {
    fn from(steps: Vec<Step>) -> Self {
        Outcome { steps, candidates: Vec::new(), estimate: None, warning: None }
    }
}

impl Outcome {
    /// Those of the first coordinates that a trial keeps.
    pub(super) fn judged(mut steps: Vec<Step>, trial: Trial<'_>) -> Self {
        steps.truncate(trial.kept().unwrap_or(steps.len()));
        Outcome { estimate: trial.estimate(), ..Outcome::from(steps) }
    }
}

/// How the earlier coordinates constrained one that must be unpredictable from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Smoothing {
    /// The smoother's bandwidth beside the spread of the earlier coordinates.
    pub alpha: f64,
    /// Where alpha was to be found: every alpha that was tried, and the error of predicting its
    /// coordinate from the earlier ones at the best bandwidth; under `priced` the least that was lost so far.
    pub tried: Vec<(f64, f64)>,
    /// How many directions the smoother can represent, and so forbids.
    pub rank: usize,
    /// How large the smoother's representation is: columns of its low-rank factor, neighbours of
    /// the sparse one, points of the dense one.
    pub size: usize,
    /// The smoother's singular values, descending; the first `rank` count.
    pub singular_values: Vec<f64>,
    /// |P f| / |f|: what the smoother still predicts of the coordinate.
    pub predictable: f64,
    /// Where being predictable is not forbidden: what it costs.
    pub paid: Option<Paid>,
}

/// What a coordinate paid for being predictable from the earlier ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paid {
    /// The price of being entirely so, in units of the method's energy.
    pub price: f64,
    /// The share |V'g|^2 of the coordinate that it was paid for.
    pub share: f64,
    /// How many eigenvectors were combined.
    pub pool: usize,
}

/// Which of the original coordinates was kept, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selected {
    /// Its number, counted from 1.
    pub candidate: usize,
    /// The error of predicting it from all earlier candidates; of independent coordinates the volume of their
    /// directions, its geometric mean over the points. Both are 1 for what is new and 0 for what is not.
    pub error: f64,
}

/// A coordinate as a strategy finds it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The eigenvector g under this strategy's constraint; the coordinate is f = s . g.
    pub pair: Pair,
    /// The eigenvalue of the original method's coordinate of the same number, where that is known.
    pub original_eigenvalue: Option<f64>,
    /// What the earlier coordinates forbade, if they forbade more than themselves.
    pub smoothing: Option<Smoothing>,
    /// Which candidate it was, if it was selected.
    pub selected: Option<Selected>,
    /// Time to find it; coordinates found together share it equally.
    pub time: Duration,
    /// For the extension to new points: what the constraint takes from A g beside the trivial direction.
    pub(crate) forbidden: Option<Forbidden>,
    /// For the same, where g is a sum of eigenvectors: the vector u with g = A u, in place of g / eigenvalue.
    pub(crate) source: Option<Vec<f64>>,
}

impl Step {
    /// A coordinate of the original method.
    pub(super) fn original(pair: Pair, time: Duration) -> Self {
        Step {
            original_eigenvalue: Some(pair.value),
            pair,
            smoothing: None,
            selected: None,
            time,
            forbidden: None,
            source: None,
        }
    }

    /// A coordinate of points that were moved.
    pub(super) fn moved(pair: Pair, time: Duration) -> Self {
        Step { original_eigenvalue: None, ..Step::original(pair, time) }
    }
}

/// What is taken from A g, as a function of any point x: constant t(x) + s(x) h(earlier coordinates of x).
#[derive(Clone, Debug, Default)]
pub(crate) struct Forbidden {
    pub(crate) constant: f64,
    pub(crate) predictor: Option<Predictor>,
}

/// f = s . g with unit length: coordinate number `i`, counted from 0. If nothing is left of it, that is an error.
pub(crate) fn coordinate_of(problem: &Problem, i: usize, g: &[f64]) -> Result<Vec<f64>> {
    let mut f = g.to_vec();
    if let Some(scale) = &problem.scale {
        f.iter_mut().zip(scale).for_each(|(v, s)| *v *= s);
    }
    let length = norm(&f);
    scale(&mut f, length.recip());
    if length > 0.0 { Ok(f) } else { Err(Error::Vanished { coordinate: i + 1 }) }
}

/// A pair with coordinate f of another problem: g with s . g = f.
pub(super) fn pair_of(problem: &Problem, f: Pair) -> Pair {
    let mut pair = f;
    if let Some(scale) = &problem.scale {
        pair.vector.iter_mut().zip(scale).for_each(|(v, s)| *v /= s);
    }
    pair
}
