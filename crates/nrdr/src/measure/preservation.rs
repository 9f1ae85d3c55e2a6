//! Whether neighbours stay neighbours: trustworthiness, continuity, and the share that stays.

use faer::Mat;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::quality::check_size;
use super::squares::Squares;
use crate::error::{Error, Result};
use crate::linalg::vector::vectorized;
use crate::metric::Metric;
use crate::points::Points;
use crate::sample::sample;

/// Points whose neighbourhoods are looked at, at most.
const QUERIES: usize = 2000;
/// As many of them at a time,
const BLOCK: usize = 16;
/// and as many others.
const LANES: usize = 32;

/// Whether neighbours stay neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preservation {
    /// Whether those near in the embedding are near among the points (Venna & Kaski 2001): 1 is best.
    pub trustworthiness: f64,
    /// Whether those near among the points are near in the embedding: 1 is best.
    pub continuity: f64,
    /// The mean share of the nearest neighbours that are the same.
    pub neighborhoods: f64,
    /// Points whose neighbourhoods were looked at: all, or a random sample of 2000.
    pub queries: usize,
}

/// Compares the `k` nearest neighbours among the points and in the embedding, which is taken as it is.
pub fn preservation(
    points: &Points,
    embedding: &Points,
    k: usize,
    seed: u64,
) -> Result<Preservation> {
    Ok(preservations(points, &[embedding], k, seed)?[0])
}

/// The same of several embeddings: the neighbours among the points are looked for once.
pub fn preservations(
    points: &Points,
    embeddings: &[&Points],
    k: usize,
    seed: u64,
) -> Result<Vec<Preservation>> {
    preservations_by(Metric::Euclidean, points, embeddings, k, seed)
}

/// The same with neighbours among the points by any metric.
pub fn preservations_by(
    metric: Metric,
    points: &Points,
    embeddings: &[&Points],
    k: usize,
    seed: u64,
) -> Result<Vec<Preservation>> {
    let found = preservations_by_point(metric, points, embeddings, k, seed)?;
    Ok(found.into_iter().map(|(preservation, _)| preservation).collect())
}

/// Trustworthiness, continuity and the share that is kept of single points, whose means are those of all.
pub(super) type ByPoint = [Vec<f64>; 3];

/// The same with what it is the mean of.
pub(super) fn preservations_by_point(
    metric: Metric,
    points: &Points,
    embeddings: &[&Points],
    k: usize,
    seed: u64,
) -> Result<Vec<(Preservation, ByPoint)>> {
    let n = points.rows();
    metric.check(points)?;
    for embedding in embeddings {
        check_size("the embedding", embedding.rows(), points)?;
    }
    if k == 0 || 3 * k + 1 >= 2 * n {
        let most = (2 * n).div_ceil(3).saturating_sub(1);
        return Err(Error::parameter("k", k, format!("from 1 to {most}, with {n} points")));
    }
    let queries = sample(n, QUERIES, seed);
    let seen = metric.seen(points)?;
    let embeddings_of = embeddings.iter().copied().map(Squares::new);
    let spaces: Vec<Squares<'_>> =
        std::iter::once(Squares::by(metric, &seen)).chain(embeddings_of).collect();
    let of_block = |some: &[usize]| {
        let squares: Vec<Mat<f64>> = spaces.iter().map(|space| space.from(some)).collect();
        let of_query = |at: usize| {
            let orders: Vec<Order<'_>> =
                squares.iter().map(|all| Order::new(all.col_as_slice(at), k)).collect();
            let (input, outputs) = (&orders[0], &orders[1..]);
            let compared = |output: &Order<'_>| {
                let same = input.nearest.iter().filter(|j| output.nearest.contains(j)).count();
                [input.excess(&output.nearest), output.excess(&input.nearest), same]
            };
            outputs.iter().map(compared).collect::<Vec<[usize; 3]>>()
        };
        (0..some.len()).map(of_query).collect::<Vec<_>>()
    };
    let found: Vec<Vec<[usize; 3]>> = queries.par_chunks(BLOCK).flat_map_iter(of_block).collect();
    let count = queries.len() as f64;
    let (k, n) = (k as f64, n as f64);
    let score = |excess: usize, queries: f64| {
        1.0 - 2.0 * excess as f64 / (queries * k * (2.0 * n - 3.0 * k - 1.0))
    };
    let of_embedding = |e: usize| {
        let each = |what: usize| found.iter().map(move |of_query| of_query[e][what]);
        let sum = |what: usize| each(what).sum::<usize>();
        let preservation = Preservation {
            trustworthiness: score(sum(0), count),
            continuity: score(sum(1), count),
            neighborhoods: sum(2) as f64 / (count * k),
            queries: queries.len(),
        };
        let scores = |what: usize| each(what).map(|excess| score(excess, 1.0)).collect();
        let kept = each(2).map(|same| same as f64 / k).collect();
        (preservation, [scores(0), scores(1), kept])
    };
    Ok((0..embeddings.len()).map(of_embedding).collect())
}

