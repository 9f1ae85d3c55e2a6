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
    pub(super) halves: Option<Box<[Front; 2]>>,
}

impl Front {
    pub(super) fn own(&self) -> usize {
        self.end - self.start
    }

    pub(super) fn rows(&self) -> usize {
        self.own() + self.boundary.len()
    }

    /// The front's eliminated columns.
    pub(super) fn columns<'v>(&self, values: &'v [f64]) -> std::slice::ChunksExact<'v, f64> {
        let own = &values[self.offset..][..self.own() * self.rows()];
        own.chunks_exact(self.rows().max(1))
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
        let mut first = self;
        while let Some(halves) = &first.halves {
            first = &halves[0];
        }
        self.offset + self.own() * self.rows() - first.offset
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
        let mut root = fronts(&part, 0, order.len(), matrix, &position);
        let mut cost = Cost::default();
        place(&mut root, &mut cost);
        Symbolic { order, position, root, cost }
    }
}

fn list_vertices(part: &Part, order: &mut Vec<u32>) {
    for half in part.halves.iter().flat_map(|halves| halves.iter()) {
        list_vertices(half, order);
    }
    order.extend_from_slice(&part.vertices);
}

/// Number of vertices of a part with its halves.
fn count(part: &Part) -> usize {
    let halves = part.halves.iter().flat_map(|halves| halves.iter());
    part.vertices.len() + halves.map(count).sum::<usize>()
}

fn fronts(part: &Part, first: usize, end: usize, matrix: &SparseMatrix, position: &[u32]) -> Front {
    let start = end - part.vertices.len();
    let mut halves = part.halves.as_ref().map(|halves| {
        let middle = first + count(&halves[0]);
        let (left, right) = join(
            end - first,
            || fronts(&halves[0], first, middle, matrix, position),
            || fronts(&halves[1], middle, start, matrix, position),
        );
        Box::new([left, right])
    });
    let mut boundary: Vec<u32> = Vec::new();
    for &vertex in &part.vertices {
        let touched = matrix.columns(vertex as usize).iter();
        boundary.extend(touched.map(|&other| position[other as usize]));
    }
    for half in halves.iter().flat_map(|halves| halves.iter()) {
        boundary.extend_from_slice(&half.boundary);
    }
    boundary.retain(|&at| at as usize >= end);
    boundary.sort_unstable();
    boundary.dedup();
    let mut front =
        Front { first, start, end, boundary, in_parent: Vec::new(), offset: 0, halves: None };
    for half in halves.iter_mut().flat_map(|halves| halves.iter_mut()) {
        let rows = half.boundary.iter().map(|&at| front.row_of(at) as u32);
        half.in_parent = rows.collect();
    }
    front.halves = halves;
    front
}

/// Gives each front its place in the factor and adds up the cost.
fn place(front: &mut Front, cost: &mut Cost) {
    for half in front.halves.iter_mut().flat_map(|halves| halves.iter_mut()) {
        place(half, cost);
    }
    let (own, rows) = (front.own() as f64, front.rows() as f64);
    front.offset = cost.entries as usize;
    cost.entries += own * rows;
    cost.flops += own * (rows * rows - own * rows + own * own / 3.0);
}
