//! What is embedded and how, checked once at the entrance.

use crate::eigen::SolverOptions;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::graph::neighbors::How;
use crate::graph::prepare::GraphOptions;
use crate::graph::{Graph, Policy, RECALL, Search, Symmetry};
use crate::linalg::{Matrix, SymmetricMatrix};
use crate::memory::{Budget, ENTRY, dense};
use crate::metric::Metric;
use crate::points::Points;
use crate::strategy::Strategy;
use crate::threads::check_threads;

/// What is embedded.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Input<'a> {
    /// Points; every method but `precomputed` takes them.
    Points(&'a Points),
    /// Distances between all pairs; for the methods that need only a graph.
    Distances(&'a SymmetricMatrix),
    /// A neighbour graph; for the methods that need only a graph.
    Graph(&'a Graph),
    /// The matrix of the eigenproblem itself; for `precomputed`.
    Matrix(&'a Matrix),
}

impl<'a> From<&'a Points> for Input<'a> {
    fn from(points: &'a Points) -> Self {
        Input::Points(points)
    }
}

impl<'a> From<&'a SymmetricMatrix> for Input<'a> {
    fn from(distances: &'a SymmetricMatrix) -> Self {
        Input::Distances(distances)
    }
}

impl<'a> From<&'a Graph> for Input<'a> {
    fn from(graph: &'a Graph) -> Self {
        Input::Graph(graph)
    }
}

impl<'a> From<&'a Matrix> for Input<'a> {
    fn from(matrix: &'a Matrix) -> Self {
        Input::Matrix(matrix)
    }
}

impl Input<'_> {
    pub(crate) fn size(self) -> usize {
        match self {
            Input::Points(points) => points.rows(),
            Input::Distances(distances) => distances.size(),
            Input::Graph(graph) => graph.edges.size(),
            Input::Matrix(matrix) => matrix.size(),
        }
    }

    /// Bytes that it takes.
    pub(crate) fn bytes(self) -> u64 {
        let sparse = |entries: usize, rows: usize| ENTRY * entries as f64 + 8.0 * rows as f64;
        let bytes = match self {
            Input::Points(points) => 8.0 * (points.rows() * points.columns()) as f64,
            Input::Distances(distances) => dense(distances.size()),
            Input::Graph(graph) => sparse(graph.edges.entries(), graph.edges.size()),
            Input::Matrix(Matrix::Dense(matrix)) => dense(matrix.size()),
            Input::Matrix(Matrix::Sparse(matrix)) => sparse(matrix.entries(), matrix.size()),
            Input::Matrix(Matrix::LowRank(matrix)) => {
                8.0 * (matrix.vectors().nrows() * matrix.vectors().ncols()) as f64
            }
            Input::Matrix(Matrix::Operator(_)) => 0.0,
        };
        bytes as u64
    }

    pub(crate) fn describe(self) -> &'static str {
        match self {
            Input::Points(_) => "points",
            Input::Distances(_) => "distances",
            Input::Graph(_) => "a graph",
            Input::Matrix(_) => "a matrix",
        }
    }
}

/// How many coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dims {
    /// So many.
    Exactly(usize),
    /// As many as are worth having; [`Embedding::dimension`](crate::Embedding::dimension) tells why. For points and
    /// distances.
    Auto {
        /// But no more than these.
        most: usize,
    },
}

impl Dims {
    /// As many as are worth having, at most 10.
    pub const AUTO: Dims = Dims::Auto { most: 10 };

    /// How many there can be.
    pub fn most(self) -> usize {
        match self {
            Dims::Exactly(dims) | Dims::Auto { most: dims } => dims,
        }
    }

    /// Whether their number is to be found out.
    pub fn is_auto(self) -> bool {
        matches!(self, Dims::Auto { .. })
    }
}

impl From<usize> for Dims {
    fn from(dims: usize) -> Self {
        Dims::Exactly(dims)
    }
}

/// How to embed.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of coordinates.
    pub dims: Dims,
    /// Number of nearest neighbours.
    pub neighbors: usize,
    /// What is near. Where points are given, and neighbours of them are searched.
    pub metric: Metric,
    /// How neighbours are searched.
    pub search: Search,
    /// The least share of true neighbours that an approximate search has to find, above 0 and at most 1.
    pub recall: f64,
    /// When two points are joined by an edge.
    pub symmetry: Symmetry,
    /// What to do when the graph falls apart.
    pub components: Policy,
    /// What a coordinate owes to the earlier ones.
    pub strategy: Strategy,
    /// How eigenvectors are computed.
    pub solver: SolverOptions,
    /// Start of the random numbers; the result depends on it only within the tolerance.
    pub seed: u64,
    /// Bytes that the run may take, its input included; `None` means three quarters of what is available when it starts.
    /// What does not fit is done in another way where there is one, and refused otherwise.
    pub memory: Option<u64>,
    /// Number of threads; `None` means those of the surrounding rayon pool. The result does not
    /// depend on it at all.
    pub threads: Option<usize>,
}

