//! The page that the command line writes as its report.

use nrdr::Points;
use nrdr_report::page::Images;
use nrdr_report::{Facts, Page, Shown, Source};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::input::dense;
use crate::known::{Named, Numbers, Texts, misfit, numbers_of};

/// What a page is made of.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Parts<'py> {
    title: String,
    command: String,
    config: String,
    verdict: String,
    /// Coordinates, and what is known of them as JSON.
    shown: Vec<(Bound<'py, PyAny>, String)>,
    given: Option<Named<'py>>,
    numbers: Vec<Numbers<'py>>,
    labels: Vec<Texts>,
    ids: Option<Texts>,
    images: Option<(usize, usize)>,
    seed: u64,
}

/// The text of the page.
#[pyfunction]
pub(crate) fn page(parts: Parts<'_>) -> PyResult<String> {
    let mut embeddings = Vec::new();
    for (coordinates, facts) in &parts.shown {
        embeddings.push((columns(coordinates)?, from_json::<Facts>(facts)?));
    }
    let n = embeddings.first().and_then(|(columns, _)| columns.first()).map_or(0, Vec::len);
    let given = parts.given.as_ref().map(|(table, _)| points(table, n)).transpose()?;
    let names = parts.given.as_ref().map(|(_, names)| names.as_slice()).unwrap_or_default();
    let numbers = numbers_of(&parts.numbers);
    let fits = |columns: &Vec<Vec<f64>>| columns.iter().all(|column| column.len() == n);
    let labels = parts.labels.iter().chain(&parts.ids).all(|texts| texts.fits(n));
    let numbered = numbers.iter().all(|(_, values)| values.len() == n);
    if !(labels && numbered && embeddings.iter().all(|(columns, _)| fits(columns))) {
        return Err(misfit());
    }
    let page = Page {
        command: &parts.command,
        config: &from_json::<Map<String, Value>>(&parts.config)?,
        source: Source {
            title: parts.title,
            columns: given.as_ref().map(Points::columns),
            given: given.as_ref(),
            names,
            truth: None,
            numbers: numbers.iter().map(|(name, of)| (name.as_str(), of.as_slice())).collect(),
            labels: parts.labels.iter().map(Texts::label).collect(),
            ids: parts.ids.as_ref().map(Texts::label),
            texts: Vec::new(),
            images: parts.images.map(|(width, height)| Images { width, height, channels: 1 }),
            total: n,
            kept: None,
            notes: &[],
        },
        verdict: parts.verdict,
        shown: embeddings
            .iter()
            .map(|(columns, facts)| Shown {
                coordinates: columns.iter().map(Vec::as_slice).collect(),
                facts: facts.clone(),
            })
            .collect(),
        ours: embeddings.len().saturating_sub(1),
        failed: Vec::new(),
        seed: parts.seed,
    };
    page.html().map_err(|error| PyValueError::new_err(error.to_string()))
}

fn columns(table: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<f64>>> {
    let (values, width) = dense(table)?;
    let column = |c| values.iter().skip(c).step_by(width).copied().collect();
    Ok((0..width).map(column).collect())
}

fn points(table: &Bound<'_, PyAny>, rows: usize) -> PyResult<Points> {
    let (values, columns) = dense(table)?;
    let points = Points::new(values, columns).map_err(Failure::Library)?;
    if points.rows() == rows {
        Ok(points)
    } else {
        Err(PyValueError::new_err(format!(
            "{} rows do not fit an embedding of {rows}: give those that were embedded",
            points.rows()
        )))
    }
}

fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| PyValueError::new_err(error.to_string()))
}
