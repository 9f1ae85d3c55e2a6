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
        let distances = Distances::new(x);
        match bandwidth {
            Bandwidth::Best => {
                let (widest, finest) = (distances.median(), distances.nearest().max(1e-6));
                let steps = 1 + (widest / finest).log2().max(0.0).floor() as usize;
                let scale = 0.5 / (widest * widest).max(f64::MIN_POSITIVE);
                Grid { scale, steps: steps.min(MOST_STEPS), leave_out: true }
            }
            Bandwidth::MedianThird => {
                let third = distances.median() / 3.0;
                let scale = (third * third).max(f64::MIN_POSITIVE).recip();
                Grid { scale, steps: 1, leave_out: true }
            }
            Bandwidth::Datafold => {
                let third = distances.median_square() / 3.0;
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
    rows: Vec<f64>,
    columns: usize,
    chosen: Vec<usize>,
}

impl Distances {
    fn new(x: MatRef<'_, f64>) -> Self {
        let n = x.nrows();
        let rows = (0..n).flat_map(|i| x.row(i).iter().copied()).collect();
        let chosen = (0..n).step_by(n.div_ceil(SAMPLE)).collect();
        Distances { rows, columns: x.ncols(), chosen }
    }

    fn square(&self, i: usize, j: usize) -> f64 {
        let row = |i: usize| &self.rows[i * self.columns..][..self.columns];
        squared_distance(row(i), row(j))
    }

    /// The squared distances of all pairs of different points, each pair once.
    fn of_pairs(&self) -> Vec<f64> {
        let before = self.chosen.iter().enumerate().map(|(at, &i)| (i, &self.chosen[..at]));
        before.flat_map(|(i, before)| before.iter().map(move |&j| self.square(i, j))).collect()
    }

    /// The median distance of two different points; of two at different places, where most are at one.
    fn median(&self) -> f64 {
        let mut distances: Vec<f64> = self.of_pairs().into_iter().map(f64::sqrt).collect();
        let middle = median(&mut distances);
        if middle > 0.0 {
            return middle;
        }
        distances.retain(|distance| *distance > 0.0);
        // The sample may be at one place altogether; values have variance one.
        if distances.is_empty() { 1.0 } else { median(&mut distances) }
    }

    /// The median squared distance in the whole matrix, in which a point has the distance 0 from itself.
    fn median_square(&self) -> f64 {
        let mut squares = self.of_pairs().repeat(2);
        squares.resize(squares.len() + self.chosen.len(), 0.0);
        median(&mut squares)
    }

    /// The median distance of a point from the nearest other.
    fn nearest(&self) -> f64 {
        let n = self.rows.len() / self.columns;
        let nearest_of = |&i: &usize| {
            let others = (0..n).filter(|&j| j != i).map(|j| self.square(i, j));
            others.fold(f64::INFINITY, f64::min).sqrt()
        };
        let every = self.chosen.iter().step_by(self.chosen.len().div_ceil(QUERIES));
        median(&mut every.map(nearest_of).collect::<Vec<f64>>())
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
