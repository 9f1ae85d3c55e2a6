//! What errors say, and the hints that they carry.

use super::hint::{Hint, either, way_out};
use super::{Difference, Error, Vocabulary};
use crate::number::{exact, rounded};
use crate::size;

impl Error {
    /// What helps. Those hints count that a front end has a word for.
    pub fn hints(&self) -> Vec<Hint> {
        use Hint::{Another, AtMost, Lower, Raise, Say, Set};
        match self {
            Error::Empty => vec![Say("give at least two points with at least one column")],
            Error::Ragged { .. } => vec![Say("the last row is incomplete")],
            Error::NotFinite { .. } => {
                vec![Say("remove the row or fill in a finite value below 1e150")]
            }
            Error::AllEqual { .. } => vec![Say("check the columns that were chosen")],
            Error::TooManyNeighbors { available, .. } if *available > 0 => {
                vec![Hint::Use("neighbors", *available)]
            }
            Error::TooManyCoordinates { available, .. } => vec![AtMost(*available)],
            Error::TooFewNeighbors { .. } => vec![Raise("neighbors")],
            Error::Recall { .. } => vec![Set("search", &["exact"]), Lower("recall")],
            Error::Meaningless { other, needed, .. } => vec![Set(other, needed)],
            Error::NotDistances { .. } => vec![Say("give distances, not affinities")],
            Error::NoDirection { .. } => vec![Say("leave the row out"), Another("metric")],
            Error::NoLatitude { .. } => {
                vec![Say("convert degrees to radians, latitude first and longitude second")]
            }
            Error::NoPlaces { .. } => {
                vec![Say("choose the columns of latitude and longitude, in radians")]
            }
            Error::UnusedMetric { .. } => vec![Set("metric", &["euclidean"])],
            Error::OnlyExact { .. } => {
                vec![Set("search", &["exact"]), Set("metric", &["euclidean", "cosine"])]
            }
            Error::Kernel { .. } => vec![Lower("gamma"), Lower("degree")],
            Error::NoNeighbors { .. } => vec![Say("give it the distance from at least one")],
            Error::TooFar { .. } => vec![Say("check the units of the new points")],
            Error::Vanished { .. } => vec![Say("check the scale")],
            Error::Unconnected { .. } => {
                vec![Raise("neighbors"), Set("components", &["connect", "largest"])]
            }
            Error::CannotConnect { .. } => vec![Say("add edges"), Set("components", &["largest"])],
            Error::NotEnoughMemory { way_out, .. } => way_out.to_vec(),
            Error::NotConverged { .. } => {
                let numerical = [Raise("max_iterations"), Another("solver")];
                let others = [Raise("neighbors"), Another("method"), super::FEWER_POINTS];
                numerical.into_iter().chain(others).collect()
            }
            Error::TooFewCoordinates { .. } => vec![Say("give at least two")],
            Error::Constant { .. } => vec![Say("leave it out")],
            Error::TooFewSelected { .. } => vec![Lower("threshold"), Raise("candidates")],
            Error::NeedsPoints { .. } => {
                vec![Say("give points, not distances, a graph or a matrix")]
            }
            Error::NeedsGraph { .. } => vec![
                Set("strategy", &["selection", "unpredictable"]),
                Hint::Methods(&["lem", "dfm", "lle", "mlle", "hlle", "ltsa", "isomap"]),
            ],
            Error::NeedsDistances { .. } => vec![Say("say how many")],
            Error::SmootherTooLarge { .. } => vec![Raise("alpha")],
            Error::CannotExtend { what } => what.hints(),
            Error::WrongColumns { .. } => vec![Say("give the same columns")],
            Error::OtherRun { .. } => vec![Say("use another file or delete it")],
            Error::OneMachine { way_out, .. } => way_out.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The way out in the words of a front end.
    pub fn way_out(&self, words: &dyn Vocabulary) -> Option<String> {
        match self {
            Error::Parameter { expected, .. } => Some(format!("it must be {expected}")),
            Error::Unknown { known, .. } => Some(format!("there are {}", known.join(", "))),
            Error::DoesNotFit { instead, .. } => {
                let told: Vec<String> = instead.iter().filter_map(|one| one.told(words)).collect();
                (!told.is_empty()).then(|| either(&told))
            }
            _ => way_out(&self.hints(), words),
        }
    }

    /// What went wrong, in the words of a front end.
    pub fn what(&self, words: &dyn Vocabulary) -> String {
        let told = self.of_input(words).or_else(|| self.of_matrices(words));
        let told = told.or_else(|| self.of_parameters(words)).or_else(|| self.of_work());
        told.or_else(|| self.of_models(words)).unwrap_or_else(|| format!("{self:?}"))
    }

    /// Of points.
    fn of_input(&self, words: &dyn Vocabulary) -> Option<String> {
        let first = words.first();
        Some(match self {
            Error::Empty => "the input has no values".to_string(),
            Error::Ragged { values, columns } => {
                format!("{values} values do not fill rows of {columns} columns")
            }
            Error::NotFinite { row, column, value } => {
                format!(
                    "row {}, column {} holds {}",
                    row + first,
                    words.column(*column),
                    exact(*value)
                )
            }
            Error::NoDirection { metric, row } => {
                let is = if metric == "cosine" { "zero" } else { "constant" };
                format!("row {} is {is}, and has no {metric} distance from others", row + first)
            }
            Error::NoLatitude { row, value } => format!(
                "row {} has the latitude {value}, which is beyond the poles at pi/2",
                row + first
            ),
            Error::NoPlaces { columns } => {
                format!("the metric haversine takes 2 columns, and there are {columns}")
            }
            Error::TooFewPoints { points, needed } => {
                format!("{points} point(s) cannot be embedded: at least {needed} are needed")
            }
            Error::AllEqual { points } => format!("all {points} points are equal"),
            Error::Size { what, got, expected } => {
                format!("{what} has size {got}, expected {expected}")
            }
            Error::WrongInput { method, needed, given } => {
                format!("{} needs {needed}, not {given}", words.method(method))
            }
            Error::NeedsPoints { strategy } => format!("strategy {strategy} moves the points"),
            Error::NeedsGraph { strategy } => {
                format!(
                    "strategy {strategy} looks along the graph of neighbours, and there is none"
                )
            }
            Error::NeedsDistances { given } => format!(
                "how many coordinates are worth having shows by points or distances, not by {given}"
            ),
            _ => return None,
        })
    }

    /// Of matrices and graphs.
    fn of_matrices(&self, words: &dyn Vocabulary) -> Option<String> {
        let first = words.first();
        Some(match self {
            Error::NotSymmetric { row, column, value, mirrored } => {
                let (row, column) = (row + first, column + first);
                format!(
                    "the matrix is not symmetric: entry ({row}, {column}) is {}, but ({column}, {row}) is {}",
                    exact(*value),
                    exact(*mirrored),
                )
            }
            Error::Negative { row, column, value } => format!(
                "entry ({}, {}) is {}: distances and weights must not be negative",
                row + first,
                column + first,
                exact(*value),
            ),
            Error::NotDistances { row, value } => {
                format!("the distance of point {} from itself is {}", row + first, exact(*value))
            }
            Error::Kernel { row, column, value } => {
                let (row, column) = (row + first, column + first);
                format!("the kernel of points {row} and {column} is {}", exact(*value))
            }
            Error::Unconnected { sizes } => {
                format!("the graph has {} components (sizes {})", sizes.len(), list(sizes))
            }
            Error::CannotConnect { sizes } => format!(
                "the given graph has {} components (sizes {}) and no distances between them",
                sizes.len(),
                list(sizes)
            ),
            _ => return None,
        })
    }

    /// Of parameters.
    fn of_parameters(&self, words: &dyn Vocabulary) -> Option<String> {
        Some(match self {
            Error::Recall { reached, wanted } => format!(
                "the approximate search finds {reached:.3} of the nearest neighbours, less than the share of {wanted} that is wanted",
            ),
            Error::UnusedMetric { metric, why } => format!(
                "{} has no meaning where {why}",
                words.setting("metric", &[metric]).unwrap_or_else(|| format!("metric {metric}"))
            ),
            Error::OnlyExact { metric } => {
                format!("neighbours by the metric {metric} are searched exactly only")
            }
            Error::TooManyNeighbors { neighbors, available } => {
                let asked = words.setting("neighbors", &[&neighbors.to_string()]);
                let asked = asked.unwrap_or_else(|| format!("{neighbors} neighbours"));
                format!("{asked} is more than the {} points allow", available + 1)
            }
            Error::TooFewNeighbors { method, local_dimension, neighbors, needed } => format!(
                "{} with local dimension {local_dimension} needs at least {needed} neighbours, not {neighbors}",
                words.method(method)
            ),
            Error::TooManyCoordinates { dims, available } => {
                format!("{dims} coordinate(s) were asked for, but there are only {available}")
            }
            Error::Parameter { name, value, .. } => {
                format!("{} = {value} is out of range", words.named(name))
            }
            Error::Kind { name, value, expected } => {
                format!("{} = {value} must be {expected}", words.named(name))
            }
            Error::Meaningless { name, other, value, .. } => {
                let beside =
                    words.setting(other, &[value]).unwrap_or_else(|| format!("{other} = {value}"));
                format!("{} has no meaning with {beside}", words.named(name))
            }
            Error::Unknown { what, name, .. } => format!("there is no {what} {name}"),
            Error::TooFewSelected { dims, passed, candidates } => format!(
                "only {passed} of {candidates} candidates pass the threshold, {dims} are wanted"
            ),
            _ => return None,
        })
    }

    /// Of what happens on the way.
    fn of_work(&self) -> Option<String> {
        Some(match self {
            Error::Vanished { coordinate } => {
                format!("coordinate {coordinate} is zero wherever the scale is not")
            }
            Error::NotEnoughMemory { what, needed, available, .. } => format!(
                "{what} needs {} of memory, but {} available",
                size::told(*needed),
                there_is(*available)
            ),
            Error::DoesNotFit { needed, allowed, .. } => format!(
                "the embedding needs about {} of memory, but only {} are allowed",
                size::told(*needed),
                size::told(*allowed)
            ),
            Error::Solver { solver, reason } => {
                format!("the {solver} solver cannot be used here: {reason}")
            }
            Error::NotConverged { coordinate, residual, tolerance, iterations } => format!(
                "coordinate {coordinate} did not converge: residual {residual:.1e} after {iterations} iterations, wanted {tolerance:.1e}"
            ),
            Error::TooFewCoordinates { dims } => {
                format!("{dims} coordinate(s) cannot repeat each other")
            }
            Error::Constant { coordinate } => format!("coordinate {coordinate} is constant"),
            Error::SmootherTooLarge { points, columns } => {
                format!("the smoother of {points} points needs more than {columns} columns")
            }
            Error::Cancelled { stage } => format!("cancelled during {stage}"),
            Error::OneMachine { what, .. } => {
                format!("{what} is for one machine, and here several processes share the points")
            }
            Error::Member { member, reason } => format!("process {member} failed: {reason}"),
            Error::Threads { threads, reason } => {
                format!("cannot start {threads} threads: {reason}")
            }
            _ => return None,
        })
    }

    /// Of models, new points and checkpoints.
    fn of_models(&self, words: &dyn Vocabulary) -> Option<String> {
        Some(match self {
            Error::NoNeighbors { row } => {
                format!("new point {} is near to no training point", row + words.first())
            }
            Error::TooFar { row, value } => format!(
                "new point {} is so far from the training points that {} comes out",
                row + words.first(),
                rounded(*value, 6),
            ),
            Error::CannotExtend { what } => {
                format!("{} cannot be extended to new points", what.told(words))
            }
            Error::WrongColumns { got, expected } => format!(
                "the new points have {got} column(s), but the model was fitted to points with {expected}"
            ),
            Error::BadModel { reason } => format!("the model cannot be read: {reason}"),
            Error::OtherRun { differences } => {
                let told = |value: fn(&Difference) -> &str| {
                    let each = differences.iter().map(|difference| difference.told(value, words));
                    each.collect::<Vec<String>>().join(", ")
                };
                let (kept, now) = (told(|d| &d.kept), told(|d| &d.now));
                format!("the checkpoint was made with {kept}, this run has {now}")
            }
            Error::Checkpoint { reason } => format!("the checkpoint cannot be used: {reason}"),
            _ => return None,
        })
    }
}

fn there_is(available: Option<u64>) -> String {
    available
        .map_or_else(|| "no more is".to_string(), |bytes| format!("only {} are", size::told(bytes)))
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
