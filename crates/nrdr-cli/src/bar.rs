//! The progress of an embedding on the terminal.

use std::io::{IsTerminal, stderr};
use std::ops::ControlFlow;

use indicatif::{ProgressBar, ProgressStyle};
use nrdr::{Observer, Stage};

/// Steps of a full bar.
const FULL: u64 = 1000;

/// A bar that fills once in each stage. Nothing is drawn when standard error is not a terminal.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// A bar with the name of what is going on.
    pub(crate) fn new(name: &'static str) -> Self {
        if !stderr().is_terminal() {
            return Bar(ProgressBar::hidden());
        }
        let bar = ProgressBar::new(FULL).with_prefix(name);
        let style = ProgressStyle::with_template("{prefix:8} {bar:30} {msg}");
        Bar(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())))
    }
}

impl Observer for Bar {
    fn update(&self, stage: Stage, fraction: f64) -> ControlFlow<()> {
        if fraction == 0.0 {
            self.0.set_message(stage.to_string());
        }
        self.0.set_position((fraction * FULL as f64) as u64);
        ControlFlow::Continue(())
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
