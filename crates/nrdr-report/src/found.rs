//! What a run found: an embedding for each strategy, how redundant and how good it is, and what that means in a sentence.

use nrdr::{
    Embedding, Error, Observer, Points, Quality, Redundancy, RedundancyOptions, Strategy,
    Vocabulary,
};

use crate::kept;
use crate::shares::{Share, list};

/// An embedding, how redundant and how good it is.
pub struct Found {
    /// The embedding.
    pub embedding: Embedding,
    /// `None` with a single coordinate, or where it cannot be measured.
    pub redundancy: Option<Redundancy>,
    /// Why it cannot be measured, in a sentence.
    pub unmeasured: Option<String>,
    /// Whether neighbours stayed neighbours; `None` where that is not measured, or cannot be.
    pub quality: Option<Quality>,
}

impl Found {
    /// Measures an embedding; the observer sees it.
    pub fn new(embedding: Embedding, seed: u64, observer: &dyn Observer) -> nrdr::Result<Self> {
        let options = RedundancyOptions { seed, ..Default::default() };
        let (redundancy, unmeasured) = match embedding.redundancy(&options, observer) {
            Ok(measured) => (measured, None),
            // An embedding all the same.
            Err(error) => (None, Some(why_unmeasured(&error).ok_or(error)?)),
        };
        Ok(Found { embedding, redundancy, unmeasured, quality: None })
    }

    /// Measures how good it is, too: on the points that it was made from, and their labels, if there are some.
    pub fn on(mut self, points: &Points, labels: Option<&[u32]>, seed: u64) -> nrdr::Result<Self> {
        self.quality = match self.embedding.quality(points, labels, seed) {
            Ok(quality) => Some(quality),
            // An embedding all the same.
            Err(Error::TooFewPoints { .. }) => None,
            Err(error) => return Err(error),
        };
        Ok(self)
    }

    /// The error of predicting each coordinate from the earlier ones.
    pub fn errors(&self) -> Vec<f64> {
        self.redundancy.as_ref().map_or_else(|| vec![1.0], |r| r.errors.clone())
    }
}

/// Why an embedding, which is one all the same, has no redundancy; `None` where the error is another one.
pub fn why_unmeasured(error: &Error) -> Option<String> {
    match error {
        Error::TooFewCoordinates { dims } => Some(verdict_of("", *dims, &[], None)),
        Error::TooFewPoints { points, needed } => Some(format!(
            "Redundancy cannot be measured: there are {points} different points, {needed} are needed."
        )),
        Error::Constant { coordinate } => {
            Some(format!("Redundancy cannot be measured: coordinate {coordinate} is constant."))
        }
        _ => None,
    }
}

/// How a strategy is called where people read.
pub fn title(strategy: &str) -> &str {
    Strategy::by_name(strategy).map_or(strategy, |strategy| strategy.about().title)
}

/// The share of a coordinate's variance that the earlier ones predict, in percent.
pub fn predictable(error: f64) -> f64 {
    100.0 * (1.0 - error * error).max(0.0)
}

/// Coordinates 1 to i - 1.
fn earlier(i: usize) -> String {
    match i {
        2 => "coordinate 1".to_string(),
        _ => format!("coordinates 1 to {}", i - 1),
    }
}

/// A coordinate that is predictable by more than this, in percent, adds little.
const MUCH: f64 = 50.0;

/// The shares of all coordinates that have earlier ones, the most predictable first.
fn shares(errors: &[f64]) -> Vec<Share> {
    let later = errors.iter().enumerate().skip(1);
    let mut shares: Vec<Share> = later.map(|(i, error)| (i + 1, predictable(*error))).collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    shares
}

/// Sentences on how redundant and how good the embedding is, beside the original if there is one, in the words of a front
/// end.
pub fn verdict(ours: &Found, original: Option<&Found>, words: &dyn Vocabulary) -> String {
    let told = match &ours.unmeasured {
        Some(why) => why.clone(),
        None => {
            let Embedding { strategy, coordinates, .. } = &ours.embedding;
            let errors = original.filter(|o| o.unmeasured.is_none()).map(Found::errors);
            verdict_of(strategy, coordinates.len(), &ours.errors(), errors.as_deref())
        }
    };
    let Some(quality) = &ours.quality else { return told };
    let beside = original.and_then(|original| original.quality.as_ref());
    format!("{told} {}", kept::told(quality, beside, words))
}

