//! Kernel PCA without a matrix of all pairs: a kernel of low rank.
//!
//! Linear and cosine kernels are inner products of few numbers already. Others are factorised (`kernel_factor.rs`); those that
//! are not positive definite, such as the sigmoid kernel, have the Nystroem form of columns spread over the rows
//! (`linalg/nystrom.rs`) instead.

use std::ops::Range;

use faer::Mat;

use super::kernel_factor::{COMPARED, ChosenColumns, Columns, SETTLED, Wanted, factor};
use super::kernel_numbers::{Numbers, Own, is_explicit};
use super::kpca::{Kernel, KernelPca};
use super::{About, Data, Extension, Fit, Method};
use crate::error::{Error, Result};
use crate::extend::Extend;
use crate::linalg::low_rank::{Keep, LowRank};
use crate::linalg::nystrom;
use crate::parameter::Parameter;
use crate::points::Points;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::warning::Warning;

/// How many columns there are at most where that is not given,
const MOST: usize = 1024;
/// and of a kernel that is not positive definite at first.
const FIRST: usize = 256;
/// Bytes for each point and column: the factor, and eigenvectors.
const BYTES: f64 = 16.0;
/// Eigenvalues below this share of the largest are rounding.
const LEAST: f64 = 1e-10;

/// Kernel PCA by as many columns as the coordinates take, or as fit.
#[derive(Clone, Debug)]
pub(super) struct Sparing {
    kpca: KernelPca,
    most: usize,
}

impl Sparing {
    /// With as many columns as fit so many bytes.
    pub(super) fn within(kpca: &KernelPca, points: usize, bytes: Option<u64>) -> Self {
        let fitting =
            bytes.map_or(MOST, |bytes| (0.5 * bytes as f64 / (BYTES * points as f64)) as usize);
        Sparing { kpca: kpca.clone(), most: fitting.clamp(FIRST, MOST) }
    }
}

/// Bytes of a factor of so many columns.
pub(super) fn memory(points: usize, rank: usize) -> f64 {
    BYTES * points as f64 * rank as f64
}

impl Method for Sparing {
    fn about(&self) -> &'static About {
        self.kpca.about()
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        self.kpca.parameters()
    }

    fn memory(&self, points: usize, _neighbors: usize) -> f64 {
        memory(points, FIRST)
    }

    fn problem(&self, data: Data<'_>, progress: &Progress<'_>) -> Result<Problem> {
        let wanted = Wanted::Enough { most: self.most };
        problem(&self.kpca, data.points(self)?, wanted, progress)
    }

    fn extends(&self) -> Result<Extension> {
        self.kpca.extends()
    }

    fn extension(&self, fit: &Fit<'_>) -> Result<Box<dyn Extend>> {
        self.kpca.extension(fit)
    }
}

/// The problem of a kernel of low rank.
pub(super) fn problem(
    kpca: &KernelPca,
    points: &Points,
    wanted: Wanted,
    progress: &Progress<'_>,
) -> Result<Problem> {
    let (kpca, chosen) = kpca.scaled(points);
    let (matrix, rank, unsettled) = low_rank(&kpca, points, wanted, progress)?;
    let mut problem = kpca.standard(matrix);
    problem.chosen.extend(chosen.map(|gamma| ("gamma", gamma)));
    if let Wanted::Enough { .. } = wanted {
        problem.chosen.push(("rank", rank as f64));
        let warning = |change| Warning::Unsettled { name: "rank", columns: rank, change };
        problem.warnings.extend(unsettled.map(warning));
    }
    Ok(problem)
}

