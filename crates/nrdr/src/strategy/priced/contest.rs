//! Which combination becomes the coordinate.
//!
//! With u what the embedding leaves untold of the original eigenfunctions (`told.rs`) and p the share of the combination's variance
//! that a regression on the earlier coordinates predicts, log u + 2 s(p) is lost. s rises from 0 to 1 between two shares: below the
//! first one a coordinate is new, and being newer is worth nothing; above the second one it is a function of the earlier ones, and being a little less so
//! is worth nothing either. What leaves more untold than the original's next coordinate does not take part, and that one has the benefit of
//! the doubt.

use super::search::Choice;
use crate::error::Result;

/// A combination is new while at most this share of it is predictable,
const NEW: f64 = 0.1;
/// and a function of the earlier coordinates from this share on.
const FUNCTION: f64 = 0.9;
/// What a function of the earlier coordinates loses by that.
const REDUNDANT: f64 = 2.0;
/// By how much others must be better than the original's next coordinate.
const DOUBT: f64 = 0.05;

#[derive(Default)]
pub(super) struct Contest {
    /// What the original's next coordinate leaves untold, if it takes part: it comes first.
    original: Option<f64>,
    /// What loses least, and how much.
    leader: Option<(f64, Choice)>,
}

impl Contest {
    pub(super) fn is_empty(&self) -> bool {
        self.leader.is_none()
    }

    /// The least loss so far.
    pub(super) fn least(&self) -> f64 {
        self.leader.as_ref().map_or(f64::INFINITY, |(loss, _)| *loss)
    }

    /// Enters a combination that leaves `untold`; what is predictable of it is asked for if it matters.
    pub(super) fn enter(
        &mut self,
        untold: f64,
        choice: Choice,
        predictable: impl FnOnce() -> Result<f64>,
    ) -> Result<()> {
        if choice.is_original() {
            self.original = Some(untold);
        }
        let takes_part = self.original.is_none_or(|original| untold <= original);
        let doubt = if choice.is_original() { DOUBT } else { 0.0 };
        if takes_part && untold.ln() - doubt < self.least() {
            let loss = untold.ln() + REDUNDANT * redundancy(predictable()?) - doubt;
            if loss < self.least() {
                self.leader = Some((loss, choice));
            }
        }
        Ok(())
    }

    pub(super) fn winner(self) -> Option<Choice> {
        self.leader.map(|(_, choice)| choice)
    }
}

/// A smooth step from 0, where a coordinate is new, to 1, where it is a function of the earlier ones.
fn redundancy(predictable: f64) -> f64 {
    let x = ((predictable - NEW) / (FUNCTION - NEW)).clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_loses_nothing_and_a_function_all() {
        assert_eq!([0.0, NEW].map(redundancy), [0.0; 2]);
        assert_eq!([FUNCTION, 1.0].map(redundancy), [1.0; 2]);
        assert_eq!(redundancy(0.5 * (NEW + FUNCTION)), 0.5);
    }
}
