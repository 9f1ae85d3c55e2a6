//! Rows that go where they are written: each part of the output is filled by one member.

use nrdr::team::Team;

use crate::manifest::Filled;
use crate::parts::Parts;
use crate::together::{bytes_of, even, numbers_of};

/// Who writes a part: the member that reads its first row, so that the rows are spread as evenly as they can be.
pub(crate) fn writer(team: &dyn Team, parts: &Parts, part: usize) -> usize {
    let starts = even(parts.rows(), team.size());
    let member = starts.partition_point(|start| *start <= parts.starts[part]);
    member.saturating_sub(1).min(team.size() - 1)
}

/// Sends rows of values to the members that write them, whoever has them; what this one is to write. Rows that nobody sends are
/// NaN.
pub(crate) fn filled(
    team: &dyn Team,
    parts: &Parts,
    rows: &[u64],
    columns: &[Vec<f64>],
) -> Vec<Filled> {
    let writers: Vec<usize> = (0..parts.list.len()).map(|p| writer(team, parts, p)).collect();
    let mut to = vec![Vec::new(); team.size()];
    let mut row_values = vec![0.0; columns.len()];
    for (i, &row) in rows.iter().enumerate() {
        row_values.iter_mut().zip(columns).for_each(|(value, column)| *value = column[i]);
        let bytes = &mut to[writers[parts.part_of(row)]];
        bytes.extend(row.to_le_bytes());
        bytes.extend(bytes_of(&row_values));
    }
    let arrived = team.exchange(to);
    let width = columns.len();
    let empty = |part: usize| Filled {
        part,
        columns: vec![vec![f64::NAN; parts.list[part].rows as usize]; width],
    };
    let mine = (0..parts.list.len()).filter(|part| writers[*part] == team.rank());
    let mut filled: Vec<Filled> = mine.map(empty).collect();
    for bytes in arrived {
        for one in bytes.chunks_exact(8 * (1 + width)) {
            let (row, values) = one.split_at(8);
            let row = row.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
            let part = parts.part_of(row);
            let Ok(at) = filled.binary_search_by_key(&part, |filled| filled.part) else { continue };
            let row = (row - parts.starts[part]) as usize;
            for (column, value) in filled[at].columns.iter_mut().zip(numbers_of(values)) {
                column[row] = value;
            }
        }
    }
    filled
}

/// For each of some places among the rows that are embedded the row of the input. Each member knows those of its own places,
/// `own`; `starts` tells where the places of each begin.
pub(crate) fn in_input(team: &dyn Team, starts: &[u64], own: &[u64], places: &[u64]) -> Vec<u64> {
    let member = |place: u64| starts.partition_point(|start| *start <= place).saturating_sub(1);
    let mut asked = vec![Vec::new(); team.size()];
    for &place in places {
        asked[member(place).min(team.size() - 1)].extend(place.to_le_bytes());
    }
    let answers = team.exchange(asked).into_iter().map(|bytes| {
        let places = bytes.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
        let first = starts[team.rank()];
        let row = |place: u64| own.get((place - first) as usize).copied().unwrap_or(u64::MAX);
        places.flat_map(|place| row(place).to_le_bytes()).collect()
    });
    let mut answers: Vec<_> = team
        .exchange(answers.collect())
        .into_iter()
        .map(|bytes: Vec<u8>| {
            let rows: Vec<u64> =
                bytes.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
            rows.into_iter()
        })
        .collect();
    let answer = |&place: &u64| answers[member(place).min(team.size() - 1)].next();
    places.iter().filter_map(answer).collect()
}
