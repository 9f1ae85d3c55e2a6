//! The leading eigenvectors of P'P for a smoother P, by subspace iteration from a random block.

use faer::{Mat, MatRef};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::{rank, roots_of};
use crate::error::Result;
use crate::linalg::small::{eigen_descending, whitening};
use crate::linalg::tall::{product, transposed_product};

/// Vectors sought at first, if nothing is known; half as many more as long as they do not reach far
/// below the truncation.
const FIRST: usize = 32;
/// How far, on trial and in the end: the last vectors are the least exact.
const MARGINS: (f64, f64) = (0.5, 0.7);
/// Products after which the number of vectors is judged.
const TRIAL: usize = 2;
/// Products after which the vectors are exact: each leaves about a quarter of what is foreign to those
/// above the truncation.
const ENOUGH: usize = 8;

/// S = P'P, or what stands for it in coordinates with an inner product x' M y of their own.
pub(super) trait Square {
    /// Number of coordinates.
    fn size(&self) -> usize;
    /// How many vectors there may be to find, roughly.
    fn guess(&self) -> usize {
        FIRST
    }
    /// M X
    fn metric(&self, x: &Mat<f64>) -> Mat<f64>;
    /// S X, given M X
    fn apply(&self, metric_x: &Mat<f64>) -> Mat<f64>;
}

/// The eigenvectors above the truncation, a column of coordinates each, and the singular values: the
/// roots of their eigenvalues and of some below.
pub(super) fn leading(
    square: &dyn Square,
    truncation: f64,
    seed: u64,
) -> Result<(Mat<f64>, Vec<f64>)> {
    let size = square.size();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut width = square.guess().min(size);
    let mut block = Mat::from_fn(size, width, |_, _| StandardNormal.sample(&mut random));
    let mut products = 0;
    loop {
        let (basis, metric_basis) = orthonormal(square, block)?;
        let image = square.apply(&metric_basis);
        products += 1;
        // A basis of everything there is is exact at once.
        let complete = basis.ncols() == size || basis.ncols() < width;
        if complete || products == TRIAL || products == ENOUGH {
            let (squares, vectors) = eigen_descending(
                transposed_product(metric_basis.as_ref(), image.as_ref()).as_ref(),
            )?;
            let singular_values = roots_of(&squares);
            let margin = if products == TRIAL { MARGINS.0 } else { MARGINS.1 };
            let narrow = rank(&singular_values, margin * truncation) == basis.ncols();
            if complete || products == ENOUGH && !narrow {
                let kept = rank(&singular_values, truncation);
                let vectors = product(basis.as_ref(), vectors.as_ref().subcols(0, kept));
                return Ok((vectors, singular_values));
            }
            if narrow {
                width = (width + width / 2).min(size);
                products = 0;
            }
        }
        block = image;
        block.resize_with(size, width, |_, _| StandardNormal.sample(&mut random));
    }
}

/// A basis of the span of the columns that is orthonormal in the metric, and M times it.
fn orthonormal(square: &dyn Square, block: Mat<f64>) -> Result<(Mat<f64>, Mat<f64>)> {
    let metric_block = square.metric(&block);
    let gram = transposed_product(block.as_ref(), metric_block.as_ref());
    // New columns and old ones may differ much in length.
    let inverse_length = |i: usize| gram[(i, i)].max(f64::MIN_POSITIVE).sqrt().recip();
    let lengths: Vec<f64> = (0..gram.nrows()).map(inverse_length).collect();
    let unit = |i: usize, j: usize| lengths[i] * gram[(i, j)] * lengths[j];
    let combination = whitening(Mat::from_fn(gram.nrows(), gram.ncols(), unit))?;
    let combination = Mat::from_fn(combination.nrows(), combination.ncols(), |i, j| {
        lengths[i] * combination[(i, j)]
    });
    let combine = |x: MatRef<'_, f64>| product(x, combination.as_ref());
    Ok((combine(block.as_ref()), combine(metric_block.as_ref())))
}
