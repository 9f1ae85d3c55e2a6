//! Lengths of shortest paths between all pairs of vertices.
//!
//! Dijkstra's algorithm runs from one vertex of a small cluster; the order in which it settles the
//! vertices is almost right for the cluster's other vertices too. So the distances from all of them
//! are relaxed together, in that order, over and over until nothing changes: a few sweeps of wide
//! arithmetic instead of many heaps. At that fixed point each distance is the smallest sum of lengths,
//! in floating point, over all paths: the same bits as Dijkstra's from each vertex alone.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use crate::error::Result;
use crate::linalg::vector::vectorized;
use crate::linalg::{SparseMatrix, SymmetricMatrix};
use crate::progress::Progress;

/// Sources handled together.
const LANES: usize = 16;

/// The lengths of the shortest paths between all pairs of vertices of an undirected graph.
pub(crate) fn all_distances(
    edges: &SparseMatrix,
    progress: &Progress<'_>,
) -> Result<SymmetricMatrix> {
    let n = edges.size();
    let clusters = clusters(edges);
    // Vertices of a cluster get neighbouring numbers, and so neighbouring places in memory.
    let order: Vec<u32> = clusters.iter().flatten().copied().collect();
    let graph = renumber(edges, &order);
    let mut values = SymmetricMatrix::room(n)?;
    let mut rows: Vec<Option<&mut [f64]>> = values.chunks_mut(n).map(Some).collect();
    let mut jobs = Vec::with_capacity(clusters.len());
    let mut start = 0;
    for cluster in &clusters {
        let own: Vec<&mut [f64]> =
            cluster.iter().filter_map(|&i| rows[i as usize].take()).collect();
        jobs.push((start, own));
        start += cluster.len();
    }
    jobs.into_par_iter().try_for_each_init(
        || (Dijkstra::new(n), vec![[0.0; LANES]; n]),
        |(dijkstra, distances), (first, mut rows)| {
            let settled = dijkstra.run(&graph, first);
            sweep(&graph, settled, first..first + rows.len(), distances);
            for (lane, row) in rows.iter_mut().enumerate() {
                for (lanes, &vertex) in distances.iter().zip(&order) {
                    row[vertex as usize] = lanes[lane];
                }
            }
            progress.advance(rows.len(), n)
        },
    )?;
    Ok(SymmetricMatrix::from_rows_mirrored(n, values))
}

/// Groups of up to `LANES` vertices that are near each other.
fn clusters(edges: &SparseMatrix) -> Vec<Vec<u32>> {
    let n = edges.size();
    let mut taken = vec![false; n];
    let mut clusters = Vec::new();
    // Seeds come from the fringe of the last cluster, so that few vertices are left over alone.
    let mut fringe = Vec::new();
    let mut next = 0;
    while next < n {
        let Some(seed) = fringe.pop().or_else(|| {
            next += 1;
            Some(next as u32 - 1)
        }) else {
            break;
        };
        if taken[seed as usize] {
            continue;
        }
        let mut cluster = vec![seed];
        taken[seed as usize] = true;
        let mut at = 0;
        while at < cluster.len() {
            for &j in edges.columns(cluster[at] as usize) {
                if !taken[j as usize] {
                    if cluster.len() < LANES {
                        taken[j as usize] = true;
                        cluster.push(j);
                    } else {
                        fringe.push(j);
                    }
                }
            }
            at += 1;
        }
        clusters.push(cluster);
    }
    clusters
}

/// The graph with vertex `order[i]` renamed to `i`.
fn renumber(edges: &SparseMatrix, order: &[u32]) -> SparseMatrix {
    let mut number = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        number[old as usize] = new as u32;
    }
    SparseMatrix::build(
        order.len(),
        || (),
        |i, (), out| {
            let row = edges.row(order[i] as usize);
            out.extend(row.map(|(j, length)| (number[j], length)));
            out.sort_unstable_by_key(|&(j, _)| j);
        },
    )
}

/// Relaxes the distances from several sources until nothing changes.
fn sweep(
    graph: &SparseMatrix,
    order: &[u32],
    sources: std::ops::Range<usize>,
    distances: &mut [[f64; LANES]],
) {
    distances.fill([f64::INFINITY; LANES]);
    for (lane, source) in sources.enumerate() {
        distances[source][lane] = 0.0;
    }
    let mut changed = true;
    while changed {
        changed = vectorized(|| {
            let mut changed = false;
            for &i in order {
                let before = distances[i as usize];
                let mut best = before;
                for (&j, &length) in graph.columns(i as usize).iter().zip(graph.values(i as usize))
                {
                    let other = &distances[j as usize];
                    for lane in 0..LANES {
                        let through = other[lane] + length;
                        best[lane] = if through < best[lane] { through } else { best[lane] };
                    }
                }
                changed |= best != before;
                distances[i as usize] = best;
            }
            changed
        });
    }
}

/// Dijkstra's algorithm, with memory for one run after another.
pub(crate) struct Dijkstra {
    distances: Vec<f64>,
    settled: Vec<u32>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Dijkstra {
    pub(crate) fn new(n: usize) -> Self {
        Dijkstra {
            distances: vec![0.0; n],
            settled: Vec::with_capacity(n),
            heap: BinaryHeap::new(),
        }
    }

    /// The vertices in the order of their distance from `source`; those out of reach come last.
    fn run(&mut self, graph: &SparseMatrix, source: usize) -> &[u32] {
        self.from(graph, [(source as u32, 0.0)]);
        let out_of_reach = (0..graph.size() as u32).zip(&self.distances);
        let out_of_reach = out_of_reach.filter(|(_, d)| d.is_infinite());
        self.settled.extend(out_of_reach.map(|(i, _)| i));
        &self.settled
    }

    /// The lengths of the shortest paths that begin at one of some vertices, with the length that each has already.
    pub(crate) fn from(
        &mut self,
        graph: &SparseMatrix,
        sources: impl IntoIterator<Item = (u32, f64)>,
    ) -> &[f64] {
        self.distances.fill(f64::INFINITY);
        self.settled.clear();
        for (source, distance) in sources {
            if distance < self.distances[source as usize] {
                self.distances[source as usize] = distance;
                // Bits of numbers that are not negative compare like the numbers.
                self.heap.push(Reverse((distance.to_bits(), source)));
            }
        }
        while let Some(Reverse((bits, i))) = self.heap.pop() {
            let distance = f64::from_bits(bits);
            if distance > self.distances[i as usize] {
                continue;
            }
            self.settled.push(i);
            for (j, length) in graph.row(i as usize) {
                let through = distance + length;
                if through < self.distances[j] {
                    self.distances[j] = through;
                    self.heap.push(Reverse((through.to_bits(), j as u32)));
                }
            }
        }
        &self.distances
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_hold_every_vertex_once() {
        let ring = |i: usize| (i, (i + 1) % 100, 1.0);
        let entries: Vec<_> =
            (0..100).map(ring).flat_map(|(i, j, d)| [(i, j, d), (j, i, d)]).collect();
        let edges = SparseMatrix::new(100, &entries).unwrap();
        let clusters = clusters(&edges);
        let mut all: Vec<u32> = clusters.concat();
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<u32>>());
        assert!(clusters.iter().all(|cluster| cluster.len() <= LANES));
        assert!(clusters.len() <= 12, "{} clusters of 100 vertices", clusters.len());
    }
}
