//! The sizes and times of a run, from what a look at parts of its input showed.

use super::Prepared;
use super::cost::{Bytes, Made, Sizes, Timeline};
use super::duration::{Rates, Work};
use super::patch::{Look, look};
use super::plan::{Plan, Planned, TimeClass};
use crate::eigen::{Cost, Levels, SolverKind, foresee};
use crate::error::{Error, Result};
use crate::graph::neighbors::{Way, foresee_search};
use crate::input::Input;
use crate::memory::{OVERHEAD, edges_of};
use crate::method::{Method, Needs};
use crate::metric::Metric;
use crate::parameter::Words;
use crate::strategy::Strategy;

/// What a look at parts of the input showed of a method.
pub(super) struct Foreseen<'p> {
    input: Input<'p>,
    method: &'p dyn Method,
    neighbors: usize,
    dims: usize,
    solver: SolverKind,
    memory: Option<u64>,
    search: (Way, &'static str, &'static str),
    /// As which points are searched.
    metric: Metric,
    look: Look,
}

impl<'p> Foreseen<'p> {
    pub(super) fn new(
        prepared: &'p Prepared<'_>,
        method: &'p dyn Method,
        neighbors: usize,
    ) -> Result<Self> {
        let Prepared { input, options, budget, .. } = *prepared;
        let mut own = options.clone();
        own.neighbors = neighbors;
        let look = match look(input, method, &own) {
            Ok(look) => look,
            // What keeps a part from being looked at may not be there in the whole.
            Err(error @ (Error::WrongInput { .. } | Error::Cancelled { .. })) => return Err(error),
            Err(_) => Look::blind(edges_of(neighbors)),
        };
        let metric = options.metric;
        let seen = look.points.as_ref().map(|points| metric.seen(points)).transpose()?;
        let search = foresee_search(seen.as_deref(), input.size(), neighbors, options.how());
        drop(seen);
        let (solver, dims) = (options.solver.kind, options.dims.most().min(input.size()));
        let memory = budget.most().map(|most| most + input.bytes());
        Ok(Foreseen { input, method, neighbors, dims, solver, memory, search, metric, look })
    }

    fn columns(&self) -> usize {
        match self.input {
            Input::Points(points) => points.columns(),
            _ => 0,
        }
    }

    /// Columns of the points as the metric sees them, where they are others than those of the input.
    fn seen(&self) -> Option<usize> {
        let is_another = self.metric.is_of_seen() && self.columns() > 0;
        is_another.then(|| self.metric.columns(self.columns()))
    }

    /// The factor of so many points, and the solver that is chosen with it.
    fn solver(&self, points: usize) -> (SolverKind, &'static str, Cost) {
        let cost = self.look.cost(points);
        match (self.look.matrix, cost) {
            (Some((entries, levels)), Some(cost)) => {
                let entries = entries * points as f64;
                let (kind, why) = foresee(self.solver, points, entries, cost, levels);
                (kind, why, cost)
            }
            _ => {
                let (entries, levels) = (0.0, Levels::Unknown);
                let absurd = Cost { entries: f64::INFINITY, ..Cost::default() };
                let (kind, _) = foresee(self.solver, points, entries, absurd, levels);
                (kind, "there is nothing to factorise", Cost::default())
            }
        }
    }

