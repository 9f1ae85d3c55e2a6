//! From neighbour lists to an undirected graph, with the conventions of one machine.

use nrdr::Symmetry;
use nrdr::team::Team;

use crate::csr::SharedCsr;
use crate::neighbors::SharedLists;
use crate::shared::Rows;
use crate::wire::exchange;

/// The undirected graph of the neighbour lists; entries are distances, which may be zero, and there are none on the diagonal.
pub fn symmetric(
    team: &dyn Team,
    rows: &Rows,
    lists: &SharedLists,
    symmetry: Symmetry,
) -> SharedCsr {
    let first = rows.of(team.rank()).start;
    let mut to: Vec<Vec<[u64; 3]>> = vec![Vec::new(); team.size()];
    for i in 0..lists.len() {
        for (&j, &distance) in lists.of(i).iter().zip(lists.distances(i)) {
            to[rows.owner(j)].push([j, first + i as u64, distance.to_bits()]);
        }
    }
    // By row, and those that have it in their lists in ascending order.
    let mut turned = exchange(team, to).concat();
    turned.sort_unstable();
    let mut turned = turned.chunk_by(|a, b| a[0] == b[0]).peekable();
    let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    let mut own: Vec<(u64, f64)> = Vec::new();
    for i in 0..lists.len() {
        let row = first + i as u64;
        own.clear();
        own.extend(lists.of(i).iter().copied().zip(lists.distances(i).iter().copied()));
        own.sort_unstable_by_key(|&(j, _)| j);
        let others = turned.next_if(|of_row| of_row[0][0] == row).unwrap_or(&[]);
        let others = others.iter().map(|&[_, j, bits]| (j, f64::from_bits(bits)));
        merge(row, &own, others, symmetry, |(j, distance)| {
            columns.push(j);
            values.push(distance);
        });
        offsets.push(columns.len());
    }
    SharedCsr { rows: rows.clone(), offsets, columns, values }
}

/// Merges two lists with ascending rows. Of what stands in both the one from the smaller row counts, so that both sides of
/// the diagonal have the same.
fn merge(
    row: u64,
    own: &[(u64, f64)],
    others: impl Iterator<Item = (u64, f64)>,
    symmetry: Symmetry,
    mut out: impl FnMut((u64, f64)),
) {
    let union = symmetry == Symmetry::Union;
    let mut own = own.iter().copied().peekable();
    for other in others {
        while let Some(entry) = own.next_if(|entry| entry.0 < other.0) {
            if union {
                out(entry);
            }
        }
        let both = own.next_if(|entry| entry.0 == other.0);
        if both.is_some() || union {
            out(both.filter(|_| row < other.0).unwrap_or(other));
        }
    }
    if union {
        own.for_each(out);
    }
}
