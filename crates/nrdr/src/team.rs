//! Processes that share the rows of one run.
//!
//! Each member of a team runs the same program on its own rows, and whatever all rows contribute to goes through the
//! team: [`Team`] is what an engine on several machines implements. Without a team, a process has all rows.
//!
//! A member that is about to fail must not leave the others waiting: what may fail is told to all by [`agree`].

use std::cell::RefCell;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What a member of a team can ask of all. Every member must ask for the same, in the same order.
pub trait Team: Send + Sync {
    /// The number of this member, counted from 0.
    fn rank(&self) -> usize;

    /// How many members there are.
    fn size(&self) -> usize;

    /// Replaces each entry by its sum over all members; the same bits at all of them.
    fn sum(&self, values: &mut [f64]);

    /// What every member gives, at all of them, in order of their numbers.
    fn gather(&self, mine: Vec<u8>) -> Vec<Vec<u8>>;

    /// Sends `to[r]` to member r; what each of them has sent here, in order of their numbers.
    fn exchange(&self, to: Vec<Vec<u8>>) -> Vec<Vec<u8>>;
}

thread_local! {
    static CURRENT: RefCell<Option<Arc<dyn Team>>> = const { RefCell::new(None) };
}

/// The team that work on this thread is shared with.
pub fn current() -> Option<Arc<dyn Team>> {
    CURRENT.with_borrow(Clone::clone)
}

/// Runs work as a member of a team.
pub fn join<T>(team: Option<Arc<dyn Team>>, work: impl FnOnce() -> T) -> T {
    struct Back(Option<Arc<dyn Team>>);
    impl Drop for Back {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }
    let _back = Back(CURRENT.replace(team));
    work()
}

/// Runs work as each member of a team of so many threads: a team without a network, for tests. What each member came to,
/// in order of their numbers. A member that panics makes all of them panic.
pub fn of_threads<T: Send>(size: usize, work: impl Fn(&dyn Team) -> T + Sync) -> Vec<T> {
    let table = Arc::new(Table::default());
    std::thread::scope(|scope| {
        let run = |rank| {
            let member = Arc::new(Member { rank, size, table: table.clone() });
            let work = &work;
            scope.spawn(move || {
                let leaving = Leaving(member.table.clone());
                let done = join(Some(member.clone()), || work(member.as_ref()));
                std::mem::forget(leaving);
                done
            })
        };
        let members: Vec<_> = (0..size).map(run).collect();
        let done = members.into_iter().map(|member| match member.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        done.collect()
    })
}

/// Where members that are threads lay down what they give, and wait for the others.
#[derive(Default)]
struct Table {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// What each member gave; a row for each of them.
    given: Vec<Option<Vec<Vec<u8>>>>,
    /// How many have taken from it.
    taken: usize,
    /// A member panicked.
    broken: bool,
}

impl Table {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_while(&self, mut wait: impl FnMut(&State) -> bool) -> MutexGuard<'_, State> {
        let condition = |state: &mut State| !state.broken && wait(state);
        let state = self.changed.wait_while(self.state(), condition);
        let state = state.unwrap_or_else(PoisonError::into_inner);
        assert!(!state.broken, "another member of the team panicked");
        state
    }
}

/// Tells the others that a member panicked.
struct Leaving(Arc<Table>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.state().broken = true;
        self.0.changed.notify_all();
    }
}

/// A thread that is a member of a team.
struct Member {
    rank: usize,
    size: usize,
    table: Arc<Table>,
}

impl Member {
    /// Gives, waits for all, and takes.
    fn meet<T>(&self, give: Vec<Vec<u8>>, take: impl FnOnce(&[Option<Vec<Vec<u8>>>]) -> T) -> T {
        // The round before must have ended.
        let mut state = self.table.wait_while(|state| state.taken > 0);
        state.given.resize(self.size, None);
        state.given[self.rank] = Some(give);
        drop(state);
        self.table.changed.notify_all();
        let mut state = self
            .table
            .wait_while(|state| state.taken == 0 && state.given.iter().any(Option::is_none));
        let taken = take(&state.given);
        state.taken += 1;
        if state.taken == self.size {
            state.taken = 0;
            state.given.fill(None);
        }
        drop(state);
        self.table.changed.notify_all();
        taken
    }
}

impl Team for Member {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn sum(&self, values: &mut [f64]) {
        let mine = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        values.fill(0.0);
        for theirs in self.gather(mine) {
            let theirs = theirs.as_chunks::<8>().0;
            for (value, bytes) in values.iter_mut().zip(theirs) {
                *value += f64::from_le_bytes(*bytes);
            }
        }
    }

    fn gather(&self, mine: Vec<u8>) -> Vec<Vec<u8>> {
        self.meet(vec![mine], |given| given.iter().flatten().map(|row| row[0].clone()).collect())
    }

    fn exchange(&self, to: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        self.meet(to, |given| given.iter().flatten().map(|row| row[self.rank].clone()).collect())
    }
}

/// What a member came to, or why some member failed: no member goes on alone.
///
/// The first failure, by number of member, is everybody's; the member that had it keeps its own.
pub fn agree<T, E>(
    team: &dyn Team,
    mine: Result<T, E>,
    tell: impl Fn(&E) -> String,
    told: impl Fn(usize, String) -> E,
) -> Result<T, E> {
    let text = mine.as_ref().err().map_or(Vec::new(), |error| {
        let mut text = tell(error).into_bytes();
        text.insert(0, 1);
        text
    });
    let all = team.gather(text);
    let Some(first) = all.iter().position(|text| !text.is_empty()) else { return mine };
    match mine {
        Err(error) if first == team.rank() => Err(error),
        _ => Err(told(first, String::from_utf8_lossy(&all[first][1..]).into_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_meet_round_after_round() {
        let seen = of_threads(3, |team| {
            let me = team.rank();
            let mut sums = Vec::new();
            for round in 0..50 {
                let mut values = [me as f64, round as f64];
                team.sum(&mut values);
                sums.push(values);
                let to = (0..3).map(|r| vec![me as u8, r]).collect();
                let got = team.exchange(to);
                let wanted: Vec<_> = (0..3).map(|r| vec![r, me as u8]).collect();
                assert_eq!(got, wanted);
            }
            assert_eq!(team.gather(vec![me as u8; me]), [vec![], vec![1], vec![2, 2]]);
            sums
        });
        for sums in &seen {
            let wanted: Vec<_> = (0..50).map(|round| [3.0, 3.0 * round as f64]).collect();
            assert_eq!(*sums, wanted);
        }
        assert!(current().is_none());
    }

    #[test]
    fn a_failure_is_everybodys() {
        let seen = of_threads(3, |team| {
            let mine = if team.rank() == 1 { Err("full".to_string()) } else { Ok(team.rank()) };
            agree(team, mine, String::clone, |rank, text| format!("{rank}: {text}"))
        });
        let told = Err("1: full".to_string());
        assert_eq!(seen, [told.clone(), Err("full".to_string()), told]);
    }

    #[test]
    #[should_panic(expected = "panicked")]
    fn a_panic_is_everybodys() {
        of_threads(2, |team| {
            assert!(team.rank() == 0, "a member that panicked");
            team.gather(Vec::new());
        });
    }
}