/// The same of the errors of a strategy's `dims` coordinates: the most predictable one, and all that are mostly
/// predictable.
pub fn verdict_of(strategy: &str, dims: usize, errors: &[f64], original: Option<&[f64]>) -> String {
    let ours = shares(errors);
    let Some(&(worst, share)) = ours.first() else {
        return match dims {
            0 | 1 => "There is one coordinate, so nothing can be redundant.".to_string(),
            _ => "There are too few points to measure redundancy.".to_string(),
        };
    };
    let much = |shares: &[Share], but: usize| -> Vec<Share> {
        shares.iter().filter(|(i, share)| *share > MUCH && *i != but).copied().collect()
    };
    let theirs = original.map(shares).unwrap_or_default();
    let Some(&(i, before)) = theirs.first() else {
        let from = earlier(worst);
        let start = format!(
            "Coordinate {worst} is predictable from {from} by {share:.0} % of its variance."
        );
        return match much(&ours, worst) {
            others if others.is_empty() => start,
            others => format!("{start} Mostly predictable, too: {}.", list(others)),
        };
    };
    let is_ours = strategy == Strategy::default().name();
    let name = if is_ours { "ours" } else { strategy };
    let after = match errors.get(i - 1) {
        Some(error) => format!("{name} by {:.0} %", predictable(*error)),
        None => format!("{name} has none"),
    };
    let from = earlier(i);
    let mut told = format!(
        "Coordinate {i} of the original is predictable from {from} by {before:.0} % of its variance; {after}."
    );
    let others = much(&theirs, i);
    if !others.is_empty() {
        told += &format!(" Mostly predictable in the original, too: {}.", list(others));
    }
    let ours_much = much(&ours, 0);
    if !ours_much.is_empty() {
        told += &format!(" Mostly predictable in {name}: {}.", list(ours_much));
    } else if worst != i {
        told += &format!(" The most predictable of {name} is coordinate {worst}, by {share:.0} %.");
    }
    if share.round() > before.round() {
        told += " The original is the less redundant one.";
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors with these predictable shares, in percent.
    fn errors(shares: &[f64]) -> Vec<f64> {
        shares.iter().map(|share| (1.0 - share / 100.0).sqrt()).collect()
    }

    fn told(ours: &[f64], original: Option<&[f64]>) -> String {
        let original = original.map(errors);
        verdict_of("unpredictable", ours.len(), &errors(ours), original.as_deref())
    }

    #[test]
    fn the_worst_coordinate_is_named_and_all_that_are_mostly_predictable() {
        assert_eq!(
            told(&[0.0, 60.0, 99.0, 10.0], None),
            "Coordinate 3 is predictable from coordinates 1 to 2 by 99 % of its variance. \
             Mostly predictable, too: coordinate 2 (60 %)."
        );
        assert_eq!(
            told(&[0.0, 7.0], None),
            "Coordinate 2 is predictable from coordinate 1 by 7 % of its variance."
        );
    }

    #[test]
    fn the_original_is_told_in_the_same_way() {
        assert_eq!(
            told(&[0.0, 5.0, 22.0], Some(&[0.0, 83.0, 95.0])),
            "Coordinate 3 of the original is predictable from coordinates 1 to 2 by 95 % of its variance; \
             ours by 22 %. Mostly predictable in the original, too: coordinate 2 (83 %)."
        );
        assert_eq!(
            told(&[0.0, 6.0, 22.0], Some(&[0.0, 83.0, 10.0])),
            "Coordinate 2 of the original is predictable from coordinate 1 by 83 % of its variance; \
             ours by 6 %. The most predictable of ours is coordinate 3, by 22 %."
        );
    }

    #[test]
    fn it_says_so_when_the_original_is_the_better_one() {
        let text = told(&[0.0, 70.0, 55.0], Some(&[0.0, 20.0, 30.0]));
        assert!(text.contains("in ours: coordinates 2 (70 %) and 3 (55 %)."), "{text}");
        assert!(text.ends_with("The original is the less redundant one."), "{text}");
        assert!(!told(&[0.0, 30.0], Some(&[0.0, 30.2])).contains("less redundant"));
    }

    #[test]
    fn many_are_listed_by_their_numbers() {
        let mut many = vec![90.0; 20];
        many[0] = 0.0;
        many[11] = 10.0;
        many[4] = 95.0;
        let text = told(&many, None);
        assert!(text.ends_with("too: coordinates 2 to 4, 6 to 11 and 13 to 20."), "{text}");
    }

    #[test]
    fn what_cannot_be_measured_is_said() {
        assert!(told(&[0.0], None).contains("one coordinate"));
        assert!(verdict_of("orthogonal", 3, &[], None).contains("too few points"));
        assert!(told(&[0.0, 5.0], Some(&[0.0, 80.0, 90.0])).contains("ours has none"));
    }
}
