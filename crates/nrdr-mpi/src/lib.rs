//! nrdr on several machines: rows that are spread over the members of a team, and what is made of them.

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]
