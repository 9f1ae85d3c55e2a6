//! Generated data sets: points and their true parameters.

use nrdr::datasets::{Cube, Dataset, SCurve, Strip, SwissRoll, Torus};
use numpy::PyArray2;
use pyo3::prelude::*;

use crate::failure::Failure;
use crate::input::array;

type Arrays<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>);

fn arrays(py: Python<'_>, made: nrdr::Result<Dataset>) -> PyResult<Arrays<'_>> {
    let Dataset { points, truth, .. } = made.map_err(Failure::Library)?;
    Ok((array(py, &points)?, array(py, &truth)?))
}

/// A sheet rolled up in three dimensions.
#[pyfunction]
pub(crate) fn swiss_roll(
    py: Python<'_>,
    n: usize,
    height: f64,
    noise: f64,
    hole: bool,
    seed: u64,
) -> PyResult<Arrays<'_>> {
    arrays(py, SwissRoll { n, height, noise, hole }.generate(seed))
}

/// A sheet bent to an S.
#[pyfunction]
pub(crate) fn s_curve(
    py: Python<'_>,
    n: usize,
    height: f64,
    noise: f64,
    seed: u64,
) -> PyResult<Arrays<'_>> {
    arrays(py, SCurve { n, height, noise }.generate(seed))
}

/// A flat rectangle.
#[pyfunction]
pub(crate) fn strip(
    py: Python<'_>,
    n: usize,
    aspect: f64,
    noise: f64,
    seed: u64,
) -> PyResult<Arrays<'_>> {
    arrays(py, Strip { n, aspect, noise }.generate(seed))
}

/// A box of any dimension.
#[pyfunction]
pub(crate) fn cube(
    py: Python<'_>,
    n: usize,
    sides: Vec<f64>,
    noise: f64,
    seed: u64,
) -> PyResult<Arrays<'_>> {
    arrays(py, Cube { n, sides, noise }.generate(seed))
}

/// The surface of a ring.
#[pyfunction]
pub(crate) fn torus(
    py: Python<'_>,
    n: usize,
    major: f64,
    minor: f64,
    noise: f64,
    seed: u64,
) -> PyResult<Arrays<'_>> {
    arrays(py, Torus { n, major, minor, noise }.generate(seed))
}
