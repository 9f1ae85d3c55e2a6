//! The order within a small part: approximate minimum degree, and the supernodes of its elimination tree.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

use super::dissection::Part;
use super::graph::{Graph, NONE};
use crate::linalg::SparseMatrix;

/// Columns up to so many are put together if the share of zeros that are then stored is at most so large.
const RELAXED: [(usize, f64); 4] = [(4, 1.0), (16, 0.8), (48, 0.1), (usize::MAX, 0.05)];

/// Orders a part of the graph of a matrix. All that it touches elsewhere is eliminated later.
pub(super) fn order(graph: &Graph, matrix: &SparseMatrix) -> Vec<Part> {
    let order = minimum_degree(graph);
    let (parent, counts) = elimination_tree(graph, matrix, &order);
    let mut nodes: Vec<Supernode> = Vec::with_capacity(order.len());
    for (at, &vertex) in order.iter().enumerate() {
        let vertices = vec![graph.names[vertex as usize]];
        nodes.push(Supernode { vertices, rows: counts[at], zeros: 0, children: Vec::new() });
    }
    let mut roots = Vec::new();
    for at in 0..nodes.len() {
        let node = std::mem::take(&mut nodes[at]).absorb_children();
        match nodes.get_mut(parent[at] as usize) {
            Some(parent) => parent.children.push(node),
            None => roots.push(node.into_part()),
        }
    }
    roots
}

/// The vertices in the order of approximate minimum degree.
fn minimum_degree(graph: &Graph) -> Vec<u32> {
    let n = graph.size();
    let mut starts = Vec::with_capacity(n + 1);
    let mut rows: Vec<u32> = Vec::with_capacity(graph.directed_edges());
    starts.push(0);
    for i in 0..n as u32 {
        let start = rows.len();
        rows.extend(graph.neighbors(i));
        rows[start..].sort_unstable();
        starts.push(rows.len() as u32);
    }
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &rows);
    let mut order: Vec<u32> = (0..n as u32).collect();
    let mut position = order.clone();
    let scratch = amd::order_scratch::<u32>(n, rows.len());
    let mut memory = MemBuffer::new(scratch);
    let stack = MemStack::new(&mut memory);
    match amd::order(&mut order, &mut position, pattern, Default::default(), stack) {
        Ok(_) => order,
        // Too many edges for the type of the indices: any order will do.
        Err(_) => (0..n as u32).collect(),
    }
}

/// The parent of each column in the elimination tree (`NONE` at a root), and its number of entries in the factor, those
/// in rows outside of the part included.
fn elimination_tree(graph: &Graph, matrix: &SparseMatrix, order: &[u32]) -> (Vec<u32>, Vec<usize>) {
    let n = order.len();
    let mut position = vec![0; n];
    for (at, &vertex) in order.iter().enumerate() {
        position[vertex as usize] = at as u32;
    }
    let mut parent = vec![NONE; n];
    let mut counts = vec![1; n];
    let mut visited = vec![NONE; n];
    // A row of the factor has entries on the paths from the entries of the matrix to the root.
    let mut walk = |row: u32, start: u32, parent: &mut [u32]| {
        let mut at = start;
        while at < row && visited[at as usize] != row {
            visited[at as usize] = row;
            counts[at as usize] += 1;
            let up = &mut parent[at as usize];
            if *up == NONE && (row as usize) < n {
                *up = row;
            }
            at = *up;
        }
    };
    for (row, &vertex) in order.iter().enumerate() {
        for j in graph.neighbors(vertex) {
            walk(row as u32, position[j as usize], &mut parent);
        }
    }
    let mut outside: Vec<(u32, u32)> = Vec::new();
    let mut names: Vec<u32> = graph.names.clone();
    names.sort_unstable();
    for (&name, &at) in graph.names.iter().zip(&position) {
        let others = matrix.columns(name as usize).iter();
        let others = others.filter(|&other| names.binary_search(other).is_err());
        outside.extend(others.map(|&other| (other, at)));
    }
    outside.sort_unstable();
    let mut row = n as u32;
    for (k, &(other, at)) in outside.iter().enumerate() {
        row += u32::from(k > 0 && outside[k - 1].0 != other);
        walk(row, at, &mut parent);
    }
    (parent, counts)
}

/// Columns of the factor that are eliminated together.
#[derive(Default)]
struct Supernode {
    vertices: Vec<u32>,
    /// Rows of its first column.
    rows: usize,
    /// Stored entries that are zero.
    zeros: usize,
    children: Vec<Supernode>,
}

impl Supernode {
    fn own(&self) -> usize {
        self.vertices.len()
    }

    /// Stored entries on and below the diagonal.
    fn entries(&self) -> usize {
        self.own() * self.rows - self.own() * (self.own() - 1) / 2
    }

    /// Takes in the children where that costs few zeros, the last ones first.
    fn absorb_children(mut self) -> Self {
        for mut child in std::mem::take(&mut self.children).into_iter().rev() {
            let before = self.entries() + child.entries();
            let mut both = Supernode { rows: child.own() + self.rows, ..Default::default() };
            let own = child.own() + self.own();
            let after = own * both.rows - own * (own - 1) / 2;
            both.zeros = self.zeros + child.zeros + after.saturating_sub(before);
            let share = both.zeros as f64 / after as f64;
            if RELAXED.iter().any(|&(most, zeros)| own <= most && share <= zeros) {
                both.vertices = std::mem::take(&mut child.vertices);
                both.vertices.append(&mut self.vertices);
                both.children = std::mem::take(&mut self.children);
                both.children.append(&mut child.children);
                self = both;
            } else {
                self.children.push(child);
            }
        }
        self
    }

    fn into_part(self) -> Part {
        let parts = self.children.into_iter().map(Supernode::into_part).collect();
        Part::new(self.vertices, parts)
    }
}
