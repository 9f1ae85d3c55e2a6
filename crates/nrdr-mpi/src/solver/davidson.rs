//! SLEPc's generalised Davidson with PETSc's multigrid.
//!
//! M = |A - bound| is positive semi-definite; wanted are its lowest eigenvectors in the complement of V. When they are found,
//! a second, short search in the complement of V and of all of them tells whether one was missed: a further copy of an
//! eigenvalue, say. One more pair than wanted is looked for, but only roughly: how well the last one must be known depends on
//! how far the next one is.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;

use nrdr::eigen::{Accuracy, Beside, Pair, Request, Wanted, quotient_and_residual};
use nrdr::{Constraint, End, Error, Problem, Progress, Result, Solver};
use nrdr_slepc_sys::{Davidson, Found, Looked, Matrix, Multigrid, Reason, World};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::course::{Course, Known};
use super::{Cluster, finished, refused};

/// Pairs that are improved at a time.
const BLOCK: usize = 4;
/// Vectors of the basis beside the wanted ones,
const SPARE: usize = 40;
/// and for alignment matrices, whose gaps are narrow: every restart loses much.
const SPARE_OF_ALIGNMENT: usize = 96;
/// So many more random vectors than wanted pairs are searched from.
const MORE: usize = 4;
/// The coarser levels may have so many times the entries of the finest.
const COMPLEXITY: f64 = 6.0;
/// The search for what was missed takes so many iterations at least,
const PROBES: usize = 8;
/// and this share of those that it took to find the rest, unless it is clear before.
const PROBE_SHARE: usize = 4;
/// A Ritz value is known to be another one when its residual is this share of the distance.
const CLEAR: f64 = 0.1;
/// How often pairs are improved that are not as accurate as the distance to their neighbours demands.
const ROUNDS: usize = 3;
/// Eigenvalues that differ by less than this share of the norm are equal.
const EQUAL: f64 = 1e-12;
/// The true residual may exceed the iteration's estimate of it by this factor.
const SLACK: f64 = 10.0;
/// Residuals below this share of the norm are rounding.
const ROUNDING: f64 = 1e-13;

/// Levels for one matrix.
pub(super) struct Multilevel {
    world: Arc<World>,
    problem: Arc<Problem>,
    matrix: Arc<Matrix>,
    multigrid: Multigrid,
    norm: f64,
}

impl Multilevel {
    pub(super) fn new(cluster: &Cluster, problem: &Arc<Problem>) -> Result<Self> {
        if problem.end == End::Smallest && problem.near_null.is_empty() {
            return Err(refused("what the matrix nearly annihilates is not known"));
        }
        let definite = cluster.definite(problem)?;
        let rows = definite.offsets.len() - 1;
        let mut near_null = Constraint::none(rows);
        let ones = vec![1.0; rows];
        near_null.forbid([problem.trivial.as_deref().unwrap_or(&ones)]);
        near_null.forbid(problem.near_null.iter().map(Vec::as_slice));
        let directions = (0..near_null.rank()).map(|i| near_null.direction(i).to_vec());
        let matrix = definite.with_near_null(cluster, &directions.collect::<Vec<_>>())?;
        let world = &cluster.world;
        let multigrid = finished(world, Multigrid::new(&matrix, near_null.rank() > 1))?;
        let (_, complexity) = finished(world, multigrid.complexity())?;
        if complexity > COMPLEXITY {
            return Err(refused("the coarser levels of the matrix fill in"));
        }
        let (world, problem, norm) = (world.clone(), problem.clone(), definite.norm);
        Ok(Multilevel { world, problem, matrix, multigrid, norm })
    }

    fn is_alignment(&self) -> bool {
        self.problem.end == End::Smallest
    }

    /// Vectors of the basis for so many pairs.
    fn basis(&self, count: usize) -> usize {
        let spare = if self.is_alignment() { SPARE_OF_ALIGNMENT } else { SPARE };
        (2 * count + 4 * BLOCK).max(count + spare)
    }
}

impl Solver for Multilevel {
    fn name(&self) -> &'static str {
        "multigrid"
    }

    fn solve(&self, request: &Request<'_>, progress: &Progress<'_>) -> Result<Vec<Pair>> {
        request.check_room()?;
        let search = Search::new(self, request, progress);
        let room = self.matrix.all() - request.constraint.rank();
        if room < 2 * self.basis(request.count) {
            return Err(refused("there are too few points for its basis"));
        }
        search.pairs()
    }
}

/// One request.
struct Search<'s> {
    solver: &'s Multilevel,
    request: &'s Request<'s>,
    progress: &'s Progress<'s>,
    accuracy: Accuracy,
    /// A preconditioner that gives no numbers ends the search: known to all ranks alike.
    broken: Cell<bool>,
}

