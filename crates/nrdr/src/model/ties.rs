//! How new points are tied to the training points.

use std::cmp::Ordering;

use super::{Model, Rule, Training, Walk};
use crate::error::{Error, Result};
use crate::graph::geodesic::Dijkstra;
use crate::graph::neighbors::keep_nearest;
use crate::graph::queries::Index;
use crate::method::affinity::weight;
use crate::method::lle::Weigher;
use crate::points::Points;

/// A point whose squared distance from its nearest neighbour is less than this share of that from the farthest is at
/// its place.
const SAME: f64 = 1e-18;

/// Training points prepared for being found.
pub(super) enum Search {
    /// By their neighbours.
    Near(Index),
    /// Only those that are equal.
    Equal {
        /// All of them in the order of their values.
        order: Vec<u32>,
        /// Where the kernel is computed from.
        origin: Option<Vec<f64>>,
    },
    /// The new points themselves tell.
    Given,
}

impl Search {
    pub(super) fn new(model: &Model) -> Result<Self> {
        match (&model.training, &model.rule) {
            (Training::Points(points), Rule::Kernel(kernel)) => {
                let mut order: Vec<u32> = (0..points.rows() as u32).collect();
                order.sort_by(|&i, &j| compare(points.row(i as usize), points.row(j as usize)));
                Ok(Search::Equal { order, origin: kernel.origin(points) })
            }
            (Training::Points(points), _) => {
                let k = model.neighbors.min(points.rows());
                Ok(Search::Near(Index::new(points, k)?))
            }
            _ => Ok(Search::Given),
        }
    }
}

fn compare(a: &[f64], b: &[f64]) -> Ordering {
    // Adding zero turns -0 into 0.
    let values = a.iter().zip(b).map(|(x, y)| (x + 0.0).total_cmp(&(y + 0.0)));
    values.fold(Ordering::Equal, Ordering::then)
}

/// What a new point is to the training points.
#[derive(Clone, Copy)]
pub(super) enum Tie<'t> {
    /// It is at the place of this one.
    Same(usize),
    /// It is tied to several.
    New {
        /// For each coordinate f the sum over training points j of b_j f_j; for the random walk the b_j add up to 1.
        sums: &'t [f64],
        /// In this share of its steps the walk leaves the new point; 1 for others.
        share: f64,
        /// s^2 of the new point.
        mass: f64,
    },
}

/// Memory for one block of new points after another.
pub(super) struct Ties<'m> {
    model: &'m Model,
    search: &'m Search,
    sums: Vec<f64>,
    weights: Vec<f64>,
    members: Vec<u32>,
    weigher: Weigher,
    dijkstra: Option<Dijkstra>,
}

/// Training points near a new one with their squared distances, nearest first.
type Near = [(f64, u32)];

impl<'m> Ties<'m> {
    pub(super) fn new(model: &'m Model, search: &'m Search) -> Self {
        let geodesic = matches!(model.rule, Rule::Geodesic { .. });
        Ties {
            model,
            search,
            sums: vec![0.0; model.dims()],
            weights: Vec::new(),
            members: Vec::new(),
            weigher: Weigher::new(),
            dijkstra: geodesic.then(|| Dijkstra::new(model.rows())),
        }
    }

