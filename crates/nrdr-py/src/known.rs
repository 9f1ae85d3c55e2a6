//! What is known of points beside their numbers, as Python tells it, and what coordinates tell of it.

use nrdr::Points;
use nrdr_report::meaning::meanings_of;
use nrdr_report::{Known, Label};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failure::Failure;
use crate::input::dense;
use crate::work::work;

/// A table and the names of its columns.
pub(crate) type Named<'py> = (Bound<'py, PyAny>, Vec<String>);
/// A name, and a number for each point, NaN where there is none.
pub(crate) type Numbers<'py> = (String, PyReadonlyArray1<'py, f64>);

/// A name, the different texts, and which of them each point has.
#[derive(Clone, Debug, FromPyObject)]
pub(crate) struct Texts(String, Vec<String>, Vec<u32>);

impl Texts {
    /// Whether there is a text for each of so many points.
    pub(crate) fn fits(&self, points: usize) -> bool {
        let Texts(_, distinct, codes) = self;
        codes.len() == points && codes.iter().all(|&code| (code as usize) < distinct.len())
    }

    pub(crate) fn label(&self) -> Label<'_> {
        let Texts(name, distinct, codes) = self;
        Label { name, distinct, codes }
    }
}

/// The error of parts that have other numbers of points.
pub(crate) fn misfit() -> PyErr {
    PyValueError::new_err("the parts do not fit each other")
}

/// Numbers as the library takes them.
pub(crate) fn numbers_of(given: &[Numbers<'_>]) -> Vec<(String, Vec<f64>)> {
    given.iter().map(|(name, values)| (name.clone(), values.as_array().to_vec())).collect()
}

/// What each coordinate of an embedding, of which row i is that of point `rows[i]`, tells of columns, numbers and labels of the
/// points: a JSON list.
#[pyfunction]
#[pyo3(signature = (embedding, rows, columns, numbers, labels, seed, threads=None))]
#[expect(clippy::too_many_arguments, reason = "the arguments of a call from Python")]
pub(crate) fn explain(
    py: Python<'_>,
    embedding: &Bound<'_, PyAny>,
    rows: PyReadonlyArray1<'_, u32>,
    columns: Option<Named<'_>>,
    numbers: Vec<Numbers<'_>>,
    labels: Vec<Texts>,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<String> {
    let (values, dims) = dense(embedding)?;
    let rows = rows.as_array().to_vec();
    let columns =
        columns.map(|(table, names)| Ok::<_, PyErr>((dense(&table)?, names))).transpose()?;
    let numbers = numbers_of(&numbers);
    let points = rows.iter().map(|&row| row as usize + 1).max().unwrap_or(0);
    let enough = columns.as_ref().is_none_or(|((values, width), _)| values.len() >= points * width)
        && numbers.iter().all(|(_, values)| values.len() >= points)
        && labels.iter().all(|label| label.label().codes.len() >= points)
        && values.len() == rows.len() * dims;
    if !enough {
        return Err(misfit());
    }
    work(py, threads, None, move |_| {
        let embedding = Points::new(values, dims)?;
        let columns =
            columns.map(|((values, width), names)| Ok((Points::new(values, width)?, names)));
        let columns = columns.transpose().map_err(|error: nrdr::Error| Failure::Library(error))?;
        let known = Known {
            columns: columns.as_ref().map(|(table, names)| (table, names.as_slice())),
            truth: None,
            numbers: numbers.iter().map(|(name, of)| (name.as_str(), of.as_slice())).collect(),
            labels: labels.iter().map(Texts::label).collect(),
        };
        let found = meanings_of(&embedding, &rows, &known, seed)?;
        serde_json::to_string(&found).map_err(|error| Failure::Usage(error.to_string()))
    })
}
