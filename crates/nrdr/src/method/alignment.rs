//! Matrices that are sums over neighbourhoods, M = sum_n S_n C_n S_n', where S_n picks the rows of
//! neighbourhood n and C_n = a I + b B_n B_n' for a thin matrix B_n.
//!
//! LLE (B_n = one column of weights), modified LLE (several), Hessian LLE (B_n = Hessian estimators) and LTSA
//! (C_n = I - B_n B_n' with B_n the constant and the tangent directions) have this form.

use rayon::prelude::*;

use crate::error::{FEWER_POINTS, Hint, MORE_MEMORY, Result};
use crate::graph::Neighborhoods;
use crate::graph::neighbors::invert;
use crate::linalg::SparseMatrix;
use crate::memory;
use crate::progress::Progress;

/// The members of each neighbourhood: a point's neighbours, and the point itself if it is nobody's
/// neighbour, for else no neighbourhood would say where it goes. Returns where each one's members
/// begin, with one more entry than neighbourhoods, and the members.
pub(super) fn members(lists: &Neighborhoods) -> (Vec<usize>, Vec<u32>) {
    let mut covered = vec![false; lists.len()];
    lists.indices.iter().for_each(|&j| covered[j as usize] = true);
    let mut offsets = vec![0];
    let mut members = Vec::with_capacity(lists.indices.len());
    for (i, covered) in covered.into_iter().enumerate() {
        members.extend_from_slice(lists.of(i));
        members.extend((!covered).then_some(i as u32));
        offsets.push(members.len());
    }
    (offsets, members)
}

/// Rows that are looked at to know how large the matrix will be.
const SAMPLED_ROWS: usize = 200;
/// What helps where it does not fit.
const FEWER_NEIGHBORS: &[Hint] = &[FEWER_POINTS, Hint::Lower("neighbors"), MORE_MEMORY];
/// Entries of a row for each member of a neighbourhood: points of a surface share about that many neighbourhoods with
/// others.
const SHARED: f64 = 4.0;

/// Bytes that the matrix takes while it is made from neighbourhoods of so many members and B_n of so many columns.
pub(super) fn alignment_memory(points: usize, members: usize, width: usize) -> f64 {
    let entries = (SHARED * (members + 1) as f64).min(points as f64);
    alignment_aside(points, members, width, entries) + memory::sparse(points, entries)
}

/// Those that it takes beside itself: the B_n, the members, where each of them is one, and where a row's entries are.
pub(super) fn alignment_aside(points: usize, members: usize, width: usize, entries: f64) -> f64 {
    let (n, k) = (points as f64, members as f64 + 1.0);
    let places = n * (k * (8.0 * width as f64 + 12.0) + 24.0);
    let slots = 4.0 * n * rayon::current_num_threads() as f64;
    places + slots + memory::sparse(points, entries) * memory::WAVE
}

/// The thin matrices of all neighbourhoods.
pub(super) struct Local {
    /// Where each neighbourhood's members begin; one more entry than neighbourhoods.
    offsets: Vec<usize>,
    members: Vec<u32>,
    /// Columns of every B_n.
    width: usize,
    /// Rows of the B_n, member after member.
    factors: Vec<f64>,
}

impl Local {
    /// Of what was computed elsewhere. There are as many neighbourhoods as there are rows, some of which may be empty.
    pub(super) fn of_factors(
        offsets: Vec<usize>,
        members: Vec<u32>,
        width: usize,
        factors: Vec<f64>,
    ) -> Self {
        Local { offsets, members, width, factors }
    }

    /// The rows of the B_n, member after member.
    pub(super) fn into_factors(self) -> Vec<f64> {
        self.factors
    }

    /// Computes B_n for every neighbourhood: `fill(n, members, scratch, rows)` writes a row of
    /// `width` numbers for each of the neighbourhood's members.
    pub(super) fn compute<S>(
        offsets: Vec<usize>,
        members: Vec<u32>,
        width: usize,
        progress: &Progress<'_>,
        scratch: impl Fn() -> S + Sync + Send,
        fill: impl Fn(usize, &[u32], &mut S, &mut [f64]) -> Result<()> + Sync,
    ) -> Result<Self> {
        const CHUNK: usize = 256;
        let mut factors = vec![0.0; members.len() * width];
        let n = offsets.len() - 1;
        let mut chunks = Vec::with_capacity(n / CHUNK + 1);
        let mut rest = factors.as_mut_slice();
        for start in (0..n).step_by(CHUNK) {
            let end = (start + CHUNK).min(n);
            let (chunk, tail) = rest.split_at_mut((offsets[end] - offsets[start]) * width);
            chunks.push((start..end, chunk));
            rest = tail;
        }
        chunks.into_par_iter().try_for_each_init(scratch, |scratch, (range, chunk)| {
            let mut chunk = chunk;
            let count = range.len();
            for i in range {
                let size = (offsets[i + 1] - offsets[i]) * width;
                let (rows, tail) = std::mem::take(&mut chunk).split_at_mut(size);
                fill(i, &members[offsets[i]..offsets[i + 1]], scratch, rows)?;
                chunk = tail;
            }
            progress.advance(count, n)
        })?;
        Ok(Local { offsets, members, width, factors })
    }

