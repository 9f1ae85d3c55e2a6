//! Which run a checkpoint is of: everything that the bits of the result depend on, item by item, so that it can be told
//! what differs. Threads and memory are not among it; a realisation that was chosen by the memory is.

use std::fmt::{Display, Write};

use sha2::{Digest, Sha256};

use crate::checkpoint::{Record, Store};
use crate::error::{Difference, Error, Result};
use crate::graph::EdgeKind;
use crate::input::{Dims, Input, Options};
use crate::linalg::{Matrix, SparseMatrix};
use crate::method::Method;
use crate::parameter::{Parameter, Value};

/// The record of it.
const NAME: &str = "run";
/// The record of the solver that was chosen; the option of that has the same name.
const SOLVER: &str = "solver";
/// What stands for all parameters of a strategy, also those that are not declared.
const STRATEGY_IN_FULL: &str = "the strategy in full";
/// Numbers that are hashed at a time.
const BLOCK: usize = 4096;

/// Names with their values.
type Items = Vec<(String, String)>;

/// A store, and the run that is to be found in it.
#[derive(Clone)]
pub(super) struct Checkpointed<'a> {
    pub(super) store: &'a dyn Store,
    identity: String,
}

impl<'a> Checkpointed<'a> {
    /// Refuses a store that has another run.
    pub(super) fn new(
        store: &'a dyn Store,
        input: Input<'_>,
        method: &dyn Method,
        options: &Options,
    ) -> Result<Self> {
        let ours = items(input, method, options)?;
        if let Some(Record { text, .. }) = store.get(NAME)? {
            let theirs: Items = serde_json::from_str(&text).map_err(unreadable)?;
            let differences = differences(&theirs, &ours);
            if !differences.is_empty() {
                return Err(Error::OtherRun { differences });
            }
        }
        let identity = serde_json::to_string(&ours).map_err(unreadable)?;
        Ok(Checkpointed { store, identity })
    }

    /// Tells a store that has no run of this one. Called when the work begins: what is refused before is no run.
    pub(super) fn begin(&self) -> Result<()> {
        match self.store.get(NAME)? {
            Some(_) => Ok(()),
            None => self.store.put(NAME, &Record::of_text(&*self.identity)),
        }
    }

    /// Refuses a solver other than that of the run before, which may depend on the memory there is.
    pub(super) fn check_solver(&self, solver: &str) -> Result<()> {
        let Some(Record { text, .. }) = self.store.get(SOLVER)? else {
            return self.store.put(SOLVER, &Record::of_text(solver));
        };
        if text == solver {
            return Ok(());
        }
        let (name, kept, now) = (SOLVER.to_string(), text.into_owned(), solver.to_string());
        Err(Error::OtherRun { differences: vec![Difference { name, kept, now }] })
    }
}

fn unreadable(error: impl Display) -> Error {
    let reason = format!("which run it is of cannot be read ({error}): delete it, or use another");
    Error::Checkpoint { reason }
}

fn items(input: Input<'_>, method: &dyn Method, options: &Options) -> Result<Items> {
    let Options {
        dims,
        neighbors,
        metric,
        search,
        recall,
        symmetry,
        components,
        strategy,
        solver,
        seed,
        ..
    } = options;
    let mut items = Items::new();
    let mut add =
        |name: &str, value: &dyn Display| items.push((name.to_string(), value.to_string()));
    add("the version of nrdr", &env!("CARGO_PKG_VERSION"));
    add("the input", &described(input)?);
    add("method", &method.name());
    add_all(&method.boxed().parameters(), &mut add);
    add("neighbors", neighbors);
    add("metric", metric);
    add("search", &format!("{search:?}"));
    add("recall", &format!("{recall:?}"));
    add("symmetry", &format!("{symmetry:?}"));
    add("components", &format!("{components:?}").to_lowercase());
    add("strategy", &strategy.name());
    add_all(&strategy.rule().boxed().parameters(), &mut add);
    add(STRATEGY_IN_FULL, &format!("{strategy:?}"));
    match dims {
        Dims::Exactly(dims) => add("dims", dims),
        Dims::Auto { .. } if *dims == Dims::AUTO => add("dims", &"auto"),
        Dims::Auto { most } => add("dims", &format!("auto up to {most}")),
    }
    add("seed", seed);
    add(SOLVER, &format!("{:?}", solver.kind).to_lowercase());
    add("tolerance", &solver.tolerance);
    add("max_iterations", &solver.max_iterations);
    add("missed", &format!("{:?}", solver.missed).to_lowercase());
    Ok(items)
}

