//! Several strategies on the same points, side by side.

use super::Prepared;
use crate::embedding::Embedding;
use crate::error::{Error, Result};
use crate::input::{Input, Options};
use crate::measure::quality::{Quality, Terms, recovery_by_point};
use crate::measure::redundancy::{Redundancy, RedundancyOptions};
use crate::method::Method;
use crate::points::Points;
use crate::strategy::Strategy;

/// What is known about the points beside themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    /// True parameters, a row for each point.
    pub parameters: Option<&'a Points>,
    /// A class for each point.
    pub labels: Option<&'a [u32]>,
}

/// A strategy and how it did.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The strategy's name.
    pub strategy: &'static str,
    /// What it found.
    pub embedding: Embedding,
    /// How redundant its coordinates are; `None` with a single one, or where that cannot be measured.
    pub redundancy: Option<Redundancy>,
    /// Why it cannot be measured.
    pub unmeasured: Option<Error>,
    /// Whether neighbours stayed neighbours, and how many of the labels they tell, if there are labels.
    pub quality: Quality,
    /// R2 of each true parameter, if there are any.
    pub recovered: Vec<f64>,
    /// What these measures are means of.
    pub terms: Terms,
}

/// Runs several strategies on one set of points, with one graph and one factorisation, and measures what they
/// found. A strategy that fails does not keep the others from running: its error takes its place.
///
/// ```
/// use nrdr::{Known, LaplacianEigenmaps, Options, Strategy, compare, datasets::SwissRoll};
///
/// let roll = SwissRoll { n: 500, height: 10.0, ..Default::default() }.generate(1)?;
/// let strategies = [Strategy::orthogonal(), Strategy::default()];
/// let known = Known { parameters: Some(&roll.truth), ..Default::default() };
/// let method = LaplacianEigenmaps::default();
/// let results = compare(&roll.points, &method, &Options::default(), &strategies, known)?;
/// let errors = |i: usize| results[i].as_ref().unwrap().redundancy.as_ref().unwrap().errors[1];
/// assert!(errors(0) < 0.3 && errors(1) > 0.6);
/// # Ok::<(), nrdr::Error>(())
/// ```
pub fn compare(
    points: &Points,
    method: &dyn Method,
    options: &Options,
    strategies: &[Strategy],
    known: Known<'_>,
) -> Result<Vec<Result<Compared>>> {
    Prepared::new(points, method, options)?.compare(strategies, known)
}

impl Prepared<'_> {
    /// Runs several strategies and measures what they found; see [`compare`]. For points.
    pub fn compare(
        &self,
        strategies: &[Strategy],
        known: Known<'_>,
    ) -> Result<Vec<Result<Compared>>> {
        let Input::Points(points) = self.input else {
            return Err(Error::WrongInput {
                method: self.method.name(),
                needed: "points, to compare strategies",
                given: self.input.describe(),
            });
        };
        known.check(points.rows())?;
        strategies.iter().try_for_each(Strategy::check)?;
        let mut found = Vec::with_capacity(strategies.len());
        for strategy in strategies {
            match self.embed(strategy) {
                Err(cancelled @ Error::Cancelled { .. }) => return Err(cancelled),
                // This strategy does not go with the method; others may.
                Err(error @ Error::NeedsGraph { .. }) => found.push(Err(error)),
                // What stands in the way of all strategies is no result of any.
                Err(error) if self.solver.get().is_none() => return Err(error),
                embedding => found.push(embedding),
            }
        }
        let there: Vec<&Embedding> = found.iter().filter_map(|one| one.as_ref().ok()).collect();
        let qualities = Embedding::measured(&there, points, known.labels, self.options.seed);
        let mut qualities = match qualities {
            Ok(qualities) => qualities.into_iter(),
            Err(error) => return Ok(strategies.iter().map(|_| Err(error.clone())).collect()),
        };
        let mut all = Vec::with_capacity(strategies.len());
        for embedding in found {
            // There is one for each embedding, measured or not.
            let quality = if embedding.is_ok() { qualities.next() } else { None };
            let measured = embedding.and_then(|embedding| self.measure(embedding, known));
            match measured {
                Err(cancelled @ Error::Cancelled { .. }) => return Err(cancelled),
                Err(error) => all.push(Err(error)),
                Ok(measured) => all.extend(quality.map(|quality| Ok(measured(quality)))),
            }
        }
        Ok(all)
    }

    /// All that is measured of an embedding but its quality.
    fn measure(
        &self,
        embedding: Embedding,
        known: Known<'_>,
    ) -> Result<impl FnOnce((Quality, Terms)) -> Compared> {
        let found = embedding.to_points()?;
        let parameters = known.parameters.map(|table| table.select(&embedding.embedded()));
        let columns: Vec<Vec<f64>> = parameters
            .iter()
            .flat_map(|table| (0..table.columns()).map(|c| table.column(c)))
            .collect();
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let options = RedundancyOptions { seed: self.options.seed, ..Default::default() };
        let redundancy = embedding.redundancy(&options, self.observer.unwrap_or(&()));
        let (redundancy, unmeasured) = match redundancy {
            Ok(measured) => (measured, None),
            // An embedding all the same.
            Err(error @ (Error::TooFewPoints { .. } | Error::Constant { .. })) => {
                (None, Some(error))
            }
            Err(error) => return Err(error),
        };
        let strategy = embedding.strategy;
        let (recovered, parameters) = recovery_by_point(&found, &columns)?.into_iter().unzip();
        Ok(move |(quality, terms)| Compared {
            strategy,
            redundancy,
            unmeasured,
            quality,
            recovered,
            embedding,
            terms: Terms { parameters, ..terms },
        })
    }
}

impl Known<'_> {
    /// Refuses what is not known of each of so many points.
    fn check(self, points: usize) -> Result<()> {
        let sizes = [
            ("the table of true parameters", self.parameters.map(Points::rows)),
            ("the list of labels", self.labels.map(<[u32]>::len)),
        ];
        for (what, size) in sizes {
            if let Some(got) = size.filter(|&got| got != points) {
                return Err(Error::Size { what, got, expected: points });
            }
        }
        Ok(())
    }
}
