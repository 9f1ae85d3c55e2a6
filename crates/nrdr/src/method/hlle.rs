//! Hessian locally linear embedding (Hessian eigenmaps).
//!
//! D. Donoho and C. Grimes, "Hessian eigenmaps: locally linear embedding techniques for
//! high-dimensional data", PNAS 100 (2003).
//!
//! Minimises the sum over neighbourhoods of |H_n' f|^2, where H_n estimates the second derivatives in
//! the local tangent coordinates: from the columns [1, U_a, U_a U_b] it keeps, orthonormalised in this
//! order, those of the products, so that affine functions have no Hessian.

use super::alignment::{Local, alignment_aside, alignment_memory, members};
use super::tangent::{
    BARYCENTRIC, aligned, append, check_local_dimension, local_dimension, local_dimension_parameter, tangent_basis,
    write_columns,
};
use super::{About, Data, Method, Needs};
use crate::error::Result;
use crate::parameter::Parameter;
use crate::points::Points;
use crate::problem::Problem;
use crate::progress::Progress;

const ABOUT: About = About {
    name: "hlle",
    title: "Hessian LLE",
    paper: "Donoho & Grimes 2003",
    class: "HessianEigenmaps",
    needs: Needs::Neighborhoods,
};

/// Hessian locally linear embedding.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HessianLle {
    /// Dimension of the tangent spaces; `None` means that it is estimated from the neighbourhoods: as many directions
    /// as hold 95 % of their variance (`docs/methods.md` has the rule).
    pub local_dimension: Option<usize>,
}

impl HessianLle {
    /// Columns of the B_n. Two directions where they are still to be estimated: what more there are makes no larger matrix.
    fn width(&self) -> usize {
        columns(self.local_dimension.unwrap_or(2))
    }
}

impl Method for HessianLle {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![local_dimension_parameter(&mut self.local_dimension)]
    }

    fn check(&self, _points: usize, neighbors: usize) -> Result<()> {
        check_local_dimension(self, self.local_dimension, neighbors, needed_neighbors)
    }

    fn memory(&self, points: usize, neighbors: usize) -> f64 {
        alignment_memory(points, neighbors, self.width())
    }

    fn aside(&self, points: usize, neighbors: usize, entries: f64) -> f64 {
        alignment_aside(points, neighbors, self.width(), entries)
    }

    fn problem(&self, data: Data<'_>, progress: &Progress<'_>) -> Result<Problem> {
        let (points, lists) = data.neighborhoods(self)?;
        let (d, estimated) =
            local_dimension(self, self.local_dimension, points, lists, needed_neighbors)?;
        let width = columns(d);
        let (offsets, members) = members(lists);
        let local = Local::compute(
            offsets,
            members,
            width,
            progress,
            || (),
            |_, members, (), rows| fill(points, members, d, rows),
        )?;
        aligned(local.assemble(0.0, 1.0, progress)?, points, d, estimated)
    }

    fn barycentric(&self) -> Option<f64> {
        Some(BARYCENTRIC)
    }
}

/// Columns of the B_n of tangent spaces of dimension d.
pub(super) fn columns(d: usize) -> usize {
    d * (d + 1) / 2
}

/// Writes the B_n of a neighbourhood.
pub(super) fn fill(points: &Points, members: &[u32], d: usize, rows: &mut [f64]) -> Result<()> {
    let mut basis = tangent_basis(points, members, d)?;
    let affine = basis.len();
    for a in 1..affine {
        for b in a..affine {
            let product = basis[a].iter().zip(&basis[b]).map(|(x, y)| x * y);
            let product = product.collect();
            append(&mut basis, product);
        }
    }
    write_columns(&basis[affine..], columns(d), rows);
    Ok(())
}

/// How many neighbours tell a tangent space of dimension d and second derivatives in it.
pub(super) fn needed_neighbors(d: usize) -> usize {
    d * (d + 3) / 2 + 1
}
