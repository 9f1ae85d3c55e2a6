//! The ranks of a run as a team.

use std::sync::Arc;

use nrdr::team::Team;
use nrdr_slepc_sys::World;

/// This rank among the others.
#[derive(Clone)]
pub struct Member(pub Arc<World>);

impl Team for Member {
    fn rank(&self) -> usize {
        self.0.rank()
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn sum(&self, values: &mut [f64]) {
        self.0.sum(values);
    }

    fn gather(&self, mine: Vec<u8>) -> Vec<Vec<u8>> {
        self.0.gather(mine)
    }

    fn exchange(&self, to: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        self.0.exchange(to)
    }
}
