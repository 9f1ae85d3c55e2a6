//! How one coordinate follows another.

pub mod advection;
mod forbidden;
pub mod orthogonal;
pub mod regression;
pub mod selection;
pub mod unpredictable;

use std::time::Duration;

use crate::eigen::{Pair, Solver};
use crate::error::{Error, Result};
use crate::linalg::vector::{norm, scale};
use crate::measure::dimension::{Estimate, Judge, Trial};
use crate::points::Points;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::smoother::{Predictor, SmootherOptions};
use crate::warning::Warning;
use selection::SelectionOptions;

/// What a coordinate owes to the earlier ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Strategy {
    /// Orthogonality: the original method.
    #[default]
    Orthogonal,
    /// Unpredictability: zero conditional expectation given the earlier ones (Blau & Michaeli 2017).
    Unpredictable(SmootherOptions),
    /// Of many original coordinates those that the earlier ones predict least (Dsilva et al. 2018).
    Selection(SelectionOptions),
    /// The first coordinate of what the earlier ones do not predict of the points.
    Regression(SmootherOptions),
    /// The first coordinate of the points moved along the earlier ones to their means (Gerber, Tasdizen &
    /// Whitaker 2007).
    Advection,
}

impl Strategy {
    /// All of them, with their default options.
    pub fn all() -> Vec<Strategy> {
        vec![
            Strategy::Orthogonal,
            Strategy::Unpredictable(Default::default()),
            Strategy::Selection(Default::default()),
            Strategy::Regression(Default::default()),
            Strategy::Advection,
        ]
    }

    /// Its name, as on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Strategy::Orthogonal => "orthogonal",
            Strategy::Unpredictable(_) => "unpredictable",
            Strategy::Selection(_) => "selection",
            Strategy::Regression(_) => "regression",
            Strategy::Advection => "advection",
        }
    }

    pub(crate) fn check(&self) -> Result<()> {
        match self {
            Strategy::Unpredictable(options) | Strategy::Regression(options) => options.check(),
            Strategy::Selection(options) => options.check(),
            Strategy::Orthogonal | Strategy::Advection => Ok(()),
        }
    }

    /// The coordinates of a task.
    pub fn coordinates(&self, task: &Task<'_>, progress: &Progress<'_>) -> Result<Outcome> {
        match self {
            Strategy::Orthogonal => {
                let steps = orthogonal::coordinates(task, progress)?;
                task.worth_having(Outcome::from(steps))
            }
            Strategy::Unpredictable(options) => unpredictable::coordinates(task, options, progress),
            Strategy::Selection(options) => {
                task.worth_having(selection::coordinates(task, options, progress)?)
            }
            Strategy::Regression(options) => regression::coordinates(task, options, progress),
            Strategy::Advection => advection::coordinates(task, progress),
        }
    }
}

/// What a strategy works on.
pub struct Task<'t> {
    /// The eigenproblem.
    pub problem: &'t Problem,
    /// Its solver.
    pub solver: &'t dyn Solver,
    /// Number of coordinates wanted, or the most.
    pub dims: usize,
    /// Who tells how many are worth having, if that is to be found out.
    pub judge: Option<&'t Judge>,
    /// Start of the random numbers.
    pub seed: u64,
    /// The points, for strategies that move them; there are none when a graph or a matrix was given.
    pub movable: Option<&'t dyn Movable>,
    /// Whether the coordinates are to be extended to new points.
    pub extend: bool,
}

impl<'t> Task<'t> {
    /// The points, or why the strategy cannot do without.
    fn movable(&self, strategy: &'static str) -> Result<&'t dyn Movable> {
        self.movable.ok_or(Error::NeedsPoints { strategy })
    }

    /// The coordinate of eigenvector `g`, which is number `i`, counted from 0.
    fn coordinate(&self, i: usize, g: &[f64]) -> Result<Vec<f64>> {
        coordinate_of(self.problem, i, g)
    }

    /// Those of the coordinates found that are worth having.
    fn worth_having(&self, outcome: Outcome) -> Result<Outcome> {
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

/// Points that can be embedded again elsewhere.
pub trait Movable: Sync {
    /// The points, in the order of the problem's rows.
    fn points(&self) -> &Points;
    /// Neighbours of each point among them.
    fn neighbors(&self) -> usize;
    /// The first original coordinate of other points; a graph that falls apart is joined.
    fn first_coordinate(&self, points: &Points) -> Result<Pair>;
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
    fn judged(mut steps: Vec<Step>, trial: Trial<'_>) -> Self {
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
    /// coordinate from the earlier ones at the best bandwidth.
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
}

/// Which of the original coordinates was kept, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selected {
    /// Its number, counted from 1.
    pub candidate: usize,
    /// The error of predicting it from all earlier candidates.
    pub error: f64,
}

/// A coordinate as a strategy finds it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The eigenvector g under this strategy's constraint; the coordinate is f = s . g.
    pub pair: Pair,
    /// The eigenvalue of the original method's coordinate of the same number.
    pub original_eigenvalue: f64,
    /// What the earlier coordinates forbade, if they forbade more than themselves.
    pub smoothing: Option<Smoothing>,
    /// Which candidate it was, if it was selected.
    pub selected: Option<Selected>,
    /// Time to find it; coordinates found together share it equally.
    pub time: Duration,
    /// For the extension to new points: what the constraint takes from A g beside the trivial direction.
    pub(crate) forbidden: Option<Forbidden>,
}

/// What a constraint takes from A g, as a function of any point x: constant t(x) + s(x) h(earlier coordinates of x).
#[derive(Clone, Debug)]
pub(crate) struct Forbidden {
    pub(crate) constant: f64,
    pub(crate) predictor: Predictor,
}

/// f = s . g with unit length: coordinate number `i`, counted from 0. If nothing is left of it, that is an error.
pub(crate) fn coordinate_of(problem: &Problem, i: usize, g: &[f64]) -> Result<Vec<f64>> {
    let mut f = g.to_vec();
    if let Some(scale) = &problem.scale {
        f.iter_mut().zip(scale).for_each(|(v, s)| *v *= s);
    }
    let length = norm(&f);
    scale(&mut f, length.recip());
    match length > 0.0 {
        true => Ok(f),
        false => Err(Error::Vanished { coordinate: i + 1 }),
    }
}

/// A pair with coordinate f of another problem: g with s . g = f.
fn pair_of(problem: &Problem, f: Pair) -> Pair {
    let mut pair = f;
    if let Some(scale) = &problem.scale {
        pair.vector.iter_mut().zip(scale).for_each(|(v, s)| *v /= s);
    }
    pair
}
