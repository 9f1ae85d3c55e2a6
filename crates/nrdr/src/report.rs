//! What comes out of an embedding: the coordinates and what happened on the way.

use std::fmt;
use std::time::Duration;

use crate::dimension::Estimate;
use crate::error::{Result, list};
use crate::points::Points;
use crate::progress::{Observer, Stage};
use crate::redundancy::{Redundancy, RedundancyOptions, redundancy_observed};
use crate::strategy::{Selected, Smoothing};

/// One coordinate of all points.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinate {
    /// A number for each point: unit length in all, the largest in magnitude positive. NaN for
    /// points that were left out.
    pub values: Vec<f64>,
    /// The eigenvalue of the method's matrix.
    pub eigenvalue: f64,
    /// The eigenvalue of the original method's coordinate of the same number.
    pub original_eigenvalue: f64,
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

/// Something that the user should know about the result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// The graph fell apart and was joined.
    Connected {
        /// Number of points of each component, largest first.
        sizes: Vec<usize>,
        /// Longest of the edges that were added.
        longest: f64,
    },
    /// There are fewer coordinates with information than were asked for.
    Spent {
        /// How many there are.
        informative: usize,
    },
    /// Eigenvalues that cannot be told from zero in double precision.
    Rounding {
        /// The coordinates, counted from 1.
        coordinates: Vec<usize>,
    },
    /// Eigenvectors that could not be told from others of nearly the same eigenvalue.
    Mixed {
        /// The coordinates, counted from 1.
        coordinates: Vec<usize>,
    },
    /// Coordinates that owe their eigenvalue to what the smoother lets pass of earlier ones.
    Leaked {
        /// The coordinates, counted from 1.
        coordinates: Vec<usize>,
    },
    /// The strategy could not go on and returns the coordinates it has.
    Halted {
        /// How many it has.
        coordinates: usize,
        /// Number of points of each piece that the points have collapsed to.
        sizes: Vec<usize>,
    },
    /// The graph fell apart and only its largest component is embedded.
    LeftOut {
        /// Number of points of each component, largest first.
        sizes: Vec<usize>,
    },
    /// Tangent spaces have as many dimensions as the points: every affine function of the columns is a coordinate.
    TangentsFill {
        /// Columns of the points.
        columns: usize,
    },
    /// The neighbourhoods are too small for tangent spaces of their dimension.
    TangentsCut {
        /// The local dimension that is used.
        in_use: usize,
        /// The one that the neighbourhoods seem to have.
        estimated: usize,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Connected { sizes, longest } => write!(
                f,
                "the neighbour graph had {} components (sizes {}), joined by {} added edges of length up to {longest:.4}: more neighbors may be better",
                sizes.len(),
                list(sizes),
                sizes.len() - 1,
            ),
            Warning::Spent { informative } => write!(
                f,
                "only {informative} coordinate(s) carry information: the eigenvalues of the others are negative, or below 1e-12 of the first, which is rounding",
            ),
            Warning::Rounding { coordinates } => write!(
                f,
                "the eigenvalue of coordinate(s) {} is below 1e-12 of the norm of the matrix, which is rounding: their directions mean nothing",
                numbers(coordinates),
            ),
            Warning::Leaked { coordinates } => write!(
                f,
                "coordinate(s) {} owe much of their eigenvalue to earlier ones, whose own are so much larger that the little which the smoother lets pass outweighs the rest, and may depend on the seed: look for outliers, or choose the strategy orthogonal",
                numbers(coordinates),
            ),
            Warning::Mixed { coordinates } => write!(
                f,
                "coordinate(s) {} may be mixed with others of nearly the same eigenvalue, which rounding does not tell apart: their directions are not certain",
                numbers(coordinates),
            ),
            Warning::Halted { coordinates, sizes } => write!(
                f,
                "halted after {coordinates} coordinate(s): without it the points collapse to {} piece(s) (sizes {})",
                sizes.len(),
                list(sizes),
            ),
            Warning::LeftOut { sizes } => write!(
                f,
                "the neighbour graph has {} components (sizes {}): {} points outside the largest are left out",
                sizes.len(),
                list(sizes),
                sizes[1..].iter().sum::<usize>(),
            ),
            Warning::TangentsFill { columns } => write!(
                f,
                "the local dimension is {columns}, as many as there are columns, so that no coordinate is better than an affine function of the columns: lower the local dimension",
            ),
            Warning::TangentsCut { in_use, estimated } => write!(
                f,
                "neighbourhoods look {estimated}-dimensional, but are so small that the local dimension is {in_use}: raise neighbors",
            ),
        }
    }
}

/// Numbers with commas between them.
fn numbers(list: &[usize]) -> String {
    list.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
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

    /// How redundant the coordinates are; `None` with a single one.
    pub fn redundancy(&self, options: &RedundancyOptions) -> Result<Option<Redundancy>> {
        self.redundancy_observed(options, &())
    }

    /// [`Embedding::redundancy`], seen and perhaps ended by an observer.
    pub fn redundancy_observed(
        &self,
        options: &RedundancyOptions,
        observer: &dyn Observer,
    ) -> Result<Option<Redundancy>> {
        match self.dims() {
            0 | 1 => Ok(None),
            _ => redundancy_observed(&self.to_points()?, options, observer).map(Some),
        }
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
