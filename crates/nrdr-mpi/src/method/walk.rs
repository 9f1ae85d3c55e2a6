//! Laplacian eigenmaps and diffusion maps: own rows of the symmetric form of the random walk on the graph.

use std::sync::Arc;

use nrdr::method::share::weight;
use nrdr::team::Team;
use nrdr::{DiffusionMaps, End, LaplacianEigenmaps, Length, Weights};

use crate::csr::SharedCsr;
use crate::failure::{Failure, Result};
use crate::ghosts::Ghosts;
use crate::problem::SharedProblem;
use crate::select::{Key, number, ordered, select};
use crate::wire::sum_counts;

/// The problem of Laplacian eigenmaps.
pub(super) fn laplacian(
    team: &dyn Team,
    method: &LaplacianEigenmaps,
    graph: &SharedCsr,
) -> Result<SharedProblem> {
    let mut weights = graph.clone();
    let mut chosen = None;
    match method.weights() {
        Weights::Binary => weights.values.fill(1.0),
        Weights::Heat => {
            let scale = match method.sigma {
                Some(sigma) => sigma,
                None => median_squared_length(team, graph)?.sqrt(),
            };
            let epsilon = 2.0 * scale * scale;
            weights
                .values
                .iter_mut()
                .for_each(|length| *length = weight(*length * *length, epsilon));
            chosen = method.sigma.is_none().then_some(("sigma", scale));
        }
    }
    let mut problem = random_walk(team, weights)?;
    problem.chosen.extend(chosen);
    Ok(problem)
}

/// The problem of diffusion maps.
pub(super) fn diffusion(
    team: &dyn Team,
    method: &DiffusionMaps,
    graph: &SharedCsr,
) -> Result<SharedProblem> {
    let epsilon = match method.epsilon {
        Some(epsilon) => epsilon,
        None => median_squared_length(team, graph)?,
    };
    let mut kernel = graph.clone();
    kernel.values.iter_mut().for_each(|length| *length = weight(*length * *length, epsilon));
    let mut kernel = kernel.with_diagonal(team.rank());
    // A point's affinity to itself: its length is zero, so the kernel is one.
    let first = kernel.rows.of(team.rank()).start;
    for i in 0..kernel.own() {
        if let Ok(at) = kernel.columns(i).binary_search(&(first + i as u64)) {
            let at = kernel.offsets[i] + at;
            kernel.values[at] = 1.0;
        }
    }
    let factors: Vec<f64> =
        row_sums(&kernel).iter().map(|density| density.powf(-method.density)).collect();
    scale(team, &mut kernel, &factors, |weight, a, b| weight * (a * b));
    let mut problem = random_walk(team, kernel)?;
    problem.length = Length::Power(method.time);
    problem.chosen.extend(method.epsilon.is_none().then_some(("epsilon", epsilon)));
    Ok(problem)
}

/// A = D^-1/2 W D^-1/2 with s = D^-1/2 and t = D^1/2 1, the largest end, eigenvalues at most 1.
fn random_walk(team: &dyn Team, mut weights: SharedCsr) -> Result<SharedProblem> {
    let roots: Vec<f64> = row_sums(&weights).iter().map(|degree| degree.sqrt()).collect();
    scale(team, &mut weights, &roots, |weight, a, b| weight / (a * b));
    Ok(SharedProblem {
        matrix: Arc::new(weights.with_diagonal(team.rank())),
        end: End::Largest,
        scale: Some(roots.iter().map(|root| root.recip()).collect()),
        trivial: Some(roots),
        near_null: Vec::new(),
        bound: Some(1.0),
        length: Length::One,
        chosen: Vec::new(),
        warnings: Vec::new(),
    })
}

fn row_sums(matrix: &SharedCsr) -> Vec<f64> {
    (0..matrix.own()).map(|i| matrix.values(i).iter().sum()).collect()
}

/// Changes each entry by the factors of its row and its column.
fn scale(
    team: &dyn Team,
    matrix: &mut SharedCsr,
    factors: &[f64],
    change: impl Fn(f64, f64, f64) -> f64,
) {
    let ghosts = Ghosts::new(team, &matrix.rows, matrix.columns.iter().copied());
    let all = ghosts.with_own(team, factors, 1);
    for (i, own) in factors.iter().enumerate() {
        for at in matrix.offsets[i]..matrix.offsets[i + 1] {
            let other = ghosts.place(matrix.columns[at]).map_or(f64::NAN, |place| all[place]);
            matrix.values[at] = change(matrix.values[at], *own, other);
        }
    }
}

/// The median of the squared lengths of the edges that are not zero.
fn median_squared_length(team: &dyn Team, graph: &SharedCsr) -> Result<f64> {
    let lengths = graph.values.iter().filter(|&&length| length > 0.0);
    let mut lengths: Vec<Key> = lengths.map(|&length| [ordered(length), 0]).collect();
    lengths.sort_unstable();
    let mut count = [lengths.len() as u64];
    sum_counts(team, &mut count);
    if count[0] == 0 {
        let points = graph.rows.total() as usize;
        return Err(Failure::Core(nrdr::Error::AllEqual { points }));
    }
    let [median, _] = select(team, &[&lengths], &[count[0] / 2])[0];
    Ok(number(median) * number(median))
}
