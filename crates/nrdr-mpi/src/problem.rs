//! The eigenproblem of a method, own rows only.

use std::sync::Arc;

use nrdr::team::Team;
use nrdr::{End, Length, Matrix, Problem, Warning};

use crate::csr::{Product, SharedCsr};

/// Own rows of an eigenproblem: the same fields as those of [`Problem`].
#[derive(Clone, Debug)]
pub struct SharedProblem {
    /// The symmetric matrix, with an entry on the diagonal of each row.
    pub matrix: Arc<SharedCsr>,
    /// Which of its eigenvalues are wanted.
    pub end: End,
    /// The entries that turn a solution into a coordinate; `None` means ones.
    pub scale: Option<Vec<f64>>,
    /// The direction that carries no information.
    pub trivial: Option<Vec<f64>>,
    /// Vectors that the matrix less its bound nearly annihilates in every neighbourhood.
    pub near_null: Vec<Vec<f64>>,
    /// No eigenvalue lies beyond this one at the wanted end, where that is known.
    pub bound: Option<f64>,
    /// The traditional length of a coordinate.
    pub length: Length,
    /// Parameters that the method chose by itself, with their values.
    pub chosen: Vec<(&'static str, f64)>,
    /// What the user should know about them.
    pub warnings: Vec<Warning>,
}

impl SharedProblem {
    /// The core's problem of the own rows, whose matrix multiplies with the help of all members. All members must ask.
    pub fn problem(&self, team: Arc<dyn Team>) -> Problem {
        Problem {
            matrix: Matrix::Operator(Arc::new(Product::new(team, self.matrix.clone()))),
            end: self.end,
            scale: self.scale.clone(),
            trivial: self.trivial.clone(),
            bound: self.bound,
            near_null: self.near_null.clone(),
            length: self.length,
            chosen: self.chosen.clone(),
            warnings: self.warnings.clone(),
        }
    }
}
