//! Tables written by the ending of their names.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use nrdr_write::{Outputs, WriteError};

use super::{RangedKind, csv, npy, npz, parquet_write};

/// A column of a table that is written.
#[derive(Clone, Debug)]
pub enum Column<'c> {
    /// Numbers; NaN is an empty field of text and a null of Parquet.
    Numbers(Cow<'c, [f64]>),
    /// Texts.
    Texts(Vec<&'c str>),
}

impl Column<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            Column::Numbers(values) => values.len(),
            Column::Texts(texts) => texts.len(),
        }
    }
}

impl<'c> From<&'c [f64]> for Column<'c> {
    fn from(values: &'c [f64]) -> Self {
        Column::Numbers(Cow::Borrowed(values))
    }
}

impl From<Vec<f64>> for Column<'_> {
    fn from(values: Vec<f64>) -> Self {
        Column::Numbers(Cow::Owned(values))
    }
}

/// Makes a table by the ending of its name: `.csv`, `.tsv`, `.npy`, `.npz` or `.parquet`. All of
/// them keep each bit of the numbers; of texts `.npy` can hold none, and `.npz` has them as arrays of their own.
pub fn add_table(
    outputs: &mut Outputs,
    path: &Path,
    names: &[String],
    columns: &[Column<'_>],
) -> Result<(), WriteError> {
    let rows = columns.first().map_or(0, Column::len);
    let text = names.iter().zip(columns).find(|(_, column)| matches!(column, Column::Texts(_)));
    if let Some((name, _)) = text {
        check_texts(path, name)?;
    }
    if names.len() != columns.len() || columns.iter().any(|column| column.len() != rows) {
        let way_out = "give each a name and equal lengths";
        return Err(WriteError::new(path, "would have uneven columns", way_out));
    }
    let ending = ending_of(path)?;
    outputs.add(path, |out| match ending {
        Ending::Csv => csv::write(out, b',', names, columns),
        Ending::Tsv => csv::write(out, b'\t', names, columns),
        Ending::Npy => npy::write(out, columns),
        Ending::Npz => npz::write(out, names, columns),
        Ending::Parquet => parquet_write::write(out, names, columns),
    })
}

/// Checks, before any work, that a table of this name can hold the texts of a column.
pub fn check_texts(path: &Path, column: &str) -> Result<(), WriteError> {
    match ending_of(path)? {
        Ending::Npy => {
            let what = format!("cannot hold the texts of column {column:?}");
            Err(WriteError::new(path, &what, "give .csv, .tsv, .npz or .parquet"))
        }
        _ => Ok(()),
    }
}

/// Writes a table as CSV, wherever that goes; columns have equal lengths.
pub fn write_csv(
    out: &mut impl io::Write,
    names: &[String],
    columns: &[Column<'_>],
) -> io::Result<()> {
    csv::write(out, b',', names, columns)
}

/// Writes a table of numbers as one that [`Ranged`](crate::Ranged) reads, wherever that goes; columns have equal lengths.
pub fn write_ranged(
    out: &mut (impl io::Write + Send),
    kind: RangedKind,
    names: &[String],
    columns: &[Column<'_>],
) -> io::Result<()> {
    match kind {
        RangedKind::Npy => npy::write(out, columns),
        RangedKind::Parquet => parquet_write::write(out, names, columns),
    }
}

/// Writes one table, alone; see [`add_table`].
pub fn write_table(
    path: &Path,
    names: &[String],
    columns: &[Column<'_>],
) -> Result<(), WriteError> {
    let mut outputs = Outputs::default();
    add_table(&mut outputs, path, names, columns)?;
    outputs.commit()
}

/// Checks, before any work, that the name is one of a table.
pub fn check_ending(path: &Path) -> Result<(), WriteError> {
    ending_of(path).map(|_| ())
}

/// Endings of tables that are written.
pub const WRITTEN: [&str; 5] = [".csv", ".tsv", ".npy", ".npz", ".parquet"];

pub(super) enum Ending {
    Csv,
    Tsv,
    Npy,
    Npz,
    Parquet,
}

pub(super) fn ending_of(path: &Path) -> Result<Ending, WriteError> {
    match path.extension().unwrap_or_default().to_ascii_lowercase().to_str() {
        Some("csv") => Ok(Ending::Csv),
        Some("tsv") => Ok(Ending::Tsv),
        Some("npy") => Ok(Ending::Npy),
        Some("npz") => Ok(Ending::Npz),
        Some("parquet") => Ok(Ending::Parquet),
        _ => Err(WriteError::new(
            path,
            "has no ending of a table that can be written",
            "give .csv, .tsv, .npy, .npz or .parquet",
        )),
    }
}
