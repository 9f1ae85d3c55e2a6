//! An embedding of what Python brought.

use nrdr::quality::Sample;
use nrdr::{Embedding, Error, Options, Prepared, Remark};
use nrdr_checkpoint::Checkpoint;
use nrdr_model::{ModelFile, Preparation};
use nrdr_report::{Facts, Found};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::Parameters;
use crate::failure::{Failure, Python as Words, of_strategy};
use crate::input::{Given, Values, array};
use crate::model::Model;
use crate::work::work;

/// Coordinates, and what is known of them as JSON.
type Told<'py> = (Bound<'py, PyArray2<f64>>, String);
/// Rows of the embedding, and their points.
type Seen<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray2<f64>>);
/// An embedding; the original one beside it, unless it is that; warnings, each with whether it is one of convergence;
/// what new points need, or why they cannot have coordinates; a sample of points to measure embeddings on; and what is to
/// be known of their table.
type Fit<'py> = (
    Told<'py>,
    Option<Told<'py>>,
    Vec<(bool, String)>,
    Option<Model>,
    Option<String>,
    Option<Seen<'py>>,
    Vec<String>,
);

/// What a fit found.
struct Fitted {
    embedding: Embedding,
    original: Option<Embedding>,
    model: Result<nrdr::Model, Error>,
    sample: Option<Sample>,
    /// What is to be known of the table, each with whether it misleads.
    remarks: Vec<(bool, String)>,
}

/// Embeds `data`, which are of a `kind`, by a method. `names` are those of the columns, if they have some.
#[pyfunction]
#[pyo3(signature = (data, kind, method, parameters, progress=None, names=Vec::new()))]
pub(crate) fn fit<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    kind: String,
    method: &str,
    parameters: &Bound<'py, PyDict>,
    progress: Option<Py<PyAny>>,
    names: Vec<String>,
) -> PyResult<Fit<'py>> {
    let parameters = Parameters(parameters);
    let (method, options) = (parameters.method(method)?, parameters.options()?);
    let (threads, checkpoint) = (parameters.threads()?, parameters.checkpoint()?);
    let values = Values::new(data)?;
    let (Fitted { embedding, original, model, sample, remarks }, names) =
        work(py, threads, progress, move |link| {
            let given = values.take_as(&kind, &names, options.neighbors)?;
            let failed = |error| of_strategy(error, &options.strategy, given.size());
            // It lives longer than what is prepared, and is opened when nothing is left to be refused.
            let kept;
            let prepared = Prepared::new(given.input(), method.as_ref(), &options);
            let mut prepared = prepared.map_err(failed)?.observed(link);
            kept = checkpoint.as_deref().map(Checkpoint::open).transpose()?;
            if let Some(kept) = &kept {
                prepared = prepared.checkpointed(kept).map_err(failed)?;
            }
            let fitted = fitted(&prepared, &options).map_err(failed)?;
            Ok((fitted.with(&given, &names, options.seed), names))
        })?;
    let found = Found::unmeasured(embedding);
    let warnings = found.embedding.warnings.iter();
    let warnings = warnings.map(|warning| (warning.is_numerical(), warning.told(&Words)));
    let misleading = remarks.iter().filter(|(misleads, _)| *misleads);
    let warnings = misleading.map(|(_, text)| (false, text.clone())).chain(warnings).collect();
    let original = original.map(|original| told(py, &Found::unmeasured(original))).transpose()?;
    let (model, why) = match model {
        Ok(model) => (Some(kept(model, &found, names)?), None),
        Err(error) => (None, Some(error.told(&Words))),
    };
    let sample = sample.map(|sample| seen(py, &sample)).transpose()?;
    let notes = remarks.into_iter().map(|(_, text)| text).collect();
    Ok((told(py, &found)?, original, warnings, model, why, sample, notes))
}

impl Fitted {
    /// The same with a sample of the points, if they are these, and what is to be known of their table.
    fn with(self, given: &Given, names: &[String], seed: u64) -> Self {
        let Given::Points(points) = given else { return self };
        let sample = Sample::new(points, &self.embedding.embedded(), seed);
        let told = |remark: Remark| (remark.misleads(), remark.told(names, &Words));
        let remarks = nrdr::remarks(points, names).into_iter().map(told).collect();
        Fitted { sample: Some(sample), remarks, ..self }
    }
}

/// The embedding, with a model if it can be extended, and the original one of the same size.
fn fitted(prepared: &Prepared<'_>, options: &Options) -> nrdr::Result<Fitted> {
    let strategy = &options.strategy;
    let (embedding, model) = match prepared.fit(strategy) {
        Ok((embedding, model)) => (embedding, Ok(model)),
        // An embedding all the same.
        Err(error @ Error::CannotExtend { .. }) => (prepared.embed(strategy)?, Err(error)),
        Err(error) => return Err(error),
    };
    let original = !strategy.is_original();
    let original = original.then(|| prepared.original(embedding.dims())).transpose()?;
    Ok(Fitted { embedding, original, model, sample: None, remarks: Vec::new() })
}

/// What new points need, with the names of the columns, if they have some.
fn kept(model: nrdr::Model, found: &Found, names: Vec<String>) -> PyResult<Model> {
    let facts = Facts::new(found, &Words);
    let names = Some(names).filter(|names| !names.is_empty());
    let model = ModelFile::new(model, Preparation::default(), names, &facts);
    Ok(Model::new(model.map_err(Failure::Library)?))
}

fn seen<'py>(py: Python<'py>, sample: &Sample) -> PyResult<Seen<'py>> {
    Ok((PyArray1::from_slice(py, sample.rows()), array(py, sample.points())?))
}

fn told<'py>(py: Python<'py>, found: &Found) -> PyResult<Told<'py>> {
    let table = table(py, &found.embedding)?;
    let facts = serde_json::to_string(&Facts::in_full(found, &Words));
    let facts = facts.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok((table, facts))
}

/// A row for each point.
fn table<'py>(py: Python<'py>, embedding: &Embedding) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (rows, dims) = (embedding.len(), embedding.dims());
    let values: Vec<f64> = (0..rows).flat_map(|n| embedding.row(n)).collect();
    PyArray1::from_vec(py, values).reshape([rows, dims])
}
