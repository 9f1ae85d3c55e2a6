//! What the user should know about a result.

use std::fmt;

use crate::error::{Hint, Plain, Vocabulary, list};
use crate::number::rounded;

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
    /// A given graph fell apart, and was joined by edges that say nothing of how far its components are from each other.
    Bridged {
        /// Number of points of each component, largest first.
        sizes: Vec<usize>,
        /// What the added ones have: the longest length or the weakest affinity that there was,
        edges: &'static str,
        /// and how much that is.
        value: f64,
    },
    /// There are so few points that neighbourhoods are smaller than usual.
    FewerNeighbors {
        /// How many neighbours would have been taken.
        wanted: usize,
        /// How many were, all other points.
        taken: usize,
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
    /// Coordinates that missed the tolerance and are what could be reached.
    Loosened {
        /// The coordinates, counted from 1.
        coordinates: Vec<usize>,
        /// The largest of their relative residuals.
        residual: f64,
        /// The tolerance that was wanted.
        tolerance: f64,
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
    /// A matrix of low rank stands for one of all pairs, and more columns would change the leading coordinates.
    Unsettled {
        /// The parameter that says how many columns it is made of.
        name: &'static str,
        /// How many that are.
        columns: usize,
        /// How far the three leading coordinates g of half as many are from those of all: the largest sine of an angle between g
        /// and A g.
        change: f64,
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

impl Warning {
    /// Whether it is about how well coordinates could be computed.
    pub fn is_numerical(&self) -> bool {
        matches!(
            self,
            Warning::Spent { .. }
                | Warning::Rounding { .. }
                | Warning::Mixed { .. }
                | Warning::Leaked { .. }
                | Warning::Loosened { .. }
                | Warning::Halted { .. }
                | Warning::Unsettled { .. }
        )
    }

    /// In the words of a front end.
    pub fn told(&self, words: &dyn Vocabulary) -> String {
        match self {
            Warning::Connected { sizes, longest } => format!(
                "the neighbour graph had {} components (sizes {}), joined by {} added edges of length up to {}: more {} may be better",
                sizes.len(),
                list(sizes),
                sizes.len() - 1,
                rounded(*longest, 4),
                words.named("neighbors"),
            ),
            Warning::Bridged { sizes, edges, value } => format!(
                "the given graph had {} components (sizes {}), joined by {} added edges of {edges} that there was, {}: nothing tells how far they are from each other; add edges or choose {}",
                sizes.len(),
                list(sizes),
                sizes.len() - 1,
                rounded(*value, 4),
                words.setting("components", &["largest"]).unwrap_or_default(),
            ),
            Warning::FewerNeighbors { wanted, taken } => format!(
                "there are only {} points: {} instead of {wanted}",
                taken + 1,
                words
                    .setting("neighbors", &[&taken.to_string()])
                    .unwrap_or_else(|| format!("{taken} neighbours")),
            ),
            Warning::LeftOut { sizes } => format!(
                "the neighbour graph has {} components (sizes {}): {} points outside the largest are left out",
                sizes.len(),
                list(sizes),
                sizes[1..].iter().sum::<usize>(),
            ),
            Warning::Unsettled { name, columns, change } => format!(
                "the leading coordinates still depend on the number of {}, {columns}: by {:.0} % between half of them and all; raise it, give more memory, or embed fewer points",
                words.named(name),
                100.0 * change,
            ),
            Warning::TangentsFill { columns } => format!(
                "the local dimension is {columns}, as many as there are columns, so that no coordinate is better than an affine function of the columns: lower {}",
                words.named("local_dim"),
            ),
            Warning::TangentsCut { in_use, estimated } => format!(
                "neighbourhoods look {estimated}-dimensional, but are so small that the local dimension is {in_use}: raise {}",
                words.named("neighbors"),
            ),
            other => other.of_coordinates(words),
        }
    }

    fn of_coordinates(&self, words: &dyn Vocabulary) -> String {
        match self {
            Warning::Spent { informative } => format!(
                "only {informative} coordinate(s) carry information: the eigenvalues of the others are negative, or below 1e-12 of the first, which is rounding",
            ),
            Warning::Rounding { coordinates } => format!(
                "the eigenvalue of coordinate(s) {} is below 1e-12 of the norm of the matrix, which is rounding: their directions mean nothing",
                numbers(coordinates),
            ),
            Warning::Leaked { coordinates } => {
                let orthogonal = words.setting("strategy", &["orthogonal"]).unwrap_or_default();
                format!(
                    "coordinate(s) {} owe much of their eigenvalue to earlier ones, whose own are so much larger that the little which the smoother lets pass outweighs the rest, and may depend on the seed: look for outliers, or choose {orthogonal}",
                    numbers(coordinates),
                )
            }
            Warning::Mixed { coordinates } => format!(
                "coordinate(s) {} may be mixed with others of nearly the same eigenvalue, which rounding does not tell apart: their directions are not certain",
                numbers(coordinates),
            ),
            Warning::Loosened { coordinates, residual, tolerance } => {
                let hints = [Hint::Raise("max_iterations"), Hint::Another("solver")];
                let hints = hints.into_iter().chain([Hint::Raise("neighbors")]);
                let told: Vec<String> = hints.filter_map(|hint| hint.told(words)).collect();
                format!(
                    "coordinate(s) {} did not converge: residual {residual:.1e}, wanted {tolerance:.1e}: {}",
                    numbers(coordinates),
                    told.join(" or "),
                )
            }
            Warning::Halted { coordinates, sizes } => format!(
                "halted after {coordinates} coordinate(s): without it the points collapse to {} piece(s) (sizes {})",
                sizes.len(),
                list(sizes),
            ),
            _ => String::new(),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told(&Plain))
    }
}

/// Numbers with commas between them.
fn numbers(list: &[usize]) -> String {
    list.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}
