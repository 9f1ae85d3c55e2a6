//! Local tangent space alignment.
//!
//! Z. Zhang and H. Zha, "Principal manifolds and nonlinear dimensionality reduction via tangent
//! space alignment", SIAM Journal on Scientific Computing 26 (2004).
//!
//! Over each neighbourhood a coordinate should be an affine function of the local tangent
//! coordinates: minimises f' [sum_n S_n (I - G_n G_n') S_n'] f with G_n = [1/sqrt(k), U_n], U_n the
//! left singular vectors of the centred neighbours.

use super::alignment::{Local, alignment_aside, alignment_memory, members};
use super::tangent::{
    BARYCENTRIC, aligned, check_local_dimension, local_dimension, local_dimension_parameter, tangent_basis,
    write_columns,
};
use super::{About, Data, Method, Needs};
use crate::error::Result;
use crate::parameter::Parameter;
use crate::points::Points;
use crate::problem::Problem;
use crate::progress::Progress;

const ABOUT: About = About {
    name: "ltsa",
    title: "Local tangent space alignment",
    paper: "Zhang & Zha 2004",
    class: "LTSA",
    needs: Needs::Neighborhoods,
};

/// Local tangent space alignment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ltsa {
    /// Dimension of the tangent spaces; `None` means that it is estimated from the neighbourhoods: as many directions
    /// as hold 95 % of their variance (`docs/methods.md` has the rule).
    pub local_dimension: Option<usize>,
}

impl Ltsa {
    /// Columns of the B_n. Two directions where they are still to be estimated: what more there are makes no larger matrix.
    fn width(&self) -> usize {
        columns(self.local_dimension.unwrap_or(2))
    }
}

impl Method for Ltsa {
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
        aligned(local.assemble(1.0, -1.0, progress)?, points, d, estimated)
    }

    fn barycentric(&self) -> Option<f64> {
        Some(BARYCENTRIC)
    }
}

/// Columns of the B_n of tangent spaces of dimension d.
pub(super) fn columns(d: usize) -> usize {
    d + 1
}

/// Writes the B_n of a neighbourhood.
pub(super) fn fill(points: &Points, members: &[u32], d: usize, rows: &mut [f64]) -> Result<()> {
    let basis = tangent_basis(points, members, d)?;
    write_columns(&basis, columns(d), rows);
    Ok(())
}

/// How many neighbours tell a tangent space of dimension d.
pub(super) fn needed_neighbors(d: usize) -> usize {
    d + 2
}
