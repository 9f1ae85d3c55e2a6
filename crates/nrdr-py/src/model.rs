//! What new points need of a fit.

use std::sync::Arc;

use nrdr::Points;
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::failure::{Failure, of_columns};
use crate::input::{array, dense};
use crate::work::work;

/// What is kept of a fit so that new points can have coordinates.
#[pyclass(frozen, module = "nrdr._nrdr")]
pub(crate) struct Model(Arc<nrdr::Model>);

impl Model {
    pub(crate) fn new(model: nrdr::Model) -> Self {
        Model(Arc::new(model))
    }
}

#[pymethods]
impl Model {
    /// The coordinates of new points, a row each. `names` are those of their columns, if they have some.
    #[pyo3(signature = (data, threads=None, progress=None, names=Vec::new()))]
    fn transform<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
        names: Vec<String>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (values, columns) = dense(data)?;
        let model = Arc::clone(&self.0);
        let found = work(py, threads, progress, move |link| {
            let points = Points::new(values, columns).map_err(|error| of_columns(error, &names))?;
            Ok(model.transform(&points, link)?)
        })?;
        array(py, &found)
    }

    /// The model file, as the command line writes it.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.0.to_bytes()).map_err(Failure::Library)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The model that a file holds.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        Ok(Model::new(py.detach(|| nrdr::Model::from_bytes(bytes)).map_err(Failure::Library)?))
    }

    /// For pickle.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let make = py.get_type::<Model>().getattr("from_bytes")?;
        Ok((make, (self.to_bytes(py)?,).into_pyobject(py)?.into_any()))
    }
}
