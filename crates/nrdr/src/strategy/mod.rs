//! How one coordinate follows another.

pub mod orthogonal;
