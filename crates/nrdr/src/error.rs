//! What can go wrong, each with its numbers and the way out.

use crate::stage::Stage;

/// The library's result type.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that can keep an embedding from being computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is nothing to embed.
    #[error("the input has no values: give at least two points with at least one column")]
    Empty,

    /// The number of values is not a multiple of the number of columns.
    #[error("{values} values do not fill rows of {columns} columns: the last row is incomplete")]
    Ragged {
        /// How many values were given.
        values: usize,
        /// How many columns a row should have.
        columns: usize,
    },

    /// A NaN, an infinity, or a number so large that its square overflows.
    #[error(
        "row {row}, column {column} holds {value}: remove the row or fill in a finite value below 1e150"
    )]
    NotFinite {
        /// Row of the value, counted from 0.
        row: usize,
        /// Column of the value, counted from 0.
        column: usize,
        /// The value itself.
        value: f64,
    },

    /// Fewer points than any embedding needs.
    #[error("{points} point(s) cannot be embedded: at least {needed} are needed")]
    TooFewPoints {
        /// How many points there are.
        points: usize,
        /// How many are needed.
        needed: usize,
    },

    /// All points coincide, so there is nothing to tell them apart.
    #[error("all {points} points are equal: check the columns that were chosen")]
    AllEqual {
        /// How many points there are.
        points: usize,
    },

    /// More neighbours asked for than there are other points.
    #[error(
        "{neighbors} neighbours were asked for, but a point has only {available} others: choose at most {available}"
    )]
    TooManyNeighbors {
        /// Neighbours asked for.
        neighbors: usize,
        /// Other points there are.
        available: usize,
    },

    /// The method needs larger neighbourhoods.
    #[error(
        "{method} with local dimension {local_dimension} needs at least {needed} neighbours, not {neighbors}: raise neighbors"
    )]
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
    #[error(
        "{dims} coordinate(s) were asked for, but there are only {available}: choose at most {available}"
    )]
    TooManyCoordinates {
        /// Coordinates asked for.
        dims: usize,
        /// Coordinates that exist.
        available: usize,
    },

    /// A parameter outside its range.
    #[error("{name} = {value} is out of range: it must be {expected}")]
    Parameter {
        /// Name of the parameter.
        name: &'static str,
        /// The value given.
        value: String,
        /// What would be accepted.
        expected: &'static str,
    },

    /// A vector or matrix that does not fit the number of points.
    #[error("{what} has size {got}, expected {expected}")]
    Size {
        /// What was given.
        what: &'static str,
        /// Its size.
        got: usize,
        /// The size that fits.
        expected: usize,
    },

    /// A matrix that should be symmetric is not.
    #[error(
        "the matrix is not symmetric: entry ({row}, {column}) is {value}, but ({column}, {row}) is {mirrored}"
    )]
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
    #[error("entry ({row}, {column}) is {value}: distances and weights must not be negative")]
    Negative {
        /// Row of the entry.
        row: usize,
        /// Its column.
        column: usize,
        /// Its value.
        value: f64,
    },

    /// A matrix of distances whose diagonal is not zero.
    #[error("the distance of point {row} from itself is {value}: give distances, not affinities")]
    NotDistances {
        /// The point.
        row: usize,
        /// Its entry on the diagonal.
        value: f64,
    },

    /// A kernel of two points that is not finite.
    #[error("the kernel of points {row} and {column} is {value}: lower gamma or degree")]
    Kernel {
        /// One point.
        row: usize,
        /// The other.
        column: usize,
        /// The value of the kernel.
        value: f64,
    },

    /// A new point with coordinates, or weights of its neighbours, that overflow.
    #[error(
        "new point {row} is so far from the training points that {value} comes out: check the units of the new points"
    )]
    TooFar {
        /// The new point, counted from 0.
        row: usize,
        /// What should be a finite number.
        value: f64,
    },

    /// A coordinate that vanishes once it is scaled.
    #[error("coordinate {coordinate} is zero wherever the scale is not: check the scale")]
    Vanished {
        /// The coordinate, counted from 1.
        coordinate: usize,
    },

    /// The neighbour graph falls apart and the policy is to refuse that.
    #[error("the graph has {} components (sizes {}): raise neighbors or choose components = connect or largest", sizes.len(), list(sizes))]
    Unconnected {
        /// Number of points in each component, largest first.
        sizes: Vec<usize>,
    },

    /// A graph given by the user falls apart and nothing tells how far its parts are from each other.
    #[error("the given graph has {} components (sizes {}) and no distances between them: add edges or choose components = largest", sizes.len(), list(sizes))]
    CannotConnect {
        /// Number of points in each component, largest first.
        sizes: Vec<usize>,
    },

    /// The method cannot work from what was given.
    #[error("{method} needs {needed}, not {given}")]
    WrongInput {
        /// Name of the method.
        method: &'static str,
        /// What it takes.
        needed: &'static str,
        /// What it got.
        given: &'static str,
    },

    /// A dense N x N matrix would not fit.
    #[error(
        "{method} of {points} points needs a dense matrix of {gigabytes:.0} GB: use at most {limit} points"
    )]
    TooLarge {
        /// Name of the method.
        method: &'static str,
        /// How many points there are.
        points: usize,
        /// Memory the matrix would take.
        gigabytes: f64,
        /// The largest number of points taken.
        limit: usize,
    },

    /// There is less memory than the work needs.
    #[error("{what} needs {} of memory, but {} available: {way_out}", size(*needed), there_is(*available))]
    NotEnoughMemory {
        /// What needs it.
        what: &'static str,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that there are, where the system tells.
        available: Option<u64>,
        /// What helps.
        way_out: &'static str,
    },

    /// The solver asked for does not fit the matrix.
    #[error("the {solver} solver cannot be used here: {reason}")]
    Solver {
        /// Name of the solver.
        solver: &'static str,
        /// Why not.
        reason: String,
    },

    /// An eigenvector did not reach the tolerance.
    #[error(
        "coordinate {coordinate} did not converge: residual {residual:.1e} after {iterations} iterations, wanted {tolerance:.1e}: raise max_iterations or choose another solver"
    )]
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
    #[error("{dims} coordinate(s) cannot repeat each other: give at least two")]
    TooFewCoordinates {
        /// How many there are.
        dims: usize,
    },

    /// A coordinate that tells nothing.
    #[error("coordinate {coordinate} is constant: leave it out")]
    Constant {
        /// The coordinate, counted from 1.
        coordinate: usize,
    },

    /// Not enough candidates passed the threshold.
    #[error(
        "only {passed} of {candidates} candidates pass the threshold, {dims} are wanted: lower it or raise candidates"
    )]
    TooFewSelected {
        /// Coordinates wanted.
        dims: usize,
        /// Candidates that passed.
        passed: usize,
        /// Candidates there were.
        candidates: usize,
    },

    /// The strategy moves the points, but there are none.
    #[error(
        "strategy {strategy} moves the points: give points, not distances, a graph or a matrix"
    )]
    NeedsPoints {
        /// The strategy.
        strategy: &'static str,
    },

    /// The number of coordinates is to be found out, but there is nothing to explain by them.
    #[error(
        "how many coordinates are worth having shows by points or distances, not by {given}: say how many"
    )]
    NeedsDistances {
        /// What was given.
        given: &'static str,
    },

    /// The smoother of the earlier coordinates cannot be represented in memory.
    #[error("the smoother of {points} points needs more than {columns} columns: raise alpha")]
    SmootherTooLarge {
        /// How many points there are.
        points: usize,
        /// Columns of its factor so far.
        columns: usize,
    },

    /// The observer asked to stop.
    #[error("cancelled during {stage}")]
    Cancelled {
        /// What was going on.
        stage: Stage,
    },

    /// What is fitted has no extension to new points.
    #[error("{what} cannot be extended to new points: {way_out}")]
    CannotExtend {
        /// What was asked to be extended.
        what: String,
        /// What can be.
        way_out: &'static str,
    },

    /// New points of another width than the training points.
    #[error(
        "the new points have {got} column(s), but the model was fitted to points with {expected}: give the same columns"
    )]
    WrongColumns {
        /// Columns of the new points.
        got: usize,
        /// Columns of the training points.
        expected: usize,
    },

    /// Bytes that are no model.
    #[error("the model cannot be read: {reason}")]
    BadModel {
        /// What is wrong, and the way out.
        reason: String,
    },

    /// The thread pool could not be started.
    #[error("cannot start {threads} threads: {reason}")]
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
        expected: &'static str,
    ) -> Self {
        Error::Parameter { name, value: value.to_string(), expected }
    }
}

/// "340 MB", "5.2 GB".
fn size(bytes: u64) -> String {
    let gigabytes = bytes as f64 / 1e9;
    match gigabytes {
        g if g < 1.0 => format!("{:.0} MB", 1000.0 * g),
        g if g < 100.0 => format!("{g:.1} GB"),
        g => format!("{g:.0} GB"),
    }
}

fn there_is(available: Option<u64>) -> String {
    available.map_or_else(|| "no more is".to_string(), |bytes| format!("only {} are", size(bytes)))
}

/// "980, 15, 5", or the first five and how many are smaller.
pub(crate) fn list(sizes: &[usize]) -> String {
    let shown: Vec<String> = sizes.iter().take(5).map(usize::to_string).collect();
    let more = sizes.len().saturating_sub(5);
    match more {
        0 => shown.join(", "),
        _ => format!("{} and {more} smaller", shown.join(", ")),
    }
}
