//! The structure of a sparse Cholesky factor: fronts along the tree of a nested dissection.

use faer::MatRef;

use super::dissection::{Part, dissect, join};
use crate::linalg::SparseMatrix;

/// What a factorisation will cost, known before it is done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Numbers in the factor.
    pub entries: f64,
    /// Multiplications to compute it.
    pub flops: f64,
    /// Numbers that are held beside it while it is computed, at most.
    pub held: f64,
    /// Bytes that tell where its entries are.
    pub structure: f64,
}

/// What the Cholesky factorisation of a matrix of this pattern costs.
pub fn factor_cost(matrix: &SparseMatrix) -> Cost {
    Symbolic::new(matrix).cost
}

/// The structure of the factor of one matrix pattern.
pub(crate) struct Symbolic {
    /// Original row of each position in the elimination order.
    pub(super) order: Vec<u32>,
    /// Position of each original row.
    pub(super) position: Vec<u32>,
    pub(super) root: Front,
    pub(crate) cost: Cost,
}

/// One part of the tree.
pub(super) struct Front {
    /// First position of the subtree.
    pub(super) first: usize,
    /// First position of the part's own vertices.
    pub(super) start: usize,
    /// Behind the last of them.
    pub(super) end: usize,
    /// Positions above that the subtree touches, ascending.
    pub(super) boundary: Vec<u32>,
    /// Where each position of the boundary is among the rows of the parent's front.
    pub(super) in_parent: Vec<u32>,
    /// Entries of the factor before this front's own ones; the subtree's come just before them.
    pub(super) offset: usize,
    /// Entries of the factor before the subtree's.
    pub(super) first_entry: usize,
    /// The parts below, in the order of their positions.
    pub(super) children: Vec<Front>,
}

impl Front {
    /// Number of vertices in this front and below it.
    pub(super) fn subtree_size(&self) -> usize {
        self.end - self.first
    }

    pub(super) fn own(&self) -> usize {
        self.end - self.start
    }

    pub(super) fn rows(&self) -> usize {
        self.own() + self.boundary.len()
    }

    /// The front's eliminated columns, so many in each piece; fewer, which are a whole number, remain.
    pub(super) fn columns<'v>(
        &self,
        values: &'v [f64],
        together: usize,
    ) -> std::slice::ChunksExact<'v, f64> {
        let own = &values[self.offset..][..self.own() * self.rows()];
        own.chunks_exact(together * self.rows().max(1))
    }

    /// The same as matrices: the triangle of the front's own rows, and the rows below it.
    pub(super) fn factor<'v>(&self, values: &'v [f64]) -> (MatRef<'v, f64>, MatRef<'v, f64>) {
        let own = &values[self.offset..][..self.own() * self.rows()];
        MatRef::from_column_major_slice(own, self.rows(), self.own()).split_at_row(self.own())
    }

    /// Row of a position in this front.
    pub(super) fn row_of(&self, position: u32) -> usize {
        if (position as usize) < self.end {
            return position as usize - self.start;
        }
        let at = self.boundary.partition_point(|&b| b < position);
        debug_assert!(self.boundary[at] == position);
        self.own() + at
    }

    /// Entries of the factor in this front and below it.
    pub(super) fn subtree_entries(&self) -> usize {
        self.offset + self.own() * self.rows() - self.first_entry
    }
}

impl Symbolic {
    pub(crate) fn new(matrix: &SparseMatrix) -> Self {
        let part = dissect(matrix);
        let mut order = Vec::with_capacity(matrix.size());
        list_vertices(&part, &mut order);
        let mut position = vec![0; order.len()];
        for (at, &vertex) in order.iter().enumerate() {
            position[vertex as usize] = at as u32;
        }
        let mut root = fronts(&part, 0, matrix, &position);
        let mut cost = Cost::default();
        place(&mut root, &mut cost);
        cost.held = held(&root, rayon::current_num_threads());
        cost.structure += 8.0 * matrix.size() as f64;
        Symbolic { order, position, root, cost }
    }
}

fn list_vertices(part: &Part, order: &mut Vec<u32>) {
    for below in &part.parts {
        list_vertices(below, order);
    }
    order.extend_from_slice(&part.vertices);
}

