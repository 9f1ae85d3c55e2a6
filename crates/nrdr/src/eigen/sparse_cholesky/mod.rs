//! Sparse Cholesky factorisation by fronts, in an order found by nested dissection.

mod dissection;
mod eliminate;
mod factorize;
mod graph;
mod leaf;
mod separator;
mod symbolic;
#[cfg(test)]
mod tests;
mod triangular;

pub(super) use factorize::Failure;
pub(super) use symbolic::Symbolic;
pub use symbolic::{Cost, factor_cost};
pub(super) use triangular::Cholesky;
