//! Each method against scikit-learn, or against its definition computed densely where scikit-learn
//! has no such method or another one under its name. `scripts/make_fixtures.py` made the files.

#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::path::Path;

use nrdr::{
    DiffusionMaps, Embedding, HessianLle, Input, Isomap, Kernel, KernelPca, LaplacianEigenmaps,
    Lle, Ltsa, Matrix, Method, ModifiedLle, Options, Points, Precomputed, SolverKind,
    SolverOptions, SparseMatrix, SymmetricMatrix, Weights, embed,
};

use SolverKind::{Auto, Dense, Lanczos, ShiftInvert};

/// Largest difference of an entry; coordinates have unit length, so entries are about 0.07.
const ENTRY: f64 = 1e-6;
/// Largest relative difference of eigenvalues and lengths.
const EIGENVALUE: f64 = 1e-8;

/// The numbers of a fixture, line by line.
fn read(name: &str) -> Vec<Vec<f64>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/{name}.csv"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|line| line.split(',').map(|v| v.parse().unwrap()).collect()).collect()
}

fn points(name: &str) -> Points {
    Points::from_rows(read(&format!("points_{name}"))).unwrap()
}

/// Embeds with every solver of the list and compares with the fixture `name`.
fn agree<'a>(
    name: &str,
    input: impl Into<Input<'a>>,
    neighbors: usize,
    method: &dyn Method,
    solvers: &[SolverKind],
) {
    let (input, reference) = (input.into(), read(name));
    for &kind in solvers {
        // Lanczos stops by its residual: where gaps are narrow it must be far below the difference
        // allowed. The other solvers, and the choice among them, are tested as they are.
        let tolerance = if kind == Lanczos { 1e-13 } else { SolverOptions::default().tolerance };
        let solver = SolverOptions { kind, tolerance, ..Default::default() };
        let dims = reference[0].len();
        let options = Options { dims: dims.into(), neighbors, solver, ..common::original() };
        let label = format!("{name} by {kind:?}");
        let embedding = embed(input, method, &options).unwrap_or_else(|e| panic!("{label}: {e}"));
        assert!(embedding.warnings.is_empty(), "{label}: {:?}", embedding.warnings);
        compare(&label, &embedding, &reference, name.ends_with("ring"));
    }
}

