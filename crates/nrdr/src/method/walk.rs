//! What Laplacian eigenmaps and diffusion maps share: kernel weights on a graph, the symmetric form of the random walk
//! on it, and its first step from a new point.

use super::{EdgeKind, Graph};
use crate::error::{Error, Result};
use crate::extend::{Arrays, Extend, New, Tied, Training, Weigh, check_part, damaged};
use crate::linalg::SparseMatrix;
use crate::problem::{End, Length, Problem};

/// No weight of an edge falls below this: far outliers and the edges that connect components stay
/// part of the graph.
const LEAST: f64 = 1e-10;

/// exp(-length^2 / epsilon), but not less than the least.
pub(super) fn weight(squared_length: f64, epsilon: f64) -> f64 {
    (-squared_length / epsilon).exp().max(LEAST)
}

/// Weights exp(-length^2 / epsilon) of the edges; affinities are taken as they are.
pub(super) fn gaussian(graph: &Graph, epsilon: f64) -> SparseMatrix {
    match graph.kind {
        EdgeKind::Length => graph.edges.map(|_, _, length| weight(length * length, epsilon)),
        EdgeKind::Affinity => graph.edges.clone(),
    }
}

/// The median of the squared lengths of the edges that are not zero.
pub(super) fn median_squared_length(edges: &SparseMatrix) -> Result<f64> {
    let mut lengths: Vec<f64> = edges.values.iter().copied().filter(|&d| d > 0.0).collect();
    if lengths.is_empty() {
        return Err(Error::AllEqual { points: edges.size() });
    }
    let middle = lengths.len() / 2;
    let (_, median, _) = lengths.select_nth_unstable_by(middle, f64::total_cmp);
    Ok(*median * *median)
}

/// A = D^-1/2 W D^-1/2 with s = D^-1/2 and t = D^1/2 1, the largest end, eigenvalues at most 1.
pub(super) fn random_walk(weights: SparseMatrix) -> Result<Problem> {
    let degrees = weights.row_sums();
    random_walk_of(weights, degrees, |weight| weight)
}

/// The same with a weight of one for each edge, whatever its value.
pub(super) fn binary_random_walk(edges: SparseMatrix) -> Result<Problem> {
    let degrees = (0..edges.size()).map(|i| edges.columns(i).len() as f64).collect();
    random_walk_of(edges, degrees, |_| 1.0)
}

fn random_walk_of(
    mut edges: SparseMatrix,
    degrees: Vec<f64>,
    weight: impl Fn(f64) -> f64 + Sync,
) -> Result<Problem> {
    if let Some(row) = degrees.iter().position(|&degree| !(degree > 0.0)) {
        return Err(Error::Parameter {
            name: "weights",
            value: format!("{} in all at point {row}", degrees[row]),
            expected: "positive for every point".to_string(),
        });
    }
    let roots: Vec<f64> = degrees.iter().map(|degree| degree.sqrt()).collect();
    edges.change(|i, j, value| weight(value) / (roots[i] * roots[j]));
    Ok(Problem {
        scale: Some(roots.iter().map(|root| root.recip()).collect()),
        trivial: Some(roots),
        matrix: edges.into(),
        end: End::Largest,
        bound: Some(1.0),
        near_null: Vec::new(),
        length: Length::One,
        chosen: Vec::new(),
        warnings: Vec::new(),
    })
}

/// The extension: one step of the random walk from the new point to its nearest training points.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    /// Scale of the weights exp(-distance^2 / epsilon); `None` means that all are one.
    epsilon: Option<f64>,
    /// The power a of the density, of a kernel with ones on the diagonal, and Q_j^-a for each training point j.
    density: Option<(f64, Vec<f64>)>,
    /// The largest s^2 of a training point, which a new one does not exceed.
    heaviest: f64,
    /// The least share of its steps in which the walk leaves a training point.
    least_share: f64,
}

impl Walk {
    pub(super) fn new(
        lengths: &SparseMatrix,
        problem: &Problem,
        epsilon: Option<f64>,
        density: Option<f64>,
    ) -> Self {
        let squares = problem.scale.iter().flatten().map(|s| s * s);
        let heaviest = squares.clone().fold(0.0, f64::max);
        let mut walk = Walk { epsilon, density: None, heaviest, least_share: 1.0 };
        if let Some(power) = density {
            let sum =
                |i: usize| 1.0 + lengths.values(i).iter().map(|d| walk.kernel(d * d)).sum::<f64>();
            let factors: Vec<f64> = (0..lengths.size()).map(|i| sum(i).powf(-power)).collect();
            let shares = factors.iter().zip(squares).map(|(q, square)| 1.0 - q * q * square);
            walk.least_share = shares.fold(1.0, f64::min);
            walk.density = Some((power, factors));
        }
        walk
    }

    /// What [`Walk::save`] put into a file.
    pub(super) fn load(
        arrays: &mut Arrays,
        training: &Training,
        rows: usize,
        epsilon: Option<f64>,
        density: Option<f64>,
    ) -> Result<Self> {
        check_part(!matches!(training, Training::Row), "no training points")?;
        let limits = arrays.take("walk")?;
        let [heaviest, least_share] = limits[..] else {
            return Err(damaged("weights of the walk"));
        };
        let weighty = heaviest > 0.0 && heaviest.is_finite();
        check_part(weighty && least_share > 0.0 && least_share <= 1.0, "weights of the walk")?;
        let mut walk = Walk { epsilon, density: None, heaviest, least_share };
        if let Some(power) = density {
            let factors = arrays.take("factors")?;
            let positive = factors.iter().all(|&f| f > 0.0 && f.is_finite());
            check_part(factors.len() == rows && positive, "its densities")?;
            walk.density = Some((power, factors));
        }
        Ok(walk)
    }

    fn kernel(&self, squared: f64) -> f64 {
        self.epsilon.map_or(1.0, |epsilon| weight(squared, epsilon))
    }
}

impl Extend for Walk {
    fn weigher<'e>(&'e self, _: &'e Training) -> Box<dyn Weigh + 'e> {
        Box::new(self)
    }

    fn save(&self, arrays: &mut Arrays) {
        arrays.put("walk", &[self.heaviest, self.least_share]);
        if let Some((_, factors)) = &self.density {
            arrays.put("factors", factors);
        }
    }
}

impl Weigh for &Walk {
    fn weigh(&mut self, new: &New<'_>, weights: &mut Vec<f64>) -> Result<Tied> {
        weights.clear();
        weights.extend(new.near.iter().map(|&(squared, _)| self.kernel(squared)));
        let mut share = 1.0;
        let mut degree: f64 = weights.iter().sum();
        if let Some((power, factors)) = &self.density {
            // With the weight of the point itself.
            let own = (degree + 1.0).powf(-power);
            for (weight, &(_, j)) in weights.iter_mut().zip(new.near) {
                *weight *= own * factors[j as usize];
            }
            let leaving: f64 = weights.iter().sum();
            degree = leaving + own * own;
            share = (leaving / degree).max(self.least_share);
        }
        let total: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= total);
        Ok(Tied::Near { share, mass: degree.recip().min(self.heaviest) })
    }
}
