//! Coordinates that are not what they seem, by what the solver knows of them.

use crate::linalg::reduce::dot;
use crate::problem::{End, Length, Problem};
use crate::strategy::Step;
use crate::warning::Warning;

/// What should be known of the coordinates of a problem.
pub(crate) fn doubtful(problem: &Problem, steps: &[Step]) -> Vec<Warning> {
    let small = spent(problem, steps).or_else(|| rounding(problem, steps));
    [small, mixed(steps), leaked(problem, steps), loosened(steps)].into_iter().flatten().collect()
}

/// Vectors that may be turned by more than this are not what they seem.
const TURNED: f64 = 1e-3;

/// A warning when eigenvalues are so near to each other that their vectors are mixed.
fn mixed(steps: &[Step]) -> Option<Warning> {
    let turned = |(i, step): (usize, &Step)| (step.pair.angle > TURNED).then_some(i + 1);
    let coordinates: Vec<usize> = steps.iter().enumerate().filter_map(turned).collect();
    (!coordinates.is_empty()).then_some(Warning::Mixed { coordinates })
}

/// A warning when pairs missed the tolerance.
fn loosened(steps: &[Step]) -> Option<Warning> {
    let missed = |(i, step): (usize, &Step)| Some((i + 1, step.pair.residual, step.pair.missed?));
    let missed: Vec<(usize, f64, f64)> = steps.iter().enumerate().filter_map(missed).collect();
    let tolerance = missed.first()?.2;
    let residual = missed.iter().map(|missed| missed.1).fold(0.0, f64::max);
    let coordinates = missed.iter().map(|missed| missed.0).collect();
    Some(Warning::Loosened { coordinates, residual, tolerance })
}

/// Eigenvalues below this share of the largest, or of the norm of the matrix, are rounding.
const ROUNDING: f64 = 1e-12;

/// A coordinate that owes more than this share of its eigenvalue to earlier ones is not one of its own.
const LEAK: f64 = 0.1;

/// A warning when what a smoother lets pass of the earlier coordinates, a few percent at most, outweighs all else because
/// their eigenvalues are so much larger, as that of an outlier is.
fn leaked(problem: &Problem, steps: &[Step]) -> Option<Warning> {
    if problem.end == End::Smallest {
        return None;
    }
    let leaks = |i: usize| {
        let Step { pair, smoothing, .. } = &steps[i];
        let owed = steps[..i].iter().map(|earlier| {
            dot(&earlier.pair.vector, &pair.vector).powi(2) * earlier.pair.value.abs()
        });
        smoothing.is_some() && owed.sum::<f64>() > LEAK * pair.value.abs()
    };
    let coordinates: Vec<usize> = (1..steps.len()).filter(|&i| leaks(i)).map(|i| i + 1).collect();
    (!coordinates.is_empty()).then_some(Warning::Leaked { coordinates })
}

/// A warning when eigenvalues of a matrix are so small beside its norm that they cannot be told from zero. Methods that
/// know a bound of the eigenvalues measure them from there, where an exact zero is what they look for.
fn rounding(problem: &Problem, steps: &[Step]) -> Option<Warning> {
    if problem.bound.is_some() || problem.length == Length::SquareRoot {
        return None;
    }
    let values = || steps.iter().map(|step| step.pair.value.abs());
    let norm = problem.matrix.norm().unwrap_or_else(|| values().fold(0.0, f64::max));
    let small = |(i, value): (usize, f64)| (value < ROUNDING * norm).then_some(i + 1);
    let coordinates: Vec<usize> = values().enumerate().filter_map(small).collect();
    (!coordinates.is_empty()).then_some(Warning::Rounding { coordinates })
}

/// A warning when coordinates of a method that reproduces distances have no length left: they are
/// eigenvectors like others, but of rounding.
fn spent(problem: &Problem, steps: &[Step]) -> Option<Warning> {
    let first = steps.first().filter(|_| problem.length == Length::SquareRoot)?;
    let least = ROUNDING * first.pair.value.abs();
    let informative = steps.iter().take_while(|step| step.pair.value > least).count();
    (informative < steps.len()).then_some(Warning::Spent { informative })
}
