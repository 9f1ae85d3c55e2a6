//! A sheet rolled up in three dimensions.

use std::f64::consts::PI;

use rand::RngExt;

use super::{Dataset, check_positive, generate};
use crate::error::Result;

/// (t cos t, y, t sin t) with t uniform in [1.5 pi, 4.5 pi] and y uniform in [0, height].
#[derive(Clone, Debug, PartialEq)]
pub struct SwissRoll {
    /// Number of points.
    pub n: usize,
    /// Width of the sheet; its rolled-up side is about 90 long.
    pub height: f64,
    /// Standard deviation of the Gaussian noise added to each value.
    pub noise: f64,
    /// Whether the middle ninth of the sheet is cut out.
    pub hole: bool,
}

impl Default for SwissRoll {
    fn default() -> Self {
        SwissRoll { n: 1000, height: 21.0, noise: 0.0, hole: false }
    }
}

impl SwissRoll {
    /// The points with their angle t and height y.
    pub fn generate(&self, seed: u64) -> Result<Dataset> {
        check_positive("height", self.height)?;
        let middle = 1.0 / 3.0..2.0 / 3.0;
        generate(self.n, self.noise, seed, ["t", "height"], |random| {
            let (a, b) = loop {
                let (a, b): (f64, f64) = (random.random(), random.random());
                if !(self.hole && middle.contains(&a) && middle.contains(&b)) {
                    break (a, b);
                }
            };
            let (t, y) = (1.5 * PI * (1.0 + 2.0 * a), self.height * b);
            ([t * t.cos(), y, t * t.sin()], [t, y])
        })
    }
}
