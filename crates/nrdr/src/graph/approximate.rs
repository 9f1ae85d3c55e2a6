//! Approximate nearest neighbours: the points of a leaf of a random tree find each other, for several trees, and then
//! the neighbours of neighbours are asked.
//!
//! W. Dong, M. Charikar, K. Li, "Efficient k-nearest neighbor graph construction for generic similarity measures", WWW
//! 2011, is where the second step is from. Here every step works on the lists as they were before it, so that the
//! result does not depend on the number of threads; and every distance is the true one.

use rayon::prelude::*;

use super::block::{Block, Bounds, Desk, Found, insert};
use super::neighbors::invert;
use super::projected::Projected;
use super::tree::leaves;
use crate::error::Result;
use crate::points::Points;
use crate::progress::Progress;
use crate::sample::sample;

/// Points whose neighbours of neighbours are asked at a time.
const CHUNK: usize = 256;
/// Points whose true neighbours are looked for to measure the recall.
const SAMPLE: usize = 500;
/// Of these so many at a time.
const QUERIES: usize = 16;

/// Points of a leaf, at most: in half as many each finds as many neighbours as it needs.
fn leaf(k: usize) -> usize {
    (4 * k).max(512)
}

/// Lets the points find each other in the leaves of a tree; each tree has a number from 1.
pub(super) fn explore(
    bounds: &Bounds<'_>,
    lists: &mut [Found],
    k: usize,
    tree: u64,
    progress: &Progress<'_>,
) -> Result<()> {
    let (before, leaf) = (&*lists, leaf(k).min(lists.len() / k));
    let found: Vec<Block> = leaves(&bounds.head, leaf, tree)
        .into_par_iter()
        .map_init(
            || Desk::new(leaf),
            |desk, members| {
                let mut block = Block::of(bounds, members, before, k);
                desk.compare_within(bounds, &mut block);
                progress.check().map(|()| block.without_vectors())
            },
        )
        .collect::<Result<_>>()?;
    found.iter().for_each(|block| block.put_back(lists));
    Ok(())
}

/// Asks the neighbours of each point's neighbours, and who has these as a neighbour.
pub(super) fn refine(
    bounds: &Bounds<'_>,
    lists: &mut Vec<Found>,
    k: usize,
    progress: &Progress<'_>,
) -> Result<()> {
    let n = lists.len() / k;
    let members: Vec<u32> = lists.iter().map(|found| found.1).collect();
    let offsets: Vec<usize> = (0..=n).map(|i| i * k).collect();
    let (starts, owners) = invert(&offsets, &members);
    let around = |i: u32| {
        let i = i as usize;
        // Of a point that is a neighbour of very many only some of these are asked.
        let back = owners[starts[i]..starts[i + 1]].iter().take(k).map(|&(owner, _)| owner);
        members[i * k..][..k].iter().copied().chain(back)
    };
    let mut refined = lists.clone();
    refined.par_chunks_mut(CHUNK * k).enumerate().try_for_each(|(chunk, lists)| {
        let mut asked: Vec<u32> = Vec::new();
        for (i, list) in (chunk * CHUNK..).zip(lists.chunks_exact_mut(k)) {
            let i = i as u32;
            asked.clear();
            asked.extend(around(i));
            asked.extend(members[i as usize * k..][..k].iter().flat_map(|&j| around(j)));
            asked.sort_unstable();
            asked.dedup();
            pulp::Arch::new().dispatch(Ask { bounds, list, i, asked: &asked });
        }
        progress.check()
    })?;
    *lists = refined;
    Ok(())
}

/// Points that one is to be compared with.
struct Ask<'a> {
    bounds: &'a Bounds<'a>,
    list: &'a mut [Found],
    i: u32,
    asked: &'a [u32],
}

impl pulp::NullaryFnOnce for Ask<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Ask { bounds, list, i, asked } = self;
        let mut limit = bounds.limit(list[list.len() - 1].0);
        for &j in asked.iter().filter(|&&j| j != i) {
            let is_new = || list.iter().all(|found| found.1 != j);
            if bounds.allow(i, j, limit) && is_new() && insert(list, (bounds.distance(i, j), j)) {
                limit = bounds.limit(list[list.len() - 1].0);
            }
        }
    }
}

/// The share of true neighbours in the lists, on a sample of the points.
pub(super) fn recall(points: &Points, projected: &Projected, lists: &[Found], k: usize) -> f64 {
    let rows = sample(points.rows(), SAMPLE, 0);
    let right: usize = rows
        .par_chunks(QUERIES)
        .map(|rows| {
            let others: Vec<f64> = rows.iter().flat_map(|&i| points.row(i)).copied().collect();
            let nearest = projected.nearest(points, &others, k + 1);
            let right = |(&i, nearest): (&usize, &Vec<Found>)| {
                // The point itself is the first of all.
                let farthest = nearest[k].0;
                lists[i * k..][..k].iter().filter(|found| found.0 <= farthest).count()
            };
            rows.iter().zip(&nearest).map(right).sum::<usize>()
        })
        .sum();
    right as f64 / (rows.len() * k) as f64
}
