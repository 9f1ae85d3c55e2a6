//! How a run of Davidson comes along, and what it has found.

use std::cell::{Cell, RefCell};

use nrdr_slepc_sys::{Found, Looked};

/// Without progress for half as many iterations as it took to get there, and so many more, it is not to be had.
const PATIENCE: usize = 60;

/// How a run of Davidson comes along.
#[derive(Default)]
pub(super) struct Course {
    /// The values that are converged.
    pub(super) values: RefCell<Vec<f64>>,
    /// How far the residual of the next one is above what is wanted.
    pub(super) over: Cell<f64>,
    /// Converged pairs, residual of the next beside what is wanted, and the iteration, at best.
    best: Cell<(usize, f64, usize)>,
    /// No more than the least is asked.
    pub(super) relaxed: Cell<bool>,
}

impl Course {
    /// Whether there has been no progress for long.
    pub(super) fn is_stuck(&self, looked: &Looked<'_>) -> bool {
        let next = looked.over.get(looked.converged).copied().unwrap_or(0.0);
        self.over.set(next);
        self.values.replace(looked.values[..looked.converged.min(looked.values.len())].to_vec());
        let (converged, worst, since) = self.best.get();
        let is_better = looked.converged == converged && next < 0.5 * worst;
        if looked.iteration <= 1 || looked.converged > converged || is_better {
            self.best.set((looked.converged, next, looked.iteration));
            return false;
        }
        looked.iteration > since + since / 2 + PATIENCE
    }

    /// From here on no more than the least is asked; whether that is so already.
    pub(super) fn relax(&self, looked: &Looked<'_>) -> bool {
        self.best.set((looked.converged, f64::INFINITY, looked.iteration));
        self.relaxed.replace(true)
    }
}

/// Eigenpairs of M, ascending.
#[derive(Default)]
pub(super) struct Known {
    pub(super) values: Vec<f64>,
    pub(super) vectors: Vec<Vec<f64>>,
    pub(super) iterations: usize,
}

impl Known {
    /// Adds what another search has found, and keeps the first `count`.
    pub(super) fn add(&mut self, found: Found, count: usize) {
        self.iterations += found.iterations;
        self.values.extend(found.values);
        self.vectors.extend(found.vectors);
        let mut order: Vec<usize> = (0..self.values.len()).collect();
        order.sort_by(|&a, &b| self.values[a].total_cmp(&self.values[b]));
        order.truncate(count);
        self.values = order.iter().map(|&at| self.values[at]).collect();
        self.vectors = order.iter().map(|&at| std::mem::take(&mut self.vectors[at])).collect();
    }
}
