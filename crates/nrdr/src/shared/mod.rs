//! Embedding points that several processes share: each has a range of the rows of the problem.
//!
//! The processes are a [team](crate::team), and this code runs at each member with its own rows: `g`, `s`, `t`, directions of
//! a constraint and coordinates are as long as its range. What all rows contribute to is the same bits at all members, as long as
//! their processors are of one kind, so that all of them decide alike. The ranges may have any sizes, also none.
//!
//! Pivots and samples are drawn along the rows of all members, in the order of the ranges: where that is the order of the single
//! machine, they are the same points, and the coordinates agree to rounding for any number of members.

mod measures;
mod parts;

pub use measures::{quality, redundancy};
pub use parts::{Parts, SharedStore};

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use crate::checkpoint::{Kept, Store};
use crate::doubt::doubtful;
use crate::eigen::{Engine, Solver};
use crate::embedding::Embedding;
use crate::error::{Error, Hint, Result};
use crate::input::{Dims, Options};
use crate::linalg::reduce;
pub use crate::measure::sampled::Rows;
use crate::memory::Budget;
use crate::method::Extension;
pub use crate::model::Trained;
use crate::model::{self, Gathered, Model};
use crate::pipeline::coordinate;
use crate::problem::Problem;
use crate::progress::{Observer, Progress, Watch};
use crate::stage::Stage;
use crate::strategy::{Originals, Outcome, Step, Strategy, Task};

/// Refuses, before any work, what is not done where several processes share the points.
///
/// ```
/// use nrdr::{Options, Strategy, shared};
///
/// let options = Options { dims: 3.into(), ..Default::default() };
/// assert!(shared::check(&Strategy::default(), &options).is_ok());
/// let refused = shared::check(&Strategy::by_name("regression")?, &options).unwrap_err();
/// assert!(refused.to_string().ends_with("orthogonal, unpredictable, priced or selection"));
/// # Ok::<(), nrdr::Error>(())
/// ```
pub fn check(strategy: &Strategy, options: &Options) -> Result<()> {
    strategy.check()?;
    options.solver.check()?;
    strategy.rule().check_shared()?;
    match options.dims {
        Dims::Auto { .. } => Err(Error::OneMachine {
            what: "finding out how many coordinates are worth having".to_string(),
            way_out: &[Hint::Say("say how many")],
        }),
        Dims::Exactly(0) => Err(Error::parameter("dims", 0, "at least 1")),
        Dims::Exactly(_) => Ok(()),
    }
}

/// What some process came to, or why one failed: no member of the team goes on alone. Every member must call it.
pub fn agree<T>(mine: Result<T>) -> Result<T> {
    reduce::agree(mine)
}

/// An eigenproblem of which each member has its rows, on its way to coordinates: solver and original eigenpairs are computed
/// once, whatever strategies follow. Every member makes the same calls, in the same order.
///
/// Of the options count those of the strategy, the number of coordinates, the solver, the seed, the metric (which the result
/// tells) and the memory, which is this process's own. Threads are those around: everything that is asked of the team is asked
/// on the thread that calls.
pub struct Shared<'a> {
    problem: Arc<Problem>,
    method: &'static str,
    options: &'a Options,
    engine: &'a dyn Engine,
    budget: Budget,
    observer: Option<&'a dyn Observer>,
    store: Option<&'a dyn Store>,
    solver: OnceLock<Box<dyn Solver>>,
    originals: Originals,
    times: Mutex<Vec<(Stage, Duration)>>,
}

impl<'a> Shared<'a> {
    /// Refuses a problem whose parts do not fit each other, and what [`check`] refuses of the options. The matrix is one that
    /// multiplies ([`Matrix::Operator`](crate::Matrix::Operator)): own rows of x in, own rows of A x out.
    pub fn new(
        problem: &Arc<Problem>,
        method: &'static str,
        options: &'a Options,
        engine: &'a dyn Engine,
    ) -> Result<Self> {
        reduce::agree(check(&options.strategy, options))?;
        reduce::agree(problem.check(problem.size()))?;
        let there = [problem.scale.is_some(), problem.trivial.is_some()];
        let there = there.map(|there| f64::from(u8::from(there)));
        if reduce::each(&there).iter().any(|theirs| *theirs != there) {
            let reason = "some processes have a scale or a trivial direction, and others have none";
            return Err(Error::Solver { solver: "shared", reason: reason.to_string() });
        }
        Ok(Shared {
            problem: problem.clone(),
            method,
            options,
            engine,
            budget: Budget::new(options.memory, 0),
            observer: None,
            store: None,
            solver: OnceLock::new(),
            originals: Originals::default(),
            times: Mutex::default(),
        })
    }

    /// Tells an observer about the progress; it may also cancel, which all members do then, before the next eigenproblem.
    pub fn observed(self, observer: &'a dyn Observer) -> Self {
        Shared { observer: Some(observer), ..self }
    }

    /// Keeps what is finished in a store, and takes from it what an earlier run has kept. The store is this member's own, or
    /// a [`SharedStore`], from which any number of members can go on. Which run it is of is for the caller to tell.
    pub fn checkpointed(self, store: &'a dyn Store) -> Self {
        Shared { store: Some(store), ..self }
    }

    /// The embedding by a strategy: own rows of the coordinates. Eigenvalues, residuals, warnings and times are the same at all
    /// members. What the points were before (components, points left out, recall) is not known here and is for the caller to add.
    pub fn embed(&self, strategy: &Strategy) -> Result<Embedding> {
        let dims = self.options.dims.most();
        Ok(self.run(strategy, dims, false)?.0)
    }

