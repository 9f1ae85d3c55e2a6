//! The progress of an embedding: bars on a terminal, now and then a line elsewhere.

use std::fmt;
use std::io::{IsTerminal, stderr};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use nrdr::{Observer, Stage};

use crate::terminal::tell;

/// Steps of a full bar.
const FULL: u64 = 1000;
/// Where there is no terminal, a line after so long.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Tells how far the work is.
pub enum Bar {
    /// A bar that fills once in each stage.
    Terminal(ProgressBar, Mutex<Place>),
    /// A line for what takes long.
    Lines(String, Mutex<Place>),
    /// Nothing.
    Quiet,
}

/// How far the work was, when the stage began and when it was last told of.
pub struct Place {
    stage: Option<Stage>,
    fraction: f64,
    began: Instant,
    told: Instant,
}

impl Place {
    fn start() -> Mutex<Self> {
        let (began, told) = (Instant::now(), Instant::now());
        Mutex::new(Place { stage: None, fraction: 0.0, began, told })
    }

    /// Whether a stage begins: another one, or the same one anew.
    fn moved(&mut self, stage: Stage, fraction: f64) -> bool {
        let begins = self.stage != Some(stage) || fraction < self.fraction;
        if begins {
            (self.began, self.told) = (Instant::now(), Instant::now());
        }
        (self.stage, self.fraction) = (Some(stage), fraction);
        begins
    }
}

impl Bar {
    /// A bar with the name of what is going on.
    pub fn new(name: &str, quiet: bool) -> Self {
        if quiet {
            return Bar::Quiet;
        }
        if !stderr().is_terminal() {
            return Bar::Lines(name.to_string(), Place::start());
        }
        let bar = ProgressBar::new(FULL).with_prefix(name.to_string());
        let style = ProgressStyle::with_template("{prefix} {bar:30} {msg}{left}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = bar.with_style(style.with_key(
            "left",
            |state: &ProgressState, out: &mut dyn fmt::Write| {
                // Nobody would read the error of a text that cannot be written.
                let _ = out.write_str(&left(state.fraction(), state.elapsed()));
            },
        ));
        Bar::Terminal(bar, Place::start())
    }

    /// Something that stays to be read.
    pub fn say(&self, text: &str) {
        match self {
            Bar::Terminal(bar, _) => bar.suspend(|| tell(text)),
            Bar::Lines(..) => tell(text),
            Bar::Quiet => {}
        }
    }

    /// Something without measurable progress is going on.
    pub fn message(&self, what: &str) {
        if let Bar::Terminal(bar, _) = self {
            bar.set_message(what.to_string());
            bar.reset();
        }
    }
}

impl Observer for Bar {
    fn update(&self, stage: Stage, fraction: f64) -> ControlFlow<()> {
        match self {
            Bar::Terminal(bar, place) => {
                if place.lock().is_ok_and(|mut place| place.moved(stage, fraction)) {
                    bar.set_message(stage.to_string());
                    bar.reset();
                }
                bar.set_position((fraction * FULL as f64) as u64);
            }
            Bar::Lines(name, place) => {
                let Ok(mut place) = place.lock() else { return ControlFlow::Continue(()) };
                place.moved(stage, fraction);
                if place.told.elapsed() >= LINE_EVERY {
                    place.told = Instant::now();
                    let seconds = place.began.elapsed().as_secs();
                    let percent = 100.0 * fraction;
                    tell(&format!("{name}: {stage} {percent:.0} % after {seconds} s"));
                }
            }
            Bar::Quiet => {}
        }
        ControlFlow::Continue(())
    }
}

/// Less than this, of the work and of its time, tells nothing of the rest.
const LEAST_DONE: f32 = 0.02;
const LEAST_TIME: Duration = Duration::from_millis(500);

/// How long it will still take, as far as that is known.
fn left(done: f32, elapsed: Duration) -> String {
    if !(LEAST_DONE..1.0).contains(&done) || elapsed < LEAST_TIME {
        return String::new();
    }
    let rest = elapsed.mul_f32((1.0 - done) / done);
    // Rounded up: what is under way takes a second.
    format!(", {} left", HumanDuration(Duration::from_secs(rest.as_secs() + 1)))
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Bar::Terminal(bar, _) = self {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_not_told_before_it_is_known() {
        let second = Duration::from_secs(1);
        assert_eq!(left(0.0, Duration::ZERO), "");
        assert_eq!(left(0.0, 10 * second), "");
        assert_eq!(left(0.5, Duration::from_millis(20)), "");
        assert_eq!(left(0.5, 10 * second), ", 11 seconds left");
        assert_eq!(left(0.999, second), ", 1 second left");
        assert_eq!(left(1.0, second), "");
    }
}
