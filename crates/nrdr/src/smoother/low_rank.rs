//! The smoother by a low-rank factor of its Gaussian weights, G ~ L L'.
//!
//! L grows by blocks of columns (pivoted Cholesky). Pivots are drawn in proportion to d_i / c_i, where
//! d is the diagonal of the part of G that L does not hold yet and c = L L' 1 the row sums: that is the
//! diagonal of the normalised kernel diag(c)^-1/2 G diag(c)^-1/2. A point that no other is near to has
//! c = 1 and d = 1: it weighs as much as a direction of its own, as it has a singular value near 1 of
//! its own in P, and is chosen sooner or later. L is large enough when no point weighs more than a
//! share of the truncation and a whole block of new columns adds less than that in norm.
//! Its row sums serve as c, so that P 1 = 1 holds exactly.

use faer::{Mat, MatRef};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::kernel::Kernel;
use super::{Kept, Regression, Smoother, Weights, rank, roots_of};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::small::eigen_descending;
use crate::tall::{inner, product, subtract_product};

/// Pivots chosen at a time.
const BLOCK: usize = 32;
/// What is left of the normalised kernel, as a share of the truncation: at any point, and in norm.
const ACCURACY: f64 = 0.1;
/// The most numbers that a factor may have.
const MOST_ENTRIES: usize = 1_000_000_000;

pub(super) struct LowRank {
    weights: Weights,
    /// L, N x m.
    factor: Mat<f64>,
}

impl LowRank {
    pub(super) fn new(
        kernel: Kernel,
        regression: Regression,
        truncation: f64,
        seed: u64,
        progress: &Progress<'_>,
    ) -> Result<Self> {
        let factor = Growing::new(&kernel, seed).grow(ACCURACY * truncation, progress)?;
        let weights = Weights::new(&kernel, regression, |x| multiply(&factor, x));
        Ok(LowRank { weights, factor })
    }

    /// [diag(scale w_0) L, diag(scale w_1) L, ..] for the columns w of `weights`.
    fn scaled(&self, weights: MatRef<'_, f64>, scale: Option<&[f64]>) -> Mat<f64> {
        let (n, m) = (self.factor.nrows(), self.factor.ncols());
        let mut scaled = Mat::zeros(n, m * weights.ncols());
        scaled.as_mut().par_col_iter_mut().enumerate().for_each(|(j, column)| {
            let (weights, factor) = (weights.col(j / m), self.factor.col(j % m));
            for (i, value) in column.iter_mut().enumerate() {
                *value = factor[i] * weights[i] * scale.map_or(1.0, |s| s[i]);
            }
        });
        scaled
    }
}

impl Smoother for LowRank {
    fn predict(&self, y: &Mat<f64>) -> Mat<f64> {
        self.weights.predict(y.as_ref(), |x| multiply(&self.factor, x))
    }

    /// P diag(s) = A B' with thin A and B. With B'B = E Lambda E' and R = Lambda^1/2 E', the columns
    /// of B E Lambda^-1/2 are orthonormal, and the right singular vectors are their combinations by
    /// the eigenvectors of R A'A R'.
    fn kept(&self, scale: Option<&[f64]>, truncation: f64) -> Result<Kept> {
        let a = self.scaled(self.weights.left.as_ref(), None);
        let b = self.scaled(self.weights.right.as_ref(), scale);
        let a_gram = inner(a.as_ref(), a.as_ref());
        drop(a);
        let b_gram = inner(b.as_ref(), b.as_ref());
        let (b_values, b_vectors) = eigen_descending(b_gram.as_ref())?;
        // Only the directions that are more than rounding.
        let solid = b_values.iter().take_while(|&&value| value > 1e-13 * b_values[0]).count();
        let roots: Vec<f64> = b_values[..solid].iter().map(|value| value.sqrt()).collect();
        let directions = b_vectors.as_ref().subcols(0, solid);
        let inside = inner(directions, product(a_gram.as_ref(), directions).as_ref());
        let inside = Mat::from_fn(solid, solid, |i, j| roots[i] * inside[(i, j)] * roots[j]);
        let (squares, vectors) = eigen_descending(inside.as_ref())?;
        let singular_values = roots_of(&squares);
        let kept = rank(&singular_values, truncation);
        let combination = Mat::from_fn(solid, kept, |i, j| vectors[(i, j)] / roots[i]);
        let combination = product(directions, combination.as_ref());
        Ok(Kept { vectors: product(b.as_ref(), combination.as_ref()), singular_values })
    }

    fn size(&self) -> usize {
        self.factor.ncols()
    }
}

/// L L' X
fn multiply(factor: &Mat<f64>, x: MatRef<'_, f64>) -> Mat<f64> {
    product(factor.as_ref(), inner(factor.as_ref(), x).as_ref())
}

/// A factor that is not yet large enough.
struct Growing<'k> {
    kernel: &'k Kernel,
    factor: Mat<f64>,
    /// Diagonal of G - L L'.
    rest: Vec<f64>,
    /// L L' 1.
    sums: Vec<f64>,
    random: ChaCha8Rng,
}

