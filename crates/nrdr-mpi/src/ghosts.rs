//! Rows of others that a member needs: who has them is found out once, then their values are fetched.

use bytemuck::Pod;
use nrdr::team::Team;

use crate::shared::Rows;
use crate::wire::exchange;

/// Own rows and those of others that are needed, in the order of their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Ghosts {
    /// The first own row, and how many there are.
    first: u64,
    own: usize,
    /// Rows of others, ascending,
    wanted: Vec<u64>,
    /// of which so many come before the own rows.
    before: usize,
    /// Own rows, counted from the first, that each member needs.
    given: Vec<Vec<u32>>,
}

impl Ghosts {
    /// Finds out for rows that may be own, and may come several times.
    pub(crate) fn new(team: &dyn Team, rows: &Rows, needed: impl IntoIterator<Item = u64>) -> Self {
        let of = rows.of(team.rank());
        let mut wanted: Vec<u64> = Vec::new();
        for row in needed {
            if !of.contains(&row) {
                wanted.push(row);
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        let asked: Vec<Vec<u64>> = (0..team.size())
            .map(|member| {
                let theirs = rows.of(member);
                let from = wanted.partition_point(|&row| row < theirs.start);
                let to = wanted.partition_point(|&row| row < theirs.end);
                wanted[from..to].to_vec()
            })
            .collect();
        let place = |row: u64| (row - of.start) as u32;
        let given = exchange(team, asked);
        let given = given.into_iter().map(|rows| rows.into_iter().map(place).collect()).collect();
        let before = wanted.partition_point(|&row| row < of.start);
        Ghosts { first: of.start, own: (of.end - of.start) as usize, wanted, before, given }
    }

    /// Where the own rows are among all.
    pub(crate) fn own(&self) -> std::ops::Range<usize> {
        self.before..self.before + self.own
    }

    /// Where a row is among all.
    pub(crate) fn place(&self, row: u64) -> Option<usize> {
        if row >= self.first && row < self.first + self.own as u64 {
            return Some(self.before + (row - self.first) as usize);
        }
        let at = self.wanted.binary_search(&row).ok()?;
        Some(if at < self.before { at } else { at + self.own })
    }

    /// The row at a place.
    pub(crate) fn row(&self, place: usize) -> u64 {
        match place {
            place if place < self.before => self.wanted[place],
            place if place < self.before + self.own => self.first + (place - self.before) as u64,
            place => self.wanted[place - self.own],
        }
    }

    /// The own rows that others need, counted from the first; a row may come several times.
    pub(crate) fn given(&self) -> impl Iterator<Item = usize> {
        self.given.iter().flatten().map(|&row| row as usize)
    }

    /// The values of others' rows, so many each, after those of the own.
    pub(crate) fn fetch<T: Pod>(&self, team: &dyn Team, own: &[T], width: usize) -> Vec<T> {
        let values = |rows: &Vec<u32>| {
            rows.iter().flat_map(|&row| &own[row as usize * width..][..width]).copied().collect()
        };
        let sent = self.given.iter().map(values).collect();
        exchange(team, sent).into_iter().flatten().collect()
    }

    /// The values of all rows, own and others', so many each, in the order of the rows.
    pub(crate) fn with_own<T: Pod>(&self, team: &dyn Team, own: &[T], width: usize) -> Vec<T> {
        let others = self.fetch(team, own, width);
        let (before, after) = others.split_at(self.before * width);
        [before, own, after].concat()
    }
}

#[cfg(test)]
mod tests {
    use nrdr::team::of_threads;

    use super::*;

    #[test]
    fn values_come_from_their_owners() {
        for size in 1..5 {
            of_threads(size, |team| {
                let rank = team.rank();
                // The last member has no rows.
                let count = if size > 1 && rank + 1 == size { 0 } else { 3 };
                let rows = Rows::of_counts(team, count);
                let needed = (0..rows.total()).filter(|row| row % (rank as u64 + 2) != 1);
                let ghosts = Ghosts::new(team, &rows, needed.clone().chain(needed.clone()));
                let own: Vec<f64> =
                    rows.of(rank).flat_map(|row| [row as f64, 10.0 * row as f64]).collect();
                let all = ghosts.with_own(team, &own, 2);
                assert!(all.len() >= 2 * count);
                for (place, values) in all.chunks_exact(2).enumerate() {
                    let row = ghosts.row(place);
                    assert_eq!(values, [row as f64, 10.0 * row as f64]);
                    assert_eq!(ghosts.place(row), Some(place));
                    assert_eq!(rows.of(rank).contains(&row), ghosts.own().contains(&place));
                }
                assert!(needed.clone().all(|row| ghosts.place(row).is_some()));
                assert_eq!(ghosts.place(rows.total()), None);
            });
        }
    }
}
