//! From own rows of the input to own rows of the eigenproblem: the stages of one machine, each by all members.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nrdr::graph::share::{check_search, columns_seen, see};
use nrdr::team::Team;
use nrdr::{Error, Method, Observer, Options, Policy, Progress, Search, Stage, Warning, Watch};

use crate::checkpoint::Checkpoint;
use crate::components::SharedComponents;
use crate::counted::{Cost, Counted};
use crate::csr::SharedCsr;
use crate::failure::{Failure, Result, agree};
use crate::given_neighbors::{GivenNeighbors, given_neighbors};
use crate::graph::symmetric;
use crate::kept_lists;
use crate::largest::largest;
use crate::links::{add_links, links};
use crate::method::{Embedded, Shared};
use crate::neighbors::{SharedLists, neighbors};
use crate::order::partition;
use crate::partition::Partition;
use crate::problem::SharedProblem;
use crate::shared::{Own, Rows};
use crate::wire::gather;

/// What is made of the points. All members have the same, but for the observer, which any of them may have.
#[derive(Clone, Copy)]
pub struct Job<'j> {
    /// The method.
    pub method: &'j dyn Method,
    /// The options: neighbours, metric, search, symmetry and components are looked at here, and how many coordinates
    /// there are.
    pub options: &'j Options,
    /// Neighbours from elsewhere, where they are not searched.
    pub given: Option<&'j GivenNeighbors>,
    /// Is told of the progress, and may cancel the work of all.
    pub observer: Option<&'j dyn Observer>,
    /// Keeps the neighbours, if something does, and has those of an earlier run.
    pub kept: Option<&'j Checkpoint>,
}

/// Own rows of the eigenproblem, and what it was made from.
pub struct Prepared {
    /// Who has which rows of the problem.
    pub rows: Rows,
    /// The row of the input that each own row is; of all rows of the problem there is one, and those of the input that are left out
    /// have none.
    pub inputs: Vec<u64>,
    /// Rows of the input, of all members.
    pub input_rows: u64,
    /// Own points in the order of the problem, as the metric sees them.
    pub points: Own,
    /// Own rows of the graph in one piece: lengths, without a diagonal.
    pub graph: SharedCsr,
    /// The eigenproblem.
    pub problem: SharedProblem,
    /// Sizes of the components of the graph as it was.
    pub components: Vec<usize>,
    /// What became of them.
    pub warning: Option<Warning>,
    /// The share of neighbours that are right, where they were given.
    pub recall: Option<f64>,
    /// How long the stages took this member.
    pub times: Vec<(Stage, Duration)>,
    /// How long smaller stages took, and what this member sent.
    pub costs: Vec<Cost>,
}

/// Refuses what cannot be embedded, before there is any work: by the number of points alone.
pub fn check(job: &Job<'_>, points: u64) -> Result<()> {
    let Job { method, options, .. } = *job;
    Shared::of(method)?;
    let n = points as usize;
    if n < 2 {
        return Err(Error::TooFewPoints { points: n, needed: 2 }.into());
    }
    let dims = options.dims.most();
    if dims == 0 {
        return Err(Error::parameter("dims", 0, "at least 1").into());
    }
    if dims >= n && !options.dims.is_auto() {
        return Err(Error::TooManyCoordinates { dims, available: n - 1 }.into());
    }
    let neighbors = options.neighbors;
    if neighbors == 0 {
        return Err(Error::parameter("neighbors", neighbors, "at least 1").into());
    }
    if neighbors >= n {
        return Err(Error::TooManyNeighbors { neighbors, available: n - 1 }.into());
    }
    for recall in [options.recall].into_iter().chain(job.given.map(|given| given.recall)) {
        // Not `<=`: a NaN compares as false.
        if !(recall > 0.0 && recall <= 1.0) {
            return Err(Error::parameter("recall", recall, "above 0 and at most 1").into());
        }
    }
    check_search(options.search, options.metric)?;
    if options.search == Search::Approximate {
        return Err(Failure::Unsupported {
            what: "approximate neighbours are searched on one machine only".to_string(),
            way_out: "take exact ones, or files of neighbours that another program has searched"
                .to_string(),
        });
    }
    Ok(method.check_all(n, neighbors)?)
}

