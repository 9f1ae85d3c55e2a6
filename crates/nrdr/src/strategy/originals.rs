//! The original method's eigenpairs, each number of them computed once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::eigen::Pair;
use crate::error::Result;

/// Eigenpairs by how many there are. Fewer are not taken from more: the last digits would depend on who asked first.
#[derive(Debug, Default)]
pub struct Originals {
    known: Mutex<BTreeMap<usize, Found>>,
    /// What those took that were known when they were asked for.
    spared: Mutex<Duration>,
}

#[derive(Clone, Debug)]
struct Found {
    pairs: Arc<Vec<Pair>>,
    time: Duration,
}

impl Originals {
    /// The first `count` pairs; `find` finds them if they are not known.
    pub(super) fn get(
        &self,
        count: usize,
        find: impl FnOnce() -> Result<Vec<Pair>>,
    ) -> Result<Arc<Vec<Pair>>> {
        if let Some(found) = self.found(count) {
            *locked(&self.spared) += found.time;
            return Ok(found.pairs);
        }
        let start = Instant::now();
        let pairs = Arc::new(find()?);
        let found = Found { pairs: pairs.clone(), time: start.elapsed() };
        locked(&self.known).insert(count, found);
        Ok(pairs)
    }

    /// How long it took to find so many.
    pub(crate) fn time(&self, count: usize) -> Duration {
        self.found(count).map_or(Duration::ZERO, |found| found.time)
    }

    /// The time that was spared since this was asked last.
    pub(crate) fn take_spared(&self) -> Duration {
        std::mem::take(&mut *locked(&self.spared))
    }

    fn found(&self, count: usize) -> Option<Found> {
        locked(&self.known).get(&count).cloned()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
