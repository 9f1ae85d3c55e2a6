//! From an embedding to a model.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::{Extended, LEFT_OUT, Model, SPENT};
use crate::embedding::Embedding;
use crate::error::{Error, Inextensible, Result};
use crate::extend::Training;
use crate::graph::prepare::EmbeddedRows;
use crate::graph::{EdgeKind, Graph};
use crate::input::Input;
use crate::linalg::Matrix;
use crate::linalg::reduce::{Share, dot, largest, norm};
use crate::linalg::vector::scale;
use crate::method::{Data, Extension, Fit, Method};
use crate::metric::Metric;
use crate::points::Points;
use crate::problem::Problem;
use crate::strategy::{Step, Strategy};

/// Refuses, before any work, what cannot be extended.
pub(crate) fn check(
    input: Option<Input<'_>>,
    method: &dyn Method,
    strategy: &Strategy,
) -> Result<()> {
    let extension = method.extends()?;
    if let Some(Input::Graph(Graph { kind: EdgeKind::Affinity, .. })) = input {
        return Err(Error::CannotExtend { what: Inextensible::Graph });
    }
    match extension {
        Extension::Formula => strategy.rule().check_extension(method.name()),
        Extension::Interpolation => Ok(()),
    }
}

/// What an embedding was made from, and what it became.
pub(crate) struct Fitted<'f> {
    pub(crate) input: Input<'f>,
    pub(crate) method: &'f dyn Method,
    pub(crate) strategy: &'f Strategy,
    pub(crate) neighbors: usize,
    pub(crate) metric: Metric,
    pub(crate) data: Data<'f>,
    /// The points in the order of the problem's rows, as the metric sees them.
    pub(crate) points: Option<&'f Points>,
    pub(crate) rows: &'f EmbeddedRows,
    pub(crate) problem: &'f Problem,
}

impl Fitted<'_> {
    /// The model of these coordinates.
    pub(crate) fn model(&self, steps: &[Step], embedding: &Embedding) -> Result<Model> {
        let coordinates = embedding.coordinates.iter();
        let columns: Vec<Vec<f64>> = coordinates.map(|c| self.embedded(&c.values)).collect();
        let values = Points::from_columns(&columns)?;
        let (training, method) = (self.training(), self.method.resolved(&self.problem.chosen)?);
        let fit = Fit { data: self.data, problem: self.problem, training: &training };
        let extension = method.extension(&fit)?;
        let coordinates = if extension.interpolates() {
            steps.iter().map(Extended::plain).collect()
        } else {
            // Means of rows and columns need not be kept: that of the rows meets coordinates whose sum is zero, and that
            // of the columns gives a constant, which one training point's own row tells.
            let kernel = extension.first_row(&training);
            let is_by_numbers = extension.width().is_some();
            extended(self.problem, kernel.as_deref(), is_by_numbers, steps, &columns)
        };
        Ok(Model {
            method: method.named()?,
            strategy: self.strategy.named()?,
            neighbors: self.neighbors,
            metric: self.metric,
            training,
            seen: OnceLock::new(),
            extension: Arc::from(extension),
            values,
            coordinates,
            places: Some(self.places()),
            notes: BTreeMap::new(),
            tables: BTreeMap::new(),
            index: OnceLock::new(),
        })
    }

    /// Of values of all rows of the input those of the problem's rows.
    fn embedded(&self, values: &[f64]) -> Vec<f64> {
        match &self.rows.embedded {
            Some(rows) => rows.iter().map(|&row| values[row as usize]).collect(),
            None => values.to_vec(),
        }
    }

    /// For each row of the input its row of the problem.
    fn places(&self) -> Vec<u32> {
        let Some(rows) = &self.rows.embedded else { return (0..self.rows.len() as u32).collect() };
        let mut places = vec![LEFT_OUT; self.rows.input];
        rows.iter().zip(0..).for_each(|(&row, place)| places[row as usize] = place);
        places
    }

    fn training(&self) -> Training {
        match (self.points, self.input) {
            // Those that were given: how the metric sees them it can tell again.
            (Some(_), Input::Points(points)) if self.metric.is_of_seen() => {
                let rows = self.rows.embedded.as_ref();
                Training::Points(rows.map_or_else(|| points.clone(), |rows| points.select(rows)))
            }
            (Some(points), _) => Training::Points(points.clone()),
            (None, Input::Distances(_) | Input::Graph(_)) => {
                let input = self.rows.input;
                let rows = self.rows.embedded.clone();
                let rows = rows.unwrap_or_else(|| (0..input as u32).collect());
                Training::Distances { rows, input }
            }
            (None, _) => Training::Row,
        }
    }
}