    /// The sizes of a run of so many points with the eigenvectors that a strategy usually asks for, or the most.
    pub(super) fn sizes(&self, strategy: &Strategy, points: usize, is_deep: bool) -> Sizes<'_> {
        let (solver, _, cost) = self.solver(points);
        let (usual, most) = strategy.rule().eigenvectors(self.dims, points);
        let is_deep = is_deep && most > usual;
        Sizes {
            method: self.method,
            points,
            columns: self.columns(),
            neighbors: self.neighbors,
            dims: self.dims,
            input: self.input.bytes() as f64 * points as f64 / self.input.size() as f64,
            made: match (self.method.needs(), self.input) {
                (Needs::Graph, Input::Points(_) | Input::Distances(_)) => Made::Graph,
                (Needs::Neighborhoods, _) => Made::Lists,
                _ => Made::Nothing,
            },
            seen: self.seen(),
            search: self.search.0,
            edges: self.look.edges,
            entries: self.look.matrix.map(|(entries, _)| entries),
            levels: self.look.matrix.map_or(Levels::Unknown, |(_, levels)| levels),
            solver,
            cost,
            eigenvectors: if is_deep { most } else { usual },
            earlier: if is_deep { usual } else { 0 },
            strategy: strategy.rule().memory(points),
        }
    }

    /// Bytes that a run takes at most.
    pub(super) fn peak(&self, strategy: &Strategy, points: usize) -> u64 {
        told(self.sizes(strategy, points, false).timeline().peak())
    }

    pub(super) fn plan(&self, strategy: &Strategy) -> Plan {
        let points = self.input.size();
        let sizes = self.sizes(strategy, points, false);
        let timeline = sizes.timeline();
        let deep = self.sizes(strategy, points, true);
        let (kind, why, cost) = self.solver(points);
        let work = Work { sizes: &sizes, cost, kind };
        let stages = self.stages(&timeline, &work, &sizes, strategy, why);
        let seconds = stages.iter().map(|stage| stage.seconds).sum();
        let peak = told(timeline.peak());
        let is_deep = deep.eigenvectors > sizes.eigenvectors;
        Plan {
            points,
            columns: self.columns(),
            neighbors: self.neighbors,
            dims: self.dims,
            method: self.method.name(),
            strategy: strategy.name(),
            dimension: Some(self.look.dimension).filter(|dimension| dimension.is_finite()),
            stages,
            peak,
            deep_peak: is_deep.then(|| told(deep.timeline().peak())),
            memory: self.memory,
            fits: self.memory.is_none_or(|memory| peak <= memory),
            seconds,
            time: TimeClass::of(seconds),
            instead: Vec::new(),
        }
    }

    fn stages(
        &self,
        timeline: &Timeline,
        work: &Work<'_>,
        sizes: &Sizes<'_>,
        strategy: &Strategy,
        why_solver: &str,
    ) -> Vec<Planned> {
        let rates = Rates::MEASURED;
        let (n, input) = (self.input.size(), sizes.input);
        let stage = |stage, how: String, why: &str, bytes: Bytes, seconds: f64| Planned {
            stage,
            how,
            why: why.to_string(),
            during: told(bytes.during),
            after: told(bytes.after),
            seconds,
        };
        let reading = Bytes { during: input, after: input };
        let what = self.input.describe();
        let mut all =
            vec![stage("reading", format!("{n} x {}", sizes.columns.max(n)), what, reading, 0.0)];
        if let Input::Points(_) = self.input {
            all[0].how = format!("{n} points of {} columns", sizes.columns);
        }
        if sizes.made != Made::Nothing {
            let (_, how, why) = self.search;
            let seconds = work.searching(&rates);
            all.push(stage("neighbours", how.to_string(), why, timeline.neighbors, seconds));
            let how = format!("{:.1} edges a point", sizes.edges);
            let why = "either is a neighbour of the other";
            all.push(stage("graph", how, why, timeline.graph, work.joining(&rates)));
        }
        let (how, why) = match sizes.entries {
            Some(entries) => (format!("sparse, {entries:.0} entries a row"), "neighbours only"),
            None => ("dense or low rank".to_string(), self.method.about().title),
        };
        all.push(stage("matrix", how, why, timeline.matrix, work.building(&rates)));
        let how = match work.kind {
            SolverKind::ShiftInvert => {
                format!("Cholesky, {:.0} entries a row", work.cost.entries / n as f64)
            }
            _ => "none".to_string(),
        };
        let seconds = work.factorizing(&rates);
        all.push(stage("factorisation", how, why_solver, timeline.factorization, seconds));
        let name = SolverKind::VALUES.iter().position(|kind| *kind == work.kind);
        let name = name.map_or("auto", |at| SolverKind::WORDS[at].name);
        let how = format!("{name}, {} eigenvectors", sizes.eigenvectors);
        let (why, seconds) = (strategy.about().help, work.solving(&rates));
        all.push(stage("coordinates", how, why, timeline.coordinates, seconds));
        let how = "on a sample".to_string();
        let why = "costs the same for any number of points";
        all.push(stage("measuring", how, why, timeline.measuring, work.measuring(&rates)));
        all
    }

    /// What the run may take.
    pub(super) fn memory(&self) -> Option<u64> {
        self.memory
    }
}

/// With what the allocator takes beside.
fn told(bytes: f64) -> u64 {
    (OVERHEAD * bytes) as u64
}
