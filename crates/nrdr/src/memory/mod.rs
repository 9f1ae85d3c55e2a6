//! What a run may take of the memory, and what it needs: what would not fit is refused before it starts, with the
//! number, instead of being ended by the system in its middle.
//!
//! Numbers are bytes.

mod system;

use bytemuck::allocation::try_zeroed_vec;
use serde::Serialize;

use crate::error::{Error, Hint, Result};
use crate::size::LEAST;
use system::{available, limit_of_process, resident};

/// Less than this is not refused, unless the run was told how much it may take,
const SMALL: f64 = 32e6;
/// nor less than this at all, once the run has begun.
const TINY: f64 = 4e6;
/// What the system and the allocator take beside what is asked for, as a share.
pub(crate) const OVERHEAD: f64 = 1.05;
/// Share of what is available that a run may take unless it is told.
const SHARE: f64 = 0.75;
/// Edges of a neighbour graph for each neighbour asked for: some neighbours are mutual, some are not.
const EDGES_OF_NEIGHBOR: f64 = 1.4;
/// An entry of a sparse matrix: its column and its value.
pub(crate) const ENTRY: f64 = 12.0;

/// Bytes that a run may take unless it is told: a share of what is available, control groups and limits of the process
/// respected. Nothing where nobody knows.
pub fn free_memory() -> Option<u64> {
    available().map(|available| (SHARE * available as f64) as u64)
}

/// Memory in bytes; `None` where the system does not tell or there is no such limit.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Memory {
    /// What the machine has.
    pub total: Option<u64>,
    /// What this process can still take.
    pub available: Option<u64>,
    /// What control groups leave it.
    pub control_groups: Option<u64>,
    /// What its limit of the address space leaves it (`ulimit -v`).
    pub address_space: Option<u64>,
    /// What a run takes that is not told how much.
    pub run: Option<u64>,
}

/// What a run may take from its start on. Runs side by side have one each; what else the process takes meanwhile counts as
/// theirs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Bytes, where anybody knows.
    most: Option<u64>,
    /// Whether the run was told.
    is_told: bool,
    /// What the process had taken before.
    before: u64,
}

impl Budget {
    /// What is left now of so much as a run is told, its input of `input` bytes included, or else a share of what is available.
    pub(crate) fn new(told: Option<u64>, input: u64) -> Self {
        let most = told.map_or_else(free_memory, |told| Some(told.saturating_sub(input)));
        Budget { most, is_told: told.is_some(), before: resident().unwrap_or(0) }
    }

    /// All that there is, for work that is no run.
    pub(crate) fn unlimited() -> Self {
        Budget { most: None, is_told: false, before: 0 }
    }

    /// Refuses an amount that cannot be meant.
    pub(crate) fn check_told(told: Option<u64>) -> Result<()> {
        match told.filter(|told| *told < LEAST) {
            Some(told) => {
                let expected = "at least 1M: a number of bytes, or one with K, M, G or T";
                Err(Error::parameter("memory", told, expected))
            }
            None => Ok(()),
        }
    }

    /// What the run may take in all.
    pub(crate) fn most(self) -> Option<u64> {
        self.most
    }

    /// Bytes that the run can still take; `None` where nobody knows.
    pub(crate) fn left(self) -> Option<u64> {
        let taken = resident().unwrap_or(0).saturating_sub(self.before);
        let own = self.most.map(|most| most.saturating_sub(taken));
        own.into_iter().chain(available()).min()
    }

    /// Refuses what needs more than is left.
    pub(crate) fn check(
        self,
        what: &'static str,
        needed: f64,
        way_out: &'static [Hint],
    ) -> Result<()> {
        let is_tight = || needed >= TINY && (self.is_told || limit_of_process().is_some());
        if needed < SMALL && !is_tight() {
            return Ok(());
        }
        let (needed, available) = ((OVERHEAD * needed) as u64, self.left());
        if available.is_none_or(|available| needed <= available) {
            return Ok(());
        }
        Err(Error::NotEnoughMemory { what, needed, available, way_out })
    }

