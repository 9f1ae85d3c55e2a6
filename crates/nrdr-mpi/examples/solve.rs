//! What the engine takes for one request: iterations, seconds, memory and bytes sent of each rank.
//!
//! mpirun -n 4 target/release/examples/solve DATA METHOD POINTS PAIRS DIRECTIONS SOLVER, with DATA `roll`, `cube3`, `cube5`, ..,
//! and DIRECTIONS a number of functions along the rows that the pairs must be orthogonal to.

use std::f64::consts::PI;
use std::fs;
use std::sync::Arc;
use std::time::Instant;

use nrdr::datasets::{Cube, SwissRoll};
use nrdr::eigen::Request;
use nrdr::parameter::Words;
use nrdr::team::{Team, join};
use nrdr::{
    Constraint, Engine, HessianLle, LaplacianEigenmaps, Lle, Ltsa, Matrix, Method, Options,
    Prepared, Problem, Result, SolverKind, SolverOptions, Stage, Watch,
};
use nrdr_mpi::csr::{Product, SharedCsr};
use nrdr_mpi::shared::Rows;
use nrdr_mpi::solver::Cluster;
use nrdr_mpi::world::Member;
use nrdr_slepc_sys::World;

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let world = World::start()?;
    let member: Arc<dyn Team> = Arc::new(Member(world.clone()));
    Ok(join(Some(member.clone()), || measure(&world, &member))?)
}

fn measure(world: &Arc<World>, member: &Arc<dyn Team>) -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let word = |at: usize, usual: &str| arguments.get(at).map_or(usual, String::as_str).to_string();
    let number = |at: usize, usual: usize| word(at, "").parse().unwrap_or(usual);
    let (data, method, n) = (word(0, "roll"), word(1, "lem"), number(2, 20_000));
    let (count, directions) = (number(3, 1), number(4, 20));
    let kind = SolverKind::WORDS.iter().position(|kind| kind.name == word(5, "auto"));
    let kind = kind.map_or(SolverKind::Auto, |at| SolverKind::VALUES[at]);
    let (problem, constraint, matrix) = join(None, || whole(&data, &method, n))
        .map(|whole| share(world, member, &whole, directions))?;
    forget_peak();
    let before = memory("VmRSS");
    world.stage("solve");
    let watch = Watch::new(None);
    let options = SolverOptions { kind, ..Default::default() };
    let engine = Cluster::new(world, &matrix);
    let start = Instant::now();
    let solver = watch
        .stage(Stage::Factorization, |progress| engine.prepare(&problem, &options, progress))?;
    let prepared = start.elapsed().as_secs_f64();
    let (constraint, tolerance, seed) = (&constraint, 1e-8, 1);
    let request = Request { constraint, count, tolerance, max_iterations: 5000, seed };
    let start = Instant::now();
    let pairs = watch.stage(Stage::Coordinates, |progress| solver.solve(&request, progress))?;
    let solved = start.elapsed().as_secs_f64();
    let sent: u64 = world.sent().iter().filter(|(stage, _)| stage == "solve").map(|s| s.1).sum();
    let mine = [memory("VmHWM") - before, sent as f64 / 1e6, before];
    let all = member.gather(mine.iter().flat_map(|v| v.to_le_bytes()).collect());
    if world.rank() == 0 {
        let worst = pairs.iter().map(|pair| pair.residual).fold(0.0, f64::max);
        let iterations = pairs.iter().map(|pair| pair.iterations).max().unwrap_or(0);
        println!(
            "{data} {method} n {n} pairs {count} directions {} ranks {} {}: {iterations} iterations, prepare {prepared:.1} s, \
             solve {solved:.1} s, residual {worst:.0e}",
            constraint.rank(),
            world.size(),
            solver.name(),
        );
        for (rank, bytes) in all.iter().enumerate() {
            let numbers: Vec<f64> =
                bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
            let [more, sent, before] = numbers[..] else { continue };
            println!("  rank {rank}: {more:.0} MB beside {before:.0} MB, {sent:.1} MB sent");
        }
    }
    Ok(())
}

/// The problem as one machine has it.
fn whole(data: &str, method: &str, n: usize) -> Result<Arc<Problem>> {
    let set = match data.strip_prefix("cube").and_then(|dim| dim.parse().ok()) {
        Some(dim) => Cube { n, sides: vec![1.0; dim], ..Default::default() }.generate(1)?,
        None => SwissRoll { n, height: 10.0, ..Default::default() }.generate(1)?,
    };
    let method: &dyn Method = match method {
        "ltsa" => &Ltsa::default(),
        "hlle" => &HessianLle::default(),
        "lle" => &Lle::default(),
        _ => &LaplacianEigenmaps::default(),
    };
    let options = Options::default();
    Prepared::new(&set.points, method, &options)?.problem().cloned()
}

/// Own rows of it.
fn share(
    world: &Arc<World>,
    member: &Arc<dyn Team>,
    whole: &Problem,
    directions: usize,
) -> (Arc<Problem>, Constraint, Arc<SharedCsr>) {
    let (n, size, rank) = (whole.size(), world.size(), world.rank());
    let rows = Rows { starts: (0..=size).map(|part| (n * part / size) as u64).collect() };
    let own = n * rank / size..n * (rank + 1) / size;
    let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    if let Matrix::Sparse(matrix) = &whole.matrix {
        for i in own.clone() {
            let mut row: Vec<(usize, f64)> = matrix.row(i).collect();
            if row.iter().all(|entry| entry.0 != i) {
                row.push((i, 0.0));
                row.sort_by_key(|entry| entry.0);
            }
            columns.extend(row.iter().map(|entry| entry.0 as u64));
            values.extend(row.iter().map(|entry| entry.1));
            offsets.push(columns.len());
        }
    }
    let matrix = Arc::new(SharedCsr { rows, offsets, columns, values });
    let cut = |list: &Vec<f64>| list[own.clone()].to_vec();
    let product = Product::new(member.clone(), matrix.clone());
    let problem = Problem {
        matrix: Matrix::Operator(Arc::new(product)),
        scale: whole.scale.as_ref().map(cut),
        trivial: whole.trivial.as_ref().map(cut),
        near_null: whole.near_null.iter().map(cut).collect(),
        ..whole.clone()
    };
    let ones = vec![1.0; own.len()];
    let trivial = problem.trivial.as_ref().unwrap_or(&ones);
    let wave = |k: usize| -> Vec<f64> {
        let at = |i: usize| (k as f64 * PI * i as f64 / n as f64).cos();
        own.clone().zip(trivial).map(|(i, t)| t * at(i)).collect()
    };
    let mut constraint = Constraint::none(own.len());
    constraint.forbid([trivial.as_slice()]);
    let waves: Vec<Vec<f64>> = (1..=directions).map(wave).collect();
    constraint.forbid(waves.iter().map(Vec::as_slice));
    (Arc::new(problem), constraint, matrix)
}

/// The peak of the memory is counted from here.
fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// Megabytes, as the system counts them.
fn memory(what: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(what)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse().ok()).unwrap_or(0.0) / 1e3
}
