//! The low-rank factor L of Gaussian weights, G ~ L L', grown by blocks of columns.
//!
//! A pivoted Cholesky factorisation. Pivots are drawn in proportion to d_i / c_i, where d is the
//! diagonal of the part E of G that L does not hold yet and c = L L' 1 the row sums: that is the
//! diagonal of E normalised, diag(c)^-1/2 E diag(c)^-1/2. A point that no other is near to has c = 1
//! and d = 1: it weighs as much as a direction of its own, as it has a singular value near 1 of its
//! own in P, and is chosen sooner or later.
//!
//! L is large enough when no point weighs more than the accuracy asked for and the last block of
//! columns took less than that from E in norm. With a normalised E of norm e the row sums of L L',
//! which serve as c so that P 1 = 1 holds exactly, differ from those of G by a share of e in the
//! root mean square over points weighted by c: |diag(c)^-1/2 E 1| <= e |c^1/2|.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::factor::{Factor, PIECE};
use super::kernel::Kernel;
use crate::error::{Error, FEWER_POINTS, Hint, MORE_MEMORY, Result};
use crate::linalg::pivots::{draw, thin_out};
use crate::linalg::reduce;
use crate::linalg::small::{eigen_descending, whitening};
use crate::linalg::tall::subtract_product;
use crate::linalg::vector::{squared_distance, vectorized, wide};
use crate::memory::{self, Budget};
use crate::progress::Progress;

/// Pivots drawn at a time, at first and when there are many already.
const BLOCK: usize = 32;
const LARGE_BLOCK: usize = 64;
/// Up to so many columns the factor is made more accurate, since it costs little.
const CHEAP: f64 = 300.0;
/// What is left of a diagonal entry, 1, in single precision.
const ROUNDING: f64 = 2e-6;
/// Numbers for which room is made at a time.
const ROOM: usize = 200_000_000;
/// The most numbers that a factor may have.
const MOST_ENTRIES: usize = 2_000_000_000;

/// The factor with the accuracy asked for.
pub(super) fn grow(
    kernel: &Kernel,
    accuracy: f64,
    seed: u64,
    progress: &Progress<'_>,
) -> Result<Factor> {
    let (n, share) = (kernel.len(), &kernel.share);
    let mut growing = Growing::new(kernel, seed, progress.budget());
    let mut calm = false;
    loop {
        let weights: Vec<f64> =
            (0..n).map(|i| growing.rest[i] / row_sum(growing.sums[i])).collect();
        let heaviest = reduce::largest(weights.iter().copied().fold(0.0, f64::max));
        let columns = growing.factor.ncols();
        let accuracy = accuracy * (columns as f64 / CHEAP).clamp(1.0, 3.0);
        let spent = reduce::all(growing.rest.iter().all(|&rest| rest < ROUNDING));
        if heaviest <= accuracy && calm || spent || columns >= share.total() {
            return Ok(Factor { values: growing.factor, pivots: growing.pivots });
        }
        if (columns + LARGE_BLOCK) * share.most() > MOST_ENTRIES {
            return Err(Error::SmootherTooLarge { columns, points: share.total() });
        }
        progress.check_all()?;
        calm = growing.extend(&weights)? <= accuracy;
    }
}

/// The row sum of G as far as it is known, and at least 1: a point's weight for itself.
fn row_sum(known: f64) -> f64 {
    known.max(1.0)
}

/// A factor that is not yet large enough.
struct Growing<'k> {
    kernel: &'k Kernel,
    budget: Budget,
    factor: Mat<f32>,
    /// Columns for which there is room.
    room: usize,
    /// All that were chosen so far.
    pivots: Vec<u32>,
    /// Diagonal of E = G - L L'.
    rest: Vec<f64>,
    /// L L' 1.
    sums: Vec<f64>,
    random: ChaCha8Rng,
}

