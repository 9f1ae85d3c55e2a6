//! From rows of the input to those of the working order.

use nrdr::team::Team;

use super::{Entry, List};
use crate::neighbors::SharedLists;
use crate::partition::Partition;
use crate::wire::exchange;

/// Where each row of the input is worked on: told by the member that would have it if all had equal shares.
pub(super) struct Owners {
    share: u64,
    /// The rows of the working order of the input rows of the own share.
    rows: Vec<u64>,
    starts: Vec<u64>,
}

impl Owners {
    pub(super) fn new(team: &dyn Team, made: &Partition) -> Self {
        let share = made.rows.total().div_ceil(team.size() as u64).max(1);
        let mut to: Vec<Vec<[u64; 2]>> = vec![Vec::new(); team.size()];
        let first = made.rows.of(team.rank()).start;
        for (&input, row) in made.inputs.iter().zip(first..) {
            to[(input / share) as usize].push([input, row]);
        }
        let mut pairs: Vec<[u64; 2]> = exchange(team, to).concat();
        pairs.sort_unstable();
        let rows = pairs.iter().map(|pair| pair[1]).collect();
        Owners { share, rows, starts: made.rows.starts.clone() }
    }

    /// Who knows where an input row is.
    pub(super) fn reader(&self, input: u64) -> usize {
        (input / self.share) as usize
    }

    fn row(&self, input: u64) -> u64 {
        self.rows[(input % self.share) as usize]
    }

    /// Sends entries on to those who work on their points.
    pub(super) fn forward(&self, team: &dyn Team, to: Vec<Vec<[u64; 3]>>) -> Vec<Entry> {
        let mut on: Vec<Vec<[u64; 3]>> = vec![Vec::new(); team.size()];
        for entry in exchange(team, to).into_iter().flatten() {
            let row = self.row(entry[0]);
            on[self.starts.partition_point(|&start| start <= row) - 1].push(entry);
        }
        let entries = exchange(team, on).into_iter().flatten();
        entries.map(|[i, j, distance]| (i, j, f64::from_bits(distance))).collect()
    }

    /// The lists in the order of the own rows, with rows of the working order.
    pub(super) fn in_working_order(
        &self,
        team: &dyn Team,
        made: &Partition,
        lists: Vec<List>,
    ) -> SharedLists {
        let mut needed: Vec<u64> =
            lists.iter().flat_map(|(_, list)| list).map(|&(j, _)| j).collect();
        needed.sort_unstable();
        needed.dedup();
        let mut asked: Vec<Vec<u64>> = vec![Vec::new(); team.size()];
        needed.iter().for_each(|&input| asked[self.reader(input)].push(input));
        let answers = exchange(team, asked).into_iter();
        let answers = answers.map(|inputs| inputs.iter().map(|&input| self.row(input)).collect());
        let rows: Vec<u64> = exchange(team, answers.collect()).concat();
        let row = |input: u64| rows[needed.partition_point(|&other| other < input)];
        let mut shared =
            SharedLists { offsets: vec![0], indices: Vec::new(), distances: Vec::new() };
        for &input in &made.inputs {
            let list = &lists[lists.partition_point(|list| list.0 < input)].1;
            shared.indices.extend(list.iter().map(|&(j, _)| row(j)));
            shared.distances.extend(list.iter().map(|&(_, distance)| distance));
            shared.offsets.push(shared.indices.len());
        }
        shared
    }
}
