//! The curve by which one coordinate is predicted from another, to look at.

use faer::Mat;

use super::leave_one_out::{Moments, range};
use crate::linalg::vector::standardize;
use crate::sample::sample;

/// Points that a curve is drawn through, at most.
const POINTS: usize = 5000;

/// A curve through points (x, y): the local linear regression of y on x at a bandwidth in standard deviations of x, at
/// `places` values of x that have as many points between them. Where nothing predicts better than the mean, the
/// bandwidth being `None`, it is the mean. Points of which a value is not finite do not count; of many points a sample does.
///
/// ```
/// use nrdr::regression_curve;
///
/// let x: Vec<f64> = (0..200).map(|i| f64::from(i) / 100.0 - 1.0).collect();
/// let y: Vec<f64> = x.iter().map(|x| x * x).collect();
/// let curve = regression_curve(&x, &y, Some(0.05), 21);
/// assert!(curve.iter().all(|(x, y)| (y - x * x).abs() < 0.01));
/// ```
pub fn regression_curve(
    x: &[f64],
    y: &[f64],
    bandwidth: Option<f64>,
    places: usize,
) -> Vec<(f64, f64)> {
    let there = |i: &usize| x[*i].is_finite() && y[*i].is_finite();
    let mut points: Vec<usize> = (0..x.len().min(y.len())).filter(there).collect();
    points = sample(points.len(), POINTS, 0).into_iter().map(|at| points[at]).collect();
    points.sort_by(|&i, &j| x[i].total_cmp(&x[j]).then(i.cmp(&j)));
    let (Some(last), true) = (points.len().checked_sub(1), places > 0) else { return Vec::new() };
    let xs: Vec<f64> = points.iter().map(|&i| x[i]).collect();
    let ys: Vec<f64> = points.iter().map(|&i| y[i]).collect();
    let mut at: Vec<f64> = (0..places).map(|k| xs[k * last / (places - 1).max(1)]).collect();
    at.dedup();
    let mut standard = xs.clone();
    let (mean, deviation) = standardize(&mut standard);
    let Some(bandwidth) = bandwidth.filter(|_| deviation > 0.0) else {
        let height = ys.iter().sum::<f64>() / ys.len() as f64;
        return at.into_iter().map(|x| (x, height)).collect();
    };
    let predictors = Mat::from_fn(standard.len(), 1, |i, _| standard[i]);
    let values = Mat::from_fn(ys.len(), 1, |i, _| ys[i]);
    let moments = Moments::new(predictors.as_ref(), values.as_ref());
    let (low, high) = range(values.col(0));
    let predict = |x: f64| {
        let place = (x - mean) / deviation;
        let squares: Vec<f64> =
            standard.iter().map(|z| ((z - place) / bandwidth).powi(2)).collect();
        // Relative to that of the nearest, as where errors are measured: no place is without neighbours.
        let nearest = squares.iter().copied().fold(f64::INFINITY, f64::min);
        let mut sums = vec![0.0; moments.values().ncols()];
        for (row, square) in moments.values().row_iter().zip(&squares) {
            let weight = (-0.5 * (square - nearest)).exp();
            sums.iter_mut().zip(row.iter()).for_each(|(sum, moment)| *sum += weight * moment);
        }
        moments.predict(&[place], &sums, bandwidth)[0].clamp(low, high)
    };
    at.into_iter().map(|x| (x, predict(x))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::redundancy::{RedundancyOptions, redundancy};
    use crate::points::Points;

    /// Leaving each point out and predicting it by the curve through the others gives the error that was measured.
    #[test]
    fn the_curve_is_the_one_whose_error_is_measured() {
        let n = 120;
        let x: Vec<f64> = (0..n).map(|i| (0.7 * f64::from(i)).sin()).collect();
        let y: Vec<f64> = x.iter().zip(0..).map(|(x, i)| x * x + 0.1 * f64::from(i % 5)).collect();
        let points = Points::from_columns(&[&x, &y]).unwrap();
        let options = RedundancyOptions { accuracy: 0.0, ..Default::default() };
        let measured = redundancy(&points, &options, &()).unwrap();
        let bandwidth = measured.pairwise_bandwidths[1][0];
        assert_eq!(bandwidth, measured.bandwidths[1]);
        let deviation = |values: &[f64]| standardize(&mut values.to_vec()).1;
        let mut sum = 0.0;
        for i in 0..n as usize {
            let others = |values: &[f64]| [&values[..i], &values[i + 1..]].concat();
            let (xs, ys) = (others(&x), others(&y));
            // The bandwidth is in standard deviations of all points.
            let bandwidth = bandwidth.map(|b| b * deviation(&x) / deviation(&xs));
            let curve = regression_curve(&xs, &ys, bandwidth, 4 * xs.len());
            let distance = |place: &&(f64, f64)| (place.0 - x[i]).abs();
            let near = curve.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap();
            sum += (y[i] - near.1).powi(2);
        }
        let error = (sum / f64::from(n)).sqrt() / deviation(&y);
        assert!((error - measured.errors[1]).abs() < 0.02, "{error} {}", measured.errors[1]);
    }

    #[test]
    fn where_nothing_predicts_the_curve_is_the_mean() {
        let x = [3.0, 1.0, f64::NAN, 2.0, 1.0];
        let y = [1.0, 2.0, 100.0, 3.0, f64::INFINITY];
        assert_eq!(regression_curve(&x, &y, None, 3), [(1.0, 2.0), (2.0, 2.0), (3.0, 2.0)]);
        assert_eq!(regression_curve(&[5.0; 3], &[0.0, 1.0, 2.0], Some(0.1), 10), [(5.0, 1.0)]);
        assert_eq!(regression_curve(&[], &[], Some(0.1), 10), []);
        assert_eq!(regression_curve(&x, &y, Some(0.3), 0), []);
        assert_eq!(regression_curve(&x, &y, Some(0.3), 1).len(), 1);
    }
}
