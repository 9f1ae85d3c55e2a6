//! Whether a tree over all points pays, as one machine decides it: by sample queries, which go from member to member.

use nrdr::graph::share::{sampled, tree_pays};
use nrdr::team::Team;

use super::{Found, closer};
use crate::partition::Partition;
use crate::pieces::Pieces;
use crate::wire::gather;

/// A query as all members know it.
struct Query {
    point: Vec<f64>,
    /// Its place in the working order.
    position: u64,
    found: Vec<Found>,
    /// Nodes that are still to be looked at, the next one last, with what the norm tells of them at least.
    nodes: Vec<(f64, usize)>,
    /// The piece that is looked at next.
    piece: usize,
}

impl Query {
    /// Goes to the next piece that may have something nearer, if there is one.
    fn go(&mut self, pieces: &Pieces, k: usize) -> bool {
        let inner = pieces.count() - 1;
        while let Some((distance, node)) = self.nodes.pop() {
            let worst = self.found.get(k - 1).copied().unwrap_or((f64::INFINITY, u32::MAX));
            let smallest = pieces.smallest[node].min(u64::from(u32::MAX - 1)) as u32;
            if !closer((distance, smallest), worst) {
                continue;
            }
            if node >= inner {
                self.piece = node - inner;
                return true;
            }
            let child = |node| (pieces.distance(&self.point, node), node);
            let (left, right) = (child(2 * node + 1), child(2 * node + 2));
            // What is nearer is looked at first.
            self.nodes.extend(if left.0 <= right.0 { [right, left] } else { [left, right] });
        }
        false
    }
}

/// Whether queries of `k` neighbours look at few enough of the points.
pub(crate) fn pays(team: &dyn Team, made: &Partition, k: usize) -> bool {
    let (Some(pieces), total) = (&made.pieces, made.rows.total()) else { return false };
    let own = made.rows.of(team.rank());
    let positions: Vec<u64> = sampled(total as usize).map(|at| at as u64).collect();
    let mine = positions.iter().filter(|at| own.contains(at));
    let mine: Vec<f64> =
        mine.flat_map(|at| made.points.row((at - own.start) as usize)).copied().collect();
    // In the order of the members, which is that of the positions.
    let points: Vec<f64> = gather(team, &mine).concat();
    let query = |(&position, point): (&u64, &[f64])| Query {
        point: point.to_vec(),
        position,
        found: Vec::new(),
        nodes: vec![(0.0, 0)],
        piece: 0,
    };
    let rows = points.chunks_exact(made.points.columns);
    let mut queries: Vec<Query> = positions.iter().zip(rows).map(query).collect();
    let all = queries.len() as f64 * total as f64;
    let mut visited = 0;
    while tree_pays(pieces.metric, visited as f64 / all, k) {
        let going: Vec<bool> = queries.iter_mut().map(|query| query.go(pieces, k)).collect();
        if !going.contains(&true) {
            return true;
        }
        let mut told: Vec<u64> = Vec::new();
        for (at, query) in queries.iter_mut().enumerate() {
            if going[at] && pieces.of(team.rank()).contains(&query.piece) {
                let piece = pieces.starts[query.piece]..pieces.starts[query.piece + 1];
                let without = piece.contains(&query.position);
                let without = without.then(|| (query.position - piece.start) as usize);
                let tree = pieces.tree(query.piece);
                let looked = tree.go_on(&query.point, without, k, f64::INFINITY, &mut query.found);
                told.extend([at as u64, looked as u64, query.found.len() as u64]);
                told.extend(query.found.iter().flat_map(|&(d, i)| [d.to_bits(), u64::from(i)]));
            }
        }
        for told in gather(team, &told) {
            let mut rest = told.as_slice();
            while let [at, looked, count, tail @ ..] = rest {
                let (found, tail) = tail.split_at(2 * *count as usize);
                let found = found.chunks_exact(2).map(|f| (f64::from_bits(f[0]), f[1] as u32));
                queries[*at as usize].found = found.collect();
                visited += looked;
                rest = tail;
            }
        }
    }
    false
}
