//! One thread at a time.
//!
//! MPI is started for threads that take turns, and PETSc knows no threads. A thread that has the turn may take it again: a
//! solver calls back into Rust, which calls MPI.

use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{self, ThreadId};

/// Who has the turn, and how often it was taken.
static HOLDER: Mutex<Option<(ThreadId, usize)>> = Mutex::new(None);
static LEFT: Condvar = Condvar::new();

/// The turn of this thread, until it is dropped.
pub(crate) struct Turn(std::marker::PhantomData<*const ()>);

/// Waits until no other thread has the turn.
pub(crate) fn take() -> Turn {
    let me = thread::current().id();
    let mut holder = HOLDER.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        match &mut *holder {
            Some((other, _)) if *other != me => {
                holder = LEFT.wait(holder).unwrap_or_else(PoisonError::into_inner);
            }
            Some((_, times)) => {
                *times += 1;
                break;
            }
            none => {
                *none = Some((me, 1));
                break;
            }
        }
    }
    Turn(std::marker::PhantomData)
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut holder = HOLDER.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *holder {
            Some((_, times)) if *times > 1 => *times -= 1,
            last => *last = None,
        }
        drop(holder);
        LEFT.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn threads_take_turns_and_one_may_take_it_twice() {
        let inside = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let _outer = take();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        drop(take());
                        thread::yield_now();
                        assert_eq!(inside.fetch_sub(1, Ordering::SeqCst), 1);
                    }
                });
            }
        });
    }
}
