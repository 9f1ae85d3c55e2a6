//! How good an embedding is: what it tells about known numbers, and whether neighbours stay neighbours.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::graph::neighbors::neighbors;
use crate::graph::{Neighborhoods, Search};
use crate::linalg::vector::{squared_distance, vectorized};
use crate::points::Points;
use crate::progress::Watch;
use crate::sample::sample;
use crate::stage::Stage;

/// Neighbours whose mean, or majority, is the prediction.
const NEIGHBORS: usize = 10;
/// Points whose neighbourhoods are looked at, at most.
const QUERIES: usize = 2000;

/// R2 of predicting each target at a point by its mean over the point's 10 nearest neighbours in
/// the embedding, the point itself left out; coordinates are scaled to unit variance.
///
/// 1 means that the embedding determines the target, 0 or less that it says nothing about it.
pub fn recovery(embedding: &Points, targets: &[&[f64]]) -> Result<Vec<f64>> {
    targets.iter().try_for_each(|target| check_size("a target", target.len(), embedding))?;
    let lists = nearest(&unit_variance(embedding)?)?;
    let score = |target: &&[f64]| {
        let errors = target.iter().enumerate().map(|(i, value)| {
            let near = lists.of(i).iter().map(|&j| target[j as usize]);
            (value - near.sum::<f64>() / lists.of(i).len() as f64).powi(2)
        });
        1.0 - errors.sum::<f64>() / (variance(target) * target.len() as f64)
    };
    Ok(targets.iter().map(score).collect())
}

/// The share of points whose label is that of most of their 10 nearest neighbours in the embedding, the
/// point itself left out; of labels equally frequent the nearest one's counts.
pub fn label_accuracy(embedding: &Points, labels: &[u32]) -> Result<f64> {
    check_size("labels", labels.len(), embedding)?;
    let lists = nearest(&unit_variance(embedding)?)?;
    let right = |i: &usize| {
        let near: Vec<u32> = lists.of(*i).iter().map(|&j| labels[j as usize]).collect();
        let votes = |label: u32| near.iter().filter(|&&other| other == label).count();
        // The first of the largest: neighbours come nearest first.
        let winner = near.iter().rev().max_by_key(|&&label| votes(label));
        winner == Some(&labels[*i])
    };
    Ok((0..labels.len()).filter(right).count() as f64 / labels.len() as f64)
}

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
    let n = points.rows();
    check_size("the embedding", embedding.rows(), points)?;
    if k == 0 || 3 * k + 1 >= 2 * n {
        return Err(Error::TooManyNeighbors { neighbors: k, available: (2 * n).div_ceil(3) - 1 });
    }
    let queries = sample(n, QUERIES, seed);
    let intruders = queries.par_iter().map(|&i| {
        let (input, output) = (Order::new(points, i, k), Order::new(embedding, i, k));
        let same = input.nearest.iter().filter(|j| output.nearest.contains(j)).count();
        (input.excess(&output.nearest), output.excess(&input.nearest), same)
    });
    let found: Vec<(usize, usize, usize)> = intruders.collect();
    let count = queries.len() as f64;
    let (k, n) = (k as f64, n as f64);
    let score = |excess: usize| 1.0 - 2.0 * excess as f64 / (count * k * (2.0 * n - 3.0 * k - 1.0));
    Ok(Preservation {
        trustworthiness: score(found.iter().map(|f| f.0).sum()),
        continuity: score(found.iter().map(|f| f.1).sum()),
        neighborhoods: found.iter().map(|f| f.2).sum::<usize>() as f64 / (count * k),
        queries: queries.len(),
    })
}

/// The others as seen from one point.
struct Order {
    squares: Vec<f64>,
    nearest: Vec<usize>,
    k: usize,
}

impl Order {
    fn new(points: &Points, own: usize, k: usize) -> Self {
        let mut squares = vec![0.0; points.rows()];
        vectorized(|| {
            for (i, square) in squares.iter_mut().enumerate() {
                *square = squared_distance(points.row(own), points.row(i));
            }
        });
        squares[own] = f64::INFINITY;
        let mut order: Vec<usize> = (0..squares.len()).collect();
        let nearer = |a: &usize, b: &usize| squares[*a].total_cmp(&squares[*b]).then(a.cmp(b));
        order.select_nth_unstable_by(k - 1, nearer);
        order.truncate(k);
        Order { squares, nearest: order, k }
    }

