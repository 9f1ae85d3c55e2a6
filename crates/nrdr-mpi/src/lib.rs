//! nrdr on several machines: rows that are spread over the members of a team, and what is made of them.

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]
// `!(x > 0.0)` is meant: it also catches NaN.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

pub mod csr;
pub mod shared;
pub mod solver;
pub mod world;
