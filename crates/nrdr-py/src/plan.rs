//! What a fit would take, without fitting.

use nrdr::{Plan, Prepared};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::Parameters;
use crate::failure::Python as Words;
use crate::input::Values;
use crate::work::work;

/// The plan of a fit of `data`, which are of a `kind`, as JSON; and what would fit where it does not, in words.
#[pyfunction]
#[pyo3(signature = (data, kind, method, parameters, names=Vec::new()))]
pub(crate) fn plan(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    kind: String,
    method: &str,
    parameters: &Bound<'_, PyDict>,
    names: Vec<String>,
) -> PyResult<(String, Vec<String>)> {
    let parameters = Parameters(parameters);
    let (method, options) = (parameters.method(method)?, parameters.options()?);
    let (threads, values) = (parameters.threads()?, Values::new(data)?);
    let plan: Plan = work(py, threads, None, move |_| {
        let given = values.take_as(&kind, &names, options.neighbors)?;
        let prepared = Prepared::new(given.input(), method.as_ref(), &options)?;
        Ok(prepared.plan(&options.strategy)?)
    })?;
    let text = serde_json::to_string(&plan);
    let text = text.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok((text, plan.instead.iter().filter_map(|one| one.told(&Words)).collect()))
}
