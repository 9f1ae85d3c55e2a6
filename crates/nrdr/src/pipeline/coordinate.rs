//! A coordinate of the embedding, from what a strategy found.

use crate::embedding::Coordinate;
use crate::error::Result;
use crate::graph::prepare::EmbeddedRows;
use crate::linalg::vector::point_up;
use crate::problem::Problem;
use crate::strategy::{Step, coordinate_of};

/// f = s . g with unit length, the largest entry positive, and NaN for the points left out, unless the rows of the problem are
/// all that is asked for.
pub(crate) fn coordinate(
    problem: &Problem,
    i: usize,
    step: Step,
    rows: Option<&EmbeddedRows>,
) -> Result<Coordinate> {
    let Step { pair, original_eigenvalue, smoothing, selected, time, .. } = step;
    let mut f = coordinate_of(problem, i, &pair.vector)?;
    if let Some(EmbeddedRows { embedded: Some(embedded), input, .. }) = rows {
        let mut all = vec![f64::NAN; *input];
        embedded.iter().zip(f).for_each(|(&i, v)| all[i as usize] = v);
        f = all;
    }
    point_up(&mut f);
    Ok(Coordinate {
        values: f,
        eigenvalue: pair.value,
        original_eigenvalue,
        length: problem.length.of(pair.value),
        residual: pair.residual,
        iterations: pair.iterations,
        smoothing,
        selected,
        time,
    })
}
