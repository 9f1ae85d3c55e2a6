//! What a run keeps in the file that `--checkpoint` names.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use nrdr::{Error, Prepared};
use nrdr_checkpoint::Checkpoint;
use nrdr_write::printable;

use crate::bar::Bar;
use crate::failure::Failure;
use crate::words::Typed;

/// An open checkpoint, and what was there when it was opened.
pub(crate) struct Kept {
    path: PathBuf,
    checkpoint: Checkpoint,
    before: Option<String>,
}

impl Kept {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let checkpoint = Checkpoint::open(path)?;
        let before = checkpoint.summary();
        Ok(Kept { path: path.to_path_buf(), checkpoint, before })
    }

    /// A run that is kept there; the file of another one is refused.
    pub(crate) fn with<'a>(&'a self, prepared: Prepared<'a>) -> Result<Prepared<'a>, Failure> {
        prepared.checkpointed(&self.checkpoint).map_err(|error| match error {
            // With many files it should be known which.
            Error::OtherRun { .. } => {
                Failure::Usage(format!("{}: {}", self.name(), error.told(&Typed)))
            }
            other => other.into(),
        })
    }

    /// Tells what need not be done again.
    pub(crate) fn tell_before(&self, bar: &Bar) {
        if let Some(before) = &self.before {
            bar.say(&format!("going on from {}: {before}", self.name()));
        }
    }

    /// Tells that the file stays.
    pub(crate) fn tell_after(&self, out: &mut impl Write) -> Result<(), Failure> {
        let megabytes = 1e-6 * self.checkpoint.size() as f64;
        let told = writeln!(
            out,
            "kept {} ({megabytes:.1} MB): the same run is quick with it, and nothing else needs it",
            self.name()
        );
        told.map_err(|error: io::Error| error.into())
    }

    fn name(&self) -> String {
        printable(&self.path.to_string_lossy())
    }
}
