//! Several strategies side by side.

use nrdr::{Known, Points};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};

use crate::arguments::Parameters;
use crate::failure::of_strategy;
use crate::input::dense;
use crate::work::work;

/// Runs strategies on points and measures what they found: a JSON list, an object each.
#[pyfunction]
#[pyo3(signature = (data, method, parameters, strategies, truth=None, labels=None, progress=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn compare(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    method: &str,
    parameters: &Bound<'_, PyDict>,
    strategies: Vec<String>,
    truth: Option<&Bound<'_, PyAny>>,
    labels: Option<Vec<u32>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let parameters = Parameters(parameters);
    let (method, options) = (parameters.method(method)?, parameters.options()?);
    let strategies = parameters.strategies_named(&strategies)?;
    let threads = parameters.threads()?;
    let (values, columns) = dense(data)?;
    let truth = truth.map(dense).transpose()?;
    work(py, threads, progress, move |link| {
        let points = Points::new(values, columns)?;
        let truth = truth.map(|(values, columns)| Points::new(values, columns)).transpose()?;
        let known = Known { parameters: truth.as_ref(), labels: labels.as_deref() };
        let method = method.as_ref();
        let results = nrdr::compare(&points, method, &options, &strategies, known, Some(link))?;
        let row = |(strategy, result): (&nrdr::Strategy, nrdr::Result<nrdr::Compared>)| match result
        {
            Err(error) => {
                let error = of_strategy(error, strategy, points.rows()).to_string();
                json!({"strategy": strategy.name(), "error": error})
            }
            Ok(found) => json!({
                "strategy": strategy.name(),
                "n_components": found.embedding.dims(),
                "errors": found.redundancy.map(|redundancy| redundancy.errors),
                "trustworthiness": found.preservation.trustworthiness,
                "continuity": found.preservation.continuity,
                "neighborhoods": found.preservation.neighborhoods,
                "accuracy": found.accuracy,
                "recovered": found.recovered,
                "seconds": found.embedding.time().as_secs_f64(),
            }),
        };
        Ok(Value::Array(strategies.iter().zip(results).map(row).collect()).to_string())
    })
}
