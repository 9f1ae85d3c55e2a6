//! Times one computation and prints one line of JSON; `bench/run.py` calls it.
//!
//! ```text
//! bench METHOD FILE COLUMNS NEIGHBORS REPEATS      an embedding in two coordinates
//! bench METHOD .. REPEATS DIMS                     in so many coordinates
//! bench METHOD .. REPEATS DIMS ALPHA [OUT]         non-redundant ones, also written to a file; for ALPHA also
//!                                                  `original` or `default`, the strategy
//! bench neighbors FILE COLUMNS NEIGHBORS REPEATS [SEARCH [METRIC]]  the nearest neighbours: auto, exact or approximate
//! bench gemm ROWS INNER COLUMNS REPEATS            a product of f32 matrices
//! ```
//!
//! FILE holds the points as little-endian f64, row after row; OUT the coordinates, one after
//! another. `seconds` is the best wall time of the repeats, without reading the file; `processor` the processor time of
//! the best repeat, of all threads together, and `stages` are its stages.

mod driver;

use std::error::Error;
use std::time::Duration;

use driver::clock::{Clock, Spent};
use driver::read;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use nrdr::graph::neighbors_by;
use nrdr::parameter::{Slot, Value};
use nrdr::{
    Alpha, Coordinate, HessianLle, Ltsa, Method, Metric, Options, Points, Search, SmootherOptions,
    Stage, Strategy, Watch,
};

const USAGE: &str = "usage: bench METHOD FILE COLUMNS NEIGHBORS REPEATS [DIMS [ALPHA [OUT]]], \
bench neighbors FILE COLUMNS NEIGHBORS REPEATS [SEARCH [METRIC]], or bench gemm ROWS INNER COLUMNS REPEATS";

/// What is told of a run besides its time.
#[derive(Default)]
struct Details {
    solver: &'static str,
    stages: Vec<(Stage, Duration)>,
    /// Rank and size of the smoother and seconds, for each coordinate.
    coordinates: Vec<(usize, usize, f64)>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (spent, details) = match args.as_slice() {
        ["gemm", rows, inner, columns, repeats] => {
            time_product(rows.parse()?, inner.parse()?, columns.parse()?, repeats.parse()?)?
        }
        ["neighbors", file, columns, k, repeats, rest @ ..] if rest.len() <= 2 => {
            let mut search = Search::default();
            let word = Value::Word(rest.first().unwrap_or(&"auto").to_string());
            if !search.set(&word) {
                return Err(USAGE.into());
            }
            let metric: Metric = rest.get(1).unwrap_or(&"euclidean").parse()?;
            let (points, k) = (read(file, columns.parse()?)?, k.parse()?);
            best_of(repeats.parse()?, || find(&points, metric, k, search))?
        }
        [method, file, columns, neighbors, repeats, rest @ ..] if rest.len() <= 3 => {
            let points = read(file, columns.parse()?)?;
            let (neighbors, strategy) = (neighbors.parse()?, Strategy::orthogonal());
            let mut options = Options { neighbors, strategy, ..Default::default() };
            if let Some(dims) = rest.first() {
                options.dims = dims.parse::<usize>()?.into();
            }
            if let Some(alpha) = rest.get(1) {
                options.strategy = strategy_of(alpha)?;
            }
            best_of(repeats.parse()?, || embed(method, &points, &options, rest.get(2).copied()))?
        }
        _ => return Err(USAGE.into()),
    };
    println!("{}", json(spent, &details));
    Ok(())
}

/// The paper's strategy with this alpha, or another one by a word.
fn strategy_of(alpha: &str) -> Result<Strategy, Box<dyn Error>> {
    let alpha = match alpha {
        "original" => return Ok(Strategy::orthogonal()),
        "default" => return Ok(Strategy::default()),
        "auto" => Alpha::Auto,
        number => Alpha::Fixed(number.parse()?),
    };
    Ok(Strategy::unpredictable(SmootherOptions { alpha, ..Default::default() }))
}

