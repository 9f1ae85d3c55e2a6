//! The straight line: points -> neighbours -> graph -> problem -> coordinates.

use crate::error::{Error, Result};
use crate::graph::Components;
use crate::graph::components::links_between_rows;
use crate::graph::neighbors::neighbors_from_distances;
use crate::input::{Input, Options, check};
use crate::method::{Data, EdgeKind, Graph, Method, Needs};
use crate::prepare::{Rows, connect, prepare_points, select_component};
use crate::problem::{Length, Problem};
use crate::progress::{Observer, Stage, Watch};
use crate::report::{Coordinate, Embedding, Warning};
use crate::solver;
use crate::strategy::{Step, coordinate_of};

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

fn run(
    input: Input<'_>,
    method: &dyn Method,
    options: &Options,
    watch: &Watch<'_>,
) -> Result<Embedding> {
    check(input, options)?;
    let Some(threads) = options.threads else {
        return stages(input, method, options, watch);
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Error::Threads { threads, reason: error.to_string() })?;
    pool.install(|| stages(input, method, options, watch))
}

fn stages(
    input: Input<'_>,
    method: &dyn Method,
    options: &Options,
    watch: &Watch<'_>,
) -> Result<Embedding> {
    match (method.needs(), input) {
        (Needs::Graph, Input::Points(points)) => {
            let (_, prepared) = prepare_points(points, options, watch)?;
            let graph = Graph { edges: prepared.graph, kind: EdgeKind::Length };
            finish(Data::Graph(&graph), method, options, watch, prepared.rows)
        }
        (Needs::Neighborhoods, Input::Points(points)) => {
            let (points, prepared) = prepare_points(points, options, watch)?;
            let data = Data::Neighborhoods(&points, &prepared.lists);
            finish(data, method, options, watch, prepared.rows)
        }
        (Needs::Graph, Input::Distances(distances)) => {
            let lists = watch.stage(Stage::Neighbors, |progress| {
                neighbors_from_distances(distances, options.neighbors, progress)
            })?;
            let prepared = watch.stage(Stage::Graph, |progress| {
                let join =
                    |components: &Components| links_between_rows(distances, components, progress);
                connect(lists, join, options)
            })?;
            let graph = Graph { edges: prepared.graph, kind: EdgeKind::Length };
            finish(Data::Graph(&graph), method, options, watch, prepared.rows)
        }
        (Needs::Graph, Input::Graph(graph)) => {
            let (graph, rows) = watch.stage(Stage::Graph, |_| select_component(graph, options))?;
            finish(Data::Graph(&graph), method, options, watch, rows)
        }
        (Needs::Points, Input::Points(points)) => {
            finish(Data::Points(points), method, options, watch, Rows::all(points.rows()))
        }
        (Needs::Matrix, Input::Matrix(matrix)) => {
            finish(Data::Matrix(matrix), method, options, watch, Rows::all(matrix.size()))
        }
        (needs, given) => Err(Error::WrongInput {
            method: method.name(),
            needed: needs.describe(),
            given: given.describe(),
        }),
    }
}

/// From prepared data to the result.
fn finish(
    data: Data<'_>,
    method: &dyn Method,
    options: &Options,
    watch: &Watch<'_>,
    rows: Rows,
) -> Result<Embedding> {
    let dims = options.dims;
    let problem = watch.stage(Stage::Matrix, |progress| method.problem(data, dims, progress))?;
    problem.check(rows.embedded.as_ref().map_or(rows.input, Vec::len))?;
    let directions = usize::from(problem.trivial.is_some());
    if dims + directions > problem.size() {
        let available = problem.size() - directions;
        return Err(Error::TooManyCoordinates { dims, available });
    }
    let solver = watch.stage(Stage::Factorization, |progress| {
        solver::choose(&problem, &options.solver, progress)
    })?;
    let steps = watch.stage(Stage::Coordinates, |progress| {
        options.strategy.coordinates(&problem, solver.as_ref(), dims, options.seed, progress)
    })?;
    let mut warnings: Vec<Warning> = rows.warning.clone().into_iter().collect();
    warnings.extend(spent(&problem, &steps));
    let coordinate = |(i, step)| coordinate(&problem, i, step, &rows);
    Ok(Embedding {
        coordinates: steps.into_iter().enumerate().map(coordinate).collect::<Result<_>>()?,
        method: method.name(),
        strategy: options.strategy.name(),
        solver: solver.name(),
        chosen: problem.chosen.clone(),
        left_out: rows.input - problem.size(),
        components: rows.components,
        warnings,
        times: watch.times(),
    })
}

/// f = s . g with unit length, the largest entry positive, and NaN for the points left out.
fn coordinate(problem: &Problem, i: usize, step: Step, rows: &Rows) -> Result<Coordinate> {
    let Step { pair, original_eigenvalue, smoothing, time } = step;
    let mut f =
        coordinate_of(problem, &pair.vector).ok_or(Error::Vanished { coordinate: i + 1 })?;
    if let Some(embedded) = &rows.embedded {
        let mut all = vec![f64::NAN; rows.input];
        embedded.iter().zip(f).for_each(|(&i, v)| all[i as usize] = v);
        f = all;
    }
    let larger = |m: f64, v: f64| if v.abs() > m.abs() { v } else { m };
    let sign = f.iter().copied().fold(0.0, larger).signum();
    f.iter_mut().for_each(|v| *v *= sign);
    Ok(Coordinate {
        values: f,
        eigenvalue: pair.value,
        original_eigenvalue,
        length: problem.length.of(pair.value),
        residual: pair.residual,
        iterations: pair.iterations,
        smoothing,
        time,
    })
}

/// A warning when coordinates of a method that reproduces distances have no length left: they are
/// eigenvectors like others, but of rounding.
fn spent(problem: &Problem, steps: &[Step]) -> Option<Warning> {
    let first = steps.first().filter(|_| problem.length == Length::SquareRoot)?;
    let least = 1e-10 * first.pair.value.abs();
    let informative = steps.iter().take_while(|step| step.pair.value > least).count();
    (informative < steps.len()).then_some(Warning::Spent { informative })
}
