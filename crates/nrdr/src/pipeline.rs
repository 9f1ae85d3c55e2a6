//! The straight line: points -> neighbours -> graph -> problem -> coordinates.

use crate::doubt::doubtful;
use crate::eigen::{self, Pair};
use crate::embedding::{Coordinate, Embedding};
use crate::error::{Error, Result};
use crate::graph::components::links_between_rows;
use crate::graph::neighbors::neighbors_from_distances;
use crate::graph::prepare::{Rows, connect, prepare_points, select_component};
use crate::graph::{Components, Policy};
use crate::input::{Input, Options, check};
use crate::linalg::vector::{point_up, squared_distance};
use crate::measure::dimension::Judge;
use crate::memory;
use crate::method::{Data, EdgeKind, Graph, Method, Needs};
use crate::model::{self, Fitted, Model};
use crate::points::Points;
use crate::problem::Problem;
use crate::progress::{Observer, Progress, Watch};
use crate::stage::Stage;
use crate::strategy::{Movable, Outcome, Step, Strategy, Task, coordinate_of};
use crate::warning::Warning;

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
    run(input.into(), method, options, &Watch::new(None))
}

/// The same, telling an observer about the progress; it may also cancel.
pub fn embed_observed<'a>(
    input: impl Into<Input<'a>>,
    method: &dyn Method,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Embedding> {
    run(input.into(), method, options, &Watch::new(Some(observer)))
}

/// Embeds and keeps what the coordinates of new points need; the embedding is that of [`embed`], bit for bit.
///
/// What cannot be extended is refused with [`Error::CannotExtend`] before the work begins.
pub fn fit<'a>(
    input: impl Into<Input<'a>>,
    method: &dyn Method,
    options: &Options,
) -> Result<(Embedding, Model)> {
    run_and_keep(input.into(), method, options, &Watch::new(None))
}

/// The same, telling an observer about the progress; it may also cancel.
pub fn fit_observed<'a>(
    input: impl Into<Input<'a>>,
    method: &dyn Method,
    options: &Options,
    observer: &dyn Observer,
) -> Result<(Embedding, Model)> {
    run_and_keep(input.into(), method, options, &Watch::new(Some(observer)))
}

fn run(
    input: Input<'_>,
    method: &dyn Method,
    options: &Options,
    watch: &Watch<'_>,
) -> Result<Embedding> {
    check_all(input, method, options)?;
    let strategies = std::slice::from_ref(&options.strategy);
    let job = Job { input, method, options, strategies, watch, keep: false };
    in_pool(options.threads, || job.embed())?.swap_remove(0).map(|(embedding, _)| embedding)
}

fn run_and_keep(
    input: Input<'_>,
    method: &dyn Method,
    options: &Options,
    watch: &Watch<'_>,
) -> Result<(Embedding, Model)> {
    check_all(input, method, options)?;
    model::check(Some(input), method, &options.strategy)?;
    let strategies = std::slice::from_ref(&options.strategy);
    let job = Job { input, method, options, strategies, watch, keep: true };
    match in_pool(options.threads, || job.embed())?.swap_remove(0)? {
        (embedding, Some(model)) => Ok((embedding, model)),
        (_, None) => Err(Error::Empty),
    }
}

/// An embedding by each of several strategies, of one graph and with one factorisation; the strategy of the options
/// does not matter. A strategy that fails does not keep the others from running: its error takes its place.
pub fn embed_strategies<'a>(
    input: impl Into<Input<'a>>,
    method: &dyn Method,
    options: &Options,
    strategies: &[Strategy],
    observer: Option<&dyn Observer>,
) -> Result<Vec<Result<Embedding>>> {
    let input = input.into();
    check_all(input, method, options)?;
    strategies.iter().try_for_each(Strategy::check)?;
    let watch = &Watch::new(observer);
    let job = Job { input, method, options, strategies, watch, keep: false };
    let found = in_pool(options.threads, || job.embed())?;
    Ok(found.into_iter().map(|found| found.map(|(embedding, _)| embedding)).collect())
}

/// Refuses what cannot be done, before anything is.
fn check_all(input: Input<'_>, method: &dyn Method, options: &Options) -> Result<()> {
    check(input, options)?;
    method.check(input.size(), options)?;
    memory::check_run(input, method, options)
}