/// Turns points, in shares that follow each other in the order of the input, into an eigenproblem in the working order, which
/// is that of one machine for any number of members. All members must ask; what fails at one fails at all.
pub fn prepare(team: &dyn Team, own: Own, job: &Job<'_>) -> Result<Prepared> {
    let counted = &Counted::new(team);
    counted.stage("check");
    let read = Rows::of_counts(counted, own.rows());
    agree(counted, check(job, read.total()))?;
    let own = seen(counted, own, &read, job.options)?;
    let observed = Observed { observer: job.observer, stop: AtomicBool::new(false) };
    let watch = Watch::new(Some(&observed));
    let check = |stage| {
        let stopped = observed.stop.load(Ordering::Relaxed);
        agree(counted, if stopped { Err(Error::Cancelled { stage }.into()) } else { Ok(()) })
    };
    let (made, lists, recall) = stage(&watch, Stage::Neighbors, |progress| {
        let check = || check(Stage::Neighbors);
        search(counted, own, job, progress, &check)
    })?;
    check(Stage::Graph)?;
    let connected = stage(&watch, Stage::Graph, |_| {
        let check = || check(Stage::Graph);
        connect(counted, made, lists, job.options, &check)
    })?;
    let Connected { made, lists, graph, components, warning } = connected;
    check(Stage::Matrix)?;
    let problem = stage(&watch, Stage::Matrix, |progress| {
        counted.stage("matrix");
        let from =
            Embedded { rows: &made.rows, points: &made.points, lists: &lists, graph: &graph };
        Shared::of(job.method)?.problem(counted, &from, progress)
    })?;
    check(Stage::Matrix)?;
    let Partition { rows, inputs, points, .. } = made;
    let (times, costs) = (watch.times(), counted.costs());
    Ok(Prepared {
        rows,
        inputs,
        input_rows: read.total(),
        points,
        graph,
        problem,
        components,
        warning,
        recall,
        times,
        costs,
    })
}

/// An observer that is heard, but does not end anything by itself: members would wait for each other.
struct Observed<'o> {
    observer: Option<&'o dyn Observer>,
    stop: AtomicBool,
}

