//! nrdr on several machines: rows that are spread over the members of a team, and what is made of them.

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]
// `!(x > 0.0)` is meant: it also catches NaN.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

mod by_itself;
pub mod components;
pub mod counted;
pub mod csr;
pub mod failure;
mod ghosts;
pub mod given_neighbors;
pub mod graph;
mod largest;
mod links;
pub mod method;
pub mod neighbors;
pub mod partition;
mod pieces;
pub mod prepare;
pub mod problem;
mod select;
pub mod shared;
mod wire;
