//! nrdr on several machines: rows that are spread over the members of a team, and what is made of them.

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]
// `!(x > 0.0)` is meant: it also catches NaN.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

mod by_itself;
pub mod checkpoint;
pub mod cluster;
pub mod components;
pub mod counted;
pub mod csr;
mod embed;
pub mod failure;
pub mod gathered;
mod ghosts;
pub mod given_neighbors;
pub mod graph;
pub mod identity;
mod kept_lists;
mod largest;
mod links;
pub mod manifest;
pub mod method;
pub mod middle;
pub mod neighbors;
mod options;
pub mod order;
pub mod partition;
pub mod parts;
mod pieces;
pub mod prepare;
pub mod problem;
pub mod program;
pub mod rank_cost;
mod rows;
pub mod sample;
mod select;
pub mod shared;
pub mod solver;
pub mod together;
mod transform;
mod wire;
pub mod world;
