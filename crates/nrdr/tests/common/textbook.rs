//! An engine made of what the crate exports: the textbook's Lanczos iteration, every vector kept and made orthogonal to all
//! others.

use std::sync::Arc;

use faer::{Mat, Side};
use nrdr::eigen::{Pair, Request, quotient_and_residual};
use nrdr::{End, Engine, Error, Problem, Progress, Result, Solver, SolverOptions};

/// More vectors are not kept.
const MOST: usize = 400;

/// Makes solvers by the textbook.
pub(crate) struct Textbook;

impl Engine for Textbook {
    fn prepare(
        &self,
        problem: &Arc<Problem>,
        _options: &SolverOptions,
        _progress: &Progress<'_>,
    ) -> Result<Box<dyn Solver>> {
        Ok(Box::new(Lanczos { problem: problem.clone() }))
    }
}

struct Lanczos {
    problem: Arc<Problem>,
}

impl Lanczos {
    /// A x, with the sign that makes the wanted eigenvalues the largest.
    fn apply(&self, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; x.len()];
        self.problem.matrix.operator().apply(x, &mut y);
        if self.problem.end == End::Smallest {
            y.iter_mut().for_each(|v| *v = -*v);
        }
        y
    }

    /// An orthonormal basis of the Krylov space in the complement of the constraint, and the images of its vectors.
    fn space(&self, request: &Request<'_>, progress: &Progress<'_>) -> Result<[Vec<Vec<f64>>; 2]> {
        let n = request.constraint.size();
        let room = (n - request.constraint.rank()).min(MOST);
        let (mut basis, mut images): (Vec<Vec<f64>>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
        let mut next = scattered(n, request.seed);
        while basis.len() < room {
            for _ in 0..2 {
                request.constraint.project_vector(&mut next);
                for known in &basis {
                    let part = dot(known, &next);
                    next.iter_mut().zip(known).for_each(|(v, k)| *v -= part * k);
                }
            }
            let length = dot(&next, &next).sqrt();
            if length < 1e-12 {
                // Nothing new this way: another one.
                next = scattered(n, request.seed + basis.len() as u64 + 1);
                continue;
            }
            next.iter_mut().for_each(|v| *v /= length);
            let image = self.apply(&next);
            basis.push(std::mem::replace(&mut next, image.clone()));
            images.push(image);
            progress.report(basis.len() as f64 / room as f64)?;
        }
        Ok([basis, images])
    }
}

impl Solver for Lanczos {
    fn name(&self) -> &'static str {
        "textbook"
    }

    fn solve(&self, request: &Request<'_>, progress: &Progress<'_>) -> Result<Vec<Pair>> {
        request.check_room()?;
        let [basis, images] = self.space(request, progress)?;
        let m = basis.len();
        let projected = Mat::from_fn(m, m, |i, j| dot(&basis[i], &images[j]));
        let failed = |_| Error::Solver { solver: "textbook", reason: "no eigenvalues".into() };
        let ritz = projected.self_adjoint_eigen(Side::Lower).map_err(failed)?;
        let norm = self.problem.matrix.norm().unwrap_or(1.0);
        let pair = |at: usize| {
            let weights = ritz.U().col(m - 1 - at);
            let mut vector = vec![0.0; request.constraint.size()];
            for (known, weight) in basis.iter().zip(weights.iter()) {
                vector.iter_mut().zip(known).for_each(|(v, k)| *v += weight * k);
            }
            let operator = self.problem.matrix.operator();
            let (value, residual) = quotient_and_residual(operator, request.constraint, &vector);
            let (residual, tolerance) = (residual / norm, request.tolerance);
            if residual > tolerance {
                let (coordinate, iterations) = (at + 1, m);
                return Err(Error::NotConverged { coordinate, residual, tolerance, iterations });
            }
            Ok(Pair { value, vector, residual, angle: 0.0, iterations: m, missed: None })
        };
        (0..request.count).map(pair).collect()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Numbers that follow no pattern of the data.
fn scattered(n: usize, seed: u64) -> Vec<f64> {
    let number = |i: usize| 43758.5453 * (12.9898 * i as f64 + 78.233 * (seed as f64 + 1.0)).sin();
    (0..n).map(|i| number(i).fract()).collect()
}
