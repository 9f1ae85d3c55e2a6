//! Generated data sets with their true parameters.
//!
//! The same seed gives the same points in every version and, but for the last bits of a machine's
//! sine and cosine, on every machine.

mod cube;
mod s_curve;
mod strip;
mod swiss_roll;
mod torus;

pub use cube::Cube;
pub use s_curve::SCurve;
pub use strip::Strip;
pub use swiss_roll::SwissRoll;
pub use torus::Torus;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

use crate::error::{Error, Result};
use crate::points::Points;

/// Points and the parameters they were made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    /// The points.
    pub points: Points,
    /// The true parameters, a row for each point.
    pub truth: Points,
    /// What each column of `truth` means.
    pub names: Vec<String>,
}

/// Generates `n` points: `sample` turns random numbers into a point and its parameters.
fn generate<const D: usize, const P: usize>(
    n: usize,
    noise: f64,
    seed: u64,
    names: [&'static str; P],
    mut sample: impl FnMut(&mut ChaCha8Rng) -> ([f64; D], [f64; P]),
) -> Result<Dataset> {
    if !(noise >= 0.0 && noise.is_finite()) {
        return Err(Error::parameter("noise", noise, "0 or more"));
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut points = Vec::with_capacity(n * D);
    let mut truth = Vec::with_capacity(n * P);
    for _ in 0..n {
        let (mut point, parameters) = sample(&mut random);
        if noise > 0.0 {
            for value in &mut point {
                *value += noise * random.sample::<f64, _>(StandardNormal);
            }
        }
        points.extend_from_slice(&point);
        truth.extend_from_slice(&parameters);
    }
    Ok(Dataset {
        points: Points::new(points, D)?,
        truth: Points::new(truth, P)?,
        names: names.map(String::from).to_vec(),
    })
}

/// A size that must be positive.
fn check_positive(name: &'static str, value: f64) -> Result<()> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(Error::parameter(name, value, "positive"))
    }
}
