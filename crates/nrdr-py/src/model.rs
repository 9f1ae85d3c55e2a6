//! What new points need of a fit.

use std::path::PathBuf;
use std::sync::Arc;

use nrdr::{Nearby, Points};
use nrdr_model::{ModelFile, Unread};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arguments::Parameters;
use crate::failure::{Failure, Python as Words, of_columns};
use crate::file::unread;
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

/// What a model holds, and what is known of the fit, as JSON; the names of the columns, if they have some; and how many
/// columns there are.
type Told = (String, Option<String>, Option<Vec<String>>, usize);

/// What is kept of a fit so that new points can have coordinates.
#[pyclass(frozen, module = "nrdr._nrdr")]
pub(crate) struct Model(Arc<ModelFile>);

impl Model {
    pub(crate) fn new(model: ModelFile) -> Self {
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
        let values = Values::new(data)?;
        let model = Arc::clone(&self.0);
        let found = work(py, threads, progress, move |link| {
            Ok(match values {
                Values::Dense { values, columns } => {
                    let points =
                        Points::new(values, columns).map_err(|error| of_columns(error, &names))?;
                    model.transform(points, link)?
                }
                Values::Sparse { offsets, columns, values } => {
                    let near = Nearby::new(offsets, columns, values)?;
                    model.model().transform_nearby(&near, link)?
                }
            })
        })?;
        array(py, &found)
    }

    /// The training points and their coordinates, row by row in the order of the input if that is known, where the fit was to
    /// points.
    fn training<'py>(&self, py: Python<'py>) -> PyResult<Option<Table<'py>>> {
        let model = self.0.model();
        let Ok(points) = model.training().points() else { return Ok(None) };
        Ok(Some(match model.order() {
            Some(order) => {
                (array(py, &points.select(&order))?, array(py, &model.values().select(&order))?)
            }
            None => (array(py, points)?, array(py, model.values())?),
        }))
    }

    /// The model file, as the command line writes it.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.0.to_bytes()).map_err(Failure::Library)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The model that a file holds.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        Ok(Model::new(py.detach(|| ModelFile::from_bytes(bytes)).map_err(Failure::Library)?))
    }

    /// The model in a file, which an error names.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        py.detach(|| ModelFile::read(&path)).map(Model::new).map_err(|error| match error {
            Unread::File(path, error) => unread(&path, &error),
            error @ Unread::Content(..) => Failure::Usage(error.to_string()).into(),
        })
    }

    /// What there is to know of it.
    fn held(&self) -> PyResult<Told> {
        let names = self.0.names().map(<[String]>::to_vec);
        let held = self.0.held(names.as_deref().unwrap_or_default());
        let text = serde_json::to_string(&held);
        let text = text.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok((text, self.0.facts().map(str::to_string), names, self.0.columns()))
    }

    /// The embedding, a row for each of the input; `None` where the file does not tell the order.
    fn embedding<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let Some(values) = self.0.model().embedding() else { return Ok(None) };
        let dims = self.0.model().dims();
        let rows = values.len() / dims;
        PyArray1::from_vec(py, values).reshape([rows, dims]).map(Some)
    }

    /// For pickle.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let make = py.get_type::<Model>().getattr("from_bytes")?;
        Ok((make, (self.to_bytes(py)?,).into_pyobject(py)?.into_any()))
    }
}
