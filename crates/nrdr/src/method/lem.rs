//! Laplacian eigenmaps.
//!
//! M. Belkin and P. Niyogi, "Laplacian eigenmaps for dimensionality reduction and data
//! representation", Neural Computation 15 (2003).
//!
//! Minimises sum_ij W_ij (f_i - f_j)^2 with f' D f = 1 and f' D 1 = 0, D the degrees of W. With
//! g = D^1/2 f that is the largest end of D^-1/2 W D^-1/2.

use super::walk::{Walk, binary_random_walk, gaussian, median_squared_length, random_walk};
use super::{About, Data, EdgeKind, Extension, Fit, Method, Needs};
use crate::error::{Error, Result};
use crate::extend::{Arrays, Extend, Training};
use crate::parameter::{Parameter, Range, Word, Words};
use crate::problem::Problem;
use crate::progress::Progress;

const ABOUT: About = About {
    name: "lem",
    title: "Laplacian eigenmaps",
    paper: "Belkin & Niyogi 2003",
    class: "LaplacianEigenmaps",
    needs: Needs::Graph,
};

/// How strongly neighbours are tied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weights {
    /// All alike: 1 for each edge.
    #[default]
    Binary,
    /// By the heat kernel exp(-length^2 / (2 sigma^2)), but at least 1e-10.
    Heat,
}

impl Words for Weights {
    const WORDS: &'static [Word] =
        &[Word::new("binary", "1 for each edge"), Word::new("heat", "exp(-distance^2 / 2 sigma^2)")];
    const VALUES: &'static [Self] = &[Weights::Binary, Weights::Heat];
}

/// Laplacian eigenmaps. On a graph of affinities the affinities are the weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaplacianEigenmaps {
    /// How strongly neighbours are tied; `None` means by the heat kernel where sigma is given, and otherwise all alike.
    pub weights: Option<Weights>,
    /// The scale of the heat kernel; `None` means the median length of the edges.
    pub sigma: Option<f64>,
}

impl LaplacianEigenmaps {
    /// How strongly neighbours are tied, whether that is asked for or not.
    pub fn weights(&self) -> Weights {
        let usual = if self.sigma.is_some() { Weights::Heat } else { Weights::Binary };
        self.weights.unwrap_or(usual)
    }

    /// The scale of the weights exp(-length^2 / epsilon), if they are of that kind.
    fn epsilon(&self) -> Option<f64> {
        self.sigma.filter(|_| self.weights() == Weights::Heat).map(|sigma| 2.0 * sigma * sigma)
    }
}

impl Method for LaplacianEigenmaps {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::new("weights", &mut self.weights, "weights of the edges")
                .without("binary, or heat where sigma is given"),
            Parameter::new("sigma", &mut self.sigma, "width of heat weights")
                .within(Range::POSITIVE)
                .without("from the distances of neighbours"),
        ]
    }

    fn check(&self, _points: usize, _neighbors: usize) -> Result<()> {
        if self.sigma.is_some() && self.weights() == Weights::Binary {
            let (other, value) = ("weights", "binary");
            return Err(Error::Meaningless { name: "sigma", other, value, needed: &["heat"] });
        }
        Ok(())
    }

    fn problem(&self, data: Data<'_>, _progress: &Progress<'_>) -> Result<Problem> {
        let graph = data.graph(self)?;
        match (self.weights(), graph.kind) {
            (_, EdgeKind::Affinity) => random_walk(graph.edges.clone()),
            (Weights::Binary, EdgeKind::Length) => binary_random_walk(graph.edges.clone()),
            (Weights::Heat, EdgeKind::Length) => {
                let scale = match self.sigma {
                    Some(sigma) => sigma,
                    None => median_squared_length(&graph.edges)?.sqrt(),
                };
                let mut problem = random_walk(gaussian(graph, 2.0 * scale * scale))?;
                problem.chosen.extend(self.sigma.is_none().then_some(("sigma", scale)));
                Ok(problem)
            }
        }
    }

    fn extends(&self) -> Result<Extension> {
        Ok(Extension::Formula)
    }

    fn extension(&self, fit: &Fit<'_>) -> Result<Box<dyn Extend>> {
        Ok(Box::new(Walk::new(&fit.data.graph(self)?.edges, fit.problem, self.epsilon(), None)))
    }

    fn load(&self, arrays: &mut Arrays, training: &Training, rows: usize) -> Result<Box<dyn Extend>> {
        Ok(Box::new(Walk::load(arrays, training, rows, self.epsilon(), None)?))
    }
}
