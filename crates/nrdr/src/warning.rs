//! What the user should know about a result.

use std::fmt;

use crate::error::list;

/// Something that the user should know about the result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// The graph fell apart and was joined.
    Connected {
        /// Number of points of each component, largest first.
        sizes: Vec<usize>,
        /// Longest of the edges that were added.
        longest: f64,
    },
    /// There are fewer coordinates with information than were asked for.
    Spent {
        /// How many there are.
        informative: usize,
    },
    /// Eigenvalues that cannot be told from zero in double precision.
    Rounding {
        /// The coordinates, counted from 1.
        coordinates: Vec<usize>,
    },
    /// Eigenvectors that could not be told from others of nearly the same eigenvalue.
    Mixed {
        /// The coordinates, counted from 1.
        coordinates: Vec<usize>,
    },
    /// Coordinates that owe their eigenvalue to what the smoother lets pass of earlier ones.
    Leaked {
        /// The coordinates, counted from 1.
        coordinates: Vec<usize>,
    },
    /// The strategy could not go on and returns the coordinates it has.
    Halted {
        /// How many it has.
        coordinates: usize,
        /// Number of points of each piece that the points have collapsed to.
        sizes: Vec<usize>,
    },
    /// The graph fell apart and only its largest component is embedded.
    LeftOut {
        /// Number of points of each component, largest first.
        sizes: Vec<usize>,
    },
    /// Tangent spaces have as many dimensions as the points: every affine function of the columns is a coordinate.
    TangentsFill {
        /// Columns of the points.
        columns: usize,
    },
    /// The neighbourhoods are too small for tangent spaces of their dimension.
    TangentsCut {
        /// The local dimension that is used.
        in_use: usize,
        /// The one that the neighbourhoods seem to have.
        estimated: usize,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Connected { sizes, longest } => write!(
                f,
                "the neighbour graph had {} components (sizes {}), joined by {} added edges of length up to {longest:.4}: more neighbors may be better",
                sizes.len(),
                list(sizes),
                sizes.len() - 1,
            ),
            Warning::Spent { informative } => write!(
                f,
                "only {informative} coordinate(s) carry information: the eigenvalues of the others are negative, or below 1e-12 of the first, which is rounding",
            ),
            Warning::Rounding { coordinates } => write!(
                f,
                "the eigenvalue of coordinate(s) {} is below 1e-12 of the norm of the matrix, which is rounding: their directions mean nothing",
                numbers(coordinates),
            ),
            Warning::Leaked { coordinates } => write!(
                f,
                "coordinate(s) {} owe much of their eigenvalue to earlier ones, whose own are so much larger that the little which the smoother lets pass outweighs the rest, and may depend on the seed: look for outliers, or choose the strategy orthogonal",
                numbers(coordinates),
            ),
            Warning::Mixed { coordinates } => write!(
                f,
                "coordinate(s) {} may be mixed with others of nearly the same eigenvalue, which rounding does not tell apart: their directions are not certain",
                numbers(coordinates),
            ),
            Warning::Halted { coordinates, sizes } => write!(
                f,
                "halted after {coordinates} coordinate(s): without it the points collapse to {} piece(s) (sizes {})",
                sizes.len(),
                list(sizes),
            ),
            Warning::LeftOut { sizes } => write!(
                f,
                "the neighbour graph has {} components (sizes {}): {} points outside the largest are left out",
                sizes.len(),
                list(sizes),
                sizes[1..].iter().sum::<usize>(),
            ),
            Warning::TangentsFill { columns } => write!(
                f,
                "the local dimension is {columns}, as many as there are columns, so that no coordinate is better than an affine function of the columns: lower the local dimension",
            ),
            Warning::TangentsCut { in_use, estimated } => write!(
                f,
                "neighbourhoods look {estimated}-dimensional, but are so small that the local dimension is {in_use}: raise neighbors",
            ),
        }
    }
}

/// Numbers with commas between them.
fn numbers(list: &[usize]) -> String {
    list.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}
