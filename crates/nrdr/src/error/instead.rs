//! Settings that fit the memory where those asked for do not.

use serde::Serialize;

use super::Vocabulary;
use crate::size;

/// Another setting, and the bytes that the run takes then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "change")]
#[non_exhaustive]
pub enum Instead {
    /// Fewer neighbours.
    Neighbors {
        /// So many.
        to: usize,
        /// Bytes at most.
        peak: u64,
    },
    /// Another strategy.
    Strategy {
        /// Its name.
        to: &'static str,
        /// Bytes at most.
        peak: u64,
    },
    /// Another method.
    Method {
        /// Its name.
        to: &'static str,
        /// Bytes at most.
        peak: u64,
    },
    /// Fewer points.
    Points {
        /// So many.
        to: usize,
        /// Bytes at most.
        peak: u64,
    },
    /// More memory.
    Memory {
        /// Bytes.
        to: u64,
    },
}

impl Instead {
    /// In the words of a front end; `None` where its user cannot do that.
    pub fn told(&self, words: &dyn Vocabulary) -> Option<String> {
        Some(match self {
            Instead::Neighbors { to, peak } => {
                format!("lower {} to {to} ({})", words.parameter("neighbors")?, size::told(*peak))
            }
            Instead::Strategy { to, peak } => {
                format!("choose {} ({})", words.setting("strategy", &[to])?, size::told(*peak))
            }
            Instead::Method { to, peak } => {
                let chosen =
                    words.setting("method", &[to]).map(|method| format!("choose {method}"));
                let chosen = chosen.unwrap_or_else(|| format!("use {}", words.method(to)));
                format!("{chosen} ({})", size::told(*peak))
            }
            Instead::Points { to, .. } => format!("embed at most {to} points"),
            Instead::Memory { to } => {
                format!("raise {} to {}", words.parameter("memory")?, told_up(*to))
            }
        })
    }
}

/// A size that can be typed, rounded up.
fn told_up(bytes: u64) -> String {
    let gigabytes = (bytes as f64 / 1e8).ceil() / 10.0;
    if gigabytes < 1.0 {
        format!("{:.0}M", (bytes as f64 / 1e6).ceil())
    } else {
        format!("{gigabytes}G")
    }
}
