//! What the programs of this workspace have in common. It is not meant for others, and may change at any time.

pub use crate::bar::Bar;
pub use crate::failure::Failure;
pub use crate::interrupt::install as handle_interrupts;
pub use crate::options::outputs::make_folder;
pub use crate::terminal::{Terminal, exit};
