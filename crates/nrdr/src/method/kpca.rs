//! Kernel principal component analysis.
//!
//! B. Schoelkopf, A. Smola and K.-R. Mueller, "Nonlinear component analysis as a kernel eigenvalue
//! problem", Neural Computation 10 (1998).
//!
//! The largest end of H K H with K_ij = k(x_i, x_j) and H = I - 11'/N. Where N x N numbers are too many, K is of low rank
//! (`kernel_low_rank.rs`).

use rayon::prelude::*;

use super::kernel_factor::Wanted;
use super::kernel_low_rank::{self, Sparing};
use super::kernel_numbers::ByNumbers;
use super::{About, Data, Extension, Fit, Method, Needs, dense_fits};
use crate::error::{Error, Result};
use crate::extend::{Arrays, Extend, Lookup, New, Tied, Training, Weigh};
use crate::linalg::{Matrix, SymmetricMatrix};
use crate::linalg::vector::{dot, norm, squared_distance, vectorized};
use crate::memory;
use crate::parameter::{Parameter, Range, Word, Words};
use crate::points::Points;
use crate::problem::{End, Length, Problem};
use crate::progress::Progress;

const ABOUT: About = About {
    name: "kpca",
    title: "Kernel PCA",
    paper: "Schoelkopf, Smola & Mueller 1998",
    class: "KernelPCA",
    needs: Needs::Points,
};

/// The similarity of two points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kernel {
    /// exp(-gamma |x - y|^2)
    #[default]
    Rbf,
    /// (gamma x.y + constant)^degree
    Polynomial,
    /// x.y / (|x| |y|)
    Cosine,
    /// tanh(gamma x.y + constant)
    Sigmoid,
    /// x.y
    Linear,
}

impl Words for Kernel {
    const WORDS: &'static [Word] = &[
        Word::new("rbf", "exp(-gamma |x - y|^2)"),
        Word::new("poly", "(gamma x.y + coef0)^degree").or("polynomial"),
        Word::new("cosine", "x.y / |x| |y|"),
        Word::new("sigmoid", "tanh(gamma x.y + coef0)"),
        Word::new("linear", "x.y"),
    ];
    const VALUES: &'static [Self] =
        &[Kernel::Rbf, Kernel::Polynomial, Kernel::Cosine, Kernel::Sigmoid, Kernel::Linear];
}

/// Kernel principal component analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelPca {
    /// The similarity.
    pub kernel: Kernel,
    /// Scale of the rbf, polynomial and sigmoid kernels; `None` means one over the total variance
    /// of the points, so that the scale of the data does not matter.
    pub gamma: Option<f64>,
    /// The power of the polynomial kernel.
    pub degree: u32,
    /// What the polynomial and sigmoid kernels add to the product.
    pub constant: f64,
    /// How many columns of the kernel matrix the others are made of; `None` means all as long as they fit the memory (up to
    /// 25 000 points), and beyond that as many as the leading coordinates take to settle.
    pub rank: Option<usize>,
}

impl Default for KernelPca {
    fn default() -> Self {
        KernelPca { kernel: Kernel::Rbf, gamma: None, degree: 3, constant: 1.0, rank: None }
    }
}

impl KernelPca {
    /// Where a kernel that is centred anyway is computed from: products of columns far from zero would lose all digits
    /// to their means. Other kernels depend on where zero is, or on distances only.
    pub(super) fn origin(&self, training: &Points) -> Option<Vec<f64>> {
        (self.kernel == Kernel::Linear).then(|| training.means())
    }

    /// The kernel of a point and each of several others, seen from the origin if there is one.
    pub(super) fn row(&self, x: &[f64], others: &Points, origin: Option<&[f64]>, out: &mut [f64]) {
        let gamma = self.gamma.unwrap_or(1.0);
        vectorized(|| {
            for (j, value) in out.iter_mut().enumerate() {
                *value = match origin {
                    Some(origin) => dot_from(origin, x, others.row(j)),
                    None => self.argument(x, others.row(j)),
                };
            }
        });
        out.iter_mut().for_each(|value| *value = self.of_argument(gamma, *value));
    }

