//! From an embedding to a model.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::{Extended, Model, Rule, Training, Walk};
use crate::embedding::Embedding;
use crate::error::{Error, Result};
use crate::graph::geodesic::Dijkstra;
use crate::graph::prepare::Rows;
use crate::input::Input;
use crate::linalg::SparseMatrix;
use crate::linalg::vector::{dot, norm};
use crate::method::affinity::weight;
use crate::method::{Data, Extension, Method};
use crate::points::Points;
use crate::problem::Problem;
use crate::smoother::Realization;
use crate::strategy::{Step, Strategy};

/// Refuses, before any work, what cannot be extended.
pub(crate) fn check(
    input: Option<Input<'_>>,
    method: &dyn Method,
    strategy: &Strategy,
) -> Result<()> {
    let extension = method.extension(&[])?;
    let refuse = |what: String, way_out| Err(Error::CannotExtend { what, way_out });
    if let Some(Input::Graph(_)) = input {
        return refuse(
            "an embedding of a graph".to_string(),
            "nobody knows the neighbours of new points: give points or distances",
        );
    }
    let barycentric = matches!(extension, Extension::Barycentric { .. });
    match strategy {
        Strategy::Regression(_) | Strategy::Advection if !barycentric => refuse(
            format!("strategy {} with method {}", strategy.name(), method.name()),
            "its coordinates are of points that were moved: choose the strategy unpredictable, orthogonal or selection, \
             or the method lle, hlle or ltsa",
        ),
        Strategy::Unpredictable(options)
            if !barycentric && matches!(options.realization, Realization::Sparse { .. }) =>
        {
            refuse("a sparse smoother".to_string(), "choose the low-rank or the dense one")
        }
        _ => Ok(()),
    }
}

/// What an embedding was made from, and what it became.
pub(crate) struct Fitted<'f> {
    pub(crate) input: Input<'f>,
    pub(crate) method: &'f dyn Method,
    pub(crate) neighbors: usize,
    pub(crate) data: Data<'f>,
    /// The points in the order of the problem's rows.
    pub(crate) points: Option<&'f Points>,
    pub(crate) rows: &'f Rows,
    pub(crate) problem: &'f Problem,
    pub(crate) steps: &'f [Step],
    pub(crate) embedding: &'f Embedding,
}

