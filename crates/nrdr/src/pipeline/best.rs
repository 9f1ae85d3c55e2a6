//! Which of several embeddings of the same points is the best by each measure, and which are as good.
//!
//! Measures are means over points, a random choice of all that there might have been. Two embeddings are compared at the
//! same points: with d the difference of their terms at a point, the difference of the means is that of d, and its standard error
//! is the deviation of d over the root of the number of points. Of differences that are nothing but chance 95 % are within
//! twice that.

use super::compare::Compared;
use crate::measure::quality::Terms;

/// Standard errors within which two are as good as each other.
const ERRORS: f64 = 2.0;

/// What is measured of an embedding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Measure {
    /// How predictable the most predictable coordinate is from the earlier ones: less is better.
    Predictability,
    /// Whether those near in the embedding are near among the points.
    Trustworthiness,
    /// Whether those near among the points are near in the embedding.
    Continuity,
    /// The share of neighbours that is kept.
    Neighborhoods,
    /// The share of labels that neighbours tell.
    Labels,
    /// R2 of a true parameter, by its place.
    Parameter(usize),
}

/// The best by a measure, by its place in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// What was measured.
    pub measure: Measure,
    /// The best one; of equal ones the first.
    pub best: usize,
    /// Others that are within the sampling error of it, in the order of the list.
    pub ties: Vec<usize>,
}

/// The best by each measure that all have, and those that are as good.
///
/// ```
/// use nrdr::{Known, LaplacianEigenmaps, Measure, Options, Strategy, best, compare, datasets::SwissRoll};
///
/// let roll = SwissRoll { n: 500, height: 10.0, ..Default::default() }.generate(1)?;
/// let strategies = [Strategy::orthogonal(), Strategy::default(), Strategy::orthogonal()];
/// let method = LaplacianEigenmaps::default();
/// let known = Known { parameters: Some(&roll.truth), ..Default::default() };
/// let all = compare(&roll.points, &method, &Options::default(), &strategies, known)?;
/// let all = all.into_iter().collect::<nrdr::Result<Vec<_>>>()?;
/// let found = best(&all.iter().collect::<Vec<_>>());
/// let height = found.iter().find(|one| one.measure == Measure::Parameter(1)).unwrap();
/// assert_eq!((height.best, height.ties.len()), (1, 0));
/// # Ok::<(), nrdr::Error>(())
/// ```
pub fn best(compared: &[&Compared]) -> Vec<Best> {
    let mut found = Vec::new();
    let predictions: Option<Vec<Predicted>> =
        compared.iter().map(|one| Predicted::of(one)).collect();
    if let Some(predictions) = predictions.filter(|all| !all.is_empty()) {
        found.push(among(Measure::Predictability, &predictions, Predicted::lead));
    }
    let parameters = compared.iter().map(|one| one.terms.parameters.len()).min().unwrap_or(0);
    let measures =
        [Measure::Trustworthiness, Measure::Continuity, Measure::Neighborhoods, Measure::Labels];
    for measure in measures.into_iter().chain((0..parameters).map(Measure::Parameter)) {
        let terms: Vec<&[f64]> = compared.iter().map(|one| terms(&one.terms, measure)).collect();
        // Of other points nothing can be told.
        if terms.first().is_some_and(|first| {
            !first.is_empty() && terms.iter().all(|other| other.len() == first.len())
        }) {
            found.push(among(measure, &terms, |a, b| paired(a, b)));
        }
    }
    found
}

fn terms(terms: &Terms, measure: Measure) -> &[f64] {
    match measure {
        Measure::Predictability => &[],
        Measure::Trustworthiness => &terms.trustworthiness,
        Measure::Continuity => &terms.continuity,
        Measure::Neighborhoods => &terms.neighborhoods,
        Measure::Labels => &terms.labels,
        Measure::Parameter(which) => &terms.parameters[which],
    }
}

/// By how much one is better than another, and the standard error of that.
struct Lead {
    by: f64,
    error: f64,
}

