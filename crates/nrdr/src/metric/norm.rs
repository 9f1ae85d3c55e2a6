//! Norms of differences: what searches compare, which grows with the distance and takes less time.

use crate::linalg::vector::{lanes, squared_distance};

/// Most pairs are told apart by the first few columns.
const PIECE: usize = 64;
/// Sums of many columns are rounded in another order than those of a box: stay below them.
const BELOW: f64 = 1.0 - 1e-12;

/// A norm of differences.
pub(crate) trait Norm: Copy + Send + Sync {
    /// Whether matrix products tell all distances.
    const HAS_PRODUCTS: bool = false;
    /// A tree pays when a query looks at less than this share of the points: where all distances are computed one by one,
    /// some in a leaf cost as much as others.
    const WORTHWHILE: f64 = 0.5;

    /// What grows with the distance of two points: the same for both orders, and to the bit in every search. Nothing where it
    /// is more than a limit.
    fn within(self, a: &[f64], b: &[f64], limit: f64) -> Option<f64>;

    /// The same without a limit.
    #[inline(always)]
    fn between(self, a: &[f64], b: &[f64]) -> f64 {
        self.within(a, b, f64::INFINITY).unwrap_or(f64::INFINITY)
    }

    /// A lower bound for all points in a box; infinite for the empty box.
    fn to_box(self, point: &[f64], lower: &[f64], upper: &[f64]) -> f64;
}

/// The norm of a metric, for work that is compiled for each: points are to be seen as the metric sees them.
macro_rules! by_norm {
    ($metric:expr, $norm:ident => $work:expr) => {
        match $metric {
            $crate::metric::Metric::Manhattan => {
                let $norm = $crate::metric::norm::Sum;
                $work
            }
            $crate::metric::Metric::Chebyshev => {
                let $norm = $crate::metric::norm::Largest;
                $work
            }
            $crate::metric::Metric::Minkowski(p) => {
                let $norm = $crate::metric::norm::Power(p);
                $work
            }
            $crate::metric::Metric::Hamming => {
                let $norm = $crate::metric::norm::Differing;
                $work
            }
            _ => {
                let $norm = $crate::metric::norm::Squares;
                $work
            }
        }
    };
}
pub(crate) use by_norm;

/// How far a number is outside of an interval.
#[inline(always)]
fn outside(point: f64, low: f64, high: f64) -> f64 {
    (low - point).max(point - high).max(0.0)
}

/// Adds up pieces of two points as long as the sum is within a limit.
#[inline(always)]
fn pieces(a: &[f64], b: &[f64], limit: f64, piece: impl Fn(&[f64], &[f64]) -> f64) -> Option<f64> {
    let mut sum = 0.0;
    for (a, b) in a.chunks(PIECE).zip(b.chunks(PIECE)) {
        sum += piece(a, b);
        if sum > limit {
            return None;
        }
    }
    Some(sum)
}

/// Squared Euclidean distances.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Squares;

impl Norm for Squares {
    const HAS_PRODUCTS: bool = true;
    /// One distance in a leaf costs about ten times its share of a product.
    const WORTHWHILE: f64 = 0.1;

    #[inline(always)]
    fn within(self, a: &[f64], b: &[f64], limit: f64) -> Option<f64> {
        Some(self.between(a, b)).filter(|square| *square <= limit)
    }

    #[inline(always)]
    fn between(self, a: &[f64], b: &[f64]) -> f64 {
        squared_distance(a, b)
    }

    #[inline(always)]
    fn to_box(self, point: &[f64], lower: &[f64], upper: &[f64]) -> f64 {
        let mut sum = 0.0;
        for ((&p, &low), &high) in point.iter().zip(lower).zip(upper) {
            let outside = outside(p, low, high);
            sum += outside * outside;
        }
        sum * BELOW
    }
}

/// Sums of differences.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sum;

impl Norm for Sum {
    #[inline(always)]
    fn within(self, a: &[f64], b: &[f64], limit: f64) -> Option<f64> {
        pieces(a, b, limit, |a, b| lanes(a, b, |x, y| (x - y).abs()))
    }

    #[inline(always)]
    fn to_box(self, point: &[f64], lower: &[f64], upper: &[f64]) -> f64 {
        let sides = point.iter().zip(lower).zip(upper);
        BELOW * sides.map(|((&p, &low), &high)| outside(p, low, high)).sum::<f64>()
    }
}

/// The largest of the differences.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Largest;

impl Norm for Largest {
    #[inline(always)]
    fn within(self, a: &[f64], b: &[f64], limit: f64) -> Option<f64> {
        let mut largest = 0.0;
        for (a, b) in a.chunks(PIECE).zip(b.chunks(PIECE)) {
            largest = larger(largest, largest_difference(a, b));
            if largest > limit {
                return None;
            }
        }
        Some(largest)
    }

    #[inline(always)]
    fn to_box(self, point: &[f64], lower: &[f64], upper: &[f64]) -> f64 {
        let sides = point.iter().zip(lower).zip(upper);
        sides.map(|((&p, &low), &high)| outside(p, low, high)).fold(0.0, larger)
    }
}

/// Of numbers that are none of them NaN: wide registers do that at once.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

#[inline(always)]
fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 8;
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut most = [0.0; LANES];
    for (x, y) in a.iter().zip(b) {
        for lane in 0..LANES {
            most[lane] = larger(most[lane], (x[lane] - y[lane]).abs());
        }
    }
    let rest = a_rest.iter().zip(b_rest).map(|(x, y)| (x - y).abs());
    rest.chain(most).fold(0.0, larger)
}

