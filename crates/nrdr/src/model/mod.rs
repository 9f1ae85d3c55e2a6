//! Coordinates of new points.
//!
//! A coordinate satisfies A g = lambda g + Q Q'A g, with Q the directions that it must be orthogonal to. Read at a new
//! point x instead of a training point, with s(x) and f = s . g, that is
//!
//! f(x) = [ s(x) (A g)(x) - c - s(x)^2 h(earlier coordinates of x) ] / lambda.
//!
//! The method says what (A g)(x) and s(x) are ([`Extend`]); the strategy left the constant c and the function h of
//! the earlier coordinates behind, so coordinates extend one after another, like the fit. Methods that reproduce
//! neighbourhoods (LLE, modified LLE, Hessian LLE, LTSA) take the weighted mean of the neighbours' coordinates instead.

mod container;
mod file;
mod fit;
mod gathered;
mod lists;
mod lookup;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Range;
use std::slice::ChunksExactMut;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::extend::{Extend, New, Tied, Training, Weigh};
use crate::method::{Method, by_name};
use crate::metric::Metric;
use crate::parameter::Named;
use crate::points::Points;
use crate::progress::{Observer, Progress, Watch};
use crate::smoother::Predictor;
use crate::stage::Stage;
use crate::strategy::Strategy;
pub(crate) use fit::{Fitted, check};
pub(crate) use gathered::Gathered;
pub use gathered::Trained;
pub use lists::Nearby;
use lists::places;
use lookup::{Found, Index};

/// New points worked on at a time.
const BLOCK: usize = 128;
/// An eigenvalue below this share of the first one is rounding.
const SPENT: f64 = 1e-10;

/// The place of a row of the input that was left out.
const LEFT_OUT: u32 = u32::MAX;

/// What is kept of an embedding so that coordinates of new points can be computed.
///
/// ```
/// use nrdr::{LaplacianEigenmaps, Model, Options, Points, datasets::SwissRoll, fit};
///
/// let roll = SwissRoll { n: 800, ..Default::default() }.generate(7)?;
/// let (embedding, model) = fit(&roll.points, &LaplacianEigenmaps::default(), &Options::default())?;
/// let new = Points::from_rows([[0.0, 4.0, -7.5], [6.0, 3.0, 0.0]])?;
/// let coordinates = model.transform(&new, &())?;
/// assert_eq!((coordinates.rows(), coordinates.columns()), (2, embedding.dims()));
/// # Ok::<(), nrdr::Error>(())
/// ```
#[derive(Clone)]
pub struct Model {
    method: Named,
    strategy: Named,
    neighbors: usize,
    /// By which neighbours are searched.
    metric: Metric,
    training: Training,
    /// The training points as the metric sees them.
    seen: OnceLock<Arc<Training>>,
    extension: Arc<dyn Extend>,
    /// Coordinates of the training points, a row each.
    values: Points,
    coordinates: Vec<Extended>,
    /// For each row of the input its training point, or [`LEFT_OUT`]; files of earlier versions do not tell.
    places: Option<Vec<u32>>,
    notes: BTreeMap<String, String>,
    tables: BTreeMap<String, Points>,
    index: OnceLock<Arc<Index>>,
}

/// A coordinate beside its values at the training points.
#[derive(Clone, Debug, PartialEq)]
struct Extended {
    eigenvalue: f64,
    /// What is subtracted everywhere.
    constant: f64,
    /// The function h of the earlier coordinates.
    predictor: Option<Predictor>,
    /// What the sum over training points is of, where it is not of the coordinate itself divided by its eigenvalue; for a new
    /// point that is given by other numbers, what each of them weighs.
    source: Option<Vec<f64>>,
}

impl Model {
    /// The coordinates of new points, a row each, scaled and signed like those of the embedding. An observer sees the
    /// progress and may cancel; `&()` does neither.
    ///
    /// A new point at the place of a training point has its coordinates.
    pub fn transform(&self, new: &Points, observer: &dyn Observer) -> Result<Points> {
        self.check_columns(new.columns())?;
        let watch = Watch::new(Some(observer));
        let (index, seen) = (self.index()?, self.seen()?);
        let columns = new.columns();
        watch.stage(Stage::NewPoints, |progress| {
            self.extend(&seen, new.rows(), progress, |range, worker, rows| {
                let block = &new.values()[range.start * columns..range.end * columns];
                let block = self.metric.see(block, columns, range.start)?;
                let found = index.find(self, &seen, range.start, &block)?;
                let points = block.chunks_exact(self.metric.columns(columns));
                let mut all = found.iter().zip(points).zip(rows).zip(range);
                all.try_for_each(|(((found, point), row), number)| {
                    worker.row(found, number, point, row)
                })
            })
        })
    }

