//! Nested dissection: an elimination order for sparse Cholesky with little fill.
//!
//! A set of vertices (the separator) splits the graph into two halves without an edge between
//! them; the halves are ordered first, each by the same rule, and the separator last. Neither half
//! fills the other, and the two can be worked on at the same time. The separator is taken from the
//! levels of a breadth-first search that starts at one end of the graph: on the neighbour graph of a
//! long strip the levels run across it, which is the shortest cut there is.

use crate::matrix::SparseMatrix;

/// Parts of this size are not split further.
const LEAF: usize = 24;

/// Halves that differ more than this in size make poor progress,
const LOPSIDED: usize = 16;
/// which is accepted this many times: a few vertices with very many edges may have to go first.
const PATIENCE: usize = 64;

/// A part of the elimination order: first the two halves, then the part's own vertices.
pub(crate) struct Part {
    pub(crate) vertices: Vec<u32>,
    pub(crate) halves: Option<Box<[Part; 2]>>,
}

/// Orders the vertices of the graph that a symmetric matrix's off-diagonal entries form.
pub(crate) fn dissect(matrix: &SparseMatrix) -> Part {
    let n = matrix.size();
    let mut graph = Subgraph {
        offsets: Vec::with_capacity(n + 1),
        edges: Vec::with_capacity(matrix.entries()),
        names: (0..n as u32).collect(),
        end: None,
    };
    graph.offsets.push(0);
    for i in 0..n {
        let others = matrix.columns(i).iter();
        graph.edges.extend(others.filter(|&&j| j as usize != i));
        graph.offsets.push(graph.edges.len() as u32);
    }
    split(graph, PATIENCE)
}

/// A part of the graph with its own numbering.
struct Subgraph {
    offsets: Vec<u32>,
    edges: Vec<u32>,
    /// The vertices' numbers in the whole graph.
    names: Vec<u32>,
    /// A vertex at one end, where a search should start, if one is known.
    end: Option<u32>,
}

impl Subgraph {
    fn size(&self) -> usize {
        self.names.len()
    }

    fn edges(&self, i: u32) -> &[u32] {
        &self.edges[self.offsets[i as usize] as usize..self.offsets[i as usize + 1] as usize]
    }

    /// Vertices in the order in which a breadth-first search reaches them, and each one's level.
    fn levels(&self, start: u32) -> (Vec<u32>, Vec<u32>) {
        let mut level = vec![UNREACHED; self.size()];
        let mut order = Vec::with_capacity(self.size());
        self.search(start, &mut level, &mut order);
        (order, level)
    }

    /// Adds what can be reached from `start` to the order.
    fn search(&self, start: u32, level: &mut [u32], order: &mut Vec<u32>) {
        let mut next = order.len();
        level[start as usize] = 0;
        order.push(start);
        while let Some(&i) = order.get(next) {
            next += 1;
            for &j in self.edges(i) {
                if level[j as usize] == UNREACHED {
                    level[j as usize] = level[i as usize] + 1;
                    order.push(j);
                }
            }
        }
    }

    /// The subgraph of the vertices on one side, numbered in the given order.
    fn side(&self, order: &[u32], sides: &[Side], wanted: Side) -> Subgraph {
        let mut number = vec![0; self.size()];
        let members = order.iter().copied();
        let members: Vec<u32> = members.filter(|&i| sides[i as usize] == wanted).collect();
        for (new, &old) in members.iter().enumerate() {
            number[old as usize] = new as u32;
        }
        let mut part = Subgraph {
            offsets: Vec::with_capacity(members.len() + 1),
            edges: Vec::with_capacity(self.edges.len() * members.len() / self.size()),
            names: members.iter().map(|&i| self.names[i as usize]).collect(),
            end: None,
        };
        part.offsets.push(0);
        for &i in &members {
            let kept = self.edges(i).iter();
            let kept = kept.filter(|&&j| sides[j as usize] == wanted);
            part.edges.extend(kept.map(|&j| number[j as usize]));
            part.offsets.push(part.edges.len() as u32);
        }
        part
    }
}

const UNREACHED: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
    Separator,
}

