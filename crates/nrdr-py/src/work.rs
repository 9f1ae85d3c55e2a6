//! Work beside the interpreter: other Python threads go on, Ctrl-C stops it, progress is told.
//!
//! The work runs in a thread and a pool of its own. Python's signals are looked at by the thread that called, since
//! only the main thread may. A pool for each call, instead of one for all, also survives a fork.

use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use nrdr::{Error, Observer, Stage};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::failure::Failure;

/// How often signals are looked at and progress is told.
const PAUSE: Duration = Duration::from_millis(100);
/// How long a stopped computation is waited for. What takes longer ends by itself, unheard.
const PATIENCE: Duration = Duration::from_millis(400);

/// What the work and the thread that called tell each other.
#[derive(Default)]
pub(crate) struct Link {
    stopped: AtomicBool,
    at: Mutex<Option<(Stage, f64)>>,
}

impl Observer for Link {
    fn update(&self, stage: Stage, fraction: f64) -> ControlFlow<()> {
        if let Ok(mut at) = self.at.lock() {
            *at = Some((stage, fraction));
        }
        if self.stopped.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Does `work` on so many threads, all cores if `None`. `progress` is called with the stage and the fraction done.
pub(crate) fn work<T: Send + 'static>(
    py: Python<'_>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&Link) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let link = Arc::new(Link::default());
    let (sender, mut receiver) = channel();
    let theirs = Arc::clone(&link);
    let worker = move || {
        let result = in_pool(threads, || work(&theirs));
        // Nobody listens any more after an interruption.
        let _ = sender.send(result);
    };
    thread::Builder::new()
        .spawn(worker)
        .map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
    loop {
        match wait(py, &mut receiver, PAUSE) {
            Ok(result) => return Ok(result?),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the computation has gone"));
            }
        }
        let looked = py.check_signals().and_then(|()| tell(py, &link, progress.as_ref()));
        if let Err(interruption) = looked {
            link.stopped.store(true, Ordering::Relaxed);
            let _ = wait(py, &mut receiver, PATIENCE);
            return Err(interruption);
        }
    }
}

/// Waits while other Python threads go on.
fn wait<T: Send>(
    py: Python<'_>,
    receiver: &mut Receiver<T>,
    time: Duration,
) -> Result<T, RecvTimeoutError> {
    py.detach(move || receiver.recv_timeout(time))
}

fn tell(py: Python<'_>, link: &Link, progress: Option<&Py<PyAny>>) -> PyResult<()> {
    let Some(progress) = progress else { return Ok(()) };
    let at = link.at.lock().ok().and_then(|at| *at);
    match at {
        Some((stage, fraction)) => progress.call1(py, (stage.to_string(), fraction)).map(|_| ()),
        None => Ok(()),
    }
}

fn in_pool<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    let pool = pool.map_err(|error| {
        let (threads, reason) = (threads.unwrap_or(0), error.to_string());
        Failure::Library(Error::Threads { threads, reason })
    })?;
    let result = catch_unwind(AssertUnwindSafe(|| pool.install(work)));
    result.unwrap_or_else(|panic| Err(Failure::Panic(words_of(&*panic))))
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
