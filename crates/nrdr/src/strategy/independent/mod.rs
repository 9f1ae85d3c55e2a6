//! Of many original coordinates the set whose directions are independent at most points.
//!
//! Y.-C. Chen and M. Meila, "Selecting the independent coordinates of manifolds with large aspect ratios", Advances in
//! Neural Information Processing Systems 32 (2019); the metric is that of D. Perrault-Joncas and M. Meila, "Non-linear
//! dimensionality reduction: Riemannian metric estimation and the problem of geometric discovery", arXiv:1305.7255 (2013).
//!
//! With the Laplacian L of the neighbour graph and the candidates f_k,
//!
//! H_kl(i) = 1/2 [L(f_k f_l) - f_k L f_l - f_l L f_k](i)
//!
//! is what all candidates together make of the metric at point i, and U(i) its d principal eigenvectors. A set S of
//! candidates, always with the first, keeps the rows U_S(i), whose columns are u_k(i). The best one maximises
//!
//! mean_i [1/2 log det U_S(i)' U_S(i) - sum_k log |u_k(i)|] - zeta sum_(k in S) lambda_k.

mod metric;
mod search;

use super::{About, Outcome, Rule, Strategy, Task, candidates};
use crate::error::{Error, Result};
use crate::parameter::{Parameter, Range};
use crate::progress::Progress;
use crate::sample::sample;
use metric::{energies, frames};
use search::Search;

const ABOUT: About = About {
    name: "independent",
    title: "independent",
    help: "Original coordinates that together have independent directions at most points",
    paper: "Chen & Meila 2019",
};

/// How independent coordinates are searched.
#[derive(Clone, Debug, PartialEq)]
pub struct Independent {
    /// Number of original coordinates to select from; `None` means ten times as many as wanted.
    pub candidates: Option<usize>,
    /// What a candidate's energy costs, the first one's being 1; `None` means the most that a quarter of the points
    /// object to, as in the paper.
    pub zeta: Option<f64>,
    /// The dimension d of the manifold; `None` means the number of coordinates.
    pub intrinsic_dimension: Option<usize>,
    /// Points at which the directions are looked at, at most.
    pub sample: usize,
}

impl Default for Independent {
    fn default() -> Self {
        Independent { candidates: None, zeta: None, intrinsic_dimension: None, sample: 2000 }
    }
}

impl Strategy {
    /// Of many original coordinates the set with independent directions (Chen & Meila 2019).
    pub fn independent(independent: Independent) -> Self {
        Strategy::new(independent)
    }
}

impl Rule for Independent {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            candidates::parameter(&mut self.candidates),
            Parameter::new("zeta", &mut self.zeta, "what a coordinate's energy costs, the first one's being 1")
                .within(Range::NOT_NEGATIVE)
                .without("the most that a quarter of the points object to"),
            Parameter::new("intrinsic_dim", &mut self.intrinsic_dimension, "dimension of the manifold")
                .within(Range::FROM_ONE)
                .without("the number of coordinates"),
        ]
    }

    fn check(&self) -> Result<()> {
        candidates::check_sample(self.sample)
    }

    fn needs_graph(&self) -> bool {
        true
    }

    fn eigenvectors(&self, dims: usize, points: usize) -> (usize, usize) {
        let wanted = candidates::wanted(self.candidates, dims).unwrap_or(dims).min(points);
        (wanted, wanted)
    }

    fn coordinates(&self, task: &Task<'_>, progress: &Progress<'_>) -> Result<Outcome> {
        let Task { problem, dims, seed, .. } = *task;
        let wanted = candidates::wanted(self.candidates, dims)?;
        let dimension = self.intrinsic_dimension.unwrap_or(dims);
        if task.judge.is_none() && dimension > dims {
            let most = "at most the number of coordinates";
            return Err(Error::parameter("intrinsic_dim", dimension, most));
        }
        let steps = task.original_steps(wanted.min(problem.directions()), &progress.held())?;
        let weights = task.laplacian(ABOUT.name)?.weights(&progress.held())?;
        let coordinates = (0..steps.len())
            .map(|i| task.coordinate(i, &steps[i].pair.vector))
            .collect::<Result<Vec<_>>>()?;
        let points = sample(problem.size(), self.sample, seed);
        let frames = frames(&weights, &coordinates, &points, dimension)?;
        let energies = energies(&weights, &coordinates);
        let search = Search { frames: &frames, energies: &energies, zeta: self.zeta, progress };
        let chosen = match task.judge {
            // Sets that grow: whatever their number turns out to be, those before are the best that were found.
            Some(_) => search.growing(dims)?,
            None => search.best(dims)?,
        };
        let chosen = chosen.set.iter().map(|&at| (at, chosen.volume));
        task.worth_having(Outcome::from(candidates::selected(&steps, chosen)))
    }
}
