//! Nearest neighbours by themselves.

use nrdr::graph::neighbors_by;
use nrdr::parameter::{Slot, Value};
use nrdr::{Metric, Points, Search, Stage, Watch};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::failure::Failure;
use crate::input::dense;
use crate::work::work;

/// Indices and distances, a row for each point.
type Lists<'py> = (Bound<'py, PyArray2<u32>>, Bound<'py, PyArray2<f64>>);

/// The `k` nearest neighbours of every point by a metric of the core, exact unless the search is approximate.
#[pyfunction]
#[pyo3(signature = (data, metric, k, search="exact", threads=None))]
pub(crate) fn neighbors<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    metric: &str,
    k: usize,
    search: &str,
    threads: Option<usize>,
) -> PyResult<Lists<'py>> {
    let metric: Metric = metric.parse().map_err(Failure::Library)?;
    let mut how = Search::Exact;
    how.set(&Value::Word(search.to_string()));
    let (values, columns) = dense(data)?;
    let lists = work(py, threads, None, move |link| {
        let points = Points::new(values, columns)?;
        let watch = Watch::new(Some(link));
        Ok(watch.stage(Stage::Neighbors, |p| neighbors_by(metric, &points, k, how, p))?)
    })?;
    let n = lists.len();
    let indices = (0..n).flat_map(|i| lists.of(i)).copied().collect();
    let distances = (0..n).flat_map(|i| lists.distances(i)).copied().collect();
    Ok((
        PyArray1::from_vec(py, indices).reshape([n, k])?,
        PyArray1::from_vec(py, distances).reshape([n, k])?,
    ))
}
