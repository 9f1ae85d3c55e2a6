//! The straight line over all ranks: rows -> working order -> neighbours -> graph -> matrix -> coordinates.

use std::sync::Arc;

use nrdr::shared::{self, Shared};
use nrdr::team::{Team, current};
use nrdr::{Embedding, Error, Method, Options, Strategy, free_memory};
use nrdr_cli::shared::Failure;
use nrdr_slepc_sys::World;

use crate::failure;
use crate::given_neighbors::GivenNeighbors;
use crate::middle::{Embedded, Job, Middle, OwnEmbedding};
use crate::prepare::{self, Prepared, prepare};
use crate::shared::Own;
use crate::solver::Cluster;
use crate::wire::gather;

/// The stages of all ranks, and the engine of PETSc and SLEPc.
pub struct Stages {
    world: Arc<World>,
}

impl Stages {
    /// Among these ranks.
    pub fn new(world: &Arc<World>) -> Self {
        Stages { world: world.clone() }
    }

    /// The options with a rank's share of the memory that its host has free. All ranks decide by the same number, the
    /// least of them: what free memory is told to be differs from host to host, and from moment to moment.
    fn options(&self, team: &dyn Team, options: &Options) -> Options {
        let share = |free: u64| free / self.world.ranks_here().max(1) as u64;
        let own = options.memory.or_else(|| free_memory().map(share)).unwrap_or(u64::MAX);
        let least = gather(team, &[own]).into_iter().flatten().min();
        Options { memory: least.filter(|&least| least < u64::MAX), ..options.clone() }
    }
}

impl Middle for Stages {
    fn check(&self, method: &dyn Method, options: &Options, points: u64) -> Result<(), Failure> {
        let job = prepare::Job { method, options, given: None, observer: None, kept: None };
        prepare::check(&job, points)?;
        Ok(shared::check(&options.strategy, options)?)
    }

    fn embed(&self, job: Job<'_>) -> Result<Embedded, Failure> {
        let Some(team) = current() else {
            return Err(Failure::Usage("this process is in no team: report this".to_string()));
        };
        let options = &self.options(job.team, job.options);
        let given = job
            .neighbors
            .map(|folder| GivenNeighbors { folder: folder.to_path_buf(), recall: options.recall });
        let own = Own::new(job.points.values, job.points.columns).map_err(failure::Failure::from);
        let own = failure::agree(job.team, own)?;
        self.world.stage("points");
        let made = prepare(
            job.team,
            own,
            &prepare::Job {
                method: job.method,
                options,
                given: given.as_ref(),
                observer: Some(job.observer),
                kept: job.kept,
            },
        )?;
        if let Some(kept) = job.kept {
            kept.spread(made.rows.starts.clone());
        }
        self.world.stage("solve");
        let problem = Arc::new(made.problem.problem(team));
        let engine = Cluster::new(&self.world, &made.problem.matrix);
        let shared = Shared::new(&problem, job.method.name(), options, &engine)?;
        let shared = shared.observed(job.observer);
        let shared = match job.kept {
            Some(kept) => shared.checkpointed(kept),
            None => shared,
        };
        let ours = shared.embed(&options.strategy)?;
        let is_original = options.strategy.name() == Strategy::orthogonal().name();
        let original = match (job.beside && !is_original).then(|| shared.original(ours.dims())) {
            Some(Err(cancelled @ Error::Cancelled { .. })) => return Err(cancelled.into()),
            // An embedding all the same.
            Some(Err(_)) | None => None,
            Some(Ok(original)) => Some(original),
        };
        let placed = |embedding| placed(embedding, &made);
        let mut sent: Vec<(String, u64)> =
            made.costs.iter().map(|cost| (cost.stage.to_string(), cost.sent)).collect();
        sent.extend(self.world.sent().into_iter().filter(|(stage, _)| stage == "solve"));
        Ok(Embedded { original: original.map(placed), ours: placed(ours), sent })
    }
}

/// An embedding with what is known of the points before they were a matrix.
fn placed(mut embedding: Embedding, made: &Prepared) -> OwnEmbedding {
    embedding.components = made.components.clone();
    embedding.left_out = (made.input_rows - made.rows.total()) as usize;
    embedding.warnings.splice(0..0, made.warning.clone());
    embedding.chosen.splice(0..0, made.recall.map(|recall| ("recall", recall)));
    embedding.times.splice(0..0, made.times.iter().copied());
    OwnEmbedding { embedding, numbers: made.inputs.clone() }
}

impl From<failure::Failure> for Failure {
    fn from(failure: failure::Failure) -> Self {
        match failure {
            failure::Failure::Core(error) => Failure::Library(error),
            failure::Failure::File(error) => Failure::File(error),
            other => Failure::Usage(other.to_string()),
        }
    }
}
