//! Isomap.
//!
//! J. Tenenbaum, V. de Silva and J. Langford, "A global geometric framework for nonlinear
//! dimensionality reduction", Science 290 (2000).
//!
//! Multidimensional scaling of geodesic distances: the largest end of -1/2 H G H with G the squared
//! lengths of the shortest paths on the neighbour graph and H = I - 11'/N. Where N x N numbers are too many, shortest paths
//! begin at some points only (`landmarks.rs`).

use rayon::prelude::*;

use super::landmarks::{self, Landmarked, ToLandmarks};
use super::{About, Data, EdgeKind, Extension, Fit, Method, Needs, dense_fits};
use crate::error::{Error, Result};
use crate::extend::{Arrays, Extend, New, Tied, Training, Weigh, check_part, damaged};
use crate::graph::geodesic::all_distances;
use crate::graph::paths::Paths;
use crate::linalg::SparseMatrix;
use crate::memory;
use crate::parameter::{Parameter, Range};
use crate::problem::{End, Length, Problem};
use crate::progress::Progress;

const ABOUT: About = About {
    name: "isomap",
    title: "Isomap",
    paper: "Tenenbaum, de Silva & Langford 2000",
    class: "Isomap",
    needs: Needs::Graph,
};

/// Isomap: geodesic distances of all pairs, or from landmarks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Isomap {
    /// How many points shortest paths begin at, spread evenly; `None` means all of them as long as a matrix of all pairs
    /// fits the memory (up to 25 000 points), and beyond that as many as the leading coordinates take to settle: 256, 512 or 1024.
    pub landmarks: Option<usize>,
}

impl Method for Isomap {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::new("landmarks", &mut self.landmarks, "points that shortest paths begin at")
                .within(Range::FROM_ONE)
                .without("all, or as many as it takes where N x N does not fit"),
        ]
    }

    fn check(&self, points: usize, _neighbors: usize) -> Result<()> {
        match self.landmarks {
            Some(count) if count > points => {
                Err(Error::parameter("landmarks", count, format!("at most {points}, the points")))
            }
            _ => Ok(()),
        }
    }

    fn memory(&self, points: usize, _neighbors: usize) -> f64 {
        self.landmarks.map_or(memory::dense(points), |count| landmarks::memory(points, count))
    }

    fn within(&self, points: usize, _neighbors: usize, bytes: Option<u64>) -> Box<dyn Method> {
        if dense_fits(points, bytes) || self.landmarks.is_some() {
            return Box::new(self.clone());
        }
        Box::new(Landmarked::within(self, points, bytes))
    }

    fn problem(&self, data: Data<'_>, progress: &Progress<'_>) -> Result<Problem> {
        let edges = lengths(data, self)?;
        if let Some(count) = self.landmarks {
            return landmarks::problem(edges, count, progress);
        }
        let mut matrix = all_distances(edges, progress)?;
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
        let graph = lengths(fit.data, self)?.clone();
        Ok(match self.landmarks {
            Some(count) => Box::new(ToLandmarks::new(graph, count)),
            None => Box::new(Geodesic { graph }),
        })
    }

    fn load(&self, arrays: &mut Arrays, training: &Training, rows: usize) -> Result<Box<dyn Extend>> {
        check_part(!matches!(training, Training::Row), "no training points")?;
        if let Some(count) = self.landmarks {
            return Ok(Box::new(ToLandmarks::load(arrays, rows, count)?));
        }
        let graph = read_graph(arrays)?;
        check_part(graph.size() == rows, "its graph has another size")?;
        Ok(Box::new(Geodesic { graph }))
    }
}

/// The graph, whose edges must be lengths.
pub(super) fn lengths<'d>(data: Data<'d>, method: &Isomap) -> Result<&'d SparseMatrix> {
    let graph = data.graph(method)?;
    if graph.kind == EdgeKind::Affinity {
        return Err(Error::WrongInput {
            method: method.name(),
            needed: "the lengths of edges",
            given: "affinities",
        });
    }
    Ok(&graph.edges)
}

/// The extension: by the lengths of the shortest paths from the new point to all training points.
#[derive(Clone, Debug)]
struct Geodesic {
    graph: SparseMatrix,
}

impl Extend for Geodesic {
    fn weigher<'e>(&'e self, _: &'e Training) -> Box<dyn Weigh + 'e> {
        Box::new(ByPaths(Paths::new(&self.graph)))
    }

    fn first_row(&self, _: &Training) -> Option<Vec<f64>> {
        let mut paths = Paths::new(&self.graph);
        let distances = paths.from([(0, 0.0)]);
        Some(distances.iter().map(|d| -0.5 * d * d).collect())
    }

    fn save(&self, arrays: &mut Arrays) {
        save_graph(&self.graph, arrays);
    }
}

struct ByPaths<'e>(Paths<'e>);

impl Weigh for ByPaths<'_> {
    fn weigh(&mut self, new: &New<'_>, weights: &mut Vec<f64>) -> Result<Tied> {
        let sources = new.near.iter().map(|&(squared, j)| (j, squared.sqrt()));
        let distances = self.0.from(sources);
        weights.clear();
        weights.extend(distances.iter().map(|d| -0.5 * d * d));
        Ok(Tied::All)
    }
}

pub(super) fn save_graph(graph: &SparseMatrix, arrays: &mut Arrays) {
    let ends: Vec<u32> = graph.offsets[1..].iter().map(|&end| end as u32).collect();
    arrays.put_indices("graph.ends", &ends);
    arrays.put_indices("graph.columns", &graph.columns);
    arrays.put("graph.lengths", &graph.values);
}

pub(super) fn read_graph(arrays: &mut Arrays) -> Result<SparseMatrix> {
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
