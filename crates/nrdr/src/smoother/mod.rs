//! Smoothers: what can be predicted from the earlier coordinates.
//!
//! A smoother matrix P regresses a vector y on the earlier coordinates F: (P y)_n is the prediction of
//! y at point n. With Gaussian weights G_nk = exp(-|F_n - F_k|^2 / 2h^2), row sums c = G 1, local
//! means mu_n and local covariances S_n of F, both regressions have the form
//!
//! P = sum_c diag(a_c) G diag(F_c), c = 0..q, F_0 = 1.
//!
//! Nadaraya-Watson (the local mean): a_0 = 1/c and nothing else. Locally linear: with
//! u_n = (S_n + ridge)^-1 (F_n - mu_n), a_0 = (1 - mu.u)/c and a_c = u_c/c.
//!
//! A coordinate f = s . g is unpredictable when P diag(s) g = 0. Of P diag(s) only the right
//! singular vectors with singular values above a share of the largest count.

mod dense;
mod factor;
mod growing;
mod kernel;
mod leading;
mod local_fit;
mod low_rank;
mod predictor;
mod sparse;

use faer::Mat;

use crate::error::{Error, Hint, Inextensible, Result};
use crate::linalg::reduce;
use crate::parameter::{Kind, Parameter, Range, Slot, Value, Word, Words};
use crate::points::Points;
use crate::progress::{Progress, Watch};
use crate::stage::Stage;
use kernel::Kernel;
pub(crate) use local_fit::{Weights, local_fit};
pub(crate) use predictor::Predictor;

/// How a value is predicted from the values around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Regression {
    /// By their weighted mean.
    #[default]
    NadarayaWatson,
    /// By a weighted linear fit.
    LocallyLinear,
}

/// How the smoother is represented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Realization {
    /// By a low-rank factor of the weights: no N x N matrix, nothing cut off.
    #[default]
    LowRank,
    /// By the weights of this many nearest neighbours in the embedding, as in the paper.
    Sparse {
        /// Neighbours kept, the point itself not counted.
        neighbors: usize,
    },
    /// By all N x N weights; the oracle, for few points.
    Dense,
}

/// How wide the smoother is beside the spread of the earlier coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Alpha {
    /// The same for all coordinates.
    Fixed(f64),
    /// Found for each coordinate: as wide as it can be without a coordinate that the earlier ones predict at a
    /// finer bandwidth.
    #[default]
    Auto,
}

impl From<f64> for Alpha {
    fn from(alpha: f64) -> Self {
        Alpha::Fixed(alpha)
    }
}

impl std::fmt::Display for Alpha {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Alpha::Fixed(alpha) => write!(f, "{alpha}"),
            Alpha::Auto => write!(f, "auto"),
        }
    }
}

impl Slot for Alpha {
    fn kind(&self) -> Kind {
        Kind::NumberOrAuto
    }
    fn get(&self) -> Value {
        match self {
            Alpha::Fixed(alpha) => Value::Number(*alpha),
            Alpha::Auto => Value::Word("auto".to_string()),
        }
    }
    fn set(&mut self, value: &Value) -> bool {
        let mut alpha = 0.0;
        if *value == Value::Word("auto".to_string()) {
            *self = Alpha::Auto;
        } else if alpha.set(value) {
            *self = Alpha::Fixed(alpha);
        } else {
            return false;
        }
        true
    }
}

impl Words for Regression {
    const WORDS: &'static [Word] = &[
        Word::new("nw", "Nadaraya-Watson: the local mean"),
        Word::new("local-linear", "A local linear fit"),
    ];
    const VALUES: &'static [Self] = &[Regression::NadarayaWatson, Regression::LocallyLinear];
}

/// Columns that a smoother has at least.
const LEAST_COLUMNS: f64 = 64.0;

/// Bytes that the smoother of so many points takes at least.
pub(crate) fn smoother_memory(points: usize) -> f64 {
    4.0 * points as f64 * LEAST_COLUMNS
}

/// In the paper's range, 0.1 to 0.6.
pub(crate) const DEFAULT_ALPHA: f64 = 0.3;

/// The smoother of the unpredictable strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct SmootherOptions {
    /// How a value is predicted.
    pub regression: Regression,
    /// How the smoother is represented.
    pub realization: Realization,
    /// Bandwidth h = alpha (sum_j |f_j|^2 / N)^1/2.
    pub alpha: Alpha,
    /// Singular values below this share of the largest one do not count.
    pub truncation: f64,
}

impl Default for SmootherOptions {
    fn default() -> Self {
        SmootherOptions {
            regression: Regression::NadarayaWatson,
            realization: Realization::LowRank,
            alpha: Alpha::default(),
            truncation: 0.03,
        }
    }
}