    /// The same for new points of which only the nearest rows of the input are known: of a fit to distances or to a graph
    /// of them.
    pub fn transform_nearby(&self, new: &Nearby, observer: &dyn Observer) -> Result<Points> {
        let Some(places) = places(&self.training) else {
            let (needed, given) = ("the new points themselves", "their distances");
            let method = by_name(&self.method.name)?.about().name;
            return Err(Error::WrongInput { method, needed, given });
        };
        let watch = Watch::new(Some(observer));
        watch.stage(Stage::NewPoints, |progress| {
            self.extend(&self.training, new.len(), progress, |range, worker, rows| {
                let mut all = range.zip(rows);
                all.try_for_each(|(number, row)| {
                    let found = new.find(number, &places, self.neighbors)?;
                    worker.row(&found, number, &[], row)
                })
            })
        })
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

    /// The coordinates of the training points, a row each.
    pub fn values(&self) -> &Points {
        &self.values
    }

    /// Number of neighbours that a point has.
    pub fn neighbors(&self) -> usize {
        self.neighbors
    }

    /// By which neighbours are searched.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The method with the parameters that were used, also those it chose by itself.
    pub fn method(&self) -> &Named {
        &self.method
    }

    /// The strategy with its parameters.
    pub fn strategy(&self) -> &Named {
        &self.strategy
    }

    /// The eigenvalue of each coordinate.
    pub fn eigenvalues(&self) -> impl Iterator<Item = f64> {
        self.coordinates.iter().map(|coordinate| coordinate.eigenvalue)
    }

    /// For each coordinate the number of centres of the smoother that it is extended by, if it has one.
    pub fn centres(&self) -> impl Iterator<Item = Option<usize>> {
        self.coordinates.iter().map(|c| c.predictor.as_ref().map(|p| p.centres.rows()))
    }

    /// What new points are compared with.
    pub fn training(&self) -> &Training {
        &self.training
    }

    /// The embedding: the coordinates of each row of the input, one row after another; those of a row that was left out are
    /// NaN. `None` where the model came from a file of an earlier version, which does not tell the order of the rows.
    pub fn embedding(&self) -> Option<Vec<f64>> {
        let left_out = vec![f64::NAN; self.dims()];
        let row = |&place: &u32| match place {
            LEFT_OUT => left_out.as_slice(),
            place => self.values.row(place as usize),
        };
        Some(self.places.as_ref()?.iter().flat_map(row).copied().collect())
    }

    /// The training point of each row of the input, of those that were embedded. `None` where the embedding is.
    pub fn order(&self) -> Option<Vec<u32>> {
        let places = self.places.as_ref()?.iter().copied();
        Some(places.filter(|&place| place != LEFT_OUT).collect())
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

    fn index(&self) -> Result<Arc<Index>> {
        match self.index.get() {
            Some(index) => Ok(index.clone()),
            None => {
                let made = Arc::new(Index::new(self, &*self.seen()?)?);
                Ok(self.index.get_or_init(|| made).clone())
            }
        }
    }

    /// What new points are compared with, as the metric sees it.
    fn seen(&self) -> Result<Arc<Training>> {
        if let Some(seen) = self.seen.get() {
            return Ok(seen.clone());
        }
        let seen = match &self.training {
            Training::Points(points) => Training::Points(self.metric.seen(points)?.into_owned()),
            other => other.clone(),
        };
        Ok(self.seen.get_or_init(|| Arc::new(seen)).clone())
    }

    /// The coordinates of so many new points, a block after another, beside training points as the metric sees them: `fill`
    /// computes the rows of some.
    fn extend(
        &self,
        seen: &Training,
        count: usize,
        progress: &Progress<'_>,
        fill: impl Fn(Range<usize>, &mut Worker<'_>, ChunksExactMut<'_, f64>) -> Result<()> + Sync,
    ) -> Result<Points> {
        let dims = self.dims();
        let mut values = vec![0.0; count * dims];
        values.par_chunks_mut(BLOCK * dims).enumerate().try_for_each_init(
            || Worker::new(self, seen),
            |worker, (block, rows)| {
                let (first, there) = (block * BLOCK, rows.len() / dims);
                fill(first..first + there, worker, rows.chunks_exact_mut(dims))?;
                progress.advance(there, count)
            },
        )?;
        Points::new(values, dims).map_err(|error| match error {
            Error::NotFinite { row, value, .. } => Error::TooFar { row, value },
            other => other,
        })
    }
}

/// Computes coordinates of one new point after another; has the memory that takes.
struct Worker<'m> {
    model: &'m Model,
    weigher: Box<dyn Weigh + 'm>,
    weights: Vec<f64>,
    kernel: Vec<f64>,
}

impl<'m> Worker<'m> {
    fn new(model: &'m Model, seen: &'m Training) -> Self {
        let weigher = model.extension.weigher(seen);
        Worker { model, weigher, weights: Vec::new(), kernel: Vec::new() }
    }

