//! Nested dissection: an elimination order for sparse Cholesky with little fill.
//!
//! A set of vertices (the separator) splits the graph into two halves without an edge between
//! them; the halves are ordered first, each by the same rule, and the separator last. Neither half
//! fills the other, and the two can be worked on at the same time. The separator is taken from the
//! levels of a breadth-first search that starts at one end of the graph: on the neighbour graph of a
//! long strip the levels run across it, which is the shortest cut there is.

use std::cmp::Ordering;

use crate::linalg::SparseMatrix;

/// Parts of this size are not split further.
const LEAF: usize = 12;

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

    /// A breadth-first search from one vertex.
    fn search(&self, start: u32) -> Levels {
        let mut levels = Levels {
            order: Vec::with_capacity(self.size()),
            level: vec![UNREACHED; self.size()],
            forward: vec![false; self.size()],
        };
        self.search_on(start, &mut levels);
        levels
    }

    /// Adds what can be reached from `start` to a search.
    fn search_on(&self, start: u32, levels: &mut Levels) {
        let Levels { order, level, forward } = levels;
        let mut next = order.len();
        level[start as usize] = 0;
        order.push(start);
        while let Some(&i) = order.get(next) {
            next += 1;
            let deeper = level[i as usize] + 1;
            for &j in self.edges(i) {
                let other = &mut level[j as usize];
                if *other == UNREACHED {
                    *other = deeper;
                    order.push(j);
                }
                forward[i as usize] |= *other == deeper;
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

/// How a breadth-first search went through a graph.
struct Levels {
    /// The vertices in the order in which they were reached.
    order: Vec<u32>,
    /// Steps from the start to each vertex.
    level: Vec<u32>,
    /// Whether a vertex has neighbours on the next level.
    forward: Vec<bool>,
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
    if is_large(size) { rayon::join(left, right) } else { (left(), right()) }
}

/// Whether the halves of a part with `size` vertices are worth a task each.
pub(super) fn is_large(size: usize) -> bool {
    size > 1000
}

/// The vertices in a convenient order, the side of each, and whether the graph is connected.
fn sides(graph: &Subgraph) -> (Vec<u32>, Vec<Side>, bool) {
    let n = graph.size();
    let mut levels = graph.search(graph.end.unwrap_or(0));
    if levels.order.len() < n {
        let sides = sides_of_components(graph, levels);
        return ((0..n as u32).collect(), sides, false);
    }
    if graph.end.is_none() {
        // The last vertex reached lies at one end.
        levels = graph.search(levels.order[n - 1]);
    }
    let cut = levels.best_cut();
    let side = |(&level, &forward): (&u32, &bool)| match level.cmp(&cut) {
        Ordering::Less => Side::Left,
        Ordering::Greater => Side::Right,
        // What does not touch the next level need not separate.
        Ordering::Equal if forward => Side::Separator,
        Ordering::Equal => Side::Left,
    };
    let sides = levels.level.iter().zip(&levels.forward).map(side).collect();
    (levels.order, sides, true)
}

/// A graph that is not connected needs no separator: components go left until half is there.
fn sides_of_components(graph: &Subgraph, mut levels: Levels) -> Vec<Side> {
    let n = graph.size();
    let mut sides = vec![Side::Right; n];
    let mut start = 0;
    while levels.order.len() <= n / 2 {
        while levels.level[start] != UNREACHED {
            start += 1;
        }
        graph.search_on(start as u32, &mut levels);
    }
    for &i in &levels.order {
        sides[i as usize] = Side::Left;
    }
    if levels.order.len() == n {
        // The last component was the large one: it goes right.
        for i in graph.search(start as u32).order {
            sides[i as usize] = Side::Right;
        }
    }
    sides
}

impl Levels {
    /// The level that separates best: few vertices, and halves of similar size.
    fn best_cut(&self) -> u32 {
        let n = self.order.len();
        let last = self.level[self.order[n - 1] as usize] as usize;
        let (mut sizes, mut separators) = (vec![0usize; last + 1], vec![0usize; last + 1]);
        for (&level, &forward) in self.level.iter().zip(&self.forward) {
            sizes[level as usize] += 1;
            separators[level as usize] += usize::from(forward);
        }
        let (mut best, mut best_cost) = (0, f64::INFINITY);
        let mut before = 0;
        for level in 0..last {
            let separator = separators[level] as f64;
            let left = (before + sizes[level]) as f64 - separator;
            before += sizes[level];
            let imbalance = (left / (n as f64 - separator).max(1.0) - 0.5).abs();
            // Few vertices against the product of the halves, which counts thrice: a lopsided cut leaves
            // most of the work undone.
            let cost = separator / (0.25 - imbalance * imbalance).max(1e-3).powi(3);
            // With nothing on one side it is no cut.
            if left > 0.0 && cost < best_cost {
                (best, best_cost) = (level as u32, cost);
            }
        }
        best
    }
}