    /// How far beyond the k-th place these points are, summed up.
    fn excess(&self, others: &[usize]) -> usize {
        let beyond = others.iter().filter(|j| !self.nearest.contains(j));
        beyond.map(|&j| self.place(j) - self.k).sum()
    }

    /// The place of a point among the others, counted from 1.
    fn place(&self, j: usize) -> usize {
        let key = (self.squares[j], j);
        let before = |(i, square): (usize, &f64)| {
            square.total_cmp(&key.0).then(i.cmp(&key.1)) == std::cmp::Ordering::Less
        };
        1 + self.squares.iter().enumerate().filter(|&at| before(at)).count()
    }
}

fn check_size(what: &'static str, got: usize, points: &Points) -> Result<()> {
    let expected = points.rows();
    if got == expected { Ok(()) } else { Err(Error::Size { what, got, expected }) }
}

fn nearest(points: &Points) -> Result<Neighborhoods> {
    let n = points.rows();
    if n < 2 {
        return Err(Error::TooFewPoints { points: n, needed: 2 });
    }
    let k = NEIGHBORS.min(n - 1);
    Watch::new(None)
        .stage(Stage::Neighbors, |progress| neighbors(points, k, Search::Auto, progress))
}

/// The points with each column scaled to unit variance; a constant one stays as it is.
fn unit_variance(points: &Points) -> Result<Points> {
    let factor = |c: usize| match variance(&points.column(c)).sqrt() {
        0.0 => 1.0,
        deviation => deviation.recip(),
    };
    let factors: Vec<f64> = (0..points.columns()).map(factor).collect();
    let scaled = points.values().iter().zip(factors.iter().cycle()).map(|(v, f)| v * f);
    Points::new(scaled.collect(), points.columns())
}

/// The mean squared distance from the mean.
fn variance(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(columns: &[fn(f64, f64) -> f64]) -> Points {
        let row = |i: usize| {
            let (x, y) = ((i / 20) as f64, (i % 20) as f64);
            columns.iter().map(|f| f(x, y)).collect::<Vec<f64>>()
        };
        Points::from_rows((0..400).map(row)).unwrap()
    }

    /// Both sides of a grid, at very different scales, and a product.
    #[test]
    fn coordinates_determine_their_functions_and_nothing_else() {
        let both = grid(&[|x, _| x, |_, y| 1e6 * y]);
        let all = grid(&[|x, _| x, |_, y| 1e6 * y, |x, y| x * y]);
        let targets: Vec<Vec<f64>> = (0..3).map(|c| all.column(c)).collect();
        let targets: Vec<&[f64]> = targets.iter().map(Vec::as_slice).collect();
        let scores = recovery(&both, &targets).unwrap();
        assert!(scores.iter().all(|&score| score > 0.98), "{scores:?}");
        let scores = recovery(&grid(&[|x, _| x]), &targets).unwrap();
        assert!(scores[0] > 0.98 && scores[1] < 0.2, "{scores:?}");
    }

    /// Two points and one neighbour: each is predicted by the other, R2 = 1 - 4 = -3.
    #[test]
    fn the_point_itself_is_left_out() {
        let points = Points::new(vec![0.0, 1.0], 1).unwrap();
        assert_eq!(recovery(&points, &[&[0.0, 2.0]]).unwrap(), [-3.0]);
        assert_eq!(label_accuracy(&points, &[1, 2]).unwrap(), 0.0);
        assert_eq!(label_accuracy(&points, &[1, 1]).unwrap(), 1.0);
    }

    #[test]
    fn a_constant_coordinate_does_no_harm() {
        let points = grid(&[|_, _| 0.5, |x, y| 20.0 * x + y]);
        let scores = recovery(&points, &[&points.column(1)]).unwrap();
        assert!(scores[0] > 0.99, "{scores:?}");
    }

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
        let same = preservation(&points, &points, k, 0).unwrap();
        assert_eq!((same.trustworthiness, same.continuity, same.neighborhoods), (1.0, 1.0, 1.0));
    }
}
