//! Which unknowns of a level become one of the next: greedy aggregation (Vanek, Mandel & Brezina 1996).

use super::csr::Csr;

/// The unknowns of a level, in groups that belong together, such as those of one aggregate: group i has the unknowns from
/// `starts[i]` to `starts[i + 1]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Groups {
    pub(super) starts: Vec<u32>,
}

impl Groups {
    /// Every unknown for itself.
    pub(super) fn single(count: usize) -> Self {
        Groups { starts: (0..=count as u32).collect() }
    }

    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn unknowns(&self, group: usize) -> std::ops::Range<usize> {
        self.starts[group] as usize..self.starts[group + 1] as usize
    }

    /// The group of each unknown.
    fn of_unknowns(&self) -> Vec<u32> {
        (0..self.count()).flat_map(|g| self.unknowns(g).map(move |_| g as u32)).collect()
    }
}

/// Which groups have entries with which.
struct Neighbors {
    offsets: Vec<usize>,
    groups: Vec<u32>,
}

impl Neighbors {
    fn new(matrix: &Csr, groups: &Groups) -> Self {
        let of = groups.of_unknowns();
        let mut seen = vec![u32::MAX; groups.count()];
        let (mut offsets, mut list) = (vec![0], Vec::with_capacity(matrix.entries.entries()));
        for group in 0..groups.count() {
            seen[group] = group as u32;
            for unknown in groups.unknowns(group) {
                for &column in matrix.entries.columns(unknown) {
                    let other = of[column as usize];
                    if seen[other as usize] != group as u32 {
                        seen[other as usize] = group as u32;
                        list.push(other);
                    }
                }
            }
            offsets.push(list.len());
        }
        Neighbors { offsets, groups: list }
    }

    fn of(&self, group: usize) -> &[u32] {
        &self.groups[self.offsets[group]..self.offsets[group + 1]]
    }
}

const NONE: u32 = u32::MAX;

/// Groups of each aggregate, ascending.
pub(super) fn aggregate(matrix: &Csr, groups: &Groups) -> Vec<Vec<u32>> {
    let neighbors = Neighbors::new(matrix, groups);
    let count = groups.count();
    let mut aggregate_of = vec![NONE; count];
    let mut aggregates = 0;
    // A group with all its neighbours, where none of them is taken.
    for group in 0..count {
        let free = |&g: &u32| aggregate_of[g as usize] == NONE;
        if aggregate_of[group] == NONE && neighbors.of(group).iter().all(free) {
            aggregate_of[group] = aggregates;
            for &other in neighbors.of(group) {
                aggregate_of[other as usize] = aggregates;
            }
            aggregates += 1;
        }
    }
    // What is left joins the aggregate that most of its neighbours are in; those that join now do not count.
    let first = aggregate_of.clone();
    let mut votes = vec![0u32; aggregates as usize];
    for group in 0..count {
        if first[group] != NONE {
            continue;
        }
        let mut best = (0, NONE);
        for &other in neighbors.of(group) {
            let candidate = first[other as usize];
            if candidate != NONE {
                votes[candidate as usize] += 1;
                if votes[candidate as usize] > best.0 {
                    best = (votes[candidate as usize], candidate);
                }
            }
        }
        for &other in neighbors.of(group) {
            if first[other as usize] != NONE {
                votes[first[other as usize] as usize] = 0;
            }
        }
        aggregate_of[group] = best.1;
    }
    // And what has no such neighbour makes one with those like it.
    for group in 0..count {
        if aggregate_of[group] != NONE {
            continue;
        }
        aggregate_of[group] = aggregates;
        for &other in neighbors.of(group) {
            if aggregate_of[other as usize] == NONE {
                aggregate_of[other as usize] = aggregates;
            }
        }
        aggregates += 1;
    }
    let mut members = vec![Vec::new(); aggregates as usize];
    for (group, &aggregate) in aggregate_of.iter().enumerate() {
        members[aggregate as usize].push(group as u32);
    }
    members
}