/// The root of the sum of powers of the differences. Powers are of shares of the largest difference: others would be
/// infinite, or vanish.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Power(pub(crate) f64);

impl Power {
    #[inline(always)]
    fn of(self, sum: f64) -> f64 {
        sum.powf(self.0.recip())
    }

    /// The sum of the powers of the differences, each multiplied by a scale.
    #[inline(always)]
    fn sum(self, a: &[f64], b: &[f64], scale: f64) -> f64 {
        let share = |x: f64, y: f64| scale * (x - y).abs();
        match 2.0 * self.0 {
            3.0 => lanes(a, b, |x, y| halves::<3>(share(x, y))),
            5.0 => lanes(a, b, |x, y| halves::<5>(share(x, y))),
            6.0 => lanes(a, b, |x, y| halves::<6>(share(x, y))),
            8.0 => lanes(a, b, |x, y| halves::<8>(share(x, y))),
            10.0 => lanes(a, b, |x, y| halves::<10>(share(x, y))),
            12.0 => lanes(a, b, |x, y| halves::<12>(share(x, y))),
            _ => lanes(a, b, |x, y| share(x, y).powf(self.0)),
        }
    }
}

/// A number to the power of so many halves, which wide registers compute.
#[inline(always)]
fn halves<const COUNT: usize>(x: f64) -> f64 {
    let start = if COUNT % 2 == 1 { x.sqrt() } else { 1.0 };
    (0..COUNT / 2).fold(start, |power, _| power * x)
}

impl Norm for Power {
    #[inline(always)]
    fn within(self, a: &[f64], b: &[f64], limit: f64) -> Option<f64> {
        // No norm is less than the largest difference.
        let largest = Largest.within(a, b, limit)?;
        let scale = largest.recip();
        if scale == f64::INFINITY {
            return Some(largest);
        }
        // A root takes long: most pairs are told apart without one.
        let most = (limit / largest).powf(self.0) / BELOW;
        let sum = pieces(a, b, most, |a, b| self.sum(a, b, scale))?;
        Some((largest * self.of(sum)).max(largest)).filter(|norm| *norm <= limit)
    }

    #[inline(always)]
    fn to_box(self, point: &[f64], lower: &[f64], upper: &[f64]) -> f64 {
        let largest = Largest.to_box(point, lower, upper);
        if largest < f64::MIN_POSITIVE || largest == f64::INFINITY {
            return largest;
        }
        let sides = point.iter().zip(lower).zip(upper);
        let shares = sides.map(|((&p, &low), &high)| outside(p, low, high) / largest);
        let sum = shares.filter(|share| *share > 0.0).map(|share| share.powf(self.0)).sum::<f64>();
        BELOW * largest * self.of(sum)
    }
}

/// How many columns differ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Differing;

impl Norm for Differing {
    /// Codes of a byte for each column are compared in much less time.
    const WORTHWHILE: f64 = 0.05;

    #[inline(always)]
    fn within(self, a: &[f64], b: &[f64], limit: f64) -> Option<f64> {
        pieces(a, b, limit, |a, b| lanes(a, b, |x, y| if x == y { 0.0 } else { 1.0 }))
    }

    #[inline(always)]
    fn to_box(self, point: &[f64], lower: &[f64], upper: &[f64]) -> f64 {
        if lower.iter().zip(upper).any(|(low, high)| low > high) {
            return f64::INFINITY;
        }
        let sides = point.iter().zip(lower).zip(upper);
        sides.filter(|((p, low), high)| p < low || p > high).count() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Metric;

    /// A limit that is met, one that is missed, and boxes of a few points around them.
    #[test]
    fn limits_and_boxes_agree_with_distances() {
        let value = |i: usize, c: usize| ((i * 37 + c * c * 11) % 23) as f64 * 0.37 - 3.0;
        for columns in [1, 3, 20, 200] {
            let row = |i: usize| (0..columns).map(|c| value(i, c)).collect::<Vec<f64>>();
            let rows: Vec<Vec<f64>> = (0..12).map(row).collect();
            let corner = |f: fn(f64, f64) -> f64, start: f64| -> Vec<f64> {
                let column = |c: usize| rows[4..].iter().map(|row| row[c]).fold(start, f);
                (0..columns).map(column).collect()
            };
            let (lower, upper) =
                (corner(f64::min, f64::INFINITY), corner(f64::max, f64::NEG_INFINITY));
            let metrics = [
                Metric::Euclidean,
                Metric::Manhattan,
                Metric::Chebyshev,
                Metric::Hamming,
                Metric::Minkowski(1.5),
                Metric::Minkowski(2.5),
                Metric::Minkowski(3.0),
                Metric::Minkowski(3.3),
                Metric::Minkowski(4.0),
                Metric::Minkowski(6.0),
                Metric::Minkowski(30.0),
            ];
            for metric in metrics {
                by_norm!(metric, norm => for i in 0..4 {
                    let bound = norm.to_box(&rows[i], &lower, &upper);
                    for other in &rows[4..] {
                        let measure = norm.between(&rows[i], other);
                        assert_eq!(measure, norm.between(other, &rows[i]));
                        assert!(bound <= measure, "{metric} {columns}: {bound} {measure}");
                        assert_eq!(norm.within(&rows[i], other, measure), Some(measure));
                        let less = measure * (1.0 - 1e-9) - f64::MIN_POSITIVE;
                        assert_eq!(norm.within(&rows[i], other, less), None);
                    }
                    let empty = vec![f64::INFINITY; columns];
                    let full = vec![f64::NEG_INFINITY; columns];
                    assert_eq!(norm.to_box(&rows[i], &empty, &full), f64::INFINITY);
                });
            }
        }
    }
}