    /// The coordinates of a new point.
    fn row(&mut self, found: &Found, number: usize, point: &[f64], row: &mut [f64]) -> Result<()> {
        let values = &self.model.values;
        let near = match found {
            Found::Same(j) => {
                row.copy_from_slice(values.row(*j));
                return Ok(());
            }
            Found::Near(near) => near.as_slice(),
        };
        let new = New { row: number, point, near };
        let tied = self.weigher.weigh(&new, &mut self.weights)?;
        row.fill(0.0);
        let (share, mass) = match tied {
            Tied::Near { share, mass } => {
                for (weight, &(_, j)) in self.weights.iter().zip(near) {
                    add(row, *weight, values.row(j as usize));
                }
                (share, mass)
            }
            Tied::All => {
                for (j, weight) in self.weights.iter().enumerate() {
                    add(row, *weight, values.row(j));
                }
                (1.0, 1.0)
            }
            Tied::Numbers => (1.0, 1.0),
        };
        if !self.model.extension.interpolates() {
            self.sum_sources(tied, near, row);
            self.formula(row, share, mass);
        }
        Ok(())
    }

    /// The sums of those coordinates that have sources of their own.
    fn sum_sources(&self, tied: Tied, near: &[(f64, u32)], row: &mut [f64]) {
        for (sum, coordinate) in row.iter_mut().zip(&self.model.coordinates) {
            let Some(source) = &coordinate.source else { continue };
            let weights = self.weights.iter();
            *sum = match tied {
                Tied::Near { .. } => {
                    weights.zip(near).map(|(weight, &(_, j))| weight * source[j as usize]).sum()
                }
                Tied::All | Tied::Numbers => {
                    weights.zip(source).map(|(weight, value)| weight * value).sum()
                }
            };
        }
    }

    /// From the sums over training points to coordinates, one after another.
    fn formula(&mut self, row: &mut [f64], share: f64, mass: f64) {
        let coordinates = &self.model.coordinates;
        let first = coordinates.first().map_or(0.0, |first| first.eigenvalue.abs());
        for (i, coordinate) in coordinates.iter().enumerate() {
            let (earlier, rest) = row.split_at_mut(i);
            let predictor = coordinate.predictor.as_ref();
            let forbidden = predictor.map_or(0.0, |h| mass * h.at(earlier, &mut self.kernel));
            let lambda = coordinate.eigenvalue;
            // What stays of the walk at x itself is taken to the other side.
            let divisor = if lambda > 0.0 {
                (lambda - (1.0 - share)).max(0.5 * lambda * share)
            } else {
                lambda
            };
            let taken = share * rest[0] - coordinate.constant - forbidden;
            rest[0] = if coordinate.source.is_some() {
                // Divided by the eigenvalue already.
                taken * lambda / divisor
            } else if lambda.abs() > SPENT * first {
                taken / divisor
            } else {
                0.0
            };
        }
    }
}

/// sums += weight * row
fn add(sums: &mut [f64], weight: f64, row: &[f64]) {
    sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * value);
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model")
            .field("method", &self.method.name)
            .field("strategy", &self.strategy.name)
            .field("rows", &self.rows())
            .field("columns", &self.columns())
            .field("dims", &self.dims())
            .finish_non_exhaustive()
    }
}
