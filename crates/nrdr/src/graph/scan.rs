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
/// Values of a column that have codes.
const MOST_VALUES: usize = 100;

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

/// Rows of columns that have few different values each, a byte for each value: for counting how many differ.
pub(super) struct Codes {
    codes: Vec<u8>,
    columns: usize,
}

impl Codes {
    /// The points, if no column has too many values.
    pub(super) fn of(points: &Points) -> Option<Self> {
        let columns = points.columns();
        let mut known: Vec<Vec<f64>> = vec![Vec::new(); columns];
        let mut codes = Vec::with_capacity(points.values().len());
        for row in points.values().chunks_exact(columns) {
            for (&value, known) in row.iter().zip(&mut known) {
                let at = known.iter().position(|other| *other == value).unwrap_or_else(|| {
                    known.push(value);
                    known.len() - 1
                });
                if at == MOST_VALUES {
                    return None;
                }
                codes.push(at as u8);
            }
        }
        Some(Codes { codes, columns })
    }

    #[inline(always)]
    fn row(&self, i: usize) -> &[u8] {
        &self.codes[i * self.columns..][..self.columns]
    }
}

impl Pairs for Codes {
    #[inline(always)]
    fn within(&self, query: usize, point: usize, limit: f64) -> Option<f64> {
        // Counts of so many fit a byte, as wide registers have many.
        const PIECE: usize = 128;
        let (query, point) = (self.row(query).chunks(PIECE), self.row(point).chunks(PIECE));
        let mut count = 0;
        for (a, b) in query.zip(point) {
            let differ = a.iter().zip(b).map(|(a, b)| u8::from(a != b));
            count += u32::from(differ.fold(0, u8::wrapping_add));
            if f64::from(count) > limit {
                return None;
            }
        }
        Some(f64::from(count))
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
    let codes = if metric == Metric::Hamming { Codes::of(points) } else { None };
    match codes {
        Some(codes) => all(&codes, points.rows(), k, progress),
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
    fn codes_count_what_the_norm_counts() {
        let value = |i: usize, c: usize| ((i * i * 7 + c * 3 + i * c) % (2 + c % 9)) as f64 - 1.5;
        for columns in [1, 127, 128, 129, 300] {
            let row = |i: usize| (0..columns).map(|c| value(i, c)).collect::<Vec<f64>>();
            let points = Points::from_rows((0..60).map(row)).unwrap();
            let codes = Codes::of(&points).unwrap();
            for (i, j) in (0..60).flat_map(|i| (0..60).map(move |j| (i, j))) {
                let expected = Metric::Hamming.measure(points.row(i), points.row(j));
                assert_eq!(codes.within(i, j, f64::INFINITY), Some(expected));
                assert_eq!(codes.within(i, j, expected), Some(expected));
                assert_eq!(codes.within(i, j, expected - 0.5), None);
            }
        }
        let of = |n: usize| Codes::of(&Points::new((0..n).map(|i| i as f64).collect(), 1).unwrap());
        assert!(of(MOST_VALUES).is_some() && of(MOST_VALUES + 1).is_none());
        // Zero has one code, whatever its sign.
        assert_eq!(Codes::of(&Points::new(vec![0.0, -0.0], 1).unwrap()).unwrap().codes, [0, 0]);
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
