//! Neighbours by trees: every member looks among its own points first; then a ball around each point, out to its farthest
//! neighbour so far, tells whose pieces may have nearer ones, and these members are asked, all in one go.

use nrdr::Progress;
use nrdr::team::Team;
use rayon::prelude::*;

use super::ask::{Question, ask};
use super::{Neighbor, keep_nearest};
use crate::failure::Result;
use crate::partition::Partition;
use crate::pieces::Pieces;
use crate::wire::most;

/// Points whose neighbours are searched before others are asked: what is on its way stays small beside the points.
const BATCH: usize = 1 << 15;

/// The `k` nearest neighbours of every own point.
pub(super) fn neighbors(
    team: &dyn Team,
    made: &mut Partition,
    k: usize,
    progress: &Progress<'_>,
    check: &dyn Fn() -> Result<()>,
) -> Result<Vec<Vec<Neighbor>>> {
    let by_number = number(made);
    let Partition { rows, inputs, points, pieces: Some(pieces) } = &*made else {
        return Ok(Vec::new());
    };
    let (first, own) = (rows.of(team.rank()).start, points.rows());
    let near = |point: &[f64], without: Option<usize>, limit: f64| -> Vec<Neighbor> {
        let found = pieces.nearest(point, without, k, limit);
        let neighbor = |(measure, number): (f64, u32)| {
            let at = by_number[number as usize] as usize;
            Neighbor { measure, input: inputs[at], row: first + at as u64 }
        };
        found.into_iter().map(neighbor).collect()
    };
    let mut lists: Vec<Vec<Neighbor>> = Vec::with_capacity(own);
    for round in 0..most(team, own.div_ceil(BATCH) as u64) as usize {
        check()?;
        let from = (round * BATCH).min(own);
        let batch = from..(from + BATCH).min(own);
        let mut found: Vec<Vec<Neighbor>> = batch
            .clone()
            .into_par_iter()
            .with_min_len(64)
            .map(|i| near(points.row(i), Some(i), f64::INFINITY))
            .collect();
        let mut asking: Vec<Vec<usize>> = vec![Vec::new(); team.size()];
        let mut questions: Vec<Vec<Question<'_>>> = vec![Vec::new(); team.size()];
        for (at, found) in found.iter().enumerate() {
            let point = points.row(batch.start + at);
            let limit = found.get(k - 1).map_or(f64::INFINITY, |last| last.measure);
            for member in reached(pieces, point, limit) {
                asking[member].push(at);
                questions[member].push(Question { point, limit });
            }
        }
        let answers = ask(team, points.columns, &questions, |questions| {
            let answer = |q: &Question<'_>| near(q.point, None, q.limit);
            questions.par_iter().with_min_len(64).map(answer).collect()
        });
        for (asking, answers) in asking.iter().zip(answers) {
            for (&at, answer) in asking.iter().zip(answers) {
                found[at].extend(answer);
            }
        }
        found.iter_mut().for_each(|list| keep_nearest(list, k));
        lists.extend(found);
        progress.advance(batch.len(), own)?;
    }
    Ok(lists)
}

/// Gives own points numbers in the order of their input rows, which is that of equal distances: where each of them is.
fn number(made: &mut Partition) -> Vec<u32> {
    let mut by_number: Vec<u32> = (0..made.inputs.len() as u32).collect();
    by_number.sort_unstable_by_key(|&at| made.inputs[at as usize]);
    let mut numbers = vec![0; by_number.len()];
    for (number, &at) in by_number.iter().enumerate() {
        numbers[at as usize] = number as u32;
    }
    if let Some(pieces) = &mut made.pieces {
        pieces.renumber(&numbers);
    }
    by_number
}

/// The other members with a piece that a ball reaches.
fn reached(pieces: &Pieces, point: &[f64], limit: f64) -> impl Iterator<Item = usize> {
    let reaches = move |member: &usize| {
        let mut of = pieces.of(*member);
        of.any(|piece| pieces.distance(point, pieces.node_of(piece)) <= limit)
    };
    let own = pieces.member;
    (0..pieces.of_member.len() - 1).filter(move |member| *member != own).filter(reaches)
}