/// Runs work on so many threads of its own, or on those around.
pub(crate) fn in_pool<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> Result<T> + Send,
) -> Result<T> {
    let Some(threads) = threads else { return work() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Error::Threads { threads, reason: error.to_string() })?;
    pool.install(work)
}

/// What is to be done with an input.
#[derive(Clone, Copy)]
struct Job<'j> {
    input: Input<'j>,
    method: &'j dyn Method,
    options: &'j Options,
    strategies: &'j [Strategy],
    watch: &'j Watch<'j>,
    /// Whether models are kept.
    keep: bool,
}

/// An embedding, and the model if one is kept.
type Kept = (Embedding, Option<Model>);

impl Job<'_> {
    fn embed(&self) -> Result<Vec<Result<Kept>>> {
        let Job { input, method, options, watch, .. } = *self;
        match (method.needs(), input) {
            (Needs::Graph, Input::Points(points)) => {
                let (points, prepared) = prepare_points(points, options, watch)?;
                let graph = Graph { edges: prepared.graph, kind: EdgeKind::Length };
                self.finish(Data::Graph(&graph), Some(&points), prepared.rows)
            }
            (Needs::Neighborhoods, Input::Points(points)) => {
                let (points, prepared) = prepare_points(points, options, watch)?;
                let data = Data::Neighborhoods(&points, &prepared.lists);
                self.finish(data, Some(&points), prepared.rows)
            }
            (Needs::Graph, Input::Distances(distances)) => {
                let lists = watch.stage(Stage::Neighbors, |progress| {
                    neighbors_from_distances(distances, options.neighbors, progress)
                })?;
                let prepared = watch.stage(Stage::Graph, |progress| {
                    let join = |components: &Components| {
                        links_between_rows(distances, components, progress)
                    };
                    connect(lists, join, options)
                })?;
                let graph = Graph { edges: prepared.graph, kind: EdgeKind::Length };
                self.finish(Data::Graph(&graph), None, prepared.rows)
            }
            (Needs::Graph, Input::Graph(graph)) => {
                let select = |_: &Progress<'_>| select_component(graph, options);
                let (graph, rows) = watch.stage(Stage::Graph, select)?;
                self.finish(Data::Graph(&graph), None, rows)
            }
            (Needs::Points, Input::Points(points)) => {
                self.finish(Data::Points(points), Some(points), Rows::all(points.rows()))
            }
            (Needs::Matrix, Input::Matrix(matrix)) => {
                self.finish(Data::Matrix(matrix), None, Rows::all(matrix.size()))
            }
            (needs, given) => Err(Error::WrongInput {
                method: method.name(),
                needed: needs.describe(),
                given: given.describe(),
            }),
        }
    }

    /// From prepared data to the results.
    fn finish(
        &self,
        data: Data<'_>,
        points: Option<&Points>,
        rows: Rows,
    ) -> Result<Vec<Result<Kept>>> {
        let Job { input, method, options, watch, keep, .. } = *self;
        let known = (!options.auto_dims).then_some(options.dims);
        let problem =
            watch.stage(Stage::Matrix, |progress| method.problem(data, known, progress))?;
        problem.check(rows.len())?;
        let available = problem.size() - usize::from(problem.trivial.is_some());
        let dims = match known {
            None => options.dims.min(available),
            Some(dims) if dims <= available => dims,
            Some(dims) => return Err(Error::TooManyCoordinates { dims, available }),
        };
        let solver = watch.stage(Stage::Factorization, |progress| {
            eigen::choose(&problem, &options.solver, progress)
        })?;
        let again = points.map(|points| Again { points, method, options });
        let movable = again.as_ref().map(|again| again as &dyn Movable);
        let judge = self.judge(points, &rows)?;
        let task = Task {
            problem: &problem,
            solver: solver.as_ref(),
            dims,
            judge: judge.as_ref(),
            seed: options.seed,
            movable,
            extend: keep,
        };
        let shared = watch.times();
        let by_strategy = |strategy: &Strategy| {
            let work = |progress: &Progress<'_>| strategy.coordinates(&task, progress);
            let outcome = watch.stage(Stage::Coordinates, work)?;
            let steps = keep.then(|| outcome.steps.clone());
            let mut embedding = self.report(&task, strategy, outcome, &rows)?;
            embedding.times = shared.iter().copied().chain(watch.times().pop()).collect();
            let model = |steps: Vec<Step>| {
                let fitted = Fitted {
                    input,
                    method,
                    neighbors: options.neighbors,
                    data,
                    points,
                    rows: &rows,
                    problem: &problem,
                    steps: &steps,
                    embedding: &embedding,
                };
                fitted.model()
            };
            let model = steps.map(model).transpose()?;
            Ok((embedding, model))
        };
        Ok(self.strategies.iter().map(by_strategy).collect())
    }

    /// Who tells how many coordinates are worth having, if that is to be found out.
    fn judge(&self, points: Option<&Points>, rows: &Rows) -> Result<Option<Judge>> {
        if !self.options.auto_dims {
            return Ok(None);
        }
        let seed = self.options.seed;
        let judge = match (points, self.input) {
            (Some(points), _) => {
                let square = |i, j| squared_distance(points.row(i), points.row(j));
                Judge::new(points.rows(), square, seed)
            }
            (None, Input::Distances(distances)) => {
                let row = |i: usize| rows.embedded.as_ref().map_or(i, |rows| rows[i] as usize);
                Judge::new(rows.len(), |i, j| distances.row(row(i))[row(j)].powi(2), seed)
            }
            (None, given) => return Err(Error::NeedsDistances { given: given.describe() }),
        };
        judge.map(Some)
    }

    fn report(
        &self,
        task: &Task<'_>,
        strategy: &Strategy,
        outcome: Outcome,
        rows: &Rows,
    ) -> Result<Embedding> {
        let Outcome { steps, candidates, estimate, warning } = outcome;
        let problem = task.problem;
        let mut warnings: Vec<Warning> = rows.warning.clone().into_iter().chain(warning).collect();
        warnings.extend(doubtful(problem, &steps));
        if let Some(movable) = task.movable {
            let columns = movable.points().columns();
            warnings.extend(self.method.warnings(columns, &problem.chosen));
        }
        let coordinate = |(i, step)| coordinate(problem, i, step, rows);
        Ok(Embedding {
            coordinates: steps.into_iter().enumerate().map(coordinate).collect::<Result<_>>()?,
            method: self.method.name(),
            strategy: strategy.name(),
            solver: task.solver.name(),
            candidates,
            dimension: estimate,
            chosen: problem.chosen.clone(),
            left_out: rows.input - problem.size(),
            components: rows.components.clone(),
            warnings,
            times: Vec::new(),
        })
    }
}

