//! Rows that are spread over members, and a member's points.

use std::ops::Range;

use nrdr::Points;
use nrdr::team::Team;

use crate::wire::gather;

/// Which rows which member has: each a range of the numbers of all rows, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// `starts[r]..starts[r + 1]` are the rows of member r.
    pub starts: Vec<u64>,
}

impl Rows {
    /// So many rows of each member, of which this one has `own`.
    pub fn of_counts(team: &dyn Team, own: usize) -> Self {
        let mut starts = vec![0];
        let mut end = 0;
        starts.extend(gather(team, &[own as u64]).into_iter().flatten().map(|count| {
            end += count;
            end
        }));
        Rows { starts }
    }

    /// How many rows there are in all.
    pub fn total(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// The rows of a member.
    pub fn of(&self, member: usize) -> Range<u64> {
        self.starts[member]..self.starts[member + 1]
    }

    /// How many rows a member has.
    pub fn count(&self, member: usize) -> usize {
        let of = self.of(member);
        (of.end - of.start) as usize
    }

    /// Who has a row.
    pub fn owner(&self, row: u64) -> usize {
        self.starts.partition_point(|&start| start <= row) - 1
    }
}

/// The points of a member: there may be none.
#[derive(Clone, Debug)]
pub struct Own {
    /// The points, if there are any.
    pub points: Option<Points>,
    /// Numbers of a point.
    pub columns: usize,
}

impl Own {
    /// Rows of so many columns, one after another.
    pub fn new(values: Vec<f64>, columns: usize) -> nrdr::Result<Self> {
        let points = if values.is_empty() { None } else { Some(Points::new(values, columns)?) };
        Ok(Own { points, columns })
    }

    /// How many there are.
    pub fn rows(&self) -> usize {
        self.points.as_ref().map_or(0, Points::rows)
    }

    /// A point.
    pub fn row(&self, i: usize) -> &[f64] {
        self.points.as_ref().map_or(&[], |points| points.row(i))
    }

    /// All values, row after row.
    pub fn values(&self) -> &[f64] {
        self.points.as_ref().map_or(&[], Points::values)
    }

    /// The points at some places.
    pub fn select(&self, places: &[u32]) -> Own {
        let points = self.points.as_ref().filter(|_| !places.is_empty());
        Own { points: points.map(|points| points.select(places)), columns: self.columns }
    }
}

#[cfg(test)]
mod tests {
    use nrdr::team::of_threads;

    use super::*;

    #[test]
    fn a_row_has_one_owner_though_members_may_have_none() {
        let rows = of_threads(4, |team| Rows::of_counts(team, [0, 3, 0, 2][team.rank()]));
        for rows in rows {
            assert_eq!(rows.starts, [0, 0, 3, 3, 5]);
            let owners: Vec<usize> = (0..5).map(|row| rows.owner(row)).collect();
            assert_eq!(owners, [1, 1, 1, 3, 3]);
            assert_eq!((rows.total(), rows.of(3), rows.count(0)), (5, 3..5, 0));
        }
    }
}
