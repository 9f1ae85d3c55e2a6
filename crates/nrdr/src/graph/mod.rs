//! The neighbour graph: who is near whom, made symmetric and connected.

mod blocked;
pub mod components;
pub mod geodesic;
mod kd_tree;
mod links;
pub mod neighbors;
mod projected;
pub(crate) mod queries;
pub mod symmetric;

pub use components::{Components, Policy};
pub use neighbors::{Neighborhoods, Search};
pub use symmetric::Symmetry;
