//! Telling the caller how far the work is, letting it stop the work, and timing each stage.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::linalg::reduce;
use crate::memory::Budget;
use crate::stage::Stage;

/// Sees the progress of a computation and may end it.
///
/// Every closure `Fn(Stage, f64) -> ControlFlow<()> + Sync` is an observer. Calls come from worker
/// threads; the fraction grows from 0 to 1 within each stage. `ControlFlow::Break(())` ends the
/// computation with [`Error::Cancelled`].
pub trait Observer: Sync {
    /// `fraction` of `stage` is done: go on?
    fn update(&self, stage: Stage, fraction: f64) -> ControlFlow<()>;
}

impl<F: Fn(Stage, f64) -> ControlFlow<()> + Sync> Observer for F {
    fn update(&self, stage: Stage, fraction: f64) -> ControlFlow<()> {
        self(stage, fraction)
    }
}

/// Nobody: sees nothing and ends nothing.
impl Observer for () {
    fn update(&self, _: Stage, _: f64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The computation's side of an [`Observer`]: counts work, notices cancellation, times stages, and knows how much memory the
/// work may take.
pub struct Watch<'a> {
    observer: Option<&'a dyn Observer>,
    /// What the computation may take of the memory.
    budget: Budget,
    cancelled: AtomicBool,
    /// Whether processes share the work, of which none may leave the others waiting.
    shared: bool,
    times: Mutex<Vec<(Stage, Duration)>>,
}

impl<'a> Watch<'a> {
    /// A watch that reports to `observer`, or to nobody.
    pub fn new(observer: Option<&'a dyn Observer>) -> Self {
        let (cancelled, times) = (AtomicBool::new(false), Mutex::new(Vec::new()));
        let shared = reduce::is_shared();
        Watch { observer, budget: Budget::unlimited(), cancelled, shared, times }
    }

    /// The same for a computation that may take so much of the memory.
    pub(crate) fn within(self, budget: Budget) -> Self {
        Watch { budget, ..self }
    }

    /// Runs `work` as `stage`: its time is kept and its ends are reported.
    pub fn stage<T>(
        &self,
        stage: Stage,
        work: impl FnOnce(&Progress<'_>) -> Result<T>,
    ) -> Result<T> {
        let start = Instant::now();
        let progress = Progress {
            watch: self,
            stage,
            done: AtomicUsize::new(0),
            furthest: AtomicU64::new(0),
            held: false,
        };
        progress.report(0.0)?;
        let value = work(&progress)?;
        progress.report(1.0)?;
        if let Ok(mut times) = self.times.lock() {
            times.push((stage, start.elapsed()));
        }
        Ok(value)
    }

    /// Time spent in each stage so far, in the order in which they ended.
    pub fn times(&self) -> Vec<(Stage, Duration)> {
        self.times.lock().map(|times| times.clone()).unwrap_or_default()
    }
}

/// Progress within one stage; shared by the threads that work on it.
pub struct Progress<'a> {
    watch: &'a Watch<'a>,
    stage: Stage,
    done: AtomicUsize,
    /// Bits of the largest fraction so far: those of numbers that are not negative compare alike.
    furthest: AtomicU64,
    /// Whether nothing but the same fraction is told.
    held: bool,
}

impl Progress<'_> {
    /// For a part of the work whose own progress says little of the whole: it can be cancelled, and what is told
    /// stays the same.
    pub(crate) fn held(&self) -> Progress<'_> {
        let furthest = AtomicU64::new(self.furthest.load(Ordering::Relaxed));
        Progress {
            watch: self.watch,
            stage: self.stage,
            done: AtomicUsize::new(0),
            furthest,
            held: true,
        }
    }

    /// What the computation may take of the memory.
    pub(crate) fn budget(&self) -> Budget {
        self.watch.budget
    }

    /// Bytes that the computation may still take; `None` where nobody knows.
    pub fn memory_left(&self) -> Option<u64> {
        self.budget().left()
    }

    /// `part` more of `total` pieces are done. Fails when the observer has asked to stop.
    pub fn advance(&self, part: usize, total: usize) -> Result<()> {
        let done = self.done.fetch_add(part, Ordering::Relaxed) + part;
        self.report(done as f64 / total.max(1) as f64)
    }

    /// Fails when the observer has asked to stop; where processes share the work, only once all of them know
    /// ([`Progress::check_all`]).
    pub fn check(&self) -> Result<()> {
        if self.watch.shared { Ok(()) } else { self.asked() }
    }

    /// Fails at all processes that share the work when the observer of one has asked to stop; all of them must ask.
    pub fn check_all(&self) -> Result<()> {
        if reduce::is_shared() { reduce::agree(self.asked()) } else { self.check() }
    }

    fn asked(&self) -> Result<()> {
        if self.watch.cancelled.load(Ordering::Relaxed) {
            Err(Error::Cancelled { stage: self.stage })
        } else {
            Ok(())
        }
    }

    /// `fraction` of the stage is done. Fails when the observer has asked to stop.
    pub fn report(&self, fraction: f64) -> Result<()> {
        let watch = self.watch;
        // Threads overtake each other, and residuals rise again: what is told only grows.
        let bits = if self.held { 0 } else { fraction.clamp(0.0, 1.0).to_bits() };
        let fraction = f64::from_bits(bits.max(self.furthest.fetch_max(bits, Ordering::Relaxed)));
        if let Some(observer) = watch.observer
            && observer.update(self.stage, fraction).is_break()
        {
            watch.cancelled.store(true, Ordering::Relaxed);
        }
        self.check()
    }
}