    /// The kernel of two points, seen from the origin if there is one.
    pub(super) fn of_pair(&self, x: &[f64], y: &[f64], origin: Option<&[f64]>) -> f64 {
        let argument = origin.map_or_else(|| self.argument(x, y), |origin| dot_from(origin, x, y));
        self.of_argument(self.gamma.unwrap_or(1.0), argument)
    }

    /// The same with the scale that suits the points, where none is given, and the scale if that was chosen.
    pub(super) fn scaled(&self, points: &Points) -> (Self, Option<f64>) {
        let gamma = self.gamma.unwrap_or_else(|| total_variance(points).recip());
        let matters = !matches!(self.kernel, Kernel::Linear | Kernel::Cosine);
        let chosen = (self.gamma.is_none() && matters).then_some(gamma);
        (KernelPca { gamma: Some(gamma), ..self.clone() }, chosen)
    }

    /// The problem of a centred kernel.
    pub(super) fn standard(&self, matrix: impl Into<Matrix>) -> Problem {
        let mut problem = Problem::constant_trivial(matrix, End::Largest);
        problem.length = Length::SquareRoot;
        problem
    }

    /// What the kernel is a function of: the squared distance or the inner product.
    #[inline(always)]
    fn argument(&self, x: &[f64], y: &[f64]) -> f64 {
        match self.kernel {
            Kernel::Rbf => squared_distance(x, y),
            Kernel::Cosine => {
                let lengths = norm(x) * norm(y);
                // A point at the origin has no direction: it is like no other.
                if lengths > 0.0 { dot(x, y) / lengths } else { 0.0 }
            }
            Kernel::Polynomial | Kernel::Sigmoid | Kernel::Linear => dot(x, y),
        }
    }

    fn of_argument(&self, gamma: f64, argument: f64) -> f64 {
        match self.kernel {
            Kernel::Rbf => (-gamma * argument).exp(),
            Kernel::Polynomial => (gamma * argument + self.constant).powi(self.degree as i32),
            Kernel::Sigmoid => (gamma * argument + self.constant).tanh(),
            Kernel::Cosine | Kernel::Linear => argument,
        }
    }
}

