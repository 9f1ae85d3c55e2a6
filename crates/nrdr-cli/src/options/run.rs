//! How many coordinates, and how they are computed.

use clap::Args;
use clap::builder::ValueParser;
use nrdr::graph::RECALL;
use nrdr::method::Needs;
use nrdr::parameter::{Slot, Value, Word, Words};
use nrdr::{
    Dims, Method, Metric, Options, Policy, Search, SolverKind, SolverOptions, Strategy, Warning,
    size,
};

use super::declared::possible;
use super::strategy::{HEADING, StrategyArgs};
use crate::failure::Failure;
use crate::words::Typed;

/// How to embed.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = HEADING)]
pub struct RunArgs {
    /// Number of coordinates, or auto: as many as are worth having, at most 10
    #[arg(short, long, value_name = "N|auto", default_value = "2", value_parser = dims)]
    pub(crate) dims: Dims,

    /// Number of nearest neighbours [default: 10, or all others of fewer points]
    #[arg(short = 'k', long, value_name = "K")]
    neighbors: Option<usize>,

    /// What is near: euclidean, cosine, manhattan, correlation, hamming, haversine, chebyshev or minkowski:P
    #[arg(long, value_name = "METRIC", default_value_t = Metric::Euclidean, value_parser = metric)]
    #[arg(long_help = metrics())]
    pub(crate) metric: Metric,

    /// Search exact neighbours, however long that takes
    #[arg(long, conflicts_with = "neighbors_approximate")]
    neighbors_exact: bool,

    /// Search approximate neighbours, however few points there are
    #[arg(long)]
    neighbors_approximate: bool,

    /// Least share of true neighbours that an approximate search has to find
    #[arg(long, value_name = "SHARE", default_value_t = RECALL)]
    recall: f64,

    #[command(flatten)]
    strategies: StrategyArgs,

    /// What to do when the neighbour graph falls apart
    #[arg(long, value_name = "POLICY", default_value = "connect", value_parser = policies())]
    components: String,

    /// How eigenvectors are computed
    #[arg(long, value_name = "SOLVER", default_value = "auto", value_parser = solvers())]
    solver: String,

    /// Start of the random numbers
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,

    /// Number of threads; the result does not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Memory that the run may take, such as 8G or 512M [default: three quarters of what is available]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub(crate) memory: Option<u64>,
}

/// Bytes from what is typed for them.
pub(crate) fn memory(text: &str) -> Result<u64, String> {
    match size::parse(text) {
        Some(bytes) if bytes >= size::LEAST => Ok(bytes),
        Some(_) => Err("nothing can be embedded in less than 1M: raise it".to_string()),
        None => Err("expected a size such as 8G, 512M or a number of bytes".to_string()),
    }
}

fn metric(text: &str) -> Result<Metric, String> {
    text.parse::<Metric>().map_err(|error| error.told(&Typed))
}

/// What the metrics are, a line each.
fn metrics() -> String {
    let line = |word: &Word| format!("\n- {:<12} {}", word.name, word.help);
    let lines: String = Metric::WORDS.iter().map(line).collect();
    format!(
        "What is near: the distance that neighbours are searched by, such as cosine or minkowski:3\n{lines}"
    )
}

fn dims(text: &str) -> Result<Dims, String> {
    match (text, text.parse::<usize>()) {
        ("auto", _) => Ok(Dims::AUTO),
        (_, Ok(dims)) if dims > 0 => Ok(Dims::Exactly(dims)),
        _ => Err("expected a number from 1, or auto".to_string()),
    }
}

fn solvers() -> ValueParser {
    possible(SolverKind::WORDS).into()
}

fn policies() -> ValueParser {
    possible(Policy::WORDS).into()
}

impl RunArgs {
    /// The library's options.
    pub fn options(&self) -> Options {
        let mut components = Policy::default();
        components.set(&Value::Word(self.components.clone()));
        let mut solver = SolverOptions::default();
        solver.kind.set(&Value::Word(self.solver.clone()));
        let search = match (self.neighbors_exact, self.neighbors_approximate) {
            (true, _) => Search::Exact,
            (false, true) => Search::Approximate,
            (false, false) => Search::Auto,
        };
        Options {
            dims: self.dims,
            neighbors: self.neighbors.unwrap_or(Options::default().neighbors),
            metric: self.metric,
            search,
            recall: self.recall,
            components,
            solver,
            seed: self.seed,
            threads: self.threads.map(usize::from),
            memory: self.memory,
            ..Default::default()
        }
    }

    /// Takes as many neighbours as so many points have, if their number was not typed and the method looks for them.
    pub fn fit(
        &self,
        options: &mut Options,
        method: &dyn Method,
        points: usize,
    ) -> Option<Warning> {
        let has_graph = matches!(method.needs(), Needs::Graph | Needs::Neighborhoods);
        let (wanted, taken) = (options.neighbors, points.saturating_sub(1));
        if self.neighbors.is_some() || !has_graph || wanted <= taken || taken == 0 {
            return None;
        }
        options.neighbors = taken;
        Some(Warning::FewerNeighbors { wanted, taken })
    }

    /// The strategy of a name with its options.
    pub fn strategy(&self, name: &str) -> Result<Strategy, Failure> {
        self.strategies.build(name)
    }
}
