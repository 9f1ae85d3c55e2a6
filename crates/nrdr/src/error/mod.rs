//! What can go wrong, each with its numbers and the way out.

mod difference;
mod hint;
mod inextensible;
mod instead;
mod member;
mod texts;
mod vocabulary;

pub use difference::Difference;
pub(crate) use hint::{FEWER_POINTS, MORE_MEMORY};
pub use hint::{Hint, either};
pub use inextensible::Inextensible;
pub use instead::Instead;
pub(crate) use texts::list;
pub use vocabulary::{Plain, Vocabulary};

use std::fmt;

use crate::number::exact;
use crate::stage::Stage;

/// The library's result type.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that can keep an embedding from being computed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// There is nothing to embed.
    Empty,

    /// The number of values is not a multiple of the number of columns.
    Ragged {
        /// How many values were given.
        values: usize,
        /// How many columns a row should have.
        columns: usize,
    },

    /// A NaN, an infinity, or a number so large that its square overflows.
    NotFinite {
        /// Row of the value, counted from 0.
        row: usize,
        /// Column of the value, counted from 0.
        column: usize,
        /// The value itself.
        value: f64,
    },

    /// Fewer points than any embedding needs.
    TooFewPoints {
        /// How many points there are.
        points: usize,
        /// How many are needed.
        needed: usize,
    },

    /// All points coincide, so there is nothing to tell them apart.
    AllEqual {
        /// How many points there are.
        points: usize,
    },

    /// More neighbours asked for than there are other points.
    TooManyNeighbors {
        /// Neighbours asked for.
        neighbors: usize,
        /// Other points there are.
        available: usize,
    },

    /// An approximate search finds too few of the true neighbours.
    Recall {
        /// The share that it finds.
        reached: f64,
        /// The share that was wanted.
        wanted: f64,
    },

    /// The method needs larger neighbourhoods.
    TooFewNeighbors {
        /// Name of the method.
        method: &'static str,
        /// Local dimension in use.
        local_dimension: usize,
        /// Neighbours given.
        neighbors: usize,
        /// The least number that works.
        needed: usize,
    },

    /// More coordinates asked for than the problem has.
    TooManyCoordinates {
        /// Coordinates asked for.
        dims: usize,
        /// Coordinates that exist.
        available: usize,
    },

    /// A parameter outside its range.
    Parameter {
        /// Name of the parameter.
        name: &'static str,
        /// The value given.
        value: String,
        /// What would be accepted.
        expected: String,
    },

    /// A parameter of another kind: a word for a number, say.
    Kind {
        /// Name of the parameter.
        name: &'static str,
        /// The value given.
        value: String,
        /// What would be accepted.
        expected: String,
    },

    /// A parameter that has a meaning only beside another one.
    Meaningless {
        /// Name of the parameter.
        name: &'static str,
        /// The other one,
        other: &'static str,
        /// as it is
        value: &'static str,
        /// and as it may be.
        needed: &'static [&'static str],
    },

    /// A name that nothing has.
    Unknown {
        /// What should have it: a method, a strategy.
        what: &'static str,
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<&'static str>,
    },

    /// A vector or matrix that does not fit the number of points.
    Size {
        /// What was given.
        what: &'static str,
        /// Its size.
        got: usize,
        /// The size that fits.
        expected: usize,
    },

    /// A matrix that should be symmetric is not.
    NotSymmetric {
        /// Row of the first differing entry.
        row: usize,
        /// Its column.
        column: usize,
        /// Its value.
        value: f64,
        /// The value on the other side of the diagonal.
        mirrored: f64,
    },

    /// Negative distance or weight.
    Negative {
        /// Row of the entry.
        row: usize,
        /// Its column.
        column: usize,
        /// Its value.
        value: f64,
    },

    /// A matrix of distances whose diagonal is not zero.
    NotDistances {
        /// The point.
        row: usize,
        /// Its entry on the diagonal.
        value: f64,
    },

    /// A row without a direction, which a metric of directions cannot compare.
    NoDirection {
        /// The metric.
        metric: String,
        /// The row, counted from 0.
        row: usize,
    },

    /// A latitude beyond the poles.
    NoLatitude {
        /// The row, counted from 0.
        row: usize,
        /// The latitude.
        value: f64,
    },

    /// Places on a sphere that are not latitude and longitude.
    NoPlaces {
        /// How many columns there are.
        columns: usize,
    },

    /// A metric where no distances of points are looked at.
    UnusedMetric {
        /// The metric.
        metric: String,
        /// Why they are not.
        why: &'static str,
    },

    /// A metric whose neighbours are searched exactly only.
    OnlyExact {
        /// The metric.
        metric: String,
    },

    /// A kernel of two points that is not finite.
    Kernel {
        /// One point.
        row: usize,
        /// The other.
        column: usize,
        /// The value of the kernel.
        value: f64,
    },

    /// A new point, counted from 0, that is near to no training point.
    #[expect(missing_docs)]
    NoNeighbors { row: usize },

    /// A new point with coordinates, or weights of its neighbours, that overflow.
    TooFar {
        /// The new point, counted from 0.
        row: usize,
        /// What should be a finite number.
        value: f64,
    },

    /// A coordinate that vanishes once it is scaled.
    Vanished {
        /// The coordinate, counted from 1.
        coordinate: usize,
    },

    /// The neighbour graph falls apart and the policy is to refuse that.
    Unconnected {
        /// Number of points in each component, largest first.
        sizes: Vec<usize>,
    },

    /// A graph given by the user falls apart and nothing tells how far its parts are from each other.
    CannotConnect {
        /// Number of points in each component, largest first.
        sizes: Vec<usize>,
    },

    /// The method cannot work from what was given.
    WrongInput {
        /// Name of the method.
        method: &'static str,
        /// What it takes.
        needed: &'static str,
        /// What it got.
        given: &'static str,
    },

    /// There is less memory than the work needs.
    NotEnoughMemory {
        /// What needs it.
        what: &'static str,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that there are, where the system tells.
        available: Option<u64>,
        /// What helps.
        way_out: &'static [Hint],
    },

    /// A run that would take so many bytes, by the estimate made before it starts, and may take fewer; what would fit.
    #[allow(missing_docs)]
    DoesNotFit { needed: u64, allowed: u64, instead: Vec<Instead> },

    /// The solver asked for does not fit the matrix.
    Solver {
        /// Name of the solver.
        solver: &'static str,
        /// Why not.
        reason: String,
    },

    /// An eigenvector did not reach the tolerance.
    NotConverged {
        /// The coordinate, counted from 1.
        coordinate: usize,
        /// Relative residual reached.
        residual: f64,
        /// Relative residual wanted.
        tolerance: f64,
        /// Iterations done.
        iterations: usize,
    },

    /// Redundancy is about coordinates and earlier ones.
    TooFewCoordinates {
        /// How many there are.
        dims: usize,
    },

    /// A coordinate that tells nothing.
    Constant {
        /// The coordinate, counted from 1.
        coordinate: usize,
    },

    /// Not enough candidates passed the threshold.
    TooFewSelected {
        /// Coordinates wanted.
        dims: usize,
        /// Candidates that passed.
        passed: usize,
        /// Candidates there were.
        candidates: usize,
    },

    /// The strategy moves the points, but there are none.
    NeedsPoints {
        /// The strategy.
        strategy: &'static str,
    },

    /// The strategy looks along the graph of neighbours, but there is none.
    NeedsGraph {
        /// The strategy.
        strategy: &'static str,
    },

    /// The number of coordinates is to be found out, but there is nothing to explain by them.
    NeedsDistances {
        /// What was given.
        given: &'static str,
    },

    /// The smoother of the earlier coordinates cannot be represented in memory.
    SmootherTooLarge {
        /// How many points there are.
        points: usize,
        /// Columns of its factor so far.
        columns: usize,
    },

    /// The observer asked to stop.
    Cancelled {
        /// What was going on.
        stage: Stage,
    },

    /// What is fitted has no extension to new points.
    CannotExtend {
        /// What was asked to be extended.
        what: Inextensible,
    },

    /// New points of another width than the training points.
    WrongColumns {
        /// Columns of the new points.
        got: usize,
        /// Columns of the training points.
        expected: usize,
    },

    /// Bytes that are no model.
    BadModel {
        /// What is wrong, and the way out.
        reason: String,
    },

    /// A checkpoint of another run.
    OtherRun {
        /// What differs.
        differences: Vec<Difference>,
    },

    /// A checkpoint that cannot be read or written.
    Checkpoint {
        /// What is wrong, and the way out.
        reason: String,
    },

    /// What is not done where several machines share the rows.
    OneMachine {
        /// What it is.
        what: String,
        /// What helps.
        way_out: &'static [Hint],
    },

    /// Another of the processes that share the rows failed.
    Member {
        /// Its number, counted from 0.
        member: usize,
        /// What went wrong there.
        reason: String,
    },

    /// The thread pool could not be started.
    Threads {
        /// Threads asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
}

impl Error {
    /// The same error with its coordinate counted from after `earlier` ones.
    pub(crate) fn after(self, earlier: usize) -> Self {
        match self {
            Error::NotConverged { coordinate, residual, tolerance, iterations } => {
                let coordinate = coordinate + earlier;
                Error::NotConverged { coordinate, residual, tolerance, iterations }
            }
            other => other,
        }
    }

    /// A parameter outside its range.
    pub fn parameter(
        name: &'static str,
        value: impl std::fmt::Display,
        expected: impl Into<String>,
    ) -> Self {
        let value = value.to_string();
        // What is shorter with an exponent gets one.
        let short = value.parse().map(exact).ok().filter(|short| short.len() < value.len());
        Error::Parameter { name, value: short.unwrap_or(value), expected: expected.into() }
    }

    /// What went wrong, and the way out if there is one, in the words of a front end.
    pub fn told(&self, words: &dyn Vocabulary) -> String {
        let what = self.what(words);
        match self.way_out(words) {
            Some(way_out) => format!("{what}: {way_out}"),
            None => what,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told(&Plain))
    }
}

impl std::error::Error for Error {}
