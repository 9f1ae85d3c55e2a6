//! All rows at every member, embedded as on a single machine: for small inputs, and what other ways are compared with.

use nrdr::team::join;
use nrdr::{Embedding, Error, Method, Model, Options, Points, Prepared, Strategy};
use nrdr_cli::shared::{Failure, Typed};

use crate::middle::{Embedded, Job, Middle, OwnEmbedding};
use crate::together::{bytes_of, numbers_of};

/// Gathers all rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gathered;

impl Middle for Gathered {
    fn check(
        &self,
        method: &dyn Method,
        options: &Options,
        points: u64,
        model: bool,
    ) -> Result<(), Failure> {
        let points = usize::try_from(points).unwrap_or(usize::MAX);
        if model {
            Model::check_extension(method, &options.strategy)?;
        }
        Ok(method.check_all(points, options.neighbors)?)
    }

    fn embed(&self, job: Job<'_>) -> Result<Embedded, Failure> {
        if job.neighbors.is_some() {
            return Err(Failure::Usage(
                "neighbours from elsewhere are not taken where all rows are gathered: leave --neighbors-from out".to_string(),
            ));
        }
        let all = job.team.gather(bytes_of(&job.points.values));
        let values: Vec<f64> = all.iter().flat_map(|bytes| numbers_of(bytes)).collect();
        let rank = job.team.rank();
        let own = job.points.starts[rank]..job.points.starts[rank + 1];
        // Each member does all of the work, alone.
        let found = join(None, || -> nrdr::Result<_> {
            let points = Points::new(values, job.points.columns)?;
            let prepared = Prepared::new(&points, job.method, job.options)?.observed(job.observer);
            let strategy = &job.options.strategy;
            let (ours, model) = if job.model {
                let (ours, model) = prepared.fit(strategy)?;
                (ours, (rank == 0).then_some(model))
            } else {
                (prepared.embed(strategy)?, None)
            };
            let is_original = job.options.strategy.name() == Strategy::orthogonal().name();
            let original = (job.beside && !is_original).then(|| prepared.original(ours.dims()));
            let original = match original.transpose() {
                Err(cancelled @ Error::Cancelled { .. }) => return Err(cancelled),
                // An embedding all the same.
                Err(_) => None,
                Ok(original) => original,
            };
            Ok((ours, original, model))
        });
        let (ours, original, model) = found.map_err(|error| Failure::Usage(error.told(&Typed)))?;
        let of = |embedding: Embedding| only(embedding, own.clone());
        Ok(Embedded { ours: of(ours), original: original.map(of), model, sent: Vec::new() })
    }
}

/// Some rows of an embedding, without those that were left out.
fn only(mut embedding: Embedding, rows: std::ops::Range<u64>) -> OwnEmbedding {
    let left_out = |row: &u64| embedding.row(*row as usize).any(f64::is_nan);
    let numbers: Vec<u64> = rows.filter(|row| !left_out(row)).collect();
    for coordinate in &mut embedding.coordinates {
        coordinate.values = numbers.iter().map(|&row| coordinate.values[row as usize]).collect();
    }
    OwnEmbedding { embedding, numbers }
}
