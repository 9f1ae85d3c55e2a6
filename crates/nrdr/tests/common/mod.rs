//! What several tests share.
#![allow(dead_code, missing_docs, unreachable_pub)]

use nrdr::datasets::SwissRoll;
use nrdr::method::Needs;
use nrdr::{
    DiffusionMaps, Embedding, End, Input, Kernel, KernelPca, LaplacianEigenmaps, Method, Options,
    Points, Precomputed, Progress, Result, SolverKind, SolverOptions, SparseMatrix, Stage, Watch,
    Weights, embed,
};

/// Runs `work` with a progress that nobody watches.
pub fn quietly<T>(work: impl FnOnce(&Progress<'_>) -> Result<T>) -> Result<T> {
    Watch::new(None).stage(Stage::Matrix, work)
}

pub fn roll(n: usize, seed: u64) -> Points {
    SwissRoll { n, noise: 0.05, ..Default::default() }.generate(seed).unwrap().points
}

/// Every method that takes points, and the variants of some that differ in their mathematics.
pub fn point_methods() -> Vec<(&'static str, Box<dyn Method>)> {
    let mut methods: Vec<(&'static str, Box<dyn Method>)> = nrdr::method::all()
        .into_iter()
        .filter(|method| method.needs() != Needs::Matrix)
        .map(|method| (method.name(), method))
        .collect();
    assert!(methods.len() >= 7);
    let kpca = |kernel, gamma| Box::new(KernelPca { kernel, gamma });
    methods.extend::<[(_, Box<dyn Method>); 6]>([
        ("lem heat", Box::new(LaplacianEigenmaps { weights: Weights::Heat { sigma: None } })),
        ("dfm 0", Box::new(DiffusionMaps { density: 0.0, ..Default::default() })),
        ("kpca poly", kpca(Kernel::Polynomial { degree: 3, constant: 1.0 }, None)),
        ("kpca cosine", kpca(Kernel::Cosine, None)),
        ("kpca sigmoid", kpca(Kernel::Sigmoid { constant: 0.0 }, Some(1e-3))),
        ("kpca linear", kpca(Kernel::Linear, None)),
    ]);
    methods
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
