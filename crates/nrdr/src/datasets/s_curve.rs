//! A sheet bent like the letter S.

use std::f64::consts::PI;

use rand::RngExt;

use super::{Dataset, check_positive, generate};
use crate::error::Result;

/// (sin t, y, sign(t) (cos t - 1)) with t uniform in [-1.5 pi, 1.5 pi] and y in [0, height].
#[derive(Clone, Debug, PartialEq)]
pub struct SCurve {
    /// Number of points.
    pub n: usize,
    /// Width of the sheet; its bent side is 3 pi long.
    pub height: f64,
    /// Standard deviation of the Gaussian noise added to each value.
    pub noise: f64,
}

impl Default for SCurve {
    fn default() -> Self {
        SCurve { n: 1000, height: 2.0, noise: 0.0 }
    }
}

impl SCurve {
    /// The points with their angle t and height y.
    pub fn generate(&self, seed: u64) -> Result<Dataset> {
        check_positive("height", self.height)?;
        generate(self.n, self.noise, seed, ["t", "height"], |random| {
            let t: f64 = 3.0 * PI * (random.random::<f64>() - 0.5);
            let y = self.height * random.random::<f64>();
            ([t.sin(), y, t.signum() * (t.cos() - 1.0)], [t, y])
        })
    }
}
