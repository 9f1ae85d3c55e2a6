//! Exact nearest neighbours of points that are spread over members: in few dimensions by trees, of which those are asked that
//! the balls of the neighbours reach; in many by all distances, block by block in a ring.
//!
//! The lists are those of one machine: by distance, and equal distances by the row of the input.

mod ask;
pub(crate) mod pays;
mod ring;
mod trees;

use nrdr::graph::share::length;
use nrdr::team::Team;
use nrdr::{Metric, Progress};

use crate::failure::Result;
use crate::partition::Partition;

use nrdr::graph::share::Found;

/// For each own row the list of its neighbours.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedLists {
    /// Where each list begins; one more entry than rows.
    pub offsets: Vec<usize>,
    /// The neighbours, by their rows in the working order, nearest first.
    pub indices: Vec<u64>,
    /// Their distances.
    pub distances: Vec<f64>,
}

impl SharedLists {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The neighbours of own row `i`.
    pub fn of(&self, i: usize) -> &[u64] {
        &self.indices[self.offsets[i]..self.offsets[i + 1]]
    }

    /// Their distances.
    pub fn distances(&self, i: usize) -> &[f64] {
        &self.distances[self.offsets[i]..self.offsets[i + 1]]
    }

    /// The length of the shortest list of all members.
    pub fn least(&self, team: &dyn Team) -> usize {
        let least = self.offsets.windows(2).map(|w| w[1] - w[0]).min().unwrap_or(usize::MAX);
        let all = crate::wire::gather(team, &[least as u64]);
        all.into_iter().flatten().min().unwrap_or(0) as usize
    }
}

/// A neighbour: what the norm tells of it, its row of the input, and that of the working order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Neighbor {
    pub(crate) measure: f64,
    pub(crate) input: u64,
    pub(crate) row: u64,
}

/// Whether `a` comes before `b`.
pub(crate) fn closer(a: Found, b: Found) -> bool {
    a.0 < b.0 || a.0 == b.0 && a.1 < b.1
}

/// Leaves the `k` nearest of some neighbours, in order.
pub(crate) fn keep_nearest(found: &mut Vec<Neighbor>, k: usize) {
    found.sort_unstable_by(|a, b| a.measure.total_cmp(&b.measure).then(a.input.cmp(&b.input)));
    found.truncate(k);
}

/// The `k` nearest neighbours of every own point.
pub fn neighbors(
    team: &dyn Team,
    made: &mut Partition,
    metric: Metric,
    k: usize,
    progress: &Progress<'_>,
    check: &dyn Fn() -> Result<()>,
) -> Result<SharedLists> {
    let lists = match &mut made.pieces {
        Some(_) => trees::neighbors(team, made, k, progress, check)?,
        None => ring::neighbors(team, made, metric, k, progress, check)?,
    };
    let columns = made.points.columns;
    let mut offsets = vec![0];
    let (mut indices, mut distances) = (Vec::new(), Vec::new());
    for list in lists {
        indices.extend(list.iter().map(|neighbor| neighbor.row));
        distances.extend(list.iter().map(|neighbor| length(metric, neighbor.measure, columns)));
        offsets.push(indices.len());
    }
    Ok(SharedLists { offsets, indices, distances })
}
