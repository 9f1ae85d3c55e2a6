//! How good an embedding is: what it tells about known numbers, and whether neighbours stay neighbours.

use crate::error::{Error, Result};
use crate::graph::neighbors::neighbors;
use crate::graph::{Neighborhoods, Search};
pub use crate::measure::explain::{Explained, explain, explain_each};
pub use crate::measure::preservation::{
    Preservation, preservation, preservations, preservations_by,
};
pub use crate::measure::sampled::{Quality, Sample, Terms, quality};
use crate::points::Points;
use crate::progress::Watch;
use crate::stage::Stage;

/// Neighbours whose mean, or majority, is the prediction.
pub(super) const NEIGHBORS: usize = 10;

/// R2 of predicting each target at a point by its mean over the point's 10 nearest neighbours in
/// the embedding, the point itself left out; coordinates are scaled to unit variance.
///
/// 1 means that the embedding determines the target, 0 or less that it says nothing about it.
pub fn recovery(embedding: &Points, targets: &[&[f64]]) -> Result<Vec<f64>> {
    let found = recovery_by_point(embedding, targets)?;
    Ok(found.into_iter().map(|(recovered, _)| recovered).collect())
}

/// The same with what it is the mean of: a value for each point.
pub(crate) fn recovery_by_point(
    embedding: &Points,
    targets: &[&[f64]],
) -> Result<Vec<(f64, Vec<f64>)>> {
    targets.iter().try_for_each(|target| check_size("a target", target.len(), embedding))?;
    let lists = nearest(&unit_variance(embedding)?)?;
    let score = |target: &&[f64]| {
        let error = |(i, value): (usize, &f64)| {
            let near = lists.of(i).iter().map(|&j| target[j as usize]);
            (value - near.sum::<f64>() / lists.of(i).len() as f64).powi(2)
        };
        let errors: Vec<f64> = target.iter().enumerate().map(error).collect();
        let spread = variance(target);
        let whole = 1.0 - errors.iter().sum::<f64>() / (spread * target.len() as f64);
        (whole, errors.into_iter().map(|error| 1.0 - error / spread).collect())
    };
    Ok(targets.iter().map(score).collect())
}

/// The share of points whose label is that of most of their 10 nearest neighbours in the embedding, the
/// point itself left out; of labels equally frequent the nearest one's counts.
pub fn label_accuracy(embedding: &Points, labels: &[u32]) -> Result<f64> {
    let told = labels_told(embedding, labels)?;
    Ok(told.iter().filter(|&&told| told).count() as f64 / labels.len() as f64)
}

/// Whether the label of each point is that of most of its neighbours.
pub(super) fn labels_told(embedding: &Points, labels: &[u32]) -> Result<Vec<bool>> {
    check_size("labels", labels.len(), embedding)?;
    let lists = nearest(&unit_variance(embedding)?)?;
    let told = |i: usize| {
        let near: Vec<u32> = lists.of(i).iter().map(|&j| labels[j as usize]).collect();
        let votes = |label: u32| near.iter().filter(|&&other| other == label).count();
        // The first of the largest: neighbours come nearest first.
        let winner = near.iter().rev().max_by_key(|&&label| votes(label));
        winner == Some(&labels[i])
    };
    Ok((0..labels.len()).map(told).collect())
}

pub(super) fn check_size(what: &'static str, got: usize, points: &Points) -> Result<()> {
    let expected = points.rows();
    if got == expected { Ok(()) } else { Err(Error::Size { what, got, expected }) }
}

pub(super) fn nearest(points: &Points) -> Result<Neighborhoods> {
    let n = points.rows();
    if n < 2 {
        return Err(Error::TooFewPoints { points: n, needed: 2 });
    }
    let k = NEIGHBORS.min(n - 1);
    Watch::new(None)
        .stage(Stage::Neighbors, |progress| neighbors(points, k, Search::Auto, progress))
}

/// The points with each column scaled to unit variance; a constant one stays as it is.
pub(super) fn unit_variance(points: &Points) -> Result<Points> {
    let factor = |c: usize| factor(variance(&points.column(c)));
    let factors: Vec<f64> = (0..points.columns()).map(factor).collect();
    let scaled = points.values().iter().zip(factors.iter().cycle()).map(|(v, f)| v * f);
    Points::new(scaled.collect(), points.columns())
}

/// What values of this variance are multiplied by.
pub(super) fn factor(variance: f64) -> f64 {
    match variance.sqrt() {
        0.0 => 1.0,
        deviation => deviation.recip(),
    }
}

/// The mean squared distance from the mean.
fn variance(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::measure) fn grid(columns: &[fn(f64, f64) -> f64]) -> Points {
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
}
