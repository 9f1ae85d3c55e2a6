//! What a run takes of the memory, stage after stage: the sizes of what is there at a time.

use crate::eigen::{Cost, Levels, SolverKind, basis_columns};
use crate::graph::neighbors::Way;
use crate::graph::projected::sampled;
use crate::memory::{self, ENTRY};
use crate::method::Method;

/// Bytes of a number.
const NUMBER: f64 = 8.0;
/// Vectors of a block of an iteration and of what is made of it on the way.
const BLOCKS: f64 = 20.0;
/// Vectors that come with a problem: its scale, its trivial direction, degrees.
const OF_PROBLEM: f64 = 3.0;
/// Bytes of a point in the list of rows of a neighbour search, and where its neighbours begin.
const ORDER: f64 = 4.0;
const OFFSET: f64 = 8.0;
/// Entries of multigrid's levels for each point, of Laplacians and of alignment matrices.
const LEVELS_OF_LAPLACIAN: f64 = 18.0;
const LEVELS_OF_ALIGNMENT: f64 = 40.0;
/// Numbers of all the short vectors that a point of many columns has where neighbours are searched without a tree.
const SHORT: f64 = 500.0;
/// Points of a leaf of the tree that neighbours are searched in.
const LEAF: f64 = 12.0;

/// Points that are measured at most, and bytes that their distances take.
const SAMPLE: f64 = 5000.0;
const SAMPLED: f64 = 60e6;

/// What is made of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    /// Nothing: the method takes them as they are.
    Nothing,
    /// A graph of neighbours, which the method keeps.
    Graph,
    /// Lists of neighbours.
    Lists,
}

/// A run, as far as its memory depends on it.
#[derive(Clone, Debug)]
pub(super) struct Sizes<'m> {
    pub(super) method: &'m dyn Method,
    pub(super) points: usize,
    /// Columns of points, where they are.
    pub(super) columns: usize,
    pub(super) neighbors: usize,
    pub(super) dims: usize,
    /// Bytes of the input.
    pub(super) input: f64,
    pub(super) made: Made,
    /// Columns of the points as the metric sees them, where they are others than the input.
    pub(super) seen: Option<usize>,
    /// How neighbours are searched.
    pub(super) search: Way,
    /// Edges of a point.
    pub(super) edges: f64,
    /// Entries of a row of the matrix; `None` for one that is not sparse.
    pub(super) entries: Option<f64>,
    pub(super) levels: Levels,
    pub(super) solver: SolverKind,
    /// Of the factor, if there is one.
    pub(super) cost: Cost,
    /// Eigenvectors that are found together.
    pub(super) eigenvectors: usize,
    /// Eigenvectors that were found before.
    pub(super) earlier: usize,
    /// What the strategy takes beside.
    pub(super) strategy: f64,
}

/// Bytes that are there in all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Bytes {
    /// At most while a stage runs,
    pub(super) during: f64,
    /// and once it is over.
    pub(super) after: f64,
}

/// The stages of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Timeline {
    pub(super) neighbors: Bytes,
    pub(super) graph: Bytes,
    pub(super) matrix: Bytes,
    pub(super) factorization: Bytes,
    pub(super) coordinates: Bytes,
    pub(super) measuring: Bytes,
}

impl Timeline {
    /// The most until the coordinates are there; measuring is up to who asks for it.
    pub(super) fn peak(&self) -> f64 {
        let all = [self.neighbors, self.graph, self.matrix, self.factorization, self.coordinates];
        all.into_iter().map(|bytes| bytes.during).fold(0.0, f64::max)
    }
}

