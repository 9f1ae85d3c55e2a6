//! What it costs to be predictable.
//!
//! A function that the earlier coordinates predict entirely is charged what the original method charges its (r+3)-th
//! eigenfunction, r the rank of coordinate 2's smoother: so deep in the original's list a new direction may be fetched
//! from. The charge is in the units of the energy M that the method minimises.

use faer::Mat;

use crate::eigen::{Constraint, Price};
use crate::error::Result;
use crate::linalg::small::eigen_descending;
use crate::linalg::tall::{inner, product};
use crate::problem::{End, Problem};

/// Inverse energies are those of eigenvalues of at least this share of the first one.
const LEAST: f64 = 1e-6;

/// What a method minimises, told by its eigenvalues.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Energy {
    /// M = |bound - A|: the distance of an eigenvalue from the one that no other exceeds.
    Distance { bound: f64 },
    /// M = A^+, in units of the first eigenvalue's: where large eigenvalues count and none is known to be the largest.
    Inverse { first: f64 },
}

impl Energy {
    /// That of a problem whose first original eigenvalue is this one.
    pub(super) fn of(problem: &Problem, first: f64) -> Self {
        match (problem.bound, problem.end) {
            (Some(bound), _) => Energy::Distance { bound },
            (None, End::Smallest) => Energy::Distance { bound: first },
            (None, End::Largest) => Energy::Inverse { first },
        }
    }

    /// The energy of an eigenvalue; `None` where it counts as none.
    pub(super) fn at(self, eigenvalue: f64) -> Option<f64> {
        match self {
            Energy::Distance { bound } => Some((bound - eigenvalue).abs()),
            Energy::Inverse { first } => {
                (eigenvalue > LEAST * first).then(|| first / eigenvalue)
            }
        }
    }
}

/// A price of the directions V, and what new points must know of it.
pub(super) struct Charged {
    pub(super) price: Price,
    /// For inverse energies W = A V R: then V R.
    pub(super) directions: Option<Mat<f64>>,
}

/// Charges `amount` for each of the orthonormal directions V.
///
/// Where the energy is M itself, M + amount VV'. Where it is the inverse, the largest eigenvalues of
/// (A^+ + amount VV')^-1 = A - A V (1/amount + V'A V)^-1 V'A are wanted, negative eigenvalues of V'A V taken as 0.
pub(super) fn charge(
    problem: &Problem,
    energy: Energy,
    vectors: &Mat<f64>,
    amount: f64,
) -> Result<Charged> {
    let (n, rank) = (vectors.nrows(), vectors.ncols());
    match energy {
        Energy::Distance { .. } => {
            let root = amount.sqrt();
            let columns = Mat::from_fn(n, rank, |i, j| root * vectors[(i, j)]);
            Ok(Charged { price: Price::new(columns), directions: None })
        }
        Energy::Inverse { first } => {
            // New points have no part of the trivial direction.
            let mut trivial = Constraint::none(n);
            trivial.forbid(problem.trivial.as_deref());
            let mut vectors = vectors.clone();
            trivial.project(vectors.as_mut());
            let mut images = Mat::zeros(n, rank);
            for j in 0..rank {
                let image = images.col_as_slice_mut(j);
                problem.matrix.operator().apply(vectors.col_as_slice(j), image);
            }
            let (values, turned) =
                eigen_descending(inner(vectors.as_ref(), images.as_ref()).as_ref())?;
            let root = |j: usize| (first / amount + values[j].max(0.0)).sqrt().recip();
            let weights = Mat::from_fn(rank, rank, |i, j| turned[(i, j)] * root(j));
            let price = Price::new(product(images.as_ref(), weights.as_ref()));
            let directions = Some(product(vectors.as_ref(), weights.as_ref()));
            Ok(Charged { price, directions })
        }
    }
}
