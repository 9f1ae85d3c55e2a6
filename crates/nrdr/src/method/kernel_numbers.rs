//! What a point is given by where kernel PCA is of low rank: its own numbers, or its kernel with some training points. New points
//! are extended by these.

use std::ops::Range;

use faer::Mat;

use super::Fit;
use super::kpca::{Kernel, KernelPca};
use crate::error::{Error, Result};
use crate::extend::{Arrays, Extend, Lookup, New, Tied, Training, Weigh, check_part};
use crate::linalg::Matrix;
use crate::linalg::low_rank::Rows;
use crate::linalg::vector::norm;
use crate::points::Points;

/// Points of more columns than this are not taken for a factor themselves.
const NARROW: usize = 2048;

/// Whether a kernel is the inner product of as many numbers as a point has.
pub(super) fn is_explicit(kernel: Kernel, columns: usize) -> bool {
    matches!(kernel, Kernel::Linear | Kernel::Cosine) && columns <= NARROW
}

/// The numbers that a point is given by.
#[derive(Clone, Debug)]
pub(super) enum Numbers {
    /// Its own, seen from here.
    From(Vec<f64>),
    /// Its own, divided by its length.
    Direction,
    /// Its kernel with these training points.
    Kernel(Vec<u32>),
}

impl Numbers {
    pub(super) fn of(kpca: &KernelPca, points: &Points) -> Self {
        kpca.origin(points).map_or(Numbers::Direction, Numbers::From)
    }
}

/// Points that are a factor themselves.
pub(super) struct Own<'k> {
    pub(super) numbers: Numbers,
    pub(super) points: &'k Points,
}

impl Rows for Own<'_> {
    fn len(&self) -> usize {
        self.points.rows()
    }

    fn width(&self) -> usize {
        self.points.columns()
    }

    fn piece(&self, rows: Range<usize>) -> Mat<f64> {
        let mut piece = Mat::zeros(self.width(), rows.len());
        for (i, row) in rows.enumerate() {
            let into = piece.col_as_slice_mut(i);
            into.copy_from_slice(self.points.row(row));
            own_numbers(&self.numbers, into);
        }
        piece.transpose().to_owned()
    }
}

/// Turns a point into its numbers, where they are its own.
fn own_numbers(numbers: &Numbers, point: &mut [f64]) {
    match numbers {
        Numbers::From(origin) => point.iter_mut().zip(origin).for_each(|(x, o)| *x -= o),
        Numbers::Direction => {
            let length = norm(point);
            // A point at the origin has no direction: it is like no other.
            point.iter_mut().for_each(|x| *x = if length > 0.0 { *x / length } else { 0.0 });
        }
        Numbers::Kernel(_) => {}
    }
}

/// The extension: by the numbers that a new point is given by.
#[derive(Clone, Debug)]
pub(super) struct ByNumbers {
    kpca: KernelPca,
    numbers: Numbers,
    /// The training points that the kernel is computed with.
    chosen: Option<Points>,
    /// Where the kernel is computed from.
    origin: Option<Vec<f64>>,
    width: usize,
}

impl ByNumbers {
    pub(super) fn of(kpca: &KernelPca, fit: &Fit<'_>) -> Result<Self> {
        let chosen = match &fit.problem.matrix {
            Matrix::LowRank(matrix) => matrix.chosen().to_vec(),
            _ => Vec::new(),
        };
        ByNumbers::new(kpca, fit.training.points()?, chosen)
    }

    pub(super) fn load(kpca: &KernelPca, arrays: &mut Arrays, training: &Training) -> Result<Self> {
        let points = training.points()?;
        let chosen = if is_explicit(kpca.kernel, points.columns()) {
            Vec::new()
        } else {
            arrays.take_indices("pivots")?
        };
        let inside = chosen.iter().all(|&i| (i as usize) < points.rows());
        check_part(inside, "pivots that there are not")?;
        ByNumbers::new(kpca, points, chosen)
    }

    fn new(kpca: &KernelPca, points: &Points, chosen: Vec<u32>) -> Result<Self> {
        let kpca = kpca.clone();
        if is_explicit(kpca.kernel, points.columns()) {
            let numbers = Numbers::of(&kpca, points);
            return Ok(ByNumbers {
                kpca,
                numbers,
                chosen: None,
                origin: None,
                width: points.columns(),
            });
        }
        check_part(!chosen.is_empty(), "no pivots")?;
        let (some, width) = (points.select(&chosen), chosen.len());
        let (origin, numbers) = (kpca.origin(points), Numbers::Kernel(chosen));
        Ok(ByNumbers { kpca, numbers, chosen: Some(some), origin, width })
    }

    fn at(&self, point: &[f64], out: &mut Vec<f64>) {
        match &self.chosen {
            Some(chosen) => {
                out.resize(self.width, 0.0);
                self.kpca.row(point, chosen, self.origin.as_deref(), out);
            }
            None => {
                out.clear();
                out.extend_from_slice(point);
                own_numbers(&self.numbers, out);
            }
        }
    }
}

impl Extend for ByNumbers {
    fn lookup(&self) -> Lookup {
        Lookup::Equal
    }

    fn weigher<'e>(&'e self, _: &'e Training) -> Box<dyn Weigh + 'e> {
        Box::new(Numbering(self))
    }

    fn first_row(&self, training: &Training) -> Option<Vec<f64>> {
        let (points, mut row) = (training.points().ok()?, Vec::new());
        self.at(points.row(0), &mut row);
        Some(row)
    }

    fn width(&self) -> Option<usize> {
        Some(self.width)
    }

    fn save(&self, arrays: &mut Arrays) {
        if let Numbers::Kernel(chosen) = &self.numbers {
            arrays.put_indices("pivots", chosen);
        }
    }
}

struct Numbering<'e>(&'e ByNumbers);

impl Weigh for Numbering<'_> {
    fn weigh(&mut self, new: &New<'_>, weights: &mut Vec<f64>) -> Result<Tied> {
        self.0.at(new.point, weights);
        match weights.iter().find(|weight| !weight.is_finite()) {
            Some(&value) => Err(Error::TooFar { row: new.row, value }),
            None => Ok(Tied::Numbers),
        }
    }
}
