//! What a run would take, before it is run: stages, bytes, time, and which realisation of each.

use serde::Serialize;

use super::Prepared;
use super::foreseen::Foreseen;
use super::instead::instead;
use crate::eigen::{SolverKind, basis_columns};
use crate::error::{Error, Instead, Result};
use crate::size;
use crate::strategy::Strategy;
use crate::threads::with_threads;

/// What a run would take. All of it is an estimate: the graph and the factor of the whole are foreseen from parts of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// Number of points,
    pub points: usize,
    /// and of their columns; 0 where none are given.
    pub columns: usize,
    /// Number of nearest neighbours.
    pub neighbors: usize,
    /// Number of coordinates, or the most.
    pub dims: usize,
    /// The method.
    pub method: &'static str,
    /// The strategy.
    pub strategy: &'static str,
    /// The dimension that the points have for their neighbours; `None` where there are none.
    pub dimension: Option<f64>,
    /// Stage after stage.
    pub stages: Vec<Planned>,
    /// Bytes at most,
    pub peak: u64,
    /// and if coordinates need more eigenvectors than usual, where that can be.
    pub deep_peak: Option<u64>,
    /// Bytes that the run may take, its input included; `None` where nobody knows.
    pub memory: Option<u64>,
    /// Whether they are enough.
    pub fits: bool,
    /// Processor time in all.
    pub seconds: f64,
    /// The same roughly.
    pub time: TimeClass,
    /// What would fit instead, nearest first.
    pub instead: Vec<Instead>,
}

/// A stage of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Planned {
    /// Which.
    pub stage: &'static str,
    /// How it is done,
    pub how: String,
    /// and why so.
    pub why: String,
    /// Bytes that are there in all while it runs, at most,
    pub during: u64,
    /// and once it is over.
    pub after: u64,
    /// Processor time.
    pub seconds: f64,
}

/// How long something takes, roughly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeClass {
    /// Up to a minute.
    Seconds,
    /// Up to an hour.
    Minutes,
    /// Up to a day.
    Hours,
    /// More.
    Days,
}

impl TimeClass {
    /// That of a time in seconds.
    pub fn of(seconds: f64) -> Self {
        match seconds {
            s if s < 60.0 => TimeClass::Seconds,
            s if s < 3600.0 => TimeClass::Minutes,
            s if s < 86400.0 => TimeClass::Hours,
            _ => TimeClass::Days,
        }
    }
}

impl std::fmt::Display for TimeClass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            TimeClass::Seconds => "seconds",
            TimeClass::Minutes => "minutes",
            TimeClass::Hours => "hours",
            TimeClass::Days => "days",
        })
    }
}

impl Plan {
    /// The same for a process that took so much while it read the input and keeps so much of it, the program itself included.
    pub fn with_reading(mut self, during: u64, after: u64) -> Self {
        let Some(first) = self.stages.first_mut() else { return self };
        let more = after.saturating_sub(first.after);
        (first.during, first.after) = (during, after);
        for stage in &mut self.stages[1..] {
            stage.during += more;
            stage.after += more;
        }
        self.peak = self.stages.iter().map(|stage| stage.during).max().unwrap_or(0);
        self.deep_peak = self.deep_peak.map(|peak| (peak + more).max(self.peak));
        self.fits = self.memory.is_none_or(|memory| self.peak <= memory);
        self
    }
}

impl Prepared<'_> {
    /// What a run by a strategy would take. Nothing is run, but parts of the input are looked at.
    ///
    /// ```
    /// use nrdr::{LaplacianEigenmaps, Options, Prepared, Strategy, datasets::SwissRoll};
    ///
    /// let roll = SwissRoll { n: 2000, ..Default::default() }.generate(7)?;
    /// let (method, options) = (LaplacianEigenmaps::default(), Options::default());
    /// let plan = Prepared::new(&roll.points, &method, &options)?.plan(&Strategy::default())?;
    /// assert!(plan.fits && plan.peak > 2000 * 3 * 8);
    /// # Ok::<(), nrdr::Error>(())
    /// ```
    pub fn plan(&self, strategy: &Strategy) -> Result<Plan> {
        self.check_strategy(strategy)?;
        with_threads(self.options.threads, || {
            let foreseen = Foreseen::new(self, self.method(), self.options.neighbors)?;
            let mut plan = foreseen.plan(strategy);
            if !plan.fits {
                plan.instead = instead(self, &foreseen, strategy);
            }
            Ok(plan)
        })
    }
}

/// Bytes of a point that few runs take.
const GENEROUS: f64 = 40_000.0;

impl Prepared<'_> {
    /// Refuses a run that would not fit what is left, with what would.
    pub(super) fn check_memory(&self, strategy: &Strategy) -> Result<()> {
        let (n, input) = (self.input.size(), self.input.bytes());
        let Some(left) = self.budget.left() else { return Ok(()) };
        let eigenvectors = strategy.rule().eigenvectors(self.options.dims.most(), n).1;
        let columns = basis_columns(SolverKind::Lanczos, eigenvectors.min(n), n);
        let generous = n as f64 * (GENEROUS + 8.0 * columns as f64) + 2.0 * input as f64;
        let matrix = self.method.memory(n, self.options.neighbors);
        // What was made by an earlier strategy has been taken already.
        if self.arranged.get().is_some() || generous + matrix < left as f64 {
            return Ok(());
        }
        let plan = self.plan(strategy)?;
        if plan.fits {
            return Ok(());
        }
        let allowed = plan.memory.unwrap_or(left);
        Err(Error::DoesNotFit { needed: plan.peak, allowed, instead: plan.instead })
    }
}

impl std::fmt::Display for Plan {
    /// A table for people.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{:<14} {:>9} {:>9} {:>9}  how", "stage", "at most", "then", "time")?;
        for Planned { stage, how, why, during, after, seconds } in &self.stages {
            let (during, after) = (size::told(*during), size::told(*after));
            writeln!(
                f,
                "{stage:<14} {during:>9} {after:>9} {:>9}  {how} ({why})",
                duration(*seconds)
            )?;
        }
        let may = self.memory.map(|memory| format!(" of {} that it may take", size::told(memory)));
        let per_point = self.peak / self.points.max(1) as u64;
        writeln!(
            f,
            "\npeak: {}{}, {per_point} bytes a point; time: {} ({} of processor time)",
            size::told(self.peak),
            may.unwrap_or_default(),
            self.time,
            duration(self.seconds)
        )?;
        if let Some(deep) = self.deep_peak {
            writeln!(
                f,
                "If coordinate 2 repeats the first one, more eigenvectors are computed: {}.",
                size::told(deep)
            )?;
        }
        if let Some(dimension) = self.dimension {
            writeln!(f, "The points look {dimension:.1}-dimensional. All numbers are estimates.")?;
        }
        Ok(())
    }
}

/// "0.3 s", "4 min", "2.5 h".
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.1 => "< 0.1 s".to_string(),
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}
