//! A solver behind another: what multigrid does not solve, products do.

use std::sync::{Arc, OnceLock};

use nrdr::eigen::{Pair, Request};
use nrdr::{Error, Problem, Progress, Result, Solver, SolverOptions};

use super::davidson::Multilevel;
use super::lanczos;

/// Davidson, and Lanczos where it does not converge or is not suited.
pub(super) struct Fallback {
    first: Multilevel,
    problem: Arc<Problem>,
    options: SolverOptions,
    second: OnceLock<Box<dyn Solver>>,
}

impl Fallback {
    pub(super) fn new(first: Multilevel, problem: &Arc<Problem>, options: &SolverOptions) -> Self {
        let (problem, options) = (problem.clone(), options.clone());
        Fallback { first, problem, options, second: OnceLock::new() }
    }
}

impl Solver for Fallback {
    fn name(&self) -> &'static str {
        self.first.name()
    }

    /// The first one is tried every time: what is found does not depend on what was asked for before.
    fn solve(&self, request: &Request<'_>, progress: &Progress<'_>) -> Result<Vec<Pair>> {
        let missed = match self.first.solve(request, progress) {
            Err(missed @ (Error::NotConverged { .. } | Error::Solver { .. })) => missed,
            found => return found,
        };
        if self.second.get().is_none() {
            let second = lanczos(&self.problem, &self.options, progress)?;
            self.second.get_or_init(|| second);
        }
        self.second.get().map_or(Err(missed), |second| second.solve(request, progress))
    }
}
