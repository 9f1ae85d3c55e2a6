//! Sums over long vectors whose rounding does not depend on the number of threads.

use super::reduce;

/// Squared Euclidean distance. Every neighbour search uses this one, so that they agree to the bit.
#[inline(always)]
pub(crate) fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    lanes(a, b, |x, y| (x - y) * (x - y))
}

/// Inner product.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    lanes(a, b, |x, y| x * y)
}

/// Euclidean norm.
pub(crate) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// y += a x
#[inline(always)]
pub(crate) fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

/// Multiplies every entry.
pub(crate) fn scale(x: &mut [f64], factor: f64) {
    x.iter_mut().for_each(|v| *v *= factor);
}

/// Gives the values mean 0 and, unless all are equal, variance 1; returns what mean and standard deviation were.
pub(crate) fn standardize(values: &mut [f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    values.iter_mut().for_each(|v| *v -= mean);
    let deviation = (values.iter().map(|v| v * v).sum::<f64>() / n).sqrt();
    if deviation > 0.0 {
        values.iter_mut().for_each(|v| *v /= deviation);
    }
    (mean, deviation)
}

/// The sign of the value of largest magnitude among all rows.
pub(crate) fn sign(values: &[f64]) -> f64 {
    let larger = |m: f64, v: f64| if v.abs() > m.abs() { v } else { m };
    reduce::largest(values.iter().copied().fold(0.0, larger)).signum()
}

/// Turns the sign of all values so that the one of largest magnitude is positive.
pub(crate) fn point_up(values: &mut [f64]) {
    scale(values, sign(values));
}

/// Sums `f` over pairs in eight interleaved partial sums: wide registers, and always the same order.
#[inline(always)]
fn lanes(a: &[f64], b: &[f64], f: impl Fn(f64, f64) -> f64) -> f64 {
    const LANES: usize = 8;
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    let mut rest = 0.0;
    for (&x, &y) in a_rest.iter().zip(b_rest) {
        rest += f(x, y);
    }
    if a_chunks.is_empty() {
        return rest;
    }
    let mut sums = [0.0; LANES];
    for (x, y) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            sums[lane] += f(x[lane], y[lane]);
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (b + f)) + ((c + g) + (d + h)) + rest
}

/// Runs `work` compiled for the widest instruction set of this machine.
///
/// Only the speed depends on it: the compiler never reorders or fuses floating-point operations.
#[inline(always)]
pub(crate) fn vectorized<T>(work: impl FnOnce() -> T) -> T {
    struct Work<F>(F);
    impl<T, F: FnOnce() -> T> pulp::NullaryFnOnce for Work<F> {
        type Output = T;
        #[inline(always)]
        fn call(self) -> T {
            (self.0)()
        }
    }
    pulp::Arch::new().dispatch(Work(work))
}

/// Runs a function of faer and clears the wide registers after it.
///
/// faer's matrix products leave the upper halves of registers in use whose lower halves belong to
/// ordinary code, and until they are cleared every ordinary floating-point instruction takes several
/// times as long.
#[inline(always)]
pub(crate) fn wide<T>(work: impl FnOnce() -> T) -> T {
    let result = work();
    vectorized(|| {
        // Something for wide registers to do: what the compiler does after it clears them.
        let lanes = std::hint::black_box([1.0_f64; 8]);
        std::hint::black_box(lanes.map(|lane| lane + lane));
    });
    result
}
