//! Points that a strategy has moved, embedded again.

use std::ops::ControlFlow;

use super::Prepared;
use crate::eigen::Pair;
use crate::embedding::Coordinate;
use crate::error::{Error, Result};
use crate::graph::Policy;
use crate::input::{Dims, Options};
use crate::method::Method;
use crate::points::Points;
use crate::progress::{Observer, Progress};
use crate::size::LEAST;
use crate::stage::Stage;
use crate::strategy::Movable;

/// The same points, embedded again elsewhere by the same method.
pub(super) struct Again<'a> {
    pub(super) points: &'a Points,
    pub(super) method: &'a dyn Method,
    pub(super) options: &'a Options,
}

impl Movable for Again<'_> {
    fn points(&self) -> &Points {
        self.points
    }

    fn neighbors(&self) -> usize {
        self.options.neighbors
    }

    fn first_coordinate(&self, points: &Points, progress: &Progress<'_>) -> Result<Pair> {
        let (components, dims) = (Policy::Connect, Dims::Exactly(1));
        // Of what the run around it was told, what is left.
        let memory = self.options.memory.and(progress.memory_left()).map(|left| left.max(LEAST));
        let metric = self.options.metric.of_moved();
        let options =
            Options { components, dims, metric, memory, threads: None, ..self.options.clone() };
        let watcher = Within(progress);
        let prepared = Prepared::new(points, self.method, &options)?.observed(&watcher);
        let found = prepared.original(1).map_err(|error| match error {
            // Of the stage around it, as the user knows it.
            Error::Cancelled { .. } => progress.check().err().unwrap_or(error),
            other => other,
        });
        let Coordinate { values, eigenvalue, residual, iterations, .. } =
            found?.coordinates.swap_remove(0);
        let pair = Pair {
            value: eigenvalue,
            vector: values,
            residual,
            angle: 0.0,
            iterations,
            missed: None,
        };
        Ok(pair)
    }
}

/// Stages within a stage: what is told stays the same, but they can be cancelled.
struct Within<'p>(&'p Progress<'p>);

impl Observer for Within<'_> {
    fn update(&self, _: Stage, _: f64) -> ControlFlow<()> {
        match self.0.held().report(0.0) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}
