//! nrdr on several machines: rows that are spread over the members of a team, and what is made of them.

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]
// `!(x > 0.0)` is meant: it also catches NaN.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

pub mod alone;
pub mod checkpoint;
mod embed;
pub mod gathered;
pub mod identity;
pub mod manifest;
pub mod middle;
mod options;
pub mod parts;
mod piece;
pub mod program;
mod rows;
pub mod sample;
pub mod together;
mod transform;
