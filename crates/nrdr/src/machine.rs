//! What there is to compute with, and how fast it is: numbers of one machine to hold beside those of another.

use std::time::{Duration, Instant};

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use serde::Serialize;

use crate::datasets::SwissRoll;
use crate::error::Result;
use crate::input::Options;
use crate::linalg::vector::wide;
use crate::memory;
pub use crate::memory::Memory;
use crate::method::each::LaplacianEigenmaps;
use crate::pipeline::embed;

/// Rows and columns of the matrices that are multiplied,
const SIZE: usize = 768;
/// again and again for so long.
const LONG: Duration = Duration::from_millis(600);
/// Points that are embedded.
const POINTS: usize = 2000;

/// What a run can take.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Machine {
    /// Cores that this process may use.
    pub cores: usize,
    /// Threads that work shares which has none of its own.
    pub threads: usize,
    /// Instructions that work on several numbers at once: those that are used.
    pub simd: &'static str,
    /// Memory, where the system tells, in bytes.
    pub memory: Memory,
}

/// How fast that is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Speed {
    /// Operations of a product of dense matrices in a second, in units of 10^9.
    pub gigaflops: f64,
    /// Rows and columns of these matrices.
    pub size: usize,
    /// Seconds of an embedding: Laplacian eigenmaps of a Swiss roll, with the default options.
    pub embedding_seconds: f64,
    /// Points of the roll.
    pub points: usize,
}

impl Machine {
    /// This one.
    pub fn here() -> Self {
        Machine {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            threads: rayon::current_num_threads(),
            simd: simd(),
            memory: memory::told(),
        }
    }
}

impl Speed {
    /// Measures it, in about two seconds.
    pub fn measure() -> Result<Self> {
        let roll = SwissRoll { n: POINTS, ..Default::default() }.generate(0)?;
        let method = LaplacianEigenmaps::default();
        let seconds = || -> Result<f64> {
            let start = Instant::now();
            embed(&roll.points, &method, &Options::default())?;
            Ok(start.elapsed().as_secs_f64())
        };
        // The first one also wakes the threads up.
        let embedding_seconds = seconds()?.min(seconds()?);
        Ok(Speed { gigaflops: gigaflops(), size: SIZE, embedding_seconds, points: POINTS })
    }
}

/// The best of several products.
fn gigaflops() -> f64 {
    let entry = |i: usize, j: usize| ((i * 31 + j * 17) % 101) as f64 / 101.0;
    let (a, b) = (Mat::from_fn(SIZE, SIZE, entry), Mat::from_fn(SIZE, SIZE, entry));
    let mut product = Mat::zeros(SIZE, SIZE);
    let (begun, mut least) = (Instant::now(), f64::INFINITY);
    while begun.elapsed() < LONG {
        let start = Instant::now();
        let (a, b) = (a.as_ref(), b.as_ref());
        wide(|| matmul(product.as_mut(), Accum::Replace, a, b, 1.0, Par::rayon(0)));
        least = least.min(start.elapsed().as_secs_f64());
    }
    std::hint::black_box(&product);
    2.0 * (SIZE as f64).powi(3) / least.max(1e-9) / 1e9
}

fn simd() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    let name = match pulp::Arch::new() {
        pulp::Arch::Scalar => "SSE2",
        _ => "AVX2 and FMA",
    };
    #[cfg(target_arch = "aarch64")]
    let name = "NEON";
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let name = "none";
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_something_to_compute_with() {
        let machine = Machine::here();
        assert!(machine.cores >= 1 && machine.threads >= 1);
        if cfg!(target_os = "linux") {
            let Memory { total, available, run, .. } = machine.memory;
            assert!(total.unwrap() > 0 && available.unwrap() > run.unwrap());
        }
    }

    #[test]
    fn it_has_a_speed() {
        let speed = Speed::measure().unwrap();
        assert!(speed.gigaflops > 0.01 && speed.gigaflops < 1e5, "{speed:?}");
        assert!(speed.embedding_seconds > 0.0 && speed.points == POINTS);
    }
}
