//! Work of a member by itself.

use nrdr::team;

/// Runs the core's work on own rows: what it would ask of a team is meant for these rows alone.
pub(crate) fn alone<T>(work: impl FnOnce() -> T) -> T {
    team::join(None, work)
}
