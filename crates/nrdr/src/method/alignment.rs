//! Matrices that are sums over neighbourhoods, M = sum_n S_n C_n S_n', where S_n picks the rows of
//! neighbourhood n and C_n = a I + b B_n B_n' for a thin matrix B_n.
//!
//! LLE (B_n = one column of weights), Hessian LLE (B_n = Hessian estimators) and LTSA
//! (C_n = I - B_n B_n' with B_n the constant and the tangent directions) have this form.

use rayon::prelude::*;

use crate::error::Result;
use crate::matrix::SparseMatrix;
use crate::progress::Progress;

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
    /// Computes B_n for every neighbourhood: `fill(n, scratch, rows)` writes a row of `width`
    /// numbers for each of the neighbourhood's members.
    pub(super) fn compute<S>(
        offsets: Vec<usize>,
        members: Vec<u32>,
        width: usize,
        progress: &Progress<'_>,
        scratch: impl Fn() -> S + Sync + Send,
        fill: impl Fn(usize, &mut S, &mut [f64]) -> Result<()> + Sync,
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
                fill(i, scratch, rows)?;
                chunk = tail;
            }
            progress.advance(count, n)
        })?;
        Ok(Local { offsets, members, width, factors })
    }

    /// M with C_n = `identity` I + `sign` B_n B_n'.
    pub(super) fn assemble(&self, identity: f64, sign: f64) -> SparseMatrix {
        let n = self.offsets.len() - 1;
        let (starts, places) = self.places();
        SparseMatrix::build(
            n,
            || vec![0u32; n],
            |i, slot: &mut Vec<u32>, out| {
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
        )
    }

    fn row(&self, at: usize) -> &[f64] {
        &self.factors[at * self.width..][..self.width]
    }

    /// For each point the neighbourhoods it is a member of, with its place in the list of members.
    fn places(&self) -> (Vec<usize>, Vec<(u32, u32)>) {
        let n = self.offsets.len() - 1;
        let mut starts = vec![0; n + 1];
        for &i in &self.members {
            starts[i as usize + 1] += 1;
        }
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut places = vec![(0, 0); self.members.len()];
        for neighborhood in 0..n {
            for at in self.offsets[neighborhood]..self.offsets[neighborhood + 1] {
                let i = self.members[at] as usize;
                places[next[i]] = (neighborhood as u32, at as u32);
                next[i] += 1;
            }
        }
        (starts, places)
    }
}
