//! Errors as Python raises them, in the words of the Python package.

use std::fmt;

use nrdr::{Error, Strategy};
use pyo3::PyErr;
use pyo3::exceptions::{PyRuntimeError, PyValueError};

/// What can end a piece of work.
pub(crate) enum Failure {
    /// The library refused or failed.
    Library(Error),
    /// What was asked for makes no sense.
    Usage(String),
    /// A mistake in nrdr itself.
    Panic(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Library(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Library(error) => f.write_str(&in_words_of_python(error)),
            Failure::Usage(message) => f.write_str(message),
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
            Failure::Library(_) | Failure::Usage(_) => PyValueError::new_err(message),
            Failure::Panic(_) => PyRuntimeError::new_err(message),
        }
    }
}

/// What became of a strategy on `size` points. Selection measures candidates: these may show fewer points than there
/// are, where many have the same coordinates.
pub(crate) fn of_strategy(error: Error, strategy: &Strategy, size: usize) -> Failure {
    match (error, strategy) {
        (Error::TooFewPoints { points, needed }, Strategy::Selection(_)) if points < size => {
            Failure::Usage(format!(
                "the candidates of strategy=\"selection\" tell only {points} of {size} points apart, {needed} are \
                 needed: lower candidates or choose another strategy"
            ))
        }
        (error, _) => error.into(),
    }
}

/// The library's words, with its parameters as they are spelled in Python.
pub(crate) fn in_words_of_python(message: &impl ToString) -> String {
    let words = [
        ("raise neighbors", "raise n_neighbors"),
        ("lower neighbors", "lower n_neighbors"),
        ("lower the local dimension", "lower local_dim"),
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
        (
            "the strategy unpredictable, orthogonal or selection, or the method",
            "strategy=\"unpredictable\", \"orthogonal\" or \"selection\", or",
        ),
        (" with method ", " with "),
    ];
    let text = words.iter().fold(message.to_string(), |text, (from, to)| text.replace(from, to));
    let text = match text.starts_with("neighbors =") {
        true => format!("n_{text}"),
        false => text,
    };
    text.split_inclusive(|c: char| !c.is_alphanumeric()).map(spelled).collect()
}

/// A word, and what ends it, with a method as its class is called.
fn spelled(word: &str) -> String {
    let methods = [
        ("lem", "LaplacianEigenmaps"),
        ("dfm", "DiffusionMaps"),
        ("lle", "LocallyLinearEmbedding"),
        ("hlle", "HessianEigenmaps"),
        ("ltsa", "LTSA"),
        ("isomap", "Isomap"),
        ("kpca", "KernelPCA"),
    ];
    let name = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    match methods.iter().find(|(short, _)| *short == name) {
        Some((_, class)) => format!("{class}{}", &word[name.len()..]),
        None => word.to_string(),
    }
}
