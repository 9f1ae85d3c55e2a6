//! A solver behind another: what the first one cannot solve, the second one does.

use std::sync::{Arc, OnceLock};

use super::{Pair, Request, Solver};
use crate::error::{Error, Result};
use crate::problem::Problem;
use crate::progress::Progress;

/// Makes the second solver.
pub(super) type Make = fn(&Arc<Problem>, &Progress<'_>) -> Result<Box<dyn Solver>>;

/// Two solvers, of which the second is made when it is first needed.
pub(super) struct Fallback<S> {
    pub(super) problem: Arc<Problem>,
    pub(super) first: S,
    pub(super) make: Make,
    pub(super) second: OnceLock<Box<dyn Solver>>,
}

impl<S: Solver> Solver for Fallback<S> {
    fn name(&self) -> &'static str {
        self.first.name()
    }

    /// The first one is tried every time: what is found does not depend on what was asked for before.
    fn solve(&self, request: &Request<'_>, progress: &Progress<'_>) -> Result<Vec<Pair>> {
        let missed = match self.first.solve(request, progress) {
            Err(missed @ Error::NotConverged { .. }) => missed,
            found => return found,
        };
        if self.second.get().is_none() {
            let second = (self.make)(&self.problem, progress)?;
            self.second.get_or_init(|| second);
        }
        self.second.get().map_or(Err(missed), |second| second.solve(request, progress))
    }
}