fn split(graph: Subgraph, patience: usize) -> Part {
    let n = graph.size();
    let whole = |graph: Subgraph| Part { vertices: graph.names, halves: None };
    if n <= LEAF {
        return whole(graph);
    }
    let (order, sides, connected) = sides(&graph);
    let of_side = |wanted| sides.iter().filter(|&&s| s == wanted).count();
    let smaller = of_side(Side::Left).min(of_side(Side::Right));
    let lopsided = smaller < n / LOPSIDED;
    if smaller == 0 || lopsided && patience == 0 {
        return whole(graph);
    }
    let patience = if lopsided { patience - 1 } else { PATIENCE };
    let separator = sides.iter().zip(&graph.names);
    let separator = separator.filter(|&(&side, _)| side == Side::Separator);
    let vertices = separator.map(|(_, &name)| name).collect();
    let (mut left, mut right) = join(
        n,
        || graph.side(&order, &sides, Side::Left),
        || graph.side(&order, &sides, Side::Right),
    );
    if connected {
        // The search went from one end to the other: the halves have these ends.
        left.end = Some(0);
        right.end = Some(right.size() as u32 - 1);
    }
    drop(graph);
    let halves = join(n, || split(left, patience), || split(right, patience));
    Part { vertices, halves: Some(Box::new([halves.0, halves.1])) }
}

/// Works on two halves of a part with `size` vertices, at the same time where that pays.
pub(super) fn join<A: Send, B: Send>(
    size: usize,
    left: impl FnOnce() -> A + Send,
    right: impl FnOnce() -> B + Send,
) -> (A, B) {
    match is_large(size) {
        true => rayon::join(left, right),
        false => (left(), right()),
    }
}

/// Whether the halves of a part with `size` vertices are worth a task each.
pub(super) fn is_large(size: usize) -> bool {
    size > 1000
}

/// The vertices in a convenient order, the side of each, and whether the graph is connected.
fn sides(graph: &Subgraph) -> (Vec<u32>, Vec<Side>, bool) {
    let n = graph.size();
    let (mut order, mut level) = graph.levels(graph.end.unwrap_or(0));
    if order.len() < n {
        let sides = sides_of_components(graph, order, level);
        return ((0..n as u32).collect(), sides, false);
    }
    if graph.end.is_none() {
        // The last vertex reached lies at one end.
        (order, level) = graph.levels(order[n - 1]);
    }
    let cut = best_level(&order, &level);
    let touches = |i: u32, other: u32| graph.edges(i).iter().any(|&j| level[j as usize] == other);
    let mut sides: Vec<Side> =
        level.iter().map(|&l| if l <= cut { Side::Left } else { Side::Right }).collect();
    // Either the vertices before the cut that touch it or those behind it separate the halves.
    let facing = |own: u32, other: u32| {
        let level = &level;
        let members = order.iter().copied();
        let members = members.filter(|&i| level[i as usize] == own && touches(i, other));
        members.collect::<Vec<u32>>()
    };
    let (before, behind) = (facing(cut, cut + 1), facing(cut + 1, cut));
    let separator = if before.len() <= behind.len() { before } else { behind };
    for i in separator {
        sides[i as usize] = Side::Separator;
    }
    (order, sides, true)
}

/// A graph that is not connected needs no separator: components go left until half is there.
fn sides_of_components(graph: &Subgraph, mut order: Vec<u32>, mut level: Vec<u32>) -> Vec<Side> {
    let n = graph.size();
    let mut sides = vec![Side::Right; n];
    let mut start = 0;
    while order.len() <= n / 2 {
        while level[start] != UNREACHED {
            start += 1;
        }
        graph.search(start as u32, &mut level, &mut order);
    }
    for i in order {
        sides[i as usize] = Side::Left;
    }
    if sides.iter().all(|&side| side == Side::Left) {
        // The last component was the large one: it goes right.
        let (_, last) = graph.levels(start as u32);
        for (side, level) in sides.iter_mut().zip(last) {
            if level != UNREACHED {
                *side = Side::Right;
            }
        }
    }
    sides
}

/// The level after which to cut: halves of similar size and a short cut.
fn best_level(order: &[u32], level: &[u32]) -> u32 {
    let n = order.len();
    let last = level[order[n - 1] as usize];
    let mut sizes = vec![0usize; last as usize + 1];
    for &l in level {
        sizes[l as usize] += 1;
    }
    let (mut best, mut best_cost) = (0, f64::INFINITY);
    let mut before = 0;
    for (l, pair) in sizes.windows(2).enumerate() {
        before += pair[0];
        let share = before as f64 / n as f64;
        let imbalance = (share - 0.5).abs();
        let cut = pair[0].min(pair[1]) as f64;
        // Doubling the cut weighs as much as moving it a third of the way to one end.
        let cost = cut * (1.0 + 4.0 * imbalance) / (1.0 - 2.0 * imbalance).max(1e-3);
        if cost < best_cost {
            (best, best_cost) = (l as u32, cost);
        }
    }
    best
}
