//! What a method minimises, told by its eigenvalues.

use crate::problem::{End, Problem};

/// Eigenvalues below this share of the first one have the inverse energy of so much.
const LEAST: f64 = 1e-6;

/// The energy of a method: original eigenfunctions come in the order of it.
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

    /// Whether an eigenvalue is more than rounding.
    pub(super) fn is_sound(self, eigenvalue: f64) -> bool {
        match self {
            Energy::Distance { .. } => true,
            Energy::Inverse { first } => eigenvalue > LEAST * first,
        }
    }

    /// The energy of an eigenvalue.
    pub(super) fn at(self, eigenvalue: f64) -> f64 {
        match self {
            Energy::Distance { bound } => (bound - eigenvalue).abs(),
            Energy::Inverse { first } => first / eigenvalue.max(LEAST * first),
        }
    }
}
