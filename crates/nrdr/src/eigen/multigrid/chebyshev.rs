//! The smoother of a level: a Chebyshev polynomial in D^-1 M that damps the upper part of its spectrum.

use faer::Mat;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;

use super::csr::Csr;
use crate::error::Result;
use crate::linalg::small::eigen_descending;
use crate::linalg::vector::{dot, norm};

/// Degree of the polynomial.
const DEGREE: usize = 4;
/// The spectrum is damped from this share of its largest eigenvalue on; the rest is left to the coarser levels.
const LOWER: f64 = 0.05;
/// Steps of the iteration that tells the largest eigenvalue of D^-1 M,
const STEPS: usize = 12;
/// which comes out a little too small.
const SAFETY: f64 = 1.1;

/// The smoother of one matrix.
pub(super) struct Chebyshev {
    pub(super) inverse_diagonal: Vec<f64>,
    /// The largest eigenvalue of D^-1 M.
    pub(super) largest: f64,
}

impl Chebyshev {
    pub(super) fn new(matrix: &Csr) -> Result<Self> {
        let positive = |d: f64| if d > 0.0 { d.recip() } else { 0.0 };
        let inverse_diagonal: Vec<f64> = matrix.diagonal().into_iter().map(positive).collect();
        let largest = SAFETY * largest(matrix, &inverse_diagonal)?;
        Ok(Chebyshev { inverse_diagonal, largest })
    }

    /// Improves x as a solution of M x = b, where `rest` = b - M x; afterwards `rest` lacks the last step, which is returned.
    pub(super) fn smooth<const W: usize>(
        &self,
        matrix: &Csr,
        x: &mut [f64],
        rest: &mut [f64],
    ) -> Vec<f64> {
        let (top, bottom) = (self.largest, LOWER * self.largest);
        let (centre, radius) = (0.5 * (top + bottom), 0.5 * (top - bottom));
        let sigma = centre / radius;
        let mut rho = sigma.recip();
        let mut step = vec![0.0; x.len()];
        self.update::<W>(&mut step, rest, x, 0.0, centre.recip());
        for _ in 1..DEGREE {
            matrix.subtract_product::<W>(&step, rest);
            let next = (2.0 * sigma - rho).recip();
            self.update::<W>(&mut step, rest, x, next * rho, 2.0 * next / radius);
            rho = next;
        }
        step
    }

    /// step <- a step + b D^-1 rest, and x <- x + step
    fn update<const W: usize>(
        &self,
        step: &mut [f64],
        rest: &[f64],
        x: &mut [f64],
        a: f64,
        b: f64,
    ) {
        const CHUNK: usize = 4096;
        let rows = step.par_chunks_mut(CHUNK * W).zip(rest.par_chunks(CHUNK * W));
        let rows = rows.zip(x.par_chunks_mut(CHUNK * W));
        rows.zip(self.inverse_diagonal.par_chunks(CHUNK)).for_each(|(((step, rest), x), d)| {
            let (step, _) = step.as_chunks_mut::<W>();
            let ((rest, _), (x, _)) = (rest.as_chunks::<W>(), x.as_chunks_mut::<W>());
            for (((step, rest), x), d) in step.iter_mut().zip(rest).zip(x).zip(d) {
                for lane in 0..W {
                    step[lane] = a * step[lane] + b * d * rest[lane];
                    x[lane] += step[lane];
                }
            }
        });
    }
}

/// The largest eigenvalue of D^-1/2 M D^-1/2, by some steps of Lanczos without restart.
fn largest(matrix: &Csr, inverse_diagonal: &[f64]) -> Result<f64> {
    let n = matrix.rows();
    let root: Vec<f64> = inverse_diagonal.iter().map(|d| d.sqrt()).collect();
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let mut vector: Vec<f64> = (0..n).map(|_| StandardNormal.sample(&mut random)).collect();
    let length = norm(&vector);
    vector.iter_mut().for_each(|v| *v /= length);
    let mut before = vec![0.0; n];
    let (mut scaled, mut image) = (vec![0.0; n], vec![0.0; n]);
    let steps = STEPS.min(n);
    let mut projected = Mat::zeros(steps, steps);
    let mut coupling = 0.0;
    for step in 0..steps {
        scaled.iter_mut().zip(&vector).zip(&root).for_each(|((s, v), r)| *s = v * r);
        matrix.multiply::<1>(&scaled, &mut image);
        image.iter_mut().zip(&root).for_each(|(v, r)| *v *= r);
        let along = dot(&image, &vector);
        projected[(step, step)] = along;
        for ((image, vector), before) in image.iter_mut().zip(&vector).zip(&before) {
            *image -= along * vector + coupling * before;
        }
        coupling = norm(&image);
        if step + 1 == steps || !(coupling > 1e-12 * along.abs()) {
            break;
        }
        projected[(step, step + 1)] = coupling;
        projected[(step + 1, step)] = coupling;
        std::mem::swap(&mut before, &mut vector);
        vector.iter_mut().zip(&image).for_each(|(v, image)| *v = image / coupling);
    }
    let (values, _) = eigen_descending(projected.as_ref())?;
    Ok(values.first().copied().unwrap_or(1.0).max(f64::MIN_POSITIVE))
}
