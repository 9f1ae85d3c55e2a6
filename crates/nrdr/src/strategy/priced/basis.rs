//! The original eigenfunctions that coordinates are made of, in full and at a sample of the points.
//!
//! Where several processes share the points, each has its own rows of the eigenfunctions, and all of them have the sample.

use std::sync::Arc;

use faer::Mat;

use super::energy::Energy;
use crate::eigen::Pair;
use crate::error::Result;
use crate::linalg::reduce::{self, Share};
use crate::linalg::vector::{axpy, norm, scale};
use crate::progress::Progress;
use crate::sample::sample;
use crate::strategy::Task;

/// Points at which combinations are looked for, at most.
pub(super) const SAMPLE: usize = 3000;
/// Costs below this share of the largest count as so much.
const LEAST_COST: f64 = 1e-9;
/// No eigenvalue below this share of the first one is divided by.
const LEAST_EIGENVALUE: f64 = 1e-6;

pub(super) struct Basis {
    pairs: Arc<Vec<Pair>>,
    /// The points of the sample, by their numbers among all.
    pub(super) rows: Vec<usize>,
    /// The eigenfunctions g there, a column each, times (N / number of rows)^1/2: nearly orthonormal.
    pub(super) values: Mat<f64>,
    /// s at the sample.
    pub(super) sampled_scale: Option<Vec<f64>>,
    /// The energy of each.
    pub(super) costs: Vec<f64>,
}

impl Basis {
    /// The first `depth` eigenfunctions, but for those of eigenvalues that are rounding, unless so many coordinates are wanted.
    pub(super) fn new(task: &Task<'_>, depth: usize, progress: &Progress<'_>) -> Result<Self> {
        let pairs = task.original(depth, progress)?;
        let energy = Energy::of(task.problem, pairs[0].value);
        let sound = pairs.iter().take_while(|pair| energy.is_sound(pair.value)).count();
        let depth = sound.max(task.dims).min(depth);
        let s = task.problem.scale.as_deref();
        let share = Share::new(task.problem.size());
        let n = share.total();
        let rows = sample(n, SAMPLE, task.seed);
        let factor = (n as f64 / rows.len() as f64).sqrt();
        let width = depth + usize::from(s.is_some());
        let there = share.at(rows.iter().copied(), width, |place, numbers| {
            numbers.extend(pairs.iter().take(depth).map(|pair| pair.vector[place]));
            numbers.extend(s.map(|s| s[place]));
        });
        let value = |i: usize, j: usize| factor * there[i * width + j];
        let values = Mat::from_fn(rows.len(), depth, value);
        let scale = || there.iter().skip(depth).step_by(width).copied().collect();
        let sampled_scale = s.map(|_| scale());
        let costs: Vec<f64> = pairs.iter().take(depth).map(|pair| energy.at(pair.value)).collect();
        let largest = costs.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let costs = costs.into_iter().map(|cost| cost.max(LEAST_COST * largest)).collect();
        Ok(Basis { pairs, rows, values, sampled_scale, costs })
    }

    /// How many eigenfunctions there are.
    pub(super) fn depth(&self) -> usize {
        self.costs.len()
    }

    /// How many the original method was asked for.
    pub(super) fn asked(&self) -> usize {
        self.pairs.len()
    }

    /// f = s . sum_j b_j g_j at the sample, of unit length.
    pub(super) fn sampled(&self, weights: &[f64]) -> Vec<f64> {
        let mut f = vec![0.0; self.rows.len()];
        for (j, weight) in weights.iter().enumerate() {
            axpy(*weight, self.values.col_as_slice(j), &mut f);
        }
        if let Some(s) = &self.sampled_scale {
            f.iter_mut().zip(s).for_each(|(f, s)| *f *= s);
        }
        let length = norm(&f);
        scale(&mut f, length.recip());
        f
    }

    /// g = sum_j b_j g_j, with its Rayleigh quotient.
    pub(super) fn combined(&self, weights: &[f64]) -> Pair {
        let parts = || self.pairs.iter().zip(weights);
        let mut vector = vec![0.0; self.pairs[0].vector.len()];
        parts().for_each(|(pair, weight)| axpy(*weight, &pair.vector, &mut vector));
        let length = reduce::norm(&vector);
        scale(&mut vector, length.recip());
        let of = |value: fn(&Pair) -> f64| parts().map(move |(pair, b)| (b * value(pair)).powi(2));
        Pair {
            value: parts().map(|(pair, b)| b * b * pair.value).sum(),
            residual: of(|pair| pair.residual).sum::<f64>().sqrt(),
            angle: of(|pair| pair.angle).sum::<f64>().sqrt(),
            iterations: self.pairs[0].iterations,
            missed: self.pairs.iter().find_map(|pair| pair.missed),
            vector,
        }
    }

    /// u = sum_j (b_j / theta_j) g_j, theta_j the eigenvalues: A u is g, at new points, too.
    pub(super) fn source(&self, weights: &[f64]) -> Vec<f64> {
        let least = LEAST_EIGENVALUE * self.pairs[0].value.abs();
        let mut source = vec![0.0; self.pairs[0].vector.len()];
        for (pair, weight) in self.pairs.iter().zip(weights) {
            let theta = pair.value.abs().max(least).copysign(pair.value);
            axpy(weight / theta, &pair.vector, &mut source);
        }
        source
    }
}
