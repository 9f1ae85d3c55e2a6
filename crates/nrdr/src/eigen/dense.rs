//! The oracle: all eigenvalues of the projected matrix.

use std::sync::Arc;

use faer::Mat;

use super::{Pair, Request, Solver, check_residual, quotient_and_residual};
use crate::error::{Error, Result};
use crate::linalg::small::eigen_descending;
use crate::linalg::tall::{inner, product, subtract_product};
use crate::problem::Problem;
use crate::progress::Progress;

/// With more points than this the dense solver is refused.
const MOST_POINTS: usize = 6000;

pub(super) struct Dense {
    problem: Arc<Problem>,
    matrix: Mat<f64>,
    /// The largest absolute row sum, an upper bound of all eigenvalues.
    norm: f64,
}

impl Dense {
    pub(super) fn new(problem: &Arc<Problem>) -> Result<Self> {
        let n = problem.size();
        if n > MOST_POINTS {
            return Err(Error::Solver {
                solver: "dense",
                reason: format!("{n} points are more than {MOST_POINTS}: choose another solver"),
            });
        }
        let operator = problem.matrix.operator();
        let mut matrix = Mat::zeros(n, n);
        let mut unit = vec![0.0; n];
        for j in 0..n {
            unit[j] = 1.0;
            operator.apply(&unit, matrix.col_as_slice_mut(j));
            unit[j] = 0.0;
        }
        let row_sum = |i: usize| matrix.row(i).iter().map(|v: &f64| v.abs()).sum::<f64>();
        let norm = (0..n).map(row_sum).fold(f64::MIN_POSITIVE, f64::max);
        Ok(Dense { problem: problem.clone(), matrix, norm })
    }
}

impl Solver for Dense {
    fn name(&self) -> &'static str {
        "dense"
    }

    fn solve(&self, request: &Request<'_>, progress: &Progress<'_>) -> Result<Vec<Pair>> {
        request.check_room()?;
        let Request { constraint, count, tolerance, .. } = *request;
        progress.report(0.1)?;
        let sign = self.problem.end.sign();
        // B = (I - VV') A (I - VV'), with V moved to the far end of the spectrum.
        let v = constraint.basis();
        let av = product(self.matrix.as_ref(), v);
        let vav = inner(v, av.as_ref());
        let far = |i, j| if i == j { sign * 2.0 * self.norm } else { 0.0 };
        let moved = Mat::from_fn(v.ncols(), v.ncols(), |i, j| far(i, j) - vav[(i, j)]);
        let mut projected = self.matrix.clone();
        subtract_product(projected.as_mut(), v, av.transpose());
        subtract_product(projected.as_mut(), av.as_ref(), v.transpose());
        subtract_product(projected.as_mut(), product(v, moved.as_ref()).as_ref(), v.transpose());
        projected *= faer::Scale(sign);
        let (_, vectors) = eigen_descending(projected.as_ref())?;
        let pair = |j: usize| {
            let mut vector = vectors.as_ref().subcols(j, 1).to_owned();
            constraint.project(vector.as_mut());
            let vector = vector.col_as_slice(0).to_vec();
            let operator = self.problem.matrix.operator();
            let (value, residual) = quotient_and_residual(operator, constraint, &vector);
            let residual = residual / self.norm;
            check_residual(j, residual, tolerance, 1)?;
            Ok(Pair { value, vector, residual, angle: 0.0, iterations: 1, missed: None })
        };
        (0..count).map(pair).collect()
    }
}
