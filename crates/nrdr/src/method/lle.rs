//! Locally linear embedding.
//!
//! S. Roweis and L. Saul, "Nonlinear dimensionality reduction by locally linear embedding",
//! Science 290 (2000).
//!
//! Each point is written as a weighted mean of its neighbours, minimising
//! |x_n - sum_j w_j x_j|^2 + regularisation |w|^2; the coordinates minimise the same error,
//! f' (I-W)' (I-W) f.

use faer::Mat;

use super::alignment::{Local, alignment_aside, alignment_memory};
use super::{About, Data, Method, Needs};
use crate::error::{Error, Result};
use crate::extend::{Extend, New, Tied, Training, Weigh};
use crate::graph::Neighborhoods;
use crate::parameter::{Parameter, Range};
use crate::linalg::small::CholeskyFactor;
use crate::linalg::vector::dot;
use crate::points::Points;
use crate::problem::{End, Problem};
use crate::progress::Progress;

const ABOUT: About = About {
    name: "lle",
    title: "Locally linear embedding",
    paper: "Roweis & Saul 2000",
    class: "LocallyLinearEmbedding",
    needs: Needs::Neighborhoods,
};

/// Locally linear embedding.
#[derive(Clone, Debug, PartialEq)]
pub struct Lle {
    /// Added to the diagonal of each neighbourhood's Gram matrix, relative to its trace.
    pub regularization: f64,
}

impl Default for Lle {
    fn default() -> Self {
        Lle { regularization: 1e-3 }
    }
}

impl Method for Lle {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter::new("reg", &mut self.regularization, "regularisation of the weights")
                .within(Range::POSITIVE),
        ]
    }

    fn memory(&self, points: usize, neighbors: usize) -> f64 {
        alignment_memory(points, neighbors, 1)
    }

    fn aside(&self, points: usize, neighbors: usize, entries: f64) -> f64 {
        alignment_aside(points, neighbors, 1, entries)
    }

    fn problem(&self, data: Data<'_>, progress: &Progress<'_>) -> Result<Problem> {
        let (points, lists) = data.neighborhoods(self)?;
        let (offsets, members) = with_themselves(lists);
        let local =
            Local::compute(offsets, members, 1, progress, Weigher::new, |_, members, weigher, row| {
                weigher.weigh(points, members, self.regularization, row)
            })?;
        let mut problem =
            Problem::constant_trivial(local.assemble(0.0, 1.0, progress)?, End::Smallest);
        problem.bound = Some(0.0);
        Ok(problem)
    }

    fn barycentric(&self) -> Option<f64> {
        Some(self.regularization)
    }
}

/// The members of each neighbourhood: the point itself and then its neighbours. Returns where each one's begin, with one more
/// entry than neighbourhoods, and the members.
pub(super) fn with_themselves(lists: &Neighborhoods) -> (Vec<usize>, Vec<u32>) {
    let offsets = lists.offsets.iter().zip(0..).map(|(at, i)| at + i).collect();
    let members = (0..lists.len())
        .flat_map(|i| std::iter::once(i as u32).chain(lists.of(i).iter().copied()))
        .collect();
    (offsets, members)
}

/// The extension of methods that reproduce neighbourhoods: the weighted mean of the nearest training points that is as
/// near to the new point as the regularisation lets it be.
#[derive(Clone, Debug)]
pub(super) struct Barycentric {
    pub(super) regularization: f64,
}

impl Barycentric {
    pub(super) fn load(regularization: f64, training: &Training) -> Result<Box<dyn Extend>> {
        training.points()?;
        Ok(Box::new(Barycentric { regularization }))
    }
}

impl Extend for Barycentric {
    fn interpolates(&self) -> bool {
        true
    }

    fn weigher<'e>(&'e self, training: &'e Training) -> Box<dyn Weigh + 'e> {
        let (regularization, weigher) = (self.regularization, Weigher::new());
        Box::new(ByMean { regularization, training, weigher, members: Vec::new() })
    }
}

struct ByMean<'e> {
    regularization: f64,
    training: &'e Training,
    weigher: Weigher,
    members: Vec<u32>,
}

impl Weigh for ByMean<'_> {
    fn weigh(&mut self, new: &New<'_>, weights: &mut Vec<f64>) -> Result<Tied> {
        self.members.clear();
        self.members.extend(new.near.iter().map(|&(_, j)| j));
        let (points, near) = (self.training.points()?, &self.members);
        let found = self.weigher.barycentric(points, near, new.point, self.regularization)?;
        weights.clear();
        weights.extend(found);
        Ok(Tied::Near { share: 1.0, mass: 1.0 })
    }
}

/// Memory for one neighbourhood after another.
pub(super) struct Weigher {
    differences: Vec<f64>,
    weights: Mat<f64>,
}

impl Weigher {
    pub(super) fn new() -> Self {
        Weigher { differences: Vec::new(), weights: Mat::new() }
    }

    /// Writes 1 for the point, the first of the members, and minus the weight of each of the others, its neighbours.
    pub(super) fn weigh(
        &mut self,
        points: &Points,
        members: &[u32],
        regularization: f64,
        row: &mut [f64],
    ) -> Result<()> {
        row[0] = 1.0;
        let point = points.row(members[0] as usize);
        let weights = self.barycentric(points, &members[1..], point, regularization)?;
        row[1..].iter_mut().zip(weights).for_each(|(out, weight)| *out = -weight);
        Ok(())
    }

    /// The weights of some points, 1 in all, whose mean is near to another point.
    pub(super) fn barycentric(
        &mut self,
        points: &Points,
        near: &[u32],
        point: &[f64],
        regularization: f64,
    ) -> Result<impl Iterator<Item = f64>> {
        let (k, dim) = (near.len(), points.columns());
        self.differences.clear();
        for &j in near {
            let pairs = points.row(j as usize).iter().zip(point);
            self.differences.extend(pairs.map(|(a, b)| a - b));
        }
        let difference = |a: usize| &self.differences[a * dim..][..dim];
        let mut gram = Mat::zeros(k, k);
        for a in 0..k {
            for b in 0..=a {
                gram[(a, b)] = dot(difference(a), difference(b));
            }
        }
        let trace: f64 = (0..k).map(|a| gram[(a, a)]).sum();
        // Where all neighbours coincide with the point any weights do: take equal ones.
        let ridge = regularization * if trace > 0.0 { trace } else { 1.0 };
        (0..k).for_each(|a| gram[(a, a)] += ridge);
        self.weights.resize_with(k, 1, |_, _| 1.0);
        self.weights.fill(1.0);
        let gram = CholeskyFactor::new(gram).ok_or_else(|| {
            Error::parameter("reg", regularization, "larger for these data")
        })?;
        gram.solve(self.weights.as_mut());
        let total: f64 = self.weights.col_as_slice(0).iter().sum();
        Ok(self.weights.col_as_slice(0).iter().map(move |weight| weight / total))
    }
}
