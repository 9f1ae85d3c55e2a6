//! A low-rank factor L of a kernel, K ~ L L', by a pivoted Cholesky factorisation.
//!
//! Pivots are drawn in proportion to the diagonal of what L does not hold yet, several at a time (as in
//! Y. Chen, E. Epperly, J. Tropp and R. Webber, "Randomly pivoted Cholesky", 2022). Only columns of pivots are ever computed.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::error::{FEWER_POINTS, Hint, MORE_MEMORY, Result};
use crate::linalg::low_rank::Rows;
use crate::linalg::nystrom::change_of_factor;
use crate::linalg::pivots::{draw, thin_out};
use crate::linalg::small::CholeskyFactor;
use crate::linalg::reduce::Share;
use crate::linalg::tall::subtract_product;
use crate::linalg::vector::wide;
use crate::memory;
use crate::progress::Progress;

/// Rows worked on at a time.
const PIECE: usize = 1024;
/// Pivots drawn at a time.
const BLOCK: usize = 32;
/// It is enough when what is left, beside the trace of the centred kernel, is no more than this,
const ENOUGH: f64 = 1e-5;
/// or half of the columns give the leading coordinates with this relative residual.
pub(super) const SETTLED: f64 = 0.02;
/// The least number of columns that are halved.
const HALVED: usize = 128;
/// What is left of the diagonal is negative by more than rounding if below this share of the largest entry: then there is no factor.
const NEGATIVE: f64 = -1e-7;
/// What is left of the diagonal is rounding below this share of the largest entry.
const ROUNDING: f64 = 1e-13;
/// Points at which coordinates are compared.
pub(super) const COMPARED: usize = 2000;
const SEED: u64 = 0;

/// Columns of a kernel matrix.
pub(super) trait Columns: Sync {
    /// Number of points.
    fn len(&self) -> usize;
    /// k(x, x)
    fn diagonal(&self, i: usize) -> f64;
    /// k(x_i, x_j) for these i and j.
    fn block(&self, rows: Range<usize>, chosen: &[u32]) -> Mat<f64>;
}

/// How many columns are wanted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted {
    /// So many.
    Exactly(usize),
    /// As many as it takes, and no more than this.
    Enough { most: usize },
}

/// A factor.
pub(super) struct Factor {
    /// L, a row for each point.
    pub(super) values: Mat<f64>,
    /// The points whose columns it is made of; L of these is lower triangular.
    pub(super) pivots: Vec<u32>,
    /// How much the leading coordinates still change with the number of columns, where that is more than wanted.
    pub(super) unsettled: Option<f64>,
}

impl Factor {
    /// L of the pivots.
    pub(super) fn triangle(&self) -> Mat<f64> {
        let m = self.pivots.len();
        Mat::from_fn(m, m, |i, j| self.values[(self.pivots[i] as usize, j)])
    }
}

/// The factor, or `None` where the kernel is not positive definite.
pub(super) fn factor(
    kernel: &dyn Columns,
    wanted: Wanted,
    progress: &Progress<'_>,
) -> Result<Option<Factor>> {
    let n = kernel.len();
    let (Wanted::Exactly(most) | Wanted::Enough { most }) = wanted;
    let most = most.min(n);
    let mut growing = Growing::new(kernel, most)?;
    let mut next_look = HALVED;
    loop {
        let columns = growing.pivots.len();
        let left: f64 = growing.rest.iter().sum();
        if growing.rest.iter().any(|&rest| rest < NEGATIVE * growing.largest) {
            return Ok(None);
        }
        growing.rest.iter_mut().for_each(|rest| *rest = rest.max(0.0));
        let spent = growing.rest.iter().all(|&rest| rest <= ROUNDING * growing.largest);
        let enough = left <= ENOUGH * (growing.spread + left);
        let mut unsettled = None;
        let mut done = spent || columns >= most;
        if let Wanted::Enough { .. } = wanted {
            done |= enough;
            if !enough && !spent && (columns >= next_look || done) {
                next_look = 2 * columns;
                let change = growing.change()?;
                done |= change <= SETTLED;
                unsettled = Some(change).filter(|change| *change > SETTLED);
            }
        }
        if !done && !growing.extend(most)? {
            // What is left drowns in rounding, whether it is enough or not.
            if let (Wanted::Enough { .. }, false) = (wanted, enough) {
                unsettled = Some(growing.change()?).filter(|change| *change > SETTLED);
            }
            done = true;
        }
        if done {
            let Growing { values, pivots, .. } = growing;
            return Ok(Some(Factor { values, pivots, unsettled }));
        }
        progress.report(growing.pivots.len() as f64 / (most + 1) as f64)?;
    }
}

struct Growing<'k> {
    kernel: &'k dyn Columns,
    values: Mat<f64>,
    pivots: Vec<u32>,
    /// The diagonal of K - L L'.
    rest: Vec<f64>,
    /// The largest entry of the diagonal of K.
    largest: f64,
    /// The trace of H L L' H.
    spread: f64,
    random: ChaCha8Rng,
}

