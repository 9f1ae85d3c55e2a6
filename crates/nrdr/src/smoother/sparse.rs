//! The smoother by the weights of the nearest neighbours in the embedding, as in the paper, with its
//! singular vectors by a randomised method.

use faer::{Mat, MatRef};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

use super::kernel::Kernel;
use super::{Kept, Regression, Smoother, Weights, rank, roots_of};
use crate::error::Result;
use crate::graph::Search;
use crate::graph::neighbors::{invert, neighbors};
use crate::progress::Progress;
use crate::small::eigen_descending;
use crate::tall::{inner, orthonormalize, product};

/// Singular vectors sought at first; more if these do not reach below the truncation.
const FIRST: usize = 32;
/// Products with P'P, each of which squares what separates the vectors.
const ITERATIONS: usize = 16;

pub(super) struct Sparse {
    weights: Weights,
    rows: Rows,
    /// The transpose of `rows`.
    columns: Rows,
    neighbors: usize,
    seed: u64,
}

/// A sparse matrix, row after row.
struct Rows {
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl Rows {
    fn multiply(&self, x: MatRef<'_, f64>) -> Mat<f64> {
        let (n, width) = (x.nrows(), x.ncols());
        // The entries of one row of X together.
        let rows: Vec<f64> = (0..n * width).map(|at| x[(at / width, at % width)]).collect();
        let mut products = vec![0.0; n * width];
        products.par_chunks_mut(width).with_min_len(64).enumerate().for_each(|(i, sum)| {
            for at in self.offsets[i]..self.offsets[i + 1] {
                let (j, weight) = (self.columns[at] as usize, self.values[at]);
                for (sum, x) in sum.iter_mut().zip(&rows[j * width..]) {
                    *sum += weight * x;
                }
            }
        });
        Mat::from_fn(n, width, |i, j| products[i * width + j])
    }

    fn transpose(&self) -> Rows {
        let (offsets, places) = invert(&self.offsets, &self.columns);
        let columns = places.iter().map(|&(row, _)| row).collect();
        let values = places.iter().map(|&(_, at)| self.values[at as usize]).collect();
        Rows { offsets, columns, values }
    }
}

impl Sparse {
    pub(super) fn new(
        kernel: Kernel,
        regression: Regression,
        count: usize,
        seed: u64,
        progress: &Progress<'_>,
    ) -> Result<Self> {
        let n = kernel.len();
        let count = count.min(n - 1);
        let lists = neighbors(&kernel.points, count, Search::Auto, progress)?;
        let mut rows = Rows { offsets: vec![0], columns: Vec::new(), values: Vec::new() };
        for i in 0..n {
            rows.columns.push(i as u32);
            rows.values.push(1.0);
            rows.columns.extend_from_slice(lists.of(i));
            rows.values
                .extend(lists.distances(i).iter().map(|d| kernel.of_squared_distance(d * d)));
            rows.offsets.push(rows.columns.len());
        }
        let weights = Weights::new(&kernel, regression, |x| rows.multiply(x));
        Ok(Sparse { weights, columns: rows.transpose(), rows, neighbors: count, seed })
    }

    /// diag(s) P' P diag(s) X
    fn square(&self, x: &Mat<f64>, scale: Option<&[f64]>) -> Mat<f64> {
        let image = self.weights.predict(scaled(x, scale).as_ref(), |x| self.rows.multiply(x));
        let back = self.weights.predict_transposed(image.as_ref(), |x| self.columns.multiply(x));
        scaled(&back, scale)
    }
}

/// diag(s) X
fn scaled(x: &Mat<f64>, scale: Option<&[f64]>) -> Mat<f64> {
    match scale {
        Some(s) => Mat::from_fn(x.nrows(), x.ncols(), |i, j| s[i] * x[(i, j)]),
        None => x.clone(),
    }
}

impl Smoother for Sparse {
    fn predict(&self, y: &Mat<f64>) -> Mat<f64> {
        self.weights.predict(y.as_ref(), |x| self.rows.multiply(x))
    }

    fn kept(&self, scale: Option<&[f64]>, truncation: f64) -> Result<Kept> {
        let n = self.rows.offsets.len() - 1;
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let mut width = FIRST.min(n);
        let mut block = Mat::zeros(n, 0);
        loop {
            // What is known stays; the new columns are random.
            block.resize_with(n, width, |_, _| StandardNormal.sample(&mut random));
            for _ in 0..ITERATIONS {
                block = self.square(&orthonormalize(block)?, scale);
            }
            let basis = orthonormalize(block)?;
            let inside = inner(basis.as_ref(), self.square(&basis, scale).as_ref());
            let (squares, vectors) = eigen_descending(inside.as_ref())?;
            let singular_values = roots_of(&squares);
            let kept = rank(&singular_values, truncation);
            // The last vectors are the least exact: they must lie well below the truncation.
            let reached = rank(&singular_values, 0.5 * truncation);
            if reached < basis.ncols() || width == n {
                let vectors = product(basis.as_ref(), vectors.as_ref().subcols(0, kept));
                return Ok(Kept { vectors, singular_values });
            }
            block = basis;
            width = (2 * width).min(n);
        }
    }

    fn size(&self) -> usize {
        self.neighbors
    }
}
