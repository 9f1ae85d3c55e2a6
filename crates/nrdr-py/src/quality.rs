//! How good an embedding is.

use nrdr::quality::{Quality, Sample};
use nrdr::{Error, Points};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failure::{Failure, Python as Words};
use crate::input::dense;
use crate::work::work;

/// The quality of an embedding as JSON, on a sample of its rows and their points; `null` where it cannot be measured.
/// Labels are those of all rows.
#[pyfunction]
#[pyo3(signature = (rows, points, embedding, labels=None, threads=None))]
pub(crate) fn quality(
    py: Python<'_>,
    rows: PyReadonlyArray1<'_, u32>,
    points: &Bound<'_, PyAny>,
    embedding: &Bound<'_, PyAny>,
    labels: Option<Vec<u32>>,
    threads: Option<usize>,
) -> PyResult<String> {
    let rows = rows.as_array().to_vec();
    let (points, embedding) = (dense(points)?, dense(embedding)?);
    work(py, threads, None, move |_| {
        let sample = Sample::from_parts(rows, Points::new(points.0, points.1)?)?;
        let embedding = Points::new(embedding.0, embedding.1)?;
        let told = match sample.quality(&embedding, labels.as_deref()) {
            Ok(quality) => serde_json::to_string(&quality),
            Err(Error::TooFewPoints { .. }) => Ok("null".to_string()),
            Err(error) => return Err(error.into()),
        };
        told.map_err(|error| Failure::Usage(error.to_string()))
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
