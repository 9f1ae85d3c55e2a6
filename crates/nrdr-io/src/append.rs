//! Tables written row after row, whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use super::error::fault;
use super::write::{Ending, Unfinished, ending_of, temporary};
use super::{IoError, npy, parquet_write};

/// Writes a table whose rows `fill` gives one after another; on any error the file stays as it was before.
pub fn write_rows<E: From<IoError>>(
    path: &Path,
    names: &[String],
    fill: impl FnOnce(&mut Rows<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let named = |fault| IoError::new(path, fault);
    let ending = check(path)?;
    let (file, target) = temporary(path).map_err(named)?;
    let _unfinished = Unfinished::new(file.path());
    let told = |error: io::Error| named(error.into());
    let format = Format::new(ending, file.as_file(), names).map_err(told)?;
    let mut rows = Rows { path, columns: names.len(), count: 0, format };
    fill(&mut rows)?;
    rows.finish().map_err(told)?;
    file.as_file().sync_all().map_err(told)?;
    file.persist(target).map_err(|error| told(error.error))?;
    Ok(())
}

/// Checks, before any work, that rows can be appended to a file of this name.
pub fn check_appendable(path: &Path) -> Result<(), IoError> {
    check(path).map(|_| ())
}

fn check(path: &Path) -> Result<Ending, IoError> {
    match ending_of(path) {
        Ok(Ending::Npz) => {
            Err(fault("cannot be written row after row", "give .csv, .tsv, .npy or .parquet"))
        }
        ending => ending,
    }
    .map_err(|fault| IoError::new(path, fault))
}

/// A table that is being written.
pub struct Rows<'f> {
    path: &'f Path,
    columns: usize,
    count: u64,
    format: Format<'f>,
}

enum Format<'f> {
    Text(Box<csv::Writer<BufWriter<&'f File>>>),
    Npy(BufWriter<&'f File>),
    Parquet(Box<parquet_write::Appending<BufWriter<&'f File>>>),
}

impl<'f> Format<'f> {
    fn new(ending: Ending, file: &'f File, names: &[String]) -> io::Result<Self> {
        let mut out = BufWriter::with_capacity(1 << 18, file);
        let separator = match ending {
            Ending::Npy => {
                npy::write_rows_header(&mut out, 0, names.len())?;
                return Ok(Format::Npy(out));
            }
            Ending::Parquet => {
                return Ok(Format::Parquet(Box::new(parquet_write::Appending::new(out, names)?)));
            }
            Ending::Tsv => b'\t',
            Ending::Csv | Ending::Npz => b',',
        };
        let mut writer = csv::WriterBuilder::new().delimiter(separator).from_writer(out);
        writer.write_record(names)?;
        Ok(Format::Text(Box::new(writer)))
    }
}

impl Rows<'_> {
    /// Appends rows, one after another; NaN is an empty field of text and a null of Parquet.
    pub fn push(&mut self, rows: &[f64]) -> Result<(), IoError> {
        self.count += (rows.len() / self.columns) as u64;
        self.append(rows).map_err(|error| IoError::new(self.path, error.into()))
    }

    fn append(&mut self, rows: &[f64]) -> io::Result<()> {
        match &mut self.format {
            Format::Npy(out) => rows.iter().try_for_each(|v| out.write_all(&v.to_le_bytes())),
            Format::Parquet(writer) => writer.push(rows),
            Format::Text(writer) => {
                let mut text = Vec::new();
                for row in rows.chunks_exact(self.columns) {
                    for value in row {
                        text.clear();
                        if !value.is_nan() {
                            write!(text, "{value:?}")?;
                        }
                        writer.write_field(&text)?;
                    }
                    writer.write_record(None::<&[u8]>)?;
                }
                Ok(())
            }
        }
    }

    fn finish(self) -> io::Result<()> {
        match self.format {
            Format::Text(mut writer) => writer.flush(),
            Format::Parquet(writer) => writer.finish(),
            // Now that the number of rows is known.
            Format::Npy(mut out) => {
                out.rewind()?;
                npy::write_rows_header(&mut out, self.count, self.columns)?;
                out.flush()
            }
        }
    }
}