    /// M with C_n = `identity` I + `sign` B_n B_n'.
    pub(super) fn assemble(
        &self,
        identity: f64,
        sign: f64,
        progress: &Progress<'_>,
    ) -> Result<SparseMatrix> {
        let n = self.offsets.len() - 1;
        let (starts, places) = invert(&self.offsets, &self.members);
        let entries = self.typical_entries(&starts, &places);
        let needed = memory::sparse(n, entries);
        progress.budget().check("the matrix", needed, FEWER_NEIGHBORS)?;
        let matrix = SparseMatrix::build(
            n,
            || vec![0u32; n],
            |i, slot: &mut Vec<u32>, out| {
                // Once the observer has asked to stop, the rest is not worth computing.
                if i % 64 == 0 && progress.check().is_err() {
                    return;
                }
                // slot[j] is one more than the place of column j in this row; all zero between rows.
                for &(neighborhood, own) in &places[starts[i]..starts[i + 1]] {
                    let range = self.offsets[neighborhood as usize]
                        ..self.offsets[neighborhood as usize + 1];
                    let own_row = self.row(own as usize);
                    for at in range {
                        let j = self.members[at];
                        let products = own_row.iter().zip(self.row(at)).map(|(a, b)| a * b);
                        let mut value = sign * products.sum::<f64>();
                        if at == own as usize {
                            value += identity;
                        }
                        match slot[j as usize] {
                            0 => {
                                out.push((j, value));
                                slot[j as usize] = out.len() as u32;
                            }
                            place => out[place as usize - 1].1 += value,
                        }
                    }
                }
                out.iter().for_each(|&(j, _)| slot[j as usize] = 0);
                out.sort_unstable_by_key(|&(j, _)| j);
            },
        );
        progress.check().map(|()| matrix)
    }

    /// Entries of a row of M, on average over a sample of the rows.
    fn typical_entries(&self, starts: &[usize], places: &[(u32, u32)]) -> f64 {
        let n = self.offsets.len() - 1;
        let every = n.div_ceil(SAMPLED_ROWS);
        let row = |i: usize| {
            let neighborhoods =
                places[starts[i]..starts[i + 1]].iter().map(|place| place.0 as usize);
            let members = |at: usize| &self.members[self.offsets[at]..self.offsets[at + 1]];
            let mut columns: Vec<u32> = neighborhoods.flat_map(members).copied().collect();
            columns.sort_unstable();
            columns.dedup();
            columns.len()
        };
        let rows = (0..n).step_by(every);
        let count = rows.len() as f64;
        rows.map(row).sum::<usize>() as f64 / count
    }

    fn row(&self, at: usize) -> &[f64] {
        &self.factors[at * self.width..][..self.width]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Search;
    use crate::graph::neighbors::neighbors;
    use crate::points::Points;
    use crate::progress::Watch;
    use crate::stage::Stage;

    #[test]
    fn every_point_is_a_member_of_some_neighbourhood() {
        // The last point is far from the others: it has neighbours, but is nobody's.
        let points = Points::new(vec![0.0, 1.0, 2.1, 3.3, 4.6, 50.0], 1).unwrap();
        let watch = Watch::new(None);
        let lists = watch.stage(Stage::Neighbors, |p| neighbors(&points, 2, Search::Auto, p));
        let (offsets, members) = members(&lists.unwrap());
        assert_eq!(offsets, [0, 2, 4, 6, 8, 10, 13]);
        assert_eq!(members[10..], [4, 3, 5]);
        let local = watch.stage(Stage::Matrix, |p| {
            Local::compute(
                offsets,
                members,
                1,
                p,
                || (),
                |_, members, (), rows| {
                    rows.fill((members.len() as f64).sqrt().recip());
                    Ok(())
                },
            )
        });
        // I - 11'/k on each neighbourhood: rows sum to zero, and none is empty.
        let matrix = watch.stage(Stage::Matrix, |p| local.unwrap().assemble(1.0, -1.0, p)).unwrap();
        for i in 0..6 {
            assert!(matrix.get(i, i) > 0.4, "row {i}");
            assert!(matrix.values(i).iter().sum::<f64>().abs() < 1e-15, "row {i}");
        }
    }
}