    /// The original method's embedding with so many coordinates.
    pub fn original(&self, dims: usize) -> Result<Embedding> {
        Ok(self.run(&Strategy::orthogonal(), dims, false)?.0)
    }

    /// The embedding by a strategy, and what new points need: the first member gathers all of that, and has the model then.
    pub fn fit(
        &self,
        strategy: &Strategy,
        trained: &Trained<'_>,
    ) -> Result<(Embedding, Option<Model>)> {
        reduce::agree(self.check_fit(strategy, trained))?;
        let extend = trained.method.extends()? == Extension::Formula;
        let (embedding, steps) = self.run(strategy, self.options.dims.most(), extend)?;
        let (metric, problem) = (self.options.metric, self.problem.as_ref());
        let (steps, found) = (&steps, &embedding);
        let gathered = Gathered { trained, strategy, metric, problem, steps, embedding: found };
        let model = reduce::agree(gathered.model(self.budget))?;
        Ok((embedding, model))
    }

    fn check_fit(&self, strategy: &Strategy, trained: &Trained<'_>) -> Result<()> {
        model::check(None, trained.method, strategy)?;
        let rows = self.problem.size();
        if let Some(row) = trained.rows.iter().find(|row| **row as usize >= trained.input) {
            return Err(Error::parameter("row", row, "below the number of rows of the input"));
        }
        let lengths = trained.lengths.0.len().saturating_sub(1);
        let sizes = [
            ("the points", trained.values.len(), rows * trained.columns),
            ("the numbers of the rows", trained.rows.len(), rows),
            ("the lengths", if trained.lengths.1.is_empty() { rows } else { lengths }, rows),
        ];
        match sizes.into_iter().find(|(_, got, expected)| got != expected) {
            Some((what, got, expected)) => Err(Error::Size { what, got, expected }),
            None => Ok(()),
        }
    }

    fn watch(&self) -> Watch<'_> {
        Watch::new(self.observer).within(self.budget)
    }

    fn run(
        &self,
        strategy: &Strategy,
        dims: usize,
        extend: bool,
    ) -> Result<(Embedding, Vec<Step>)> {
        reduce::agree(check(strategy, self.options))?;
        let problem = &self.problem;
        let available = problem.directions();
        if dims > available {
            return Err(Error::TooManyCoordinates { dims, available });
        }
        let watch = self.watch();
        let solver = self.solver(&watch)?;
        let debug = |strategy: &Strategy| format!("{strategy:?}");
        let is_kept =
            dims == self.options.dims.most() && debug(strategy) == debug(&self.options.strategy);
        let task = Task {
            problem,
            solver,
            accuracy: &self.options.solver,
            dims,
            judge: None,
            seed: self.options.seed,
            movable: None,
            laplacian: None,
            extend,
            originals: &self.originals,
            kept: Kept::by(self.store).with_coordinates(is_kept),
        };
        self.originals.take_spared();
        let work = |progress: &Progress<'_>| strategy.rule().coordinates(&task, progress);
        let Outcome { mut steps, candidates, warning, .. } =
            watch.stage(Stage::Coordinates, work)?;
        let times = steps.iter().map(|step| step.time.as_secs_f64()).collect();
        for (step, time) in steps.iter_mut().zip(longest(times)) {
            step.time = time;
        }
        let mut warnings: Vec<_> = warning.into_iter().collect();
        warnings.extend(doubtful(problem, &steps));
        warnings.extend(problem.warnings.iter().cloned());
        let coordinates = steps.iter().cloned().enumerate();
        let coordinates = coordinates.map(|(i, step)| coordinate(problem, i, step, None));
        let embedding = Embedding {
            coordinates: coordinates.collect::<Result<_>>()?,
            method: self.method,
            strategy: strategy.name(),
            metric: self.options.metric,
            solver: solver.name(),
            chosen: problem.chosen.clone(),
            candidates,
            dimension: None,
            components: Vec::new(),
            left_out: 0,
            warnings,
            times: self.times(&watch),
        };
        Ok((embedding, steps))
    }

    fn solver(&self, watch: &Watch<'_>) -> Result<&dyn Solver> {
        if let Some(solver) = self.solver.get() {
            return Ok(solver.as_ref());
        }
        let prepare = |progress: &Progress<'_>| {
            reduce::agree(self.engine.prepare(&self.problem, &self.options.solver, progress))
        };
        let solver = watch.stage(Stage::Factorization, prepare)?;
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        times.extend(watch.times());
        Ok(self.solver.get_or_init(|| solver).as_ref())
    }

    /// The stages that all strategies share and the last one, with what it was spared by others before.
    fn times(&self, watch: &Watch<'_>) -> Vec<(Stage, Duration)> {
        let spared = self.originals.take_spared();
        let own = watch.times().pop().map(|(stage, time)| (stage, time + spared));
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let all: Vec<(Stage, Duration)> = times.iter().copied().chain(own).collect();
        let longest = longest(all.iter().map(|(_, time)| time.as_secs_f64()).collect());
        all.iter().map(|(stage, _)| *stage).zip(longest).collect()
    }
}

/// Of the seconds that something took at each member the most.
fn longest(seconds: Vec<f64>) -> Vec<Duration> {
    let all = reduce::each(&seconds);
    let most = |at: usize| all.iter().map(|theirs| theirs[at]).fold(0.0, f64::max);
    (0..seconds.len()).map(|at| Duration::from_secs_f64(most(at))).collect()
}
