//! The bandwidths at which a regression is tried.

use faer::MatRef;

use super::Bandwidth;
use crate::linalg::vector::squared_distance;

/// Points between which distances are looked at, and whose nearest neighbours are.
const SAMPLE: usize = 400;
const QUERIES: usize = 100;
/// The most bandwidths.
const MOST_STEPS: usize = 14;

/// Bandwidths b, b/2, b/4, ..; weights are exp(-d^2 / 2 b^2).
pub(super) struct Grid {
    /// 1 / 2 b^2 of the widest.
    pub(super) scale: f64,
    pub(super) steps: usize,
    /// Whether a point is left out of its own prediction.
    pub(super) leave_out: bool,
}

impl Grid {
    pub(super) fn new(x: MatRef<'_, f64>, bandwidth: Bandwidth) -> Self {
        let distances = Distances::of(x);
        match bandwidth {
            Bandwidth::Best => {
                let (widest, finest) = (distances.median, distances.nearest.max(1e-6));
                let steps = 1 + (widest / finest).log2().max(0.0).floor() as usize;
                let scale = 0.5 / (widest * widest).max(f64::MIN_POSITIVE);
                Grid { scale, steps: steps.min(MOST_STEPS), leave_out: true }
            }
            Bandwidth::MedianThird => {
                let third = distances.median / 3.0;
                let scale = (third * third).max(f64::MIN_POSITIVE).recip();
                Grid { scale, steps: 1, leave_out: true }
            }
            Bandwidth::Datafold => {
                let third = distances.median_square / 3.0;
                Grid { scale: third.max(f64::MIN_POSITIVE).recip(), steps: 1, leave_out: false }
            }
        }
    }

    /// The bandwidth b of a step.
    pub(super) fn bandwidth(&self, step: usize) -> f64 {
        (0.5 / self.scale).sqrt() * 0.5_f64.powi(step as i32)
    }
}

/// What the distances between points are like, from every so many points.
struct Distances {
    /// The median of two different points.
    median: f64,
    /// The median squared distance in the whole matrix, in which a point has the distance 0 from itself.
    median_square: f64,
    /// The median distance of a point from the nearest other.
    nearest: f64,
}

impl Distances {
    fn of(x: MatRef<'_, f64>) -> Self {
        let n = x.nrows();
        let rows: Vec<f64> = (0..n).flat_map(|i| x.row(i).iter().copied()).collect();
        let row = |i: usize| &rows[i * x.ncols()..][..x.ncols()];
        let chosen: Vec<usize> = (0..n).step_by(n.div_ceil(SAMPLE)).collect();
        let square = |i: usize, j: usize| squared_distance(row(i), row(j));
        let nearest_of = |&i: &usize| {
            let others = (0..n).filter(|&j| j != i).map(|j| square(i, j));
            others.fold(f64::INFINITY, f64::min).sqrt()
        };
        let every = chosen.iter().step_by(chosen.len().div_ceil(QUERIES));
        let mut nearest: Vec<f64> = every.map(nearest_of).collect();
        let of_pairs = |different: bool| -> Vec<f64> {
            let pairs = chosen.iter().flat_map(|&i| chosen.iter().map(move |&j| (i, j)));
            pairs.filter(|(i, j)| !different || i != j).map(|(i, j)| square(i, j)).collect()
        };
        Distances {
            median: {
                let mut distances: Vec<f64> = of_pairs(true).into_iter().map(f64::sqrt).collect();
                median(&mut distances)
            },
            median_square: median(&mut of_pairs(false)),
            nearest: median(&mut nearest),
        }
    }
}

/// The middle value, or the mean of the two in the middle.
fn median(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let (half, even) = (values.len() / 2, values.len().is_multiple_of(2));
    let (below, middle, _) = values.select_nth_unstable_by(half, f64::total_cmp);
    if even {
        0.5 * (*middle + below.iter().copied().fold(f64::NEG_INFINITY, f64::max))
    } else {
        *middle
    }
}
