//! Why a file is not written, in one line, and the way out.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::printable;

/// A file that cannot be written: one line that names the file and what is wrong, then `": "` and the way out.
#[derive(Debug)]
pub struct WriteError {
    path: PathBuf,
    what: String,
    way_out: String,
    kind: io::ErrorKind,
    code: Option<i32>,
}

impl WriteError {
    /// What is wrong with a file, then what to do about it.
    pub fn new(path: &Path, what: impl Into<String>, way_out: impl Into<String>) -> Self {
        let (path, what, way_out) = (path.to_path_buf(), what.into(), way_out.into());
        WriteError { path, what, way_out, kind: io::ErrorKind::InvalidInput, code: None }
    }

    /// What the system says of a file.
    pub fn of_system(path: &Path, error: &io::Error) -> Self {
        use io::ErrorKind::{
            FileTooLarge, NotADirectory, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem,
            StorageFull,
        };
        let (what, way_out) = match error.kind() {
            StorageFull | QuotaExceeded => {
                ("does not fit on the disk".into(), "make room or choose another")
            }
            FileTooLarge => {
                ("is larger than a file may be here".into(), "raise the limit or choose another")
            }
            PermissionDenied => ("is not accessible".into(), "check the permissions"),
            ReadOnlyFilesystem => ("lies on a disk that is read-only".into(), "choose another"),
            NotADirectory => ("lies in what is no folder".into(), "check the path"),
            _ => (format!("cannot be written ({error})"), "check the disk and the path"),
        };
        let code = error.raw_os_error();
        WriteError { kind: error.kind(), code, ..Self::new(path, what, way_out) }
    }

    pub(crate) fn with_kind(self, kind: io::ErrorKind) -> Self {
        WriteError { kind, ..self }
    }

    /// The same, with more of what is wrong.
    pub(crate) fn and(mut self, more: &str) -> Self {
        self.what += more;
        self
    }

    /// The file as the user named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What kind of error it is.
    pub fn kind(&self) -> io::ErrorKind {
        self.kind
    }

    /// The system's number of the error, where it was the system that refused.
    pub fn code(&self) -> Option<i32> {
        self.code
    }

    /// What is wrong and the way out, without the name of the file.
    pub fn reason(&self) -> String {
        // A colon in the way out would be taken for the border before it.
        format!("{}: {}", printable(&self.what), printable(&self.way_out).replace(": ", ":"))
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", printable(&self.path.to_string_lossy()), self.reason())
    }
}

impl Error for WriteError {}
