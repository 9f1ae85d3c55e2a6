//! Files of neighbours.

use std::path::{Path, PathBuf};

use nrdr_io::{ReadOptions, Stream, invented_names};

use crate::failure::{Failure, Result};

/// Rows of a file that are on their way at a time.
const BATCH: usize = 1 << 18;
/// The files of a folder, in the order of their names.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let fail = |what: String| Failure::Neighbors {
        path: folder.to_path_buf(),
        what,
        way_out: "give a folder of .npy or .parquet files with the columns i, j, distance"
            .to_string(),
    };
    let read = std::fs::read_dir(folder).map_err(|error| fail(error.to_string()))?;
    let mut files = Vec::new();
    for entry in read {
        let path = entry.map_err(|error| fail(error.to_string()))?.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        if ["npy", "parquet"].contains(&ending.to_ascii_lowercase().as_str()) {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(fail("there are no files of neighbours".to_string()));
    }
    Ok(files)
}

/// A neighbour as a file has it: two rows of the input and their distance.
pub(super) type Entry = (u64, u64, f64);

/// One file after another.
pub(super) struct Reader<'f> {
    pub(super) files: Vec<&'f PathBuf>,
    pub(super) open: Option<Stream>,
    /// The file that is read.
    pub(super) at: usize,
}

impl Reader<'_> {
    /// Some more entries; nothing at the end of the last file.
    pub(super) fn next(&mut self, total: u64) -> Result<Option<Vec<Entry>>> {
        while let Some(&path) = self.files.get(self.at) {
            if self.open.is_none() {
                self.open = Some(open(path)?);
            }
            let piece = match &mut self.open {
                Some(stream) => stream.next(BATCH)?,
                None => None,
            };
            let Some(piece) = piece else {
                (self.open, self.at) = (None, self.at + 1);
                continue;
            };
            let rows = piece.values.chunks_exact(3).zip(piece.start..);
            let entry = |(row, at): (&[f64], usize)| {
                entry(row, total).map_err(|what| Failure::Neighbors {
                    path: path.clone(),
                    what: format!("row {}: {what}", at + 1),
                    way_out: "i and j are rows of the input, counted from 0, and distances are not negative"
                        .to_string(),
                })
            };
            return rows.map(entry).collect::<Result<Vec<_>>>().map(Some);
        }
        Ok(None)
    }
}

/// Opens a file of three columns.
fn open(path: &Path) -> Result<Stream> {
    let is_array = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npy"));
    let names = match is_array {
        true => invented_names(3, None),
        false => ["i", "j", "distance"].map(str::to_string).to_vec(),
    };
    let stream = Stream::open(path, &names, &ReadOptions::default())?;
    if is_array && !stream.left_out().is_empty() {
        return Err(Failure::Neighbors {
            path: path.to_path_buf(),
            what: format!("has {} columns", 3 + stream.left_out().len()),
            way_out: "write an array of three columns: i, j, distance".to_string(),
        });
    }
    Ok(stream)
}

/// A row of a file, or what is wrong with it.
fn entry(row: &[f64], total: u64) -> std::result::Result<Entry, String> {
    let point = |name: &str, value: f64| {
        if value >= 0.0 && value < total as f64 && value.fract() == 0.0 {
            Ok(value as u64)
        } else {
            Err(format!("{name} is {value}, and there are the rows 0 to {}", total - 1))
        }
    };
    let (i, j) = (point("i", row[0])?, point("j", row[1])?);
    if i == j {
        return Err(format!("point {i} is its own neighbour"));
    }
    if !(row[2] >= 0.0 && row[2].is_finite()) {
        return Err(format!("the distance is {}", row[2]));
    }
    Ok((i, j, row[2]))
}
