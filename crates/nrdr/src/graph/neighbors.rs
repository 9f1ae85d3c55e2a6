//! The k nearest neighbours.
//!
//! Conventions, the same for every search:
//! - a point is not its own neighbour, but another point at the same place is;
//! - neighbours come in the order of their distance, equal distances in the order of their index;
//! - so of many identical points the first few are the neighbours of all the others.

use rayon::prelude::*;

use super::kd_tree::{KdTree, MOST_COLUMNS};
use super::{many, scan};
use crate::error::{Error, Result};
use crate::linalg::SymmetricMatrix;
use crate::metric::Metric;
use crate::metric::norm::{Norm, by_norm};
use crate::parameter::{Word, Words};
use crate::points::Points;
use crate::progress::Progress;

/// How the nearest neighbours are searched. All searches but the approximate one give the same answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// Exact in few dimensions and wherever it is predicted to be no slower, otherwise approximate; exact again, if that
    /// does not find enough.
    #[default]
    Auto,
    /// Exact: the kd-tree or all distances, whichever a few sample queries predict to be faster.
    Exact,
    /// Approximate, whatever the number of points: an error if it does not find enough.
    Approximate,
    /// A kd-tree: for points of few, or effectively few, dimensions.
    KdTree,
    /// All distances, block by block, by matrix multiplication where the metric allows it: for many dimensions.
    Blocked,
}

impl Words for Search {
    const WORDS: &'static [Word] = &[
        Word::new("auto", "Exact, or approximate where that is faster"),
        Word::new("exact", "Exact, however long it takes"),
        Word::new("approximate", "Approximate, however few points there are"),
    ];
    const VALUES: &'static [Self] = &[Search::Auto, Search::Exact, Search::Approximate];
}

/// The least share of true neighbours that an approximate search has to find, unless another is asked for.
pub const RECALL: f64 = 0.95;

/// For each point the list of its neighbours with their distances.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighborhoods {
    /// Where each point's list begins; one more entry than points.
    pub(crate) offsets: Vec<usize>,
    pub(crate) indices: Vec<u32>,
    pub(crate) distances: Vec<f64>,
}

impl Neighborhoods {
    /// Lists of `k` neighbours each, one after another.
    pub(crate) fn uniform(k: usize, indices: Vec<u32>, distances: Vec<f64>) -> Self {
        Neighborhoods { offsets: (0..=indices.len()).step_by(k).collect(), indices, distances }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Neighbours of point `i`, nearest first.
    pub fn of(&self, i: usize) -> &[u32] {
        &self.indices[self.offsets[i]..self.offsets[i + 1]]
    }

    /// Distances of the neighbours of point `i`.
    pub fn distances(&self, i: usize) -> &[f64] {
        &self.distances[self.offsets[i]..self.offsets[i + 1]]
    }

    /// The lists of the points with these ascending indices, without the other points.
    pub(crate) fn select(&self, indices: &[u32]) -> Self {
        let mut number = vec![u32::MAX; self.len()];
        for (new, &old) in indices.iter().enumerate() {
            number[old as usize] = new as u32;
        }
        let (mut offsets, mut selected, mut distances) = (vec![0], Vec::new(), Vec::new());
        for &i in indices {
            for (&j, &d) in self.of(i as usize).iter().zip(self.distances(i as usize)) {
                if number[j as usize] != u32::MAX {
                    selected.push(number[j as usize]);
                    distances.push(d);
                }
            }
            offsets.push(selected.len());
        }
        Neighborhoods { offsets, indices: selected, distances }
    }

    /// The shortest of the lists.
    pub fn least(&self) -> usize {
        let lengths = self.offsets.windows(2).map(|w| w[1] - w[0]);
        lengths.min().unwrap_or(0)
    }
}

/// The `k` nearest neighbours of every point; of approximate ones a share of [`RECALL`] is right at least.
pub fn neighbors(
    points: &Points,
    k: usize,
    search: Search,
    progress: &Progress<'_>,
) -> Result<Neighborhoods> {
    neighbors_by(Metric::Euclidean, points, k, search, progress)
}

/// The same by any metric.
pub fn neighbors_by(
    metric: Metric,
    points: &Points,
    k: usize,
    search: Search,
    progress: &Progress<'_>,
) -> Result<Neighborhoods> {
    metric.check(points)?;
    search.check(metric)?;
    let how = How { metric, search, recall: RECALL };
    let Searched { lists, reordered, .. } = searched(&*metric.seen(points)?, k, how, progress)?;
    let Some((_, order)) = reordered else {
        return Ok(lists);
    };
    let mut position = vec![0; order.len()];
    for (at, &original) in order.iter().enumerate() {
        position[original as usize] = at;
    }
    let list = |i: usize| lists.of(position[i]).iter().map(|&j| order[j as usize]);
    let indices = (0..order.len()).flat_map(list).collect();
    let distances = position.iter().flat_map(|&at| lists.distances(at)).copied();
    Ok(Neighborhoods::uniform(k, indices, distances.collect()))
}

/// How neighbours are searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How {
    pub(crate) metric: Metric,
    pub(crate) search: Search,
    /// The share of true neighbours that is wanted.
    pub(crate) recall: f64,
}

