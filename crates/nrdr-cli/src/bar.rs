//! The progress of an embedding: bars on a terminal, now and then a line elsewhere.

use std::io::{IsTerminal, stderr};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use nrdr::{Observer, Stage};

/// Steps of a full bar.
const FULL: u64 = 1000;
/// Where there is no terminal, a line after so long.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Tells how far the work is.
pub(crate) enum Bar {
    /// A bar that fills once in each stage.
    Terminal(ProgressBar),
    /// A line for what takes long.
    Lines(Mutex<Line>),
    /// Nothing.
    Quiet,
}

/// When the stage began and when it was last told of.
pub(crate) struct Line {
    name: String,
    began: Instant,
    told: Instant,
}

impl Bar {
    /// A bar with the name of what is going on.
    pub(crate) fn new(name: &str, quiet: bool) -> Self {
        if quiet {
            return Bar::Quiet;
        }
        if !stderr().is_terminal() {
            let (began, told) = (Instant::now(), Instant::now());
            return Bar::Lines(Mutex::new(Line { name: name.to_string(), began, told }));
        }
        let bar = ProgressBar::new(FULL).with_prefix(name.to_string());
        let style = ProgressStyle::with_template("{prefix} {bar:30} {msg}, {eta} left");
        Bar::Terminal(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())))
    }

    /// Something without measurable progress is going on.
    pub(crate) fn message(&self, what: &str) {
        if let Bar::Terminal(bar) = self {
            bar.set_message(what.to_string());
            bar.reset();
        }
    }
}

impl Observer for Bar {
    fn update(&self, stage: Stage, fraction: f64) -> ControlFlow<()> {
        match self {
            Bar::Terminal(bar) => {
                if fraction == 0.0 {
                    bar.set_message(stage.to_string());
                    bar.reset();
                }
                bar.set_position((fraction * FULL as f64) as u64);
            }
            Bar::Lines(line) => {
                let Ok(mut line) = line.lock() else { return ControlFlow::Continue(()) };
                if fraction == 0.0 {
                    (line.began, line.told) = (Instant::now(), Instant::now());
                }
                if line.told.elapsed() >= LINE_EVERY {
                    line.told = Instant::now();
                    let seconds = line.began.elapsed().as_secs();
                    let percent = 100.0 * fraction;
                    eprintln!("{}: {stage} {percent:.0} % after {seconds} s", line.name);
                }
            }
            Bar::Quiet => {}
        }
        ControlFlow::Continue(())
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Bar::Terminal(bar) = self {
            bar.finish_and_clear();
        }
    }
}
