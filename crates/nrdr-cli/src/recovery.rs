//! How well an embedding knows a number that belongs to each point.

use nrdr::graph::neighbors::neighbors;
use nrdr::{Coordinate, Points, Result, Search, Stage, Watch};

/// Neighbours whose mean is the prediction.
const NEIGHBORS: usize = 10;

/// R2 of predicting each target at a point by its mean over the point's 10 nearest neighbours in
/// the embedding, the point itself left out; coordinates are scaled to unit variance.
///
/// 1 means that the embedding determines the target, 0 or less that it says nothing about it.
pub(crate) fn recovery(coordinates: &[Coordinate], targets: &[&[f64]]) -> Result<Vec<f64>> {
    let scaled = unit_variance(coordinates)?;
    let k = NEIGHBORS.min(scaled.rows() - 1);
    let lists = Watch::new(None)
        .stage(Stage::Neighbors, |progress| neighbors(&scaled, k, Search::Auto, progress))?;
    let score = |target: &&[f64]| {
        let errors = target.iter().enumerate().map(|(i, value)| {
            let near = lists.of(i).iter().map(|&j| target[j as usize]);
            (value - near.sum::<f64>() / k as f64).powi(2)
        });
        1.0 - errors.sum::<f64>() / (variance(target) * target.len() as f64)
    };
    Ok(targets.iter().map(score).collect())
}

/// The points in coordinates of unit variance; a constant coordinate stays as it is.
fn unit_variance(coordinates: &[Coordinate]) -> Result<Points> {
    let factor = |values: &[f64]| match variance(values).sqrt() {
        0.0 => 1.0,
        deviation => deviation.recip(),
    };
    let factors: Vec<f64> = coordinates.iter().map(|c| factor(&c.values)).collect();
    let n = coordinates.first().map_or(0, |c| c.values.len());
    let rows =
        (0..n).flat_map(|i| coordinates.iter().zip(&factors).map(move |(c, f)| c.values[i] * f));
    Points::new(rows.collect(), coordinates.len())
}

/// The mean squared distance from the mean.
fn variance(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn coordinate(values: Vec<f64>) -> Coordinate {
        Coordinate {
            values,
            original_eigenvalue: 0.0,
            smoothing: None,
            eigenvalue: 0.0,
            length: 1.0,
            residual: 0.0,
            iterations: 0,
            time: Duration::ZERO,
        }
    }

    /// A grid of 20 x 20 points: both of its sides, at very different scales, and a product.
    #[test]
    fn coordinates_determine_their_functions_and_nothing_else() -> Result<()> {
        let column = |f: fn(f64, f64) -> f64| -> Vec<f64> {
            (0..400).map(|i| f((i / 20) as f64, (i % 20) as f64)).collect()
        };
        let (x, y) = (column(|x, _| x), column(|_, y| 1e6 * y));
        let product = column(|x, y| x * y);
        let coordinates = [coordinate(x.clone()), coordinate(y.clone())];
        let targets: [&[f64]; 3] = [&x, &y, &product];
        let both = recovery(&coordinates, &targets)?;
        assert!(both.iter().all(|&score| score > 0.98), "{both:?}");
        let one = recovery(&coordinates[..1], &targets)?;
        assert!(one[0] > 0.98 && one[1] < 0.2, "{one:?}");
        Ok(())
    }

    /// Two points and one neighbour: each is predicted by the other, R2 = 1 - 4 = -3.
    #[test]
    fn the_point_itself_is_left_out() -> Result<()> {
        let scores = recovery(&[coordinate(vec![0.0, 1.0])], &[&[0.0, 2.0]])?;
        assert_eq!(scores, [-3.0]);
        Ok(())
    }

    #[test]
    fn a_constant_coordinate_does_no_harm() -> Result<()> {
        let values: Vec<f64> = (0..200).map(f64::from).collect();
        let coordinates = [coordinate(vec![0.5; 200]), coordinate(values.clone())];
        let scores = recovery(&coordinates, &[&values])?;
        assert!(scores[0] > 0.99, "{scores:?}");
        Ok(())
    }
}
