//! A flat rectangle: the manifold whose Laplacian eigenfunctions are known.

use std::f64::consts::PI;

use rand::RngExt;

use super::{Dataset, check_positive, generate};
use crate::error::Result;

/// Uniform points (x, y) in [0, aspect] x [0, 1].
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// Number of points.
    pub n: usize,
    /// Length over width.
    pub aspect: f64,
    /// Standard deviation of the Gaussian noise added to each value.
    pub noise: f64,
}

impl Default for Strip {
    fn default() -> Self {
        Strip { n: 1000, aspect: 2.5, noise: 0.0 }
    }
}

impl Strip {
    /// The points, which are their own parameters.
    pub fn generate(&self, seed: u64) -> Result<Dataset> {
        check_positive("aspect", self.aspect)?;
        generate(self.n, self.noise, seed, ["x", "y"], |random| {
            let point = [self.aspect * random.random::<f64>(), random.random()];
            (point, point)
        })
    }

    /// The first Laplacian eigenfunctions, in the order of their eigenvalues: wave numbers (a, b) of
    /// cos(a pi x / aspect) cos(b pi y), the constant left out.
    pub fn wave_numbers(&self, count: usize) -> Vec<(u32, u32)> {
        let reach = count as u32 + 1;
        let all = (0..=reach).flat_map(|a| (0..=reach).map(move |b| (a, b)));
        let mut all: Vec<(u32, u32)> = all.skip(1).collect();
        let energy =
            |&(a, b): &(u32, u32)| (f64::from(a) / self.aspect).powi(2) + f64::from(b).powi(2);
        all.sort_by(|p, q| energy(p).total_cmp(&energy(q)));
        all.truncate(count);
        all
    }

    /// The eigenfunction with these wave numbers at a point.
    pub fn eigenfunction(&self, (a, b): (u32, u32), point: &[f64]) -> f64 {
        (f64::from(a) * PI * point[0] / self.aspect).cos() * (f64::from(b) * PI * point[1]).cos()
    }
}
