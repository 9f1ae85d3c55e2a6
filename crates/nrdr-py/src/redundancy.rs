//! How redundant any embedding is.

use nrdr::{Bandwidth, Points, RedundancyOptions};
use nrdr_report::found;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failure::Failure;
use crate::input::dense;
use crate::work::work;

/// The redundancy of the columns of `embedding` as JSON. If `lenient`, a sentence where it cannot be measured.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn redundancy(
    py: Python<'_>,
    embedding: &Bound<'_, PyAny>,
    bandwidth: &str,
    sample: usize,
    accuracy: f64,
    seed: u64,
    threads: Option<usize>,
    lenient: bool,
) -> PyResult<String> {
    let bandwidth = match bandwidth {
        "best" => Bandwidth::Best,
        "median-third" => Bandwidth::MedianThird,
        "datafold" => Bandwidth::Datafold,
        other => {
            return Err(PyValueError::new_err(format!(
                "bandwidth = '{other}' is out of range: it must be best, median-third, datafold"
            )));
        }
    };
    let (values, columns) = dense(embedding)?;
    work(py, threads, None, move |link| {
        let points = Points::new(values, columns)?;
        let options = RedundancyOptions { bandwidth, sample, seed, accuracy };
        let told = match nrdr::redundancy(&points, &options, link) {
            Ok(redundancy) => serde_json::to_string(&redundancy),
            Err(error) => match found::why_unmeasured(&error).filter(|_| lenient) {
                Some(why) => serde_json::to_string(&why),
                None => return Err(error.into()),
            },
        };
        told.map_err(|error| Failure::Usage(error.to_string()))
    })
}

/// What errors of prediction mean, in a sentence; beside those of the original method, if they are given.
#[pyfunction]
#[pyo3(signature = (dims, errors, original=None))]
pub(crate) fn verdict(dims: usize, errors: Vec<f64>, original: Option<Vec<f64>>) -> String {
    found::verdict_of(dims, &errors, original.as_deref())
}
