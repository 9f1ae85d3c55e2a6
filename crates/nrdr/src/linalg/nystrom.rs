//! The Nystroem form of a centred symmetric matrix: what some of its columns tell of the rest.
//!
//! C. Williams and M. Seeger, "Using the Nystroem method to speed up kernel machines", NIPS (2000); for squared distances it is
//! the landmark scaling of V. de Silva and J. Tenenbaum, "Sparse multidimensional scaling using landmark points" (2004).
//!
//! With C the columns of m points and W their block, both centred by the means of these points, A is about C W^+ C'. A
//! matrix of squared geodesic distances has negative eigenvalues, too; W^+ keeps them: what is left out of it would
//! show in the leading eigenvectors. Eigenvalues of W that are small beside its largest are noise, and left out.

use faer::Mat;

use super::low_rank::{Keep, LowRank, Rows};
use super::small::eigen_descending;
use crate::error::Result;

/// Eigenvalues below this share of the largest are not inverted.
const NOISE: f64 = 5e-4;
/// How many coordinates are compared.
const LEADING: usize = 3;

/// C W^+ C' = F S F' with F = C `map` and signs S.
struct Nystrom {
    map: Mat<f64>,
    signs: Vec<f64>,
}

impl Nystrom {
    /// From the block of the chosen points before it is centred.
    fn new(block: Mat<f64>) -> Result<Self> {
        let m = block.nrows();
        let mean =
            |i: usize| (0..m).map(|j| block[(i, j)] + block[(j, i)]).sum::<f64>() / (2 * m) as f64;
        let means: Vec<f64> = (0..m).map(mean).collect();
        let all = means.iter().sum::<f64>() / m as f64;
        let entry =
            |i: usize, j: usize| 0.5 * (block[(i, j)] + block[(j, i)]) - means[i] - means[j] + all;
        let (values, vectors) = eigen_descending(Mat::from_fn(m, m, entry).as_ref())?;
        let largest = values.iter().fold(0.0, |largest: f64, v| largest.max(v.abs()));
        let kept: Vec<usize> = (0..m).filter(|&i| values[i].abs() > NOISE * largest).collect();
        // The columns of the map sum to zero, so that the means which centre the rows of C do not matter.
        let map = Mat::from_fn(m, kept.len(), |i, j| {
            vectors[(i, kept[j])] / values[kept[j]].abs().sqrt()
        });
        Ok(Nystrom { map, signs: kept.iter().map(|&i| values[i].signum()).collect() })
    }

    fn matrix(&self, columns: &dyn Rows, most: usize) -> Result<LowRank> {
        let keep = Keep { share: NOISE, most };
        LowRank::centred(columns, self.map.as_ref(), &self.signs, keep)
    }
}

/// The matrix of which some columns and their own block are known, with at most so many eigenvectors.
pub(crate) fn matrix(columns: &dyn Rows, block: Mat<f64>, most: usize) -> Result<LowRank> {
    Nystrom::new(block)?.matrix(columns, most)
}

/// How much the leading coordinates change if only every other column is known, at a sample of the rows
/// ([`LowRank::change_from`]).
pub(crate) fn change(sample: Mat<f64>, block: &Mat<f64>) -> Result<f64> {
    let half = block.nrows().div_ceil(2);
    let coarse_block = Mat::from_fn(half, half, |i, j| block[(2 * i, 2 * j)]);
    let coarse_sample = Mat::from_fn(sample.nrows(), half, |i, j| sample[(i, 2 * j)]);
    let coarse = matrix(&coarse_sample, coarse_block, usize::MAX)?;
    Ok(matrix(&sample, block.clone(), usize::MAX)?.change_from(&coarse, LEADING))
}

/// The same for the columns of a factor F of F F', of which half are left out at the end.
pub(crate) fn change_of_factor(sample: Mat<f64>) -> Result<f64> {
    let (n, width) = (sample.nrows(), sample.ncols());
    let of = |width: usize| {
        let (factor, signs) = (sample.as_ref().subcols(0, width).to_owned(), vec![1.0; width]);
        let all = Keep { share: 0.0, most: usize::MAX };
        LowRank::centred(&factor, Mat::identity(width, width).as_ref(), &signs, all)
    };
    if n == 0 || width < 2 {
        return Ok(0.0);
    }
    Ok(of(width)?.change_from(&of(width.div_ceil(2))?, LEADING))
}
