//! Diffusion maps.
//!
//! R. Coifman and S. Lafon, "Diffusion maps", Applied and Computational Harmonic Analysis 21 (2006).
//!
//! W_ij = exp(-length^2 / epsilon), but at least 1e-10, on the edges of the neighbour graph and 1 on
//! the diagonal; with Q = W 1, W <- Q^-a W Q^-a takes out the sampling density (a = 1) or leaves it
//! in (a = 0). The coordinates are the eigenvectors of the random walk D^-1 W, of length
//! eigenvalue^time.

use super::walk::{Walk, gaussian, median_squared_length, random_walk};
use super::{About, Data, EdgeKind, Extension, Fit, Method, Needs};
use crate::error::Result;
use crate::extend::{Arrays, Extend, Training};
use crate::linalg::SparseMatrix;
use crate::memory;
use crate::parameter::{Parameter, Range};
use crate::problem::{Length, Problem};
use crate::progress::Progress;

const ABOUT: About = About {
    name: "dfm",
    title: "Diffusion maps",
    paper: "Coifman & Lafon 2006",
    class: "DiffusionMaps",
    needs: Needs::Graph,
};

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
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::new("epsilon", &mut self.epsilon, "squared width of the kernel")
                .within(Range::POSITIVE)
                .without("from the distances of neighbours"),
            Parameter::new("density", &mut self.density, "power of the density that is divided out")
                .within(Range::UNIT),
            Parameter::new("time", &mut self.time, "diffusion time, which sets the lengths of the coordinates")
                .within(Range::NOT_NEGATIVE),
        ]
    }

    fn aside(&self, points: usize, _neighbors: usize, entries: f64) -> f64 {
        // The weights before each point is joined to itself.
        memory::sparse(points, entries)
    }

    fn problem(&self, data: Data<'_>, _progress: &Progress<'_>) -> Result<Problem> {
        let graph = data.graph(self)?;
        let epsilon = match (self.epsilon, graph.kind) {
            (Some(epsilon), _) => epsilon,
            (None, EdgeKind::Length) => median_squared_length(&graph.edges)?,
            (None, EdgeKind::Affinity) => 1.0,
        };
        let kernel = gaussian(graph, epsilon);
        let mut kernel = match graph.kind {
            EdgeKind::Length => with_unit_diagonal(kernel),
            EdgeKind::Affinity => kernel,
        };
        let densities = kernel.row_sums();
        let factors: Vec<f64> = densities.iter().map(|q| q.powf(-self.density)).collect();
        kernel.change(|i, j, w| w * (factors[i] * factors[j]));
        let mut problem = random_walk(kernel)?;
        problem.length = Length::Power(self.time);
        if graph.kind == EdgeKind::Length && self.epsilon.is_none() {
            problem.chosen.push(("epsilon", epsilon));
        }
        Ok(problem)
    }

    fn extends(&self) -> Result<Extension> {
        Ok(Extension::Formula)
    }

    fn extension(&self, fit: &Fit<'_>) -> Result<Box<dyn Extend>> {
        let edges = &fit.data.graph(self)?.edges;
        Ok(Box::new(Walk::new(edges, fit.problem, self.epsilon, Some(self.density))))
    }

    fn load(&self, arrays: &mut Arrays, training: &Training, rows: usize) -> Result<Box<dyn Extend>> {
        Ok(Box::new(Walk::load(arrays, training, rows, self.epsilon, Some(self.density))?))
    }
}

/// A point's affinity to itself: its length is zero, so the kernel is one.
fn with_unit_diagonal(kernel: SparseMatrix) -> SparseMatrix {
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
