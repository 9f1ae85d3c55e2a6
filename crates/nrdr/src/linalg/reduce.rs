//! Sums over the rows of all points.
//!
//! Every number that all rows contribute to is made here. In one process these are plain sums. Where the rows are shared
//! by a [team](crate::team), each member calls these with what its own rows come to, and gets what all rows come to: the
//! same bits at all members. `docs/architecture.md` lists where they are used. Sums over the columns of a point, or over
//! coordinates, are not sums over rows.
//!
//! The threads of a pool belong to no team: nothing here may be called from inside parallel work.

use std::sync::Arc;

use bytemuck::{cast_slice, pod_collect_to_vec};
use faer::Mat;

use super::vector;
use crate::error::{Error, Result};
use crate::team::{self, Team, agree as agree_on};

/// The team that the rows are shared with. One member has all rows, as no team has.
fn shared() -> Option<Arc<dyn Team>> {
    team::current().filter(|team| team.size() > 1)
}

/// Whether there are rows elsewhere.
pub(crate) fn is_shared() -> bool {
    shared().is_some()
}

/// Runs work on rows that every member has all of: what it sums is complete already.
pub(crate) fn alone<T>(work: impl FnOnce() -> T) -> T {
    team::join(None, work)
}

/// The sum over all processes of what this one's rows sum to.
pub(crate) fn sum(of_rows: f64) -> f64 {
    let Some(team) = shared() else { return of_rows };
    let mut sum = [of_rows];
    team.sum(&mut sum);
    sum[0]
}

/// The same for each entry of a small matrix, such as A'B of tall ones.
pub(crate) fn sum_each(of_rows: Mat<f64>) -> Mat<f64> {
    let Some(team) = shared() else { return of_rows };
    let (rows, columns) = (of_rows.nrows(), of_rows.ncols());
    let mut sums: Vec<f64> = of_rows.col_iter().flat_map(|c| c.iter().copied()).collect();
    team.sum(&mut sums);
    Mat::from_fn(rows, columns, |i, j| sums[i + j * rows])
}

/// The same for each of several numbers.
pub(crate) fn sum_all(mut of_rows: Vec<f64>) -> Vec<f64> {
    if let Some(team) = shared() {
        team.sum(&mut of_rows);
    }
    of_rows
}

/// Of each process's value of largest magnitude the one that is largest among all; of equals the first.
pub(crate) fn largest(of_rows: f64) -> f64 {
    let Some(team) = shared() else { return of_rows };
    let larger = |m: f64, v: f64| if v.abs() > m.abs() { v } else { m };
    numbers(team.as_ref(), &[of_rows]).into_iter().flatten().fold(0.0, larger)
}

/// Whether it is so at all processes.
pub(crate) fn all(here: bool) -> bool {
    sum(f64::from(u8::from(!here))) == 0.0
}

/// The number of this process among all.
pub(crate) fn member() -> usize {
    shared().map_or(0, |team| team.rank())
}

/// How many rows there are in all.
pub(crate) fn count(rows: usize) -> usize {
    // Whole numbers of this size are sums without rounding.
    sum(rows as f64) as usize
}

/// What each process gives, in the order of their rows.
pub(crate) fn each(mine: &[f64]) -> Vec<Vec<f64>> {
    match shared() {
        Some(team) => numbers(team.as_ref(), mine),
        None => vec![mine.to_vec()],
    }
}

/// The numbers that every process has chosen, at all of them.
pub(crate) fn gather(chosen: Vec<u32>) -> Vec<u32> {
    let Some(team) = shared() else { return chosen };
    let all = team.gather(cast_slice(&chosen).to_vec());
    all.iter().flat_map(|bytes| pod_collect_to_vec::<u8, u32>(bytes)).collect()
}

/// Sends numbers to each process; what each of them has sent here.
pub(crate) fn exchange(to: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let Some(team) = shared() else { return to };
    let to = to.iter().map(|numbers| cast_slice(numbers).to_vec()).collect();
    team.exchange(to).iter().map(|bytes| pod_collect_to_vec(bytes)).collect()
}

/// The numbers of all processes at the first one, in the order of their rows; none at the others.
pub(crate) fn to_first(mine: Vec<f64>) -> Vec<f64> {
    let Some(team) = shared() else { return mine };
    let mut to = vec![Vec::new(); team.size()];
    to[0] = mine;
    exchange(to).concat()
}

/// What a process came to, or why some process failed: the same kind of failure at all of them.
pub(crate) fn agree<T>(mine: Result<T>) -> Result<T> {
    match shared() {
        Some(team) => agree_on(team.as_ref(), mine, Error::to_others, Error::of_other),
        None => mine,
    }
}

/// The same for numbers that each process has reasons of its own to choose: those of the first one.
pub(crate) fn of_first(mine: Vec<f64>) -> Vec<f64> {
    let Some(team) = shared() else { return mine };
    let mine = if team.rank() == 0 { mine } else { Vec::new() };
    numbers(team.as_ref(), &mine).swap_remove(0)
}