fn add_all(parameters: &[Parameter<'_>], add: &mut impl FnMut(&str, &dyn Display)) {
    for parameter in parameters {
        match parameter.get() {
            Value::Vector(values) => {
                let mut sum = Sha256::new();
                add_numbers(&mut sum, &values);
                add(parameter.name, &hexadecimal(sum));
            }
            value => add(parameter.name, &value),
        }
    }
}

/// What differs: values of what both have, or else what only one has.
fn differences(theirs: &Items, ours: &Items) -> Vec<Difference> {
    let value = |items: &Items, name: &str| {
        items.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone())
    };
    let names = theirs.iter().chain(ours).map(|(name, _)| name);
    let mut both = Vec::new();
    let mut one = Vec::new();
    for name in names {
        let known = |d: &Difference| d.name == *name;
        if both.iter().chain(&one).any(known) {
            continue;
        }
        let difference = |kept, now| Difference { name: name.clone(), kept, now };
        match (value(theirs, name), value(ours, name)) {
            (Some(kept), Some(now)) if kept != now => both.push(difference(kept, now)),
            (Some(kept), None) => one.push(difference(kept, "none".to_string())),
            (None, Some(now)) => one.push(difference("none".to_string(), now)),
            _ => {}
        }
    }
    if both.len() > 1 {
        // It says the same again, at length.
        both.retain(|difference| difference.name != STRATEGY_IN_FULL);
    }
    if both.is_empty() { one } else { both }
}

/// Size and sum of the input.
fn described(input: Input<'_>) -> Result<String> {
    let mut sum = Sha256::new();
    let size = match input {
        Input::Points(points) => {
            add_numbers(&mut sum, points.values());
            format!("{} points of {} columns", points.rows(), points.columns())
        }
        Input::Distances(distances) => {
            add_numbers(&mut sum, distances.values());
            format!("distances of {} points", distances.size())
        }
        Input::Graph(graph) => {
            add_sparse(&mut sum, &graph.edges);
            let kind = match graph.kind {
                EdgeKind::Length => "lengths",
                EdgeKind::Affinity => "affinities",
            };
            format!("a graph of {} points with {kind}", graph.edges.size())
        }
        Input::Matrix(matrix) => {
            match matrix {
                Matrix::Dense(matrix) => add_numbers(&mut sum, matrix.values()),
                Matrix::Sparse(matrix) => add_sparse(&mut sum, matrix),
                Matrix::LowRank(matrix) => {
                    add_numbers(&mut sum, matrix.values());
                    matrix.vectors().col_iter().for_each(|column| {
                        add_numbers(&mut sum, &column.iter().copied().collect::<Vec<f64>>());
                    });
                }
                Matrix::Operator(_) => {
                    let reason = "nobody can tell whether an operator is the same the next time: give a matrix with entries";
                    return Err(Error::Checkpoint { reason: reason.to_string() });
                }
            }
            format!("a matrix of {} rows", matrix.size())
        }
    };
    Ok(format!("{size} (SHA-256 {})", hexadecimal(sum)))
}

fn add_numbers(sum: &mut Sha256, values: &[f64]) {
    let mut bytes = Vec::with_capacity(8 * BLOCK);
    for block in values.chunks(BLOCK) {
        bytes.clear();
        bytes.extend(block.iter().flat_map(|value| value.to_le_bytes()));
        sum.update(&bytes);
    }
}

fn add_sparse(sum: &mut Sha256, matrix: &SparseMatrix) {
    for offset in &matrix.offsets {
        sum.update((*offset as u64).to_le_bytes());
    }
    for column in &matrix.columns {
        sum.update(column.to_le_bytes());
    }
    add_numbers(sum, &matrix.values);
}

/// The first half of a sum.
fn hexadecimal(sum: Sha256) -> String {
    sum.finalize().iter().take(16).fold(String::new(), |mut text, byte| {
        // Writing to a text does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
