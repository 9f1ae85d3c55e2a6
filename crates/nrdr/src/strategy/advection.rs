//! The points are moved along the manifold, down the gradient of the last coordinate, to where it
//! has its mean, and embedded anew: the coordinate is gone, the others are left.
//!
//! S. Gerber, T. Tasdizen and R. Whitaker, "Robust non-linear dimensionality reduction using successive
//! 1-dimensional Laplacian eigenmaps", ICML (2007).
//!
//! A coordinate that is not monotonic along the manifold collapses it to several pieces, and that
//! is the end: the coordinates so far are returned with a warning.

use std::time::Instant;

use faer::Mat;
use rayon::prelude::*;

use super::{About, Outcome, Rule, Step, Strategy, Task, pair_of};
use crate::eigen::Pair;
use crate::error::{Error, Inextensible, Result};
use crate::graph::components::{add_links, links_between_points};
use crate::graph::neighbors::neighbors;
use crate::graph::symmetric::symmetric;
use crate::graph::{Components, Neighborhoods, Search, Symmetry};
use crate::linalg::small::eigen_descending;
use crate::linalg::vector::{axpy, dot, norm, squared_distance};
use crate::metric::Metric;
use crate::measure::dimension::Trial;
use crate::points::Points;
use crate::progress::Progress;
use crate::warning::Warning;

/// Steps of a point at most; each is at most as long as its neighbourhood is wide.
const STEPS: usize = 500;
/// A point has arrived when it is nearer than this share of a neighbourhood's radius.
const ARRIVED: f64 = 0.05;
/// Pieces farther from each other than so many neighbourhoods reach are apart.
const REACH: f64 = 3.0;
/// Principal directions with less than this share of the largest variance are across the manifold.
const FLAT: f64 = 0.1;

const ABOUT: About = About {
    name: "advection",
    title: "advection",
    help: "First coordinate of points moved along the earlier ones",
    paper: "Gerber, Tasdizen & Whitaker 2007",
};

/// The first coordinate of the points moved along the earlier ones to their means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Advection {}

impl Strategy {
    /// The first coordinate of the points moved along the earlier ones to their means (Gerber, Tasdizen & Whitaker
    /// 2007).
    pub fn advection() -> Self {
        Strategy::new(Advection {})
    }
}

impl Rule for Advection {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check_extension(&self, method: &'static str) -> Result<()> {
        Err(Error::CannotExtend { what: Inextensible::Strategy(ABOUT.name, method) })
    }

    fn coordinates(&self, task: &Task<'_>, progress: &Progress<'_>) -> Result<Outcome> {
        coordinates(task, progress)
    }
}

/// The coordinates, each the first one of a problem of its own.
fn coordinates(task: &Task<'_>, progress: &Progress<'_>) -> Result<Outcome> {
    let Task { problem, dims, .. } = *task;
    let movable = task.movable(ABOUT.name)?;
    let mut steps = task.original_steps(1, &progress.held())?;
    let mut found = vec![task.coordinate(0, &steps[0].pair.vector)?];
    let mut trial = Trial::new(task.judge);
    trial.look(&found, steps[0].pair.value)?;
    let mut warning = None;
    let mut points = movable.points().clone();
    let around =
        |points: &Points| neighbors(points, movable.neighbors(), Search::Auto, &progress.held());
    let mut lists = around(&points)?;
    let reach = REACH * median_reach(&lists);
    for i in 1..dims {
        if trial.is_settled() {
            break;
        }
        let start = Instant::now();
        points = Collapse { points: &points, lists: &lists, values: &found[i - 1] }.all()?;
        lists = around(&points)?;
        let sizes = pieces(&points, &lists, reach, &progress.held())?;
        if sizes.len() > 1 || !(points.spread() > 0.0) {
            warning = Some(Warning::Halted { coordinates: i, sizes });
            trial.exhausted(i);
            break;
        }
        let fits = |pair: &Pair| pair.vector.len() == points.rows();
        let pair =
            task.kept_coordinate(i, fits, || movable.first_coordinate(&points, progress))?;
        found.push(pair.vector.clone());
        trial.look(&found, pair.value)?;
        steps.push(Step::moved(pair_of(problem, pair), start.elapsed()));
        progress.report((i + 1) as f64 / dims as f64)?;
    }
    Ok(Outcome { warning, ..Outcome::judged(steps, trial) })
}

/// The median distance of a point from the last of its neighbours.
fn median_reach(lists: &Neighborhoods) -> f64 {
    let mut reach: Vec<f64> =
        (0..lists.len()).filter_map(|i| lists.distances(i).last().copied()).collect();
    let half = reach.len() / 2;
    *reach.select_nth_unstable_by(half, f64::total_cmp).1
}

/// Sizes of the pieces that points fall into, largest first, when those nearer than `reach` count as
/// connected. The points are dense where they have collapsed to: their nearest neighbours alone
/// would leave gaps that the manifold does not have.
fn pieces(
    points: &Points,
    lists: &Neighborhoods,
    reach: f64,
    progress: &Progress<'_>,
) -> Result<Vec<usize>> {
    let components = Components::of(&symmetric(lists, Symmetry::Union));
    if components.count() == 1 {
        return Ok(components.sizes);
    }
    let mut links = links_between_points(points, Metric::Euclidean, &components, progress)?;
    links.retain(|link| link.0 <= reach);
    let graph = symmetric(&add_links(lists, &links), Symmetry::Union);
    Ok(Components::of(&graph).sizes)
}

