//! The smoother by the weights of the nearest neighbours in the embedding, as in the paper, with its
//! singular vectors by a randomised method.

use faer::{Mat, MatRef};
use rayon::prelude::*;

use super::kernel::Kernel;
use super::leading::{Square, leading};
use super::{Predictor, Regression, SingularVectors, Smoother, Weights};
use crate::error::{Error, Inextensible, Result};
use crate::graph::Search;
use crate::graph::neighbors::{invert, neighbors};
use crate::progress::Progress;

pub(super) struct Sparse {
    weights: Weights,
    rows: RowLists,
    /// The transpose of `rows`.
    columns: RowLists,
    neighbors: usize,
    seed: u64,
}

/// A sparse matrix, row after row.
struct RowLists {
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl RowLists {
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

    fn transpose(&self) -> RowLists {
        let (offsets, places) = invert(&self.offsets, &self.columns);
        let columns = places.iter().map(|&(row, _)| row).collect();
        let values = places.iter().map(|&(_, at)| self.values[at as usize]).collect();
        RowLists { offsets, columns, values }
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
        let mut rows = RowLists { offsets: vec![0], columns: Vec::new(), values: Vec::new() };
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
}

/// P diag(s)
struct Scaled<'s> {
    smoother: &'s Sparse,
    scale: Option<&'s [f64]>,
}

impl Square for Scaled<'_> {
    fn size(&self) -> usize {
        self.smoother.rows.offsets.len() - 1
    }

    fn metric(&self, x: &Mat<f64>) -> Mat<f64> {
        x.clone()
    }

    fn apply(&self, x: &Mat<f64>) -> Mat<f64> {
        let Sparse { weights, rows, columns, .. } = self.smoother;
        let image = weights.predict(scaled(x, self.scale).as_ref(), |x| rows.multiply(x));
        let back = weights.predict_transposed(image.as_ref(), |x| columns.multiply(x));
        scaled(&back, self.scale)
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

    fn singular_vectors(&self, scale: Option<&[f64]>, truncation: f64) -> Result<SingularVectors> {
        let scaled = Scaled { smoother: self, scale };
        let (vectors, singular_values) = leading(&scaled, truncation, self.seed)?;
        Ok(SingularVectors { vectors, singular_values, coordinates: None })
    }

    /// Whose neighbour a new point would be is not defined.
    fn extend(&self, _: &SingularVectors, _: Option<&[f64]>, _: &[f64]) -> Result<Predictor> {
        Err(Error::CannotExtend { what: Inextensible::SparseSmoother })
    }

    fn size(&self) -> usize {
        self.neighbors
    }
}
