//! How far points are from each other.
//!
//! Three metrics are Euclidean once the points are seen in another way: by their directions (cosine), by the directions of
//! their deviations from their means (correlation), by their places on the sphere (haversine). Everything that is made for
//! Euclidean distances serves them there (`seen.rs`), and only lengths are told in the metric. The others are norms of
//! differences (`norm.rs`), with searches of their own.

pub(crate) mod norm;
mod seen;

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};
use crate::parameter::Word;
use crate::points::Points;
use norm::Norm;

/// A metric: what is near.
///
/// ```
/// use nrdr::Metric;
///
/// let metric: Metric = "minkowski:3".parse()?;
/// assert_eq!(metric, Metric::Minkowski(3.0));
/// assert_eq!(Metric::Manhattan.distance(&[0.0, 0.0], &[3.0, -4.0])?, 7.0);
/// # Ok::<(), nrdr::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Metric {
    /// The length of the difference.
    #[default]
    Euclidean,
    /// 1 - the cosine of the angle between two points.
    Cosine,
    /// The sum of the differences of all columns.
    Manhattan,
    /// 1 - Pearson's correlation of two points, each a series of numbers.
    Correlation,
    /// The share of the columns that differ.
    Hamming,
    /// The angle between two places on a sphere, latitude and longitude in radians.
    Haversine,
    /// The largest difference of a column.
    Chebyshev,
    /// The p-th root of the sum of the p-th powers of the differences, for a finite p of at least 1.
    Minkowski(f64),
}

/// What a rounded squared distance may be of one that is not zero, beside the largest: a point at the same place.
const SAME: f64 = 1e-18;

impl Metric {
    /// The metrics by their names. That with a power has it behind a colon.
    pub const WORDS: &'static [Word] = &[
        Word::new("euclidean", "The length of the difference"),
        Word::new("cosine", "1 - the cosine of the angle: how long a row is does not count"),
        Word::new("manhattan", "The sum of the differences of all columns"),
        Word::new("correlation", "1 - the correlation: neither level nor scale of a row count"),
        Word::new("hamming", "The share of the columns that differ"),
        Word::new("haversine", "The angle on a sphere: latitude, longitude in radians"),
        Word::new("chebyshev", "The largest difference of a column"),
        Word::new("minkowski:p", "The p-th root of the sum of p-th powers, p 1 or more"),
    ];

    /// Whether distances are Euclidean once the points are seen in another way.
    pub(crate) fn is_of_seen(self) -> bool {
        matches!(self, Metric::Cosine | Metric::Correlation | Metric::Haversine)
    }

    /// Whether what is made for Euclidean distances serves.
    pub(crate) fn is_euclidean_at_heart(self) -> bool {
        self == Metric::Euclidean || self.is_of_seen()
    }

    /// By which points are compared that were moved: they are as the metric sees them, and no longer where it could see others,
    /// nor do any of their columns agree.
    pub(crate) fn of_moved(self) -> Metric {
        match self {
            Metric::Manhattan | Metric::Chebyshev | Metric::Minkowski(_) => self,
            _ => Metric::Euclidean,
        }
    }

    /// The distance of two points that searches tell by `measure`: by a squared distance or by what a norm tells of
    /// points of so many columns.
    pub(crate) fn length(self, measure: f64, columns: usize) -> f64 {
        match self {
            Metric::Euclidean => measure.sqrt(),
            // The squared chord of an angle a is 2 - 2 cos a.
            Metric::Cosine | Metric::Correlation => 0.5 * measure,
            Metric::Haversine => 2.0 * (0.5 * measure.sqrt()).min(1.0).asin(),
            Metric::Hamming => measure / columns as f64,
            Metric::Manhattan | Metric::Chebyshev | Metric::Minkowski(_) => measure,
        }
    }

    /// A squared distance beside the largest of a few neighbours that is not more than rounding.
    pub(crate) fn rounding(self) -> f64 {
        match self {
            // Lengths are squares of what is rounded.
            Metric::Cosine | Metric::Correlation => SAME * SAME,
            _ => SAME,
        }
    }

    /// The distance of two points of equally many columns.
    pub fn distance(self, a: &[f64], b: &[f64]) -> Result<f64> {
        let columns = a.len();
        let both = Points::new([a, b].concat(), columns)?;
        self.check(&both)?;
        let both = self.seen(&both)?;
        Ok(self.length(self.measure(both.row(0), both.row(1)), columns))
    }

    /// What grows with the distance of two points that are seen as the metric sees them.
    pub(crate) fn measure(self, a: &[f64], b: &[f64]) -> f64 {
        norm::by_norm!(self, norm => norm.between(a, b))
    }

    /// The square of a length in the Euclidean space that is nearest to what the metric means, of points that are seen as
    /// the metric sees them: that of the chord on a sphere, the number of columns that differ, the squared distance.
    pub(crate) fn square(self, a: &[f64], b: &[f64]) -> f64 {
        let measure = self.measure(a, b);
        match self {
            Metric::Manhattan | Metric::Chebyshev | Metric::Minkowski(_) => measure * measure,
            _ => measure,
        }
    }

    /// Refuses a power that is none.
    pub(crate) fn check_itself(self) -> Result<()> {
        match self {
            Metric::Minkowski(p) if !(p >= 1.0 && p.is_finite()) => Err(Error::parameter(
                "metric",
                self,
                "minkowski:p with a finite p of at least 1, and chebyshev where it is infinite",
            )),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Metric::Euclidean => "euclidean",
            Metric::Cosine => "cosine",
            Metric::Manhattan => "manhattan",
            Metric::Correlation => "correlation",
            Metric::Hamming => "hamming",
            Metric::Haversine => "haversine",
            Metric::Chebyshev => "chebyshev",
            Metric::Minkowski(p) => return write!(f, "minkowski:{p}"),
        })
    }
}

