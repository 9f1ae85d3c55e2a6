//! What a run found: an embedding for each strategy, how redundant and how good it is, and what that means in a sentence.

use nrdr::{
    Embedding, Error, Observer, Points, Quality, Redundancy, RedundancyOptions, Strategy,
    Vocabulary,
};

use crate::kept;
use crate::meaning::{Known, Meaning, meanings};
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
    /// What each coordinate tells of what is known of the points; empty where that is not looked at.
    pub meaning: Vec<Meaning>,
}

impl Found {
    /// An embedding of which nothing is measured.
    pub fn unmeasured(embedding: Embedding) -> Self {
        let (redundancy, unmeasured, quality, meaning) = (None, None, None, Vec::new());
        Found { embedding, redundancy, unmeasured, quality, meaning }
    }

    /// Measures an embedding; the observer sees it.
    pub fn new(embedding: Embedding, seed: u64, observer: &dyn Observer) -> nrdr::Result<Self> {
        let options = RedundancyOptions { seed, ..Default::default() };
        let (redundancy, unmeasured) = match embedding.redundancy(&options, observer) {
            Ok(measured) => (measured, None),
            // An embedding all the same.
            Err(error) => (None, Some(why_unmeasured(&error).ok_or(error)?)),
        };
        Ok(Found { redundancy, unmeasured, ..Found::unmeasured(embedding) })
    }

    /// Measures embeddings of the same points, and how good they are beside these and their labels, if there are some.
    pub fn all(
        embeddings: Vec<Embedding>,
        points: &Points,
        labels: Option<&[u32]>,
        seed: u64,
        observer: &dyn Observer,
    ) -> nrdr::Result<Vec<Self>> {
        let some: Vec<&Embedding> = embeddings.iter().collect();
        let qualities = match Embedding::qualities(&some, points, labels, seed) {
            Ok(qualities) => qualities.into_iter().map(Some).collect(),
            // Embeddings all the same.
            Err(Error::TooFewPoints { .. }) => vec![None; embeddings.len()],
            Err(error) => return Err(error),
        };
        let all = embeddings.into_iter().zip(qualities);
        all.map(|(embedding, quality)| {
            Ok(Found { quality, ..Found::new(embedding, seed, observer)? })
        })
        .collect()
    }

    /// Looks what each coordinate tells of what is known of the points.
    pub fn explain(&mut self, known: &Known<'_>, seed: u64) -> nrdr::Result<()> {
        self.meaning = meanings(&self.embedding, known, seed)?;
        Ok(())
    }

    /// The error of predicting each coordinate from the earlier ones.
    pub fn errors(&self) -> Vec<f64> {
        self.redundancy.as_ref().map_or_else(|| vec![1.0], |r| r.errors.clone())
    }
}

/// Why an embedding, which is one all the same, has no redundancy; `None` where the error is another one.
pub fn why_unmeasured(error: &Error) -> Option<String> {
    match error {
        Error::TooFewCoordinates { dims } => Some(verdict_of(*dims, &[], None)),
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
pub(crate) const MUCH: f64 = 50.0;
/// One that is predictable by more than this is new in part.
pub(crate) const SOME: f64 = 25.0;
/// Embeddings whose coordinates are predictable by shares that differ by less, on average, are alike.
pub(crate) const ALIKE: f64 = 5.0;

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
            let errors = original.filter(|o| o.unmeasured.is_none()).map(Found::errors);
            verdict_of(ours.embedding.dims(), &ours.errors(), errors.as_deref())
        }
    };
    let Some(quality) = &ours.quality else { return told };
    let beside = original.and_then(|original| original.quality.as_ref());
    format!("{told} {}", kept::told(quality, beside, words))
}

/// The same of the errors of `dims` coordinates: what is new in them and what is mostly predictable.
pub fn verdict_of(dims: usize, errors: &[f64], original: Option<&[f64]>) -> String {
    let ours = shares(errors);
    let Some(&worst) = ours.first() else {
        return match dims {
            0 | 1 => "There is one coordinate, so nothing can be redundant.".to_string(),
            _ => "There are too few points to measure redundancy.".to_string(),
        };
    };
    let theirs = original.map(shares).unwrap_or_default();
    match theirs.first() {
        None => alone(&ours, worst),
        Some(&their_worst) => beside(&ours, worst, &theirs, their_worst),
    }
}

/// Those that are mostly predictable.
fn much(shares: &[Share]) -> Vec<Share> {
    shares.iter().filter(|(_, share)| *share > MUCH).copied().collect()
}

