//! Of many original coordinates those that are not functions of earlier ones.
//!
//! C. Dsilva, R. Talmon, R. Coifman and I. Kevrekidis, "Parsimonious representation of nonlinear
//! dynamical systems through manifold learning", Appl. Comput. Harmon. Anal. 44 (2018).
//!
//! Each candidate is regressed on all earlier candidates; those with large errors are new directions.

use super::{About, Outcome, Rule, Selected, Step, Strategy, Task};
use crate::error::{Error, Result};
use crate::measure::redundancy::{Bandwidth, RedundancyOptions, Standard};
use crate::parameter::{Parameter, Range};
use crate::points::Points;
use crate::progress::Progress;

const ABOUT: About = About {
    name: "selection",
    title: "selection",
    help: "Original coordinates that the earlier ones predict least",
    paper: "Dsilva et al. 2018",
};

/// How coordinates are selected.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// Number of original coordinates to select from; `None` means ten times as many as wanted.
    pub candidates: Option<usize>,
    /// Keep the first ones with at least this error; `None` means those with the largest errors.
    pub threshold: Option<f64>,
    /// The bandwidth of the regression.
    pub bandwidth: Bandwidth,
    /// Points on which the errors are measured, at most.
    pub sample: usize,
}

impl Default for Selection {
    fn default() -> Self {
        let bandwidth = Bandwidth::MedianThird;
        Selection { candidates: None, threshold: None, bandwidth, sample: 2000 }
    }
}

impl Strategy {
    /// Of many original coordinates those that the earlier ones predict least (Dsilva et al. 2018).
    pub fn selection(selection: Selection) -> Self {
        Strategy::new(selection)
    }
}

impl Rule for Selection {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::new("candidates", &mut self.candidates, "number of original coordinates to select from")
                .within(Range::FROM_ONE)
                .without("ten times as many as wanted"),
        ]
    }

    fn check(&self) -> Result<()> {
        if let Some(threshold) = self.threshold.filter(|t| !(*t >= 0.0 && *t <= 1.0)) {
            return Err(Error::parameter("threshold", threshold, "between 0 and 1"));
        }
        if self.sample < 10 {
            return Err(Error::parameter("sample", self.sample, "at least 10"));
        }
        Ok(())
    }

    fn coordinates(&self, task: &Task<'_>, progress: &Progress<'_>) -> Result<Outcome> {
        task.worth_having(selected(task, self, progress)?)
    }
}

/// Selects the coordinates, in the order of the candidates.
fn selected(
    task: &Task<'_>,
    options: &Selection,
    progress: &Progress<'_>,
) -> Result<Outcome> {
    let Task { problem, dims, seed, .. } = *task;
    let directions = usize::from(problem.trivial.is_some());
    let wanted = options.candidates.unwrap_or(10 * dims);
    if wanted < dims {
        return Err(Error::parameter("candidates", wanted, "at least the number of coordinates"));
    }
    // Regression on all candidates but one needs two points more than these.
    let most = (problem.size() - directions).min(problem.size().saturating_sub(2)).max(dims);
    let candidates = wanted.min(most);
    let steps = task.original_steps(candidates, &progress.held())?;
    let errors = errors(task, &steps, options, seed, progress)?;
    let kept = kept(&errors, dims, options.threshold)?;
    let step = |at: &usize| {
        let selected = Some(Selected { candidate: at + 1, error: errors[*at] });
        Step { selected, ..steps[*at].clone() }
    };
    let mut chosen: Vec<Step> = kept.iter().map(step).collect();
    // Beside each one the original method's coordinate of the same number.
    for (chosen, original) in chosen.iter_mut().zip(&steps) {
        chosen.original_eigenvalue = Some(original.pair.value);
    }
    Ok(Outcome { candidates: errors, ..Outcome::from(chosen) })
}

/// The error of each candidate given the earlier ones.
fn errors(
    task: &Task<'_>,
    steps: &[Step],
    options: &Selection,
    seed: u64,
    progress: &Progress<'_>,
) -> Result<Vec<f64>> {
    if steps.len() == 1 {
        return Ok(vec![1.0]);
    }
    let coordinates: Vec<Vec<f64>> = steps
        .iter()
        .enumerate()
        .map(|(i, step)| task.coordinate(i, &step.pair.vector))
        .collect::<Result<_>>()?;
    let points = Points::from_columns(&coordinates)?;
    let measured = RedundancyOptions { bandwidth: options.bandwidth, sample: options.sample, seed };
    let standard = Standard::new(&points, &measured)?;
    let mut errors = vec![1.0];
    for i in 1..steps.len() {
        errors.push(standard.error(i, options.bandwidth, &|| progress.check())?.0);
        progress.report((i + 1) as f64 / steps.len() as f64)?;
    }
    Ok(errors)
}

/// The candidates to keep, ascending.
fn kept(errors: &[f64], dims: usize, threshold: Option<f64>) -> Result<Vec<usize>> {
    let mut order: Vec<usize> = (0..errors.len()).collect();
    match threshold {
        Some(threshold) => order.retain(|&i| errors[i] >= threshold),
        None => order.sort_by(|&i, &j| errors[j].total_cmp(&errors[i])),
    }
    if order.len() < dims {
        return Err(Error::TooFewSelected { dims, passed: order.len(), candidates: errors.len() });
    }
    order.truncate(dims);
    order.sort_unstable();
    Ok(order)
}
