//! The straight line: points -> neighbours -> graph -> problem -> solver -> coordinates, each stage done once.

mod again;
mod arranged;
mod best;
mod compare;
mod coordinate;
mod cost;
mod duration;
mod foreseen;
mod identity;
mod instead;
mod laplacian;
mod patch;
mod plan;

pub use best::{Best, Measure, best};
pub use compare::{Compared, Known, compare};
pub use plan::{Plan, Planned, TimeClass};

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use crate::checkpoint::{Kept, Store};
use crate::doubt::doubtful;
use crate::eigen::{Builtin, Engine, Solver};
use crate::embedding::Embedding;
use crate::error::{Error, Result};
use crate::graph::prepare::EmbeddedRows;
use crate::input::{Dims, Input, Options, check};
use crate::measure::dimension::Judge;
use crate::memory::{self, Budget};
use crate::method::Method;
use crate::metric::Metric;
use crate::model::{self, Fitted, Model};
use crate::problem::Problem;
use crate::progress::{Observer, Progress, Watch};
use crate::stage::Stage;
use crate::strategy::{Laplacian, Movable, Originals, Outcome, Strategy, Task};
use crate::threads::with_threads;
use crate::warning::Warning;
use again::Again;
use arranged::Arranged;
pub(crate) use coordinate::coordinate;
use identity::Checkpointed;
use laplacian::OfGraph;

/// Embeds points (or distances, a graph, a matrix) by a method.
///
/// ```
/// use nrdr::{LaplacianEigenmaps, Options, datasets::SwissRoll, embed};
///
/// let roll = SwissRoll { n: 500, ..Default::default() }.generate(7)?;
/// let embedding = embed(&roll.points, &LaplacianEigenmaps::default(), &Options::default())?;
/// assert_eq!((embedding.len(), embedding.dims()), (500, 2));
/// # Ok::<(), nrdr::Error>(())
/// ```
pub fn embed<'a>(
    input: impl Into<Input<'a>>,
    method: &dyn Method,
    options: &Options,
) -> Result<Embedding> {
    let prepared = Prepared::new(input.into(), method, options)?;
    prepared.embed(&options.strategy)
}

/// Embeds and keeps what the coordinates of new points need; the embedding is that of [`embed`], bit for bit.
///
/// What cannot be extended is refused with [`Error::CannotExtend`] before the work begins.
pub fn fit<'a>(
    input: impl Into<Input<'a>>,
    method: &dyn Method,
    options: &Options,
) -> Result<(Embedding, Model)> {
    let prepared = Prepared::new(input.into(), method, options)?;
    prepared.fit(&options.strategy)
}

/// An input on its way to coordinates: neighbours, graph, problem, factorisation and the original eigenpairs are each
/// computed once, when they are first needed, whatever strategies follow.
///
/// ```
/// use nrdr::{LaplacianEigenmaps, Options, Prepared, Strategy, datasets::SwissRoll};
///
/// let roll = SwissRoll { n: 500, height: 10.0, ..Default::default() }.generate(7)?;
/// let (method, options) = (LaplacianEigenmaps::default(), Options::default());
/// let prepared = Prepared::new(&roll.points, &method, &options)?;
/// let (ours, model) = prepared.fit(&Strategy::default())?;
/// let original = prepared.embed(&Strategy::orthogonal())?;
/// assert!((ours.coordinate(0)[3] - original.coordinate(0)[3]).abs() < 1e-9);
/// assert_ne!(ours.coordinate(1), original.coordinate(1));
/// # assert_eq!(model.rows(), 500);
/// # Ok::<(), nrdr::Error>(())
/// ```
pub struct Prepared<'a> {
    input: Input<'a>,
    /// The realisation that fits the memory.
    method: Box<dyn Method>,
    options: &'a Options,
    /// What it may take of the memory.
    budget: Budget,
    engine: &'a dyn Engine,
    observer: Option<&'a dyn Observer>,
    checkpointed: Option<Checkpointed<'a>>,
    arranged: OnceLock<Arranged<'a>>,
    problem: OnceLock<Arc<Problem>>,
    solver: OnceLock<Box<dyn Solver>>,
    judge: OnceLock<Judge>,
    originals: Originals,
    times: Mutex<Vec<(Stage, Duration)>>,
}

impl<'a> Prepared<'a> {
    /// Refuses what cannot be embedded; nothing else is done yet. The strategy of the options does not matter.
    pub fn new(
        input: impl Into<Input<'a>>,
        method: &dyn Method,
        options: &'a Options,
    ) -> Result<Self> {
        let input = input.into();
        check(input, options)?;
        method.check_all(input.size(), options.neighbors)?;
        check_metric(method, options)?;
        let budget = Budget::new(options.memory, input.bytes());
        let method = method.within(input.size(), options.neighbors, budget.most());
        Ok(Prepared {
            input,
            method,
            options,
            budget,
            engine: &Builtin,
            observer: None,
            checkpointed: None,
            arranged: OnceLock::new(),
            problem: OnceLock::new(),
            solver: OnceLock::new(),
            judge: OnceLock::new(),
            originals: Originals::default(),
            times: Mutex::default(),
        })
    }