impl Fitted<'_> {
    pub(crate) fn model(&self) -> Result<Model> {
        let coordinates = self.embedding.coordinates.iter();
        let columns: Vec<Vec<f64>> = coordinates.map(|c| self.embedded(&c.values)).collect();
        let values = Points::from_columns(&columns)?;
        let rule = self.rule()?;
        let coordinates = match rule {
            Rule::Barycentric { .. } => self
                .steps
                .iter()
                .map(|step| Extended {
                    eigenvalue: step.pair.value,
                    constant: 0.0,
                    predictor: None,
                })
                .collect(),
            _ => self.extended(&rule, &columns)?,
        };
        Ok(Model {
            method: self.method.name().to_string(),
            strategy: self.embedding.strategy.to_string(),
            neighbors: self.neighbors,
            training: self.training(),
            rule,
            values,
            coordinates,
            notes: BTreeMap::new(),
            tables: BTreeMap::new(),
            search: OnceLock::new(),
        })
    }

    /// Of values of all rows of the input those of the problem's rows.
    fn embedded(&self, values: &[f64]) -> Vec<f64> {
        match &self.rows.embedded {
            Some(rows) => rows.iter().map(|&row| values[row as usize]).collect(),
            None => values.to_vec(),
        }
    }

    fn training(&self) -> Training {
        match (self.points, self.input) {
            (Some(points), _) => Training::Points(points.clone()),
            (None, Input::Distances(distances)) => {
                let all = || (0..distances.size() as u32).collect();
                let rows = self.rows.embedded.clone().unwrap_or_else(all);
                Training::Distances { rows, input: distances.size() }
            }
            (None, _) => Training::Row,
        }
    }

    fn rule(&self) -> Result<Rule> {
        Ok(match self.method.extension(&self.problem.chosen)? {
            Extension::Walk { epsilon, density } => {
                Rule::Walk(self.walk(&self.data.graph(self.method)?.edges, epsilon, density))
            }
            Extension::Barycentric { regularization } => Rule::Barycentric { regularization },
            Extension::Kernel(kernel) => Rule::Kernel(kernel),
            Extension::Geodesic => {
                Rule::Geodesic { graph: self.data.graph(self.method)?.edges.clone() }
            }
            Extension::Row => Rule::Row,
        })
    }

    fn walk(&self, lengths: &SparseMatrix, epsilon: Option<f64>, density: Option<f64>) -> Walk {
        let squares = self.problem.scale.iter().flatten().map(|s| s * s);
        let heaviest = squares.clone().fold(0.0, f64::max);
        let mut walk = Walk { epsilon, density: None, heaviest, least_share: 1.0 };
        if let Some(power) = density {
            let kernel = |d: f64| epsilon.map_or(1.0, |epsilon| weight(d * d, epsilon));
            let sum = |i: usize| 1.0 + lengths.values(i).iter().map(|d| kernel(*d)).sum::<f64>();
            let factors: Vec<f64> = (0..lengths.size()).map(|i| sum(i).powf(-power)).collect();
            let shares = factors.iter().zip(squares).map(|(q, square)| 1.0 - q * q * square);
            walk.least_share = shares.fold(1.0, f64::min);
            walk.density = Some((power, factors));
        }
        walk
    }

    /// The coordinates but for their values, which are the columns.
    fn extended(&self, rule: &Rule, columns: &[Vec<f64>]) -> Result<Vec<Extended>> {
        let problem = self.problem;
        // Means of rows and columns need not be kept: that of the rows meets coordinates whose sum is zero, and that
        // of the columns gives a constant, which one training point's own row tells.
        let kernel = self.first_row(rule);
        let scaled = |at: usize| problem.scale.as_ref().map_or(1.0, |scale| scale[at]);
        let mut signs: Vec<f64> = Vec::new();
        let mut extended = Vec::new();
        for (step, values) in self.steps.iter().zip(columns) {
            let g = &step.pair.vector;
            let f: Vec<f64> = g.iter().enumerate().map(|(at, g)| scaled(at) * g).collect();
            let largest = (0..f.len()).max_by(|&a, &b| f[a].abs().total_cmp(&f[b].abs()));
            let sign = largest.map_or(1.0, |at| (f[at] * values[at]).signum());
            let factor = sign / norm(&f);
            let mut image = vec![0.0; g.len()];
            problem.matrix.operator().apply(g, &mut image);
            let mut constant = match (&step.forbidden, &problem.trivial) {
                (Some(forbidden), _) => forbidden.constant,
                (None, Some(t)) => dot(t, &image) / dot(t, t),
                (None, None) => 0.0,
            };
            // s . t is the same everywhere.
            constant *= factor * problem.trivial.as_ref().map_or(1.0, |t| scaled(0) * t[0]);
            if let Some(kernel) = &kernel {
                constant += dot(kernel, values) - factor * image[0];
            }
            let predictor = step.forbidden.as_ref().map(|f| &f.predictor);
            let predictor = predictor.map(|predictor| predictor.clone().turned(&signs, factor));
            extended.push(Extended { eigenvalue: step.pair.value, constant, predictor });
            signs.push(sign);
        }
        Ok(extended)
    }

    /// The first training point's row of a matrix before it was centred.
    fn first_row(&self, rule: &Rule) -> Option<Vec<f64>> {
        match (rule, self.points) {
            (Rule::Kernel(kernel), Some(points)) => {
                let mut row = vec![0.0; points.rows()];
                let origin = kernel.origin(points);
                kernel.row(points.row(0), points, origin.as_deref(), &mut row);
                Some(row)
            }
            (Rule::Geodesic { graph }, _) => {
                let mut dijkstra = Dijkstra::new(graph.size());
                let distances = dijkstra.from(graph, [(0, 0.0)]);
                Some(distances.iter().map(|d| -0.5 * d * d).collect())
            }
            _ => None,
        }
    }
}
