//! What comes out of an embedding: the coordinates and what happened on the way.

use std::time::Duration;

use crate::error::{Error, Result};
use crate::measure::dimension::Estimate;
use crate::measure::quality::{Quality, Sample, Terms};
use crate::measure::redundancy::{Redundancy, RedundancyOptions, redundancy};
use crate::metric::Metric;
use crate::points::Points;
use crate::progress::Observer;
use crate::stage::Stage;
use crate::strategy::{Selected, Smoothing};
use crate::warning::Warning;

/// One coordinate of all points.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinate {
    /// A number for each point: unit length in all, the largest in magnitude positive. NaN for
    /// points that were left out.
    pub values: Vec<f64>,
    /// The eigenvalue of the method's matrix.
    pub eigenvalue: f64,
    /// The eigenvalue of the original method's coordinate of the same number, where that is known: strategies that move
    /// the points know the first.
    pub original_eigenvalue: Option<f64>,
    /// The length that the method traditionally gives the coordinate (Isomap and kernel PCA:
    /// the square root of the eigenvalue; diffusion maps: eigenvalue^time; others: 1).
    pub length: f64,
    /// |(I - VV') (A g - eigenvalue g)| / |A|, V being what the coordinate must be orthogonal to: the trivial direction
    /// and, unless the strategy is the original one, what it forbids. |A| is the largest absolute row sum, or the largest
    /// Ritz value of an operator without entries.
    pub residual: f64,
    /// Products or solves with a block of vectors; coordinates found together share them.
    pub iterations: usize,
    /// How the earlier coordinates constrained it, under the unpredictable strategy.
    pub smoothing: Option<Smoothing>,
    /// Which original coordinate it is, under the selection strategy.
    pub selected: Option<Selected>,
    /// Time to find it; coordinates found together share it equally.
    pub time: Duration,
}

/// The result of an embedding.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding {
    /// The coordinates, most important first.
    pub coordinates: Vec<Coordinate>,
    /// The method's short name.
    pub method: &'static str,
    /// The strategy's name.
    pub strategy: &'static str,
    /// By which neighbours were searched.
    pub metric: Metric,
    /// The solver that was used.
    pub solver: &'static str,
    /// Parameters that were chosen automatically, with their values.
    pub chosen: Vec<(&'static str, f64)>,
    /// The error of each candidate that the selection strategy looked at; empty for others.
    pub candidates: Vec<f64>,
    /// How many coordinates are worth having, if that was to be found out.
    pub dimension: Option<Estimate>,
    /// Number of points of each component of the graph, largest first; empty without a graph.
    pub components: Vec<usize>,
    /// How many points were left out; their rows are NaN.
    pub left_out: usize,
    /// What the user should know.
    pub warnings: Vec<Warning>,
    /// Time taken by each stage, in order.
    pub times: Vec<(Stage, Duration)>,
}

impl Embedding {
    /// Number of points.
    pub fn len(&self) -> usize {
        self.coordinates.first().map_or(0, |c| c.values.len())
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of coordinates.
    pub fn dims(&self) -> usize {
        self.coordinates.len()
    }

    /// The values of coordinate `i`, one for each point.
    pub fn coordinate(&self, i: usize) -> &[f64] {
        &self.coordinates[i].values
    }

    /// The coordinates of point `n`.
    pub fn row(&self, n: usize) -> impl Iterator<Item = f64> {
        self.coordinates.iter().map(move |c| c.values[n])
    }

    /// The coordinates as a table, a row for each point that was not left out.
    pub fn to_points(&self) -> Result<Points> {
        let rows = (0..self.len()).map(|n| self.row(n).collect::<Vec<f64>>());
        Points::from_rows(rows.filter(|row| row.iter().all(|v| !v.is_nan())))
    }

    /// How redundant the coordinates are; `None` with a single one. The observer `&()` sees nothing.
    pub fn redundancy(
        &self,
        options: &RedundancyOptions,
        observer: &dyn Observer,
    ) -> Result<Option<Redundancy>> {
        match self.dims() {
            0 | 1 => Ok(None),
            _ => redundancy(&self.to_points()?, options, observer).map(Some),
        }
    }

    /// The points that were not left out, by their numbers.
    pub fn embedded(&self) -> Vec<u32> {
        let there = |n: &u32| self.row(*n as usize).all(|value| !value.is_nan());
        (0..self.len() as u32).filter(there).collect()
    }

    /// How good it is, on a sample of the points it was made from: whether neighbours stay neighbours, and how many of the
    /// labels they tell, if there are some. Neighbours among the points are those by the metric of the embedding. Points that
    /// were left out do not count.
    pub fn quality(&self, points: &Points, labels: Option<&[u32]>, seed: u64) -> Result<Quality> {
        Ok(Embedding::qualities(&[self], points, labels, seed)?.swap_remove(0))
    }

    /// The same of several embeddings of the same points, whose neighbours are looked for once.
    pub fn qualities(
        embeddings: &[&Embedding],
        points: &Points,
        labels: Option<&[u32]>,
        seed: u64,
    ) -> Result<Vec<Quality>> {
        let measured = Embedding::measured(embeddings, points, labels, seed)?;
        Ok(measured.into_iter().map(|(quality, _)| quality).collect())
    }

    /// The same with what the measures are means of.
    pub(crate) fn measured(
        embeddings: &[&Embedding],
        points: &Points,
        labels: Option<&[u32]>,
        seed: u64,
    ) -> Result<Vec<(Quality, Terms)>> {
        let sizes = [("the points", Some(points.rows())), ("labels", labels.map(<[u32]>::len))];
        for (embedding, (what, size)) in embeddings.iter().flat_map(|e| sizes.map(|s| (e, s))) {
            if let Some(got) = size.filter(|&got| got != embedding.len()) {
                return Err(Error::Size { what, got, expected: embedding.len() });
            }
        }
        let mut found = Vec::with_capacity(embeddings.len());
        // A sample is one of points that are embedded.
        let alike =
            |a: &&Embedding, b: &&Embedding| a.metric == b.metric && a.embedded() == b.embedded();
        for alike in embeddings.chunk_by(alike) {
            let embedded = alike[0].embedded();
            let labels =
                labels.map(|all| embedded.iter().map(|&i| all[i as usize]).collect::<Vec<u32>>());
            let tables: Vec<Points> = alike.iter().map(|e| e.to_points()).collect::<Result<_>>()?;
            let tables: Vec<&Points> = tables.iter().collect();
            let sample = Sample::new(points, &embedded, seed).by(alike[0].metric);
            found.extend(sample.measured(&tables, labels.as_deref())?);
        }
        Ok(found)
    }

    /// The eigenvalues.
    pub fn eigenvalues(&self) -> impl Iterator<Item = f64> {
        self.coordinates.iter().map(|c| c.eigenvalue)
    }

    /// Time of all stages together.
    pub fn time(&self) -> Duration {
        self.times.iter().map(|(_, time)| *time).sum()
    }
}
