//! Times one sparse Cholesky factorisation and prints one line of JSON; `bench/run.py --only cholesky` calls it.
//!
//! ```text
//! cholesky WHO METHOD FILE COLUMNS NEIGHBORS REPEATS
//! ```
//!
//! WHO is `nrdr`, `faer-amd` (faer's supernodal factorisation, approximate minimum degree) or `faer-metis` (the same in
//! the order of a multilevel nested dissection). The matrix is the method's eigenproblem of the points in FILE, as in
//! `bench`, shifted to be positive definite. Finding the order is part of the time.

use std::error::Error;
use std::fs;
use std::sync::Arc;
use std::time::Instant;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::perm::Perm;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMat, Triplet};
use faer::{Par, Side};
use feral_metis::{CscPattern, metis_order};
use nrdr::eigen::{Builtin, factor_cost};
use nrdr::{
    End, Engine, HessianLle, LaplacianEigenmaps, Lle, Ltsa, Matrix, Method, Options, Points,
    Prepared, Problem, SolverKind, SolverOptions, SparseMatrix, Stage, Watch,
};

const USAGE: &str =
    "usage: cholesky nrdr|faer-amd|faer-metis METHOD FILE COLUMNS NEIGHBORS REPEATS";
/// What makes a singular matrix definite, beside its largest entry.
const SHIFT: f64 = 1e-9;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let [who, method, file, columns, neighbors, repeats] = args.as_slice() else {
        return Err(USAGE.into());
    };
    let numbers = fs::read(file)?;
    let numbers = numbers.chunks_exact(8).filter_map(|bytes| bytes.try_into().ok());
    let points = Points::new(numbers.map(f64::from_le_bytes).collect(), columns.parse()?)?;
    let options = Options { neighbors: neighbors.parse()?, ..Default::default() };
    let method = by_name(method)?;
    let problem = Prepared::new(&points, method.as_ref(), &options)?.problem()?.clone();
    let mut seconds = f64::INFINITY;
    for _ in 0..repeats.parse()? {
        let start = Instant::now();
        let entries = match *who {
            "nrdr" => ours(&problem)?,
            "faer-amd" => Some(by_faer(&problem, false)?),
            "faer-metis" => Some(by_faer(&problem, true)?),
            _ => return Err(USAGE.into()),
        };
        seconds = seconds.min(start.elapsed().as_secs_f64());
        // Ours does not tell: it is ordered once more, when the clock has stopped.
        let entries =
            entries.map_or_else(|| sparse(&problem).map(|m| factor_cost(m.0).entries), Ok)?;
        let row = entries / problem.size() as f64;
        println!("{{\"seconds\": {seconds}, \"entries_a_row\": {row}}}");
    }
    Ok(())
}

/// Methods whose matrix is sparse; the local dimension is estimated.
fn by_name(name: &str) -> Outcome<Box<dyn Method>> {
    Ok(match name {
        "lem" => Box::new(LaplacianEigenmaps::default()),
        "lle" => Box::new(Lle::default()),
        "hlle" => Box::new(HessianLle::default()),
        "ltsa" => Box::new(Ltsa::default()),
        _ => return Err(USAGE.into()),
    })
}

fn sparse(problem: &Problem) -> Outcome<(&SparseMatrix, f64)> {
    match (&problem.matrix, problem.bound) {
        (Matrix::Sparse(matrix), Some(bound)) => Ok((matrix, bound)),
        _ => Err("the matrix is not sparse, or its extreme eigenvalue is not known".into()),
    }
}

/// Factorises like a run with the solver shift-invert.
fn ours(problem: &Arc<Problem>) -> Outcome<Option<f64>> {
    let options = SolverOptions { kind: SolverKind::ShiftInvert, ..Default::default() };
    Watch::new(None).stage(Stage::Factorization, |progress| {
        Builtin.prepare(problem, &options, progress).map(drop)
    })?;
    Ok(None)
}

/// The number of entries of the factor.
fn by_faer(problem: &Problem, dissected: bool) -> Outcome<f64> {
    let (matrix, bound) = sparse(problem)?;
    let n = matrix.size();
    let largest = (0..n).map(|i| (matrix.get(i, i) - bound).abs()).fold(0.0, f64::max);
    let sign = if problem.end == End::Largest { -1.0 } else { 1.0 };
    let mut lower = Vec::with_capacity(matrix.entries() / 2 + n);
    for i in 0..n {
        lower.push(Triplet::new(i, i, sign * (matrix.get(i, i) - bound) + SHIFT * largest));
        let below = matrix.row(i).filter(|&(j, _)| j < i);
        lower.extend(below.map(|(j, value)| Triplet::new(i, j, sign * value)));
    }
    let lower = SparseColMat::try_new_from_triplets(n, n, &lower)?;
    let order = if dissected { Some(nested_dissection(matrix)?) } else { None };
    let ordering = order
        .as_ref()
        .map_or(SymmetricOrdering::Amd, |order| SymmetricOrdering::Custom(order.as_ref()));
    let params = CholeskySymbolicParams::default();
    let symbolic = factorize_symbolic_cholesky(lower.symbolic(), Side::Lower, ordering, params)?;
    let mut values = vec![0.0; symbolic.len_val()];
    let par = Par::rayon(0);
    let scratch = symbolic.factorize_numeric_llt_scratch::<f64>(par, Default::default());
    let mut memory = MemBuffer::try_new(scratch).map_err(|_| "no memory for the factorisation")?;
    symbolic.factorize_numeric_llt(
        &mut values,
        lower.as_ref(),
        Side::Lower,
        LltRegularization::default(),
        par,
        MemStack::new(&mut memory),
        Default::default(),
    )?;
    Ok(values.len() as f64)
}

/// The order by which a multilevel nested dissection eliminates.
fn nested_dissection(matrix: &SparseMatrix) -> Outcome<Perm<usize>> {
    let n = matrix.size();
    let mut starts = vec![0];
    let mut rows = Vec::with_capacity(matrix.entries());
    for i in 0..n {
        for &j in matrix.columns(i) {
            rows.push(i32::try_from(j)?);
        }
        starts.push(i32::try_from(rows.len())?);
    }
    let pattern = CscPattern::new(n, &starts, &rows).ok_or("not a pattern of a sparse matrix")?;
    let order = metis_order(&pattern).map_err(|error| format!("{error:?}"))?;
    let forward = order.iter().map(|&at| usize::try_from(at)).collect::<Result<Vec<_>, _>>()?;
    let mut inverse = vec![0; n];
    forward.iter().enumerate().for_each(|(to, &from)| inverse[from] = to);
    Ok(Perm::new_checked(forward.into_boxed_slice(), inverse.into_boxed_slice(), n))
}
