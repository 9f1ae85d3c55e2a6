//! The least localised combination of eigenvectors.
//!
//! In an eigenspace of almost equal energies sampling noise picks a vector that lives on few points. Of all combinations
//! f = sum_k a_k f_k of the leading candidates, f_k what is new of each, the one is taken with the least
//!
//! log kurt(f) + beta log(sum_k a_k^2 c_k / sum_k a_k^2),   kurt(f) = mean f^4 / (mean f^2)^2,
//!
//! where c_k > 0 is what candidate k costs: beta says how much spread may cost. Limited-memory BFGS from several starts;
//! everything is sequential and seeded, so that the bits do not depend on threads.

use faer::Mat;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::linalg::tall::inner;

/// Where the search begins: at so many of the candidates,
const CANDIDATE_STARTS: usize = 4;
/// and at so many random combinations.
const RANDOM_STARTS: usize = 4;
/// How often a minimum is turned in parts, at most,
const TURNS: usize = 4;
/// along so many of the earlier coordinates,
const TURNED: usize = 2;
/// at the borders of so many parts.
const PARTS: usize = 12;
/// Steps of one search at most.
const STEPS: usize = 100;
/// A search ends where the slope is this,
const FLAT: f64 = 1e-4;
/// and the best of all, which is looked at more closely, where it is this.
const FLATTEST: f64 = 1e-11;
/// Steps that are remembered.
const MEMORY: usize = 8;
/// A minimum that is lower by less than this is the same one.
const GAIN: f64 = 1e-6;

/// Candidates at a sample of points, and what they cost.
pub(super) struct Pool {
    /// A row for each point, a column for each candidate.
    pub(super) values: Mat<f64>,
    /// What each candidate costs.
    pub(super) costs: Vec<f64>,
    /// A row for each point, a column for each earlier coordinate.
    pub(super) earlier: Mat<f64>,
}

impl Pool {
    /// The weights a, of unit length, of the least localised combination.
    pub(super) fn least_localized(&self, beta: f64, seed: u64) -> Vec<f64> {
        let Pool { values, costs, .. } = self;
        let objective = Objective::new(values, costs, beta);
        let mut starts = self.starts(seed).into_iter();
        let first = starts.next().unwrap_or_default();
        let mut best = objective.minimize(first, FLAT);
        for start in starts {
            best = better(best, objective.minimize(start, FLAT));
        }
        // A minimum may differ from a lower one by its sign in a part of the points: turn it there, and look again.
        for _ in 0..TURNS {
            let before = best.0;
            for start in self.turned(&best.1) {
                best = better(best, objective.minimize(start, FLAT));
            }
            if best.0 == before {
                break;
            }
        }
        objective.minimize(best.1, FLATTEST).1
    }

    /// Some candidates themselves, and random combinations of them.
    fn starts(&self, seed: u64) -> Vec<Vec<f64>> {
        let m = self.costs.len();
        let single = |at: usize| (0..m).map(|k| f64::from(u8::from(k == at))).collect();
        let mut starts: Vec<Vec<f64>> = (0..CANDIDATE_STARTS.min(m)).map(single).collect();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..RANDOM_STARTS {
            // Of the cheap ones more than of the dear ones.
            let normal = |cost: &f64| {
                let value: f64 = StandardNormal.sample(&mut random);
                value * (self.costs[0] / cost).sqrt()
            };
            starts.push(unit(self.costs.iter().map(normal).collect()));
        }
        starts
    }

    /// The combination with its sign turned where an earlier coordinate is below one of its quantiles.
    fn turned(&self, a: &[f64]) -> Vec<Vec<f64>> {
        let (n, m) = (self.values.nrows(), self.costs.len());
        let value = |i: usize| (0..m).map(|k| a[k] * self.values[(i, k)]).sum::<f64>();
        let f: Vec<f64> = (0..n).map(value).collect();
        let mut starts = Vec::new();
        for j in 0..self.earlier.ncols().min(TURNED) {
            let column = self.earlier.col_as_slice(j);
            let mut sorted = column.to_vec();
            sorted.sort_by(f64::total_cmp);
            for part in 1..PARTS {
                let border = sorted[part * n / PARTS];
                let turned = f.iter().zip(column).map(|(f, &x)| if x < border { -f } else { *f });
                let turned: Vec<f64> = turned.collect();
                let along = (0..m).map(|k| dot(self.values.col_as_slice(k), &turned));
                starts.push(unit(along.collect()));
            }
        }
        starts
    }
}

