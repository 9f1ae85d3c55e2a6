//! What a computation is busy with.

use std::fmt;

/// What an embedding is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// Searching the nearest neighbours.
    Neighbors,
    /// Making the graph symmetric and connected.
    Graph,
    /// Building the method's matrix.
    Matrix,
    /// Choosing the solver and factorising.
    Factorization,
    /// Computing the coordinates.
    Coordinates,
    /// Extending the coordinates to new points.
    NewPoints,
    /// Measuring how redundant coordinates are.
    Redundancy,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stage::Neighbors => "neighbour search",
            Stage::Graph => "graph",
            Stage::Matrix => "matrix",
            Stage::Factorization => "factorisation",
            Stage::Coordinates => "coordinates",
            Stage::NewPoints => "new points",
            Stage::Redundancy => "redundancy",
        })
    }
}
