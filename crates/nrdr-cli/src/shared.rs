//! What the programs of this workspace have in common. It is not meant for others, and may change at any time.

pub use crate::bar::Bar;
pub use crate::config::{expanded, of_matches, quoted};
pub use crate::failure::Failure;
pub use crate::inspect::names_of;
pub use crate::interrupt::{install as handle_interrupts, install_in as handle_interrupts_in};
pub use crate::json::{About, Run, text as json_text};
pub use crate::methods::List;
pub use crate::options::method::MethodArgs;
pub use crate::options::outputs::{OUTPUT, make_folder, wrote};
pub use crate::options::run::RunArgs;
pub use crate::options::standardize::joined;
pub use crate::options::strategy::{HEADING, names as strategy_names, usual as usual_strategy};
pub use crate::sample::{Drawn, Sample};
pub use crate::tables::{in_lines, tell_coordinates, tell_quality};
pub use crate::terminal::{Terminal, exit, messages, tell, warn};
pub use crate::transform::renumbered;
pub use crate::with_help;
pub use crate::words::{Typed, by_metric};
