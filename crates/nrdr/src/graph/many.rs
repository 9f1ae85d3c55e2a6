//! Nearest neighbours of points of many dimensions: exact ones, or approximate ones where these are faster.
//!
//! Both begin with random trees, whose leaves give most neighbours. The exact search then compares all pairs; as it
//! knows by then how near the neighbours of a point must be, lower bounds by few directions rule nearly all of them out.
//! The approximate search asks the neighbours of neighbours instead.

use rayon::prelude::*;

use super::approximate::{explore, recall, refine};
use super::block::{Bounds, Found, NOTHING};
use super::blocked::complete;
use super::duplicates::{expand, groups_of_equal_points};
use super::neighbors::{Neighborhoods, Search};
use super::projected::{DIRECTIONS, Projected};
use crate::error::{Error, Result};
use crate::points::Points;
use crate::progress::Progress;
use crate::sample::sample;

/// Trees before all pairs are compared: more make that no shorter.
const TREES: u64 = 3;
/// Trees before the neighbours of neighbours are asked for the first time, and each further time.
const TREES_OF_EFFORT: [u64; 4] = [8, 4, 8, 16];
/// Efforts that an approximate search is expected to take: where in doubt, the exact one is done.
const EXPECTED: usize = 3;
/// The recall that is worth an effort, whatever less is asked for.
const WORTHWHILE: f64 = 0.99;
/// Numbers of directions whose lower bounds are tried, and the points that they are tried on.
const WIDTHS: [usize; 4] = [16, 32, 64, 128];
const SAMPLE: usize = 64;

/// What a step takes, in multiplications of a matrix product, as measured.
mod cost {
    /// Looking at a product.
    pub(super) const SCAN: f64 = 8.0;
    /// The second lower bound of a pair.
    pub(super) const BOUND: f64 = 1500.0;
    /// A true distance, for each column.
    pub(super) const COLUMN: f64 = 10.0;
    /// A tree, for each point.
    pub(super) const TREE: f64 = 250_000.0;
    /// Asking the neighbours of neighbours, for each point.
    pub(super) const REFINE: f64 = 1_000_000.0;
}

/// The `k` nearest neighbours of every point with squared distances, and the recall if they are approximate.
pub(super) fn neighbors(
    points: &Points,
    k: usize,
    search: Search,
    wanted: f64,
    progress: &Progress<'_>,
) -> Result<(Neighborhoods, Option<f64>)> {
    let groups = groups_of_equal_points(points);
    let has_copies = groups.len() < points.rows();
    let firsts: Vec<u32> = groups.iter().map(|group| group[0]).collect();
    let selected = has_copies.then(|| points.select(&firsts));
    let distinct = selected.as_ref().unwrap_or(points);
    let found = k.min(distinct.rows() - 1);
    let (mut lists, mut reached) = (Vec::new(), None);
    if found > 0 {
        (lists, reached) = find(distinct, found, search, wanted, progress)?;
    }
    if has_copies {
        lists = expand(&lists, found, &groups, k, points.rows());
    }
    let (squared, indices): (Vec<f64>, Vec<u32>) = lists.into_iter().unzip();
    Ok((Neighborhoods::uniform(k, indices, squared), reached))
}

/// The lists of distinct points.
fn find(
    points: &Points,
    k: usize,
    search: Search,
    wanted: f64,
    progress: &Progress<'_>,
) -> Result<(Vec<Found>, Option<f64>)> {
    let projected = Projected::new(points, DIRECTIONS)?;
    let plan = Plan::new(points, &projected, k);
    let bounds = match plan.width {
        Some(width) => Bounds::projected(points, &projected, width),
        None => Bounds::full(points, &projected),
    };
    let mut lists = vec![NOTHING; points.rows() * k];
    let is_approximate = match search {
        Search::Approximate => true,
        Search::Auto => plan.approximate < plan.exact,
        Search::Exact | Search::KdTree | Search::Blocked => false,
    };
    if is_approximate {
        let reached = approach(&bounds, &projected, &mut lists, k, wanted, progress)?;
        if reached >= wanted {
            return Ok((lists, Some(reached)));
        }
        if search == Search::Approximate {
            return Err(Error::Recall { reached, wanted });
        }
    } else {
        for tree in 1..=TREES {
            explore(&bounds, &mut lists, k, tree, progress)?;
        }
    }
    complete(&bounds, &mut lists, k, progress)?;
    Ok((lists, None))
}

/// Fills lists with approximate neighbours, with more effort until it suffices; returns the recall.
fn approach(
    bounds: &Bounds<'_>,
    projected: &Projected,
    lists: &mut Vec<Found>,
    k: usize,
    wanted: f64,
    progress: &Progress<'_>,
) -> Result<f64> {
    let (mut tree, mut reached) = (0, 0.0);
    for trees in TREES_OF_EFFORT {
        for _ in 0..trees {
            tree += 1;
            explore(bounds, lists, k, tree, progress)?;
        }
        refine(bounds, lists, k, progress)?;
        reached = recall(bounds.points, projected, lists, k);
        if reached >= wanted.max(WORTHWHILE) {
            break;
        }
    }
    Ok(reached)
}

/// How the search is done, and what it takes for each point.
struct Plan {
    /// Directions whose lower bounds are products; `None` means all columns.
    width: Option<usize>,
    exact: f64,
    approximate: f64,
}

impl Plan {
    /// By the pairs that the lower bounds leave to a sample of the points.
    fn new(points: &Points, projected: &Projected, k: usize) -> Self {
        let (n, columns) = (points.rows() as f64, points.columns() as f64);
        let rows = sample(points.rows(), SAMPLE, 0);
        let left: Vec<[usize; WIDTHS.len()]> = rows
            .par_iter()
            .map(|&i| {
                // The point itself is the first of all.
                let nearest = &projected.nearest(points, points.row(i), k + 1)[0];
                projected.within(i, WIDTHS, nearest[k].0)
            })
            .collect();
        let left =
            |at: usize| left.iter().map(|left| left[at] as f64).sum::<f64>() / left.len() as f64;
        let pairs = |width: f64| 0.5 * n * (width + cost::SCAN);
        let distances = |count: f64| count * columns * cost::COLUMN;
        let all = (None, pairs(columns) + distances(k as f64));
        let tried = WIDTHS.iter().enumerate().map(|(at, &width)| {
            let bounds = left(at) * cost::BOUND + distances(left(WIDTHS.len() - 1));
            (Some(width), pairs(width as f64) + bounds)
        });
        let least =
            |a: (Option<usize>, f64), b: (Option<usize>, f64)| if b.1 < a.1 { b } else { a };
        let (width, sweep) = tried.fold(all, least);
        let trees: u64 = TREES_OF_EFFORT[..EXPECTED].iter().sum();
        Plan {
            width,
            exact: TREES as f64 * cost::TREE + sweep,
            approximate: trees as f64 * cost::TREE + EXPECTED as f64 * cost::REFINE,
        }
    }
}