    /// Tells an observer about the progress; it may also cancel.
    pub fn observed(self, observer: &'a dyn Observer) -> Self {
        Prepared { observer: Some(observer), ..self }
    }

    /// Has eigenproblems solved by another engine.
    pub fn with_engine(self, engine: &'a dyn Engine) -> Self {
        Prepared { engine, ..self }
    }

    /// Keeps what is finished in a store, and takes from it what an earlier run has kept: the result is the same, bit for
    /// bit. The run is that by the strategy of the options; others find the neighbours and the original eigenvectors there.
    /// A store of another run is refused with [`Error::OtherRun`].
    pub fn checkpointed(self, store: &'a dyn Store) -> Result<Self> {
        let run = Checkpointed::new(store, self.input, self.method(), self.options)?;
        Ok(Prepared { checkpointed: Some(run), ..self })
    }

    /// The embedding by a strategy.
    pub fn embed(&self, strategy: &Strategy) -> Result<Embedding> {
        self.check(strategy)?;
        let run = || Ok(self.run(strategy, self.options.dims, false)?.0);
        with_threads(self.options.threads, run)
    }

    /// The embedding by a strategy, and what new points need.
    pub fn fit(&self, strategy: &Strategy) -> Result<(Embedding, Model)> {
        self.check(strategy)?;
        model::check(Some(self.input), self.method(), strategy)?;
        with_threads(self.options.threads, || {
            match self.run(strategy, self.options.dims, true)? {
                (embedding, Some(model)) => Ok((embedding, model)),
                (_, None) => Err(Error::Empty),
            }
        })
    }

    /// The original method's embedding with so many coordinates, whatever they are worth.
    pub fn original(&self, dims: usize) -> Result<Embedding> {
        let original = Strategy::orthogonal();
        self.check(&original)?;
        let run = || Ok(self.run(&original, Dims::Exactly(dims), false)?.0);
        with_threads(self.options.threads, run)
    }

    /// The eigenproblem.
    pub fn problem(&self) -> Result<&Arc<Problem>> {
        let watch = self.watch();
        let problem = with_threads(self.options.threads, || self.build(&watch));
        self.keep_times(&watch);
        problem
    }