/// Points on their way to where a coordinate has its mean.
struct Collapse<'c> {
    points: &'c Points,
    lists: &'c Neighborhoods,
    values: &'c [f64],
}

impl Collapse<'_> {
    fn all(&self) -> Result<Points> {
        let n = self.points.rows();
        let mean = self.values.iter().sum::<f64>() / n as f64;
        let planes = (0..n).into_par_iter().map(|i| self.plane(i));
        let planes: Vec<Plane> = planes.collect::<Result<_>>()?;
        let moved = (0..n).into_par_iter().map(|i| self.end_of(i, mean, &planes));
        Points::from_rows(moved.collect::<Vec<Vec<f64>>>())
    }

    /// Where a point ends up.
    fn end_of(&self, point: usize, mean: f64, planes: &[Plane]) -> Vec<f64> {
        let mut place = self.points.row(point).to_vec();
        let mut nearest = point;
        for _ in 0..STEPS {
            let radius = planes[nearest].radius;
            let around = self.around(nearest, &place, planes);
            let mut gradient = vec![0.0; place.len()];
            let mut off = -mean;
            for &(weight, plane) in &around {
                axpy(weight, &plane.gradient, &mut gradient);
                off += weight * plane.value(&place);
            }
            let steepness = norm(&gradient);
            // Not `<=`: no gradient, no direction.
            if !(off.abs() > ARRIVED * steepness * radius) {
                break;
            }
            // To the mean on a straight line, but not out of the neighbourhood.
            let distance = (off / steepness).clamp(-0.5 * radius, 0.5 * radius);
            axpy(-distance / steepness, &gradient, &mut place);
            // The manifold bends: on from the nearest of the neighbours, on its planes.
            let members = self.lists.of(nearest).iter().map(|&j| j as usize).chain([nearest]);
            let distance = |j: &usize| squared_distance(self.points.row(*j), &place);
            nearest = members.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(nearest);
            let mut projected = vec![0.0; place.len()];
            for (weight, plane) in self.around(nearest, &place, planes) {
                axpy(weight, &plane.project(&place), &mut projected);
            }
            place = projected;
        }
        place
    }

    /// The planes around a place, with weights that change smoothly along the way and sum to one.
    fn around<'p>(&self, near: usize, place: &[f64], planes: &'p [Plane]) -> Vec<(f64, &'p Plane)> {
        let scale = 2.0 * planes[near].radius.powi(2).max(f64::MIN_POSITIVE);
        let members = self.lists.of(near).iter().map(|&j| j as usize).chain([near]);
        let weight = |j: usize| (-squared_distance(self.points.row(j), place) / scale).exp();
        let mut around: Vec<(f64, &Plane)> = members.map(|j| (weight(j), &planes[j])).collect();
        let total: f64 = around.iter().map(|(weight, _)| weight).sum();
        if !(total > 0.0) {
            return vec![(1.0, &planes[near])];
        }
        around.iter_mut().for_each(|(weight, _)| *weight /= total);
        around
    }

    /// The plane of a point's neighbourhood.
    fn plane(&self, point: usize) -> Result<Plane> {
        let members: Vec<usize> =
            self.lists.of(point).iter().map(|&j| j as usize).chain([point]).collect();
        let (count, columns) = (members.len(), self.points.columns());
        let mut centre = vec![0.0; columns];
        for &j in &members {
            axpy((count as f64).recip(), self.points.row(j), &mut centre);
        }
        let mean = members.iter().map(|&j| self.values[j]).sum::<f64>() / count as f64;
        let rows: Vec<Vec<f64>> = members
            .iter()
            .map(|&j| self.points.row(j).iter().zip(&centre).map(|(x, c)| x - c).collect())
            .collect();
        let gram = Mat::from_fn(count, count, |a, b| dot(&rows[a], &rows[b]));
        let (squares, vectors) = eigen_descending(gram.as_ref())?;
        let wide = |square: &&f64| **square > 0.0 && **square >= FLAT * squares[0];
        let dimension = squares.iter().take_while(wide).count();
        let mut gradient = vec![0.0; columns];
        let mut directions = Vec::with_capacity(dimension);
        for (d, square) in squares[..dimension].iter().enumerate() {
            let mut direction = vec![0.0; columns];
            let mut slope = 0.0;
            for (m, row) in rows.iter().enumerate() {
                axpy(vectors[(m, d)] / square.sqrt(), row, &mut direction);
                slope += vectors[(m, d)] * (self.values[members[m]] - mean) / square.sqrt();
            }
            axpy(slope, &direction, &mut gradient);
            directions.push(direction);
        }
        let radius = (squares.iter().map(|s| s.max(0.0)).sum::<f64>() / count as f64).sqrt();
        Ok(Plane { centre, directions, mean, gradient, radius })
    }
}

/// The neighbourhood of a point: its wide principal directions, and the coordinate as a linear function
/// on them.
struct Plane {
    centre: Vec<f64>,
    directions: Vec<Vec<f64>>,
    mean: f64,
    gradient: Vec<f64>,
    /// Root mean squared distance from the centre.
    radius: f64,
}

impl Plane {
    fn offset(&self, place: &[f64]) -> Vec<f64> {
        place.iter().zip(&self.centre).map(|(p, c)| p - c).collect()
    }

    fn value(&self, place: &[f64]) -> f64 {
        self.mean + dot(&self.gradient, &self.offset(place))
    }

    fn project(&self, place: &[f64]) -> Vec<f64> {
        let offset = self.offset(place);
        let mut projected = self.centre.clone();
        for direction in &self.directions {
            axpy(dot(direction, &offset), direction, &mut projected);
        }
        projected
    }
}
