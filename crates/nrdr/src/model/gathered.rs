//! The model of points that several processes share: the first of them gathers what it takes.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::fit::extended;
use super::{Extended, LEFT_OUT, Model};
use crate::embedding::Embedding;
use crate::error::{FEWER_POINTS, MORE_MEMORY, Result};
use crate::extend::Training;
use crate::graph::{EdgeKind, Graph};
use crate::linalg::reduce::{agree, count, to_first};
use crate::linalg::{Matrix, Operator, SparseMatrix};
use crate::memory::Budget;
use crate::method::{Data, Extension, Fit, Method};
use crate::metric::Metric;
use crate::points::Points;
use crate::problem::Problem;
use crate::strategy::{Step, Strategy};

/// What a member has of the points that an embedding was made from: a row for each of its rows of the problem.
#[derive(Clone, Copy)]
pub struct Trained<'t> {
    /// The method with its parameters.
    pub method: &'t dyn Method,
    /// How many neighbours a point has.
    pub neighbors: usize,
    /// The points as they were given, row after row,
    pub values: &'t [f64],
    /// so many numbers each.
    pub columns: usize,
    /// The number of each among the rows of the whole input.
    pub rows: &'t [u32],
    /// How many rows the whole input has.
    pub input: usize,
    /// The lengths of the edges of each point in the neighbour graph, one point after another, and where those of each begin
    /// and the last end. What [`DiffusionMaps`](crate::DiffusionMaps) needs.
    pub lengths: (&'t [usize], &'t [f64]),
}

/// An embedding that processes share, with what their model is made from.
pub(crate) struct Gathered<'g> {
    pub(crate) trained: &'g Trained<'g>,
    pub(crate) strategy: &'g Strategy,
    pub(crate) metric: Metric,
    pub(crate) problem: &'g Problem,
    pub(crate) steps: &'g [Step],
    pub(crate) embedding: &'g Embedding,
}

/// A matrix whose products are not asked for any more.
struct Forgotten(usize);

impl Operator for Forgotten {
    fn size(&self) -> usize {
        self.0
    }
    fn apply(&self, _: &[f64], y: &mut [f64]) {
        y.fill(0.0);
    }
}

impl Gathered<'_> {
    /// The model, at the first member; every member must ask.
    pub(crate) fn model(&self, budget: Budget) -> Result<Option<Model>> {
        let &Trained { method, neighbors, values, columns, rows, input, lengths } = self.trained;
        let dims = self.embedding.dims();
        let points = count(rows.len());
        // Points, coordinates and sources.
        let needed = 8.0 * points as f64 * (columns + 2 * dims + 2) as f64;
        agree(budget.check("the model", needed, &[FEWER_POINTS, MORE_MEMORY]))?;
        let own: Vec<Vec<f64>> =
            self.embedding.coordinates.iter().map(|c| c.values.clone()).collect();
        let mut coordinates: Vec<Extended> = match method.extends()? {
            Extension::Interpolation => self.steps.iter().map(Extended::plain).collect(),
            Extension::Formula => extended(self.problem, None, false, self.steps, &own),
        };
        for coordinate in &mut coordinates {
            coordinate.source = coordinate.source.take().map(to_first);
        }
        let all: Vec<Vec<f64>> = own.into_iter().map(to_first).collect();
        let points = to_first(values.to_vec());
        let rows = to_first(rows.iter().map(|&row| f64::from(row)).collect());
        let scale = self.problem.scale.clone().map(to_first);
        let ends = lengths.0.windows(2).map(|range| (range[1] - range[0]) as f64);
        let (ends, lengths) = (to_first(ends.collect()), to_first(lengths.1.to_vec()));
        if points.is_empty() {
            return Ok(None);
        }
        let whole = points.len() / columns;
        let problem = Problem {
            matrix: Matrix::Operator(Arc::new(Forgotten(whole))),
            scale,
            trivial: None,
            ..self.problem.clone()
        };
        let training = Training::Points(Points::new(points, columns)?);
        let mut offsets = vec![0];
        offsets.extend(ends.iter().scan(0, |end, count| {
            *end += *count as usize;
            Some(*end)
        }));
        // Only how long edges are, not where they lead.
        let edges = SparseMatrix { offsets, columns: vec![0; lengths.len()], values: lengths };
        let graph = Graph { edges, kind: EdgeKind::Length };
        let method = method.resolved(&self.problem.chosen)?;
        let fit = Fit { data: Data::Graph(&graph), problem: &problem, training: &training };
        let extension = method.extension(&fit)?;
        let mut places = vec![LEFT_OUT; input];
        for (place, row) in rows.iter().enumerate() {
            places[*row as usize] = place as u32;
        }
        Ok(Some(Model {
            method: method.named()?,
            strategy: self.strategy.named()?,
            neighbors,
            metric: self.metric,
            training,
            seen: OnceLock::new(),
            extension: Arc::from(extension),
            values: Points::from_columns(&all)?,
            coordinates,
            places: Some(places),
            notes: BTreeMap::new(),
            tables: BTreeMap::new(),
            index: OnceLock::new(),
        }))
    }
}