    fn watch(&self) -> Watch<'_> {
        Watch::new(self.observer).within(self.budget)
    }

    fn method(&self) -> &dyn Method {
        self.method.as_ref()
    }

    /// Refuses a strategy that cannot run, before anything does.
    fn check(&self, strategy: &Strategy) -> Result<()> {
        self.check_strategy(strategy)?;
        memory::expect_threads(
            rayon::current_num_threads() + self.options.threads.unwrap_or(0) + 1,
        )?;
        self.check_memory(strategy)
    }

    fn check_strategy(&self, strategy: &Strategy) -> Result<()> {
        strategy.check()?;
        if strategy.rule().needs_graph() && !self.method.needs().has_graph() {
            return Err(Error::NeedsGraph { strategy: strategy.name() });
        }
        Ok(())
    }

    /// What earlier runs have left.
    fn kept(&self) -> Kept<'a> {
        Kept::by(self.checkpointed.as_ref().map(|run| run.store))
    }

    /// Whether the coordinates of a strategy are those that a store keeps.
    fn is_kept(&self, strategy: &Strategy, dims: Dims) -> bool {
        let debug = |strategy: &Strategy| format!("{strategy:?}");
        dims == self.options.dims && debug(strategy) == debug(&self.options.strategy)
    }

    fn run(
        &self,
        strategy: &Strategy,
        dims: Dims,
        keep: bool,
    ) -> Result<(Embedding, Option<Model>)> {
        let watch = &self.watch();
        let is_kept = self.is_kept(strategy, dims);
        let arranged = self.arranged(watch)?;
        let problem = self.build(watch)?;
        let available = problem.directions();
        let dims = match dims {
            Dims::Auto { most } => Dims::Auto { most: most.min(available) },
            Dims::Exactly(dims) if dims <= available => Dims::Exactly(dims),
            Dims::Exactly(dims) => return Err(Error::TooManyCoordinates { dims, available }),
        };
        let solver = self.solver(problem, watch)?;
        let points = arranged.points.as_deref();
        let again =
            points.map(|points| Again { points, method: self.method(), options: self.options });
        let graph = OfGraph { arranged, symmetry: self.options.symmetry };
        let task = Task {
            problem,
            solver,
            accuracy: &self.options.solver,
            dims: dims.most(),
            judge: if dims.is_auto() { Some(self.judge(arranged)?) } else { None },
            seed: self.options.seed,
            movable: again.as_ref().map(|again| again as &dyn Movable),
            laplacian: self.method.needs().has_graph().then_some(&graph as &dyn Laplacian),
            extend: keep,
            originals: &self.originals,
            kept: self.kept().with_coordinates(is_kept),
        };
        self.keep_times(watch);
        self.originals.take_spared();
        let work = |progress: &Progress<'_>| strategy.rule().coordinates(&task, progress);
        let outcome = watch.stage(Stage::Coordinates, work)?;
        let steps = if keep { outcome.steps.clone() } else { Vec::new() };
        let mut embedding = self.report(&task, strategy, outcome, &arranged.rows)?;
        embedding.times = self.times(watch);
        if !keep {
            return Ok((embedding, None));
        }
        let (input, method) = (self.input, self.method());
        let neighbors = self.options.neighbors;
        let (data, rows, metric) = (arranged.data()?, &arranged.rows, self.options.metric);
        let fitted =
            Fitted { input, method, strategy, neighbors, metric, data, points, rows, problem };
        let model = fitted.model(&steps, &embedding)?;
        Ok((embedding, Some(model)))
    }

    fn arranged(&self, watch: &Watch<'_>) -> Result<&Arranged<'a>> {
        once(&self.arranged, || {
            self.checkpointed.as_ref().map_or(Ok(()), Checkpointed::begin)?;
            Arranged::new(self.input, self.method(), &self.options.graph(), self.kept(), watch)
        })
    }

    fn build(&self, watch: &Watch<'_>) -> Result<&Arc<Problem>> {
        once(&self.problem, || {
            let arranged = self.arranged(watch)?;
            let data = arranged.data()?;
            let build = |progress: &Progress<'_>| self.method.problem(data, progress);
            let problem = watch.stage(Stage::Matrix, build)?;
            problem.check(arranged.rows.len())?;
            Ok(Arc::new(problem))
        })
    }

    fn solver(&self, problem: &Arc<Problem>, watch: &Watch<'_>) -> Result<&dyn Solver> {
        let solver = once(&self.solver, || {
            let solver = watch.stage(Stage::Factorization, |progress| {
                self.engine.prepare(problem, &self.options.solver, progress)
            })?;
            let run = self.checkpointed.as_ref();
            run.map_or(Ok(()), |run| run.check_solver(solver.name())).map(|()| solver)
        });
        solver.map(Box::as_ref)
    }

    /// Who tells how many coordinates are worth having.
    fn judge(&self, arranged: &Arranged<'_>) -> Result<&Judge> {
        let (seed, rows) = (self.options.seed, &arranged.rows);
        once(&self.judge, || match (&arranged.points, self.input) {
            (Some(points), _) => {
                let metric = self.options.metric;
                let square = |i, j| metric.square(points.row(i), points.row(j));
                Judge::new(points.rows(), square, seed)
            }
            (None, Input::Distances(distances)) => {
                let row = |i: usize| rows.embedded.as_ref().map_or(i, |rows| rows[i] as usize);
                Judge::new(rows.len(), |i, j| distances.row(row(i))[row(j)].powi(2), seed)
            }
            (None, given) => Err(Error::NeedsDistances { given: given.describe() }),
        })
    }

    /// Remembers the times of the stages that all strategies share.
    fn keep_times(&self, watch: &Watch<'_>) {
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.extend(watch.times());
    }

    /// The shared stages and the last one, with what it was spared by others before.
    fn times(&self, watch: &Watch<'_>) -> Vec<(Stage, Duration)> {
        let spared = self.originals.take_spared();
        let own = watch.times().pop().map(|(stage, time)| (stage, time + spared));
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.iter().copied().chain(own).collect()
    }

    fn report(
        &self,
        task: &Task<'_>,
        strategy: &Strategy,
        outcome: Outcome,
        rows: &EmbeddedRows,
    ) -> Result<Embedding> {
        let Outcome { steps, candidates, estimate, warning } = outcome;
        let problem = task.problem;
        let mut warnings: Vec<Warning> = rows.warning.clone().into_iter().chain(warning).collect();
        warnings.extend(doubtful(problem, &steps));
        warnings.extend(problem.warnings.iter().cloned());
        let coordinate = |(i, step)| coordinate(problem, i, step, Some(rows));
        Ok(Embedding {
            coordinates: steps.into_iter().enumerate().map(coordinate).collect::<Result<_>>()?,
            method: self.method.name(),
            strategy: strategy.name(),
            metric: self.options.metric,
            solver: task.solver.name(),
            candidates,
            dimension: estimate,
            chosen: rows
                .recall
                .map(|recall| ("recall", recall))
                .into_iter()
                .chain(problem.chosen.iter().copied())
                .collect(),
            left_out: rows.input - problem.size(),
            components: rows.components.clone(),
            warnings,
            times: Vec::new(),
        })
    }
}

/// Refuses a metric where no neighbours are searched.
fn check_metric(method: &dyn Method, options: &Options) -> Result<()> {
    if options.metric == Metric::Euclidean || method.needs().has_graph() {
        return Ok(());
    }
    let why = "the method looks for no neighbours";
    Err(Error::UnusedMetric { metric: options.metric.to_string(), why })
}

/// What a cell holds, made when it is first asked for.
fn once<T>(cell: &OnceLock<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    match cell.get() {
        Some(made) => Ok(made),
        None => {
            let made = make()?;
            Ok(cell.get_or_init(|| made))
        }
    }
}