/// The coordinates but for their values, which are the columns. Where processes share the rows, sources are own rows.
pub(super) fn extended(
    problem: &Problem,
    kernel: Option<&[f64]>,
    is_by_numbers: bool,
    steps: &[Step],
    columns: &[Vec<f64>],
) -> Vec<Extended> {
    let scaled = |at: usize| problem.scale.as_ref().map_or(1.0, |scale| scale[at]);
    // s . t is the same everywhere.
    let everywhere = problem.trivial.as_ref().map_or(1.0, |t| {
        let first =
            |place: usize, numbers: &mut Vec<f64>| numbers.extend([scaled(place), t[place]]);
        let first = Share::new(t.len()).at(std::iter::once(0), 2, first);
        first.iter().product()
    });
    let mut signs: Vec<f64> = Vec::new();
    let mut extended = Vec::new();
    for (step, values) in steps.iter().zip(columns) {
        let g = &step.pair.vector;
        let f: Vec<f64> = g.iter().enumerate().map(|(at, g)| scaled(at) * g).collect();
        let at = (0..f.len()).max_by(|&a, &b| f[a].abs().total_cmp(&f[b].abs()));
        let sign = largest(at.map_or(0.0, |at| f[at] * values[at])).signum();
        let factor = sign / norm(&f);
        let mut image = vec![0.0; g.len()];
        let source = step.source.as_deref();
        problem.matrix.operator().apply(source.unwrap_or(g), &mut image);
        let source = match &problem.matrix {
            Matrix::LowRank(matrix) if is_by_numbers => {
                let mut weights = matrix.weights(source.unwrap_or(g));
                scale(&mut weights, factor);
                Some(weights)
            }
            _ => source
                .map(|u| u.iter().enumerate().map(|(at, u)| factor * scaled(at) * u).collect()),
        };
        let mut constant = match (&step.forbidden, &problem.trivial) {
            (Some(forbidden), _) => forbidden.constant,
            (None, Some(t)) => dot(t, &image) / dot(t, t),
            (None, None) => 0.0,
        };
        constant *= factor * everywhere;
        if let Some(kernel) = kernel {
            constant += dot(kernel, source.as_deref().unwrap_or(values)) - factor * image[0];
        }
        let predictor = step.forbidden.as_ref().and_then(|f| f.predictor.clone());
        let predictor = predictor.map(|predictor| predictor.turned(&signs, factor));
        let eigenvalue = step.pair.value;
        let mut coordinate = Extended { eigenvalue, constant, predictor, source };
        if coordinate.source.is_some() && step.source.is_none() {
            coordinate.divide(steps[0].pair.value);
        }
        extended.push(coordinate);
        signs.push(sign);
    }
    extended
}

impl Extended {
    /// A coordinate that is interpolated.
    pub(super) fn plain(step: &Step) -> Self {
        let eigenvalue = step.pair.value;
        Extended { eigenvalue, constant: 0.0, predictor: None, source: None }
    }

    /// Divides all sums by the eigenvalue, unless it is rounding beside the first one: then they are zero.
    fn divide(&mut self, first: f64) {
        let sound = self.eigenvalue.abs() > SPENT * first.abs();
        let factor = if sound { self.eigenvalue.recip() } else { 0.0 };
        self.constant *= factor;
        self.source.iter_mut().for_each(|source| scale(source, factor));
        let coefficients = self.predictor.iter_mut().flat_map(|p| &mut p.coefficients);
        coefficients.for_each(|coefficients| scale(coefficients, factor));
    }
}
