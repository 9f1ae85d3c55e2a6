//! What a run found: in a sentence, as JSON, and as a page to look at.
//!
//! The command line and the Python package tell it in the same words. Nothing here reads or writes a file.

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod answers;
pub mod facts;
pub mod found;
pub mod kept;
pub mod label;
pub mod meaning;
pub mod memory;
pub mod natural;
pub mod page;
pub mod palette;
mod shares;

pub use facts::Facts;
pub use found::{Found, verdict};
pub use label::Label;
pub use meaning::{Known, Meaning, meanings};
pub use page::{Page, Shown, Source};
