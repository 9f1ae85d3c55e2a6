//! Diffusion maps.
//!
//! R. Coifman and S. Lafon, "Diffusion maps", Applied and Computational Harmonic Analysis 21 (2006).
//!
//! W_ij = exp(-length^2 / epsilon), but at least 1e-10, on the edges of the neighbour graph and 1 on
//! the diagonal; with Q = W 1, W <- Q^-a W Q^-a takes out the sampling density (a = 1) or leaves it
//! in (a = 0). The coordinates are the eigenvectors of the random walk D^-1 W, of length
//! eigenvalue^time.

use super::affinity::{gaussian, median_squared_length, random_walk};
use super::{Data, EdgeKind, Extension, Method, Needs, check_positive, chosen_one};
use crate::error::{Error, Result};
use crate::input::Options;
use crate::linalg::SparseMatrix;
use crate::problem::{Length, Problem};
use crate::progress::Progress;

/// Diffusion maps. On a graph of affinities the affinities are the kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct DiffusionMaps {
    /// Scale of the kernel; `None` means the median squared length of the edges.
    pub epsilon: Option<f64>,
    /// Density normalisation a, from 0 (none) to 1 (the Laplace-Beltrami operator).
    pub density: f64,
    /// Steps of the random walk; the coordinate's length is eigenvalue^time.
    pub time: f64,
}

impl Default for DiffusionMaps {
    fn default() -> Self {
        DiffusionMaps { epsilon: None, density: 1.0, time: 1.0 }
    }
}

impl Method for DiffusionMaps {
    fn name(&self) -> &'static str {
        "dfm"
    }

    fn about(&self) -> &'static str {
        "Diffusion maps (Coifman & Lafon 2006)"
    }

    fn needs(&self) -> Needs {
        Needs::Graph
    }

    fn check(&self, _points: usize, _options: &Options) -> Result<()> {
        check_positive("epsilon", self.epsilon)?;
        if !(0.0..=1.0).contains(&self.density) {
            return Err(Error::parameter("density", self.density, "from 0 to 1"));
        }
        if !(self.time >= 0.0 && self.time.is_finite()) {
            return Err(Error::parameter("time", self.time, "0 or more"));
        }
        Ok(())
    }

    fn problem(
        &self,
        data: Data<'_>,
        _dims: Option<usize>,
        _progress: &Progress<'_>,
    ) -> Result<Problem> {
        let graph = data.graph(self)?;
        let epsilon = match (self.epsilon, graph.kind) {
            (Some(epsilon), _) => epsilon,
            (None, EdgeKind::Length) => median_squared_length(&graph.edges)?,
            (None, EdgeKind::Affinity) => 1.0,
        };
        let kernel = gaussian(graph, epsilon);
        let kernel = match graph.kind {
            EdgeKind::Length => with_unit_diagonal(&kernel),
            EdgeKind::Affinity => kernel,
        };
        let densities = kernel.row_sums();
        let factors: Vec<f64> = densities.iter().map(|q| q.powf(-self.density)).collect();
        let mut problem = random_walk(&kernel.map(|i, j, w| w * (factors[i] * factors[j])))?;
        problem.length = Length::Power(self.time);
        if graph.kind == EdgeKind::Length && self.epsilon.is_none() {
            problem.chosen.push(("epsilon", epsilon));
        }
        Ok(problem)
    }

    fn extension(&self, chosen: &[(&'static str, f64)]) -> Result<Extension> {
        let epsilon = self.epsilon.unwrap_or_else(|| chosen_one(chosen, "epsilon"));
        Ok(Extension::Walk { epsilon: Some(epsilon), density: Some(self.density) })
    }
}

/// A point's affinity to itself: its length is zero, so the kernel is one.
fn with_unit_diagonal(kernel: &SparseMatrix) -> SparseMatrix {
    SparseMatrix::build(
        kernel.size(),
        || (),
        |i, (), out| {
            out.extend(kernel.row(i).map(|(j, value)| (j as u32, value)));
            let place = out.partition_point(|&(j, _)| (j as usize) < i);
            out.insert(place, (i as u32, 1.0));
        },
    )
}
