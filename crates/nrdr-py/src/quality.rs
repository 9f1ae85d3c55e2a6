//! How good an embedding is.

use nrdr::quality::{Quality, Sample};
use nrdr::{Error, Metric, Points};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failure::{Failure, Python as Words};
use crate::input::dense;
use crate::work::work;

/// The qualities of embeddings as a JSON list, on a sample of their rows and these points; `null` where they cannot be
/// measured. Labels are those of all rows; neighbours among the points are those by the metric.
#[pyfunction]
#[pyo3(signature = (rows, points, embeddings, labels=None, threads=None, metric="euclidean"))]
pub(crate) fn qualities(
    py: Python<'_>,
    rows: PyReadonlyArray1<'_, u32>,
    points: &Bound<'_, PyAny>,
    embeddings: Vec<Bound<'_, PyAny>>,
    labels: Option<Vec<u32>>,
    threads: Option<usize>,
    metric: &str,
) -> PyResult<String> {
    let metric: Metric = metric.parse().map_err(Failure::Library)?;
    let rows = rows.as_array().to_vec();
    let points = dense(points)?;
    let embeddings = embeddings.iter().map(dense).collect::<PyResult<Vec<_>>>()?;
    work(py, threads, None, move |_| {
        let sample = Sample::from_parts(rows, Points::new(points.0, points.1)?)?.by(metric);
        let tables = embeddings.into_iter().map(|(values, columns)| Points::new(values, columns));
        let tables = tables.collect::<nrdr::Result<Vec<Points>>>()?;
        let tables: Vec<&Points> = tables.iter().collect();
        let qualities = match sample.qualities(&tables, labels.as_deref()) {
            Ok(qualities) => qualities.into_iter().map(Some).collect(),
            Err(Error::TooFewPoints { .. }) => vec![None; tables.len()],
            Err(error) => return Err(error.into()),
        };
        serde_json::to_string(&qualities).map_err(|error| Failure::Usage(error.to_string()))
    })
}

/// What the quality of an embedding means, in sentences; beside that of the original method, if it is given.
#[pyfunction]
#[pyo3(signature = (quality, original=None))]
pub(crate) fn kept(quality: &str, original: Option<&str>) -> PyResult<String> {
    let parsed = |text: &str| {
        serde_json::from_str::<Quality>(text)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    };
    let original = original.map(parsed).transpose()?;
    Ok(nrdr_report::kept::told(&parsed(quality)?, original.as_ref(), &Words))
}
