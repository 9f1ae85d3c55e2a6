//! Errors as Python raises them, in the words of the Python package.

use std::fmt;

use nrdr::{Error, Strategy, Vocabulary, either, method};
use nrdr_write::WriteError;
use pyo3::PyErr;
use pyo3::exceptions::{PyRuntimeError, PyValueError};

use crate::file::raised;

/// What can end a piece of work.
pub(crate) enum Failure {
    /// The library refused or failed.
    Library(Error),
    /// What was asked for makes no sense.
    Usage(String),
    /// A file could not be written.
    Written(WriteError),
    /// A mistake in nrdr itself.
    Panic(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Library(error)
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Failure::Written(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Library(error) => f.write_str(&error.told(&Python)),
            Failure::Usage(message) => f.write_str(message),
            Failure::Written(error) => error.fmt(f),
            Failure::Panic(message) => {
                write!(f, "this should not have happened, please report it: {message}")
            }
        }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        let message = failure.to_string();
        match failure {
            Failure::Written(error) => raised(error),
            Failure::Library(_) | Failure::Usage(_) => PyValueError::new_err(message),
            Failure::Panic(_) => PyRuntimeError::new_err(message),
        }
    }
}

/// What became of a strategy on `size` points. Selection measures candidates: these may show fewer points than there
/// are, where many have the same coordinates.
pub(crate) fn of_strategy(error: Error, strategy: &Strategy, size: usize) -> Failure {
    match (error, strategy.name()) {
        (Error::TooFewPoints { points, needed }, "selection") if points < size => {
            Failure::Usage(format!(
                "the candidates of strategy=\"selection\" tell only {points} of {size} points apart, {needed} are \
                 needed: lower candidates or choose another strategy"
            ))
        }
        (error, _) => error.into(),
    }
}

/// What is wrong with points whose columns have these names, or none.
pub(crate) fn of_columns(error: Error, names: &[String]) -> Failure {
    match error {
        Error::NotFinite { .. } => Failure::Usage(error.told(&Named(names))),
        error => error.into(),
    }
}

/// Columns by their names, and else as they are spelled in Python.
struct Named<'n>(&'n [String]);

impl Vocabulary for Named<'_> {
    fn parameter(&self, name: &str) -> Option<String> {
        Python.parameter(name)
    }

    fn setting(&self, name: &str, values: &[&str]) -> Option<String> {
        Python.setting(name, values)
    }

    fn method(&self, name: &str) -> String {
        Python.method(name)
    }

    fn column(&self, at: usize) -> String {
        let name = self.0.get(at).map(|name| format!("\"{}\"", nrdr_write::printable(name)));
        name.unwrap_or_else(|| Python.column(at))
    }
}

/// Parameters and methods as they are spelled in Python.
pub(crate) struct Python;

impl Vocabulary for Python {
    fn parameter(&self, name: &str) -> Option<String> {
        let spelled = match name {
            "neighbors" => "n_neighbors",
            "dims" => "n_components",
            "max_iterations" => "max_iter",
            "tolerance" => "tol",
            "solver" => "eigen_solver",
            "threads" => "n_jobs",
            "standardize" => "sklearn.preprocessing.StandardScaler",
            "pca" => "sklearn.decomposition.PCA",
            // A class is the method, the threshold is left to the library, and columns are the user's.
            "method" | "threshold" | "drop" => return None,
            other => other,
        };
        Some(spelled.to_string())
    }

    fn setting(&self, name: &str, values: &[&str]) -> Option<String> {
        // A number is no text.
        let is_number = |value: &str| value.parse::<f64>().is_ok();
        let literal = |value: &&str| {
            if is_number(value) { value.to_string() } else { format!("\"{value}\"") }
        };
        let values: Vec<String> = values.iter().map(literal).collect();
        self.parameter(name).map(|name| format!("{name}={}", either(&values)))
    }

    fn method(&self, name: &str) -> String {
        method::by_name(name)
            .map_or_else(|_| name.to_string(), |method| method.about().class.to_string())
    }
}
