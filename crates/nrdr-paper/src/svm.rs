//! A support vector machine with a cubic kernel, trained by libsvm's algorithm.

use std::ops::Range;

use libsvm_rs::predict::predict;
use libsvm_rs::train::svm_train;
use libsvm_rs::{
    KernelType, SvmModel, SvmNode, SvmParameter, SvmProblem, SvmType, check_parameter, set_quiet,
};
use nrdr_cli::shared::Failure;

/// Which points the machine learns from, is tuned on, and is tested on.
#[derive(Clone)]
pub(super) struct Split {
    pub(super) train: Range<usize>,
    pub(super) tune: Range<usize>,
    pub(super) test: Range<usize>,
}

/// How soft the margin is, the scale of the kernel (gamma x.y + 1)^3, and that of the coordinates.
#[derive(Clone, Copy)]
pub(super) struct Machine {
    pub(super) c: f64,
    pub(super) gamma: f64,
    pub(super) scaling: Scaling,
}

/// How coordinates are made comparable.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Scaling {
    /// Each has variance 1.
    Variance,
    /// Each runs from -1 to 1, as libsvm's authors recommend.
    Range,
}

impl Scaling {
    /// What is subtracted from a coordinate of unit length, and what it is multiplied by then.
    fn of(self, column: &[f64]) -> (f64, f64) {
        let least = column.iter().copied().fold(f64::INFINITY, f64::min);
        let most = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        match self {
            Scaling::Variance => (0.0, (column.len() as f64).sqrt()),
            Scaling::Range => (0.5 * (least + most), 2.0 / (most - least).max(f64::MIN_POSITIVE)),
        }
    }

    /// In a word.
    pub(super) fn name(self) -> &'static str {
        match self {
            Scaling::Variance => "variance",
            Scaling::Range => "range",
        }
    }
}

/// A machine that has learned to tell the labels of points by their coordinates.
pub(super) struct Trained<'t> {
    model: SvmModel,
    rows: Samples<'t>,
    labels: &'t [f64],
}

/// Trains a machine.
pub(super) fn trained<'t>(
    coordinates: &[&'t [f64]],
    labels: &'t [f64],
    split: &Split,
    machine: Machine,
) -> Result<Trained<'t>, Failure> {
    let scaled = |&column: &&'t [f64]| (column, machine.scaling.of(column));
    let rows = Samples(coordinates.iter().map(scaled).collect());
    let problem = SvmProblem {
        labels: labels[split.train.clone()].to_vec(),
        instances: split.train.clone().map(|i| rows.row(i)).collect(),
    };
    Ok(Trained { model: train(&problem, machine)?, rows, labels })
}

impl Trained<'_> {
    /// Percent of the points that are told wrongly.
    pub(super) fn errors(&self, points: &Range<usize>) -> f64 {
        let told = |i: usize| predict(&self.model, &self.rows.row(i));
        let wrong = points.clone().filter(|&i| told(i) != self.labels[i]).count();
        100.0 * wrong as f64 / points.len() as f64
    }
}

/// Coordinates, and how each is scaled.
struct Samples<'t>(Vec<(&'t [f64], (f64, f64))>);

impl Samples<'_> {
    fn row(&self, i: usize) -> Vec<SvmNode> {
        let node = |(j, (column, (origin, scale))): (usize, &(&[f64], (f64, f64)))| SvmNode {
            index: j as i32 + 1,
            value: (column[i] - origin) * scale,
        };
        self.0.iter().enumerate().map(node).collect()
    }
}

fn train(problem: &SvmProblem, machine: Machine) -> Result<SvmModel, Failure> {
    let parameters = SvmParameter {
        svm_type: SvmType::CSvc,
        kernel_type: KernelType::Polynomial,
        degree: 3,
        coef0: 1.0,
        gamma: machine.gamma,
        c: machine.c,
        ..Default::default()
    };
    check_parameter(problem, &parameters).map_err(|reason| {
        Failure::Usage(format!("the support vector machine cannot be trained: {reason}"))
    })?;
    set_quiet(true);
    Ok(svm_train(problem, &parameters))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two classes, each two opposite quadrants of a disc: one coordinate tells nothing, and of two a cubic kernel tells all
    /// but what is near an axis.
    #[test]
    fn a_cubic_kernel_tells_quadrants() {
        let n = 600;
        let angle = |i: usize| (i * 7919 % 997) as f64 / 997.0 * std::f64::consts::TAU;
        let radius = |i: usize| (0.2 + (i * 31 % 89) as f64 / 89.0) / 20.0;
        let x: Vec<f64> = (0..n).map(|i| radius(i) * angle(i).cos()).collect();
        let y: Vec<f64> = (0..n).map(|i| radius(i) * angle(i).sin()).collect();
        let labels: Vec<f64> = (0..n).map(|i| (x[i] * y[i]).signum()).collect();
        let split = Split { train: 0..400, tune: 400..500, test: 500..600 };
        for scaling in [Scaling::Variance, Scaling::Range] {
            let machine = Machine { c: 10.0, gamma: 0.2, scaling };
            let both = trained(&[&x, &y], &labels, &split, machine).unwrap();
            let (tune, test) = (both.errors(&split.tune), both.errors(&split.test));
            assert!(tune < 10.0 && test < 10.0, "{tune} {test}");
            let one = trained(&[&x], &labels, &split, machine).unwrap();
            assert!(one.errors(&split.test) > 30.0, "{}", one.errors(&split.test));
        }
    }

    #[test]
    fn coordinates_run_from_minus_one_to_one() {
        let column = [-0.1, 0.2, 0.5];
        let (origin, scale) = Scaling::Range.of(&column);
        let scaled = column.map(|value| (value - origin) * scale);
        scaled.iter().zip([-1.0, 0.0, 1.0]).for_each(|(a, b)| assert!((a - b).abs() < 1e-12));
    }

    #[test]
    fn points_of_one_class_are_told() {
        let labels = [1.0; 4];
        let split = Split { train: 0..2, tune: 2..3, test: 3..4 };
        let machine = Machine { c: 1.0, gamma: 0.1, scaling: Scaling::Variance };
        let found = trained(&[&[0.1, 0.2, 0.3, 0.4]], &labels, &split, machine);
        assert_eq!(found.unwrap().errors(&split.test), 0.0);
    }
}
