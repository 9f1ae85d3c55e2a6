//! A sparse symmetric matrix whose rows are spread over the members of a team.

use crate::shared::Rows;

/// The own rows of a matrix, one after another.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedCsr {
    /// Who has which rows.
    pub rows: Rows,
    /// Where the entries of each own row begin, and where those of the last one end.
    pub offsets: Vec<usize>,
    /// The column of each entry, counted over all rows: ascending in a row, the diagonal always there.
    pub columns: Vec<u64>,
    /// The value of each entry.
    pub values: Vec<f64>,
}
