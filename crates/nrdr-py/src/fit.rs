//! An embedding of what Python brought.

use nrdr::{Embedding, Error, Method, Options, Warning, embed_observed, fit_observed};
use nrdr_report::{Found, json};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::Parameters;
use crate::failure::{Failure, in_words_of_python, of_strategy};
use crate::input::{Given, Values};
use crate::model::Model;
use crate::work::{Link, work};

/// Coordinates, what is known of them as JSON, warnings, each with whether it is one of convergence, and what new
/// points need, or why they cannot have coordinates.
type Fit<'py> =
    (Bound<'py, PyArray2<f64>>, String, Vec<(bool, String)>, Option<Model>, Option<String>);

/// What a fit found.
struct Fitted {
    embedding: Embedding,
    model: Result<nrdr::Model, Error>,
    /// Coordinates that did not converge as they should.
    slow: Vec<Error>,
}

/// Embeds `data`, which are of a `kind`, by a method.
#[pyfunction]
#[pyo3(signature = (data, kind, method, parameters, progress=None))]
pub(crate) fn fit<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    kind: String,
    method: &str,
    parameters: &Bound<'py, PyDict>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Fit<'py>> {
    let parameters = Parameters(parameters);
    let (method, options) = (parameters.method(method)?, parameters.options()?);
    let threads = parameters.threads()?;
    let values = Values::new(data)?;
    let Fitted { embedding, model, slow } = work(py, threads, progress, move |link| {
        let given = values.take_as(&kind, options.neighbors)?;
        patiently(&given, method.as_ref(), options, link)
    })?;
    let warning = |warning: &Warning| {
        let convergence = matches!(
            warning,
            Warning::Spent { .. }
                | Warning::Rounding { .. }
                | Warning::Mixed { .. }
                | Warning::Leaked { .. }
                | Warning::Halted { .. }
        );
        (convergence, in_words_of_python(warning))
    };
    let mut warnings: Vec<(bool, String)> = embedding.warnings.iter().map(warning).collect();
    warnings.extend(slow.iter().map(|error| (true, in_words_of_python(error))));
    let table = table(py, &embedding)?;
    let mut facts = json::in_full(&Found { embedding, redundancy: None, unmeasured: None });
    facts["warnings"] = warnings.iter().map(|(_, text)| text.as_str()).collect();
    let (model, why) = match model {
        Ok(model) => (Some(Model::new(model)), None),
        Err(error) => (None, Some(in_words_of_python(&error))),
    };
    Ok((table, facts.to_string(), warnings, model, why))
}

/// How often a coordinate that did not converge is tried again.
const ATTEMPTS: usize = 3;
/// No residual beyond this is worth having.
const WORST: f64 = 1e-3;

/// Where a coordinate does not converge, the residual it reached is made do with, and the error is told beside.
fn patiently(
    given: &Given,
    method: &dyn Method,
    mut options: Options,
    link: &Link,
) -> Result<Fitted, Failure> {
    let mut slow = Vec::new();
    loop {
        let fitted = match fit_observed(given.input(), method, &options, link) {
            Ok((embedding, model)) => Ok((embedding, Ok(model))),
            // An embedding all the same.
            Err(error @ Error::CannotExtend { .. }) => {
                let embedding = embed_observed(given.input(), method, &options, link);
                embedding.map(|embedding| (embedding, Err(error)))
            }
            Err(error) => Err(error),
        };
        match fitted {
            Err(error @ Error::NotConverged { residual, .. })
                if slow.len() < ATTEMPTS && residual < WORST =>
            {
                options.solver.tolerance = (2.0 * residual).max(2.0 * options.solver.tolerance);
                slow.push(error);
            }
            Err(error) => return Err(of_strategy(error, &options.strategy, given.size())),
            Ok((embedding, model)) => return Ok(Fitted { embedding, model, slow }),
        }
    }
}

/// A row for each point.
fn table<'py>(py: Python<'py>, embedding: &Embedding) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (rows, dims) = (embedding.len(), embedding.dims());
    let values: Vec<f64> = (0..rows).flat_map(|n| embedding.row(n)).collect();
    PyArray1::from_vec(py, values).reshape([rows, dims])
}
