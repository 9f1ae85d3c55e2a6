//! How long a run takes, roughly: operations of each stage over how many are done in a second.

use super::cost::{Made, Sizes};
use crate::eigen::{Cost, Glance, SolverKind, basis_columns};
use crate::graph::neighbors::Way;

/// Operations in a second of processor time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rates {
    /// Steps of neighbour searches in a tree, for each neighbour and level.
    tree: f64,
    /// Multiplications in single precision.
    single: f64,
    /// Differences of columns where all distances are computed one by one.
    scanned: f64,
    /// Entries of sparse matrices that are made.
    entries: f64,
    /// Entries of a matrix that an order is found for, for each level of dissection.
    ordered: f64,
    /// Multiplications of dense factorisations.
    flops: f64,
    /// Numbers that go through a product or a solve of one vector.
    passed: f64,
    /// Numbers of a dense matrix that are made.
    dense: f64,
    /// Neighbourhoods that are looked at.
    neighborhoods: f64,
}

impl Rates {
    /// As measured on one core of an Intel Xeon of 2026 (`docs/scale.md`).
    pub(super) const MEASURED: Rates = Rates {
        tree: 8e7,
        single: 4e10,
        scanned: 2e9,
        entries: 2e7,
        ordered: 6e7,
        flops: 8e9,
        passed: 1.5e9,
        dense: 2e7,
        neighborhoods: 2e5,
    };
}

/// Iterations that a factor, or products alone, take for a few eigenvectors, in vectors for each of them.
const SOLVES: f64 = 6.0;
const PRODUCTS: f64 = 60.0;
/// and of a dense matrix, where eigenvalues are far apart.
const DENSE_PRODUCTS: f64 = 8.0;
/// Eigenvectors that multigrid's time is predicted for.
const PREDICTED: f64 = 16.0;
/// Seconds of what is done on a sample.
const ON_SAMPLE: f64 = 1.0;

/// A run, as far as its time depends on it.
pub(super) struct Work<'w> {
    pub(super) sizes: &'w Sizes<'w>,
    pub(super) cost: Cost,
    pub(super) kind: SolverKind,
}

impl Work<'_> {
    fn n(&self) -> f64 {
        self.sizes.points as f64
    }

    pub(super) fn searching(&self, rates: &Rates) -> f64 {
        let Sizes { neighbors, columns, made, search, .. } = *self.sizes;
        let n = self.n();
        match (made, search) {
            (Made::Nothing, _) => 0.0,
            (_, Way::Tree) => n * n.log2() * neighbors as f64 / rates.tree,
            (_, Way::Scan) => n * n * columns as f64 / rates.scanned,
            (_, Way::Products | Way::Given) => n * n * columns.max(1) as f64 / rates.single,
        }
    }

    pub(super) fn joining(&self, rates: &Rates) -> f64 {
        self.n() * self.sizes.edges / rates.entries
    }

    pub(super) fn building(&self, rates: &Rates) -> f64 {
        match self.sizes.entries {
            Some(entries) => {
                let is_local = self.sizes.made == Made::Lists;
                let local = if is_local { self.n() / rates.neighborhoods } else { 0.0 };
                local + self.n() * entries / rates.entries
            }
            None => self.n() * self.n() / rates.dense,
        }
    }

    pub(super) fn factorizing(&self, rates: &Rates) -> f64 {
        match self.kind {
            SolverKind::ShiftInvert => {
                let entries = self.n() * self.sizes.entries.unwrap_or(0.0);
                entries * self.n().log2() / 2.0 / rates.ordered + self.cost.flops / rates.flops
            }
            _ => 0.0,
        }
    }

    pub(super) fn solving(&self, rates: &Rates) -> f64 {
        let (n, count) = (self.n(), self.sizes.eigenvectors as f64);
        let basis = basis_columns(self.kind, self.sizes.eigenvectors, self.sizes.points) as f64;
        let (vectors, passed) = match self.kind {
            SolverKind::ShiftInvert => (SOLVES * count, 2.0 * self.cost.entries),
            SolverKind::Dense => return 10.0 * n.powi(3) / rates.flops,
            SolverKind::Multigrid => {
                let entries = n * self.sizes.entries.unwrap_or(0.0);
                let glance = Glance::of_factor(n, entries, self.cost, self.sizes.levels);
                return ON_SAMPLE + count / PREDICTED * glance.multigrid();
            }
            _ => match self.sizes.entries {
                Some(entries) => (PRODUCTS * count, n * entries),
                None => (DENSE_PRODUCTS * count, n * n),
            },
        };
        ON_SAMPLE + vectors * (passed / rates.passed + 4.0 * n * basis / rates.flops)
    }

    pub(super) fn measuring(&self, _: &Rates) -> f64 {
        ON_SAMPLE
    }
}
