//! The original method's eigenpairs, each number of them computed once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::checkpoint::Kept;
use crate::eigen::Pair;
use crate::error::Result;

/// Eigenpairs by how many there are. Fewer are not taken from more: the last digits would depend on who asked first.
#[derive(Debug, Default)]
pub struct Originals {
    known: Mutex<BTreeMap<usize, Found>>,
    /// What those took that were known when they were asked for.
    spared: Mutex<Duration>,
}

/// Eigenpairs, and how long it took to find them.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) pairs: Arc<Vec<Pair>>,
    pub(super) time: Duration,
}

impl Originals {
    /// The first `count` pairs of a problem of this size; `find` finds them if they are neither known nor kept.
    pub(super) fn get(
        &self,
        count: usize,
        size: usize,
        kept: Kept<'_>,
        find: impl FnOnce() -> Result<Vec<Pair>>,
    ) -> Result<Arc<Vec<Pair>>> {
        if let Some(found) = self.found(count) {
            *locked(&self.spared) += found.time;
            return Ok(found.pairs);
        }
        let fits = |found: &Found| {
            found.pairs.len() == count && found.pairs.iter().all(|pair| pair.vector.len() == size)
        };
        let found = kept.or_made(&format!("{count} original eigenvectors"), fits, || {
            let start = Instant::now();
            let pairs = Arc::new(find()?);
            Ok(Found { pairs, time: start.elapsed() })
        })?;
        let pairs = found.pairs.clone();
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
