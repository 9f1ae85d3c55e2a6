//! LTSA, Hessian LLE and LLE: own rows of a sum over neighbourhoods.
//!
//! Each member computes the thin matrices of its own neighbourhoods, for which it needs its points and those of their
//! members; then each of these goes to whoever has one of the members, and the rows are summed there as on one machine.

use std::sync::Arc;

use nrdr::method::share::{
    Alignment, affine_functions, dimension, sampled_neighborhoods, sampled_points, variance_shares,
};
use nrdr::team::Team;
use nrdr::{End, Length, Points, Progress};

use super::Embedded;
use crate::by_itself::alone;
use crate::csr::SharedCsr;
use crate::failure::{Result, agree};
use crate::ghosts::Ghosts;
use crate::neighbors::SharedLists;
use crate::problem::SharedProblem;
use crate::shared::{Own, Rows};
use crate::wire::{exchange, gather};

/// The problem of a method of that form.
pub(super) fn problem(
    team: &dyn Team,
    mut method: Alignment,
    from: &Embedded<'_>,
    progress: &Progress<'_>,
) -> Result<SharedProblem> {
    let Embedded { rows, points, lists, .. } = *from;
    let near = Near::new(team, from)?;
    let least = lists.least(team);
    let estimate =
        if method.is_to_estimate() { Some(estimate(team, from, &near, least)?) } else { None };
    agree(team, method.settle(least, estimate).map_err(Into::into))?;
    let (offsets, members) = near.members(lists, method.is_of_the_point());
    let factors = match &near.points {
        Some(points) => {
            let (offsets, members) = (offsets.clone(), members.clone());
            alone(|| method.factors(points, offsets, members, progress))
        }
        None => Ok(Vec::new()),
    };
    let factors = agree(team, factors.map_err(Into::into))?;
    let row = |place: u32| near.ghosts.row(place as usize);
    let members = members.into_iter().map(row).collect();
    let first = rows.of(team.rank()).start;
    let own =
        Neighborhoods { numbers: (first..).take(lists.len()).collect(), offsets, members, factors };
    let all = own.shared(team, rows, method.width());
    let matrix = agree(team, alone(|| assemble(team.rank(), &method, rows, all, progress)))?;
    let near_null = if method.annihilates_affine_functions() {
        near_null(team, rows, points)?
    } else {
        Vec::new()
    };
    Ok(SharedProblem {
        matrix: Arc::new(matrix),
        end: End::Smallest,
        scale: None,
        trivial: Some(vec![1.0; points.rows()]),
        near_null,
        bound: Some(0.0),
        length: Length::One,
        chosen: method.chosen().into_iter().collect(),
        warnings: method.warnings(points.columns),
    })
}

/// Own points and those of their neighbours, in the order of the rows.
struct Near {
    ghosts: Ghosts,
    points: Option<Points>,
}

impl Near {
    fn new(team: &dyn Team, from: &Embedded<'_>) -> Result<Self> {
        let Embedded { rows, points, lists, .. } = *from;
        let ghosts = Ghosts::new(team, rows, lists.indices.iter().copied());
        let values = ghosts.with_own(team, points.values(), points.columns);
        let points = agree(team, Own::new(values, points.columns).map_err(Into::into))?.points;
        Ok(Near { ghosts, points })
    }

    /// Where the neighbours of an own row are.
    fn list(&self, lists: &SharedLists, i: usize) -> impl Iterator<Item = u32> {
        let place = |&row: &u64| self.ghosts.place(row).unwrap_or(0) as u32;
        lists.of(i).iter().map(place)
    }

    /// The members of own neighbourhoods: where those of each begin, and where each is.
    fn members(&self, lists: &SharedLists, of_the_point: bool) -> (Vec<usize>, Vec<u32>) {
        let own = self.ghosts.own();
        // Whose neighbour each own point is does not matter, but whether it is anybody's.
        let mut covered = vec![false; lists.len()];
        self.ghosts.given().for_each(|row| covered[row] = true);
        for i in 0..lists.len() {
            let inside = self.list(lists, i).map(|place| place as usize);
            inside
                .filter(|place| own.contains(place))
                .for_each(|at| covered[at - own.start] = true);
        }
        let (mut offsets, mut members) = (vec![0], Vec::with_capacity(lists.indices.len()));
        for (i, covered) in covered.into_iter().enumerate() {
            let itself = (own.start + i) as u32;
            members.extend(of_the_point.then_some(itself));
            members.extend(self.list(lists, i));
            members.extend((!of_the_point && !covered).then_some(itself));
            offsets.push(members.len());
        }
        (offsets, members)
    }
}

/// The dimension that neighbourhoods of at least so many points look like.
fn estimate(team: &dyn Team, from: &Embedded<'_>, near: &Near, least: usize) -> Result<usize> {
    let Embedded { rows, points, lists, .. } = *from;
    let own = rows.of(team.rank());
    let every = sampled_neighborhoods(rows.total() as usize) as u64;
    let width = points.columns.min(least);
    let sampled = (own.start.next_multiple_of(every)..own.end).step_by(every as usize);
    let shares = |row: u64| match &near.points {
        Some(points) => {
            let list: Vec<u32> = near.list(lists, (row - own.start) as usize).collect();
            variance_shares(points, &list, width)
        }
        None => Ok(Vec::new()),
    };
    let mine = alone(|| sampled.map(shares).collect::<nrdr::Result<Vec<_>>>());
    let mine = agree(team, mine.map_err(Into::into))?.concat();
    let all = gather(team, &mine).concat();
    let all: Vec<Vec<f64>> = all.chunks_exact(width.max(1)).map(<[f64]>::to_vec).collect();
    Ok(dimension(&all, points.columns))
}