impl Options {
    /// How the graph is made.
    pub(crate) fn graph(&self) -> GraphOptions {
        let Options { neighbors, symmetry, components, .. } = *self;
        GraphOptions { neighbors, how: self.how(), symmetry, components }
    }

    /// How neighbours are searched.
    pub(crate) fn how(&self) -> How {
        let Options { metric, search, recall, .. } = *self;
        How { metric, search, recall }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            dims: Dims::Exactly(2),
            neighbors: 10,
            metric: Metric::Euclidean,
            search: Search::Auto,
            recall: RECALL,
            symmetry: Symmetry::Union,
            components: Policy::Connect,
            strategy: Strategy::default(),
            solver: SolverOptions::default(),
            seed: 0,
            memory: None,
            threads: None,
        }
    }
}

/// Squares of smaller differences would vanish.
const LEAST_SPREAD: f64 = 1e-150;

/// Squares of larger sums of differences would overflow.
const MOST_SPREAD: f64 = 1e150;

/// Refuses what no method can embed.
pub(crate) fn check(input: Input<'_>, options: &Options) -> Result<()> {
    let n = input.size();
    if n < 2 {
        return Err(Error::TooFewPoints { points: n, needed: 2 });
    }
    if options.dims.most() == 0 {
        return Err(Error::parameter("dims", 0, "at least 1"));
    }
    if let Dims::Exactly(dims) = options.dims
        && dims >= n
    {
        return Err(Error::TooManyCoordinates { dims, available: n - 1 });
    }
    check_threads(options.threads)?;
    Budget::check_told(options.memory)?;
    // Not `<=`: a NaN compares as false.
    if !(options.recall > 0.0 && options.recall <= 1.0) {
        return Err(Error::parameter("recall", options.recall, "above 0 and at most 1"));
    }
    let largest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let spread = match input {
        Input::Points(points) => points.spread(),
        Input::Distances(distances) => largest(distances.values()),
        Input::Graph(_) | Input::Matrix(_) => 1.0,
    };
    if spread == 0.0 {
        return Err(Error::AllEqual { points: n });
    }
    if spread < LEAST_SPREAD {
        return Err(Error::parameter("spread of the data", spread, "1e-150 or more: rescale them"));
    }
    check_metric(input, options, spread)?;
    match input {
        Input::Distances(distances) => {
            check_not_negative(n, |i| Box::new(distances.row(i).iter().copied().enumerate()))?;
            // A kernel taken for distances would be embedded upside down.
            if let Some(row) = (0..n).find(|&i| distances.row(i)[i] > 1e-6 * spread) {
                return Err(Error::NotDistances { row, value: distances.row(row)[row] });
            }
        }
        Input::Graph(graph) => check_not_negative(n, |i| Box::new(graph.edges.row(i)))?,
        Input::Points(_) | Input::Matrix(_) => {}
    }
    if options.dims.is_auto() && matches!(input, Input::Graph(_) | Input::Matrix(_)) {
        return Err(Error::NeedsDistances { given: input.describe() });
    }
    options.solver.check()
}

/// Refuses a metric that does not know the distances of the points, or that nobody would ask for them.
fn check_metric(input: Input<'_>, options: &Options, spread: f64) -> Result<()> {
    let metric = options.metric;
    metric.check_itself()?;
    options.search.check(metric)?;
    let Input::Points(points) = input else {
        return match metric {
            Metric::Euclidean => Ok(()),
            _ => Err(Error::UnusedMetric {
                metric: metric.to_string(),
                why: "the distances of points are given",
            }),
        };
    };
    metric.check(points)?;
    if metric.is_one_place(points)? {
        return Err(Error::AllEqual { points: points.rows() });
    }
    // Sums of many large differences have squares that overflow.
    if !metric.is_euclidean_at_heart() && spread * points.columns() as f64 > MOST_SPREAD {
        return Err(Error::parameter(
            "spread of the data",
            spread,
            "less than 1e150 in all columns together: rescale them",
        ));
    }
    Ok(())
}

fn check_not_negative<'a>(
    n: usize,
    row: impl Fn(usize) -> Box<dyn Iterator<Item = (usize, f64)> + 'a>,
) -> Result<()> {
    for i in 0..n {
        if let Some((column, value)) = row(i).find(|&(_, value)| value < 0.0) {
            return Err(Error::Negative { row: i, column, value });
        }
    }
    Ok(())
}
