//! How good given neighbours are.

use nrdr::Metric;
use nrdr::graph::share::{Found, length, measure, nearest_by_all};
use nrdr::team::Team;
use rayon::prelude::*;

use crate::by_itself::alone;
use crate::ghosts::Ghosts;
use crate::neighbors::SharedLists;
use crate::partition::Partition;
use crate::wire::{gather, sum_counts};

/// Points whose true neighbours are looked for, at most.
const SAMPLE: u64 = 200;
/// Of these so many at a time.
const TOGETHER: usize = 16;
/// Neighbours that are farther by less than this share are as near: other programs compare in single precision,
const SAME: f64 = 1e-5;
/// which may cost their distances so much, beside the farthest neighbour.
const NEAR: f64 = 1e-2;

/// How good given neighbours are, by a sample of the points.
pub(super) struct Sampled {
    /// The share that is no farther than the true `k`-th nearest: by true distances, whatever the files say.
    pub(super) recall: f64,
    /// How many of the distances of the files are wrong.
    pub(super) wrong: u64,
}

/// Measures how good the lists of own points are.
pub(super) fn sampled(
    team: &dyn Team,
    made: &Partition,
    metric: Metric,
    lists: &SharedLists,
    k: usize,
) -> Sampled {
    let (own, total) = (made.rows.of(team.rank()), made.rows.total());
    let columns = made.points.columns;
    let every = total.div_ceil(SAMPLE);
    let rows = (own.start.next_multiple_of(every)..own.end).step_by(every as usize);
    let places: Vec<usize> = rows.map(|row| (row - own.start) as usize).collect();
    let mine: Vec<f64> = places.iter().flat_map(|&at| made.points.row(at)).copied().collect();
    let queries = gather(team, &mine);
    let before =
        queries[..team.rank()].iter().map(|queries| queries.len() / columns).sum::<usize>();
    // The distances of the nearest own points; the point itself is among those of one member.
    let near = nearest(made, metric, &queries.concat(), k + 1);
    let all = gather(team, &near);
    let needed = places.iter().flat_map(|&at| lists.of(at)).copied();
    let ghosts = Ghosts::new(team, &made.rows, needed);
    let others = ghosts.with_own(team, made.points.values(), columns);
    let mut counts = [0; 3];
    for (at, &row) in (before..).zip(&places) {
        let of = at * (k + 1)..(at + 1) * (k + 1);
        let mut near: Vec<f64> = all.iter().flat_map(|near| &near[of.clone()]).copied().collect();
        near.sort_unstable_by(f64::total_cmp);
        let farthest = near[k];
        for (&other, told) in lists.of(row).iter().zip(lists.distances(row)) {
            let place = ghosts.place(other).unwrap_or(0);
            let other = &others[place * columns..][..columns];
            let distance = length(metric, measure(metric, made.points.row(row), other), columns);
            counts[0] += u64::from(distance <= farthest * (1.0 + SAME));
            counts[1] += u64::from((distance - told).abs() > NEAR * farthest.max(distance));
            counts[2] += 1;
        }
    }
    sum_counts(team, &mut counts);
    Sampled { recall: counts[0] as f64 / counts[2].max(1) as f64, wrong: counts[1] }
}

/// The distances of the nearest own points of each of some points, infinite where there are fewer.
fn nearest(made: &Partition, metric: Metric, queries: &[f64], count: usize) -> Vec<f64> {
    let columns = made.points.columns;
    let mut near = vec![f64::INFINITY; queries.len() / columns * count];
    if let Some(points) = &made.points.points {
        let queries = queries.par_chunks(TOGETHER * columns);
        let found: Vec<Vec<Found>> = queries
            .flat_map_iter(|queries| alone(|| nearest_by_all(metric, points, queries, count)))
            .collect();
        for (near, found) in near.chunks_exact_mut(count).zip(&found) {
            near.iter_mut().zip(found).for_each(|(to, f)| *to = length(metric, f.0, columns));
        }
    }
    near
}
