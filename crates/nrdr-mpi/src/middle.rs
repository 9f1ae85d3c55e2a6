//! What lies between reading rows and writing coordinates: [`Middle`] is what embeds the rows of a team.

use std::path::Path;

use nrdr::team::Team;
use nrdr::{Embedding, Method, Model, Observer, Options};
use nrdr_cli::shared::Failure;

use crate::checkpoint::Checkpoint;

/// Embeds the rows of a team. All members ask for the same, each with its own rows.
pub trait Middle {
    /// Refuses what cannot be embedded, with the way out, before any work; `points` is how many rows there are, and `model` is whether
    /// new points are to be embedded later.
    fn check(
        &self,
        method: &dyn Method,
        options: &Options,
        points: u64,
        model: bool,
    ) -> Result<(), Failure>;

    /// The coordinates. All members succeed, or all fail.
    fn embed(&self, job: Job<'_>) -> Result<Embedded, Failure>;
}

/// What is to be embedded, and how.
pub struct Job<'j> {
    /// Who shares the rows. Also [`nrdr::team::current`].
    pub team: &'j dyn Team,
    /// The rows of this member.
    pub points: OwnRows,
    /// The method.
    pub method: &'j dyn Method,
    /// How, with the strategy.
    pub options: &'j Options,
    /// Sees the progress; that of the first member tells it.
    pub observer: &'j dyn Observer,
    /// Keeps what is finished, if something does.
    pub kept: Option<&'j Checkpoint>,
    /// A folder with neighbours that were searched elsewhere, if there is one.
    pub neighbors: Option<&'j Path>,
    /// Whether the original embedding is wanted beside the other one, where it costs little.
    pub beside: bool,
    /// Whether new points are to be embedded later: the first member has a model then.
    pub model: bool,
}

/// The rows of a member. Rows with missing values are not among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnRows {
    /// Where the rows of each member begin among those of all, in the order of the input, and where the last ones end.
    pub starts: Vec<u64>,
    /// Number of values of a row.
    pub columns: usize,
    /// The values of the member's rows, row after row; there may be none.
    pub values: Vec<f64>,
}

/// What came out.
pub struct Embedded {
    /// The embedding.
    pub ours: OwnEmbedding,
    /// The original one beside it.
    pub original: Option<OwnEmbedding>,
    /// What new points need, at the first member, if it was asked for.
    pub model: Option<Model>,
    /// Bytes that this member has sent in each stage, where they were counted.
    pub sent: Vec<(String, u64)>,
}

/// The coordinates of some rows.
pub struct OwnEmbedding {
    /// As the library tells it; the coordinates have values for these rows only, and all else is that of all rows.
    pub embedding: Embedding,
    /// Which rows these are, counted in the order of [`OwnRows::starts`]; any member may have any rows, and rows that nobody has
    /// are left out.
    pub numbers: Vec<u64>,
}
