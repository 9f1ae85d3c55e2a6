//! A box of any dimension.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

use super::{Dataset, check_positive};
use crate::error::{Error, Result};
use crate::points::Points;

/// Uniform points in a box with these sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Cube {
    /// Number of points.
    pub n: usize,
    /// Length of each side; as many as dimensions.
    pub sides: Vec<f64>,
    /// Standard deviation of the Gaussian noise added to each value.
    pub noise: f64,
}

impl Default for Cube {
    fn default() -> Self {
        Cube { n: 1000, sides: vec![1.0; 3], noise: 0.0 }
    }
}

impl Cube {
    /// The points; their parameters are the places without noise.
    pub fn generate(&self, seed: u64) -> Result<Dataset> {
        if self.sides.is_empty() {
            return Err(Error::parameter("dimension", 0, "at least 1"));
        }
        for &side in &self.sides {
            check_positive("side", side)?;
        }
        if !(self.noise >= 0.0 && self.noise.is_finite()) {
            return Err(Error::parameter("noise", self.noise, "0 or more"));
        }
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (mut points, mut truth) = (Vec::new(), Vec::new());
        for &side in self.sides.iter().cycle().take(self.n * self.sides.len()) {
            let place = side * random.random::<f64>();
            truth.push(place);
            points.push(place + self.noise * random.sample::<f64, _>(StandardNormal));
        }
        let columns = self.sides.len();
        Ok(Dataset {
            points: Points::new(points, columns)?,
            truth: Points::new(truth, columns)?,
            names: (1..=columns).map(|axis| format!("x{axis}")).collect(),
        })
    }
}
