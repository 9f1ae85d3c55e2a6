//! How one coordinate follows another.

pub mod orthogonal;
pub mod unpredictable;

use std::time::Duration;

use crate::error::Result;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::smoother::SmootherOptions;
use crate::solver::{Pair, Solver};
use crate::vector::{norm, scale};

/// What a coordinate owes to the earlier ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Strategy {
    /// Orthogonality: the original method.
    #[default]
    Orthogonal,
    /// Unpredictability: zero conditional expectation given the earlier ones (Blau & Michaeli 2017).
    Unpredictable(SmootherOptions),
}

impl Strategy {
    /// Its name, as on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Strategy::Orthogonal => "orthogonal",
            Strategy::Unpredictable(_) => "unpredictable",
        }
    }

    /// The first `dims` coordinates of a problem.
    pub fn coordinates(
        &self,
        problem: &Problem,
        solver: &dyn Solver,
        dims: usize,
        seed: u64,
        progress: &Progress<'_>,
    ) -> Result<Vec<Step>> {
        match self {
            Strategy::Orthogonal => orthogonal::coordinates(problem, solver, dims, seed, progress),
            Strategy::Unpredictable(options) => {
                unpredictable::coordinates(problem, solver, dims, options, seed, progress)
            }
        }
    }
}

/// How the earlier coordinates constrained one that must be unpredictable from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Smoothing {
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

/// A coordinate as a strategy finds it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The eigenvector under this strategy's constraint.
    pub pair: Pair,
    /// The eigenvalue of the original method's coordinate of the same number.
    pub original_eigenvalue: f64,
    /// What the earlier coordinates forbade, if they forbade more than themselves.
    pub smoothing: Option<Smoothing>,
    /// Time to find it; coordinates found together share it equally.
    pub time: Duration,
}

/// f = s . g with unit length, unless it vanishes.
pub(crate) fn coordinate_of(problem: &Problem, g: &[f64]) -> Option<Vec<f64>> {
    let mut f = g.to_vec();
    if let Some(scale) = &problem.scale {
        f.iter_mut().zip(scale).for_each(|(v, s)| *v *= s);
    }
    let length = norm(&f);
    scale(&mut f, length.recip());
    (length > 0.0).then_some(f)
}
