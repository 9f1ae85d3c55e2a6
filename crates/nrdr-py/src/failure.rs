//! Errors as Python raises them, in the words of the Python package.

use pyo3::PyErr;
use pyo3::exceptions::{PyRuntimeError, PyValueError};

/// What can end a piece of work.
pub(crate) enum Failure {
    /// The library refused or failed.
    Library(nrdr::Error),
    /// What was asked for makes no sense.
    Usage(String),
    /// A mistake in nrdr itself.
    Panic(String),
}

impl From<nrdr::Error> for Failure {
    fn from(error: nrdr::Error) -> Self {
        Failure::Library(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Library(error) => PyValueError::new_err(in_words_of_python(&error)),
            Failure::Usage(message) => PyValueError::new_err(message),
            Failure::Panic(message) => PyRuntimeError::new_err(format!(
                "this should not have happened, please report it: {message}"
            )),
        }
    }
}

/// The library's words, with its parameters as they are spelled in Python.
pub(crate) fn in_words_of_python(message: &impl ToString) -> String {
    let words = [
        ("raise neighbors", "raise n_neighbors"),
        ("more neighbors may", "more n_neighbors may"),
        (
            "choose components = connect or largest",
            "choose components=\"connect\" or components=\"largest\"",
        ),
        ("choose components = largest", "choose components=\"largest\""),
        (
            "raise max_iterations or choose another solver",
            "raise max_iter or choose another eigen_solver",
        ),
        ("max_iterations =", "max_iter ="),
        ("tolerance =", "tol ="),
        ("local_dimension =", "local_dim ="),
        ("regularization =", "reg ="),
        ("threads =", "n_jobs ="),
        ("dims =", "n_components ="),
    ];
    words.iter().fold(message.to_string(), |text, (from, to)| text.replace(from, to))
}