/// Neighbourhoods with their thin matrices.
#[derive(Default)]
struct Neighborhoods {
    /// The rows that they belong to, ascending.
    numbers: Vec<u64>,
    /// Where the members of each begin; one more entry.
    offsets: Vec<usize>,
    /// The rows that are members.
    members: Vec<u64>,
    /// Rows of the thin matrices, member after member.
    factors: Vec<f64>,
}

impl Neighborhoods {
    /// Of all members' neighbourhoods those that have an own row as a member, in order.
    fn shared(&self, team: &dyn Team, rows: &Rows, width: usize) -> Self {
        let mut to: Vec<Vec<u64>> = vec![Vec::new(); team.size()];
        let mut owners: Vec<usize> = Vec::new();
        for (at, &number) in self.numbers.iter().enumerate() {
            let of = self.offsets[at]..self.offsets[at + 1];
            let members = &self.members[of.clone()];
            owners.clear();
            owners.extend(members.iter().map(|&row| rows.owner(row)));
            owners.sort_unstable();
            owners.dedup();
            let factors = &self.factors[of.start * width..of.end * width];
            for &owner in &owners {
                to[owner].extend([number, members.len() as u64]);
                to[owner].extend(members);
                to[owner].extend(factors.iter().map(|value| value.to_bits()));
            }
        }
        let mut all = Neighborhoods { offsets: vec![0], ..Default::default() };
        // Members have ascending rows, and send theirs in order.
        for words in exchange(team, to) {
            let mut rest = words.as_slice();
            while let [number, count, tail @ ..] = rest {
                let (members, tail) = tail.split_at(*count as usize);
                let (factors, tail) = tail.split_at(*count as usize * width);
                all.numbers.push(*number);
                all.members.extend(members);
                all.offsets.push(all.members.len());
                all.factors.extend(factors.iter().map(|&bits| f64::from_bits(bits)));
                rest = tail;
            }
        }
        all
    }
}

/// Own rows of the matrix of all neighbourhoods that have own rows as members.
fn assemble(
    member: usize,
    method: &Alignment,
    rows: &Rows,
    all: Neighborhoods,
    progress: &Progress<'_>,
) -> Result<SharedCsr> {
    let own = rows.of(member);
    // All rows that occur, own or not, in their order: the core's matrix is of these.
    let mut local: Vec<u64> =
        own.clone().chain(all.members.iter().copied()).chain(all.numbers.iter().copied()).collect();
    local.sort_unstable();
    local.dedup();
    let place = |row: u64| local.partition_point(|&other| other < row) as u32;
    let mut offsets = vec![0];
    let mut next = 0;
    for &row in &local {
        // A row without a neighbourhood here has an empty one.
        if all.numbers.get(next) == Some(&row) {
            next += 1;
        }
        offsets.push(all.offsets[next]);
    }
    let mut shared =
        SharedCsr { rows: rows.clone(), offsets: vec![0], columns: Vec::new(), values: Vec::new() };
    if own.is_empty() {
        return Ok(shared);
    }
    let members = all.members.iter().map(|&row| place(row)).collect();
    let matrix = method.assemble(offsets, members, all.factors, progress)?;
    let first = place(own.start) as usize;
    for i in first..first + (own.end - own.start) as usize {
        shared.columns.extend(matrix.columns(i).iter().map(|&j| local[j as usize]));
        shared.values.extend(matrix.values(i));
        shared.offsets.push(shared.columns.len());
    }
    Ok(shared.with_diagonal(member))
}

/// Affine functions of the points, own rows.
fn near_null(team: &dyn Team, rows: &Rows, own: &Own) -> Result<Vec<Vec<f64>>> {
    let total = rows.total() as usize;
    let mut means = vec![0.0; own.columns];
    for i in 0..own.rows() {
        means.iter_mut().zip(own.row(i)).for_each(|(mean, value)| *mean += value);
    }
    team.sum(&mut means);
    means.iter_mut().for_each(|mean| *mean /= total as f64);
    let every = sampled_points(total) as u64;
    let of = rows.of(team.rank());
    let sampled = (of.start.next_multiple_of(every)..of.end).step_by(every as usize);
    let sampled: Vec<f64> =
        sampled.flat_map(|row| own.row((row - of.start) as usize)).copied().collect();
    let sample = gather(team, &sampled).concat();
    let made = Points::new(sample, own.columns).and_then(|sample| match &own.points {
        Some(points) => alone(|| affine_functions(points, &means, &sample)),
        None => Ok(Vec::new()),
    });
    let mut made = agree(team, made.map_err(Into::into))?;
    // As many as others have, though there are no rows of them here.
    let count = crate::wire::most(team, made.len() as u64) as usize;
    made.resize_with(count, Vec::new);
    Ok(made)
}
