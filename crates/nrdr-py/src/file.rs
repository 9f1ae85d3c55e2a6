//! Files, written as the command line writes them.

use std::io::{ErrorKind, Write};
use std::path::PathBuf;

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

/// OSError, from whose number Python makes FileNotFoundError and the like.
pub(crate) fn raised(error: WriteError) -> PyErr {
    let number = error.code().unwrap_or(match error.kind() {
        ErrorKind::NotFound => 2,
        ErrorKind::PermissionDenied => 13,
        ErrorKind::IsADirectory => 21,
        _ => 22,
    });
    PyOSError::new_err((number, error.reason(), error.path().as_os_str().to_os_string()))
}
