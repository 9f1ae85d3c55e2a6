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

use super::{About, Outcome, Rule, Selected, Step, Strategy, Task};
use crate::error::{Error, Result};
use crate::parameter::{Parameter, Range};
use crate::progress::Progress;
use crate::sample::sample;
use metric::{energies, frames};
use search::{Chosen, Search};

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
            Parameter::new("candidates", &mut self.candidates, "number of original coordinates to select from")
                .within(Range::FROM_ONE)
                .without("ten times as many as wanted"),
            Parameter::new("zeta", &mut self.zeta, "what a coordinate's energy costs, the first one's being 1")
                .within(Range::NOT_NEGATIVE)
                .without("the most that a quarter of the points object to"),
            Parameter::new("intrinsic_dim", &mut self.intrinsic_dimension, "dimension of the manifold")
                .within(Range::FROM_ONE)
                .without("the number of coordinates"),
        ]
    }

    fn check(&self) -> Result<()> {
        if self.sample < 10 {
            return Err(Error::parameter("sample", self.sample, "at least 10"));
        }
        Ok(())
    }

    fn needs_graph(&self) -> bool {
        true
    }

    fn coordinates(&self, task: &Task<'_>, progress: &Progress<'_>) -> Result<Outcome> {
        let Task { problem, dims, seed, .. } = *task;
        let wanted = self.candidates.unwrap_or(10 * dims);
        if wanted < dims {
            return Err(Error::parameter("candidates", wanted, "at least the number of coordinates"));
        }
        let dimension = self.intrinsic_dimension.unwrap_or(dims);
        if task.judge.is_none() && dimension > dims {
            let most = "at most the number of coordinates";
            return Err(Error::parameter("intrinsic_dim", dimension, most));
        }
        let available = problem.size() - usize::from(problem.trivial.is_some());
        let steps = task.original_steps(wanted.min(available), &progress.held())?;
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
        task.worth_having(Outcome::from(kept(&steps, &chosen)))
    }
}

/// The chosen steps, each beside the original method's coordinate of the same number.
fn kept(steps: &[Step], chosen: &Chosen) -> Vec<Step> {
    let step = |(number, &at): (usize, &usize)| {
        let selected = Some(Selected { candidate: at + 1, error: chosen.volume });
        let original_eigenvalue = Some(steps[number].pair.value);
        Step { selected, original_eigenvalue, ..steps[at].clone() }
    };
    chosen.set.iter().enumerate().map(step).collect()
}