impl<'k> Growing<'k> {
    /// With room for so many columns, which takes no memory before they are there.
    fn new(kernel: &'k dyn Columns, most: usize) -> Result<Self> {
        let n = kernel.len();
        let mut values = Mat::zeros(n, 0);
        if values.try_reserve(n, most).is_err() {
            let way_out = &[Hint::Lower("rank"), FEWER_POINTS, MORE_MEMORY];
            return Err(memory::lacking("the factor of the kernel", 8 * n * most, way_out));
        }
        let rest: Vec<f64> = (0..n).into_par_iter().map(|i| kernel.diagonal(i)).collect();
        let largest = rest.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let random = ChaCha8Rng::seed_from_u64(SEED);
        Ok(Growing { kernel, values, pivots: Vec::new(), rest, largest, spread: 0.0, random })
    }

    /// Adds columns, but not beyond so many; `false` where there is nothing left to add.
    fn extend(&mut self, most: usize) -> Result<bool> {
        let m = self.pivots.len();
        let drawn = draw(&self.rest, &Share::new(self.rest.len()), BLOCK, &mut self.random);
        let Some((pivots, known, combination)) = self.choose(&drawn, most - m) else {
            return Ok(false);
        };
        let (n, width) = (self.values.nrows(), pivots.len());
        self.values.resize_with(n, m + width, |_, _| 0.0);
        let (old, mut new) = self.values.as_mut().split_at_col_mut(m);
        let (kernel, old) = (self.kernel, old.as_ref());
        let parts: Vec<Vec<(f64, f64)>> = new
            .as_mut()
            .par_row_chunks_mut(PIECE)
            .zip(old.par_row_chunks(PIECE))
            .zip(self.rest.par_chunks_mut(PIECE))
            .enumerate()
            .map(|(at, ((mut new, old), rest))| {
                let start = at * PIECE;
                let mut block = kernel.block(start..start + rest.len(), &pivots);
                wide(|| {
                    matmul(block.as_mut(), Accum::Add, old, known.as_ref(), -1.0, Par::Seq);
                    let combination = combination.as_ref();
                    matmul(new.as_mut(), Accum::Replace, block, combination, 1.0, Par::Seq);
                });
                take_out(new.as_ref(), rest)
            })
            .collect();
        for j in 0..width {
            let sum: f64 = parts.iter().map(|part| part[j].0).sum();
            let squares: f64 = parts.iter().map(|part| part[j].1).sum();
            self.spread += squares - sum * sum / n as f64;
        }
        for &pivot in &pivots {
            self.rest[pivot as usize] = 0.0;
        }
        self.pivots.extend(pivots);
        Ok(true)
    }

    /// Of the points drawn those that do not say the same, at most so many; their rows of L, transposed; and W = R^-1 with what is left
    /// of their kernel equal to R'R.
    fn choose(&self, drawn: &[u32], most: usize) -> Option<(Vec<u32>, Mat<f64>, Mat<f64>)> {
        let m = self.pivots.len();
        let row = |p: usize| drawn[p] as usize;
        let mut left = Mat::zeros(drawn.len(), drawn.len());
        for p in 0..drawn.len() {
            let values = self.kernel.block(row(p)..row(p) + 1, drawn);
            (0..drawn.len()).for_each(|q| left[(p, q)] = values[(0, q)]);
        }
        let known = Mat::from_fn(m, drawn.len(), |j, p| self.values[(row(p), j)]);
        subtract_product(left.as_mut(), known.transpose(), known.as_ref());
        let mut chosen = thin_out(left.clone());
        chosen.truncate(most);
        loop {
            let size = chosen.len();
            let among = Mat::from_fn(size, size, |p, q| left[(chosen[p], chosen[q])]);
            if let Some(cholesky) = CholeskyFactor::new(among) {
                let pivots = chosen.iter().map(|&p| drawn[p]).collect();
                let known = Mat::from_fn(m, size, |j, p| known[(j, chosen[p])]);
                return Some((pivots, known, cholesky.inverse_transposed()));
            }
            // Rounding: the first ones have most of their length left.
            if size <= 1 {
                return None;
            }
            chosen.truncate(size / 2);
        }
    }

    /// How much the leading coordinates depend on the later half of the columns.
    fn change(&self) -> Result<f64> {
        let (n, m) = (self.values.nrows(), self.pivots.len());
        let count = COMPARED.min(n);
        change_of_factor(Mat::from_fn(count, m, |i, j| self.values[(i * n / count, j)]))
    }
}

/// Takes the squares of new columns out of the diagonal; their sums and sums of squares.
fn take_out(new: MatRef<'_, f64>, rest: &mut [f64]) -> Vec<(f64, f64)> {
    let mut sums = vec![(0.0, 0.0); new.ncols()];
    for (column, sums) in new.col_iter().zip(&mut sums) {
        for (value, rest) in column.iter().zip(&mut *rest) {
            *rest -= value * value;
            sums.0 += value;
            sums.1 += value * value;
        }
    }
    sums
}

/// Some columns of a kernel, as rows of numbers.
pub(super) struct ChosenColumns<'k> {
    pub(super) kernel: &'k dyn Columns,
    pub(super) chosen: &'k [u32],
}

impl Rows for ChosenColumns<'_> {
    fn len(&self) -> usize {
        self.kernel.len()
    }
    fn width(&self) -> usize {
        self.chosen.len()
    }
    fn piece(&self, rows: Range<usize>) -> Mat<f64> {
        self.kernel.block(rows, self.chosen)
    }
}