    /// Whether so much may be set aside for later: that leaves half of what there is.
    pub(crate) fn is_plenty(self, needed: f64) -> bool {
        needed < SMALL && !self.is_told
            || self.left().is_none_or(|left| 2.0 * needed <= left as f64)
    }
}

/// What the system tells of it.
pub(crate) fn told() -> Memory {
    let (total, available) = (system::total(), available());
    // A limit beyond what there is is none.
    let groups = system::left_by_groups().filter(|left| total.is_none_or(|total| *left < total));
    Memory {
        total,
        available,
        control_groups: groups,
        address_space: system::address_space(),
        run: Budget::new(None, 0).most(),
    }
}

/// So many threads may take memory of their own: refuses them where the address space (`ulimit -v`) has no room for what they set
/// aside, because there is no way to ask for that in vain.
pub(crate) fn expect_threads(threads: usize) -> Result<()> {
    let needed = system::set_aside(system::expect_threads(threads));
    match system::address_space() {
        Some(left) if left < needed => Err(Error::NotEnoughMemory {
            what: "the address space of the threads",
            needed,
            available: Some(left),
            way_out: &[Hint::Lower("threads"), Hint::Say("raise the limit (ulimit -v)")],
        }),
        _ => Ok(()),
    }
}

/// Zeros, or an error where there is no room for them.
pub(crate) fn zeros(len: usize, what: &'static str, way_out: &'static [Hint]) -> Result<Vec<f64>> {
    // Like `vec![0.0; len]`, which touches none of them, but ends the program when it fails.
    try_zeroed_vec(len).map_err(|()| lacking(what, 8 * len, way_out))
}

/// The error of so many bytes that were asked for in vain.
pub(crate) fn lacking(what: &'static str, bytes: usize, way_out: &'static [Hint]) -> Error {
    Error::NotEnoughMemory { what, needed: bytes as u64, available: available(), way_out }
}

/// Edges of a point in a graph of so many nearest neighbours.
pub(crate) fn edges_of(neighbors: usize) -> f64 {
    EDGES_OF_NEIGHBOR * neighbors as f64
}

/// What a sparse matrix takes beside itself while it is made, as a share: a wave of its rows.
pub(crate) const WAVE: f64 = 0.15;

/// A sparse matrix with so many entries in a row, while it is made.
pub(crate) fn sparse(points: usize, entries: f64) -> f64 {
    (1.0 + WAVE) * points as f64 * (ENTRY * entries + 8.0)
}

/// A dense matrix of all pairs.
pub(crate) fn dense(points: usize) -> f64 {
    8.0 * (points as f64).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn what_no_machine_has_is_refused_with_its_number() {
        let some = available().unwrap();
        let unlimited = Budget::unlimited();
        let error = unlimited.check("a matrix", 1e18, &[Hint::Say("use less")]).unwrap_err();
        match &error {
            Error::NotEnoughMemory { needed, available, .. } => {
                assert!(*needed >= 1_000_000_000_000_000_000);
                assert!(available.is_some_and(|now| now < 2 * some && now > some / 2));
            }
            other => panic!("{other}"),
        }
        let text = error.to_string();
        assert!(text.starts_with("a matrix needs 1050000000 GB of memory, but only "), "{text}");
        assert!(text.ends_with(" are available: use less"), "{text}");
        assert!(zeros(1 << 50, "a matrix", &[]).is_err());
        assert_eq!(zeros(3, "a matrix", &[]), Ok(vec![0.0; 3]));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_run_that_is_told_its_amount_keeps_to_it_and_others_to_theirs() {
        let (small, large) = (Budget::new(Some(60_000_000), 10_000_000), Budget::new(None, 0));
        // Tests beside this one may take some of it.
        assert!(small.left().unwrap() <= 50_000_000);
        assert!(large.left().unwrap() <= available().unwrap());
        assert!(small.check("this", 52e6, &[]).is_err() && large.check("this", 52e6, &[]).is_ok());
        assert!(!small.is_plenty(26e6) && large.is_plenty(26e6));
        assert!(Budget::check_told(Some(999_999)).is_err());
        assert_eq!(Budget::check_told(Some(LEAST)), Ok(()));
        assert_eq!(Budget::check_told(None), Ok(()));
    }
}
