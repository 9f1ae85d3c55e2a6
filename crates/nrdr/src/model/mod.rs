//! Coordinates of new points.
//!
//! A coordinate satisfies A g = lambda g + Q Q'A g, with Q the directions that it must be orthogonal to. Read at a new
//! point x instead of a training point, with s(x) and f = s . g, that is
//!
//! f(x) = [ s(x) (A g)(x) - c - s(x)^2 h(earlier coordinates of x) ] / lambda.
//!
//! The method says what (A g)(x) and s(x) are ([`Extension`]); the strategy left the constant c and the function h of
//! the earlier coordinates behind, so coordinates extend one after another, like the fit. Methods that reproduce
//! neighbourhoods (LLE, Hessian LLE, LTSA) take the weighted mean of the neighbours' coordinates instead.

mod container;
mod file;
mod fit;
#[cfg(test)]
mod tests;
mod ties;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::input::check_threads;
use crate::linalg::SparseMatrix;
use crate::method::{Extension, KernelPca, Method};
use crate::pipeline::in_pool;
use crate::points::Points;
use crate::progress::{Observer, Progress, Watch};
use crate::smoother::Predictor;
use crate::stage::Stage;
use crate::strategy::Strategy;
pub(crate) use fit::{Fitted, check};
use ties::{Search, Tie, Ties};

/// New points worked on at a time.
const BLOCK: usize = 128;
/// An eigenvalue below this share of the first one is rounding.
const SPENT: f64 = 1e-10;

/// What is kept of an embedding so that coordinates of new points can be computed.
///
/// ```
/// use nrdr::{LaplacianEigenmaps, Model, Options, Points, datasets::SwissRoll, fit};
///
/// let roll = SwissRoll { n: 800, ..Default::default() }.generate(7)?;
/// let (embedding, model) = fit(&roll.points, &LaplacianEigenmaps::default(), &Options::default())?;
/// let new = Points::from_rows([[0.0, 4.0, -7.5], [6.0, 3.0, 0.0]])?;
/// let coordinates = model.transform(&new)?;
/// assert_eq!((coordinates.rows(), coordinates.columns()), (2, embedding.dims()));
/// # Ok::<(), nrdr::Error>(())
/// ```
#[derive(Clone)]
pub struct Model {
    method: String,
    strategy: String,
    neighbors: usize,
    training: Training,
    rule: Rule,
    /// Coordinates of the training points, a row each.
    values: Points,
    coordinates: Vec<Extended>,
    notes: BTreeMap<String, String>,
    tables: BTreeMap<String, Points>,
    search: OnceLock<Arc<Search>>,
}

/// What new points are compared with.
#[derive(Clone, Debug, PartialEq)]
enum Training {
    /// The points themselves.
    Points(Points),
    /// A new point comes as its distances from all rows of the input, of which these were embedded.
    Distances { rows: Vec<u32>, input: usize },
    /// A new point comes as its row of the matrix.
    Row,
}

/// An [`Extension`] with what belongs to the training points.
#[derive(Clone, Debug, PartialEq)]
enum Rule {
    Walk(Walk),
    Barycentric { regularization: f64 },
    Kernel(KernelPca),
    Geodesic { graph: SparseMatrix },
    Row,
}

/// A random walk to the nearest training points.
#[derive(Clone, Debug, PartialEq)]
struct Walk {
    /// Scale of the weights; `None` means that all are one.
    epsilon: Option<f64>,
    /// The power a of the density and Q_j^-a for each training point j.
    density: Option<(f64, Vec<f64>)>,
    /// The largest s^2 of a training point, which a new one does not exceed.
    heaviest: f64,
    /// The least share of its steps in which the walk leaves a training point.
    least_share: f64,
}

/// A coordinate beside its values at the training points.
#[derive(Clone, Debug, PartialEq)]
struct Extended {
    eigenvalue: f64,
    /// What is subtracted everywhere.
    constant: f64,
    /// The function h of the earlier coordinates.
    predictor: Option<Predictor>,
}

impl Model {
    /// The coordinates of new points, a row each, scaled and signed like those of the embedding.
    ///
    /// A new point at the place of a training point has its coordinates.
    pub fn transform(&self, new: &Points) -> Result<Points> {
        self.run(new, None, &Watch::new(None))
    }

    /// The same with so many threads, telling an observer about the progress; it may also cancel.
    pub fn transform_observed(
        &self,
        new: &Points,
        threads: Option<usize>,
        observer: &dyn Observer,
    ) -> Result<Points> {
        self.run(new, threads, &Watch::new(Some(observer)))
    }

    fn run(&self, new: &Points, threads: Option<usize>, watch: &Watch<'_>) -> Result<Points> {
        check_threads(threads)?;
        self.check_columns(new.columns())?;
        in_pool(threads, || watch.stage(Stage::NewPoints, |progress| self.extend(new, progress)))
    }

    /// Refuses new points of another width, as [`Model::transform`] does.
    pub fn check_columns(&self, got: usize) -> Result<()> {
        match self.columns() {
            expected if expected == got => Ok(()),
            expected => Err(Error::WrongColumns { got, expected }),
        }
    }

    /// Refuses a method or a strategy that cannot be extended, as [`fit`](crate::fit) of points does.
    pub fn check_extension(method: &dyn Method, strategy: &Strategy) -> Result<()> {
        check(None, method, strategy)
    }

