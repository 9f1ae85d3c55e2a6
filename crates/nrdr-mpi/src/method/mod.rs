//! The methods: each turns own rows of the graph, or own neighbourhoods, into own rows of its eigenproblem.

mod alignment;
mod walk;

use nrdr::method::share::Alignment;
use nrdr::method::typed;
use nrdr::team::Team;
use nrdr::{DiffusionMaps, LaplacianEigenmaps, Method, Progress};

use crate::csr::SharedCsr;
use crate::failure::{Failure, Result};
use crate::neighbors::SharedLists;
use crate::problem::SharedProblem;
use crate::shared::{Own, Rows};

/// A method that works on rows that are spread over members.
pub enum Shared {
    /// Laplacian eigenmaps.
    Laplacian(LaplacianEigenmaps),
    /// Diffusion maps.
    Diffusion(DiffusionMaps),
    /// LTSA, Hessian LLE and LLE.
    Alignment(Alignment),
}

impl Shared {
    /// What a method is here; others are refused with the way out.
    pub fn of(method: &dyn Method) -> Result<Self> {
        if let Some(method) = typed(method)? {
            return Ok(Shared::Laplacian(method));
        }
        if let Some(method) = typed(method)? {
            return Ok(Shared::Diffusion(method));
        }
        if let Some(alignment) = Alignment::of(method)? {
            return Ok(Shared::Alignment(alignment));
        }
        let about = method.about();
        Err(Failure::Unsupported {
            what: format!("{} ({}) runs on one machine only", about.title, about.name),
            way_out:
                "take lem, dfm, ltsa, hlle or lle, or embed a sample of the points by `nrdr` and \
                the others by `nrdr transform`"
                    .to_string(),
        })
    }

    /// Own rows of the eigenproblem. All members must ask.
    pub fn problem(
        self,
        team: &dyn Team,
        from: &Embedded<'_>,
        progress: &Progress<'_>,
    ) -> Result<SharedProblem> {
        match self {
            Shared::Laplacian(method) => walk::laplacian(team, &method, from.graph),
            Shared::Diffusion(method) => walk::diffusion(team, &method, from.graph),
            Shared::Alignment(method) => alignment::problem(team, method, from, progress),
        }
    }
}

/// What is embedded: own rows.
pub struct Embedded<'e> {
    /// Who has which rows.
    pub rows: &'e Rows,
    /// Own points, as the metric sees them.
    pub points: &'e Own,
    /// Their neighbours.
    pub lists: &'e SharedLists,
    /// The graph in one piece; its entries are lengths.
    pub graph: &'e SharedCsr,
}