fn better(one: (f64, Vec<f64>), other: (f64, Vec<f64>)) -> (f64, Vec<f64>) {
    if other.0 < one.0 - GAIN { other } else { one }
}

/// The objective, of moments that are summed over the points once: with q the products a_i a_j, i <= j, sum f^4 is q'Zq
/// and sum f^2 is m'q, where Z and m hold the sums of the products of the candidates' values.
struct Objective<'o> {
    points: f64,
    /// Z, and m in a last column.
    moments: Mat<f64>,
    costs: &'o [f64],
    beta: f64,
}

/// The pairs i <= j of so many candidates, in their order.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |i| (i..count).map(move |j| (i, j)))
}

impl<'o> Objective<'o> {
    fn new(values: &Mat<f64>, costs: &'o [f64], beta: f64) -> Self {
        let (n, m) = (values.nrows(), costs.len());
        let width = m * (m + 1) / 2;
        let mut products = Mat::zeros(n, width + 1);
        for (p, (i, j)) in pairs(m).enumerate() {
            let twice = if i == j { 1.0 } else { 2.0 };
            let (x, y) = (values.col_as_slice(i), values.col_as_slice(j));
            let column = products.col_as_slice_mut(p).iter_mut();
            column.zip(x.iter().zip(y)).for_each(|(p, (x, y))| *p = twice * x * y);
        }
        products.col_as_slice_mut(width).fill(1.0);
        let moments = inner(products.as_ref().subcols(0, width), products.as_ref());
        Objective { points: n as f64, moments, costs, beta }
    }

    /// The value at a and its gradient.
    fn at(&self, a: &[f64]) -> (f64, Vec<f64>) {
        let m = a.len();
        let q: Vec<f64> = pairs(m).map(|(i, j)| a[i] * a[j]).collect();
        let mut along = vec![0.0; q.len()];
        for (p, weight) in q.iter().enumerate() {
            let column = self.moments.col_as_slice(p);
            along.iter_mut().zip(column).for_each(|(sum, z)| *sum += weight * z);
        }
        let seconds = self.moments.col_as_slice(q.len());
        let (fourth, second) = (dot(&q, &along), dot(&q, seconds));
        let length: f64 = dot(a, a);
        let cost: f64 = a.iter().zip(self.costs).map(|(v, c)| v * v * c).sum();
        let value = (self.points * fourth / (second * second)).ln() + self.beta * (cost / length).ln();
        let dearer = |k: usize| 2.0 * a[k] * (self.costs[k] / cost - length.recip());
        let mut gradient: Vec<f64> = (0..m).map(|k| self.beta * dearer(k)).collect();
        for (p, (i, j)) in pairs(m).enumerate() {
            let slope = 2.0 * (along[p] / fourth - seconds[p] / second);
            gradient[i] += slope * a[j];
            gradient[j] += slope * a[i];
        }
        (value, gradient)
    }

    /// The nearest minimum downhill, where the slope is `flat`.
    fn minimize(&self, mut a: Vec<f64>, flat: f64) -> (f64, Vec<f64>) {
        let (mut value, mut gradient) = self.at(&a);
        let mut known: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
        for _ in 0..STEPS {
            if dot(&gradient, &gradient).sqrt() < flat {
                break;
            }
            let mut direction = downhill(&known, &gradient);
            if dot(&direction, &gradient) >= 0.0 {
                known.clear();
                direction = gradient.iter().map(|g| -g).collect();
            }
            let slope = dot(&direction, &gradient);
            let mut step = 1.0;
            let moved = loop {
                let next: Vec<f64> = a.iter().zip(&direction).map(|(v, d)| v + step * d).collect();
                let (there, slopes) = self.at(&next);
                if there <= value + 1e-4 * step * slope {
                    break Some((next, there, slopes));
                }
                step *= 0.5;
                if step < 1e-12 {
                    break None;
                }
            };
            let Some((next, there, slopes)) = moved else { break };
            let change: Vec<f64> = next.iter().zip(&a).map(|(b, a)| b - a).collect();
            let turn: Vec<f64> = slopes.iter().zip(&gradient).map(|(b, a)| b - a).collect();
            if dot(&change, &turn) > 0.0 {
                known.push((change, turn));
                if known.len() > MEMORY {
                    known.remove(0);
                }
            }
            (a, value, gradient) = (next, there, slopes);
        }
        (value, unit(a))
    }
}

