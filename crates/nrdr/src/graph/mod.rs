//! The neighbour graph: who is near whom, made symmetric and connected.

mod blocked;
pub(crate) mod components;
pub(crate) mod geodesic;
mod given;
mod kd_tree;
mod links;
pub(crate) mod neighbors;
pub(crate) mod prepare;
mod projected;
pub(crate) mod queries;
pub(crate) mod symmetric;
#[cfg(test)]
mod tests;

pub(crate) use components::Components;
pub use components::Policy;
pub use neighbors::{Neighborhoods, Search, neighbors};
pub use symmetric::Symmetry;

use crate::linalg::SparseMatrix;

/// What the edges of a graph carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// Lengths: near points have small ones.
    Length,
    /// Affinities: near points have large ones.
    Affinity,
}

/// An undirected graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// Lengths or affinities of the edges.
    pub edges: SparseMatrix,
    /// Which of the two.
    pub kind: EdgeKind,
}