/// Eigenvalues, lengths, each coordinate up to sign, and the span of all; where eigenvalues come in
/// pairs only the span of each pair.
fn compare(label: &str, embedding: &Embedding, reference: &[Vec<f64>], pairs: bool) {
    let dims = embedding.dims();
    let ours: Vec<Vec<f64>> = (0..dims).map(|i| embedding.coordinate(i).to_vec()).collect();
    let column = |i: usize| reference[2..].iter().map(move |row| row[i]).collect();
    let theirs: Vec<Vec<f64>> = (0..dims).map(column).collect();
    assert_eq!(ours[0].len(), theirs[0].len(), "{label}: number of points");
    for (i, c) in embedding.coordinates.iter().enumerate() {
        for (what, got, wanted) in
            [("eigenvalue", c.eigenvalue, reference[0][i]), ("length", c.length, reference[1][i])]
        {
            let difference = (got - wanted).abs() / wanted.abs();
            println!("{label}: {what} {i} off by {difference:.0e}");
            assert!(difference <= EIGENVALUE, "{label}: {what} {i} is {got}, not {wanted}");
        }
        let difference = if pairs { 0.0 } else { up_to_sign(&ours[i], &theirs[i]) };
        println!("{label}: coordinate {i} off by {difference:.0e}");
        assert!(difference <= ENTRY, "{label}: coordinate {i} differs by {difference:.1e}");
    }
    let together = if pairs { 2 } else { dims };
    for (a, b) in ours.chunks(together).zip(theirs.chunks(together)) {
        let sine = largest_sine(a, b);
        println!("{label}: span off by {sine:.0e}");
        assert!(sine <= ENTRY, "{label}: the spans differ by an angle of {sine:.1e}");
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The largest difference of an entry, for the better of the two signs.
fn up_to_sign(a: &[f64], b: &[f64]) -> f64 {
    let sign = dot(a, b).signum();
    a.iter().zip(b).map(|(a, b)| (a - sign * b).abs()).fold(0.0, f64::max)
}

/// A bound of the sine of the largest principal angle: what is left of an orthonormal basis of one
/// span outside the other.
fn largest_sine(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let (a, b) = (orthonormal(a), orthonormal(b));
    let outside = a.into_iter().map(|mut v| {
        remove(&mut v, &b);
        dot(&v, &v)
    });
    outside.sum::<f64>().sqrt()
}

fn orthonormal(vectors: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for mut v in vectors.iter().cloned() {
        remove(&mut v, &basis);
        let length = dot(&v, &v).sqrt();
        basis.push(v.iter().map(|x| x / length).collect());
    }
    basis
}

/// Takes out, twice against rounding, what lies in the span of an orthonormal basis.
fn remove(v: &mut [f64], basis: &[Vec<f64>]) {
    for known in basis.iter().chain(basis) {
        let share = dot(known, v);
        v.iter_mut().zip(known).for_each(|(x, k)| *x -= share * k);
    }
}

/// For methods with a sparse matrix whose eigenvalues are bounded.
const ALL: &[SolverKind] = &[Auto, Dense, Lanczos, ShiftInvert];
/// For the others.
const UNFACTORED: &[SolverKind] = &[Auto, Dense, Lanczos];

#[test]
fn laplacian_eigenmaps() {
    let binary = LaplacianEigenmaps::default();
    let heat = LaplacianEigenmaps { weights: Some(Weights::Heat), sigma: Some(0.4) };
    agree("lem_binary", &points("swiss"), 10, &binary, ALL);
    agree("lem_cloud", &points("cloud"), 8, &binary, ALL);
    agree("lem_ring", &points("ring"), 4, &binary, ALL);
    agree("lem_heat", &points("s_curve"), 12, &heat, ALL);
}

#[test]
fn diffusion_maps() {
    for (name, data, neighbors, epsilon, density, time) in [
        ("dfm_plain", "swiss", 10, 8.0, 0.0, 1.0),
        ("dfm_half", "swiss", 10, 8.0, 0.5, 3.0),
        ("dfm_density", "s_curve", 12, 0.2, 1.0, 1.0),
        ("dfm_all", "s_curve", 149, 1.5, 1.0, 2.0),
        ("dfm_all_plain", "cloud", 149, 10.0, 0.0, 1.0),
        ("dfm_ring", "ring", 4, 0.02, 1.0, 1.0),
    ] {
        let method = DiffusionMaps { epsilon: Some(epsilon), density, time };
        agree(name, &points(data), neighbors, &method, ALL);
    }
}

#[test]
fn locally_linear_embedding() {
    let method = Lle { regularization: 1e-3 };
    agree("lle_s_curve", &points("s_curve"), 24, &method, ALL);
    agree("lle_cloud", &points("cloud"), 6, &method, ALL);
}

#[test]
fn modified_locally_linear_embedding() {
    let of_dimension = |d| ModifiedLle { local_dimension: Some(d), ..Default::default() };
    agree("mlle_swiss", &points("swiss"), 14, &of_dimension(2), ALL);
    agree("mlle_s_curve", &points("s_curve"), 12, &of_dimension(2), ALL);
    agree("mlle_sheet", &points("sheet"), 8, &of_dimension(3), ALL);
}

#[test]
fn tangent_space_alignment() {
    let of_dimension = |d| Ltsa { local_dimension: Some(d) };
    agree("ltsa_swiss", &points("swiss"), 14, &of_dimension(2), ALL);
    agree("ltsa_sheet", &points("sheet"), 8, &of_dimension(3), ALL);
}

#[test]
fn hessian_lle() {
    let of_dimension = |d| HessianLle { local_dimension: Some(d) };
    agree("hlle_swiss", &points("swiss"), 6, &of_dimension(2), ALL);
    agree("hlle_sheet", &points("sheet"), 6, &of_dimension(2), ALL);
    agree("hlle_solid", &points("sheet"), 10, &of_dimension(3), ALL);
    agree("hlle_more", &points("s_curve"), 14, &of_dimension(2), ALL);
}

#[test]
fn isomap() {
    let method = Isomap::default();
    agree("isomap_swiss", &points("swiss"), 8, &method, UNFACTORED);
    agree("isomap_cloud", &points("cloud"), 6, &method, UNFACTORED);
    agree("isomap_ring", &points("ring"), 4, &method, UNFACTORED);
}

#[test]
fn kernel_pca() {
    for (name, data, kernel, gamma) in [
        ("kpca_rbf", "s_curve", Kernel::Rbf, Some(0.5)),
        ("kpca_polynomial", "cloud", Kernel::Polynomial, Some(0.1)),
        ("kpca_cosine", "cloud", Kernel::Cosine, None),
        ("kpca_sigmoid", "cloud", Kernel::Sigmoid, Some(0.02)),
        ("kpca_linear", "cloud", Kernel::Linear, None),
    ] {
        let constant = if kernel == Kernel::Sigmoid { 0.1 } else { 1.0 };
        let method = KernelPca { kernel, gamma, constant, ..Default::default() };
        agree(name, &points(data), 1, &method, UNFACTORED);
    }
}

/// The matrix of Laplacian eigenmaps with its scale and trivial direction, built here.
#[test]
fn precomputed() {
    let points = points("swiss");
    let (n, k) = (points.rows(), 10);
    let squared = |i: usize, j: usize| -> f64 {
        points.row(i).iter().zip(points.row(j)).map(|(a, b)| (a - b).powi(2)).sum()
    };
    let mut joined = vec![false; n * n];
    for i in 0..n {
        let mut others: Vec<usize> = (0..n).filter(|&j| j != i).collect();
        others.sort_by(|&a, &b| squared(i, a).total_cmp(&squared(i, b)));
        for &j in &others[..k] {
            (joined[i * n + j], joined[j * n + i]) = (true, true);
        }
    }
    let degree = |i: usize| joined[i * n..][..n].iter().filter(|&&edge| edge).count() as f64;
    let roots: Vec<f64> = (0..n).map(|i| degree(i).sqrt()).collect();
    let entries: Vec<(usize, usize, f64)> = (0..n * n)
        .filter(|&at| joined[at])
        .map(|at| (at / n, at % n, 1.0 / (roots[at / n] * roots[at % n])))
        .collect();
    let mut values = vec![0.0; n * n];
    entries.iter().for_each(|&(i, j, value)| values[i * n + j] = value);

    let method = Precomputed {
        scale: Some(roots.iter().map(|root| root.recip()).collect()),
        trivial: Some(roots),
        bound: Some(1.0),
        ..Default::default()
    };
    let sparse: Matrix = SparseMatrix::new(n, &entries).unwrap().into();
    let dense: Matrix = SymmetricMatrix::new(values).unwrap().into();
    agree("lem_binary", &sparse, 1, &method, ALL);
    agree("lem_binary", &dense, 1, &method, UNFACTORED);
}
