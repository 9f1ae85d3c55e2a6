//! Solves one eigenproblem by one solver and prints one line of JSON; `bench/run.py` calls it.
//!
//! ```text
//! solvers METHOD SHAPE DIMENSION POINTS SOLVER COUNT RANK TOLERANCE [OUT]
//! ```
//!
//! SHAPE is `cube` (uniform points in a cube) or `sheet` (a cube whose first side is rolled up in two dimensions). RANK
//! directions are forbidden: the trivial one, and smooth functions of the first coordinate, like those that a smoother
//! represents. There are ten neighbours, or as many more as the method needs. `seconds` is processor time: of preparing the solver, and of the solution. OUT gets the matrix, for peers:
//! rows and entries as u64, then offsets as u64, columns as u32, values as f64, little-endian.

mod driver;

use std::error::Error;
use std::f64::consts::PI;
use std::io::Write;
use std::sync::Arc;

use driver::clock::Clock;
use nrdr::datasets::Cube;
use nrdr::eigen::{Builtin, Request};
use nrdr::parameter::{Slot, Value};
use nrdr::{
    Constraint, Engine, HessianLle, Ltsa, Matrix, Method, Options, Points, Prepared, Problem,
    Solver, SolverKind, SolverOptions, Stage, Watch,
};

const USAGE: &str =
    "usage: solvers METHOD SHAPE DIMENSION POINTS SOLVER COUNT RANK TOLERANCE [OUT]";

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let [method, shape, dimension, n, kind, count, rank, tolerance, rest @ ..] = args.as_slice()
    else {
        return Err(USAGE.into());
    };
    let (dimension, n): (usize, usize) = (dimension.parse()?, n.parse()?);
    let points = points(shape, dimension, n)?;
    let method = by_name(method, dimension)?;
    let neighbors = neighbors(method.as_ref(), n);
    let options = Options { neighbors, ..Default::default() };
    let problem = Prepared::new(&points, method.as_ref(), &options)?.problem()?.clone();
    if let Some(file) = rest.first() {
        write(file, &problem)?;
    }
    let mut solver_kind = SolverKind::Auto;
    if !solver_kind.set(&Value::Word(kind.to_string())) {
        return Err(USAGE.into());
    }
    let wanted =
        Wanted { count: count.parse()?, rank: rank.parse()?, tolerance: tolerance.parse()? };
    let clock = Clock::start();
    let solver_options = SolverOptions { kind: solver_kind, ..Default::default() };
    let solver = Watch::new(None).stage(Stage::Factorization, |progress| {
        Builtin.prepare(&problem, &solver_options, progress)
    })?;
    let prepared = clock.spent().processor;
    let constraint = constraint(&problem, solver.as_ref(), wanted.rank)?;
    let clock = Clock::start();
    let found = solve(solver.as_ref(), &constraint, wanted);
    let seconds = clock.spent().processor;
    let (name, all) = (solver.name(), prepared + seconds);
    let known =
        format!("\"solver\": \"{name}\", \"seconds\": {all:.3}, \"prepared\": {prepared:.3}");
    match found {
        Ok(pairs) => {
            let worst = pairs.iter().map(|pair| pair.residual).fold(0.0, f64::max);
            let values: Vec<String> =
                pairs.iter().map(|pair| format!("{:.12e}", pair.value)).collect();
            let iterations = pairs[0].iterations;
            println!(
                "{{{known}, \"iterations\": {iterations}, \"residual\": {worst:e}, \"values\": [{}]}}",
                values.join(", ")
            );
        }
        Err(error) => println!("{{{known}, \"error\": \"{error}\"}}"),
    }
    Ok(())
}

/// The usual number, or more where the method does not do with it.
fn neighbors(method: &dyn Method, points: usize) -> usize {
    let usual = Options::default().neighbors;
    (usual..points).find(|&k| method.check_all(points, k).is_ok()).unwrap_or(usual)
}

#[derive(Clone, Copy)]
struct Wanted {
    count: usize,
    rank: usize,
    tolerance: f64,
}

fn solve(
    solver: &dyn Solver,
    constraint: &Constraint,
    wanted: Wanted,
) -> nrdr::Result<Vec<nrdr::eigen::Pair>> {
    let Wanted { count, tolerance, .. } = wanted;
    let request = Request { constraint, count, tolerance, max_iterations: 5000, seed: 0 };
    Watch::new(None).stage(Stage::Coordinates, |progress| solver.solve(&request, progress))
}

fn points(shape: &str, dimension: usize, n: usize) -> Outcome<Points> {
    let cube = Cube { n, sides: vec![1.0; dimension], noise: 0.0 }.generate(1)?.points;
    match shape {
        "cube" => Ok(cube),
        "sheet" => Ok(Points::from_rows((0..n).map(|i| {
            let row = cube.row(i);
            let angle = 1.5 * PI * row[0];
            let radius = 1.0 / (1.5 * PI);
            let mut rolled = vec![radius * angle.cos(), radius * angle.sin()];
            rolled.extend(&row[1..]);
            rolled
        }))?),
        _ => Err(USAGE.into()),
    }
}

fn by_name(name: &str, dimension: usize) -> Outcome<Box<dyn Method>> {
    let local_dimension = Some(dimension);
    Ok(match name {
        "hlle" => Box::new(HessianLle { local_dimension }),
        "ltsa" => Box::new(Ltsa { local_dimension }),
        _ => nrdr::method::by_name(name)?,
    })
}

/// The trivial direction and smooth functions of the first coordinate.
fn constraint(problem: &Problem, solver: &dyn Solver, rank: usize) -> Outcome<Constraint> {
    let n = problem.size();
    let mut constraint = Constraint::none(n);
    constraint.forbid(problem.trivial.as_deref());
    if rank <= 1 {
        return Ok(constraint);
    }
    let first = solve(solver, &constraint, Wanted { count: 1, rank: 1, tolerance: 1e-6 })?;
    let scale = |i: usize| problem.scale.as_ref().map_or(1.0, |scale| scale[i]);
    let mut order: Vec<(f64, usize)> =
        first[0].vector.iter().enumerate().map(|(i, g)| (g * scale(i), i)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut place = vec![0.0; n];
    order.iter().enumerate().for_each(|(at, &(_, i))| place[i] = (at as f64 + 0.5) / n as f64);
    let function = |k: usize| -> Vec<f64> {
        (0..n).map(|i| (PI * k as f64 * place[i]).cos() / scale(i)).collect()
    };
    let functions: Vec<Vec<f64>> = (1..rank).map(function).collect();
    constraint.forbid(functions.iter().map(Vec::as_slice));
    Ok(constraint)
}

fn write(file: &str, problem: &Arc<Problem>) -> Outcome<()> {
    let Matrix::Sparse(matrix) = &problem.matrix else { return Err("not sparse".into()) };
    let mut out = std::io::BufWriter::new(std::fs::File::create(file)?);
    let n = matrix.size();
    out.write_all(&(n as u64).to_le_bytes())?;
    out.write_all(&(matrix.entries() as u64).to_le_bytes())?;
    let mut end = 0u64;
    out.write_all(&end.to_le_bytes())?;
    for i in 0..n {
        end += matrix.columns(i).len() as u64;
        out.write_all(&end.to_le_bytes())?;
    }
    for i in 0..n {
        matrix.columns(i).iter().try_for_each(|j| out.write_all(&j.to_le_bytes()))?;
    }
    for i in 0..n {
        matrix.values(i).iter().try_for_each(|v| out.write_all(&v.to_le_bytes()))?;
    }
    Ok(())
}
