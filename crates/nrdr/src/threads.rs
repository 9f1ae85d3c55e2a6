//! A pool of threads for a piece of work.

use crate::error::{Error, Result};
use crate::team;

/// More threads than this cannot be meant.
const MOST_THREADS: usize = 1024;

/// Runs work on so many threads of its own, or on those around.
///
/// ```
/// let sum = nrdr::with_threads(Some(2), || Ok((1..=10).sum::<u32>()))?;
/// assert_eq!(sum, 55);
/// # Ok::<(), nrdr::Error>(())
/// ```
pub fn with_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> Result<T> + Send,
) -> Result<T> {
    check_threads(threads)?;
    let Some(threads) = threads else { return work() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Error::Threads { threads, reason: error.to_string() })?;
    let team = team::current();
    pool.install(|| team::join(team, work))
}

/// Starts the threads that work shares which has none of its own.
///
/// They would start by themselves with the first work that needs them, but panic where the system refuses them: a program calls
/// this once, at its beginning.
pub fn start_threads() -> Result<()> {
    start_threads_of(None)
}

/// The same with so many threads: for a program whose work must stay on the thread that it began on.
pub fn start_threads_of(threads: Option<usize>) -> Result<()> {
    check_threads(threads)?;
    let there = std::thread::available_parallelism().map_or(1, usize::from);
    let started = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build_global();
    let threads = threads.unwrap_or(there);
    started.map_err(|error| Error::Threads { threads, reason: error.to_string() })
}

/// Refuses a number of threads that cannot be meant.
pub(crate) fn check_threads(threads: Option<usize>) -> Result<()> {
    match threads.filter(|threads| !(1..=MOST_THREADS).contains(threads)) {
        Some(threads) => Err(Error::parameter("threads", threads, "from 1 to 1024")),
        None => Ok(()),
    }
}
