//! A support vector machine with a cubic kernel, trained by libsvm's algorithm.

use std::ops::Range;

use libsvm_rs::predict::predict;
use libsvm_rs::train::svm_train;
use libsvm_rs::{
    KernelType, SvmModel, SvmNode, SvmParameter, SvmProblem, SvmType, check_parameter, set_quiet,
};

use crate::failure::Failure;

/// Which points the machine learns from, is tuned on, and is tested on.
#[derive(Clone)]
pub(super) struct Split {
    pub(super) train: Range<usize>,
    pub(super) tune: Range<usize>,
    pub(super) test: Range<usize>,
}

/// How soft the margin is, and the scale of the kernel (gamma x.y + 1)^3.
#[derive(Clone, Copy)]
pub(super) struct Machine {
    pub(super) c: f64,
    pub(super) gamma: f64,
}

/// Percent of the points that are told wrongly.
#[derive(Clone, Copy)]
pub(super) struct Errors {
    pub(super) tune: f64,
    pub(super) test: f64,
}

/// Trains a machine to tell the labels of points by their coordinates, which are scaled to unit variance.
pub(super) fn errors(
    coordinates: &[&[f64]],
    labels: &[f64],
    split: &Split,
    machine: Machine,
) -> Result<Errors, Failure> {
    let scale = (labels.len() as f64).sqrt();
    let node = |(j, column): (usize, &&[f64]), i: usize| SvmNode {
        index: j as i32 + 1,
        value: scale * column[i],
    };
    let row = |i: usize| -> Vec<SvmNode> {
        coordinates.iter().enumerate().map(|column| node(column, i)).collect()
    };
    let problem = SvmProblem {
        labels: labels[split.train.clone()].to_vec(),
        instances: split.train.clone().map(row).collect(),
    };
    let model = train(&problem, machine)?;
    let percent = |points: &Range<usize>| {
        let wrong = points.clone().filter(|&i| predict(&model, &row(i)) != labels[i]).count();
        100.0 * wrong as f64 / points.len() as f64
    };
    Ok(Errors { tune: percent(&split.tune), test: percent(&split.test) })
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
        let machine = Machine { c: 10.0, gamma: 0.2 };
        let both = errors(&[&x, &y], &labels, &split, machine).unwrap();
        assert!(both.tune < 10.0 && both.test < 10.0, "{} {}", both.tune, both.test);
        let one = errors(&[&x], &labels, &split, machine).unwrap();
        assert!(one.test > 30.0, "{}", one.test);
    }

    #[test]
    fn points_of_one_class_are_told() {
        let labels = [1.0; 4];
        let split = Split { train: 0..2, tune: 2..3, test: 3..4 };
        let found =
            errors(&[&[0.1, 0.2, 0.3, 0.4]], &labels, &split, Machine { c: 1.0, gamma: 0.1 });
        assert_eq!(found.unwrap().test, 0.0);
    }
}
