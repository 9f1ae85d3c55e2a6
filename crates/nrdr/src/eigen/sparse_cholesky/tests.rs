use faer::prelude::Solve;
use faer::{Mat, Side};
use feral_metis::{CscPattern, metis_order};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::linalg::SparseMatrix;
use crate::progress::Watch;
use crate::stage::Stage;

/// A diagonally dominant matrix with the given links.
fn dominant(n: usize, links: &[(usize, usize)], rng: &mut ChaCha8Rng) -> SparseMatrix {
    let mut entries: Vec<_> = (0..n).map(|i| (i, i, 0.1)).collect();
    for &(i, j) in links {
        let weight = rng.random_range(0.1..1.0);
        entries.extend([(i, j, -weight), (j, i, -weight), (i, i, weight), (j, j, weight)]);
    }
    SparseMatrix::new(n, &entries).unwrap()
}

/// Links between vertices that are drawn.
fn random(n: usize, links: usize, seed: u64) -> SparseMatrix {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let links: Vec<_> =
        (0..links).map(|_| (rng.random_range(1..n), rng.random_range(0..n))).collect();
    let links: Vec<_> = links.into_iter().filter(|(i, j)| i != j).collect();
    dominant(n, &links, &mut rng)
}

/// Points in a cube, each linked with its 10 nearest neighbours.
fn cube(n: usize, dimension: usize) -> SparseMatrix {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let points: Vec<Vec<f64>> =
        (0..n).map(|_| (0..dimension).map(|_| rng.random_range(0.0..1.0)).collect()).collect();
    let mut links = Vec::new();
    for (i, a) in points.iter().enumerate() {
        let distance = |b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>();
        let mut near: Vec<_> = points.iter().enumerate().map(|(j, b)| (distance(b), j)).collect();
        near.select_nth_unstable_by(10, |a, b| a.0.total_cmp(&b.0));
        links.extend(near[..11].iter().filter(|&&(_, j)| j != i).map(|&(_, j)| (i, j)));
    }
    dominant(n, &links, &mut rng)
}

fn factor(matrix: &SparseMatrix) -> (Symbolic, Vec<f64>) {
    let symbolic = Symbolic::new(matrix);
    let mut values = Vec::new();
    let stage = Watch::new(None).stage(Stage::Factorization, |progress| {
        values = symbolic.factorize(matrix, 1.0, 0.0, progress).unwrap();
        Ok(())
    });
    stage.unwrap();
    (symbolic, values)
}

/// Entries of the factor in an order, without any zeros.
fn fill(matrix: &SparseMatrix, order: &[u32]) -> usize {
    let n = order.len();
    let mut position = vec![0; n];
    order.iter().enumerate().for_each(|(at, &vertex)| position[vertex as usize] = at);
    let (mut parent, mut visited, mut entries) = (vec![n; n], vec![n; n], n);
    for (row, &vertex) in order.iter().enumerate() {
        visited[row] = row;
        for &other in matrix.columns(vertex as usize) {
            let mut at = position[other as usize];
            while at < row && visited[at] != row {
                visited[at] = row;
                entries += 1;
                if parent[at] == n {
                    parent[at] = row;
                }
                at = parent[at];
            }
        }
    }
    entries
}

#[test]
fn the_order_is_a_permutation() {
    let sparse = random(3000, 2000, 2);
    let thick = random(600, 9000, 3);
    for matrix in [sparse, thick, cube(2000, 2), cube(1500, 3)] {
        let Symbolic { order, position, .. } = Symbolic::new(&matrix);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..matrix.size() as u32));
        assert!(order.iter().enumerate().all(|(at, &i)| position[i as usize] == at as u32));
    }
}

#[test]
fn solves_like_a_dense_cholesky() {
    for (n, links) in [(5, 4), (150, 200), (400, 1200), (700, 2500)] {
        let matrix = random(n, links, n as u64);
        let dense = Mat::from_fn(n, n, |i, j| matrix.get(i, j));
        let b = Mat::from_fn(n, 3, |i, j| ((i * 13 + j * 7) % 17) as f64 - 8.0);
        let expected = dense.llt(Side::Lower).unwrap().solve(&b);
        let (symbolic, values) = factor(&matrix);
        let mut x = b.clone();
        Cholesky::new(symbolic, values).solve(x.as_mut());
        let far = (&expected - &x).norm_max() / expected.norm_max();
        assert!(far < 1e-10, "{n}: {far:.1e}");
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let matrix = cube(6000, 3);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (symbolic, values) = pool.install(|| factor(&matrix));
        let mut x = Mat::from_fn(matrix.size(), 5, |i, j| ((i + j) % 7) as f64);
        let order = symbolic.order.clone();
        let bits: Vec<u64> = values.iter().map(|value| value.to_bits()).collect();
        pool.install(|| Cholesky::new(symbolic, values).solve(x.as_mut()));
        (order, bits, x)
    };
    let (one, three) = (with(1), with(3));
    assert!(one == three);
}

#[test]
fn fill_is_near_that_of_a_multilevel_order() {
    for dimension in [2, 3, 5] {
        let matrix = cube(4000, dimension);
        let mut starts = vec![0];
        let mut rows: Vec<i32> = Vec::new();
        for i in 0..matrix.size() {
            rows.extend(matrix.columns(i).iter().map(|&j| j as i32));
            starts.push(rows.len() as i32);
        }
        let pattern = CscPattern::new(matrix.size(), &starts, &rows).unwrap();
        let order: Vec<u32> =
            metis_order(&pattern).unwrap().into_iter().map(|at| at as u32).collect();
        let theirs = fill(&matrix, &order) as f64;
        let symbolic = Symbolic::new(&matrix);
        let ours = fill(&matrix, &symbolic.order) as f64;
        let stored = symbolic.cost.entries;
        assert!(ours < 1.3 * theirs, "dimension {dimension}: {ours} beside {theirs}");
        // Triangles above the diagonal and zeros of joined columns.
        assert!(stored < 2.2 * ours, "dimension {dimension}: {stored} for {ours}");
    }
}
