//! The surface of a ring in three dimensions.

use std::f64::consts::TAU;

use rand::RngExt;

use super::{Dataset, check_positive, generate};
use crate::error::{Error, Result};

/// ((R + r cos b) cos a, (R + r cos b) sin a, r sin b), uniform on the surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Torus {
    /// Number of points.
    pub n: usize,
    /// Radius R of the ring.
    pub major: f64,
    /// Radius r of the tube.
    pub minor: f64,
    /// Standard deviation of the Gaussian noise added to each value.
    pub noise: f64,
}

impl Default for Torus {
    fn default() -> Self {
        Torus { n: 1000, major: 10.0, minor: 4.0, noise: 0.0 }
    }
}

impl Torus {
    /// The points with the angle a around the ring and the angle b around the tube.
    pub fn generate(&self, seed: u64) -> Result<Dataset> {
        check_positive("minor", self.minor)?;
        check_positive("major", self.major)?;
        let (ring, tube) = (self.major, self.minor);
        if tube >= ring {
            return Err(Error::parameter("minor", tube, "less than major"));
        }
        generate(self.n, self.noise, seed, ["ring angle", "tube angle"], |random| {
            let a = TAU * random.random::<f64>();
            // The outer side has more surface: accept b in proportion to R + r cos b.
            let b = loop {
                let b = TAU * random.random::<f64>();
                if random.random::<f64>() * (ring + tube) <= ring + tube * b.cos() {
                    break b;
                }
            };
            let radius = ring + tube * b.cos();
            ([radius * a.cos(), radius * a.sin(), tube * b.sin()], [a, b])
        })
    }
}