/// The same points, embedded again elsewhere by the same method.
struct Again<'a> {
    points: &'a Points,
    method: &'a dyn Method,
    options: &'a Options,
}

impl Movable for Again<'_> {
    fn points(&self) -> &Points {
        self.points
    }

    fn neighbors(&self) -> usize {
        self.options.neighbors
    }

    fn first_coordinate(&self, points: &Points) -> Result<Pair> {
        let (components, strategy) = (Policy::Connect, Strategy::Orthogonal);
        let options = Options { components, strategy, threads: None, ..self.options.clone() };
        let mut found = embed(points, self.method, &options)?;
        let Coordinate { values, eigenvalue, residual, iterations, .. } =
            found.coordinates.swap_remove(0);
        Ok(Pair { value: eigenvalue, vector: values, residual, angle: 0.0, iterations })
    }
}

/// f = s . g with unit length, the largest entry positive, and NaN for the points left out.
fn coordinate(problem: &Problem, i: usize, step: Step, rows: &Rows) -> Result<Coordinate> {
    let Step { pair, original_eigenvalue, smoothing, selected, time, .. } = step;
    let mut f = coordinate_of(problem, i, &pair.vector)?;
    if let Some(embedded) = &rows.embedded {
        let mut all = vec![f64::NAN; rows.input];
        embedded.iter().zip(f).for_each(|(&i, v)| all[i as usize] = v);
        f = all;
    }
    point_up(&mut f);
    Ok(Coordinate {
        values: f,
        eigenvalue: pair.value,
        original_eigenvalue,
        length: problem.length.of(pair.value),
        residual: pair.residual,
        iterations: pair.iterations,
        smoothing,
        selected,
        time,
    })
}
