//! Wall and processor time of a piece of work.

use std::time::Instant;

/// Seconds since a moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spent {
    /// Of wall time.
    pub(crate) wall: f64,
    /// Of processor time, of all threads together; NaN where the system does not tell.
    pub(crate) processor: f64,
}

/// A moment.
pub(crate) struct Clock {
    start: Instant,
    used: f64,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Clock { start: Instant::now(), used: used() }
    }

    pub(crate) fn spent(&self) -> Spent {
        Spent { wall: self.start.elapsed().as_secs_f64(), processor: used() - self.used }
    }
}

/// Seconds of processor time that this process has used.
#[cfg(unix)]
fn used() -> f64 {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

#[cfg(not(unix))]
fn used() -> f64 {
    f64::NAN
}