/// The front of a part whose first position is `first`.
fn fronts(part: &Part, first: usize, matrix: &SparseMatrix, position: &[u32]) -> Front {
    let end = first + part.size;
    let start = end - part.vertices.len();
    let mut children = all_fronts(&part.parts, first, matrix, position);
    let mut boundary: Vec<u32> = Vec::new();
    for &vertex in &part.vertices {
        let touched = matrix.columns(vertex as usize).iter();
        boundary.extend(touched.map(|&other| position[other as usize]));
    }
    for child in &children {
        boundary.extend_from_slice(&child.boundary);
    }
    boundary.retain(|&at| at as usize >= end);
    boundary.sort_unstable();
    boundary.dedup();
    boundary.shrink_to_fit();
    let mut front = Front {
        first,
        start,
        end,
        boundary,
        in_parent: Vec::new(),
        offset: 0,
        first_entry: 0,
        children: Vec::new(),
    };
    for child in &mut children {
        let rows = child.boundary.iter().map(|&at| front.row_of(at) as u32);
        child.in_parent = rows.collect();
    }
    front.children = children;
    front
}

/// The fronts of parts that lie side by side.
fn all_fronts(parts: &[Part], first: usize, matrix: &SparseMatrix, position: &[u32]) -> Vec<Front> {
    if let [part] = parts {
        return vec![fronts(part, first, matrix, position)];
    }
    let (left, right) = parts.split_at(parts.len() / 2);
    if right.is_empty() {
        return Vec::new();
    }
    let size_of = |parts: &[Part]| parts.iter().map(|part| part.size).sum::<usize>();
    let middle = first + size_of(left);
    let (mut all, others) = join(
        size_of(parts),
        || all_fronts(left, first, matrix, position),
        || all_fronts(right, middle, matrix, position),
    );
    all.extend(others);
    all
}

/// Runs `visit` on fronts that lie side by side, with their parts of `data`, in parallel where that pays.
pub(super) fn visit<X: Send, T: Send>(
    fronts: &[Front],
    data: &mut [X],
    extent: fn(&Front) -> usize,
    visit_one: &(impl Fn(&Front, &mut [X]) -> T + Sync),
) -> Vec<T> {
    if let [front] = fronts {
        return vec![visit_one(front, data)];
    }
    let (left, right) = fronts.split_at(fronts.len() / 2);
    if right.is_empty() {
        return Vec::new();
    }
    let (data_left, data_right) = data.split_at_mut(left.iter().map(extent).sum());
    let (mut all, others) = join(
        fronts.iter().map(Front::subtree_size).sum(),
        || visit(left, data_left, extent, visit_one),
        || visit(right, data_right, extent, visit_one),
    );
    all.extend(others);
    all
}

/// Gives each front its place in the factor and adds up the cost.
fn place(front: &mut Front, cost: &mut Cost) {
    front.first_entry = cost.entries as usize;
    for child in &mut front.children {
        place(child, cost);
    }
    let (own, rows) = (front.own() as f64, front.rows() as f64);
    front.offset = cost.entries as usize;
    cost.entries += own * rows;
    cost.flops += own * (rows * rows - own * rows + own * own / 3.0);
    cost.structure += (size_of::<Front>() + ALLOCATED + 8 * front.boundary.len()) as f64;
}

/// What the allocator sets aside for the lists of a front beside what is in them.
const ALLOCATED: usize = 48;

/// Numbers that are held at most while a subtree is factorised on so many threads: what its parts leave over on their
/// boundaries until it is added to the front above.
fn held(front: &Front, threads: usize) -> f64 {
    let left_over = |front: &Front| {
        let boundary = front.boundary.len() as f64;
        0.5 * boundary * boundary
    };
    let below: f64 = front.children.iter().map(left_over).sum();
    held_side_by_side(&front.children, threads, &left_over).max(below + left_over(front))
}

/// The same for fronts that lie side by side, in halves as [`visit`] goes through them.
fn held_side_by_side(fronts: &[Front], threads: usize, left_over: &impl Fn(&Front) -> f64) -> f64 {
    if let [front] = fronts {
        return held(front, threads);
    }
    let (left, right) = fronts.split_at(fronts.len() / 2);
    if right.is_empty() {
        return 0.0;
    }
    if threads > 1 {
        let half = threads.div_ceil(2);
        return held_side_by_side(left, half, left_over)
            + held_side_by_side(right, half, left_over);
    }
    let kept: f64 = left.iter().map(left_over).sum();
    held_side_by_side(left, 1, left_over).max(kept + held_side_by_side(right, 1, left_over))
}
