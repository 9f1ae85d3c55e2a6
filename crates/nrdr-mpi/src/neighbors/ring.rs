//! Neighbours by all distances: the points of a member are compared with its own, then with those of the next, and so on
//! around the ring, block by block by matrix products where the metric allows it.

use nrdr::graph::share::Block;
use nrdr::team::Team;
use nrdr::{Metric, Progress};
use rayon::prelude::*;

use super::ask::{Question, ask};
use super::{Neighbor, keep_nearest};
use crate::by_itself::alone;
use crate::failure::{Result, agree};
use crate::partition::Partition;
use crate::wire::most;

/// Points that are on their way at a time,
const BATCH: usize = 1 << 13;
/// and that are compared with a block at a time: they share its rows in the cache.
const QUERIES: usize = 16;

/// The `k` nearest neighbours of every own point.
pub(super) fn neighbors(
    team: &dyn Team,
    made: &Partition,
    metric: Metric,
    k: usize,
    progress: &Progress<'_>,
    check: &dyn Fn() -> Result<()>,
) -> Result<Vec<Vec<Neighbor>>> {
    let Partition { rows, inputs, points, .. } = made;
    let (first, own, size) = (rows.of(team.rank()).start, points.rows(), team.size());
    let block = points.points.clone().map(|points| alone(|| Block::new(metric, points, k)));
    let block = agree(team, block.transpose().map_err(Into::into))?;
    // One more than wanted, as a point may be among its own neighbours.
    let near = |questions: &[Question<'_>]| -> Vec<Vec<Neighbor>> {
        let Some(block) = &block else { return vec![Vec::new(); questions.len()] };
        let some = |questions: &[Question<'_>]| {
            let others: Vec<f64> = questions.iter().flat_map(|q| q.point).copied().collect();
            let found = alone(|| block.nearest(&others, k + 1));
            let list = |(found, q): (Vec<(f64, u32)>, &Question<'_>)| {
                let near = found.into_iter().filter(|found| found.0 <= q.limit);
                let neighbor = |(measure, at): (f64, u32)| Neighbor {
                    measure,
                    input: inputs[at as usize],
                    row: first + u64::from(at),
                };
                near.map(neighbor).collect()
            };
            found.into_iter().zip(questions).map(list).collect::<Vec<Vec<Neighbor>>>()
        };
        questions.par_chunks(QUERIES).flat_map_iter(some).collect()
    };
    let mut lists: Vec<Vec<Neighbor>> = Vec::with_capacity(own);
    let rounds = most(team, own.div_ceil(BATCH) as u64) as usize;
    for round in 0..rounds {
        let from = (round * BATCH).min(own);
        let batch = from..(from + BATCH).min(own);
        let question = |i: usize| Question { point: points.row(i), limit: f64::INFINITY };
        let mut found = near(&batch.clone().map(question).collect::<Vec<_>>());
        for (list, i) in found.iter_mut().zip(batch.clone()) {
            list.retain(|neighbor| neighbor.row != first + i as u64);
            list.truncate(k);
        }
        for step in 1..size {
            check()?;
            let next = (team.rank() + step) % size;
            let limit =
                |list: &Vec<Neighbor>| list.get(k - 1).map_or(f64::INFINITY, |last| last.measure);
            let question = |(i, list)| Question { point: points.row(i), limit: limit(list) };
            let mut questions: Vec<Vec<Question<'_>>> = vec![Vec::new(); size];
            questions[next] = batch.clone().zip(&found).map(question).collect();
            let answers = ask(team, points.columns, &questions, near);
            for (list, answer) in
                found.iter_mut().zip(answers.into_iter().nth(next).unwrap_or_default())
            {
                list.extend(answer);
                keep_nearest(list, k);
            }
            progress.advance(1, rounds * (size - 1))?;
        }
        lists.extend(found);
    }
    Ok(lists)
}
