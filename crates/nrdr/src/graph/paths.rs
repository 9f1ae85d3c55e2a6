//! Lengths of shortest paths from few vertices to all.
//!
//! Vertices wait in buckets by their distance instead of a heap. Within a bucket they come in any order, so that some are
//! followed before their distance is final, and then once more; but to put one in and to take it out costs next to
//! nothing. It ends when no distance can be less: each is the smallest sum of lengths, in floating point, over all paths, the same
//! bits as Dijkstra's.

use rayon::prelude::*;

use crate::error::Result;
use crate::linalg::SparseMatrix;
use crate::progress::Progress;

/// Width of a bucket beside the median length of an edge.
const WIDTH: f64 = 0.5;
/// Edges that this is the median of.
const SOME: usize = 4096;
/// How many buckets there are; edges longer than all of them end in the last.
const BUCKETS: usize = 128;

/// Finds shortest paths, with memory for one search after another.
pub(crate) struct Paths<'g> {
    graph: &'g SparseMatrix,
    /// Buckets for a unit of length.
    scale: f64,
    distances: Vec<f64>,
    /// The distance of each vertex when its edges were last followed.
    followed: Vec<f64>,
    buckets: Vec<Vec<u32>>,
}

impl<'g> Paths<'g> {
    pub(crate) fn new(graph: &'g SparseMatrix) -> Self {
        Paths {
            graph,
            scale: typical(graph).map_or(0.0, |length| (WIDTH * length).recip()),
            distances: vec![0.0; graph.size()],
            followed: vec![0.0; graph.size()],
            buckets: vec![Vec::new(); BUCKETS],
        }
    }

    /// The lengths of the shortest paths that begin at one of some vertices, with the length that each has already.
    pub(crate) fn from(&mut self, sources: impl IntoIterator<Item = (u32, f64)>) -> &[f64] {
        let Paths { graph, scale, distances, followed, buckets } = self;
        distances.fill(f64::INFINITY);
        followed.fill(f64::INFINITY);
        let mut waiting = 0;
        for (source, distance) in sources {
            if distance < distances[source as usize] {
                distances[source as usize] = distance;
                buckets[0].push(source);
                waiting += 1;
            }
        }
        // Where the current bucket begins; it is number 0 of the buckets at first.
        let first = distances.iter().copied().fold(f64::INFINITY, f64::min);
        let place = |distance: f64| ((distance - first) * *scale) as usize;
        let mut current = 0;
        while waiting > 0 {
            let at = current % BUCKETS;
            while let Some(i) = buckets[at].pop() {
                waiting -= 1;
                let (i, distance) = (i as usize, distances[i as usize]);
                if followed[i] == distance {
                    continue;
                }
                followed[i] = distance;
                for (j, length) in graph.row(i) {
                    let through = distance + length;
                    if through < distances[j] {
                        distances[j] = through;
                        let place = place(through).clamp(current, current + BUCKETS - 1);
                        buckets[place % BUCKETS].push(j as u32);
                        waiting += 1;
                    }
                }
            }
            current += 1;
        }
        &self.distances
    }
}

/// The median length of edges that have one: a few very long ones, those of a point far away, do not count.
fn typical(graph: &SparseMatrix) -> Option<f64> {
    let step = graph.values.len().div_ceil(SOME).max(1);
    let positive = graph.values.iter().copied().filter(|length| *length > 0.0);
    let mut some: Vec<f64> = positive.step_by(step).collect();
    let middle = some.len() / 2;
    (!some.is_empty()).then(|| *some.select_nth_unstable_by(middle, f64::total_cmp).1)
}

/// A power of two about as long as an edge: distances in this unit have a place in single precision, whatever the scale of the points.
pub(crate) fn unit(graph: &SparseMatrix) -> f64 {
    // 2^1000 is less than any square root that would overflow; 2^-1000 likewise.
    typical(graph).map_or(1.0, |length| length.log2().round().clamp(-1000.0, 1000.0).exp2())
}

/// For each source the lengths of the shortest paths to all vertices in units of [`unit`], in single precision; `most` sources
/// are all that come.
pub(crate) fn distances_from(
    graph: &SparseMatrix,
    sources: &[u32],
    most: usize,
    progress: &Progress<'_>,
) -> Result<Vec<Vec<f32>>> {
    let unit = unit(graph);
    let one = |paths: &mut Paths<'_>, &source: &u32| {
        let distances = paths.from([(source, 0.0)]).iter().map(|&d| (d / unit) as f32).collect();
        progress.advance(1, most)?;
        Ok(distances)
    };
    sources.par_iter().map_init(|| Paths::new(graph), one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datasets::SwissRoll;
    use crate::graph::geodesic::Dijkstra;
    use crate::graph::symmetric::{Symmetry, symmetric};
    use crate::graph::{Search, neighbors};
    use crate::progress::Watch;
    use crate::stage::Stage;

    /// Buckets give the bits of a heap, also where edges are of length zero or longer than all buckets together.
    #[test]
    fn distances_are_those_of_dijkstra() {
        let points = SwissRoll { n: 600, ..Default::default() }.generate(5).unwrap().points;
        let lists = Watch::new(None)
            .stage(Stage::Neighbors, |p| neighbors(&points, 8, Search::Auto, p))
            .unwrap();
        let plain = symmetric(&lists, Symmetry::Union);
        let uneven = plain.map(|i, j, d| match (i + j) % 7 {
            0 => 0.0,
            1 => 1e6 * d,
            _ => d,
        });
        let none = plain.map(|_, _, _| 0.0);
        for graph in [plain, uneven, none] {
            let (mut paths, mut heap) = (Paths::new(&graph), Dijkstra::new(600));
            for sources in [vec![(3, 0.0)], vec![(0, 2.5), (17, 0.25), (599, 1e5)]] {
                assert_eq!(paths.from(sources.clone()), heap.from(&graph, sources));
            }
        }
    }
}
