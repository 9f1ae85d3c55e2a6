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

/// Squared Euclidean distance in single precision.
#[inline(always)]
pub(crate) fn squared_difference(a: &[f32], b: &[f32]) -> f32 {
    single_lanes(a, b, |x, y| (x - y) * (x - y))
}

/// Inner product in single precision.
#[inline(always)]
pub(crate) fn single_dot(a: &[f32], b: &[f32]) -> f32 {
    single_lanes(a, b, |x, y| x * y)
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

/// e^x to within 1e-8 of itself for -700 < x <= 0, and zero below: eight additions and multiplications that wide registers do together.
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    /// Added, it leaves a number rounded to a whole one in the last bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    /// (ln 2)^k / k!
    const TERMS: [f64; 8] = [
        1.0,
        std::f64::consts::LN_2,
        0.240_226_506_959_100_7,
        0.055_504_108_664_821_58,
        0.009_618_129_107_628_477,
        0.001_333_355_814_642_844_2,
        0.000_154_035_303_933_816_1,
        0.000_015_252_733_804_059_84,
    ];
    // 2^(whole + part), |part| <= 1/2.
    let power = x.max(-700.0) * std::f64::consts::LOG2_E;
    let whole = power + ROUND;
    let part = power - (whole - ROUND);
    let fraction = TERMS.iter().rev().fold(0.0, |sum, term| sum * part + term);
    let value = f64::from_bits(fraction.to_bits().wrapping_add(whole.to_bits() << 52));
    if x > -700.0 { value } else { 0.0 }
}

/// Sums `f` over pairs in eight interleaved partial sums: wide registers, and always the same order.
#[inline(always)]
pub(crate) fn lanes(a: &[f64], b: &[f64], f: impl Fn(f64, f64) -> f64) -> f64 {
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

/// The same in single precision.
#[inline(always)]
fn single_lanes(a: &[f32], b: &[f32], f: impl Fn(f32, f32) -> f32) -> f32 {
    const LANES: usize = 16;
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums = [0.0; LANES];
    for (x, y) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] += f(x[lane], y[lane]);
        }
    }
    let rest = a_rest.iter().zip(b_rest).map(|(&x, &y)| f(x, y)).sum::<f32>();
    sums.iter().sum::<f32>() + rest
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

#[cfg(test)]
mod tests {
    use super::exp;

    #[test]
    fn exp_has_eight_digits() {
        for i in 0..200_000 {
            let x = -0.003_7 * f64::from(i);
            let (found, expected) = (exp(x), if x > -700.0 { x.exp() } else { 0.0 });
            assert!((found - expected).abs() <= 1e-8 * expected, "{x}: {found} {expected}");
        }
        assert_eq!((exp(0.0), exp(f64::NEG_INFINITY), exp(-1e300)), (1.0, 0.0, 0.0));
    }
}
