//! A priced coordinate as a function of any point.
//!
//! With A_p = A - W W' (the price included) and G = [t, g_1 ..] each candidate satisfies A_p g_k = theta_k g_k + G G'A_p g_k.
//! So g = sum_k a_k g_k is A_p u - G G'A_p u with u = sum_k (a_k / theta_k) g_k, and every part of that is known at new
//! points: A u by the method, the earlier coordinates from before, and W W'u by the smoother (or, where W = A V R, as part
//! of A (u - V R W'u)).

use faer::{Mat, MatRef};

use super::price::Charged;
use crate::eigen::{Constraint, Pair};
use crate::error::Result;
use crate::linalg::reduce::norm;
use crate::linalg::tall::{inner, product};
use crate::problem::Problem;
use crate::smoother::{SingularVectors, Smoother};
use crate::strategy::task::Forbidden;

/// No eigenvalue below this share of the first one is divided by.
const LEAST: f64 = 1e-6;

/// What was found, and under which price.
pub(super) struct Combined<'c> {
    pub(super) problem: &'c Problem,
    pub(super) constraint: &'c Constraint,
    pub(super) charged: &'c Charged,
    pub(super) amount: f64,
    pub(super) pairs: &'c [Pair],
    pub(super) weights: &'c [f64],
}

impl Combined<'_> {
    pub(super) fn forbidden(
        &self,
        smoother: &dyn Smoother,
        kept: &SingularVectors,
    ) -> Result<Forbidden> {
        let Combined { problem, constraint, charged, amount, pairs, weights } = *self;
        let n = problem.size();
        let least = LEAST * pairs[0].value.abs();
        let mut source = vec![0.0; n];
        for (pair, weight) in pairs.iter().zip(weights) {
            let theta = pair.value.abs().max(least).copysign(pair.value);
            let part = weight / theta;
            source.iter_mut().zip(&pair.vector).for_each(|(u, g)| *u += part * g);
        }
        let column = |values: &[f64]| Mat::from_fn(n, 1, |i, _| values[i]);
        let paid = inner(charged.price.columns(), column(&source).as_ref());
        // What is left of A_p u once A is applied to the source.
        let mut predictor = None;
        let mut rest = Mat::zeros(n, 1);
        match &charged.directions {
            Some(directions) => {
                let turned = product(directions.as_ref(), paid.as_ref());
                source.iter_mut().zip(turned.col_as_slice(0)).for_each(|(u, v)| *u -= v);
            }
            None => {
                // W = amount^1/2 V
                let root = amount.sqrt();
                let parts: Vec<f64> = paid.col_as_slice(0).iter().map(|part| root * part).collect();
                rest = product(charged.price.columns(), paid.as_ref());
                predictor = Some(smoother.extend(kept, problem.scale.as_deref(), &parts)?);
            }
        }
        let mut image = Mat::zeros(n, 1);
        problem.matrix.operator().apply(&source, image.col_as_slice_mut(0));
        image -= &rest;
        let taken = inner(constraint.basis(), image.as_ref());
        let (constant, linear) = split(problem, taken.as_ref());
        Ok(Forbidden { constant, predictor, linear, source: Some(source) })
    }
}

/// G'A_p u: the part of t, and those of the earlier coordinates.
fn split(problem: &Problem, taken: MatRef<'_, f64>) -> (f64, Vec<f64>) {
    let parts = (0..taken.nrows()).map(|i| taken[(i, 0)]);
    match &problem.trivial {
        Some(t) => {
            let mut parts = parts;
            let first = parts.next().unwrap_or(0.0);
            (first / norm(t), parts.collect())
        }
        None => (0.0, parts.collect()),
    }
}
