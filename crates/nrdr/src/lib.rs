//! Non-redundant dimensionality reduction.
//!
//! Spectral methods embed points by eigenvectors of a matrix: Laplacian eigenmaps, diffusion maps,
//! LLE, Hessian LLE, LTSA, Isomap, kernel PCA, or a matrix of one's own. This crate computes them
//! exactly, fast, and with a residual beside every number.
//!
//! ```
//! use nrdr::{Ltsa, Options, datasets::SwissRoll, embed};
//!
//! let roll = SwissRoll { n: 1000, ..Default::default() }.generate(1)?;
//! let options = Options { neighbors: 12, ..Default::default() };
//! let embedding = embed(&roll.points, &Ltsa::default(), &options)?;
//! for coordinate in &embedding.coordinates {
//!     println!("eigenvalue {:.2e}, residual {:.0e}", coordinate.eigenvalue, coordinate.residual);
//! }
//! # assert!(embedding.coordinates.iter().all(|c| c.residual < 1e-10));
//! # Ok::<(), nrdr::Error>(())
//! ```
//!
//! Every result is the same, bit for bit, for any number of threads.

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]
// `!(x > 0.0)` is meant: it also catches NaN.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

pub mod catalog;
pub mod checkpoint;
pub mod datasets;
mod doubt;
pub mod eigen;
mod embedding;
mod error;
pub mod extend;
pub mod graph;
mod input;
mod linalg;
pub mod machine;
pub mod measure;
mod memory;
pub mod method;
mod metric;
mod model;
pub mod number;
pub mod parameter;
mod pca;
mod pipeline;
mod points;
mod problem;
mod progress;
mod sample;
pub mod shared;
pub mod size;
pub mod smoother;
mod stage;
pub mod strategy;
pub mod team;
mod threads;
mod warning;

pub use eigen::{Constraint, Engine, Missed, Solver, SolverKind, SolverOptions};
pub use embedding::{Coordinate, Embedding};
pub use error::{
    Difference, Error, Hint, Inextensible, Instead, Plain, Result, Vocabulary, either,
};
pub use graph::{EdgeKind, Graph, Policy, Search, Symmetry};
pub use input::{Dims, Input, Options};
pub use linalg::{LowRank, Matrix, Operator, SparseMatrix, SymmetricMatrix};
pub use measure::dimension::{Estimate, Evidence, Judge, Reason};
pub use measure::quality::{self, Quality};
pub use measure::redundancy::{
    Bandwidth, Redundancy, RedundancyOptions, redundancy, regression_curve,
};
pub use measure::remark::{Remark, remarks, should_standardize};
pub use memory::free_memory;
pub use method::each::*;
pub use method::{Data, Extension, Kernel, Method, Weights};
pub use metric::Metric;
pub use model::{Model, Nearby};
pub use pca::{Pca, pca};
pub use pipeline::{
    Best, Compared, Known, Measure, Plan, Planned, Prepared, TimeClass, best, compare, embed, fit,
};
pub use points::Points;
pub use problem::{End, Length, Problem};
pub use progress::{Observer, Progress, Watch};
pub use smoother::{Alpha, Realization, Regression, SmootherOptions};
pub use stage::Stage;
pub use strategy::each::*;
pub use strategy::{Selected, Smoothing, Strategy};
pub use threads::{start_threads, with_threads};
pub use warning::Warning;