impl Observer for Observed<'_> {
    fn update(&self, stage: Stage, fraction: f64) -> ControlFlow<()> {
        if self.observer.is_some_and(|observer| observer.update(stage, fraction).is_break()) {
            self.stop.store(true, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    }
}

/// Runs work as a stage.
fn stage<T>(
    watch: &Watch<'_>,
    stage: Stage,
    work: impl FnOnce(&Progress<'_>) -> Result<T>,
) -> Result<T> {
    watch.stage(stage, |progress| Ok(work(progress)))?
}

/// Differences from the first point that are squared must neither vanish,
const LEAST_SPREAD: f64 = 1e-150;
/// nor overflow when all columns are added,
const MOST_SPREAD: f64 = 1e150;
/// and places on a unit sphere that differ by less are the same.
const ONE_PLACE: f64 = 1e-14;

/// The points as the metric sees them, if they are apart.
fn seen(team: &dyn Team, own: Own, read: &Rows, options: &Options) -> Result<Own> {
    let widths = gather(team, &[own.rows() as u64, own.columns as u64]);
    let columns = widths.iter().find(|of| of[0] > 0).map_or(own.columns, |of| of[1] as usize);
    let wrong = widths.iter().find(|of| of[0] > 0 && of[1] as usize != columns);
    if let Some(of) = wrong {
        return Err(Error::WrongColumns { got: of[1] as usize, expected: columns }.into());
    }
    let given = spread(team, &own, columns);
    let first = read.of(team.rank()).start as usize;
    let seen = see(options.metric, own.values(), columns, first).and_then(|values| {
        let width = columns_seen(options.metric, columns);
        match values {
            std::borrow::Cow::Borrowed(_) => Ok(Own { columns, ..own.clone() }),
            std::borrow::Cow::Owned(values) => Own::new(values, width),
        }
    });
    let seen = agree(team, seen.map_err(Failure::Core))?;
    let one_place = seen.columns != columns || !std::ptr::eq(seen.values(), own.values());
    let apart = spread(team, &seen, seen.columns);
    let points = read.total() as usize;
    let is_one = |spread: f64| spread == 0.0;
    let made = if is_one(given) || (one_place && apart <= ONE_PLACE) {
        Err(Error::AllEqual { points })
    } else if given < LEAST_SPREAD {
        Err(Error::parameter("spread of the data", given, "1e-150 or more: rescale them"))
    } else if given * columns as f64 > MOST_SPREAD {
        let expected = "less than 1e150 in all columns together: rescale them";
        Err(Error::parameter("spread of the data", given, expected))
    } else {
        Ok(())
    };
    agree(team, made.map_err(Failure::Core))?;
    Ok(seen)
}

/// The largest difference from the first point in any column.
fn spread(team: &dyn Team, own: &Own, columns: usize) -> f64 {
    let mine = own.values().get(..columns).unwrap_or(&[]);
    let Some(first) = gather(team, mine).into_iter().find(|row| !row.is_empty()) else {
        return 0.0;
    };
    let differences = own.values().iter().zip(first.iter().cycle()).map(|(v, f)| (v - f).abs());
    let own = differences.fold(0.0, f64::max);
    gather(team, &[own]).into_iter().flatten().fold(0.0, f64::max)
}

/// The working order and the neighbours.
fn search(
    team: &Counted<'_>,
    own: Own,
    job: &Job<'_>,
    progress: &Progress<'_>,
    check: &dyn Fn() -> Result<()>,
) -> Result<(Partition, SharedLists, Option<f64>)> {
    let Options { metric, search, neighbors: k, .. } = *job.options;
    team.stage("partition");
    if let Some(kept) = job.kept {
        let total = Rows::of_counts(team, own.rows()).total();
        if let Some(found) = kept_lists::found(team, kept, total)? {
            return Ok(found);
        }
    }
    let mut made = partition(team, own, metric, search, k)?;
    check()?;
    team.stage("neighbours");
    let (lists, recall) = match job.given {
        Some(given) => {
            let (lists, recall) = given_neighbors(team, &made, given, metric, k, progress, check)?;
            (lists, Some(recall))
        }
        None => (neighbors(team, &mut made, metric, k, progress, check)?, None),
    };
    let found = (made, lists, recall);
    if let Some(kept) = job.kept {
        kept_lists::keep(team, kept, &found)?;
    }
    Ok(found)
}

/// A graph in one piece.
struct Connected {
    made: Partition,
    lists: SharedLists,
    graph: SharedCsr,
    components: Vec<usize>,
    warning: Option<Warning>,
}

/// Makes the lists a graph in one piece.
fn connect(
    team: &Counted<'_>,
    made: Partition,
    lists: SharedLists,
    options: &Options,
    check: &dyn Fn() -> Result<()>,
) -> Result<Connected> {
    // The trees have served.
    let made = Partition { pieces: None, ..made };
    team.stage("graph");
    let graph = symmetric(team, &made.rows, &lists, options.symmetry);
    team.stage("components");
    let found = SharedComponents::of(team, &graph);
    let components = found.sizes.clone();
    if found.count() == 1 {
        return Ok(Connected { made, lists, graph, components, warning: None });
    }
    let sizes = components.clone();
    match options.components {
        Policy::Error => Err(Error::Unconnected { sizes }.into()),
        Policy::Largest => {
            let (made, lists, graph) = largest(team, made, &found, &lists, &graph);
            let warning = Some(Warning::LeftOut { sizes });
            Ok(Connected { made, lists, graph, components, warning })
        }
        Policy::Connect => {
            let links = links(team, &made.rows, &made.points, options.metric, &found, check)?;
            let lists = add_links(made.rows.of(team.rank()).start, &lists, &links);
            let graph = symmetric(team, &made.rows, &lists, options.symmetry);
            let longest = links.iter().map(|link| link.measure).fold(0.0, f64::max);
            let warning = Some(Warning::Connected { sizes, longest });
            Ok(Connected { made, lists, graph, components, warning })
        }
    }
}
