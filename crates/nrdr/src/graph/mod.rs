//! The neighbour graph: who is near whom, made symmetric and connected.

mod approximate;
mod block;
mod blocked;
pub(crate) mod components;
mod duplicates;
pub(crate) mod geodesic;
mod given;
mod kd_tree;
mod kept;
mod links;
mod many;
pub(crate) mod neighbors;
pub(crate) mod paths;
pub(crate) mod prepare;
pub(crate) mod projected;
pub(crate) mod queries;
mod scan;
pub mod share;
pub(crate) mod symmetric;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use components::Components;
pub use components::Policy;
pub(crate) use kd_tree::KdTree;
pub use neighbors::{Neighborhoods, RECALL, Search, neighbors, neighbors_by};
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
