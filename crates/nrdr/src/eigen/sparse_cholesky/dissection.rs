//! Nested dissection: an elimination order for sparse Cholesky with little fill.
//!
//! A set of vertices (the separator) splits the graph into two halves without an edge between
//! them; the halves are ordered first, each by the same rule, and the separator last. Neither half
//! fills the other, and the two can be worked on at the same time. Small parts are ordered by
//! minimum degree.

use super::graph::{Graph, NONE, Side};
use super::{leaf, separator};
use crate::linalg::SparseMatrix;

/// Parts of this size are not split further.
const LEAF: usize = 100;
/// Nor are flat ones of this size.
const FLAT_LEAF: usize = 4000;
/// A separator with fewer vertices than this times the root of the number of edges shows that a part is flat.
const FLAT: f64 = 0.5;
/// Larger parts that cannot be split are taken as dense.
const LARGE_LEAF: usize = 4000;

/// Halves that differ more than this in size make poor progress,
const LOPSIDED: usize = 16;
/// which is accepted this many times: a few vertices with very many edges may have to go first.
const PATIENCE: usize = 64;

/// A part of the elimination order: first the parts below, then the part's own vertices.
pub(super) struct Part {
    pub(super) vertices: Vec<u32>,
    pub(super) parts: Vec<Part>,
    /// Number of vertices, those of the parts below included.
    pub(super) size: usize,
}

impl Part {
    pub(super) fn new(vertices: Vec<u32>, parts: Vec<Part>) -> Self {
        let size = vertices.len() + parts.iter().map(|part| part.size).sum::<usize>();
        Part { vertices, parts, size }
    }
}

/// Orders the vertices of the graph that a symmetric matrix's off-diagonal entries form.
pub(super) fn dissect(matrix: &SparseMatrix) -> Part {
    let mut parts = split(Graph::new(matrix), matrix, PATIENCE);
    match parts.pop() {
        Some(root) if parts.is_empty() => root,
        last => {
            parts.extend(last);
            Part::new(Vec::new(), parts)
        }
    }
}

/// Parts of a graph that have no edges between them.
fn split(graph: Graph, matrix: &SparseMatrix, patience: usize) -> Vec<Part> {
    let n = graph.size();
    if n <= LEAF {
        return leaf::order(&graph, matrix);
    }
    let Some(sides) = sides(&graph) else { return leaf::order(&graph, matrix) };
    let of_side = |wanted| sides.iter().filter(|&&s| s == wanted).count();
    let smaller = of_side(Side::Left).min(of_side(Side::Right));
    let lopsided = smaller < n / LOPSIDED;
    if smaller == 0 || lopsided && patience == 0 {
        let is_small = n <= LARGE_LEAF;
        let whole = |graph: Graph| vec![Part::new(graph.names, Vec::new())];
        return if is_small { leaf::order(&graph, matrix) } else { whole(graph) };
    }
    let patience = if lopsided { patience - 1 } else { PATIENCE };
    let separator = sides.iter().zip(&graph.names);
    let separator = separator.filter(|&(&side, _)| side == Side::Separator);
    let vertices: Vec<u32> = separator.map(|(_, &name)| name).collect();
    let (left, right) =
        join(n, || graph.side(&sides, Side::Left), || graph.side(&sides, Side::Right));
    drop((graph, sides));
    let (mut parts, others) =
        join(n, || split(left, matrix, patience), || split(right, matrix, patience));
    parts.extend(others);
    if vertices.is_empty() { parts } else { vec![Part::new(vertices, parts)] }
}

/// Works on two halves of a part with `size` vertices, at the same time where that pays.
pub(super) fn join<A: Send, B: Send>(
    size: usize,
    left: impl FnOnce() -> A + Send,
    right: impl FnOnce() -> B + Send,
) -> (A, B) {
    if size > 1000 { rayon::join(left, right) } else { (left(), right()) }
}

/// A graph that is not connected needs no separator: components go left until half is there. `component` is the first,
/// and `level` is given where a vertex was reached.
fn sides_of_components(graph: &Graph, mut component: Vec<u32>, mut level: Vec<u32>) -> Vec<Side> {
    let n = graph.size();
    let mut sides = vec![Side::Right; n];
    let (mut left, mut start) = (0, 0);
    loop {
        // A large component goes right, with what was not reached.
        if left > 0 && left + component.len() > n - n / 4 {
            return sides;
        }
        left += component.len();
        component.iter().for_each(|&i| sides[i as usize] = Side::Left);
        if left >= n / 2 {
            return sides;
        }
        while level[start] != NONE {
            start += 1;
        }
        component = graph.search(start as u32, &mut level);
    }
}

/// The sides of the vertices, unless minimum degree will do better.
fn sides(graph: &Graph) -> Option<Vec<Side>> {
    let n = graph.size();
    let mut level = vec![NONE; n];
    let reached = graph.search(0, &mut level);
    if reached.len() < n {
        return Some(sides_of_components(graph, reached, level));
    }
    let across = separator::across(graph, reached[n - 1]);
    let size = across.iter().filter(|&&side| side == Side::Separator).count() as f64;
    // On a surface this is about the thickness of a line times its length; in a volume there is more.
    let is_flat = size <= FLAT * (graph.directed_edges() as f64).sqrt();
    match is_flat {
        true if n <= FLAT_LEAF => None,
        true => Some(across),
        false => Some(separator::separate(graph)),
    }
}
