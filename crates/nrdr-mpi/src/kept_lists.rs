//! Working order, points and neighbours in a checkpoint: what took long, for any number of members that go on.

use nrdr::team::Team;

use crate::checkpoint::{Checkpoint, List, OwnRecord, Values};
use crate::failure::{Failure, Result};
use crate::neighbors::SharedLists;
use crate::partition::Partition;
use crate::shared::{Own, Rows};
use crate::together::even;

const NAME: &str = "neighbours";

/// What is known when the neighbours are.
pub(crate) type Found = (Partition, SharedLists, Option<f64>);

/// Keeps what was found. All members must ask.
pub(crate) fn keep(team: &dyn Team, kept: &Checkpoint, found: &Found) -> Result<()> {
    let (made, lists, recall) = found;
    let lengths = lists.offsets.windows(2).map(|ends| (ends[1] - ends[0]) as u32).collect();
    let columns = made.points.columns;
    let record = OwnRecord {
        text: recall.map_or(String::new(), |recall| recall.to_string()),
        lists: vec![
            List::Rows(1, Values::Whole(made.inputs.clone())),
            List::Rows(columns, Values::Numbers(made.points.values().to_vec())),
            List::Uneven(Clone::clone(&lengths), Values::Whole(lists.indices.clone())),
            List::Uneven(lengths, Values::Numbers(lists.distances.clone())),
        ],
    };
    kept.put(team, NAME, &made.rows.starts, &record).map_err(unusable)
}

/// What an earlier run of so many rows found, spread evenly over the members of this one. All members must ask.
pub(crate) fn found(team: &dyn Team, kept: &Checkpoint, total: u64) -> Result<Option<Found>> {
    let rows = Rows { starts: even(total, team.size()) };
    let Some(record) = kept.get(team, NAME, &rows.starts).map_err(unusable)? else {
        return Ok(None);
    };
    let recall = record.text.parse().ok();
    let Ok([inputs, points, indices, distances]) = <[List; 4]>::try_from(record.lists) else {
        return Ok(None);
    };
    let (
        List::Rows(_, Values::Whole(inputs)),
        List::Rows(columns, Values::Numbers(values)),
        List::Uneven(lengths, Values::Whole(indices)),
        List::Uneven(_, Values::Numbers(distances)),
    ) = (inputs, points, indices, distances)
    else {
        return Ok(None);
    };
    let mut offsets = vec![0];
    let mut end = 0;
    offsets.extend(lengths.iter().map(|length| {
        end += *length as usize;
        end
    }));
    let points = Own::new(values, columns)?;
    let made = Partition { rows, inputs, points, pieces: None };
    Ok(Some((made, SharedLists { offsets, indices, distances }, recall)))
}

fn unusable(failure: nrdr_cli::shared::Failure) -> Failure {
    Failure::Checkpoint(failure.into_message())
}
