//! Unpredictability at a price.
//!
//! Algorithm 1 of Blau & Michaeli (2017) forbids whatever the earlier coordinates predict, at any cost: on clustered data
//! the later coordinates pay for it with what they should show. Here it has a price instead. Coordinates are combinations of the
//! first J original eigenfunctions. With M the energy that the method minimises, V the right singular vectors of the smoother of
//! coordinates 1..i-1 (as in the strategy `unpredictable`) and mu the price, the candidates (c_k, g_k), k = 1..m, for coordinate i
//! are the lowest eigenpairs, within the span of these eigenfunctions, of
//!
//! M + mu V V'   in the complement of the trivial direction and of g_1 .. g_(i-1),
//!
//! and g_i is their least localised combination (`spread.rs`). Several prices and smoothers are tried; what tells most of the original
//! eigenfunctions, and is least predictable, is taken (`contest.rs`). With mu = 0 and m = 1 that is the original method. With m = 1
//! the energy of g_i exceeds the best orthogonal one's by at most mu. `docs/priced.md` has the reasons and the figures.
//!
//! Beside the J eigenpairs all is done on a sample of the points, so that it costs the same for any number of them.

mod basis;
mod contest;
mod energy;
mod search;
mod spread;
mod told;

use std::time::Instant;

use crate::error::{Error, Result};
use crate::measure::dimension::Trial;
use crate::parameter::{Parameter, Range};
use crate::progress::Progress;
use crate::smoother::{SmootherOptions, smoother_memory};

use super::{About, Outcome, Rule, Strategy, Task};
use search::{Next, Search};

const ABOUT: About = About {
    name: "priced",
    title: "non-redundant",
    help: "As unpredictable from the earlier ones as it pays",
    paper: "",
};

/// Unpredictability at a price.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Priced {
    /// What a function that the earlier coordinates predict entirely is charged, in units of the energy that the method
    /// minimises (for kernels: of that of the first coordinate); `None` means that several shares are tried of what
    /// the original method charges for an eigenfunction as deep in its list as the smoother's rank.
    pub mu: Option<f64>,
    /// How many eigenvectors the least localised combination is taken from; `None` means as many as suit the data.
    pub pool: Option<usize>,
    /// How much an even spread over the points may cost: the smaller, the more; `None` means what suits the data.
    pub thrift: Option<f64>,
    /// How many original eigenfunctions coordinates are made of; `None` means as many as suit their number.
    pub depth: Option<usize>,
    /// What can be predicted from the earlier coordinates.
    pub smoother: SmootherOptions,
}

impl Strategy {
    /// Unpredictability at a price.
    pub fn priced(priced: Priced) -> Self {
        Strategy::new(priced)
    }
}

impl Rule for Priced {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let mut parameters = vec![
            Parameter::new("mu", &mut self.mu, "price of being predictable from the earlier ones")
                .within(Range::NOT_NEGATIVE)
                .without("the one that tells most"),
            Parameter::new("pool", &mut self.pool, "eigenvectors to combine to the least localised")
                .within(Range::new(1.0, 32.0, "from 1 to 32"))
                .without("1, 6 or 12"),
            Parameter::new("thrift", &mut self.thrift, "how little spread over the points may cost")
                .within(Range::NOT_NEGATIVE)
                .without("1 or 4"),
            Parameter::new("depth", &mut self.depth, "original eigenvectors that coordinates are made of")
                .within(Range::FROM_ONE)
                .without("found by their number"),
        ];
        parameters.extend(self.smoother.parameters());
        parameters
    }

    fn check(&self) -> Result<()> {
        self.smoother.check()
    }

    fn memory(&self, points: usize) -> f64 {
        // It looks at a sample, with several smoothers.
        SMOOTHERS * smoother_memory(points.min(basis::SAMPLE))
    }

    fn eigenvectors(&self, dims: usize, points: usize) -> (usize, usize) {
        if self.is_original() {
            return (dims, dims);
        }
        let depth = |depth: usize| depth.max(DEPTH_PER_COORDINATE * dims).min(points);
        let depths = self.depths(points);
        let last = depths.len() - 1;
        (depth(depths[0]), depth(depths[if dims < 2 { 0 } else { last }]))
    }

    fn check_shared(&self) -> Result<()> {
        Ok(())
    }

    fn check_extension(&self, _method: &'static str) -> Result<()> {
        self.smoother.check_extension()
    }

    fn coordinates(&self, task: &Task<'_>, progress: &Progress<'_>) -> Result<Outcome> {
        if self.is_original() {
            let steps = task.original_steps(task.dims, &progress.held())?;
            return task.worth_having(Outcome::from(steps));
        }
        let mut search = self.search(task, progress)?;
        let (first, asked) = (task.dims, search.asked());
        let mut steps = task.first_original_steps(first, asked, &progress.held())?;
        let mut trial = Trial::new(task.judge);
        trial.look(&search.earlier()[..1], steps[0].pair.value)?;
        for (i, step) in steps.iter_mut().enumerate().skip(1) {
            if trial.is_settled() {
                break;
            }
            let start = Instant::now();
            let Next { pair, smoothing, source } = match search.next() {
                Err(Error::TooManyCoordinates { .. }) if trial.is_on() => {
                    trial.exhausted(i);
                    break;
                }
                found => found?,
            };
            trial.look(&search.earlier()[..=i], pair.value)?;
            step.pair = pair;
            step.smoothing = Some(smoothing);
            step.source = source;
            step.time = start.elapsed();
            progress.report((i + 1) as f64 / task.dims as f64)?;
        }
        Ok(Outcome::judged(steps, trial))
    }
}

/// What all smoothers of a sample take beside the least that one does.
const SMOOTHERS: f64 = 26.0;
/// How many eigenfunctions coordinates are made of, at least for each coordinate,
const DEPTH_PER_COORDINATE: usize = 2;
/// and altogether.
const DEPTH: usize = 48;
/// Of more points than these there are fewer eigenfunctions at first, because each costs more,
const MANY: usize = 10_000;
/// so many, unless coordinate 2 comes out predictable.
const SHALLOW: usize = 16;

impl Priced {
    /// Whether nothing is left of the price and of the choice.
    fn is_original(&self) -> bool {
        self.mu == Some(0.0) && self.pool == Some(1)
    }

    /// How many eigenfunctions are tried, one number after another.
    fn depths(&self, points: usize) -> Vec<usize> {
        match self.depth {
            Some(depth) => vec![depth],
            None if points > MANY => vec![SHALLOW, DEPTH],
            None => vec![DEPTH],
        }
    }

    /// A search with as many eigenfunctions as the second coordinate takes.
    fn search<'s>(
        &'s self,
        task: &'s Task<'s>,
        progress: &'s Progress<'s>,
    ) -> Result<Search<'s>> {
        let available = task.problem.directions();
        if let Some(depth) = self.depth.filter(|depth| *depth < task.dims) {
            let words = "at least the number of coordinates";
            return Err(Error::parameter("depth", depth, words));
        }
        let depths = self.depths(task.problem.points());
        let least = DEPTH_PER_COORDINATE * task.dims;
        let of = |depth: usize| Search::new(self, task, progress, depth.max(least).min(available));
        let mut search = of(depths[0])?;
        for depth in &depths[1..] {
            if task.dims < 2 || search.second_is_new()? {
                break;
            }
            search = of(*depth)?;
        }
        Ok(search)
    }
}
