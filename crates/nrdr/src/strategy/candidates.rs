//! Original coordinates to choose from: what strategies share that select some of them.

use super::{Selected, Step};
use crate::error::{Error, Result};
use crate::parameter::{Parameter, Range};

/// How many for each coordinate that is wanted, unless their number is given.
const TIMES: usize = 10;

/// The parameter that holds their number.
pub(super) fn parameter(candidates: &mut Option<usize>) -> Parameter<'_> {
    Parameter::new("candidates", candidates, "number of original coordinates to select from")
        .within(Range::FROM_ONE)
        .without("ten times as many as wanted")
}

/// How many are wanted for so many coordinates.
pub(super) fn wanted(candidates: Option<usize>, dims: usize) -> Result<usize> {
    let wanted = candidates.unwrap_or(TIMES * dims);
    if wanted < dims {
        return Err(Error::parameter("candidates", wanted, "at least the number of coordinates"));
    }
    Ok(wanted)
}

/// Refuses to measure on too few points.
pub(super) fn check_sample(sample: usize) -> Result<()> {
    if sample < 10 {
        return Err(Error::parameter("sample", sample, "at least 10"));
    }
    Ok(())
}

/// The chosen candidates with their errors, each beside the original method's coordinate of the same number.
pub(super) fn selected(
    steps: &[Step],
    chosen: impl IntoIterator<Item = (usize, f64)>,
) -> Vec<Step> {
    let step = |(original, (at, error)): (&Step, (usize, f64))| Step {
        selected: Some(Selected { candidate: at + 1, error }),
        original_eigenvalue: Some(original.pair.value),
        ..steps[at].clone()
    };
    steps.iter().zip(chosen).map(step).collect()
}
