//! Linear algebra: symmetric matrices, products of tall ones, small dense ones, and long vectors.

mod assemble;
mod dense;
pub(crate) mod low_rank;
mod matrix;
pub(crate) mod nystrom;
pub(crate) mod pivots;
pub(crate) mod reduce;
pub(crate) mod small;
mod sparse;
pub(crate) mod tall;
pub(crate) mod vector;

pub use dense::SymmetricMatrix;
pub use low_rank::LowRank;
pub use matrix::{Matrix, Operator};
pub(crate) use matrix::{check_entry, largest_entry};
pub use sparse::SparseMatrix;
