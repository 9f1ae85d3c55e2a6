//! A checkpoint: a file that keeps what is finished of a long run, so that the same run goes on after it was ended.
//!
//! ```
//! use nrdr::{LaplacianEigenmaps, Options, Prepared, datasets::SwissRoll};
//! use nrdr_checkpoint::Checkpoint;
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("roll.checkpoint");
//! let roll = SwissRoll { n: 300, ..Default::default() }.generate(7)?;
//! let (method, options) = (LaplacianEigenmaps::default(), Options::default());
//! let run = || -> Result<_, Box<dyn std::error::Error>> {
//!     let checkpoint = Checkpoint::open(&path)?;
//!     let found = checkpoint.summary();
//!     let prepared = Prepared::new(&roll.points, &method, &options)?.checkpointed(&checkpoint)?;
//!     Ok((found, prepared.embed(&options.strategy)?))
//! };
//! let (nothing, first) = run()?;
//! let (found, again) = run()?;
//! assert_eq!((nothing, found.as_deref()), (None, Some("neighbours, 48 original eigenvectors")));
//! assert_eq!(first.coordinate(1), again.coordinate(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The file
//!
//! Records follow each other, and none is ever changed: a run of a million points keeps gigabytes, which are not to be written
//! again for each coordinate. All numbers are little-endian. The head has 64 bytes: the text `nrdr checkpoint` and a line break, the version
//! of the format (4 bytes), 4 bytes of zero, the length of the file as far as it counts (8 bytes), and the SHA-256 of the 32 bytes before.
//! A record is its length (8 bytes), its content, and the SHA-256 of both. It is written behind the last one and flushed to the disk; then
//! the length in the head is, and flushed. So at any moment all records within that length are whole: if one is not, the file has been
//! damaged. What is behind it was left by a run that was ended while it wrote, and is written over.

#![forbid(unsafe_code)]

mod content;
mod journal;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use journal::Journal;
use nrdr::checkpoint::{Record, Store};
use nrdr::{Error, Result};
use nrdr_write::{WriteError, check_place, printable};

/// Records that are no part of the result.
const UNTOLD: [&str; 2] = ["run", "solver"];

/// A file that keeps what is finished of a run. As long as it is open, no other process opens it.
pub struct Checkpoint {
    path: PathBuf,
    journal: Mutex<Journal>,
}

impl Checkpoint {
    /// Opens a file, or makes an empty one. What is no checkpoint, is damaged, is of another version or is in use is refused and
    /// stays as it is.
    pub fn open(path: &Path) -> std::result::Result<Self, WriteError> {
        check_place(path, &[])?;
        let journal = Mutex::new(Journal::open(path)?);
        Ok(Checkpoint { path: path.to_path_buf(), journal })
    }

    /// What is kept, for people; `None` if that is nothing yet.
    pub fn summary(&self) -> Option<String> {
        let journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        let names: Vec<&str> = journal.names().filter(|name| !UNTOLD.contains(name)).collect();
        (!names.is_empty()).then(|| printable(&names.join(", ")))
    }

    /// Bytes of the file.
    pub fn size(&self) -> u64 {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner).size()
    }

    /// The run cannot go on with this file.
    fn unusable(&self, error: WriteError) -> Error {
        Error::Checkpoint { reason: error.to_string() }
    }
}

impl Store for Checkpoint {
    fn get(&self, name: &str) -> Result<Option<Record<'static>>> {
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.get(name).map_err(|error| {
            let what = format!("cannot be read ({error})");
            self.unusable(WriteError::new(&self.path, what, "check the disk"))
        })
    }

    fn put(&self, name: &str, record: &Record<'_>) -> Result<()> {
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal
            .put(name, record)
            .map_err(|error| self.unusable(WriteError::of_system(&self.path, &error)))
    }
}