impl<'s> Search<'s> {
    fn new(solver: &'s Multilevel, request: &'s Request<'s>, progress: &'s Progress<'s>) -> Self {
        let (tolerance, beside, bound) = (request.tolerance, Beside::Norm, Some(0.0));
        let accuracy = Accuracy { tolerance, beside, bound, blur: 0.0 };
        Search { solver, request, progress, accuracy, broken: Cell::new(false) }
    }

    /// Takes the forbidden directions out of a vector.
    fn project(&self, vector: &mut [f64]) {
        self.request.constraint.project_vector(vector);
    }

    /// (I - VV') M (I - VV') x. Vectors of the basis are orthogonal to V but for rounding.
    fn multiply(&self, x: &[f64], y: &mut [f64]) {
        let solver = self.solver;
        let mut projected = x.to_vec();
        self.project(&mut projected);
        if let Err(fault) = solver.matrix.multiply(&projected, y) {
            solver.world.abort(&fault.to_string());
        }
        self.project(y);
    }

    /// A cycle of multigrid.
    fn precondition(&self, x: &[f64], y: &mut [f64]) {
        let solver = self.solver;
        if let Err(fault) = solver.multigrid.apply(x, y) {
            solver.world.abort(&fault.to_string());
        }
        let mut bad = [y.iter().filter(|v| !v.is_finite()).count() as f64];
        solver.world.sum(&mut bad);
        if bad[0] > 0.0 {
            self.broken.set(true);
            y.copy_from_slice(x);
        }
        self.project(y);
    }

    /// Random functions that vary little, other ones on every rank.
    fn smooth(&self, count: usize, number: u64) -> Vec<Vec<f64>> {
        let world = &self.solver.world;
        let mut random = ChaCha8Rng::seed_from_u64(self.request.seed.wrapping_add(number));
        random.set_stream(world.rank() as u64);
        let one = |_| {
            let rows = self.request.constraint.size();
            let mut noise: Vec<f64> =
                (0..rows).map(|_| StandardNormal.sample(&mut random)).collect();
            self.project(&mut noise);
            let mut smooth = vec![0.0; rows];
            self.precondition(&noise, &mut smooth);
            smooth
        };
        (0..count).map(one).collect()
    }

