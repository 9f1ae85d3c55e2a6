//! Graphs whose eigenvalues are known.

use std::f64::consts::PI;

use nrdr::{End, Length, Matrix, Problem, SparseMatrix};

/// Edges of a graph of so many vertices.
pub struct Graph {
    pub size: usize,
    pub edges: Vec<(usize, usize, f64)>,
    /// All eigenvalues of its Laplacian, ascending.
    pub values: Vec<f64>,
}

/// Laplacian eigenvalues of a path of n vertices, or of a ring.
fn line(n: usize, is_ring: bool) -> Vec<f64> {
    let angle = |k: usize| PI * k as f64 / n as f64 * if is_ring { 2.0 } else { 1.0 };
    (0..n).map(|k| 2.0 - 2.0 * angle(k).cos()).collect()
}

/// The product of two paths or rings, the edges along the second of which have a weight.
pub fn grid(a: usize, b: usize, is_torus: bool, weight: f64) -> Graph {
    let mut edges = Vec::new();
    for i in 0..a {
        for j in 0..b {
            if i + 1 < a || is_torus {
                edges.push((i * b + j, (i + 1) % a * b + j, 1.0));
            }
            if j + 1 < b || is_torus && b > 2 {
                edges.push((i * b + j, i * b + (j + 1) % b, weight));
            }
        }
    }
    let (first, second) = (line(a, is_torus), line(b, is_torus));
    let sums = first.iter().flat_map(|x| second.iter().map(move |y| x + weight * y));
    Graph { size: a * b, edges, values: sorted(sums.collect()) }
}

/// The path of so many vertices.
pub fn path(n: usize) -> Graph {
    let edges = (1..n).map(|i| (i - 1, i, 1.0)).collect();
    Graph { size: n, edges, values: line(n, false) }
}

/// Several copies of a graph, unconnected.
pub fn copies(graph: &Graph, count: usize) -> Graph {
    let moved = |copy: usize| {
        let by = copy * graph.size;
        graph.edges.iter().map(move |&(i, j, w)| (i + by, j + by, w))
    };
    let values = (0..count).flat_map(|_| graph.values.iter().copied()).collect();
    Graph {
        size: count * graph.size,
        edges: (0..count).flat_map(moved).collect(),
        values: sorted(values),
    }
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

impl Graph {
    /// Its Laplacian L as a problem of the largest end: 8 I - L, which is bounded by 8; the constant is the trivial direction.
    pub fn problem(&self) -> Problem {
        let mut entries = Vec::new();
        let mut degrees = vec![0.0; self.size];
        for &(i, j, weight) in &self.edges {
            entries.extend([(i, j, weight), (j, i, weight)]);
            degrees[i] += weight;
            degrees[j] += weight;
        }
        entries.extend(degrees.iter().enumerate().map(|(i, degree)| (i, i, 8.0 - degree)));
        Problem {
            matrix: Matrix::from(SparseMatrix::new(self.size, &entries).unwrap()),
            end: End::Largest,
            scale: None,
            trivial: Some(vec![1.0; self.size]),
            bound: Some(8.0),
            near_null: Vec::new(),
            length: Length::One,
            chosen: Vec::new(),
            warnings: Vec::new(),
        }
    }
}
