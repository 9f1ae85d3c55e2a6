//! Rows that are spread over the members of a team.

use std::ops::Range;

/// Which rows each member has: those from `starts[r]` to `starts[r + 1]` are member r's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Where each member's rows begin, and how many there are in all.
    pub starts: Vec<u64>,
}

impl Rows {
    /// The rows of a member.
    pub fn of(&self, rank: usize) -> Range<u64> {
        self.starts[rank]..self.starts[rank + 1]
    }

    /// How many rows there are in all.
    pub fn total(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// The member that has a row.
    pub fn owner(&self, row: u64) -> usize {
        self.starts.partition_point(|&start| start <= row) - 1
    }
}