impl FromStr for Metric {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let metric = match (text, text.split_once(':')) {
            ("euclidean" | "l2", _) => Metric::Euclidean,
            ("cosine", _) => Metric::Cosine,
            ("manhattan" | "l1" | "cityblock", _) => Metric::Manhattan,
            ("correlation", _) => Metric::Correlation,
            ("hamming", _) => Metric::Hamming,
            ("haversine", _) => Metric::Haversine,
            ("chebyshev", _) => Metric::Chebyshev,
            (_, Some(("minkowski", p))) if p.parse::<f64>().is_ok() => {
                Metric::Minkowski(p.parse().unwrap_or(f64::NAN))
            }
            _ => {
                let names: Vec<&str> = Metric::WORDS.iter().map(|word| word.name).collect();
                let expected = format!("{}, such as minkowski:3", names.join(", "));
                return Err(Error::parameter("metric", text, expected));
            }
        };
        metric.check_itself()?;
        Ok(match metric {
            // The same distances, which are quicker to compute by these names.
            Metric::Minkowski(1.0) => Metric::Manhattan,
            Metric::Minkowski(2.0) => Metric::Euclidean,
            other => other,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_in_and_come_out() {
        for word in Metric::WORDS {
            let name = word.name.replace(":p", ":2.5");
            assert_eq!(name.parse::<Metric>().unwrap().to_string(), name);
        }
        let same =
            [("l1", "manhattan"), ("minkowski:1", "manhattan"), ("minkowski:2", "euclidean")];
        for (alias, name) in same {
            assert_eq!(alias.parse::<Metric>().unwrap().to_string(), name);
        }
        for wrong in ["", "euclid", "minkowski", "minkowski:", "minkowski:x", "cosine:2"] {
            let told = wrong.parse::<Metric>().unwrap_err().to_string();
            assert!(told.contains("hamming") && told.contains("minkowski:3"), "{told}");
        }
        for wrong in ["minkowski:0.5", "minkowski:inf", "minkowski:nan", "minkowski:-3"] {
            let told = wrong.parse::<Metric>().unwrap_err().to_string();
            assert!(told.contains("at least 1") && told.contains("chebyshev"), "{told}");
        }
    }

    /// From their definitions, by hand.
    #[test]
    fn distances_are_those_of_the_definitions() {
        let (a, b) = ([1.0, 2.0, 3.0, 0.0], [1.0, 0.0, -1.0, 4.0]);
        let (right, quarter) = ([0.0, 0.0], [0.0, std::f64::consts::FRAC_PI_2]);
        let near = |metric: Metric, expected: f64| {
            let found = metric.distance(&a, &b).unwrap();
            assert!((found - expected).abs() < 1e-14 * expected, "{metric}: {found} {expected}");
        };
        near(Metric::Euclidean, 36.0_f64.sqrt());
        near(Metric::Manhattan, 10.0);
        near(Metric::Chebyshev, 4.0);
        near(Metric::Minkowski(3.0), (8.0_f64 + 64.0 + 64.0).cbrt());
        near(Metric::Minkowski(2.5), (2.0_f64.powf(2.5) + 2.0 * 4.0_f64.powf(2.5)).powf(0.4));
        near(Metric::Hamming, 0.75);
        near(Metric::Cosine, 1.0 + 2.0 / (14.0_f64 * 18.0).sqrt());
        // Deviations (-.5, .5, 1.5, -1.5) and (0, -1, -2, 3): -8 / (5 * 14)^1/2.
        near(Metric::Correlation, 1.0 + 8.0 / 70.0_f64.sqrt());
        let angle = Metric::Haversine.distance(&right, &quarter).unwrap();
        assert!((angle - quarter[1]).abs() < 1e-15);
        // Powers that would overflow or vanish by themselves.
        let far = Metric::Minkowski(200.0).distance(&[1e140, 0.0], &[-1e140, 1e120]).unwrap();
        assert!((far - 2e140).abs() < 1e126, "{far}");
        let close = Metric::Minkowski(200.0).distance(&[1e-100, 0.0], &[0.0, 0.0]).unwrap();
        assert_eq!(close, 1e-100);
    }
}
