//! From neighbour lists to an undirected graph.

use super::neighbors::{Neighborhoods, invert};
use crate::linalg::SparseMatrix;

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
pub(crate) fn symmetric(lists: &Neighborhoods, symmetry: Symmetry) -> SparseMatrix {
    let n = lists.len();
    let (starts, places) = invert(&lists.offsets, &lists.indices);
    SparseMatrix::build(n, Vec::new, |i, own: &mut Vec<(u32, f64)>, out| {
        own.clear();
        own.extend(lists.of(i).iter().copied().zip(lists.distances(i).iter().copied()));
        own.sort_unstable_by_key(|&(j, _)| j);
        // Those that have this point in their lists, in ascending order.
        let others = places[starts[i]..starts[i + 1]].iter();
        let others = others.map(|&(j, at)| (j, lists.distances[at as usize]));
        merge(i as u32, own, others, symmetry, out);
    })
}

/// Merges two lists with ascending indices. Of what stands in both the one from the row of smaller number counts, so that
/// both sides of the diagonal have the same.
fn merge(
    row: u32,
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
        let both = own.next_if(|entry| entry.0 == other.0);
        let entry = both.filter(|_| row < other.0).unwrap_or(other);
        out.extend((both.is_some() || union).then_some(entry));
    }
    out.extend(own.filter(|_| union));
}
