//! Points at the same place: searched once, or they would all be candidates for each other.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::block::Found;
use super::neighbors::keep_nearest;
use crate::points::Points;

/// Indices of equal points together; groups and members in ascending order.
pub(super) fn groups_of_equal_points(points: &Points) -> Vec<Vec<u32>> {
    // Groups by the hash of their points: rows themselves would be a copy of all the data.
    let mut groups_of: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for i in 0..points.rows() {
        let mut hasher = DefaultHasher::new();
        // Adding zero turns -0 into 0.
        points.row(i).iter().for_each(|v| (v + 0.0).to_bits().hash(&mut hasher));
        let alike = groups_of.entry(hasher.finish()).or_default();
        let is_equal = |&group: &usize| points.row(groups[group][0] as usize) == points.row(i);
        match alike.iter().copied().find(is_equal) {
            Some(group) => groups[group].push(i as u32),
            None => {
                alike.push(groups.len());
                groups.push(vec![i as u32]);
            }
        }
    }
    groups
}

/// Turns lists of `found` neighbours of distinct points into lists of `k` of all `n` points.
pub(super) fn expand(
    lists: &[Found],
    found: usize,
    groups: &[Vec<u32>],
    k: usize,
    n: usize,
) -> Vec<Found> {
    let mut expanded = vec![(0.0, 0); n * k];
    for (at, group) in groups.iter().enumerate() {
        let mut all: Vec<Found> = group.iter().take(k + 1).map(|&i| (0.0, i)).collect();
        for &(distance, other) in &lists[at * found..][..found] {
            let members = groups[other as usize].iter().take(k);
            all.extend(members.map(|&j| (distance, j)));
        }
        keep_nearest(&mut all, k + 1);
        for &i in group {
            let others = all.iter().filter(|&&(_, j)| j != i);
            let into = expanded[i as usize * k..][..k].iter_mut();
            into.zip(others).for_each(|(to, other)| *to = *other);
        }
    }
    expanded
}
