//! Exact nearest neighbours in many dimensions: all pairs, block by block.
//!
//! Each pair is looked at once, for both its ends. Two blocks at a time are compared, in rounds of disjoint pairs of
//! blocks as in a tournament, so that no two threads work on one block. Which pairs are worth a true distance depends on
//! the order; what is found does not: the k least by (squared distance, index) of all that could be among them.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::block::{Block, Bounds, Desk, Found};
use super::tree::leaves;
use crate::error::Result;
use crate::progress::Progress;

/// Points of a block, at most: the products of two stay in the cache.
const BLOCK: usize = 256;

/// Completes lists of `k` neighbours, of which those that are known make the search short.
pub(super) fn complete(
    bounds: &Bounds<'_>,
    lists: &mut [Found],
    k: usize,
    progress: &Progress<'_>,
) -> Result<()> {
    let blocks: Vec<Mutex<Block>> = leaves(&bounds.head, BLOCK, 0)
        .into_par_iter()
        .map(|members| {
            let mut block = Block::of(bounds, members, lists, k);
            Desk::new(block.len()).compare_within(bounds, &mut block);
            Mutex::new(block)
        })
        .collect();
    let count = blocks.len().next_multiple_of(2);
    for round in 0..count - 1 {
        let pairs: Vec<(usize, usize)> =
            pairs(count, round).filter(|pair| pair.1 < blocks.len()).collect();
        pairs.par_iter().try_for_each_init(
            || Desk::new(BLOCK),
            |desk, &(a, b)| {
                let lock = |i: usize| blocks[i].lock().unwrap_or_else(PoisonError::into_inner);
                desk.compare(bounds, &mut lock(a), &mut lock(b));
                progress.advance(1, count * (count - 1) / 2)
            },
        )?;
    }
    for block in blocks {
        block.into_inner().unwrap_or_else(PoisonError::into_inner).put_back(lists);
    }
    Ok(())
}

/// The pairs of a round of a tournament in which each of an even number meets each other once.
fn pairs(count: usize, round: usize) -> impl Iterator<Item = (usize, usize)> {
    let last = count - 1;
    let others = (1..count / 2).map(move |i| ((round + i) % last, (round + last - i) % last));
    std::iter::once((round, last)).chain(others).map(|(a, b)| (a.min(b), a.max(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_tournament_each_meets_each_once_and_nobody_twice_in_a_round() {
        for count in [2, 4, 10] {
            let mut met = vec![0; count * count];
            for round in 0..count - 1 {
                let mut seen = vec![false; count];
                for (a, b) in pairs(count, round) {
                    assert!(a < b && !seen[a] && !seen[b]);
                    (seen[a], seen[b]) = (true, true);
                    met[a * count + b] += 1;
                }
            }
            for a in 0..count {
                assert!((a + 1..count).all(|b| met[a * count + b] == 1));
            }
        }
    }
}
