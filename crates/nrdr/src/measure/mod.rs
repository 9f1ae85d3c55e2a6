//! Measures of coordinates: how redundant they are, what they preserve, how many are worth having.

pub(crate) mod dimension;
mod preservation;
pub mod quality;
pub mod redundancy;
