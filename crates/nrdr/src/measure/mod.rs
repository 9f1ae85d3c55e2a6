//! Measures of coordinates: how redundant they are, what they preserve, how many are worth having; and of tables.

mod columns;
pub(crate) mod dimension;
mod explain;
mod preservation;
pub mod quality;
pub mod redundancy;
pub(crate) mod remark;
pub(crate) mod sampled;
mod squares;