/// A matrix, the number of columns that it is made of, and how much it still changes with that number, if more than wanted.
fn low_rank(
    kpca: &KernelPca,
    points: &Points,
    wanted: Wanted,
    progress: &Progress<'_>,
) -> Result<(LowRank, usize, Option<f64>)> {
    if is_explicit(kpca.kernel, points.columns()) {
        let own = Own { numbers: Numbers::of(kpca, points), points };
        let width = points.columns();
        let most = if let Wanted::Exactly(rank) = wanted { rank } else { usize::MAX };
        let identity = Mat::identity(width, width);
        let keep = Keep { share: LEAST, most };
        let matrix = LowRank::centred(&own, identity.as_ref(), &vec![1.0; width], keep)?;
        return Ok((matrix, width.min(points.rows()), None));
    }
    let columns = OfPoints { kpca, points, origin: kpca.origin(points) };
    columns.check_diagonal()?;
    let keep = Keep { share: LEAST, most: usize::MAX };
    // What is left of the diagonal bounds what is left elsewhere only where no eigenvalue is negative.
    let is_definite = match kpca.kernel {
        Kernel::Rbf | Kernel::Cosine | Kernel::Linear => true,
        Kernel::Polynomial => kpca.constant >= 0.0,
        Kernel::Sigmoid => false,
    };
    let factor = if is_definite { factor(&columns, wanted, progress)? } else { None };
    if let Some(factor) = factor {
        let width = factor.pivots.len();
        let identity = Mat::identity(width, width);
        let signs = vec![1.0; width];
        let matrix = LowRank::centred(&factor.values, identity.as_ref(), &signs, keep)?;
        let matrix = matrix.given_by(factor.triangle().as_ref());
        return Ok((matrix.made_of(factor.pivots), width, factor.unsettled));
    }
    spread(&columns, wanted, progress)
}

/// The Nystroem form of columns spread over the rows.
fn spread(
    columns: &OfPoints<'_>,
    wanted: Wanted,
    progress: &Progress<'_>,
) -> Result<(LowRank, usize, Option<f64>)> {
    let n = columns.len();
    let (mut count, most) = match wanted {
        Wanted::Exactly(rank) => (rank.min(n), rank.min(n)),
        Wanted::Enough { most } => (FIRST.min(n), most.min(n)),
    };
    loop {
        progress.check()?;
        let chosen: Vec<u32> = (0..count).map(|i| (i * n / count) as u32).collect();
        let block = columns.rows_block(&chosen, &chosen);
        let mut unsettled = None;
        if let Wanted::Enough { .. } = wanted {
            let rows = COMPARED.min(n);
            let rows: Vec<u32> = (0..rows).map(|i| (i * n / rows) as u32).collect();
            let change = nystrom::change(columns.rows_block(&rows, &chosen), &block)?;
            unsettled = Some(change).filter(|change| *change > SETTLED);
            if unsettled.is_some() && 2 * count <= most {
                count *= 2;
                continue;
            }
        }
        let rows = ChosenColumns { kernel: columns, chosen: &chosen };
        let matrix = nystrom::matrix(&rows, block, usize::MAX)?;
        return Ok((matrix.made_of(chosen), count, unsettled));
    }
}

/// The kernel of points.
struct OfPoints<'k> {
    kpca: &'k KernelPca,
    points: &'k Points,
    origin: Option<Vec<f64>>,
}

impl OfPoints<'_> {
    /// Refuses a kernel that is no number: of a point with itself it is largest.
    fn check_diagonal(&self) -> Result<()> {
        for row in 0..self.len() {
            let value = self.diagonal(row);
            if !value.is_finite() {
                return Err(Error::Kernel { row, column: row, value });
            }
        }
        Ok(())
    }

    /// The kernel of any rows with any.
    fn rows_block(&self, rows: &[u32], chosen: &[u32]) -> Mat<f64> {
        let some = self.points.select(chosen);
        let mut block = Mat::zeros(chosen.len(), rows.len());
        for (i, &row) in rows.iter().enumerate() {
            let point = self.points.row(row as usize);
            self.kpca.row(point, &some, self.origin.as_deref(), block.col_as_slice_mut(i));
        }
        block.transpose().to_owned()
    }
}

impl Columns for OfPoints<'_> {
    fn len(&self) -> usize {
        self.points.rows()
    }

    fn diagonal(&self, i: usize) -> f64 {
        let point = self.points.row(i);
        self.kpca.of_pair(point, point, self.origin.as_deref())
    }

    fn block(&self, rows: Range<usize>, chosen: &[u32]) -> Mat<f64> {
        let rows: Vec<u32> = rows.map(|i| i as u32).collect();
        self.rows_block(&rows, chosen)
    }
}