fn embed(
    name: &str,
    points: &Points,
    options: &Options,
    out: Option<&str>,
) -> Result<Details, Box<dyn Error>> {
    let method = method(name)?;
    let embedding = nrdr::embed(points, method.as_ref(), options)?;
    if let Some(out) = out {
        let values = embedding.coordinates.iter().flat_map(|c| &c.values);
        std::fs::write(out, values.flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>())?;
    }
    let coordinate = |c: &Coordinate| {
        let (rank, size) = c.smoothing.as_ref().map_or((0, 0), |s| (s.rank, s.size));
        (rank, size, c.time.as_secs_f64())
    };
    let coordinates = embedding.coordinates.iter().map(coordinate).collect();
    Ok(Details { solver: embedding.solver, stages: embedding.times, coordinates })
}

/// A method by its name; the rolls that are measured have two dimensions, however many coordinates.
fn method(name: &str) -> Result<Box<dyn Method>, Box<dyn Error>> {
    let local_dimension = Some(2);
    Ok(match name {
        "hlle" => Box::new(HessianLle { local_dimension }),
        "ltsa" => Box::new(Ltsa { local_dimension }),
        _ => {
            let mut all = nrdr::method::all().into_iter();
            all.find(|method| method.name() == name).ok_or("no such method")?
        }
    })
}

fn find(
    points: &Points,
    metric: Metric,
    k: usize,
    search: Search,
) -> Result<Details, Box<dyn Error>> {
    let watch = Watch::new(None);
    watch.stage(Stage::Neighbors, |progress| neighbors_by(metric, points, k, search, progress))?;
    Ok(Details { stages: watch.times(), ..Default::default() })
}

/// What the machine's matrix multiplication reaches, to compare the neighbour search with.
fn time_product(
    rows: usize,
    inner: usize,
    columns: usize,
    repeats: usize,
) -> Result<(Spent, Details), Box<dyn Error>> {
    let a = Mat::from_fn(rows, inner, |i, j| ((i + 3 * j) % 17) as f32);
    let b = Mat::from_fn(inner, columns, |i, j| ((5 * i + j) % 13) as f32);
    let mut product = Mat::zeros(rows, columns);
    best_of(repeats, || {
        matmul(product.as_mut(), Accum::Replace, &a, &b, 1.0_f32, Par::rayon(0));
        Ok(Details::default())
    })
}

/// The shortest wall time of several runs, with what that run told.
fn best_of(
    repeats: usize,
    mut work: impl FnMut() -> Result<Details, Box<dyn Error>>,
) -> Result<(Spent, Details), Box<dyn Error>> {
    let mut best = (Spent { wall: f64::INFINITY, processor: f64::NAN }, Details::default());
    for _ in 0..repeats.max(1) {
        let clock = Clock::start();
        let details = work()?;
        let spent = clock.spent();
        if spent.wall < best.0.wall {
            best = (spent, details);
        }
    }
    Ok(best)
}

fn json(spent: Spent, details: &Details) -> String {
    let Spent { wall, processor } = spent;
    let stages = details.stages.iter();
    let stages: Vec<String> =
        stages.map(|(stage, time)| format!("\"{stage}\": {:.6}", time.as_secs_f64())).collect();
    let coordinates = details.coordinates.iter();
    let coordinates: Vec<String> = coordinates
        .map(|(rank, size, seconds)| {
            format!("{{\"rank\": {rank}, \"size\": {size}, \"seconds\": {seconds:.6}}}")
        })
        .collect();
    format!(
        "{{\"seconds\": {wall:.6}, \"processor\": {processor:.6}, \"solver\": \"{}\", \"stages\": {{{}}}, \"coordinates\": [{}]}}",
        details.solver,
        stages.join(", "),
        coordinates.join(", ")
    )
}
