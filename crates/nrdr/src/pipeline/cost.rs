//! What a run takes of the memory, before it starts.

use crate::error::{FEWER_POINTS, Hint, MORE_MEMORY, Result};
use crate::input::{Input, Options};
use crate::memory::{self, ENTRY};
use crate::method::{Method, Needs};
use crate::strategy::Strategy;

/// Vectors of an iteration: its basis, the newest blocks and copies of them.
const VECTORS: f64 = 52.0;

/// What a run needs beside its input, as far as that is known before it starts: a factorisation and a smoother are
/// looked at once their size is known.
fn needed(input: Input<'_>, method: &dyn Method, options: &Options, strategy: &Strategy) -> f64 {
    let n = input.size() as f64;
    let k = options.neighbors.min(input.size()) as f64;
    let neighbors = match (method.needs(), input) {
        // The points in another order, and the lists.
        (Needs::Graph | Needs::Neighborhoods, Input::Points(points)) => {
            n * (8.0 * points.columns() as f64 + ENTRY * k + 24.0)
        }
        (Needs::Graph, Input::Distances(_)) => n * (ENTRY * k + 24.0),
        _ => 0.0,
    };
    let graph = if neighbors > 0.0 {
        memory::sparse(input.size(), memory::edges_of(options.neighbors))
    } else {
        0.0
    };
    let coordinates = 3.0 * 8.0 * n * options.dims.most().min(input.size()) as f64;
    let matrix = if matches!(input, Input::Matrix(_)) {
        0.0
    } else {
        method.memory(input.size(), options.neighbors)
    };
    let smoother = strategy.rule().memory(input.size());
    neighbors + graph + matrix + 8.0 * n * VECTORS + smoother + coordinates
}

/// Refuses a run that needs more memory than there is.
pub(super) fn check(
    input: Input<'_>,
    method: &dyn Method,
    options: &Options,
    strategy: &Strategy,
) -> Result<()> {
    memory::expect_threads(rayon::current_num_threads() + options.threads.unwrap_or(0) + 1);
    let dense = method.memory(input.size(), options.neighbors) >= memory::dense(input.size());
    let way_out: &[Hint] = if dense {
        &[FEWER_POINTS, Hint::Say("choose a method without a dense matrix"), MORE_MEMORY]
    } else {
        &[FEWER_POINTS, Hint::Lower("neighbors"), MORE_MEMORY]
    };
    memory::check("the embedding", needed(input, method, options, strategy), way_out)
}
