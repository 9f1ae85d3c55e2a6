//! What the fuzzers call.

pub mod entries;
