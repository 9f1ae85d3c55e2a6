//! Tables written by the ending of their names.

use std::path::Path;

use nrdr_write::{Outputs, WriteError};

use super::{csv, npy, npz, parquet_write};

/// Makes a table by the ending of its name: `.csv`, `.tsv`, `.npy`, `.npz` or `.parquet`. All of
/// them keep each bit of the numbers; NaN is an empty field of text and a null of Parquet.
pub fn add_table(
    outputs: &mut Outputs,
    path: &Path,
    names: &[String],
    columns: &[&[f64]],
) -> Result<(), WriteError> {
    let rows = columns.first().map_or(0, |column| column.len());
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

/// Writes one table, alone; see [`add_table`].
pub fn write_table(path: &Path, names: &[String], columns: &[&[f64]]) -> Result<(), WriteError> {
    let mut outputs = Outputs::default();
    add_table(&mut outputs, path, names, columns)?;
    outputs.commit()
}

/// Checks, before any work, that the name is one of a table.
pub fn check_ending(path: &Path) -> Result<(), WriteError> {
    ending_of(path).map(|_| ())
}

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
