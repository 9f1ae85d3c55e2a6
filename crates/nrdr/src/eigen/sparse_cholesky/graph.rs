//! Graphs with weights, their parts, and their coarser versions.

use crate::linalg::SparseMatrix;

/// Pairs of vertices heavier than this share of the whole are not contracted.
const HEAVY: u32 = 60;
/// No vertex, no level.
pub(super) const NONE: u32 = u32::MAX;

/// Where a vertex lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Side {
    Left,
    Right,
    Separator,
}

/// An undirected graph without loops, in compressed rows.
#[derive(Default)]
pub(super) struct Graph {
    offsets: Vec<u32>,
    /// The neighbours of each vertex, with the number of original edges to them.
    edges: Vec<(u32, u32)>,
    /// How many original vertices each stands for.
    pub(super) weights: Vec<u32>,
    /// What the vertices are called outside; empty in coarse graphs.
    pub(super) names: Vec<u32>,
}

impl Graph {
    /// The off-diagonal pattern of a symmetric matrix. Vertices that are near in the graph get numbers that are near,
    /// which saves most of the waiting for memory later.
    pub(super) fn new(matrix: &SparseMatrix) -> Self {
        let n = matrix.size();
        let mut names: Vec<u32> = Vec::with_capacity(n);
        let mut number = vec![NONE; n];
        for start in 0..n {
            if number[start] != NONE {
                continue;
            }
            let mut next = names.len();
            number[start] = next as u32;
            names.push(start as u32);
            while let Some(&i) = names.get(next) {
                next += 1;
                for &j in matrix.columns(i as usize) {
                    if number[j as usize] == NONE {
                        number[j as usize] = names.len() as u32;
                        names.push(j);
                    }
                }
            }
        }
        let mut graph = Graph::with_capacity(n, matrix.entries());
        for &i in &names {
            let others = matrix.columns(i as usize).iter().filter(|&&j| j != i);
            graph.edges.extend(others.map(|&j| (number[j as usize], 1)));
            graph.close(1);
        }
        graph.names = names;
        graph
    }

    fn with_capacity(vertices: usize, edges: usize) -> Self {
        let mut offsets = Vec::with_capacity(vertices + 1);
        offsets.push(0);
        let (edges, weights) = (Vec::with_capacity(edges), Vec::with_capacity(vertices));
        Graph { offsets, edges, weights, names: Vec::new() }
    }

    /// The edges pushed since the last call are those of one more vertex.
    fn close(&mut self, weight: u32) {
        self.offsets.push(self.edges.len() as u32);
        self.weights.push(weight);
    }

    pub(super) fn size(&self) -> usize {
        self.weights.len()
    }

    pub(super) fn edges(&self, i: u32) -> &[(u32, u32)] {
        &self.edges[self.offsets[i as usize] as usize..self.offsets[i as usize + 1] as usize]
    }

    pub(super) fn neighbors(&self, i: u32) -> impl Iterator<Item = u32> {
        self.edges(i).iter().map(|&(j, _)| j)
    }

    pub(super) fn directed_edges(&self) -> usize {
        self.edges.len()
    }

    /// The subgraph of the vertices on one side.
    pub(super) fn side(&self, sides: &[Side], wanted: Side) -> Graph {
        let mut number = vec![NONE; self.size()];
        let members = (0..self.size() as u32).filter(|&i| sides[i as usize] == wanted);
        let members: Vec<u32> = members.collect();
        for (new, &old) in members.iter().enumerate() {
            number[old as usize] = new as u32;
        }
        let room = self.edges.len() as f64 * members.len() as f64 / self.size().max(1) as f64;
        let mut part = Graph::with_capacity(members.len(), room as usize);
        for &i in &members {
            let edges = self.edges(i).iter().map(|&(j, weight)| (number[j as usize], weight));
            part.edges.extend(edges.filter(|&(j, _)| j != NONE));
            part.close(self.weights[i as usize]);
        }
        part.names = members.iter().map(|&i| self.names[i as usize]).collect();
        part
    }

    /// Steps from `start` to each vertex that can be reached from it, and those vertices in the order of the search.
    /// Vertices that have a level already are left out.
    pub(super) fn search(&self, start: u32, level: &mut [u32]) -> Vec<u32> {
        let mut order = vec![start];
        level[start as usize] = 0;
        let mut next = 0;
        while let Some(&i) = order.get(next) {
            next += 1;
            let deeper = level[i as usize] + 1;
            for &(j, _) in self.edges(i) {
                if level[j as usize] == NONE {
                    level[j as usize] = deeper;
                    order.push(j);
                }
            }
        }
        order
    }

    /// A graph of about half the size, with the vertex that each vertex became part of: the ends of a heavy edge become
    /// one vertex (heavy-edge matching).
    pub(super) fn coarsen(&self) -> (Graph, Vec<u32>) {
        let (partner, coarse) = self.matching();
        let mut whole = Graph::with_capacity(coarse.len(), self.edges.len());
        // Where the edge to a coarse vertex is, if it was met already.
        let mut seen = vec![0u32; coarse.len()];
        for i in 0..self.size() as u32 {
            let other = partner[i as usize];
            if other < i {
                continue;
            }
            let (me, start) = (coarse[i as usize], whole.edges.len());
            let members = if other == i { &[i][..] } else { &[i, other][..] };
            for &(j, weight) in members.iter().flat_map(|&member| self.edges(member)) {
                let target = coarse[j as usize];
                let at = seen[target as usize] as usize;
                match whole.edges.get_mut(at) {
                    _ if target == me => (),
                    Some(edge) if at >= start && edge.0 == target => edge.1 += weight,
                    _ => {
                        seen[target as usize] = whole.edges.len() as u32;
                        whole.edges.push((target, weight));
                    }
                }
            }
            whole.close(members.iter().map(|&member| self.weights[member as usize]).sum());
        }
        (whole, coarse)
    }

    /// The vertex that each is matched with (itself if none), and the number of the pair.
    fn matching(&self) -> (Vec<u32>, Vec<u32>) {
        let n = self.size();
        let limit = (self.weights.iter().sum::<u32>() / HEAVY).max(2);
        let mut partner = vec![NONE; n];
        let mut coarse = vec![0; n];
        let mut pairs = 0;
        for i in 0..n as u32 {
            if partner[i as usize] != NONE {
                continue;
            }
            let own = self.weights[i as usize];
            let free = self.edges(i).iter().filter(|&&(j, _)| {
                partner[j as usize] == NONE && own + self.weights[j as usize] <= limit
            });
            let best = free.max_by_key(|&&(j, weight)| {
                (weight, u32::MAX - self.weights[j as usize], u32::MAX - j)
            });
            let other = best.map_or(i, |&(j, _)| j);
            partner[i as usize] = other;
            partner[other as usize] = i;
            coarse[i as usize] = pairs;
            coarse[other as usize] = pairs;
            pairs += 1;
        }
        (partner, coarse)
    }
}
