//! Isomap.
//!
//! J. Tenenbaum, V. de Silva and J. Langford, "A global geometric framework for nonlinear
//! dimensionality reduction", Science 290 (2000).
//!
//! Multidimensional scaling of geodesic distances: the largest end of -1/2 H G H with G the squared
//! lengths of the shortest paths on the neighbour graph and H = I - 11'/N.

use rayon::prelude::*;

use super::{About, Data, EdgeKind, Extension, Fit, Method, Needs, check_dense};
use crate::error::{Error, Result};
use crate::extend::{Arrays, Extend, New, Tied, Training, Weigh, check_part, damaged};
use crate::graph::geodesic::{Dijkstra, all_distances};
use crate::linalg::SparseMatrix;
use crate::memory;
use crate::problem::{End, Length, Problem};
use crate::progress::Progress;

const ABOUT: About = About {
    name: "isomap",
    title: "Isomap",
    paper: "Tenenbaum, de Silva & Langford 2000",
    class: "Isomap",
    needs: Needs::Graph,
};

/// Isomap with exact geodesic distances.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Isomap {}

impl Method for Isomap {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, points: usize, _neighbors: usize) -> Result<()> {
        check_dense(self.name(), points)
    }

    fn memory(&self, points: usize, _neighbors: usize) -> f64 {
        memory::dense(points)
    }

    fn problem(&self, data: Data<'_>, progress: &Progress<'_>) -> Result<Problem> {
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

    fn extends(&self) -> Result<Extension> {
        Ok(Extension::Formula)
    }

    fn extension(&self, fit: &Fit<'_>) -> Result<Box<dyn Extend>> {
        Ok(Box::new(Geodesic { graph: fit.data.graph(self)?.edges.clone() }))
    }

    fn load(&self, arrays: &mut Arrays, training: &Training, rows: usize) -> Result<Box<dyn Extend>> {
        check_part(!matches!(training, Training::Row), "no training points")?;
        let graph = read_graph(arrays)?;
        check_part(graph.size() == rows, "its graph has another size")?;
        Ok(Box::new(Geodesic { graph }))
    }
}

/// The extension: by the lengths of the shortest paths from the new point to all training points.
#[derive(Clone, Debug)]
struct Geodesic {
    graph: SparseMatrix,
}

impl Extend for Geodesic {
    fn weigher<'e>(&'e self, _: &'e Training) -> Box<dyn Weigh + 'e> {
        Box::new(ByPaths { graph: &self.graph, dijkstra: Dijkstra::new(self.graph.size()) })
    }

    fn first_row(&self, _: &Training) -> Option<Vec<f64>> {
        let mut dijkstra = Dijkstra::new(self.graph.size());
        let distances = dijkstra.from(&self.graph, [(0, 0.0)]);
        Some(distances.iter().map(|d| -0.5 * d * d).collect())
    }

    fn save(&self, arrays: &mut Arrays) {
        let ends: Vec<u32> = self.graph.offsets[1..].iter().map(|&end| end as u32).collect();
        arrays.put_indices("graph.ends", &ends);
        arrays.put_indices("graph.columns", &self.graph.columns);
        arrays.put("graph.lengths", &self.graph.values);
    }
}

struct ByPaths<'e> {
    graph: &'e SparseMatrix,
    dijkstra: Dijkstra,
}

impl Weigh for ByPaths<'_> {
    fn weigh(&mut self, new: &New<'_>, weights: &mut Vec<f64>) -> Result<Tied> {
        let sources = new.near.iter().map(|&(squared, j)| (j, squared.sqrt()));
        let distances = self.dijkstra.from(self.graph, sources);
        weights.clear();
        weights.extend(distances.iter().map(|d| -0.5 * d * d));
        Ok(Tied::All)
    }
}

fn read_graph(arrays: &mut Arrays) -> Result<SparseMatrix> {
    let ends = arrays.take_indices("graph.ends")?;
    let columns = arrays.take_indices("graph.columns")?;
    let values = arrays.take("graph.lengths")?;
    let offsets: Vec<usize> =
        std::iter::once(0).chain(ends.iter().map(|&end| end as usize)).collect();
    let ordered = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
    let inside = columns.iter().all(|&column| (column as usize) < ends.len());
    let lengths = values.iter().all(|length| *length >= 0.0 && length.is_finite());
    let sizes = offsets.last() == Some(&columns.len()) && columns.len() == values.len();
    if ordered && inside && lengths && sizes {
        Ok(SparseMatrix { offsets, columns, values })
    } else {
        Err(damaged("its graph is none"))
    }
}