impl<'k> Growing<'k> {
    fn new(kernel: &'k Kernel, seed: u64) -> Self {
        let n = kernel.len();
        Growing {
            kernel,
            factor: Mat::zeros(n, 0),
            rest: vec![1.0; n],
            sums: vec![0.0; n],
            random: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    fn grow(mut self, accuracy: f64, progress: &Progress<'_>) -> Result<Mat<f64>> {
        let n = self.kernel.len();
        let mut calm = false;
        loop {
            let weights: Vec<f64> = (0..n).map(|i| self.rest[i] / self.row_sum(i)).collect();
            let heaviest = weights.iter().copied().fold(0.0, f64::max);
            if heaviest <= accuracy && calm || heaviest < 1e-12 || self.factor.ncols() >= n {
                return Ok(self.factor);
            }
            if (self.factor.ncols() + BLOCK) * n > MOST_ENTRIES {
                return Err(Error::SmootherTooLarge { columns: self.factor.ncols(), points: n });
            }
            progress.check()?;
            calm = self.extend(&weights)? <= accuracy;
        }
    }

    /// Adds up to `BLOCK` columns; returns the norm of what they add to the normalised kernel.
    fn extend(&mut self, weights: &[f64]) -> Result<f64> {
        let (pivots, inverse) = self.choose(weights);
        let m = self.factor.ncols();
        let n = self.kernel.len();
        // (G - L L')[:, pivots] R^-T
        let mut columns = self.kernel.columns(&pivots);
        let known = Mat::from_fn(m, pivots.len(), |j, p| self.factor[(pivots[p] as usize, j)]);
        subtract_product(columns.as_mut(), self.factor.as_ref(), known.as_ref());
        let columns = product(columns.as_ref(), inverse.as_ref());
        let roots: Vec<f64> = (0..n).map(|i| self.row_sum(i).sqrt()).collect();
        let normalized = Mat::from_fn(n, columns.ncols(), |i, j| columns[(i, j)] / roots[i]);
        let gram = inner(normalized.as_ref(), normalized.as_ref());
        let added = eigen_descending(gram.as_ref())?.0[0];
        let ones = Mat::full(n, 1, 1.0);
        let sums = product(columns.as_ref(), inner(columns.as_ref(), ones.as_ref()).as_ref());
        for i in 0..n {
            let row = (0..columns.ncols()).map(|j| columns[(i, j)] * columns[(i, j)]);
            self.rest[i] = (self.rest[i] - row.sum::<f64>()).max(0.0);
        }
        for &pivot in &pivots {
            self.rest[pivot as usize] = 0.0;
        }
        let width = columns.ncols();
        self.factor.resize_with(n, m + width, |i, j| columns[(i, j - m)]);
        self.sums.iter_mut().zip(sums.col_as_slice(0)).for_each(|(sum, more)| *sum += more);
        Ok(added)
    }

    /// The row sum of G as far as it is known, and at least 1: a point's weight for itself.
    fn row_sum(&self, i: usize) -> f64 {
        self.sums[i].max(1.0)
    }

    /// Pivots drawn by weight and thinned out where they say the same, and R^-T for the Cholesky
    /// factor R R' of what is left of G among them.
    fn choose(&mut self, weights: &[f64]) -> (Vec<u32>, Mat<f64>) {
        let drawn = self.draw(weights);
        let (size, m) = (drawn.len(), self.factor.ncols());
        let mut rest = Mat::from_fn(size, size, |p, q| {
            self.kernel.weight(drawn[p] as usize, drawn[q] as usize)
        });
        let rows = Mat::from_fn(size, m, |p, j| self.factor[(drawn[p] as usize, j)]);
        subtract_product(rest.as_mut(), rows.as_ref(), rows.transpose());
        let original: Vec<f64> = (0..size).map(|p| rest[(p, p)]).collect();
        let mut chosen: Vec<usize> = Vec::new();
        let mut lower = Mat::<f64>::zeros(size, size);
        for step in 0..size {
            // The pivot that has kept the largest share of what it had.
            let share = |p: usize| rest[(p, p)] / original[p].max(f64::MIN_POSITIVE);
            let next = (0..size).filter(|p| !chosen.contains(p));
            let Some(next) = next.max_by(|&p, &q| share(p).total_cmp(&share(q))) else { break };
            if step > 0 && share(next) < 0.1 {
                break;
            }
            let root = rest[(next, next)].max(f64::MIN_POSITIVE).sqrt();
            for p in 0..size {
                lower[(p, step)] = rest[(p, next)] / root;
            }
            for q in 0..size {
                for p in 0..size {
                    rest[(p, q)] -= lower[(p, step)] * lower[(q, step)];
                }
            }
            chosen.push(next);
        }
        let count = chosen.len();
        // Solve R X = I by substitution; R^-T = X'.
        let r = |i: usize, j: usize| lower[(chosen[i], j)];
        let mut inverse = Mat::<f64>::zeros(count, count);
        for column in 0..count {
            for i in column..count {
                let unit = f64::from(u8::from(i == column));
                let known: f64 = (column..i).map(|j| r(i, j) * inverse[(j, column)]).sum();
                inverse[(i, column)] = (unit - known) / r(i, i);
            }
        }
        let pivots = chosen.iter().map(|&p| drawn[p]).collect();
        (pivots, inverse.transpose().to_owned())
    }

    /// The heaviest point and others, drawn evenly along the cumulative weight.
    fn draw(&mut self, weights: &[f64]) -> Vec<u32> {
        let total: f64 = weights.iter().sum();
        let heaviest =
            (0..weights.len()).max_by(|&i, &j| weights[i].total_cmp(&weights[j]).then(j.cmp(&i)));
        let mut drawn: Vec<u32> = heaviest.map(|i| i as u32).into_iter().collect();
        let step = total / (BLOCK - 1) as f64;
        let mut next = step * self.random.random::<f64>();
        let mut sum = 0.0;
        for (i, weight) in weights.iter().enumerate() {
            sum += weight;
            if sum > next {
                drawn.push(i as u32);
                while sum > next {
                    next += step;
                }
            }
        }
        drawn.sort_unstable();
        drawn.dedup();
        drawn
    }
}
