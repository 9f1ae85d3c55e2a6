//! Generated data sets: points and their true parameters.

use std::hint::black_box;

use nrdr::datasets::{Cube, Dataset, SCurve, Strip, SwissRoll, Torus};
use numpy::PyArray2;
use pyo3::prelude::*;

use crate::failure::Failure;
use crate::input::array;
use crate::work::work;

type Arrays<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>);

/// The arrays of `n` points with so many values and parameters in all.
fn arrays<'py>(
    py: Python<'py>,
    n: usize,
    values: usize,
    make: impl FnOnce() -> nrdr::Result<Dataset> + Send + 'static,
) -> PyResult<Arrays<'py>> {
    let Dataset { points, truth, .. } = work(py, Some(1), None, move |_| {
        // Twice: they are made, and they become arrays.
        let all = n.checked_mul(values).and_then(|all| all.checked_mul(2));
        if !all.is_some_and(there_is_room) {
            return Err(Failure::Usage(format!(
                "n_samples = {n} is out of range: there is no memory for so many points"
            )));
        }
        Ok(make()?)
    })?;
    Ok((array(py, &points)?, array(py, &truth)?))
}

/// Whether so many numbers can be had.
fn there_is_room(numbers: usize) -> bool {
    let mut room: Vec<f64> = Vec::new();
    let found = room.try_reserve_exact(numbers).is_ok();
    // What is not looked at need never be reserved.
    black_box(&room);
    found
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
    arrays(py, n, 5, move || SwissRoll { n, height, noise, hole }.generate(seed))
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
    arrays(py, n, 5, move || SCurve { n, height, noise }.generate(seed))
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
    arrays(py, n, 4, move || Strip { n, aspect, noise }.generate(seed))
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
    let values = 2 * sides.len();
    arrays(py, n, values, move || Cube { n, sides, noise }.generate(seed))
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
    arrays(py, n, 5, move || Torus { n, major, minor, noise }.generate(seed))
}
