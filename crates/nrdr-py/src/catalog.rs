//! What methods and strategies there are.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Methods and strategies with their parameters, as JSON.
#[pyfunction]
pub(crate) fn catalog() -> PyResult<String> {
    serde_json::to_string(&nrdr::catalog::catalog())
        .map_err(|error| PyValueError::new_err(error.to_string()))
}
