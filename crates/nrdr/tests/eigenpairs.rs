//! Every pair that a solver returns is the next eigenpair, however small its eigenvalue is beside the first, however
//! often it occurs, and whatever the seed. The oracle is the construction: A = Q diag(spectrum) Q' with a random
//! orthogonal Q, and LAPACK in the tests of the Python package.
#![allow(clippy::unwrap_used, clippy::neg_cmp_op_on_partial_ord, missing_docs)]

mod common;

use common::soak;
use faer::Mat;
use nrdr::{
    End, Error, Matrix, Missed, Options, Precomputed, SolverKind, SolverOptions, SparseMatrix,
    SymmetricMatrix, embed,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// Eigenvalues that are nearer to each other than this share of the largest are one: their vectors are a matter of
/// taste.
const SAME: f64 = 1e-11;
/// What the arithmetic of building A and of multiplying may turn, beside the gap.
const ROUNDING: f64 = 1e-13;
/// The same for a bound at some distance: an inverse sees eigenvalues less well the farther they are from it.
const FAR_ROUNDING: f64 = 1e-12;

/// An eigenproblem with a known answer.
struct Case {
    what: String,
    /// Descending.
    spectrum: Vec<f64>,
    vectors: Mat<f64>,
    wanted: usize,
}

impl Case {
    fn new(what: String, mut spectrum: Vec<f64>, wanted: usize, rng: &mut ChaCha8Rng) -> Self {
        spectrum.sort_by(|a, b| b.total_cmp(a));
        let n = spectrum.len();
        let random: Mat<f64> = Mat::from_fn(n, n, |_, _| StandardNormal.sample(rng));
        let vectors = random.qr().compute_Q();
        Case { what: format!("{what}, n = {n}, wanted {wanted}"), spectrum, vectors, wanted }
    }

    /// The entries of the matrix with these eigenvalues times `sign`.
    fn entries(&self, sign: f64) -> Vec<f64> {
        let n = self.spectrum.len();
        let scaled = Mat::from_fn(n, n, |i, j| sign * self.spectrum[j] * self.vectors[(i, j)]);
        let matrix = &scaled * self.vectors.transpose();
        (0..n * n).map(|at| 0.5 * (matrix[(at / n, at % n)] + matrix[(at % n, at / n)])).collect()
    }

    fn largest(&self) -> f64 {
        self.spectrum.iter().fold(0.0, |largest: f64, v| largest.max(v.abs()))
    }

    /// The same vectors in the same order with energies instead: the smallest count, and they are narrow beside the
    /// largest. None for indefinite or singular matrices.
    fn energies(&self) -> Option<Self> {
        let least = 1e-2 * self.spectrum[self.wanted - 1];
        if !(least > 0.0) || self.spectrum.iter().any(|v| *v < 0.0) {
            return None;
        }
        let energy = |v: &f64| -least / (v + least);
        let spectrum = self.spectrum.iter().map(energy).collect();
        let (what, vectors) = (format!("energies of {}", self.what), self.vectors.clone());
        Some(Case { what, spectrum, vectors, wanted: self.wanted })
    }

    /// What is wrong with these coordinates, if anything.
    fn fault(&self, found: &nrdr::Embedding, rounding: f64) -> Option<String> {
        let largest = self.largest();
        for (i, coordinate) in found.coordinates.iter().enumerate() {
            let wanted = self.spectrum[i];
            let same = |v: f64| (v - wanted).abs() <= SAME * largest;
            let gap = self.spectrum.iter().filter(|v| !same(**v)).map(|v| (v - wanted).abs());
            let gap = gap.fold(f64::INFINITY, f64::min);
            let inside = (0..self.spectrum.len()).filter(|&j| same(self.spectrum[j])).map(|j| {
                let column = self.vectors.col(j).iter();
                column.zip(&coordinate.values).map(|(a, b)| a * b).sum::<f64>().powi(2)
            });
            let outside = (1.0 - inside.sum::<f64>()).max(0.0).sqrt();
            let allowed = 1e-4f64.max(rounding * largest / gap);
            if outside > allowed {
                return Some(format!(
                    "{}: coordinate {} is off by {outside:.1e} (allowed {allowed:.1e}), eigenvalue {:e} instead of {wanted:e}",
                    self.what,
                    i + 1,
                    coordinate.eigenvalue
                ));
            }
        }
        None
    }
}

/// Spectra that have led solvers astray.
fn cases(rng: &mut ChaCha8Rng) -> Vec<Case> {
    let n = rng.random_range(20..=300);
    let wanted = rng.random_range(1..=9.min(n / 3));
    let exponent: f64 = rng.random_range(0.0..12.0);
    let ratio = 10f64.powf(-exponent);
    let power = |j: usize| ratio.powf(j as f64 / wanted as f64);
    let tail = |from: usize, size: f64, rng: &mut ChaCha8Rng| -> Vec<f64> {
        (from..n).map(|_| size * rng.random_range(0.0..1.0)).collect()
    };
    let mut all = Vec::new();
    let mut add = |what: &str, head: Vec<f64>, rest: Vec<f64>, rng: &mut ChaCha8Rng| {
        let spectrum = [head, rest].concat();
        all.push(Case::new(format!("{what}, ratio {ratio:.0e}"), spectrum, wanted, rng));
    };
    // As given in a report: four large ones, one small, nothing.
    let head = [1.0, 0.5, 0.4, 0.3, 0.3 * ratio].to_vec();
    add("one small", head, vec![0.0; n - 5], rng);
    let head: Vec<f64> = (0..=wanted).map(power).collect();
    let rest = tail(wanted + 1, 0.1 * ratio, rng);
    add("decay", head, rest, rng);
    // The last wanted one occurs several times, as a smaller number of times than are wanted or a larger one.
    let copies = rng.random_range(2..=8);
    let head = [vec![1.0; wanted / 2], vec![ratio; copies]].concat();
    let rest = tail(head.len(), 0.2 * ratio, rng);
    add("multiple", head, rest, rng);
    // A cluster.
    let width: f64 = 10f64.powf(rng.random_range(-9.0..-1.0));
    let head: Vec<f64> = (0..wanted + 2).map(|j| ratio * (1.0 - width * j as f64 * 0.1)).collect();
    let rest = [vec![1.0], tail(head.len() + 1, 0.1 * ratio, rng)].concat();
    add(&format!("cluster of width {width:.0e}"), head, rest, rng);
    // Two scales, and large negative eigenvalues, which no kernel has but many matrices of distances do.
    let head = vec![1.0; wanted.div_ceil(2)];
    let rest = tail(head.len(), ratio, rng);
    add("two scales", head, rest, rng);
    let head: Vec<f64> = (0..=wanted).map(power).collect();
    let rest = tail(wanted + 1, -0.5, rng);
    add("indefinite", head, rest, rng);
    all
}

fn options(kind: SolverKind, case: &Case, seed: u64) -> Options {
    let solver = SolverOptions { kind, missed: Missed::Error, ..Default::default() };
    Options { dims: case.wanted.into(), seed, solver, ..common::original() }
}

fn sparse(entries: &[f64], n: usize) -> SparseMatrix {
    let all: Vec<_> = entries.iter().enumerate().map(|(at, v)| (at / n, at % n, *v)).collect();
    SparseMatrix::new(n, &all).unwrap()
}

/// A way to solve a case.
struct Way {
    what: &'static str,
    matrix: Matrix,
    method: Precomputed,
    kind: SolverKind,
    /// Whether it must succeed; others may say that they did not converge.
    must: bool,
    /// What rounding may turn.
    rounding: f64,
}

/// All ways to solve a case.
fn ways(case: &Case) -> Vec<Way> {
    let dense = |sign| Matrix::from(SymmetricMatrix::new(case.entries(sign)).unwrap());
    let largest = Precomputed::default();
    let smallest = Precomputed { end: End::Smallest, ..Default::default() };
    let (up, down) = (dense(1.0), dense(-1.0));
    let way = |what, matrix: &Matrix, method: &Precomputed, kind, must| {
        let (matrix, method) = (matrix.clone(), method.clone());
        Way { what, matrix, method, kind, must, rounding: ROUNDING }
    };
    // Seen from a bound at some distance, the gaps may be narrower than an inverse can tell.
    let bound = -case.spectrum[0] - 1e-3 * case.largest();
    let bounded = Precomputed { bound: Some(bound), ..smallest.clone() };
    let filled = Matrix::from(sparse(&case.entries(-1.0), case.spectrum.len()));
    vec![
        way("dense", &up, &largest, SolverKind::Dense, true),
        way("auto", &up, &largest, SolverKind::Auto, true),
        way("Lanczos", &up, &largest, SolverKind::Lanczos, false),
        way("Lanczos, smallest", &down, &smallest, SolverKind::Lanczos, false),
        way("auto, smallest", &down, &smallest, SolverKind::Auto, true),
        Way {
            rounding: FAR_ROUNDING,
            ..way("shift-invert", &filled, &bounded, SolverKind::ShiftInvert, false)
        },
    ]
}

/// The ways to solve a case that is told by its energies.
fn ways_of_energies(case: &Case) -> Vec<Way> {
    let filled = Matrix::from(sparse(&case.entries(-1.0), case.spectrum.len()));
    let method = Precomputed { end: End::Smallest, bound: Some(0.0), ..Default::default() };
    let way = |what, kind, must| {
        let (matrix, method) = (filled.clone(), method.clone());
        Way { what, matrix, method, kind, must, rounding: ROUNDING }
    };
    vec![
        way("auto, energies", SolverKind::Auto, true),
        way("shift-invert, energies", SolverKind::ShiftInvert, true),
        way("Lanczos, energies", SolverKind::Lanczos, false),
        way("multigrid, energies", SolverKind::Multigrid, false),
    ]
}

#[test]
fn every_pair_is_the_next_eigenpair() {
    let (mut tried, mut refused, mut faults) = (0, 0, Vec::new());
    for round in (0..soak(20)).map(u64::from) {
        let mut rng = ChaCha8Rng::seed_from_u64(round);
        let cases = cases(&mut rng);
        let energies: Vec<Case> = cases.iter().filter_map(Case::energies).collect();
        let all = cases.iter().map(|case| (case, ways(case)));
        let all = all.chain(energies.iter().map(|case| (case, ways_of_energies(case))));
        for (case, way) in all.flat_map(|(case, ways)| ways.into_iter().map(move |w| (case, w))) {
            for seed in [round, round + 1000] {
                tried += 1;
                let name = way.what;
                match embed(&way.matrix, &way.method, &options(way.kind, case, seed)) {
                    Ok(found) => {
                        let fault = case.fault(&found, way.rounding);
                        faults.extend(fault.map(|fault| format!("{name}: {fault}")));
                    }
                    Err(Error::NotConverged { .. }) if !way.must => refused += 1,
                    Err(error) => faults.push(format!("{name}: {}: {error}", case.what)),
                }
            }
        }
    }
    println!("{tried} problems, {refused} refused, {} wrong", faults.len());
    assert!(faults.is_empty(), "{} of {tried} are wrong:\n{}", faults.len(), faults.join("\n"));
    // A solver that refuses everything is never wrong either.
    assert!(20 * refused < tried, "{refused} of {tried} were refused");
}
