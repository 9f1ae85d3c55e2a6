//! When an eigenpair is known well enough.
//!
//! A residual r says that some eigenvalue lies within r of the Ritz value, and that the vector is off by an angle of
//! about r over the separation from the other eigenvalues. A share of the operator's norm alone says nothing about an
//! eigenvalue that is small beside it: there a random vector would pass. So a residual must be little beside three
//! things: the norm (or the value itself), the separation, and the distance from the bound, where there is one.

/// Residual over separation from the nearest other eigenvalue, which is the angle that a vector may be off, for a
/// tolerance of one: 1e-5 for the usual 1e-8.
const ANGLE: f64 = 1e3;
/// Eigenvalues that differ by less than this share of the norm are equal: no vector among theirs is the right one.
const EQUAL: f64 = 1e-12;
/// Nothing is known better than by this share of the norm.
const ROUNDING: f64 = 4e-15;
/// Residual over distance from the bound, for a tolerance of one: 1e-4 for the usual 1e-8. An eigenvalue of 1e-9 is not
/// known by a residual of 1e-8.
const BESIDE_BOUND: f64 = 1e4;
/// What methods have at the bound is an exact zero as far as it was assembled without rounding, which it was not.
const AT_BOUND: f64 = 1e-13;

/// What the tolerance is a share of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Beside {
    /// The norm of the operator.
    Norm,
    /// The eigenvalue: those of an inverse differ by orders of magnitude.
    Value,
}

/// How accurate pairs must be.
#[derive(Clone, Copy, Debug)]
pub struct Accuracy {
    /// The residual may be this share at most,
    pub tolerance: f64,
    /// of this.
    pub beside: Beside,
    /// No eigenvalue lies beyond this one, where that is known.
    pub bound: Option<f64>,
    /// The operator is the inverse of one whose eigenvalues are known to no more than this; zero for others.
    pub blur: f64,
}

/// What is asked of one pair.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// With a larger residual it is not an eigenpair, even if it gets no better.
    pub limit: f64,
    /// Distance of the eigenvalue from the nearest one that differs.
    pub separation: f64,
    /// The residual at which the vector is as accurate as it should be, or as rounding allows.
    pub residual: f64,
}

impl Accuracy {
    /// What is asked of the first `count` of these Ritz values, descending.
    pub fn wanted(&self, values: &[f64], count: usize, norm: f64) -> Vec<Wanted> {
        let rounding = ROUNDING * norm;
        let one = |i: usize| {
            let separation = self.separation(values, i, norm);
            let limit = self.limit(values[i], norm);
            let residual = limit.min(self.angle() * separation).max(rounding);
            // An eigenvalue v of an inverse is not known better than 1 / v is.
            let blurred = self.blur * values[i] * values[i];
            Wanted { limit: limit.max(rounding).max(blurred), separation, residual }
        };
        (0..count).map(one).collect()
    }

    /// How many of the first `count` values are known as well as they are wanted to be, before one that is not:
    /// beside a much larger one an eigenvalue drowns in its rounding.
    pub fn resolved(&self, values: &[f64], count: usize, norm: f64) -> usize {
        let one = |i: usize| {
            let separation = self.separation(values, i, self.share(values[i], norm));
            self.limit(values[i], norm).min(self.angle() * separation)
        };
        (0..count).take_while(|&i| one(i) >= ROUNDING * norm).count()
    }

    /// The angle that a vector may be off.
    fn angle(&self) -> f64 {
        (ANGLE * self.tolerance).clamp(1e-7, 0.1)
    }

    /// What the tolerance is a share of.
    fn share(&self, value: f64, norm: f64) -> f64 {
        match self.beside {
            Beside::Norm => norm,
            Beside::Value => value.abs(),
        }
    }

    /// The largest residual of an eigenpair, whatever rounding allows.
    fn limit(&self, value: f64, norm: f64) -> f64 {
        let share = (BESIDE_BOUND * self.tolerance).clamp(1e-4, 0.1);
        let from_bound = self
            .bound
            .map_or(f64::INFINITY, |bound| (share * (value - bound).abs()).max(AT_BOUND * norm));
        (self.tolerance * self.share(value, norm)).min(from_bound)
    }

    /// Distance of value number `i` from the nearest one that is not equal: that differs by more than rounding of
    /// numbers of size `scale`.
    fn separation(&self, values: &[f64], i: usize, scale: f64) -> f64 {
        let value = values[i];
        let differs = |other: &f64| {
            let equal = (EQUAL * scale).max(self.blur * (value * other).abs());
            Some((other - value).abs()).filter(|distance| *distance > equal)
        };
        values.iter().filter_map(differs).fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Accuracy =
        Accuracy { tolerance: 1e-8, beside: Beside::Norm, bound: None, blur: 0.0 };

    fn residuals(accuracy: Accuracy, values: &[f64], count: usize) -> Vec<f64> {
        accuracy.wanted(values, count, 1.0).iter().map(|wanted| wanted.residual).collect()
    }

    #[test]
    fn small_eigenvalues_are_judged_by_their_separation() {
        let allowed = residuals(USUAL, &[1.0, 1e-6, 0.9e-6, 0.0], 3);
        assert_eq!(allowed[0], 1e-8);
        assert!((allowed[1] - 1e-12).abs() < 1e-15 && (allowed[2] - 1e-12).abs() < 1e-15);
    }

    #[test]
    fn equal_eigenvalues_are_not_told_apart() {
        assert_eq!(residuals(USUAL, &[1.0, 0.5, 0.5 - 1e-14, 0.1], 3), [1e-8; 3]);
        // Of an inverse 1 / lambda with lambda known to 1e-3, these are equal as well.
        let blurred = Accuracy { blur: 1e-3, ..USUAL };
        assert_eq!(residuals(blurred, &[1.0, 1.0 - 1e-4, 0.5], 1), [1e-8]);
        assert!(residuals(USUAL, &[1.0, 1.0 - 1e-4, 0.5], 1)[0] < 1e-8);
    }

    #[test]
    fn nothing_is_asked_for_beyond_rounding() {
        let bounded = Accuracy { bound: Some(0.0), ..USUAL };
        let allowed = residuals(bounded, &[-1e-15, -1e-11], 2);
        assert!(allowed.iter().all(|a| (1e-15..1e-14).contains(a)), "{allowed:?}");
    }

    #[test]
    fn what_drowns_beside_a_larger_value_is_told() {
        let inverse = Accuracy { beside: Beside::Value, ..USUAL };
        assert_eq!(inverse.resolved(&[1e10, 100.0, 50.0, 1.0], 3, 1e10), 1);
        assert_eq!(inverse.resolved(&[100.0, 50.0, 1.0], 2, 100.0), 2);
    }
}
