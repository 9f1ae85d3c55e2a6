//! Files that are written whole or not at all, several of them together; and texts that cannot play with a terminal.
//!
//! Every file is first made under another name beside its place, `.nrdr-??????.tmp`, and flushed to the disk. Only when
//! all files of a run are there do they take their names. The command line and the Python package both write this way.

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod error;
mod outputs;
mod place;
mod printable;
mod temporary;

#[cfg(test)]
mod tests;

pub use error::WriteError;
pub use outputs::{Out, Outputs, Unfinished, write_atomically};
pub use place::{check_different, check_place};
pub use printable::printable;
pub use temporary::{remove_unfinished, sweep};
