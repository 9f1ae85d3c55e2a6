//! Bytes that this rank has sent, by stage.

use std::sync::{Mutex, PoisonError};

/// The stages in the order in which they were first met, and what each has sent.
pub(crate) struct Traffic(Mutex<State>);

struct State {
    stages: Vec<(String, u64)>,
    current: usize,
    /// What PETSc had sent when it was last looked at.
    petsc: u64,
}

impl Traffic {
    pub(crate) fn new() -> Self {
        let stages = vec![("start".to_string(), 0)];
        Traffic(Mutex::new(State { stages, current: 0, petsc: 0 }))
    }

    /// What is sent from now on belongs to this stage; `petsc` bytes were sent by PETSc so far.
    pub(crate) fn begin(&self, stage: &str, petsc: u64) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.take_over(petsc);
        let known = state.stages.iter().position(|(name, _)| name == stage);
        state.current = known.unwrap_or_else(|| {
            state.stages.push((stage.to_string(), 0));
            state.stages.len() - 1
        });
    }

    /// So many bytes more were sent.
    pub(crate) fn add(&self, bytes: usize) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let current = state.current;
        state.stages[current].1 += bytes as u64;
    }

    /// All stages that have sent anything.
    pub(crate) fn sent(&self, petsc: u64) -> Vec<(String, u64)> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.take_over(petsc);
        state.stages.iter().filter(|(_, bytes)| *bytes > 0).cloned().collect()
    }
}

impl State {
    /// What PETSc has sent since it was last looked at belongs to the current stage.
    fn take_over(&mut self, petsc: u64) {
        let current = self.current;
        self.stages[current].1 += petsc.saturating_sub(self.petsc);
        self.petsc = petsc;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_belong_to_the_stage_that_sent_them() {
        let traffic = Traffic::new();
        traffic.begin("neighbors", 0);
        traffic.add(100);
        traffic.begin("solve", 7);
        traffic.add(10);
        traffic.begin("neighbors", 50);
        traffic.add(1);
        let wanted = [("neighbors".to_string(), 108), ("solve".to_string(), 53)];
        assert_eq!(traffic.sent(50), wanted);
    }
}