fn numbers(team: &dyn Team, mine: &[f64]) -> Vec<Vec<f64>> {
    let all = team.gather(cast_slice(mine).to_vec());
    all.iter().map(|bytes| pod_collect_to_vec(bytes)).collect()
}

/// Inner product of two vectors with an entry for each row.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    sum(vector::dot(a, b))
}

/// Euclidean norm of a vector with an entry for each row.
pub(crate) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// Which of all rows each process has: ranges, one after another.
#[derive(Clone, Debug)]
pub(crate) struct Share {
    starts: Vec<usize>,
    member: usize,
}

impl Share {
    /// That of processes of which this one has so many rows.
    pub(crate) fn new(rows: usize) -> Self {
        let member = member();
        let mut starts = vec![0];
        for theirs in each(&[rows as f64]) {
            starts.push(starts[starts.len() - 1] + theirs[0] as usize);
        }
        Share { starts, member }
    }

    /// The number of this process.
    pub(crate) fn member(&self) -> usize {
        self.member
    }

    /// The number of this process's first row among all.
    pub(crate) fn first(&self) -> usize {
        self.starts[self.member]
    }

    /// How many rows there are in all.
    pub(crate) fn total(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// The most rows that a process has.
    pub(crate) fn most(&self) -> usize {
        self.starts.windows(2).map(|range| range[1] - range[0]).max().unwrap_or(0)
    }

    /// Where this process has a row, if it does.
    pub(crate) fn place(&self, row: usize) -> Option<usize> {
        let range = self.starts[self.member]..self.starts[self.member + 1];
        range.contains(&row).then(|| row - range.start)
    }

    /// `width` numbers of each of some rows, one row after another, at all processes: `fill` adds those of a row that is
    /// here, by its place.
    pub(crate) fn at(
        &self,
        rows: impl Iterator<Item = usize> + Clone,
        width: usize,
        mut fill: impl FnMut(usize, &mut Vec<f64>),
    ) -> Vec<f64> {
        let mut mine = Vec::new();
        rows.clone().filter_map(|row| self.place(row)).for_each(|place| fill(place, &mut mine));
        if self.starts.len() == 2 {
            return mine;
        }
        let given = each(&mine);
        let chunks = |numbers| <[f64]>::chunks_exact(numbers, width.max(1));
        let mut taken: Vec<_> = given.iter().map(|numbers| chunks(numbers)).collect();
        let owner = |row: usize| self.starts.partition_point(|&start| start <= row) - 1;
        rows.filter_map(|row| taken[owner(row)].next()).flatten().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::team::of_threads;

    /// Ten rows, cut unevenly; some members have none.
    const CUTS: [usize; 6] = [0, 0, 4, 4, 9, 10];

    #[test]
    fn members_see_what_one_process_sees() {
        let values: Vec<f64> = (0..10).map(|i| f64::from(i * 7 % 10) - 5.0).collect();
        let seen = of_threads(5, |team| {
            let own = &values[CUTS[team.rank()]..CUTS[team.rank() + 1]];
            let larger = |m: f64, v: f64| if v.abs() > m.abs() { v } else { m };
            let share = Share::new(own.len());
            let rows = [8, 0, 3, 9, 3];
            let at = share.at(rows.into_iter(), 2, |place, numbers| {
                numbers.extend([own[place], (share.first() + place) as f64]);
            });
            let row = vec![own.len() as u32; team.rank()];
            let largest = largest(own.iter().copied().fold(0.0, larger));
            assert!(all(true) && !all(team.rank() != 3));
            assert_eq!(alone(|| sum(own.len() as f64)), own.len() as f64);
            assert_eq!(of_first(vec![own.len() as f64]), [0.0]);
            (dot(own, own), largest, count(own.len()), share.total(), share.most(), at, gather(row))
        });
        let at = rows_of(&values, &[8, 0, 3, 9, 3]);
        let squares = values.iter().map(|v| v * v).sum::<f64>();
        let gathered = vec![4, 0, 0, 5, 5, 5, 1, 1, 1, 1];
        for seen in seen {
            assert_eq!(seen, (squares, -5.0, 10, 10, 5, at.clone(), gathered.clone()));
        }
        assert_eq!((sum(-0.0).to_bits(), count(3)), ((-0.0_f64).to_bits(), 3));
    }

    fn rows_of(values: &[f64], rows: &[usize]) -> Vec<f64> {
        rows.iter().flat_map(|&row| [values[row], row as f64]).collect()
    }

    #[test]
    fn a_failure_has_its_numbers_everywhere() {
        let missed = Error::NotConverged {
            coordinate: 2,
            residual: 0.1 + 0.2,
            tolerance: 1e-8,
            iterations: 5000,
        };
        let seen = of_threads(3, |team| {
            agree(if team.rank() == 1 { Err(missed.clone()) } else { Ok(()) })
        });
        assert_eq!(seen, vec![Err(missed); 3]);
        let seen =
            of_threads(2, |team| agree(if team.rank() == 0 { Err(Error::Empty) } else { Ok(()) }));
        let reason = Error::Empty.to_string();
        assert_eq!(seen, [Err(Error::Empty), Err(Error::Member { member: 0, reason })]);
    }
}
