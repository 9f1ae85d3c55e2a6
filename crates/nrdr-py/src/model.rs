//! What new points need of a fit.

use std::sync::Arc;

use nrdr::{Nearby, Points};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arguments::Parameters;
use crate::failure::{Failure, Python as Words};
use crate::input::{Values, array};
use crate::work::work;

/// Points, and a row of coordinates for each.
type Table<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>);

/// Why a method under a strategy has no coordinates of new points, if it has none.
#[pyfunction]
pub(crate) fn inextensible(
    method: &str,
    parameters: &Bound<'_, PyDict>,
) -> PyResult<Option<String>> {
    let parameters = Parameters(parameters);
    let (method, options) = (parameters.method(method)?, parameters.options()?);
    let checked = nrdr::Model::check_extension(method.as_ref(), &options.strategy);
    Ok(checked.err().map(|error| error.told(&Words)))
}

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
    /// The coordinates of new points, a row each.
    #[pyo3(signature = (data, threads=None, progress=None))]
    fn transform<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let values = Values::new(data)?;
        let model = Arc::clone(&self.0);
        let found = work(py, threads, progress, move |link| {
            Ok(match values {
                Values::Dense { values, columns } => {
                    model.transform(&Points::new(values, columns)?, link)?
                }
                Values::Sparse { offsets, columns, values } => {
                    model.transform_nearby(&Nearby::new(offsets, columns, values)?, link)?
                }
            })
        })?;
        array(py, &found)
    }

    /// The training points and their coordinates, row by row, where the fit was to points.
    fn training<'py>(&self, py: Python<'py>) -> PyResult<Option<Table<'py>>> {
        let Ok(points) = self.0.training().points() else { return Ok(None) };
        Ok(Some((array(py, points)?, array(py, self.0.values())?)))
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
