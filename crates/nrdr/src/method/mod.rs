//! The methods: each turns points, a graph or a matrix into a [`Problem`].

pub(crate) mod affinity;
mod alignment;
mod dfm;
mod hlle;
mod isomap;
mod kpca;
mod lem;
pub(crate) mod lle;
mod ltsa;
mod precomputed;
mod tangent;

use std::fmt::Debug;

pub use dfm::DiffusionMaps;
pub use hlle::HessianLle;
pub use isomap::Isomap;
pub use kpca::{Kernel, KernelPca};
pub use lem::{LaplacianEigenmaps, Weights};
pub use lle::Lle;
pub use ltsa::Ltsa;
pub use precomputed::Precomputed;

use crate::error::{Error, Result};
use crate::graph::Neighborhoods;
pub use crate::graph::{EdgeKind, Graph};
use crate::input::Options;
use crate::linalg::Matrix;
use crate::memory;
use crate::points::Points;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::warning::Warning;

/// What a method is built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// The undirected neighbour graph: from points, distances, or a graph.
    Graph,
    /// Points with the list of each one's neighbours.
    Neighborhoods,
    /// Points alone.
    Points,
    /// A matrix that the user brings.
    Matrix,
}

impl Needs {
    /// In words, for an error message.
    pub fn describe(self) -> &'static str {
        match self {
            Needs::Graph => "points, distances or a graph",
            Needs::Neighborhoods | Needs::Points => "points",
            Needs::Matrix => "a matrix",
        }
    }
}

/// What the earlier stages have prepared for a method.
#[derive(Clone, Copy)]
pub enum Data<'a> {
    /// For [`Needs::Graph`].
    Graph(&'a Graph),
    /// For [`Needs::Neighborhoods`].
    Neighborhoods(&'a Points, &'a Neighborhoods),
    /// For [`Needs::Points`].
    Points(&'a Points),
    /// For [`Needs::Matrix`].
    Matrix(&'a Matrix),
}

impl<'a> Data<'a> {
    fn describe(self) -> &'static str {
        match self {
            Data::Graph(_) => "a graph",
            Data::Neighborhoods(..) | Data::Points(_) => "points",
            Data::Matrix(_) => "a matrix",
        }
    }

    fn mismatch<T>(self, method: &dyn Method) -> Result<T> {
        Err(Error::WrongInput {
            method: method.name(),
            needed: method.needs().describe(),
            given: self.describe(),
        })
    }

    /// The graph, or an error that names the method.
    pub fn graph(self, method: &dyn Method) -> Result<&'a Graph> {
        match self {
            Data::Graph(graph) => Ok(graph),
            other => other.mismatch(method),
        }
    }

    /// The points with their neighbours, or an error that names the method.
    pub fn neighborhoods(self, method: &dyn Method) -> Result<(&'a Points, &'a Neighborhoods)> {
        match self {
            Data::Neighborhoods(points, lists) => Ok((points, lists)),
            other => other.mismatch(method),
        }
    }

    /// The points, or an error that names the method.
    pub fn points(self, method: &dyn Method) -> Result<&'a Points> {
        match self {
            Data::Points(points) => Ok(points),
            other => other.mismatch(method),
        }
    }

    /// The matrix, or an error that names the method.
    pub fn matrix(self, method: &dyn Method) -> Result<&'a Matrix> {
        match self {
            Data::Matrix(matrix) => Ok(matrix),
            other => other.mismatch(method),
        }
    }
}

/// How coordinates are extended to a new point x.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Extension {
    /// Along the random walk from x to its nearest training points, by the formula of the eigenproblem.
    Walk {
        /// Weights exp(-distance^2 / epsilon), but at least 1e-10; `None` means weights of one.
        epsilon: Option<f64>,
        /// Density normalisation of a kernel with ones on the diagonal; `None` means neither.
        density: Option<f64>,
    },
    /// The weighted mean of the nearest training points that is as near to x as this regularisation lets it be.
    Barycentric {
        /// Added to the diagonal of the neighbourhood's Gram matrix, relative to its trace.
        regularization: f64,
    },
    /// By the kernel of x and all training points, by the formula of the eigenproblem.
    Kernel(KernelPca),
    /// By the lengths of the shortest paths from x to all training points, by the formula of the eigenproblem.
    Geodesic,
    /// x is given as its row of the matrix, an entry for each training point.
    Row,
}

/// A way to turn data into an eigenproblem.
pub trait Method: Debug + Send + Sync {
    /// Short name, as on the command line.
    fn name(&self) -> &'static str;

    /// Full name and paper.
    fn about(&self) -> &'static str;

    /// What it is built from.
    fn needs(&self) -> Needs;

    /// Refuses parameters out of range, and more points than the method can take. Called before any work is done.
    fn check(&self, points: usize, options: &Options) -> Result<()> {
        let _ = (points, options);
        Ok(())
    }

    /// Bytes that its matrix takes at most while it is made, beside points, neighbours and graph; an estimate.
    fn memory(&self, points: usize, options: &Options) -> f64 {
        memory::sparse(points, memory::edges_of(options.neighbors))
    }

    /// What the user should know about parameters that fit points of so many columns badly. `chosen` are those
    /// that [`Problem::chosen`] tells.
    fn warnings(&self, columns: usize, chosen: &[(&'static str, f64)]) -> Vec<Warning> {
        let _ = (columns, chosen);
        Vec::new()
    }

    /// The eigenproblem whose first `dims` solutions are the coordinates; `None` where their number is yet
    /// to be found out. What [`Method::check`] refuses does not come here.
    fn problem(
        &self,
        data: Data<'_>,
        dims: Option<usize>,
        progress: &Progress<'_>,
    ) -> Result<Problem>;

    /// How the coordinates are extended to new points, or why they cannot be. `chosen` are the parameters that
    /// [`Problem::chosen`] tells, none as long as nothing is computed.
    fn extension(&self, chosen: &[(&'static str, f64)]) -> Result<Extension> {
        let _ = chosen;
        Err(Error::CannotExtend {
            what: format!("method {}", self.name()),
            way_out: "choose a method that can, or embed all points together",
        })
    }
}

/// A parameter that was chosen, or one.
fn chosen_one(chosen: &[(&'static str, f64)], name: &str) -> f64 {
    chosen.iter().find(|(other, _)| *other == name).map_or(1.0, |(_, value)| *value)
}

/// All methods with their default parameters. Whatever lists, documents or tests methods reads this.
pub fn all() -> Vec<Box<dyn Method>> {
    vec![
        Box::new(LaplacianEigenmaps::default()),
        Box::new(DiffusionMaps::default()),
        Box::new(Lle::default()),
        Box::new(HessianLle::default()),
        Box::new(Ltsa::default()),
        Box::new(Isomap::default()),
        Box::new(KernelPca::default()),
        Box::new(Precomputed::default()),
    ]
}

/// The largest N for which a method makes a dense N x N matrix (8 bytes an entry).
const MOST_DENSE: usize = 25_000;

fn check_dense(method: &'static str, points: usize) -> Result<()> {
    match points > MOST_DENSE {
        true => Err(Error::TooLarge {
            method,
            points,
            gigabytes: 8e-9 * (points as f64).powi(2),
            limit: MOST_DENSE,
        }),
        false => Ok(()),
    }
}

/// A parameter that must be positive and finite, if it is given at all.
fn check_positive(name: &'static str, value: Option<f64>) -> Result<()> {
    match value {
        Some(v) if !(v > 0.0 && v.is_finite()) => Err(Error::parameter(name, v, "positive")),
        _ => Ok(()),
    }
}