impl Search {
    /// Refuses a search that there is not by a metric.
    pub(crate) fn check(self, metric: Metric) -> Result<()> {
        if self == Search::Approximate && !metric.is_euclidean_at_heart() {
            return Err(Error::OnlyExact { metric: metric.to_string() });
        }
        Ok(())
    }
}

/// What a search finds.
pub(crate) struct Searched {
    pub(crate) lists: Neighborhoods,
    /// The points in an order in which near ones have near numbers, where the search knows such an order, and the
    /// original index of each. The lists are of these: what follows then finds its data in the cache.
    pub(crate) reordered: Option<(Points, Vec<u32>)>,
    /// The share of true neighbours, if they are approximate.
    pub(crate) recall: Option<f64>,
}

/// The `k` nearest neighbours of every point. Points are as the metric sees them.
pub(crate) fn searched(
    points: &Points,
    k: usize,
    how: How,
    progress: &Progress<'_>,
) -> Result<Searched> {
    check(k, points.rows())?;
    let mut searched = by_norm!(how.metric, norm => by(norm, points, k, how, progress))?;
    let (metric, columns) = (how.metric, points.columns());
    let distances = searched.lists.distances.par_iter_mut();
    distances.for_each(|distance| *distance = metric.length(*distance, columns));
    Ok(searched)
}

/// The same with what the norm tells in place of distances.
fn by<N: Norm>(
    norm: N,
    points: &Points,
    k: usize,
    how: How,
    progress: &Progress<'_>,
) -> Result<Searched> {
    let tree = match how.search {
        Search::KdTree => Some(KdTree::by(norm, points)),
        Search::Auto | Search::Exact if points.columns() <= MOST_COLUMNS => {
            let tree = KdTree::by(norm, points);
            tree.is_worthwhile(k).then_some(tree)
        }
        _ => None,
    };
    if let Some(tree) = tree {
        let lists = tree.neighbors(k, progress)?;
        return Ok(Searched { lists, reordered: Some(tree.into_points()), recall: None });
    }
    let (lists, recall) = if N::HAS_PRODUCTS {
        many::neighbors(points, k, how.search, how.recall, progress)?
    } else {
        let (measures, indices) =
            scan::neighbors(points, how.metric, norm, k, progress)?.into_iter().unzip();
        (Neighborhoods::uniform(k, indices, measures), None)
    };
    Ok(Searched { lists, reordered: None, recall })
}

/// The ways to search neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// In a tree.
    Tree,
    /// By matrix products.
    Products,
    /// By all distances, one by one.
    Scan,
    /// Not at all: all distances are given.
    Given,
}

