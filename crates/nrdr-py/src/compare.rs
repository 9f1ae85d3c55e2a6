//! Several strategies side by side.

use nrdr::{Known, Points, Prepared};
use nrdr_report::facts::{Measured, Row};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::Parameters;
use crate::failure::{Failure, Python as Words, of_strategy};
use crate::input::dense;
use crate::work::work;

/// Runs strategies on points and measures what they found: a JSON list, an object each, as in the command line's `--json`.
/// `truth` are true parameters and their names.
#[pyfunction]
#[pyo3(signature = (data, method, parameters, strategies, truth=None, labels=None, progress=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn compare(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    method: &str,
    parameters: &Bound<'_, PyDict>,
    strategies: Vec<String>,
    truth: Option<(Bound<'_, PyAny>, Vec<String>)>,
    labels: Option<Vec<u32>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let parameters = Parameters(parameters);
    let (method, options) = (parameters.method(method)?, parameters.options()?);
    let strategies = parameters.strategies_named(&strategies)?;
    let threads = parameters.threads()?;
    let (values, columns) = dense(data)?;
    let (truth, names) = match truth {
        Some((table, names)) => (Some(dense(&table)?), names),
        None => (None, Vec::new()),
    };
    work(py, threads, progress, move |link| {
        let points = Points::new(values, columns)?;
        let truth = truth.map(|(values, columns)| Points::new(values, columns)).transpose()?;
        let known = Known { parameters: truth.as_ref(), labels: labels.as_deref() };
        let prepared = Prepared::new(&points, method.as_ref(), &options)?.observed(link);
        let results = prepared.compare(&strategies, known)?;
        let row = |(strategy, result): (&nrdr::Strategy, nrdr::Result<nrdr::Compared>)| {
            let measured = result.map(Measured::from);
            let told = measured
                .as_ref()
                .map_err(|error| of_strategy(error.clone(), strategy, points.rows()).to_string());
            Row::new(strategy.name(), told, &names, &Words)
        };
        let rows: Vec<Row> = strategies.iter().zip(results).map(row).collect();
        serde_json::to_string(&rows).map_err(|error| Failure::Usage(error.to_string()))
    })
}
