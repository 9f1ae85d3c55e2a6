//! The shortest links between groups of points, by a kd-tree.

use rayon::prelude::*;

use super::components::Link;
use super::kd_tree::KdTree;
use crate::error::Result;
use crate::metric::norm::Norm;
use crate::progress::Progress;

/// Members of a group that are searched from in one go.
const CHUNK: usize = 64;
/// Longer than every link.
const NOTHING: Link = (f64::INFINITY, u32::MAX, u32::MAX);

/// Marks a node with points of several groups.
const MIXED: u32 = u32::MAX;

impl<N: Norm> KdTree<N> {
    /// For each group of points the shortest link to a point outside the group, as
    /// (what the norm tells, point inside, point outside); `skip` names a group to leave out.
    pub(crate) fn shortest_links(
        &self,
        group_of: &[u32],
        groups: usize,
        skip: usize,
        progress: &Progress<'_>,
    ) -> Result<Vec<Link>> {
        let owner = self.owners(group_of);
        let mut members = vec![Vec::new(); groups];
        for (position, &i) in self.order.iter().enumerate() {
            members[group_of[i as usize] as usize].push(position as u32);
        }
        // The best link of a few members at a time, each search cut short by the one before.
        let jobs = members.iter().enumerate().filter(|&(group, _)| group != skip);
        let jobs: Vec<(usize, &[u32])> = jobs
            .flat_map(|(group, members)| members.chunks(CHUNK).map(move |chunk| (group, chunk)))
            .collect();
        let found: Vec<Link> = jobs
            .par_iter()
            .map(|&(group, members)| {
                progress.check()?;
                let mut best = NOTHING;
                for &position in members {
                    let mut search = Outside {
                        tree: self,
                        owner: &owner,
                        group_of,
                        group: group as u32,
                        point: self.points.row(position as usize),
                        inside: self.order[position as usize],
                        best,
                    };
                    search.visit(0, 0, self.order.len(), 0);
                    best = search.best;
                }
                Ok(best)
            })
            .collect::<Result<_>>()?;
        let mut best = vec![NOTHING; groups];
        for (&(group, _), link) in jobs.iter().zip(found) {
            if link < best[group] {
                best[group] = link;
            }
        }
        best.remove(skip);
        Ok(best)
    }

    /// The nearest point outside of a group to one of its points, by what the norm tells and by number, if one is no farther
    /// than a limit.
    pub(super) fn nearest_outside(
        &self,
        point: &[f64],
        group: u32,
        (group_of, owner): (&[u32], &[u32]),
        limit: f64,
    ) -> Option<(f64, u32)> {
        let best = (limit, 0, u32::MAX);
        let mut search = Outside { tree: self, owner, group_of, group, point, inside: 0, best };
        search.visit(0, 0, self.order.len(), 0);
        let (measure, _, other) = search.best;
        (other != u32::MAX).then_some((measure, other))
    }

    /// For each node the group that all points below it belong to, if there is one.
    pub(super) fn owners(&self, group_of: &[u32]) -> Vec<u32> {
        let mut owner = vec![MIXED; self.smallest.len()];
        self.fill_owner(&mut owner, group_of, 0, 0, self.order.len(), 0);
        owner
    }

    /// Notes for each node the group that all points below it belong to, if there is one.
    fn fill_owner(
        &self,
        owner: &mut [u32],
        group_of: &[u32],
        node: usize,
        lo: usize,
        hi: usize,
        level: u32,
    ) {
        if self.is_leaf(level) {
            let mut groups = self.order[lo..hi].iter().map(|&i| group_of[i as usize]);
            let first = groups.next().unwrap_or(MIXED);
            owner[node] = if groups.all(|g| g == first) { first } else { MIXED };
            return;
        }
        let mid = lo.midpoint(hi);
        let [left, right] = [2 * node + 1, 2 * node + 2];
        self.fill_owner(owner, group_of, left, lo, mid, level + 1);
        self.fill_owner(owner, group_of, right, mid, hi, level + 1);
        owner[node] = if owner[left] == owner[right] { owner[left] } else { MIXED };
    }
}

/// Search for the nearest point outside a group, from one point of the group after another.
struct Outside<'t, N> {
    tree: &'t KdTree<N>,
    owner: &'t [u32],
    group_of: &'t [u32],
    group: u32,
    point: &'t [f64],
    inside: u32,
    best: (f64, u32, u32),
}

impl<N: Norm> Outside<'_, N> {
    fn visit(&mut self, node: usize, lo: usize, hi: usize, level: u32) {
        let tree = self.tree;
        let (lower, upper) = tree.bounds(node);
        let bound = || tree.norm.to_box(self.point, lower, upper);
        if self.owner[node] == self.group || bound() > self.best.0 {
            return;
        }
        if tree.is_leaf(level) {
            for other in lo..hi {
                let index = tree.order[other];
                if self.group_of[index as usize] != self.group {
                    let d = tree.norm.between(self.point, tree.points.row(other));
                    let link = (d, self.inside, index);
                    if link < self.best {
                        self.best = link;
                    }
                }
            }
            return;
        }
        let mid = lo.midpoint(hi);
        let distance = |child: usize| {
            let (lower, upper) = tree.bounds(child);
            tree.norm.to_box(self.point, lower, upper)
        };
        let [left, right] = [2 * node + 1, 2 * node + 2];
        if distance(left) <= distance(right) {
            self.visit(left, lo, mid, level + 1);
            self.visit(right, mid, hi, level + 1);
        } else {
            self.visit(right, mid, hi, level + 1);
            self.visit(left, lo, mid, level + 1);
        }
    }
}
