//! Which combination becomes the coordinate.
//!
//! With u what the embedding leaves untold of the original eigenfunctions (`told.rs`) and p the share of the combination's variance
//! that a regression on the earlier coordinates predicts, log u + p is lost. Only those that leave clearly less untold than the
//! original's next coordinate take part; where there are none, what leaves least untold is taken, be it predictable or not.

use super::search::Choice;
use crate::error::Result;

/// Clearly less untold than by the original's is at most this share of that.
const CLEARLY: f64 = 0.95;
/// What a combination that is entirely predictable loses by that.
const PREDICTABLE: f64 = 1.0;

#[derive(Default)]
pub(super) struct Contest {
    /// What the original's next coordinate leaves untold, if it takes part: it comes first.
    original: Option<f64>,
    /// What leaves least untold.
    most_telling: Option<(f64, Choice)>,
    /// What loses least of those that pay.
    leader: Option<(f64, Choice)>,
    /// The least loss so far, or what is untold where nothing pays.
    pub(super) least: f64,
}

impl Contest {
    pub(super) fn is_empty(&self) -> bool {
        self.most_telling.is_none()
    }

    /// Enters a combination that leaves `untold`; what is predictable of it is asked for if it matters.
    pub(super) fn enter(
        &mut self,
        untold: f64,
        choice: Choice,
        predictable: impl FnOnce(&Choice) -> Result<f64>,
    ) -> Result<()> {
        if choice.is_original() {
            self.original = Some(untold);
        }
        let pays = self.original.is_none_or(|original| untold <= CLEARLY * original);
        let least = self.leader.as_ref().map_or(f64::INFINITY, |(least, _)| *least);
        if pays && untold.ln() < least {
            let loss = untold.ln() + PREDICTABLE * predictable(&choice)?;
            if loss < least {
                self.leader = Some((loss, choice.clone()));
            }
        }
        if self.most_telling.as_ref().is_none_or(|(least, _)| untold < *least) {
            self.most_telling = Some((untold, choice));
        }
        let told = self.most_telling.as_ref().map_or(0.0, |(untold, _)| *untold);
        self.least = self.leader.as_ref().map_or(told.ln(), |(loss, _)| *loss);
        Ok(())
    }

    pub(super) fn winner(self) -> Option<Choice> {
        self.leader.or(self.most_telling).map(|(_, choice)| choice)
    }
}