impl<'k> Growing<'k> {
    fn new(kernel: &'k Kernel, seed: u64, budget: Budget) -> Self {
        let n = kernel.len();
        Growing {
            kernel,
            budget,
            factor: Mat::zeros(n, 0),
            room: 0,
            pivots: Vec::new(),
            rest: vec![1.0; n],
            sums: vec![0.0; n],
            random: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// Adds a block of columns; returns the norm of what they take from the normalised E.
    fn extend(&mut self, weights: &[f64]) -> Result<f64> {
        let block = (self.factor.ncols() / 4).clamp(BLOCK, LARGE_BLOCK);
        let drawn = draw(weights, &self.kernel.share, block, &mut self.random);
        let Pivots { rows, points, known, combination } = self.choose(&drawn)?;
        let dims = self.kernel.points.columns();
        let pivots: Vec<&[f64]> = points.chunks_exact(dims).collect();
        let (n, m, width) = (self.kernel.len(), self.factor.ncols(), combination.ncols());
        // Memory that is not used costs nothing, moving what is used does.
        let columns = (m + width).next_multiple_of((ROOM / n.max(1)).clamp(LARGE_BLOCK, 1024));
        reduce::agree(self.make_room(columns, m + width))?;
        self.factor.resize_with(n, m + width, |_, _| 0.0);
        let (old, mut new) = self.factor.as_mut().split_at_col_mut(m);
        let (kernel, old) = (self.kernel, old.as_ref());
        // Piece by piece of the rows.
        let parts: Vec<Added> = new
            .as_mut()
            .par_row_chunks_mut(PIECE)
            .zip(old.par_row_chunks(PIECE))
            .zip(self.rest.par_chunks_mut(PIECE))
            .zip(self.sums.par_chunks(PIECE))
            .enumerate()
            .map(|(piece, (((mut new, old), rest), sums))| {
                let start = piece * PIECE;
                // E[:, pivots] W
                let mut block = kernel.block(start..start + rest.len(), &pivots);
                wide(|| {
                    matmul(block.as_mut(), Accum::Add, old, known.as_ref(), -1.0, Par::Seq);
                    let combination = combination.as_ref();
                    matmul(new.as_mut(), Accum::Replace, block, combination, 1.0, Par::Seq);
                });
                Added::of(new.as_ref(), rest, sums)
            })
            .collect();
        let mut added = Added { gram: Mat::zeros(width, width), total: vec![0.0; width] };
        for part in &parts {
            added.gram += &part.gram;
            added.total.iter_mut().zip(&part.total).for_each(|(sum, part)| *sum += part);
        }
        let added =
            Added { gram: reduce::sum_each(added.gram), total: reduce::sum_all(added.total) };
        for place in rows.iter().filter_map(|&row| kernel.share.place(row as usize)) {
            self.rest[place] = 0.0;
        }
        self.pivots.extend(rows);
        add_sums(&mut self.sums, new.as_ref(), &added.total);
        Ok(eigen_descending(added.gram.as_ref())?.0[0])
    }

    /// Room for so many columns, or for those that are needed now.
    fn make_room(&mut self, wanted: usize, needed: usize) -> Result<()> {
        let (n, there) = (self.kernel.len(), self.factor.ncols());
        let way_out = &[Hint::Raise("alpha"), FEWER_POINTS, MORE_MEMORY];
        // Where there is no room left the columns that are there are moved.
        let new = if needed > self.room { needed } else { needed - there };
        self.budget.check("the smoother", 4.0 * n as f64 * new as f64, way_out)?;
        for columns in [wanted, needed] {
            // Room for later is set aside only where others find enough beside it.
            if columns > needed && !self.budget.is_plenty(4.0 * n as f64 * columns as f64) {
                continue;
            }
            if self.factor.try_reserve(n, columns).is_ok() {
                self.room = self.room.max(columns);
                return Ok(());
            }
        }
        Err(memory::lacking("the smoother", 4 * n * needed, way_out))
    }

    /// Of the points drawn those that do not say the same.
    fn choose(&self, drawn: &[u32]) -> Result<Pivots> {
        let (size, m, dims) = (drawn.len(), self.factor.ncols(), self.kernel.points.columns());
        let rows = drawn.iter().map(|&row| row as usize);
        let numbers = self.kernel.share.at(rows, dims + m, |place, numbers| {
            numbers.extend_from_slice(self.kernel.points.row(place));
            numbers.extend((0..m).map(|j| f64::from(self.factor[(place, j)])));
        });
        let row = |p: usize| &numbers[p * (dims + m)..][..dims + m];
        let point = |p: usize| &row(p)[..dims];
        let mut left = Mat::from_fn(size, size, |p, q| {
            self.kernel.of_squared_distance(squared_distance(point(p), point(q)))
        });
        let known = Mat::from_fn(m, size, |j, p| row(p)[dims + j]);
        subtract_product(left.as_mut(), known.transpose(), known.as_ref());
        let chosen = thin_out(left.clone());
        let among = Mat::from_fn(chosen.len(), chosen.len(), |p, q| left[(chosen[p], chosen[q])]);
        let combination = whitening(among)?;
        let single = |x: f64| x as f32;
        Ok(Pivots {
            rows: chosen.iter().map(|&p| drawn[p]).collect(),
            points: chosen.iter().flat_map(|&p| point(p)).copied().collect(),
            known: Mat::from_fn(m, chosen.len(), |j, p| single(known[(j, chosen[p])])),
            combination: Mat::from_fn(combination.nrows(), combination.ncols(), |i, j| {
                single(combination[(i, j)])
            }),
        })
    }
}

/// Points that new columns are made from, wherever they are.
struct Pivots {
    /// Their numbers among all.
    rows: Vec<u32>,
    /// The points, one after another.
    points: Vec<f64>,
    /// Their rows of L, transposed.
    known: Mat<f32>,
    /// W with W' E W = I among them.
    combination: Mat<f32>,
}

/// What new columns of some rows add.
struct Added {
    /// Their Gram matrix, each row divided by the root of its row sum.
    gram: Mat<f64>,
    /// Their sums.
    total: Vec<f64>,
}

impl Added {
    /// Takes the new columns out of the diagonal `rest`, too.
    fn of(new: MatRef<'_, f32>, rest: &mut [f64], sums: &[f64]) -> Self {
        let (size, width) = (new.nrows(), new.ncols());
        let mut total = vec![0.0; width];
        let mut normalized = Mat::<f32>::zeros(size, width);
        let roots: Vec<f32> = sums.iter().map(|&sum| row_sum(sum).sqrt().recip() as f32).collect();
        vectorized(|| {
            for (j, total) in total.iter_mut().enumerate() {
                let scaled = normalized.col_as_slice_mut(j).iter_mut().zip(&roots);
                for ((new, rest), (scaled, root)) in new.col(j).iter().zip(&mut *rest).zip(scaled) {
                    let value = f64::from(*new);
                    *total += value;
                    *rest -= value * value;
                    *scaled = new * root;
                }
            }
            rest.iter_mut().for_each(|rest| *rest = rest.max(0.0));
        });
        let mut gram = Mat::<f32>::zeros(width, width);
        let (a, b) = (normalized.transpose(), normalized.as_ref());
        wide(|| matmul(gram.as_mut(), Accum::Replace, a, b, 1.0, Par::Seq));
        let gram = Mat::from_fn(width, width, |i, j| f64::from(gram[(i, j)]));
        Added { gram, total }
    }
}

/// sums += L_new L_new' 1
fn add_sums(sums: &mut [f64], new: MatRef<'_, f32>, total: &[f64]) {
    sums.par_chunks_mut(PIECE).zip(new.par_row_chunks(PIECE)).for_each(|(sums, new)| {
        vectorized(|| {
            for (column, total) in new.col_iter().zip(total) {
                for (sum, value) in sums.iter_mut().zip(column.iter()) {
                    *sum += f64::from(*value) * total;
                }
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use rand_distr::{Distribution, StandardNormal};

    use super::*;
    use crate::points::Points;
    use crate::progress::Watch;
    use crate::stage::Stage;

    const ACCURACY: f64 = 0.003;

    /// A cloud of unit variance, and points far from it and from each other.
    fn kernel(n: usize, far: usize, dims: usize, bandwidth: f64) -> Kernel {
        let mut random = ChaCha8Rng::seed_from_u64(n as u64);
        let row = |i: usize| -> Vec<f64> {
            let mut row: Vec<f64> = (0..dims).map(|_| StandardNormal.sample(&mut random)).collect();
            if i < far {
                row[0] += 20.0 * (1 + i) as f64;
            }
            row
        };
        Kernel::new(Points::from_rows((0..n).map(row)).unwrap(), bandwidth)
    }

    fn grown(kernel: &Kernel) -> Factor {
        let factor = Watch::new(None)
            .stage(Stage::Coordinates, |progress| grow(kernel, ACCURACY, 3, progress));
        factor.unwrap()
    }

    fn row_sums(factor: &Factor) -> Vec<f64> {
        let ones = Mat::full(factor.values.nrows(), 1, 1.0);
        let sums = factor.product(factor.inner(ones.as_ref()).as_ref());
        sums.col_as_slice(0).to_vec()
    }

    #[test]
    fn what_the_factor_misses_is_within_the_accuracy() {
        for (dims, bandwidth) in [(1, 0.3), (2, 0.4), (5, 1.0)] {
            let kernel = kernel(800, 5, dims, bandwidth);
            let (n, factor) = (kernel.len(), grown(&kernel));
            let exact = |i: usize| (0..n).map(|j| kernel.weight(i, j)).sum::<f64>();
            let sums: Vec<f64> = (0..n).map(exact).collect();
            let l = |i: usize, j: usize| f64::from(factor.values[(i, j)]);
            let rows = Mat::from_fn(n, factor.columns(), l);
            let mut missing = Mat::from_fn(n, n, |i, j| kernel.weight(i, j));
            subtract_product(missing.as_mut(), rows.as_ref(), rows.transpose());
            let normalized =
                Mat::from_fn(n, n, |i, j| missing[(i, j)] / (sums[i] * sums[j]).sqrt());
            let values = eigen_descending(normalized.as_ref()).unwrap().0;
            let norm = values[0].max(-values[n - 1]);
            println!("{dims} dimensions: {} columns, norm {norm:.1e}", factor.columns());
            assert!(norm < ACCURACY, "{dims} dimensions: {norm}");
            // A point by itself has a singular value near 1 of its own.
            for i in 0..5 {
                assert!(missing[(i, i)] < ACCURACY, "{dims} dimensions: {}", missing[(i, i)]);
            }
        }
    }

    #[test]
    fn row_sums_are_as_exact_as_stated() {
        let kernel = kernel(20_000, 5, 2, 0.3);
        let found = row_sums(&grown(&kernel));
        let (mut errors, mut total) = (0.0, 0.0);
        for i in (0..kernel.len()).step_by(kernel.len() / 256) {
            let exact: f64 = (0..kernel.len()).map(|j| kernel.weight(i, j)).sum();
            errors += exact * (found[i] / exact - 1.0).powi(2);
            total += exact;
        }
        let error = (errors / total).sqrt();
        println!("relative error of the row sums: {error:.1e}");
        assert!(error < ACCURACY, "{error}");
    }
}