/// The direction of the two-loop recursion.
fn downhill(known: &[(Vec<f64>, Vec<f64>)], gradient: &[f64]) -> Vec<f64> {
    let mut q = gradient.to_vec();
    let mut parts = Vec::with_capacity(known.len());
    for (change, turn) in known.iter().rev() {
        let part = dot(change, &q) / dot(change, turn);
        q.iter_mut().zip(turn).for_each(|(q, t)| *q -= part * t);
        parts.push(part);
    }
    if let Some((change, turn)) = known.last() {
        let scale = dot(change, turn) / dot(turn, turn);
        q.iter_mut().for_each(|q| *q *= scale);
    }
    for ((change, turn), part) in known.iter().zip(parts.iter().rev()) {
        let other = dot(turn, &q) / dot(change, turn);
        q.iter_mut().zip(change).for_each(|(q, c)| *q += (part - other) * c);
    }
    q.iter_mut().for_each(|q| *q = -*q);
    q
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Scaled to unit length; the largest entry positive.
fn unit(mut a: Vec<f64>) -> Vec<f64> {
    let length = dot(&a, &a).sqrt();
    let largest = a.iter().copied().fold(0.0, |m: f64, v| if v.abs() > m.abs() { v } else { m });
    let factor = if largest < 0.0 { -length } else { length };
    if factor != 0.0 {
        a.iter_mut().for_each(|v| *v /= factor);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(values: Mat<f64>, costs: &[f64]) -> Pool {
        let earlier = Mat::from_fn(values.nrows(), 1, |i, _| i as f64);
        Pool { values, costs: costs.to_vec(), earlier }
    }

    /// Two functions of equal cost whose sum and difference are spikes at either half: the even one wins.
    #[test]
    fn the_even_combination_of_two_spikes_is_found() {
        let spike = |at: f64, x: f64| (-(x - at).powi(2) / 0.005).exp();
        let values = Mat::from_fn(1000, 2, |i, k| spike([0.25, 0.75][k], i as f64 / 1000.0));
        let a = pool(values.clone(), &[1.0, 1.0]).least_localized(2.0, 1);
        assert!((a[0].abs() - a[1].abs()).abs() < 1e-4, "{a:?}");
        // Where one costs much more, it is hardly taken.
        let a = pool(values, &[1.0, 100.0]).least_localized(2.0, 1);
        assert!(a[0] > 0.99, "{a:?}");
    }

    #[test]
    fn the_gradient_is_that_of_the_value() {
        let values = Mat::from_fn(50, 3, |i, k| ((i * (k + 2)) as f64).sin() + 0.1 * k as f64);
        let objective = Objective::new(&values, &[1.0, 2.0, 4.0], 1.5);
        let a = [0.3, -0.8, 0.5];
        let (_, gradient) = objective.at(&a);
        for k in 0..3 {
            let moved = |by: f64| {
                let mut a = a;
                a[k] += by;
                objective.at(&a).0
            };
            let difference = (moved(1e-6) - moved(-1e-6)) / 2e-6;
            assert!((gradient[k] - difference).abs() < 1e-6, "{k}: {gradient:?} {difference}");
        }
    }

    #[test]
    fn a_single_candidate_stays_as_it_is() {
        let values = Mat::from_fn(20, 1, |i, _| i as f64 - 9.5);
        assert_eq!(pool(values, &[3.0]).least_localized(2.0, 1), [1.0]);
    }
}