impl Method for KernelPca {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let scaled = "scale of the rbf, polynomial and sigmoid kernels";
        vec![
            Parameter::new("kernel", &mut self.kernel, "the kernel"),
            Parameter::new("gamma", &mut self.gamma, scaled)
                .within(Range::POSITIVE)
                .without("1 / total variance")
                .only_with("kernel", &["rbf", "poly", "sigmoid"]),
            Parameter::new("degree", &mut self.degree, "power of the polynomial kernel")
                .within(Range::new(1.0, 1000.0, "from 1 to 1000"))
                .only_with("kernel", &["poly"]),
            Parameter::new("coef0", &mut self.constant, "added by the polynomial and sigmoid kernels")
                .only_with("kernel", &["poly", "sigmoid"]),
            Parameter::new("rank", &mut self.rank, "columns that the kernel matrix is made of")
                .within(Range::FROM_ONE)
                .without("all, or as many as it takes where N x N does not fit"),
        ]
    }

    fn check(&self, points: usize, _neighbors: usize) -> Result<()> {
        match self.rank {
            Some(rank) if rank > points => {
                Err(Error::parameter("rank", rank, format!("at most {points}, the points")))
            }
            _ => Ok(()),
        }
    }

    fn memory(&self, points: usize, _neighbors: usize) -> f64 {
        self.rank.map_or(memory::dense(points), |rank| kernel_low_rank::memory(points, rank))
    }

    fn within(&self, points: usize, _neighbors: usize, bytes: Option<u64>) -> Box<dyn Method> {
        if dense_fits(points, bytes) || self.rank.is_some() {
            return Box::new(self.clone());
        }
        Box::new(Sparing::within(self, points, bytes))
    }

    fn problem(&self, data: Data<'_>, progress: &Progress<'_>) -> Result<Problem> {
        let points = data.points(self)?;
        if let Some(rank) = self.rank {
            return kernel_low_rank::problem(self, points, Wanted::Exactly(rank), progress);
        }
        let n = points.rows();
        let (scaled, chosen) = self.scaled(points);
        let gamma = scaled.gamma.unwrap_or(1.0);
        let centred = self.origin(points).map(|origin| {
            let mut centred = points.clone();
            centred.subtract(&origin);
            centred
        });
        let points = centred.as_ref().unwrap_or(points);
        let row = |i| points.row(i);
        let mut matrix = SymmetricMatrix::from_lower(n, |i, out| {
            // Once the observer has asked to stop, the rest is not worth computing.
            if progress.advance(i + 1, n * (n + 1) / 2).is_err() {
                return;
            }
            vectorized(|| {
                for (j, value) in out.iter_mut().enumerate() {
                    *value = self.argument(row(i), row(j));
                }
            });
            // Not in the loop above: the system's exponential is slow amid wide instructions.
            out.iter_mut().for_each(|value| *value = self.of_argument(gamma, *value));
        })?;
        progress.check()?;
        let broken = |row: &[f64]| row.iter().position(|v| !v.is_finite());
        let rows = matrix.values().par_chunks(n);
        if let Some(row) = rows.position_first(|row| broken(row).is_some()) {
            let column = broken(matrix.row(row)).unwrap_or(0);
            let value = matrix.row(row)[column];
            return Err(Error::Kernel { row, column, value });
        }
        matrix.centre();
        let mut problem = self.standard(matrix);
        problem.chosen.extend(chosen.map(|gamma| ("gamma", gamma)));
        Ok(problem)
    }

    fn extends(&self) -> Result<Extension> {
        Ok(Extension::Formula)
    }

    fn extension(&self, fit: &Fit<'_>) -> Result<Box<dyn Extend>> {
        if self.rank.is_some() {
            return Ok(Box::new(ByNumbers::of(self, fit)?));
        }
        self.load(&mut Arrays::default(), fit.training, fit.problem.size())
    }

    fn load(&self, arrays: &mut Arrays, training: &Training, _: usize) -> Result<Box<dyn Extend>> {
        if self.rank.is_some() {
            return Ok(Box::new(ByNumbers::load(self, arrays, training)?));
        }
        let origin = self.origin(training.points()?);
        Ok(Box::new(KernelRow { method: self.clone(), origin }))
    }
}

/// The extension: by the kernel of the new point and all training points.
#[derive(Clone, Debug)]
struct KernelRow {
    method: KernelPca,
    /// Where the kernel is computed from.
    origin: Option<Vec<f64>>,
}

impl KernelRow {
    fn row(&self, point: &[f64], training: &Points, out: &mut Vec<f64>) {
        out.resize(training.rows(), 0.0);
        self.method.row(point, training, self.origin.as_deref(), out);
    }
}

impl Extend for KernelRow {
    fn lookup(&self) -> Lookup {
        Lookup::Equal
    }

    fn weigher<'e>(&'e self, training: &'e Training) -> Box<dyn Weigh + 'e> {
        Box::new(ByKernel { rows: self, training })
    }

    fn first_row(&self, training: &Training) -> Option<Vec<f64>> {
        let (points, mut row) = (training.points().ok()?, Vec::new());
        self.row(points.row(0), points, &mut row);
        Some(row)
    }
}

struct ByKernel<'e> {
    rows: &'e KernelRow,
    training: &'e Training,
}

impl Weigh for ByKernel<'_> {
    fn weigh(&mut self, new: &New<'_>, weights: &mut Vec<f64>) -> Result<Tied> {
        self.rows.row(new.point, self.training.points()?, weights);
        match weights.iter().find(|weight| !weight.is_finite()) {
            Some(&value) => Err(Error::TooFar { row: new.row, value }),
            None => Ok(Tied::All),
        }
    }
}

/// (x - origin).(y - origin)
#[inline(always)]
fn dot_from(origin: &[f64], x: &[f64], y: &[f64]) -> f64 {
    origin.iter().zip(x).zip(y).map(|((o, x), y)| (x - o) * (y - o)).sum()
}

/// Sum of the variances of the columns.
fn total_variance(points: &Points) -> f64 {
    let means = points.means();
    let distances = (0..points.rows()).map(|i| squared_distance(points.row(i), &means));
    distances.sum::<f64>() / points.rows() as f64
}