impl SmootherOptions {
    /// Those that users choose.
    pub(crate) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let width = "width of the smoother beside the earlier coordinates' spread, or auto";
        vec![
            Parameter::new("alpha", &mut self.alpha, width).within(Range::new(
                1e-6,
                1e6,
                "between 1e-6 and 1e6",
            )),
            Parameter::new("smoother", &mut self.regression, "how the smoother predicts"),
        ]
    }

    pub(crate) fn check(&self) -> Result<()> {
        if !(self.truncation > 0.0 && self.truncation < 1.0) {
            return Err(Error::parameter("truncation", self.truncation, "between 0 and 1"));
        }
        if self.realization == (Realization::Sparse { neighbors: 0 }) {
            return Err(Error::parameter("smoother neighbors", 0, "at least 1"));
        }
        Ok(())
    }

    /// Refuses a representation that needs all rows.
    pub(crate) fn check_shared(&self) -> Result<()> {
        match self.realization {
            Realization::LowRank => Ok(()),
            Realization::Sparse { .. } | Realization::Dense => Err(Error::OneMachine {
                what: "a smoother that is not of low rank".to_string(),
                way_out: &[Hint::Say("take the usual one")],
            }),
        }
    }

    /// Refuses a representation that has no values at new points.
    pub(crate) fn check_extension(&self) -> Result<()> {
        match self.realization {
            Realization::Sparse { .. } => {
                Err(Error::CannotExtend { what: Inextensible::SparseSmoother })
            }
            Realization::LowRank | Realization::Dense => Ok(()),
        }
    }
}

/// The directions that a smoother can represent.
pub(crate) struct SingularVectors {
    /// Right singular vectors of P diag(s), a column each.
    pub(crate) vectors: Mat<f64>,
    /// Singular values, descending: those kept and some of those that were not.
    pub(crate) singular_values: Vec<f64>,
    /// The low-rank smoother's coordinates of the vectors, a column each.
    pub(crate) coordinates: Option<Mat<f64>>,
}

/// A smoother matrix for one set of earlier coordinates.
pub(crate) trait Smoother: Sync {
    /// P Y
    fn predict(&self, y: &Mat<f64>) -> Mat<f64>;
    /// The right singular vectors of P diag(s) above the truncation.
    fn singular_vectors(&self, scale: Option<&[f64]>, truncation: f64) -> Result<SingularVectors>;
    /// Columns of the factor, or neighbours, or points: how large the representation is.
    fn size(&self) -> usize;
    /// The function of the earlier coordinates that, times s, is `kept.vectors` times these coefficients at the
    /// points.
    fn extend(
        &self,
        kept: &SingularVectors,
        scale: Option<&[f64]>,
        coefficients: &[f64],
    ) -> Result<Predictor>;
}

/// The smoother of the earlier coordinates, which are the columns of `earlier`.
pub(crate) fn smoother(
    earlier: &[&[f64]],
    alpha: f64,
    options: &SmootherOptions,
    seed: u64,
    progress: &Progress<'_>,
) -> Result<Box<dyn Smoother>> {
    let n = earlier[0].len();
    let energy: f64 = earlier.iter().map(|f| reduce::dot(f, f)).sum();
    let bandwidth = alpha * (energy / reduce::count(n) as f64).sqrt();
    let points = reduce::agree(Points::share_of_columns(earlier))?;
    let kernel = Kernel::new(points, bandwidth);
    Ok(match options.realization {
        Realization::LowRank => Box::new(low_rank::LowRank::new(
            kernel,
            options.regression,
            options.truncation,
            seed,
            progress,
        )?),
        Realization::Sparse { neighbors } => {
            Box::new(sparse::Sparse::new(kernel, options.regression, neighbors, seed, progress)?)
        }
        Realization::Dense => Box::new(dense::Dense::new(kernel, options.regression)?),
    })
}

/// The singular values of the smoother matrix P of coordinates, descending: those above the truncation and
/// some of the others.
///
/// ```
/// use nrdr::{SmootherOptions, smoother::singular_values};
///
/// let line: Vec<f64> = (0..300).map(f64::from).collect();
/// let values = singular_values(&[&line], 0.3, &SmootherOptions::default(), 0)?;
/// let smallest = values[values.len() - 1];
/// assert!((values[0] - 1.0).abs() < 0.1 && smallest < 0.01);
/// # Ok::<(), nrdr::Error>(())
/// ```
pub fn singular_values(
    coordinates: &[&[f64]],
    alpha: f64,
    options: &SmootherOptions,
    seed: u64,
) -> Result<Vec<f64>> {
    let points = coordinates.first().map_or(0, |first| first.len());
    if points < 2 {
        return Err(Error::TooFewPoints { points, needed: 2 });
    }
    SmootherOptions { alpha: alpha.into(), ..options.clone() }.check()?;
    let watch = Watch::new(None);
    let kept = watch.stage(Stage::Coordinates, |progress| {
        smoother(coordinates, alpha, options, seed, progress)?
            .singular_vectors(None, options.truncation)
    })?;
    Ok(kept.singular_values)
}

