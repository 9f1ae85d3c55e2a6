//! The original methods: coordinates are orthogonal eigenvectors.

use super::{About, Outcome, Rule, Strategy, Task};
use crate::error::Result;
use crate::progress::Progress;

pub(super) const NAME: &str = "orthogonal";

const ABOUT: About = About {
    name: NAME,
    title: "original",
    help: "Orthogonal to them: the original method",
    paper: "",
};

/// Orthogonality: the original method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Orthogonal {}

impl Strategy {
    /// Orthogonality: the original method.
    pub fn orthogonal() -> Self {
        Strategy::new(Orthogonal {})
    }
}

impl Rule for Orthogonal {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check_shared(&self) -> Result<()> {
        Ok(())
    }

    /// The first eigenvectors beside the trivial direction, all at once.
    fn coordinates(&self, task: &Task<'_>, progress: &Progress<'_>) -> Result<Outcome> {
        task.worth_having(Outcome::from(task.original_steps(task.dims, progress)?))
    }
}
