//! The standard form that every method reduces to.
//!
//! Optimise g' A g over |g| = 1 with g orthogonal to the trivial direction t and to whatever else
//! the strategy forbids; the coordinate is f = s . g (entry by entry), scaled to unit length.

use crate::error::{Error, Result};
use crate::linalg::{Matrix, reduce};
use crate::warning::Warning;

/// Which eigenvalues of A are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The method maximises.
    Largest,
    /// The method minimises.
    Smallest,
}

impl End {
    /// The sign that turns this end into the largest.
    pub(crate) fn sign(self) -> f64 {
        match self {
            End::Largest => 1.0,
            End::Smallest => -1.0,
        }
    }
}

/// The length that a method gives a coordinate traditionally; see [`Coordinate::length`].
///
/// [`Coordinate::length`]: crate::Coordinate::length
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Length {
    /// One, whatever the eigenvalue.
    One,
    /// The square root of the eigenvalue, so that distances are reproduced (Isomap, kernel PCA).
    SquareRoot,
    /// The eigenvalue to this power (diffusion maps: the diffusion time).
    Power(f64),
}

impl Length {
    /// The length for an eigenvalue.
    pub fn of(self, eigenvalue: f64) -> f64 {
        match self {
            Length::One => 1.0,
            Length::SquareRoot => eigenvalue.max(0.0).sqrt(),
            Length::Power(time) => eigenvalue.max(0.0).powf(time),
        }
    }
}

/// A method's eigenproblem.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The symmetric matrix A.
    pub matrix: Matrix,
    /// Which of its eigenvalues are wanted.
    pub end: End,
    /// The entries s that turn g into the coordinate; `None` means ones.
    pub scale: Option<Vec<f64>>,
    /// The direction t that carries no information; need not have unit length.
    pub trivial: Option<Vec<f64>>,
    /// No eigenvalue lies beyond this one at the wanted end, where that is known.
    pub bound: Option<f64>,
    /// Vectors that, like the trivial direction, the matrix less its bound nearly annihilates in every neighbourhood,
    /// where more are known: solvers with coarser levels need them.
    pub near_null: Vec<Vec<f64>>,
    /// The traditional length of a coordinate.
    pub length: Length,
    /// Parameters that the method chose by itself, with their values.
    pub chosen: Vec<(&'static str, f64)>,
    /// What the user should know about them.
    pub warnings: Vec<Warning>,
}

impl Problem {
    /// Number of points in all: more than are here where several processes share the rows, which must all ask then.
    pub fn points(&self) -> usize {
        reduce::count(self.size())
    }

    /// How many eigenvectors there are in all beside the trivial direction.
    pub fn directions(&self) -> usize {
        self.points() - usize::from(self.trivial.is_some())
    }

    /// The problem of a matrix whose trivial direction is the constant vector.
    pub(crate) fn constant_trivial(matrix: impl Into<Matrix>, end: End) -> Self {
        let matrix = matrix.into();
        Problem {
            trivial: Some(vec![1.0; matrix.size()]),
            matrix,
            end,
            scale: None,
            bound: None,
            near_null: Vec::new(),
            length: Length::One,
            chosen: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Refuses a problem whose parts do not fit each other or `points` points.
    pub(crate) fn check(&self, points: usize) -> Result<()> {
        let size = self.size();
        if size != points {
            return Err(Error::Size { what: "the matrix", got: size, expected: points });
        }
        for (what, vector) in [("scale", &self.scale), ("trivial", &self.trivial)] {
            let Some(vector) = vector else { continue };
            if vector.len() != size {
                return Err(Error::Size { what, got: vector.len(), expected: size });
            }
            if let Some(row) = vector.iter().position(|v| !v.is_finite()) {
                return Err(Error::NotFinite { row, column: 0, value: vector[row] });
            }
        }
        match self.bound {
            Some(bound) if !bound.is_finite() => Err(Error::parameter("bound", bound, "finite")),
            _ => Ok(()),
        }
    }

    /// Number of points here: all of them, or this process's share.
    pub fn size(&self) -> usize {
        self.matrix.size()
    }
}
