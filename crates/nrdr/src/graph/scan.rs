//! Exact nearest neighbours by all distances one by one, for norms that no matrix product tells.
//!
//! Most distances are given up after a few columns, once they are more than that of the k-th nearest so far. Some points
//! are compared with all at a time, so that each row that is read serves several.

use rayon::prelude::*;

use super::block::{Found, NOTHING, insert};
use crate::error::Result;
use crate::metric::Metric;
use crate::metric::norm::Norm;
use crate::points::Points;
use crate::progress::Progress;

/// Points that are compared with all others at a time.
const QUERIES: usize = 16;

/// What a scan looks at: pairs of a query and a point.
pub(super) trait Pairs: Sync {
    /// What the norm tells of a query and a point, or nothing where it is more than a limit.
    fn within(&self, query: usize, point: usize, limit: f64) -> Option<f64>;
}

/// Points and others that are compared with them, by a norm.
pub(super) struct ByNorm<'p, N> {
    pub(super) norm: N,
    pub(super) points: &'p Points,
    /// The others, row after row.
    pub(super) others: &'p [f64],
}

impl<N: Norm> Pairs for ByNorm<'_, N> {
    #[inline(always)]
    fn within(&self, query: usize, point: usize, limit: f64) -> Option<f64> {
        let columns = self.points.columns();
        let query = &self.others[query * columns..][..columns];
        self.norm.within(query, self.points.row(point), limit)
    }
}

/// Rows of columns that have no more than two values each, a bit for each column.
pub(super) struct Bits {
    words: Vec<u64>,
    /// Words of a row.
    width: usize,
}

impl Bits {
    /// The points, if no column has more than two values.
    pub(super) fn of(points: &Points) -> Option<Self> {
        let columns = points.columns();
        let first = points.row(0);
        let mut other: Vec<Option<f64>> = vec![None; columns];
        let width = columns.div_ceil(64);
        let mut words = vec![0; points.rows() * width];
        for (i, row) in words.chunks_exact_mut(width).enumerate() {
            for (c, &value) in points.row(i).iter().enumerate() {
                if value != first[c] {
                    if *other[c].get_or_insert(value) != value {
                        return None;
                    }
                    row[c / 64] |= 1 << (c % 64);
                }
            }
        }
        Some(Bits { words, width })
    }

    #[inline(always)]
    fn row(&self, i: usize) -> &[u64] {
        &self.words[i * self.width..][..self.width]
    }
}

impl Pairs for Bits {
    #[inline(always)]
    fn within(&self, query: usize, point: usize, limit: f64) -> Option<f64> {
        let pairs = self.row(query).iter().zip(self.row(point));
        let count: u32 = pairs.map(|(a, b)| (a ^ b).count_ones()).sum();
        Some(f64::from(count)).filter(|count| *count <= limit)
    }
}

/// The `k` nearest of all points by a metric that is a norm, with what the norm tells.
pub(super) fn neighbors(
    points: &Points,
    metric: Metric,
    norm: impl Norm,
    k: usize,
    progress: &Progress<'_>,
) -> Result<Vec<Found>> {
    let bits = if metric == Metric::Hamming { Bits::of(points) } else { None };
    match bits {
        Some(bits) => all(&bits, points.rows(), k, progress),
        None => all(&ByNorm { norm, points, others: points.values() }, points.rows(), k, progress),
    }
}

fn all(pairs: &impl Pairs, n: usize, k: usize, progress: &Progress<'_>) -> Result<Vec<Found>> {
    let mut lists = vec![NOTHING; n * k];
    lists.par_chunks_mut(QUERIES * k).enumerate().try_for_each(|(chunk, lists)| {
        let first = chunk * QUERIES;
        pulp::Arch::new().dispatch(Scan { pairs, points: n, first, k, lists, others: false });
        progress.advance(lists.len() / k, n)
    })?;
    Ok(lists)
}

/// The `k` nearest of the points of each of some others, with what the norm tells.
pub(super) fn nearest(
    norm: impl Norm,
    points: &Points,
    others: &[f64],
    k: usize,
) -> Vec<Vec<Found>> {
    let count = others.len() / points.columns();
    let mut lists = vec![NOTHING; count * k];
    let pairs = &ByNorm { norm, points, others };
    for (chunk, lists) in lists.chunks_mut(QUERIES * k).enumerate() {
        let (points, first) = (points.rows(), chunk * QUERIES);
        pulp::Arch::new().dispatch(Scan { pairs, points, first, k, lists, others: true });
    }
    lists.chunks_exact(k).map(<[Found]>::to_vec).collect()
}

/// Some queries and all points. Not a closure: that would not be compiled for wide registers.
struct Scan<'s, P> {
    pairs: &'s P,
    /// Number of points.
    points: usize,
    /// Number of the first query.
    first: usize,
    k: usize,
    lists: &'s mut [Found],
    /// Whether the queries are others than the points.
    others: bool,
}

impl<P: Pairs> pulp::NullaryFnOnce for Scan<'_, P> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Scan { pairs, points, first, k, lists, others } = self;
        for j in 0..points {
            for (query, list) in (first..).zip(lists.chunks_exact_mut(k)) {
                if !others && query == j {
                    continue;
                }
                if let Some(measure) = pairs.within(query, j, list[k - 1].0) {
                    insert(list, (measure, j as u32));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::neighbors::keep_nearest;
    use crate::metric::norm::by_norm;

    #[test]
    fn bits_count_what_the_norm_counts() {
        let value =
            |i: usize, c: usize| if (i * i * 7 + c * 3 + i * c) % 5 < 2 { -1.5 } else { 4.0 };
        for columns in [1, 63, 64, 65, 150] {
            let row = |i: usize| (0..columns).map(|c| value(i, c)).collect::<Vec<f64>>();
            let points = Points::from_rows((0..60).map(row)).unwrap();
            let bits = Bits::of(&points).unwrap();
            for (i, j) in (0..60).flat_map(|i| (0..60).map(move |j| (i, j))) {
                let expected = Metric::Hamming.measure(points.row(i), points.row(j));
                assert_eq!(bits.within(i, j, f64::INFINITY), Some(expected));
                assert_eq!(bits.within(i, j, expected - 0.5), None);
            }
        }
        let three = Points::new(vec![0.0, 1.0, 2.0], 1).unwrap();
        assert!(Bits::of(&three).is_none());
    }

    #[test]
    fn a_scan_finds_what_sorting_finds() {
        let value = |i: usize, c: usize| ((i * 31 + c * i * i) % 17) as f64;
        let rows = |from: usize| {
            (from..from + 70)
                .map(|i| (0..90).map(|c| value(i, c)).collect::<Vec<f64>>())
                .collect::<Vec<_>>()
        };
        let (points, others) =
            (Points::from_rows(rows(0)).unwrap(), Points::from_rows(rows(500)).unwrap());
        for metric in
            [Metric::Manhattan, Metric::Chebyshev, Metric::Hamming, Metric::Minkowski(3.0)]
        {
            let found = by_norm!(metric, norm => nearest(norm, &points, others.values(), 9));
            for (i, found) in found.iter().enumerate() {
                let measure = |j: usize| (metric.measure(others.row(i), points.row(j)), j as u32);
                let mut expected: Vec<Found> = (0..70).map(measure).collect();
                keep_nearest(&mut expected, 9);
                assert_eq!(*found, expected, "{metric}");
            }
        }
    }
}