/// The way in which the neighbours of so many points, of which some that are near each other are given as the metric sees them,
/// will be searched; how that is called, and why.
pub(crate) fn foresee_search(
    patch: Option<&Points>,
    points: usize,
    k: usize,
    how: How,
) -> (Way, &'static str, &'static str) {
    const TREE: (Way, &str) = (Way::Tree, "exact, kd-tree");
    let all = match how.search {
        _ if !how.metric.is_euclidean_at_heart() => (Way::Scan, "exact, all distances"),
        Search::Auto => (Way::Products, "exact, or approximate where that is faster"),
        Search::Approximate => (Way::Products, "approximate"),
        _ => (Way::Products, "exact, blocked products"),
    };
    let ((way, name), why) = match (how.search, patch) {
        (Search::KdTree, _) => (TREE, "asked for"),
        (Search::Blocked | Search::Approximate, _) => (all, "asked for"),
        (_, None) => ((Way::Given, "exact"), "distances are given"),
        (_, Some(patch)) if patch.columns() > MOST_COLUMNS => (all, "there are many columns"),
        (_, Some(patch)) => {
            let pays = patch.rows() > k
                && by_norm!(how.metric, norm => KdTree::by(norm, patch).would_be_worthwhile(points, k));
            if pays {
                (TREE, "the points lie in few dimensions")
            } else {
                (all, "the points lie in many dimensions")
            }
        }
    };
    (way, name, why)
}

/// The `k` nearest neighbours of every point when all distances are given.
pub(crate) fn neighbors_from_distances(
    distances: &SymmetricMatrix,
    k: usize,
    progress: &Progress<'_>,
) -> Result<Neighborhoods> {
    let n = distances.size();
    check(k, n)?;
    let lists: Vec<Vec<(f64, u32)>> = (0..n)
        .into_par_iter()
        .map(|i| {
            let row = distances.row(i).iter().zip(0..);
            let mut others: Vec<(f64, u32)> =
                row.filter(|&(_, j)| j as usize != i).map(|(&d, j)| (d, j)).collect();
            keep_nearest(&mut others, k);
            progress.advance(1, n).map(|()| others)
        })
        .collect::<Result<_>>()?;
    let (distances, indices) = lists.into_iter().flatten().unzip();
    Ok(Neighborhoods::uniform(k, indices, distances))
}

/// Turns lists of members inside out: where each member's entries begin, with one more than lists, and
/// for each member the lists it is in, ascending, with its place among all members.
pub(crate) fn invert(offsets: &[usize], members: &[u32]) -> (Vec<usize>, Vec<(u32, u32)>) {
    let n = offsets.len() - 1;
    let mut starts = vec![0; n + 1];
    for &member in members {
        starts[member as usize + 1] += 1;
    }
    for i in 0..n {
        starts[i + 1] += starts[i];
    }
    let mut next = starts.clone();
    let mut places = vec![(0, 0); members.len()];
    for list in 0..n {
        for at in offsets[list]..offsets[list + 1] {
            let place = &mut next[members[at] as usize];
            places[*place] = (list as u32, at as u32);
            *place += 1;
        }
    }
    (starts, places)
}

fn check(k: usize, n: usize) -> Result<()> {
    if k == 0 {
        return Err(Error::parameter("neighbors", k, "at least 1"));
    }
    if k >= n {
        return Err(Error::TooManyNeighbors { neighbors: k, available: n.saturating_sub(1) });
    }
    Ok(())
}

/// Reduces candidates (distance, index) to the `k` nearest, sorted by distance, then index.
pub(crate) fn keep_nearest(candidates: &mut Vec<(f64, u32)>, k: usize) {
    let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    if candidates.len() > k {
        candidates.select_nth_unstable_by(k, order);
        candidates.truncate(k);
    }
    candidates.sort_unstable_by(order);
}
