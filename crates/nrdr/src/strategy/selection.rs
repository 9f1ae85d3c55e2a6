//! Of many original coordinates those that are not functions of earlier ones.
//!
//! C. Dsilva, R. Talmon, R. Coifman and I. Kevrekidis, "Parsimonious representation of nonlinear
//! dynamical systems through manifold learning", Appl. Comput. Harmon. Anal. 44 (2018).
//!
//! Each candidate is regressed on all earlier candidates; those with large errors are new directions.

use super::{About, Outcome, Rule, Step, Strategy, Task, candidates};
use crate::error::{Error, Result};
use crate::measure::redundancy::{Bandwidth, RedundancyOptions, Standard};
use crate::parameter::Parameter;
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
        vec![candidates::parameter(&mut self.candidates)]
    }

    fn check(&self) -> Result<()> {
        if let Some(threshold) = self.threshold.filter(|t| !(*t >= 0.0 && *t <= 1.0)) {
            return Err(Error::parameter("threshold", threshold, "between 0 and 1"));
        }
        candidates::check_sample(self.sample)
    }

    fn check_shared(&self) -> Result<()> {
        Ok(())
    }

    fn eigenvectors(&self, dims: usize, points: usize) -> (usize, usize) {
        let wanted = candidates::wanted(self.candidates, dims).unwrap_or(dims).min(points);
        (wanted, wanted)
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
    let wanted = candidates::wanted(options.candidates, dims)?;
    // Regression on all candidates but one needs two points more than these.
    let most = problem.directions().min(problem.points().saturating_sub(2)).max(dims);
    let steps = task.original_steps(wanted.min(most), &progress.held())?;
    let errors = errors(task, &steps, options, seed, progress)?;
    let kept = kept(&errors, dims, options.threshold)?;
    let chosen = candidates::selected(&steps, kept.into_iter().map(|at| (at, errors[at])));
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
    let coordinates: Vec<&[f64]> = coordinates.iter().map(Vec::as_slice).collect();
    let measured = RedundancyOptions {
        bandwidth: options.bandwidth,
        sample: options.sample,
        seed,
        ..Default::default()
    };
    let standard = Standard::of_columns(&coordinates, &measured)?;
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
