//! Isomap.
//!
//! J. Tenenbaum, V. de Silva and J. Langford, "A global geometric framework for nonlinear
//! dimensionality reduction", Science 290 (2000).
//!
//! Multidimensional scaling of geodesic distances: the largest end of -1/2 H G H with G the squared
//! lengths of the shortest paths on the neighbour graph and H = I - 11'/N.

use rayon::prelude::*;

use super::{Data, EdgeKind, Extension, Method, Needs, check_dense};
use crate::error::{Error, Result};
use crate::graph::geodesic::all_distances;
use crate::input::Options;
use crate::memory;
use crate::problem::{End, Length, Problem};
use crate::progress::Progress;

/// Isomap with exact geodesic distances.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Isomap {}

impl Method for Isomap {
    fn name(&self) -> &'static str {
        "isomap"
    }

    fn about(&self) -> &'static str {
        "Isomap (Tenenbaum, de Silva & Langford 2000)"
    }

    fn needs(&self) -> Needs {
        Needs::Graph
    }

    fn check(&self, points: usize, _options: &Options) -> Result<()> {
        check_dense(self.name(), points)
    }

    fn memory(&self, points: usize, _options: &Options) -> f64 {
        memory::dense(points)
    }

    fn problem(
        &self,
        data: Data<'_>,
        _dims: Option<usize>,
        progress: &Progress<'_>,
    ) -> Result<Problem> {
        let graph = data.graph(self)?;
        if graph.kind == EdgeKind::Affinity {
            return Err(Error::WrongInput {
                method: self.name(),
                needed: "the lengths of edges",
                given: "affinities",
            });
        }
        let mut matrix = all_distances(&graph.edges, progress)?;
        let n = matrix.size();
        matrix.values_mut().par_chunks_mut(n).flatten_iter().for_each(|d| *d = -0.5 * *d * *d);
        matrix.centre();
        let mut problem = Problem::constant_trivial(matrix, End::Largest);
        problem.length = Length::SquareRoot;
        Ok(problem)
    }

    fn extension(&self, _: &[(&'static str, f64)]) -> Result<Extension> {
        Ok(Extension::Geodesic)
    }
}