fn alone(ours: &[Share], (worst, share): Share) -> String {
    let from = earlier(worst);
    let start =
        format!("Coordinate {worst} is predictable from {from} by {share:.0} % of its variance.");
    match much(ours).into_iter().filter(|(i, _)| *i != worst).collect::<Vec<Share>>() {
        others if others.is_empty() => start,
        others => format!("{start} Mostly predictable, too: {}.", list(others)),
    }
}

fn beside(ours: &[Share], worst: Share, theirs: &[Share], their_worst: Share) -> String {
    let (share, (i, before)) = (worst.1, their_worst);
    let last = ours.len() + 1;
    let original = match last {
        2 => format!("original: {before:.0} %"),
        _ => format!("original: up to {before:.0} %, coordinate {i}"),
    };
    let how = if share > SOME { "partly new" } else { "new" };
    let mut told = match (much(ours), last) {
        (none, 2) if none.is_empty() => format!(
            "Coordinate 2 is {how}: {share:.0} % of its variance is predictable from coordinate 1 ({original})."
        ),
        (none, _) if none.is_empty() => format!(
            "Coordinates 2 to {last} are {how}: at most {share:.0} % of the variance of one, coordinate {}, is \
             predictable from the earlier ones ({original}).",
            worst.0
        ),
        (_, 2) => format!(
            "Coordinate 2 is mostly predictable: {share:.0} % of its variance from coordinate 1 ({original})."
        ),
        (some, _) => {
            let are = if some.len() > 1 { "are" } else { "is" };
            let named = list(some).replacen('c', "C", 1);
            format!("{named} {are} mostly predictable from the earlier ones ({original}).")
        }
    };
    let much_of_theirs = much(theirs);
    if much_of_theirs.len() > 1 {
        told += &format!(" Mostly predictable in the original: {}.", list(much_of_theirs));
    }
    if mean(ours) - mean(theirs) >= ALIKE {
        told += " The original is the less redundant one.";
    }
    told
}

/// The mean of shares, of which there are some.
fn mean(shares: &[Share]) -> f64 {
    shares.iter().map(|(_, share)| share).sum::<f64>() / shares.len() as f64
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
        verdict_of(ours.len(), &errors(ours), original.as_deref())
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
    fn what_is_new_is_told_beside_the_original() {
        assert_eq!(
            told(&[0.0, 6.0], Some(&[0.0, 83.0])),
            "Coordinate 2 is new: 6 % of its variance is predictable from coordinate 1 (original: 83 %)."
        );
        assert_eq!(
            told(&[0.0, 37.0], Some(&[0.0, 83.0])),
            "Coordinate 2 is partly new: 37 % of its variance is predictable from coordinate 1 (original: 83 %)."
        );
        assert_eq!(
            told(&[0.0, 5.0, 22.0], Some(&[0.0, 83.0, 95.0])),
            "Coordinates 2 to 3 are new: at most 22 % of the variance of one, coordinate 3, is predictable from the \
             earlier ones (original: up to 95 %, coordinate 3). Mostly predictable in the original: coordinates 2 \
             (83 %) and 3 (95 %)."
        );
    }

    #[test]
    fn what_is_not_new_is_told_as_plainly() {
        assert_eq!(
            told(&[0.0, 83.0], Some(&[0.0, 99.8])),
            "Coordinate 2 is mostly predictable: 83 % of its variance from coordinate 1 (original: 100 %)."
        );
        assert_eq!(
            told(&[0.0, 6.0, 72.0], Some(&[0.0, 83.0, 10.0])),
            "Coordinate 3 (72 %) is mostly predictable from the earlier ones (original: up to 83 %, coordinate 2)."
        );
    }

    #[test]
    fn it_says_so_when_the_original_is_the_better_one() {
        assert_eq!(
            told(&[0.0, 70.0, 55.0], Some(&[0.0, 20.0, 30.0])),
            "Coordinates 2 (70 %) and 3 (55 %) are mostly predictable from the earlier ones (original: up to 30 %, \
             coordinate 3). The original is the less redundant one."
        );
        assert!(!told(&[0.0, 30.0], Some(&[0.0, 30.2])).contains("less redundant"));
        // As the page says: on average they are alike, whichever has the most predictable one.
        assert!(!told(&[0.0, 40.0, 98.0], Some(&[0.0, 63.0, 83.0])).contains("less redundant"));
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
        assert!(verdict_of(3, &[], None).contains("too few points"));
    }
}
