//! From neighbour lists to an undirected graph.

use super::neighbors::Neighborhoods;
use crate::matrix::SparseMatrix;

/// When two points are joined by an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symmetry {
    /// When at least one is a neighbour of the other.
    #[default]
    Union,
    /// When each is a neighbour of the other.
    Mutual,
}

/// The undirected graph of the neighbour lists; entries are distances, which may be zero.
pub fn symmetric(lists: &Neighborhoods, symmetry: Symmetry) -> SparseMatrix {
    let n = lists.len();
    let incoming = transpose(lists);
    SparseMatrix::build(n, Vec::new, |i, own: &mut Vec<(u32, f64)>, out| {
        own.clear();
        own.extend(lists.of(i).iter().copied().zip(lists.distances(i).iter().copied()));
        own.sort_unstable_by_key(|&(j, _)| j);
        let others = incoming.of(i).iter().copied();
        merge(own, others.zip(incoming.distances(i).iter().copied()), symmetry, out);
    })
}

/// Merges two lists with ascending indices.
fn merge(
    own: &[(u32, f64)],
    others: impl Iterator<Item = (u32, f64)>,
    symmetry: Symmetry,
    out: &mut Vec<(u32, f64)>,
) {
    let union = symmetry == Symmetry::Union;
    let mut own = own.iter().copied().peekable();
    for other in others {
        while let Some(entry) = own.next_if(|entry| entry.0 < other.0) {
            out.extend(union.then_some(entry));
        }
        let both = own.next_if(|entry| entry.0 == other.0).is_some();
        out.extend((both || union).then_some(other));
    }
    out.extend(own.filter(|_| union));
}

/// For each point the points that have it in their lists.
fn transpose(lists: &Neighborhoods) -> Neighborhoods {
    let n = lists.len();
    let mut offsets = vec![0; n + 1];
    for &j in &lists.indices {
        offsets[j as usize + 1] += 1;
    }
    for i in 0..n {
        offsets[i + 1] += offsets[i];
    }
    let mut next = offsets.clone();
    let mut indices = vec![0; lists.indices.len()];
    let mut distances = vec![0.0; lists.indices.len()];
    for i in 0..n {
        for (&j, &d) in lists.of(i).iter().zip(lists.distances(i)) {
            let at = next[j as usize];
            next[j as usize] += 1;
            (indices[at], distances[at]) = (i as u32, d);
        }
    }
    Neighborhoods { offsets, indices, distances }
}