    /// Runs Davidson for so many pairs in the complement of the constraint and of some vectors.
    fn run(
        &self,
        count: usize,
        start: &[Vec<f64>],
        beside: &[Vec<f64>],
        most: usize,
        over: &dyn Fn(f64, f64) -> f64,
        step: &dyn Fn(&Looked<'_>) -> ControlFlow<()>,
    ) -> Result<Found> {
        let (solver, constraint) = (self.solver, self.request.constraint);
        let mut forbidden: Vec<&[f64]> =
            (0..constraint.rank()).map(|i| constraint.direction(i)).collect();
        forbidden.extend(beside.iter().map(Vec::as_slice));
        let basis = solver.basis(count);
        let block = BLOCK.min(count).min(self.request.count);
        let task = Davidson {
            world: &solver.world,
            rows: constraint.size(),
            all: solver.matrix.all(),
            multiply: &|x, y| self.multiply(x, y),
            precondition: &|x, y| self.precondition(x, y),
            over,
            step,
            forbidden: &forbidden,
            start,
            count,
            basis,
            block,
            kept: (count + 6).max(2 * basis / 5),
            before: block,
            iterations: most.max(1),
        };
        finished(&solver.world, task.solve())
    }

    /// What rank 0 says, at all ranks: numbers that others have may differ by rounding.
    fn told(&self, here: bool) -> bool {
        let world = &self.solver.world;
        let mut says = [if here && world.rank() == 0 { 1.0 } else { 0.0 }];
        world.sum(&mut says);
        says[0] > 0.0
    }

    /// The residual that a value may have among others that are known, and the one that is the least that is asked.
    fn wanted(&self, value: f64, others: &[f64]) -> (f64, f64) {
        let distance = |at: &usize| (others[*at] - value).abs();
        // Of those that are known the nearest is this one.
        let itself = (0..others.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let rest = (0..others.len()).filter(|at| Some(*at) != itself).map(|at| -others[at]);
        let list: Vec<f64> = std::iter::once(-value).chain(rest).collect();
        let wanted = &self.accuracy.wanted(&list, 1, self.solver.norm)[0];
        (wanted.residual, wanted.limit)
    }

    /// How far the residual of the pair behind the wanted ones, the last of which has this value, is above what makes it
    /// another one for certain.
    fn beyond(&self, value: f64, residual: f64, last: f64) -> f64 {
        let distance = (value - last).max(EQUAL * self.solver.norm);
        residual / (CLEAR * distance).max(self.wanted(value, &[]).1)
    }

    /// The wanted pairs and roughly the next one, by Davidson from some vectors; `known` values tell how accurate they must be.
    fn found(&self, start: &[Vec<f64>], known: &[f64]) -> Result<Found> {
        let Request { count, tolerance, max_iterations, .. } = *self.request;
        let course = Course::default();
        let over = |value: f64, residual: f64| {
            if let Some(last) = course.values.borrow().get(count - 1) {
                return self.beyond(value, residual, *last);
            }
            let (wanted, limit) = self.wanted(value, known);
            residual / if course.relaxed.get() { limit } else { wanted }
        };
        let step = |looked: &Looked<'_>| {
            let is_stuck = self.told(course.is_stuck(looked));
            let left = course.over.get().max(1.0).ln() / -tolerance.ln();
            let done = looked.converged as f64 + 1.0 - left.clamp(0.0, 1.0);
            // Who asks to stop is heard when all ranks are asked.
            let _ = self.progress.report((done / (count + 1) as f64).min(1.0));
            if self.broken.get() || is_stuck && (looked.converged >= count || course.relax(looked))
            {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let found = self.run(count + 1, start, &[], max_iterations, &over, &step)?;
        self.check(&found)?;
        let there = found.values.len();
        if there < count {
            let (coordinate, iterations) = (there + 1, found.iterations);
            let residual = course.over.get() * tolerance;
            return Err(Error::NotConverged { coordinate, residual, tolerance, iterations });
        }
        Ok(found)
    }

    fn check(&self, found: &Found) -> Result<()> {
        self.progress.check_all()?;
        if self.broken.get() || found.reason == Reason::Breakdown {
            return Err(refused("multigrid does not suit the matrix"));
        }
        Ok(())
    }

    /// Looks for a pair that was missed; whether there was one.
    fn probe(&self, known: &mut Known, number: u64) -> Result<bool> {
        let Request { count, max_iterations, .. } = *self.request;
        let last = known.values[count - 1];
        let equal = EQUAL * self.solver.norm;
        let enough = PROBES.max(known.iterations / PROBE_SHARE);
        let over = |value: f64, residual: f64| {
            if value > last + equal {
                return self.beyond(value, residual, last);
            }
            residual / self.wanted(value, &[]).1
        };
        let step = |looked: &Looked<'_>| {
            let is_above = looked.values.first().is_none_or(|&value| value > last + equal);
            let is_over = looked.iteration >= enough && self.told(is_above);
            if self.broken.get() || is_over {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let start = self.smooth(2, number);
        let beside = &known.vectors[..count];
        let found = self.run(1, &start, beside, max_iterations, &over, &step)?;
        self.check(&found)?;
        let is_lower = found.values.first().is_some_and(|&value| value < last - equal);
        if self.told(is_lower) {
            known.add(found, count);
            return Ok(true);
        }
        known.iterations += found.iterations;
        Ok(false)
    }

    /// Values, vectors and residuals of the first `count`, and what is asked of each.
    fn looked_at(&self, known: &Known) -> (Vec<f64>, Vec<f64>, Vec<Wanted>) {
        let count = self.request.count;
        let operator = self.solver.problem.matrix.operator();
        let descending: Vec<f64> = known.values.iter().map(|value| -value).collect();
        let wanted = self.accuracy.wanted(&descending, count, self.solver.norm);
        let vectors = known.vectors[..count].iter();
        let (values, residuals) = vectors
            .map(|vector| quotient_and_residual(operator, self.request.constraint, vector))
            .unzip();
        (values, residuals, wanted)
    }

    fn pairs(&self) -> Result<Vec<Pair>> {
        let count = self.request.count;
        let mut known = Known::default();
        let start = self.smooth(count + MORE, 0);
        known.add(self.found(&start, &[])?, count + 1);
        let mut number = 1;
        while number <= count as u64 && self.probe(&mut known, number)? {
            number += 1;
        }
        let mut rounds = 1;
        let (values, residuals, wanted) = loop {
            let (values, residuals, wanted) = self.looked_at(&known);
            let mut asked = residuals.iter().zip(&wanted);
            let is_good = asked.all(|(residual, wanted)| *residual <= SLACK * wanted.residual);
            if rounds == ROUNDS || self.told(is_good) {
                break (values, residuals, wanted);
            }
            rounds += 1;
            let better = self.found(&known.vectors, &known.values)?;
            let iterations = known.iterations;
            known = Known { iterations, ..Known::default() };
            known.add(better, count + 1);
        };
        let (norm, iterations) = (self.solver.norm, known.iterations);
        let mut pairs = Vec::with_capacity(count);
        for (at, vector) in known.vectors.into_iter().take(count).enumerate() {
            let allowed = (SLACK * wanted[at].limit).max(ROUNDING * norm) / norm;
            let angle = residuals[at] / wanted[at].separation;
            let (value, residual) = (values[at], residuals[at] / norm);
            // Not `>`: a NaN must not pass.
            if !(residual <= allowed) {
                let (coordinate, tolerance) = (at + 1, allowed);
                return Err(Error::NotConverged { coordinate, residual, tolerance, iterations });
            }
            pairs.push(Pair { value, vector, residual, angle, iterations, missed: None });
        }
        Ok(pairs)
    }
}