    /// Number of values of a new point.
    pub fn columns(&self) -> usize {
        match &self.training {
            Training::Points(points) => points.columns(),
            Training::Distances { input, .. } => *input,
            Training::Row => self.rows(),
        }
    }

    /// Number of coordinates.
    pub fn dims(&self) -> usize {
        self.coordinates.len()
    }

    /// Number of training points.
    pub fn rows(&self) -> usize {
        self.values.rows()
    }

    /// Number of neighbours that a point has.
    pub fn neighbors(&self) -> usize {
        self.neighbors
    }

    /// The short name of the method.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// The name of the strategy.
    pub fn strategy(&self) -> &str {
        &self.strategy
    }

    /// The eigenvalue of each coordinate.
    pub fn eigenvalues(&self) -> impl Iterator<Item = f64> {
        self.coordinates.iter().map(|coordinate| coordinate.eigenvalue)
    }

    /// How new points are tied to the training points, with the parameters that were used.
    pub fn extension(&self) -> Extension {
        match &self.rule {
            Rule::Walk(walk) => Extension::Walk {
                epsilon: walk.epsilon,
                density: walk.density.as_ref().map(|(power, _)| *power),
            },
            Rule::Barycentric { regularization } => {
                Extension::Barycentric { regularization: *regularization }
            }
            Rule::Kernel(kernel) => Extension::Kernel(kernel.clone()),
            Rule::Geodesic { .. } => Extension::Geodesic,
            Rule::Row => Extension::Row,
        }
    }

    /// For each coordinate the number of centres of the smoother that it is extended by, if it has one.
    pub fn centres(&self) -> impl Iterator<Item = Option<usize>> {
        self.coordinates.iter().map(|c| c.predictor.as_ref().map(|p| p.centres.rows()))
    }

    /// Keeps a text with the model, such as the names of the columns; the file holds it, too.
    pub fn set_note(&mut self, name: &str, text: impl Into<String>) {
        self.notes.insert(name.to_string(), text.into());
    }

    /// A text that was kept with the model.
    pub fn note(&self, name: &str) -> Option<&str> {
        self.notes.get(name).map(String::as_str)
    }

    /// Keeps a table with the model, such as what is done to new points before; the file holds it, too.
    pub fn set_table(&mut self, name: &str, table: Points) {
        self.tables.insert(name.to_string(), table);
    }

    /// A table that was kept with the model.
    pub fn table(&self, name: &str) -> Option<&Points> {
        self.tables.get(name)
    }

    fn extend(&self, new: &Points, progress: &Progress<'_>) -> Result<Points> {
        let search = match self.search.get() {
            Some(search) => search.clone(),
            None => {
                let made = Arc::new(Search::new(self)?);
                self.search.get_or_init(|| made).clone()
            }
        };
        let dims = self.dims();
        let mut values = vec![0.0; new.rows() * dims];
        values
            .par_chunks_mut(BLOCK * dims)
            .zip(new.values().par_chunks(BLOCK * new.columns()))
            .enumerate()
            .try_for_each_init(
                || Ties::new(self, &search),
                |ties, (block_number, (values, block))| {
                    progress.check()?;
                    let mut rows = values.chunks_exact_mut(dims);
                    let count = rows.len();
                    ties.each(block_number * BLOCK, block, |tie| {
                        rows.next().map_or(Ok(()), |row| {
                            self.row(tie, row);
                            Ok(())
                        })
                    })?;
                    progress.advance(count, new.rows())
                },
            )?;
        Points::new(values, dims).map_err(|error| match error {
            Error::NotFinite { row, value, .. } => Error::TooFar { row, value },
            other => other,
        })
    }

    /// The coordinates of a point that is tied to the training points like this, one after another.
    fn row(&self, tie: Tie<'_>, row: &mut [f64]) {
        let Tie::New { sums, share, mass } = tie else {
            if let Tie::Same(j) = tie {
                row.copy_from_slice(self.values.row(j));
            }
            return;
        };
        row.copy_from_slice(sums);
        if matches!(self.rule, Rule::Barycentric { .. }) {
            return;
        }
        let first = self.coordinates.first().map_or(0.0, |first| first.eigenvalue.abs());
        let mut weights = Vec::new();
        for (i, coordinate) in self.coordinates.iter().enumerate() {
            let (earlier, rest) = row.split_at_mut(i);
            let predictor = coordinate.predictor.as_ref();
            let forbidden = predictor.map_or(0.0, |h| mass * h.at(earlier, &mut weights));
            let lambda = coordinate.eigenvalue;
            // What stays of the walk at x itself is taken to the other side.
            let divisor = match lambda > 0.0 {
                true => (lambda - (1.0 - share)).max(0.5 * lambda * share),
                false => lambda,
            };
            rest[0] = match lambda.abs() > SPENT * first {
                true => (share * rest[0] - coordinate.constant - forbidden) / divisor,
                false => 0.0,
            };
        }
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model")
            .field("method", &self.method)
            .field("strategy", &self.strategy)
            .field("rows", &self.rows())
            .field("columns", &self.columns())
            .field("dims", &self.dims())
            .finish_non_exhaustive()
    }
}