    /// Gives the tie of each new point to `take`; `first` is the number of the first one.
    pub(super) fn each(
        &mut self,
        first: usize,
        block: &[f64],
        mut take: impl FnMut(Tie<'_>) -> Result<()>,
    ) -> Result<()> {
        let model = self.model;
        let k = model.neighbors.min(model.rows());
        let points = (first..).zip(block.chunks_exact(model.columns()));
        match (&model.training, self.search) {
            (Training::Points(training), Search::Near(index)) => {
                let lists = index.nearest(training, block, k);
                for ((_, point), near) in points.zip(&lists) {
                    take(self.near(Some(training), point, near)?)?;
                }
            }
            (Training::Points(training), Search::Equal { order, origin }) => {
                for (row, point) in points {
                    take(self.kernel(training, (order, origin.as_deref()), row, point)?)?;
                }
            }
            (Training::Distances { rows, .. }, _) => {
                for (i, point) in points {
                    if let Some(column) = point.iter().position(|d| *d < 0.0) {
                        return Err(Error::Negative { row: i, column, value: point[column] });
                    }
                    let squared =
                        |(j, &row): (usize, &u32)| (point[row as usize].powi(2), j as u32);
                    let mut near: Vec<(f64, u32)> = rows.iter().enumerate().map(squared).collect();
                    keep_nearest(&mut near, k);
                    take(self.near(None, point, &near)?)?;
                }
            }
            _ => {
                for (_, point) in points {
                    self.weights.clear();
                    self.weights.extend_from_slice(point);
                    take(self.dense())?;
                }
            }
        }
        Ok(())
    }

    /// The tie of a point with these neighbours.
    pub(super) fn near(
        &mut self,
        training: Option<&Points>,
        point: &[f64],
        near: &Near,
    ) -> Result<Tie<'_>> {
        let (Some(&(nearest, first)), Some(&(farthest, _))) = (near.first(), near.last()) else {
            return Err(Error::Empty);
        };
        if nearest <= SAME * farthest || nearest == 0.0 {
            return Ok(Tie::Same(first as usize));
        }
        match (&self.model.rule, training) {
            (Rule::Barycentric { regularization }, Some(training)) => {
                self.members.clear();
                self.members.extend(near.iter().map(|&(_, j)| j));
                let reg = *regularization;
                let weights = self.weigher.barycentric(training, &self.members, point, reg)?;
                self.weights.clear();
                self.weights.extend(weights);
                Ok(self.mean(near, 1.0, 1.0))
            }
            (Rule::Geodesic { graph }, _) => {
                let sources = near.iter().map(|&(squared, j)| (j, squared.sqrt()));
                self.weights.clear();
                if let Some(dijkstra) = &mut self.dijkstra {
                    let distances = dijkstra.from(graph, sources);
                    self.weights.extend(distances.iter().map(|d| -0.5 * d * d));
                }
                Ok(self.dense())
            }
            (Rule::Walk(walk), _) => Ok(self.walk(walk, near)),
            _ => Ok(self.dense()),
        }
    }

    /// One step of the random walk from the new point.
    fn walk(&mut self, walk: &Walk, near: &Near) -> Tie<'_> {
        let kernel = |squared: f64| walk.epsilon.map_or(1.0, |epsilon| weight(squared, epsilon));
        self.weights.clear();
        self.weights.extend(near.iter().map(|&(squared, _)| kernel(squared)));
        let mut share = 1.0;
        let mut degree: f64 = self.weights.iter().sum();
        if let Some((power, factors)) = &walk.density {
            // With the weight of the point itself.
            let own = (degree + 1.0).powf(-power);
            for (weight, &(_, j)) in self.weights.iter_mut().zip(near) {
                *weight *= own * factors[j as usize];
            }
            let leaving: f64 = self.weights.iter().sum();
            degree = leaving + own * own;
            share = (leaving / degree).max(walk.least_share);
        }
        let total: f64 = self.weights.iter().sum();
        self.weights.iter_mut().for_each(|weight| *weight /= total);
        self.mean(near, share, degree.recip().min(walk.heaviest))
    }

    /// Sums of the neighbours' coordinates by the weights.
    fn mean(&mut self, near: &Near, share: f64, mass: f64) -> Tie<'_> {
        self.sums.fill(0.0);
        for (weight, &(_, j)) in self.weights.iter().zip(near) {
            add(&mut self.sums, *weight, self.model.values.row(j as usize));
        }
        Tie::New { sums: &self.sums, share, mass }
    }

    /// Sums of the coordinates of all training points by the weights.
    fn dense(&mut self) -> Tie<'_> {
        self.sums.fill(0.0);
        for (j, weight) in self.weights.iter().enumerate() {
            add(&mut self.sums, *weight, self.model.values.row(j));
        }
        Tie::New { sums: &self.sums, share: 1.0, mass: 1.0 }
    }

    fn kernel(
        &mut self,
        training: &Points,
        (order, origin): (&[u32], Option<&[f64]>),
        row: usize,
        point: &[f64],
    ) -> Result<Tie<'_>> {
        let place = order.partition_point(|&i| compare(training.row(i as usize), point).is_lt());
        if let Some(&i) = order.get(place)
            && compare(training.row(i as usize), point).is_eq()
        {
            return Ok(Tie::Same(i as usize));
        }
        self.weights.resize(training.rows(), 0.0);
        if let Rule::Kernel(kernel) = &self.model.rule {
            kernel.row(point, training, origin, &mut self.weights);
        }
        if let Some(&value) = self.weights.iter().find(|w| !w.is_finite()) {
            return Err(Error::TooFar { row, value });
        }
        Ok(self.dense())
    }
}

/// sums += weight * row
fn add(sums: &mut [f64], weight: f64, row: &[f64]) {
    sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * value);
}
