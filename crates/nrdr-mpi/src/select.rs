//! Order statistics of numbers that are spread over members.

use nrdr::team::Team;

use crate::wire::{exchange, gather, sum_counts};

/// What is ordered: a number as [`ordered`] has it, and what tells equal ones apart.
pub(crate) type Key = [u64; 2];

/// Bits in the order of the numbers, as `f64::total_cmp` has it.
pub(crate) fn ordered(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// The number of such bits.
pub(crate) fn number(ordered: u64) -> f64 {
    f64::from_bits(if ordered >> 63 == 1 { ordered & !(1 << 63) } else { !ordered })
}

/// Of each of several lists the key at a place among those of all members, counted from 0; each member has some of the keys
/// of each, sorted. There are more keys than the place says.
///
/// In each round every member proposes the middle one of what it has left, and the middle one of the proposals cuts the lists: at
/// least a quarter of what is left is put aside.
pub(crate) fn select(team: &dyn Team, lists: &[&[Key]], places: &[u64]) -> Vec<Key> {
    let (rank, size) = (team.rank(), team.size());
    let mut left: Vec<(usize, usize)> = lists.iter().map(|list| (0, list.len())).collect();
    let mut found = vec![[0; 2]; lists.len()];
    let mut active: Vec<usize> = (0..lists.len()).collect();
    while !active.is_empty() {
        let mut proposed: Vec<Vec<[u64; 4]>> = vec![Vec::new(); size];
        for &at in &active {
            let (from, to) = left[at];
            if from < to {
                let [key, tie] = lists[at][from.midpoint(to)];
                proposed[at % size].push([at as u64, key, tie, (to - from) as u64]);
            }
        }
        let mut mine: Vec<[u64; 4]> = exchange(team, proposed).into_iter().flatten().collect();
        mine.sort_unstable();
        let middles: Vec<[u64; 3]> = mine.chunk_by(|a, b| a[0] == b[0]).map(middle).collect();
        let mut cuts: Vec<[u64; 3]> = gather(team, &middles).into_iter().flatten().collect();
        cuts.sort_unstable();
        debug_assert!(cuts.iter().map(|cut| cut[0] as usize).eq(active.iter().copied()), "{rank}");
        let mut counts: Vec<u64> = cuts
            .iter()
            .flat_map(|&[at, key, tie]| {
                let list = lists[at as usize];
                let below = list.partition_point(|other| *other < [key, tie]);
                let upto = list.partition_point(|other| *other <= [key, tie]);
                [below as u64, upto as u64]
            })
            .collect();
        let own = counts.clone();
        sum_counts(team, &mut counts);
        active.clear();
        for (cut, (all, own)) in cuts.iter().zip(counts.chunks_exact(2).zip(own.chunks_exact(2))) {
            let at = cut[0] as usize;
            if places[at] < all[0] {
                left[at].1 = own[0] as usize;
                active.push(at);
            } else if places[at] >= all[1] {
                left[at].0 = own[1] as usize;
                active.push(at);
            } else {
                found[at] = [cut[1], cut[2]];
            }
        }
    }
    found
}

/// The key of some (list, key, tie, weight), ascending, that has half of the weight on either side.
fn middle(proposed: &[[u64; 4]]) -> [u64; 3] {
    let all: u64 = proposed.iter().map(|entry| entry[3]).sum();
    let mut sum = 0;
    let half = proposed.iter().find(|entry| {
        sum += entry[3];
        2 * sum >= all
    });
    let [list, key, tie, _] = half.copied().unwrap_or(proposed[0]);
    [list, key, tie]
}

#[cfg(test)]
mod tests {
    use nrdr::team::of_threads;

    use super::*;

    #[test]
    fn bits_are_in_the_order_of_numbers() {
        let numbers = [f64::NEG_INFINITY, -3.5, -1e-300, -0.0, 0.0, 1e-300, 2.0, f64::INFINITY];
        assert!(numbers.map(ordered).is_sorted());
        assert_eq!(numbers.map(ordered).map(number).map(f64::to_bits), numbers.map(f64::to_bits));
    }

    #[test]
    fn places_are_those_of_sorting() {
        let value = |list: u64, i: u64| (i * i * 7919 + list * 31 + i * 3) % (40 * list + 3);
        let sizes = [1, 2, 50, 333];
        for size in [1, 2, 3, 5] {
            for part in 0..4 {
                let found = of_threads(size, |team| {
                    let of = |list: usize| -> Vec<Key> {
                        let mine =
                            (0..sizes[list]).filter(|i| (i * i) as usize % size == team.rank());
                        // The last list has equal keys.
                        let tie = |i: u64| if list == 3 { 0 } else { i };
                        let mut keys: Vec<Key> =
                            mine.map(|i| [value(list as u64, i), tie(i)]).collect();
                        keys.sort_unstable();
                        keys
                    };
                    let lists: Vec<Vec<Key>> = (0..4).map(of).collect();
                    let lists: Vec<&[Key]> = lists.iter().map(Vec::as_slice).collect();
                    let places: Vec<u64> = sizes.iter().map(|n| (n - 1) * part / 3).collect();
                    select(team, &lists, &places)
                });
                for (list, n) in sizes.iter().enumerate() {
                    let tie = |i: u64| if list == 3 { 0 } else { i };
                    let mut all: Vec<Key> =
                        (0..*n).map(|i| [value(list as u64, i), tie(i)]).collect();
                    all.sort_unstable();
                    let wanted = all[((n - 1) * part / 3) as usize];
                    assert!(found.iter().all(|found| found[list] == wanted));
                }
            }
        }
    }
}
