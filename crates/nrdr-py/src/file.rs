//! Files, written as the command line writes them.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use nrdr_write::{WriteError, check_place, write_atomically};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

/// Raises OSError, before any work, if a file cannot be written there.
#[pyfunction]
pub(crate) fn check_output(py: Python<'_>, path: PathBuf) -> PyResult<()> {
    py.detach(|| check_place(&path, &[])).map_err(raised)
}

/// Writes a file that is there whole or, on any error, as it was before.
#[pyfunction]
pub(crate) fn write(py: Python<'_>, path: PathBuf, content: &[u8]) -> PyResult<()> {
    py.detach(|| write_atomically(&path, |out| out.write_all(content))).map_err(raised)
}

/// A text in one line that a terminal or an XML file shows as it is.
#[pyfunction]
pub(crate) fn printable(text: &str) -> String {
    nrdr_write::printable(text)
}

/// What could not be written, as Python raises it.
pub(crate) fn raised(error: WriteError) -> PyErr {
    let number = error.code().unwrap_or_else(|| number_of(error.kind()));
    os_error(number, error.reason(), error.path())
}

/// What could not be read, as Python raises it.
pub(crate) fn unread(path: &Path, error: &io::Error) -> PyErr {
    let number = error.raw_os_error().unwrap_or_else(|| number_of(error.kind()));
    os_error(number, format!("cannot be read ({error}): check the path"), path)
}

/// OSError, from whose number Python makes FileNotFoundError and the like.
fn os_error(number: i32, reason: String, path: &Path) -> PyErr {
    PyOSError::new_err((number, reason, path.as_os_str().to_os_string()))
}

fn number_of(kind: ErrorKind) -> i32 {
    match kind {
        ErrorKind::NotFound => 2,
        ErrorKind::PermissionDenied => 13,
        ErrorKind::IsADirectory => 21,
        _ => 22,
    }
}
