//! What several tests share.
#![allow(dead_code, missing_docs, unreachable_pub)]

use nrdr::datasets::SwissRoll;
use nrdr::method::Needs;
use nrdr::{
    DiffusionMaps, Embedding, End, HessianLle, Input, Kernel, KernelPca, LaplacianEigenmaps, Ltsa,
    Matrix, Method, ModifiedLle, Options, Points, Precomputed, Prepared, Problem, Progress, Result,
    SolverKind, SolverOptions, SparseMatrix, Stage, Strategy, Watch, Weights, embed,
};

/// Runs `work` with a progress that nobody watches.
pub fn quietly<T>(work: impl FnOnce(&Progress<'_>) -> Result<T>) -> Result<T> {
    Watch::new(None).stage(Stage::Matrix, work)
}

pub fn roll(n: usize, seed: u64) -> Points {
    SwissRoll { n, noise: 0.05, ..Default::default() }.generate(seed).unwrap().points
}

/// How many cases a long test runs: few, or as many times more as `NRDR_SOAK` says.
pub fn soak(cases: u32) -> u32 {
    cases * std::env::var("NRDR_SOAK").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// Every strategy with its default options, first of all the one that the command line takes by default.
pub fn strategies() -> Vec<Strategy> {
    let mut all = Strategy::all();
    let ours = all.iter().position(|strategy| strategy.name() == "unpredictable").unwrap();
    all.swap(0, ours);
    all
}

/// Whether a strategy runs with a method: some need the graph of neighbours.
pub fn runs_with(strategy: &Strategy, method: &dyn Method) -> bool {
    !strategy.rule().needs_graph() || method.needs().has_graph()
}

/// Every method that takes points and that a strategy runs with, with its default options.
pub fn methods_of(
    strategy: &Strategy,
) -> impl Iterator<Item = (&'static str, Box<dyn Method>)> + '_ {
    default_methods().filter(|(_, method)| runs_with(strategy, method.as_ref()))
}

/// Every method that takes points, with its default options.
pub fn default_methods() -> impl Iterator<Item = (&'static str, Box<dyn Method>)> {
    let all = nrdr::method::all().into_iter();
    all.filter(|method| method.needs() != Needs::Matrix).map(|method| (method.name(), method))
}

/// Every method that takes points, and the variants of some that differ in their mathematics.
pub fn point_methods() -> Vec<(&'static str, Box<dyn Method>)> {
    let mut methods: Vec<(&'static str, Box<dyn Method>)> = default_methods().collect();
    assert!(methods.len() >= 8);
    let kpca = |kernel| Box::new(KernelPca { kernel, ..Default::default() });
    let kernel = Kernel::Sigmoid;
    let sigmoid = KernelPca { kernel, gamma: Some(1e-3), constant: 0.0, ..Default::default() };
    methods.extend::<[(_, Box<dyn Method>); 6]>([
        ("lem heat", Box::new(LaplacianEigenmaps { weights: Some(Weights::Heat), sigma: None })),
        ("dfm 0", Box::new(DiffusionMaps { density: 0.0, ..Default::default() })),
        ("kpca poly", kpca(Kernel::Polynomial)),
        ("kpca cosine", kpca(Kernel::Cosine)),
        ("kpca sigmoid", Box::new(sigmoid)),
        ("kpca linear", kpca(Kernel::Linear)),
    ]);
    methods
}

/// The same with its rows in another order.
pub fn with_rows(embedding: &Embedding, order: &[usize]) -> Embedding {
    let mut permuted = embedding.clone();
    for coordinate in &mut permuted.coordinates {
        coordinate.values = order.iter().map(|&i| coordinate.values[i]).collect();
    }
    permuted
}

pub fn with_solver(kind: SolverKind, options: &Options) -> Options {
    let solver = SolverOptions { kind, ..options.solver.clone() };
    Options { solver, ..options.clone() }
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Absolute value of the correlation of two vectors.
pub fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let centre = |v: &[f64]| {
        let mean = v.iter().sum::<f64>() / v.len() as f64;
        v.iter().map(|x| x - mean).collect::<Vec<f64>>()
    };
    let (a, b) = (centre(a), centre(b));
    (dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt()).abs()
}

/// Largest difference of two vectors, whatever their signs.
pub fn difference(a: &[f64], b: &[f64]) -> f64 {
    let worst = |sign: f64| a.iter().zip(b).map(|(x, y)| (x - sign * y).abs()).fold(0.0, f64::max);
    worst(1.0).min(worst(-1.0))
}

/// The two embeddings have the same coordinates up to sign.
pub fn assert_close(name: &str, one: &Embedding, other: &Embedding, tolerance: f64) {
    assert_eq!(one.dims(), other.dims(), "{name}");
    for i in 0..one.dims() {
        let far = difference(one.coordinate(i), other.coordinate(i));
        assert!(far <= tolerance, "{name}: coordinate {} differs by {far:.1e}", i + 1);
    }
}

/// A sparse matrix of which nothing is known but its product with a vector.
pub struct Opaque(pub SparseMatrix);

impl nrdr::Operator for Opaque {
    fn size(&self) -> usize {
        self.0.size()
    }
    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.0.apply(x, y);
    }
}

/// The graph Laplacian of a ring with chords and weights that repeat nowhere: no symmetry, and so
/// no eigenvalue that occurs twice.
pub fn ring_laplacian(n: usize) -> SparseMatrix {
    let mut entries = Vec::new();
    for i in 0..n {
        let weight = 1.0 + 0.9 * (0.37 * (i * i % 1009) as f64).sin();
        for (j, w) in [((i + 1) % n, weight), ((i + 7) % n, 0.01 * weight)] {
            entries.extend([(i, j, -w), (j, i, -w), (i, i, w), (j, j, w)]);
        }
    }
    SparseMatrix::new(n, &entries).unwrap()
}

pub fn precomputed_smallest(n: usize) -> Precomputed {
    Precomputed {
        end: End::Smallest,
        trivial: Some(vec![1.0; n]),
        bound: Some(0.0),
        ..Default::default()
    }
}

pub fn run<'a>(input: impl Into<Input<'a>>, method: &dyn Method, options: &Options) -> Embedding {
    embed(input, method, options).unwrap_or_else(|error| panic!("{}: {error}", method.name()))
}

/// The eigenproblem of a method.
pub fn problem_of<'a>(
    input: impl Into<Input<'a>>,
    method: &dyn Method,
    options: &Options,
) -> Problem {
    let prepared = Prepared::new(input.into(), method, options).unwrap();
    Problem::clone(prepared.problem().unwrap())
}

/// The problem of every method, and of a matrix of one's own with a scale.
pub fn problems(points: &Points, options: &Options) -> Vec<(&'static str, Problem)> {
    let mut problems: Vec<(&'static str, Problem)> = flat_methods()
        .into_iter()
        .map(|(name, method)| (name, problem_of(points, method.as_ref(), options)))
        .collect();
    let n = points.rows();
    let scale = (0..n).map(|i| 1.0 + 0.5 * (i as f64).sin()).collect();
    let own = Precomputed { scale: Some(scale), ..precomputed_smallest(n) };
    let matrix = Matrix::from(ring_laplacian(n));
    problems.push(("precomputed", problem_of(&matrix, &own, options)));
    problems
}

/// All methods; where the local dimension would be that of the data, every linear function has no
/// energy, and coordinates are not unique.
pub fn flat_methods() -> Vec<(&'static str, Box<dyn Method>)> {
    let flat = |(name, method): (&'static str, Box<dyn Method>)| match name {
        "hlle" => (name, Box::new(HessianLle { local_dimension: Some(2) }) as Box<dyn Method>),
        "ltsa" => (name, Box::new(Ltsa { local_dimension: Some(2) }) as Box<dyn Method>),
        "mlle" => {
            let local_dimension = Some(2);
            (
                name,
                Box::new(ModifiedLle { local_dimension, ..Default::default() }) as Box<dyn Method>,
            )
        }
        _ => (name, method),
    };
    point_methods().into_iter().map(flat).collect()
}

/// The default options with the original methods' own strategy, which laws of eigenvectors are about.
pub fn original() -> Options {
    Options { strategy: Strategy::orthogonal(), ..Options::default() }
}
