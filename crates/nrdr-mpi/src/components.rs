//! Connected components of a graph that is spread over members: each finds those of its own rows, and then all know which
//! of these the edges between members join.

use std::collections::{BTreeMap, BTreeSet};

use nrdr::team::Team;

use crate::csr::SharedCsr;
use crate::ghosts::Ghosts;
use crate::wire::gather;

/// Which component each own row belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedComponents {
    /// Component of each own row; components are numbered by size, the largest is 0, and equal ones by their first rows.
    pub labels: Vec<u32>,
    /// Number of rows of each component.
    pub sizes: Vec<usize>,
}

impl SharedComponents {
    /// The components of an undirected graph.
    pub fn of(team: &dyn Team, graph: &SharedCsr) -> Self {
        let own = graph.rows.of(team.rank());
        // Every own row has the first row that it is joined to within the member.
        let mut parent: Vec<u32> = (0..graph.own() as u32).collect();
        for i in 0..graph.own() {
            for &j in graph.columns(i).iter().filter(|j| own.contains(j)) {
                join(&mut parent, i as u32, (j - own.start) as u32);
            }
        }
        let first: Vec<u64> =
            (0..graph.own() as u32).map(|i| own.start + u64::from(root(&mut parent, i))).collect();
        let ghosts = Ghosts::new(team, &graph.rows, graph.columns.iter().copied());
        let others = ghosts.with_own(team, &first, 1);
        let mut joints = BTreeSet::new();
        for (i, &part) in first.iter().enumerate() {
            for &j in graph.columns(i).iter().filter(|j| !own.contains(j)) {
                if let Some(place) = ghosts.place(j) {
                    joints.insert([part, others[place]]);
                }
            }
        }
        let joints: Vec<[u64; 2]> = joints.into_iter().collect();
        let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
        first.iter().for_each(|&row| *counts.entry(row).or_default() += 1);
        let counts: Vec<[u64; 2]> = counts.into_iter().map(|(row, count)| [row, count]).collect();
        let parts: Vec<[u64; 2]> = gather(team, &counts).concat();
        let joints = gather(team, &joints).concat();
        joined(&first, &parts, &joints)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.sizes.len()
    }
}

/// The components by the parts of all members, each with its first row and its size, and by what joins them.
fn joined(first: &[u64], parts: &[[u64; 2]], joints: &[[u64; 2]]) -> SharedComponents {
    // Members and their rows ascend, and so do the parts.
    let part = |row: u64| parts.partition_point(|part| part[0] < row);
    let mut parent: Vec<u32> = (0..parts.len() as u32).collect();
    for &[a, b] in joints {
        join(&mut parent, part(a) as u32, part(b) as u32);
    }
    let roots: Vec<u32> = (0..parts.len() as u32).map(|at| root(&mut parent, at)).collect();
    let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
    for (root, part) in roots.iter().zip(parts) {
        *sizes.entry(*root).or_default() += part[1] as usize;
    }
    let mut order: Vec<(u32, usize)> = sizes.into_iter().collect();
    order.sort_by_key(|&(_, size)| std::cmp::Reverse(size));
    let label: BTreeMap<u32, u32> =
        order.iter().zip(0..).map(|(&(root, _), at)| (root, at)).collect();
    let labels = first.iter().map(|&row| label[&roots[part(row)]]).collect();
    SharedComponents { labels, sizes: order.into_iter().map(|(_, size)| size).collect() }
}

/// The first of what something is joined to, with the path to it shortened.
pub(crate) fn root(parent: &mut [u32], mut at: u32) -> u32 {
    while parent[at as usize] != at {
        let above = parent[parent[at as usize] as usize];
        parent[at as usize] = above;
        at = above;
    }
    at
}

/// Joins what two belong to, under the first of them; whether they were apart.
pub(crate) fn join(parent: &mut [u32], a: u32, b: u32) -> bool {
    let (a, b) = (root(parent, a), root(parent, b));
    parent[a.max(b) as usize] = a.min(b);
    a != b
}