/// The others as seen from one point.
struct Order<'s> {
    squares: &'s [f64],
    nearest: Vec<usize>,
}

impl<'s> Order<'s> {
    /// By squared distances; that of the point itself is infinite.
    fn new(squares: &'s [f64], k: usize) -> Self {
        // The nearest so far, in their order. Most others are not nearer than the last of them.
        let mut nearest: Vec<usize> = Vec::with_capacity(k + 1);
        let mut farthest = f64::INFINITY;
        for (start, some) in (0..).step_by(LANES).zip(squares.chunks(LANES)) {
            if nearest.len() == k && !vectorized(|| is_any_below(some, farthest)) {
                continue;
            }
            for (j, &square) in (start..).zip(some) {
                if nearest.len() == k && square >= farthest || square == f64::INFINITY {
                    continue;
                }
                let place = nearest.partition_point(|&other| squares[other] <= square);
                nearest.insert(place, j);
                nearest.truncate(k);
                farthest = squares[nearest[nearest.len() - 1]];
            }
        }
        Order { squares, nearest }
    }

    /// How far beyond the k-th place these points are, summed up.
    fn excess(&self, others: &[usize]) -> usize {
        let beyond = others.iter().filter(|j| !self.nearest.contains(j));
        beyond.map(|&j| self.place(j) - self.nearest.len()).sum()
    }

    /// The place of a point among the others, counted from 1; of equally distant ones the first is nearer.
    fn place(&self, j: usize) -> usize {
        let own = self.squares[j];
        let (before, after) = self.squares.split_at(j);
        vectorized(|| {
            let not_farther = before.iter().filter(|&&square| square <= own).count();
            1 + not_farther + after.iter().filter(|&&square| square < own).count()
        })
    }
}

#[inline(always)]
fn is_any_below(values: &[f64], limit: f64) -> bool {
    values.iter().fold(false, |any, value| any | (*value < limit))
}

#[cfg(test)]
mod tests {
    use super::super::quality::tests::grid;
    use super::*;
    use crate::linalg::vector::squared_distance;

    /// By the definition, from sorted lists.
    #[test]
    fn preservation_is_what_its_definition_says() {
        let points = grid(&[|x, _| x, |_, y| 1.1 * y]);
        let bent = grid(&[|x, y| (0.4 * x).sin() + 0.01 * y, |x, y| y * (0.3 * x).cos()]);
        let k = 7;
        let order = |points: &Points, i: usize| {
            let mut others: Vec<usize> = (0..400).filter(|&j| j != i).collect();
            let key = |j: usize| squared_distance(points.row(i), points.row(j));
            others.sort_by(|&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
            others
        };
        let expected = |one: &Points, other: &Points| {
            let mut sum = 0;
            for i in 0..400 {
                let (input, output) = (order(one, i), order(other, i));
                for j in &output[..k] {
                    let rank = input.iter().position(|other| other == j).unwrap() + 1;
                    sum += rank.saturating_sub(k);
                }
            }
            1.0 - 2.0 * sum as f64 / (400 * k * (800 - 3 * k - 1)) as f64
        };
        let found = preservation(&points, &bent, k, 0).unwrap();
        assert!((found.trustworthiness - expected(&points, &bent)).abs() < 1e-12);
        assert!((found.continuity - expected(&bent, &points)).abs() < 1e-12);
        assert!(found.trustworthiness < 0.999 && found.queries == 400);
        let both = preservations(&points, &[&bent, &points], k, 0).unwrap();
        let same = preservation(&points, &points, k, 0).unwrap();
        assert_eq!(both, [found, same]);
        assert_eq!((same.trustworthiness, same.continuity, same.neighborhoods), (1.0, 1.0, 1.0));
        // Means of what is found of single points.
        let (whole, parts) =
            preservations_by_point(Metric::Euclidean, &points, &[&bent], k, 0).unwrap().remove(0);
        assert_eq!(whole, found);
        let measures = [found.trustworthiness, found.continuity, found.neighborhoods];
        for (part, measure) in parts.iter().zip(measures) {
            let mean = part.iter().sum::<f64>() / part.len() as f64;
            assert!(part.len() == 400 && (mean - measure).abs() < 1e-12, "{mean} {measure}");
        }
    }
}