fn among<T>(measure: Measure, all: &[T], lead: impl Fn(&T, &T) -> Lead) -> Best {
    let better = |best: usize, i: usize| if lead(&all[i], &all[best]).by > 0.0 { i } else { best };
    let best = (0..all.len()).fold(0, better);
    let is_tie = |i: &usize| {
        let Lead { by, error } = lead(&all[best], &all[*i]);
        *i != best && by <= ERRORS * error
    };
    Best { measure, best, ties: (0..all.len()).filter(is_tie).collect() }
}

/// The lead by means of terms of the same points.
fn paired(one: &[f64], other: &[f64]) -> Lead {
    let n = one.len() as f64;
    let differences = || one.iter().zip(other).map(|(a, b)| a - b);
    let by = differences().sum::<f64>() / n;
    let squares: f64 = differences().map(|d| (d - by).powi(2)).sum();
    Lead { by, error: (squares / (n * (n - 1.0).max(1.0))).sqrt() }
}

/// The most predictable coordinate: the share of its variance that is left, and the standard error of that.
struct Predicted {
    left: f64,
    error: f64,
}

impl Predicted {
    /// The residuals are not kept point by point: as those of a normal distribution have it, the mean of their squares, of m points,
    /// has the standard error r^2 (2 / m)^1/2, and where not all points were predicted there is that of r beside it.
    fn of(compared: &Compared) -> Option<Self> {
        let measured = compared.redundancy.as_ref()?;
        let errors = measured.errors.iter().zip(&measured.standard_errors).skip(1);
        let (r, of_r) = errors.min_by(|a, b| a.0.total_cmp(b.0))?;
        let of_points = r * r * (2.0 / measured.points as f64).sqrt();
        Some(Predicted { left: r * r, error: of_points.hypot(2.0 * r * of_r) })
    }

    fn lead(&self, other: &Self) -> Lead {
        Lead { by: self.left - other.left, error: self.error.hypot(other.error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Terms that differ from those of a wave by so much, and by a smaller wave of another length.
    fn shifted(by: f64, wave: f64) -> Vec<f64> {
        let term = |i: usize| (0.7 * i as f64).sin() + by + wave * (1.3 * i as f64).sin();
        (0..400).map(term).collect()
    }

    #[test]
    fn what_differs_by_less_than_its_sampling_error_is_a_tie() {
        let (base, equal) = (shifted(0.0, 0.0), shifted(0.0, 0.0));
        // The deviation of the wave is 0.1 / 2^1/2, so that two standard errors are 0.00707.
        let (near, far) = (shifted(-0.006, 0.1), shifted(-0.008, 0.1));
        let all = [far.as_slice(), &base, &near, &equal];
        let found = among(Measure::Continuity, &all, |a, b| paired(a, b));
        assert_eq!(found, Best { measure: Measure::Continuity, best: 1, ties: vec![2, 3] });
        let Lead { by, error } = paired(&base, &near);
        assert!((by - 0.006).abs() < 1e-3 && (error - 0.003536).abs() < 1e-4, "{by} {error}");
    }

    #[test]
    fn a_constant_difference_is_none_by_chance() {
        let (base, less) = (shifted(0.0, 0.0), shifted(-1e-6, 0.0));
        let found = among(Measure::Labels, &[less.as_slice(), &base], |a, b| paired(a, b));
        assert_eq!((found.best, found.ties), (1, Vec::new()));
    }

    #[test]
    fn predictions_are_as_good_within_their_standard_errors() {
        let of = |r: f64, m: f64| Predicted { left: r * r, error: r * r * (2.0 / m).sqrt() };
        // 0.81 and 0.76 with standard errors of 0.0256 and 0.024 from 2000 points.
        let best = |m: f64| {
            among(Measure::Predictability, &[of(0.9, m), of(0.872, m)], Predicted::lead).ties
        };
        assert_eq!((best(2000.0), best(5000.0)), (vec![1], Vec::new()));
    }
}
