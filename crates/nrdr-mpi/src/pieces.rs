//! The kd-tree over the points of all members, in pieces.

use std::ops::Range;

use nrdr::Metric;
use nrdr::graph::share::{Found, Subtree, to_box};

/// The first levels of the tree over all points, and the parts below them that are this member's.
pub struct Pieces {
    /// What the boxes bound.
    pub(crate) metric: Metric,
    /// Levels of inner nodes above the pieces.
    pub(crate) level: u32,
    /// Where each piece begins in the working order, with one more entry than pieces.
    pub(crate) starts: Vec<u64>,
    /// The first piece of each member, with one more entry than members.
    pub(crate) of_member: Vec<usize>,
    /// Lower then upper corner of the box of each node, those of the pieces last.
    pub(crate) boxes: Vec<f64>,
    /// The smallest input row below each node.
    pub(crate) smallest: Vec<u64>,
    /// The number of this member.
    pub(crate) member: usize,
    /// Its pieces.
    pub(crate) trees: Vec<Subtree>,
    /// Numbers of a point.
    pub(crate) columns: usize,
}

impl Pieces {
    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        1 << self.level
    }

    /// The node that a piece is.
    pub(crate) fn node_of(&self, piece: usize) -> usize {
        self.count() - 1 + piece
    }

    /// What the norm tells at least of a point and those below a node.
    pub(crate) fn distance(&self, point: &[f64], node: usize) -> f64 {
        let box_of = &self.boxes[node * 2 * self.columns..][..2 * self.columns];
        let (lower, upper) = box_of.split_at(self.columns);
        to_box(self.metric, point, lower, upper)
    }

    /// The pieces of a member.
    pub(crate) fn of(&self, member: usize) -> Range<usize> {
        self.of_member[member]..self.of_member[member + 1]
    }

    /// The first of the own rows.
    fn first(&self) -> u64 {
        self.starts[self.of_member[self.member]]
    }

    /// Where the points of an own piece are among the own rows; pieces are counted from the first of all.
    pub(crate) fn own_rows(&self, piece: usize) -> Range<usize> {
        let of = |at: usize| (self.starts[at] - self.first()) as usize;
        of(piece)..of(piece + 1)
    }

    /// Gives the points of the own pieces numbers, one for each own row.
    pub(crate) fn renumber(&mut self, numbers: &[u32]) {
        for piece in self.of(self.member) {
            let of = numbers[self.own_rows(piece)].to_vec();
            self.trees[piece - self.of_member[self.member]].renumber(of);
        }
    }

    /// The own piece that an own row is in, and its place there.
    pub(crate) fn place(&self, row: usize) -> (usize, usize) {
        let row = self.first() + row as u64;
        let piece = self.starts.partition_point(|&start| start <= row) - 1;
        (piece, (row - self.starts[piece]) as usize)
    }

    /// The tree of an own piece.
    pub(crate) fn tree(&self, piece: usize) -> &Subtree {
        &self.trees[piece - self.of_member[self.member]]
    }

    /// The `k` nearest own points of one, none farther than a limit, by their numbers; an own row is left out.
    pub(crate) fn nearest(
        &self,
        point: &[f64],
        without: Option<usize>,
        k: usize,
        limit: f64,
    ) -> Vec<Found> {
        let near = |piece| (self.distance(point, self.node_of(piece)), piece);
        let mut near: Vec<(f64, usize)> = self.of(self.member).map(near).collect();
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let own = without.map(|row| self.place(row));
        let mut found = Vec::with_capacity(k);
        for (distance, piece) in near {
            let farthest = found.get(k - 1).map_or(limit, |last: &Found| last.0);
            if distance <= farthest {
                let at = own.filter(|own| own.0 == piece).map(|own| own.1);
                self.tree(piece).go_on(point, at, k, limit, &mut found);
            }
        }
        found
    }
}