/// Singular values from the eigenvalues of a Gram matrix, which rounding may make negative.
fn roots_of(squares: &[f64]) -> Vec<f64> {
    squares.iter().map(|value| value.max(0.0).sqrt()).collect()
}

/// How many singular values are above the truncation.
fn rank(singular_values: &[f64], truncation: f64) -> usize {
    let least = truncation * singular_values.first().copied().unwrap_or(0.0);
    singular_values.iter().take_while(|&&value| value > least).count()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use rand_distr::{Distribution, StandardNormal};

    use faer::MatRef;

    use super::*;
    use crate::linalg::small::eigen_descending;
    use crate::linalg::tall::{inner, subtract_product};
    use crate::linalg::vector::norm;

    /// Coordinates of unit length.
    fn coordinates(n: usize, dims: usize) -> Vec<Vec<f64>> {
        let mut random = ChaCha8Rng::seed_from_u64(dims as u64);
        let column = |_: usize| {
            let values: Vec<f64> = (0..n).map(|_| StandardNormal.sample(&mut random)).collect();
            let length = norm(&values);
            values.into_iter().map(|v| v / length).collect()
        };
        (0..dims).map(column).collect()
    }

    fn build(columns: &[Vec<f64>], alpha: f64, options: &SmootherOptions) -> Box<dyn Smoother> {
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let built = Watch::new(None)
            .stage(Stage::Coordinates, |progress| smoother(&columns, alpha, options, 1, progress));
        built.unwrap()
    }

    /// The sine of the largest angle between the span of `inside` and that of `outside`.
    fn largest_sine(inside: MatRef<'_, f64>, outside: MatRef<'_, f64>) -> f64 {
        let mut rest = inside.to_owned();
        let parts = inner(outside, inside);
        subtract_product(rest.as_mut(), outside, parts.as_ref());
        let gram = inner(rest.as_ref(), rest.as_ref());
        eigen_descending(gram.as_ref()).unwrap().0[0].max(0.0).sqrt()
    }

    /// The kept vectors whose singular values are above the truncation by more than a tenth: those
    /// at the border may be kept by one representation and not by another.
    fn clearly_kept(kept: &SingularVectors, truncation: f64) -> MatRef<'_, f64> {
        let count = rank(&kept.singular_values, 1.1 * truncation);
        kept.vectors.as_ref().subcols(0, count)
    }

    #[test]
    fn low_rank_and_sparse_smoothers_keep_what_the_dense_one_keeps() {
        let n = 600;
        let scale: Vec<f64> = (0..n).map(|i| 1.0 + 0.5 * (i as f64).sin()).collect();
        for (dims, alpha) in [(1, 0.3), (2, 0.3), (5, 0.5), (10, 0.8)] {
            let columns = coordinates(n, dims);
            for regression in [Regression::NadarayaWatson, Regression::LocallyLinear] {
                let with = |realization| {
                    let options = SmootherOptions { regression, realization, ..Default::default() };
                    let kept = build(&columns, alpha, &options)
                        .singular_vectors(Some(&scale), options.truncation);
                    kept.unwrap()
                };
                let truncation = SmootherOptions::default().truncation;
                let dense = with(Realization::Dense);
                for realization in [Realization::LowRank, Realization::Sparse { neighbors: n - 1 }]
                {
                    let other = with(realization);
                    let ranks = (dense.vectors.ncols(), other.vectors.ncols());
                    let sine =
                        largest_sine(clearly_kept(&dense, truncation), other.vectors.as_ref()).max(
                            largest_sine(clearly_kept(&other, truncation), dense.vectors.as_ref()),
                        );
                    let name = format!("{dims} dimensions, {regression:?}, {realization:?}");
                    println!("{name}: ranks {ranks:?}, sine {sine:.4}");
                    let far = ranks.0.abs_diff(ranks.1) as f64;
                    assert!(far <= (0.02 * ranks.0 as f64).max(0.5), "{name}: {ranks:?}");
                    assert!(sine < 0.02, "{name}: {sine}");
                }
            }
        }
    }
}
