//! Models from files.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use nrdr::Model;

use crate::ModelFile;

/// Why a file gave no model.
#[derive(Debug)]
pub enum Unread {
    /// It could not be read.
    File(PathBuf, io::Error),
    /// It holds something else, or is damaged.
    Content(PathBuf, nrdr::Error),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::File(path, error) => {
                write!(f, "{} cannot be read ({error}): check the path", path.display())
            }
            Unread::Content(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for Unread {}

impl ModelFile {
    /// The model that a file holds.
    pub fn read(path: &Path) -> Result<Self, Unread> {
        let bytes = beginning(path).map_err(|error| Unread::File(path.to_path_buf(), error))?;
        ModelFile::from_bytes(&bytes).map_err(|error| Unread::Content(path.to_path_buf(), error))
    }
}

/// The bytes of a file; only the first of something else, such as a large table.
fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    (&file).take(9).read_to_end(&mut bytes)?;
    if Model::may_begin(&bytes) {
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
