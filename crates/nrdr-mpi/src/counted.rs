//! What members send and how long they take, stage by stage.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nrdr::team::Team;

/// What a stage took of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The stage.
    pub stage: &'static str,
    /// How long it took.
    pub time: Duration,
    /// Bytes that this member sent to others.
    pub sent: u64,
}

/// A team that counts the bytes that this member sends.
pub struct Counted<'t> {
    team: &'t dyn Team,
    state: Mutex<(Vec<Cost>, Instant)>,
}

impl<'t> Counted<'t> {
    /// Counts what goes through a team.
    pub fn new(team: &'t dyn Team) -> Self {
        Counted { team, state: Mutex::new((Vec::new(), Instant::now())) }
    }

    /// From here on it is about this stage.
    pub fn stage(&self, stage: &'static str) {
        let mut state = self.state();
        end(&mut state);
        state.0.push(Cost { stage, time: Duration::ZERO, sent: 0 });
    }

    /// What the stages took.
    pub fn costs(&self) -> Vec<Cost> {
        let mut state = self.state();
        end(&mut state);
        state.0.clone()
    }

    fn state(&self) -> MutexGuard<'_, (Vec<Cost>, Instant)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, bytes: usize) {
        if let Some(cost) = self.state().0.last_mut() {
            cost.sent += bytes as u64;
        }
    }
}

/// Gives the last stage the time that has passed.
fn end(state: &mut (Vec<Cost>, Instant)) {
    let now = Instant::now();
    let passed = now.duration_since(std::mem::replace(&mut state.1, now));
    if let Some(cost) = state.0.last_mut() {
        cost.time += passed;
    }
}

impl Team for Counted<'_> {
    fn rank(&self) -> usize {
        self.team.rank()
    }

    fn size(&self) -> usize {
        self.team.size()
    }

    fn sum(&self, values: &mut [f64]) {
        // As if each member sent its numbers once: how a sum travels is the network's.
        self.count(if self.size() > 1 { size_of_val(values) } else { 0 });
        self.team.sum(values);
    }

    fn gather(&self, mine: Vec<u8>) -> Vec<Vec<u8>> {
        self.count(mine.len() * (self.size() - 1));
        self.team.gather(mine)
    }

    fn exchange(&self, to: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let own = to.get(self.rank()).map_or(0, Vec::len);
        self.count(to.iter().map(Vec::len).sum::<usize>() - own);
        self.team.exchange(to)
    }
}

#[cfg(test)]
mod tests {
    use nrdr::team::of_threads;

    use super::*;

    #[test]
    fn what_goes_to_others_is_counted_by_stage() {
        let costs = of_threads(3, |team| {
            let counted = Counted::new(team);
            counted.stage("one");
            let to = (0..3).map(|r| vec![7; 10 * (r + 1)]).collect();
            counted.exchange(to);
            counted.stage("two");
            counted.gather(vec![1; 5]);
            counted.sum(&mut [1.0, 2.0]);
            counted.costs().iter().map(|cost| (cost.stage, cost.sent)).collect::<Vec<_>>()
        });
        for (rank, cost) in costs.iter().enumerate() {
            assert_eq!(*cost, [("one", 60 - 10 * (rank as u64 + 1)), ("two", 26)]);
        }
    }
}