impl Sizes<'_> {
    pub(super) fn timeline(&self) -> Timeline {
        let neighbors = self.searching();
        let graph = self.joining(neighbors.after);
        let matrix = self.building(graph.after);
        let factorization = self.factorizing(matrix.after);
        let coordinates = self.solving(factorization.after);
        let found = self.n() * NUMBER * self.dims as f64;
        // The original coordinates stand beside those found.
        let sampled = SAMPLED * (self.n() / SAMPLE).min(1.0).powi(2);
        let measured = self.input + 2.0 * found;
        let measuring = Bytes { during: measured + found + sampled, after: measured };
        Timeline { neighbors, graph, matrix, factorization, coordinates, measuring }
    }

    fn n(&self) -> f64 {
        self.points as f64
    }

    /// The lists of neighbours.
    fn lists(&self) -> f64 {
        self.n() * (ENTRY * self.neighbors as f64 + OFFSET)
    }

    fn searching(&self) -> Bytes {
        if self.made == Made::Nothing {
            return Bytes { during: self.input, after: self.input };
        }
        let seen = self.seen.map_or(0.0, |columns| self.n() * NUMBER * columns as f64);
        let lists = self.input + self.lists() + seen;
        if self.columns == 0 {
            return Bytes { during: lists, after: lists };
        }
        let pairs = self.n() * (16.0 * self.neighbors as f64 + 24.0);
        if self.search == Way::Scan {
            return Bytes { during: lists + pairs, after: lists };
        }
        let searched = self.seen.unwrap_or(self.columns);
        if self.search == Way::Tree {
            // The points in another order, and the boxes of the nodes, two numbers a side.
            let columns = NUMBER * searched as f64;
            let leaves = (self.n() / LEAF).log2().ceil().exp2();
            let boxes = 2.0 * leaves * (2.0 * columns + ORDER);
            let after = lists + self.n() * (columns + ORDER);
            return Bytes { during: after + boxes + self.n() * ORDER, after };
        }
        // Short vectors in single precision, lists of pairs on the way, and the points that tell the directions.
        let short = self.n() * (4.0 * (searched as f64).min(SHORT) + NUMBER);
        let sampled = NUMBER * (searched * sampled(searched).min(self.points)) as f64;
        let during = lists + pairs + short + sampled;
        Bytes { during, after: lists }
    }

    fn joining(&self, before: f64) -> Bytes {
        if self.made == Made::Nothing {
            return Bytes { during: before, after: before };
        }
        // For each point those that have it in their lists.
        let inverted = self.n() * (NUMBER * self.neighbors as f64 + 2.0 * OFFSET);
        let graph = self.sparse(self.edges);
        let after = match self.made {
            Made::Graph => before - self.lists() + graph,
            Made::Lists | Made::Nothing => before,
        };
        Bytes { during: before + inverted + graph * (1.0 + memory::WAVE), after }
    }

    fn building(&self, before: f64) -> Bytes {
        let vectors = self.n() * NUMBER * OF_PROBLEM;
        match self.entries {
            Some(entries) => {
                let matrix = self.sparse(entries) + vectors;
                let aside = self.method.aside(self.points, self.neighbors, entries);
                Bytes { during: before + matrix + aside, after: before + matrix }
            }
            None => {
                let matrix = self.method.memory(self.points, self.neighbors) + vectors;
                Bytes { during: before + matrix, after: before + matrix }
            }
        }
    }

    fn factorizing(&self, before: f64) -> Bytes {
        match (self.solver, self.entries) {
            (SolverKind::ShiftInvert, Some(entries)) => {
                // The graph of the matrix, in parts, and what the parts are made of.
                let dissecting = self.n() * (2.0 * 8.0 * entries + 40.0);
                let after = before + self.cost.structure + NUMBER * self.cost.entries;
                let during = after + NUMBER * self.cost.held;
                Bytes { during: during.max(before + dissecting), after }
            }
            (SolverKind::Dense, _) => {
                let matrix = memory::dense(self.points);
                Bytes { during: before + matrix, after: before + matrix }
            }
            (SolverKind::Multigrid, Some(entries)) => {
                // Coarser matrices, prolongations and their transposes; while these are made, a product more.
                let of_levels = match self.levels {
                    Levels::Laplacian => LEVELS_OF_LAPLACIAN,
                    _ => LEVELS_OF_ALIGNMENT,
                };
                let after = before + self.sparse(of_levels);
                Bytes { during: after + self.sparse(entries.min(of_levels)), after }
            }
            _ => Bytes { during: before, after: before },
        }
    }

    fn solving(&self, before: f64) -> Bytes {
        let vector = self.n() * NUMBER;
        let (count, earlier) = (self.eigenvectors as f64, self.earlier as f64);
        let iteration = match self.solver {
            // The projected matrix, its eigenvectors and what they are computed in.
            SolverKind::Dense => 3.0 * memory::dense(self.points),
            kind => vector * (basis_columns(kind, self.eigenvectors, self.points) as f64 + BLOCKS),
        };
        let found = vector * (count + earlier);
        // Of the eigenvectors found, once the basis has gone, coordinates are made.
        let coordinates = vector * 3.0 * self.dims as f64;
        let finding = found + iteration;
        // What a strategy takes stands beside a basis where it solves again for each coordinate.
        let is_again = self.eigenvectors == self.dims;
        let beside = if is_again { iteration } else { 0.0 };
        let during = finding.max(found + coordinates + self.strategy + beside);
        Bytes { during: before + during, after: before + found + coordinates }
    }

    fn sparse(&self, entries: f64) -> f64 {
        self.n() * (ENTRY * entries + OFFSET)
    }
}
