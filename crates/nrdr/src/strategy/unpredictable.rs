//! Coordinates that cannot be predicted from the earlier ones.
//!
//! Y. Blau and T. Michaeli, "Non-redundant spectral dimensionality reduction", ECML PKDD (2017).
//!
//! Coordinate i must have no conditional expectation given coordinates 1..i-1: with a smoother P of
//! these, P f_i = 0. It is the best eigenvector orthogonal to the trivial direction and to the right
//! singular vectors of P diag(s) that count.

use std::time::Instant;

use faer::Mat;

use super::{Smoothing, Step, coordinate_of};
use crate::constraint::Constraint;
use crate::error::{Error, Result};
use crate::problem::Problem;
use crate::progress::Progress;
use crate::smoother::{SmootherOptions, smoother};
use crate::solver::Solver;
use crate::vector::norm;

/// The first `dims` coordinates, one after another.
pub fn coordinates(
    problem: &Problem,
    solver: &dyn Solver,
    dims: usize,
    options: &SmootherOptions,
    seed: u64,
    progress: &Progress<'_>,
) -> Result<Vec<Step>> {
    // The original method's coordinates come first: the first one is shared.
    let mut steps = super::orthogonal::coordinates(problem, solver, dims, seed, progress)?;
    let vanished = |i: usize| Error::Vanished { coordinate: i + 1 };
    let coordinate = |i: usize, g: &[f64]| coordinate_of(problem, g).ok_or(vanished(i));
    let mut earlier = vec![coordinate(0, &steps[0].pair.vector)?];
    let mut trivial = Constraint::none(problem.size());
    trivial.forbid(problem.trivial.as_deref());
    for (i, step) in steps.iter_mut().enumerate().skip(1) {
        let start = Instant::now();
        let seed = seed.wrapping_add(i as u64);
        let columns: Vec<&[f64]> = earlier.iter().map(Vec::as_slice).collect();
        let smoother = smoother(&columns, options, seed, progress)?;
        let kept = smoother.kept(problem.scale.as_deref(), options.truncation)?;
        let rank = kept.vectors.ncols();
        let mut constraint = trivial.clone();
        constraint.forbid_block(kept.vectors)?;
        if constraint.rank() >= problem.size() {
            return Err(Error::TooManyCoordinates { dims, available: i });
        }
        let found = solver.solve(&constraint, 1, seed, progress);
        let pair = found.map_err(|error| error.after(i))?.swap_remove(0);
        let f = coordinate(i, &pair.vector)?;
        let column = Mat::from_fn(f.len(), 1, |row, _| f[row]);
        let predicted = smoother.predict(&column);
        step.smoothing = Some(Smoothing {
            rank,
            size: smoother.size(),
            predictable: norm(predicted.col_as_slice(0)),
            singular_values: kept.singular_values,
        });
        step.pair = pair;
        step.time = start.elapsed();
        earlier.push(f);
        progress.report((i + 1) as f64 / dims as f64)?;
    }
    Ok(steps)
}
