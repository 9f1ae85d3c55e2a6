//! What can go wrong when rows are spread over members, and how all members come to know of it.

use std::fmt;
use std::path::PathBuf;

use nrdr::team::{self, Team};
use nrdr_cli::shared::Typed;
use nrdr_io::IoError;

/// The result of work that members share.
pub type Result<T> = std::result::Result<T, Failure>;

/// Everything that can keep members from going on.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// What would keep one machine from going on, too.
    Core(nrdr::Error),
    /// A file that cannot be read.
    File(IoError),
    /// Another member failed.
    Elsewhere {
        /// Its number.
        member: usize,
        /// What it says.
        text: String,
    },
    /// Something that there is on one machine only.
    Unsupported {
        /// What was asked for.
        what: String,
        /// What can be done instead.
        way_out: String,
    },
    /// What is kept of a run cannot be read or written.
    Checkpoint(String),
    /// Files of neighbours that do not keep the contract.
    Neighbors {
        /// The file, or the folder where it is about all files.
        path: PathBuf,
        /// What is wrong.
        what: String,
        /// What can be done.
        way_out: String,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // In the words of the command line, whichever member tells it.
            Failure::Core(error) => f.write_str(&error.told(&Typed)),
            Failure::File(error) => f.write_str(&error.told(&Typed)),
            Failure::Elsewhere { text, .. } | Failure::Checkpoint(text) => f.write_str(text),
            Failure::Unsupported { what, way_out } => write!(f, "{what}: {way_out}"),
            Failure::Neighbors { path, what, way_out } => {
                write!(f, "{}: {what}: {way_out}", path.display())
            }
        }
    }
}

impl std::error::Error for Failure {}

impl From<nrdr::Error> for Failure {
    fn from(error: nrdr::Error) -> Self {
        Failure::Core(error)
    }
}

impl From<IoError> for Failure {
    fn from(error: IoError) -> Self {
        Failure::File(error)
    }
}

/// What a member came to, or why some member failed: all must ask, and no member goes on alone.
pub fn agree<T>(team: &dyn Team, mine: Result<T>) -> Result<T> {
    let told = |member, text| Failure::Elsewhere { member, text };
    team::agree(team, mine, Failure::to_string, told)
}
