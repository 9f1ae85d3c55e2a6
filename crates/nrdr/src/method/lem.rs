//! Laplacian eigenmaps.
//!
//! M. Belkin and P. Niyogi, "Laplacian eigenmaps for dimensionality reduction and data
//! representation", Neural Computation 15 (2003).
//!
//! Minimises sum_ij W_ij (f_i - f_j)^2 with f' D f = 1 and f' D 1 = 0, D the degrees of W. With
//! g = D^1/2 f that is the largest end of D^-1/2 W D^-1/2.

use super::affinity::{binary_random_walk, gaussian, median_squared_length, random_walk};
use super::{Data, EdgeKind, Extension, Method, Needs, check_positive, chosen_one};
use crate::error::Result;
use crate::input::Options;
use crate::problem::Problem;
use crate::progress::Progress;

/// How strongly neighbours are tied.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Weights {
    /// All alike: 1 for each edge.
    #[default]
    Binary,
    /// By the heat kernel exp(-length^2 / (2 sigma^2)), but at least 1e-10.
    Heat {
        /// The scale; `None` means the median length of the edges.
        sigma: Option<f64>,
    },
}

/// Laplacian eigenmaps. On a graph of affinities the affinities are the weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaplacianEigenmaps {
    /// How strongly neighbours are tied.
    pub weights: Weights,
}

impl Method for LaplacianEigenmaps {
    fn name(&self) -> &'static str {
        "lem"
    }

    fn about(&self) -> &'static str {
        "Laplacian eigenmaps (Belkin & Niyogi 2003)"
    }

    fn needs(&self) -> Needs {
        Needs::Graph
    }

    fn check(&self, _points: usize, _options: &Options) -> Result<()> {
        match self.weights {
            Weights::Binary => Ok(()),
            Weights::Heat { sigma } => check_positive("sigma", sigma),
        }
    }

    fn problem(
        &self,
        data: Data<'_>,
        _dims: Option<usize>,
        _progress: &Progress<'_>,
    ) -> Result<Problem> {
        let graph = data.graph(self)?;
        match (self.weights, graph.kind) {
            (_, EdgeKind::Affinity) => random_walk(&graph.edges),
            (Weights::Binary, EdgeKind::Length) => binary_random_walk(&graph.edges),
            (Weights::Heat { sigma }, EdgeKind::Length) => {
                let scale = match sigma {
                    Some(sigma) => sigma,
                    None => median_squared_length(&graph.edges)?.sqrt(),
                };
                let mut problem = random_walk(&gaussian(graph, 2.0 * scale * scale))?;
                problem.chosen.extend(sigma.is_none().then_some(("sigma", scale)));
                Ok(problem)
            }
        }
    }

    fn extension(&self, chosen: &[(&'static str, f64)]) -> Result<Extension> {
        let epsilon = match self.weights {
            Weights::Binary => None,
            Weights::Heat { sigma } => {
                let sigma = sigma.unwrap_or_else(|| chosen_one(chosen, "sigma"));
                Some(2.0 * sigma * sigma)
            }
        };
        Ok(Extension::Walk { epsilon, density: None })
    }
}
