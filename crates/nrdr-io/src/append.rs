//! Tables written row after row, whole or not at all.

use std::io::{self, Seek, Write};
use std::path::Path;

use nrdr_write::{Out, Outputs, WriteError};

use super::csv::of_system;
use super::write::{Ending, ending_of};
use super::{npy, parquet_write};

/// Makes a table whose rows `fill` gives one after another.
pub fn add_rows<E: From<WriteError>>(
    outputs: &mut Outputs,
    path: &Path,
    names: &[String],
    fill: impl FnOnce(&mut RowWriter<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let ending = check(path)?;
    let file = outputs.begin(path)?;
    let system = |error: io::Error| WriteError::of_system(path, &error);
    let format = Format::new(ending, file.out(), names).map_err(system)?;
    let mut rows = RowWriter { path, columns: names.len(), count: 0, format };
    fill(&mut rows)?;
    rows.finish().map_err(system)?;
    Ok(outputs.end(file)?)
}

/// Checks, before any work, that rows can be appended to a file of this name.
pub fn check_appendable(path: &Path) -> Result<(), WriteError> {
    check(path).map(|_| ())
}

fn check(path: &Path) -> Result<Ending, WriteError> {
    match ending_of(path)? {
        Ending::Npz => {
            let way_out = "give .csv, .tsv, .npy or .parquet";
            Err(WriteError::new(path, "cannot be written row after row", way_out))
        }
        ending => Ok(ending),
    }
}

/// Rows of numbers as text, wherever that goes.
pub struct TextRows<W: Write> {
    writer: Box<csv::Writer<W>>,
    columns: usize,
}

impl<W: Write> TextRows<W> {
    /// Begins with the names of the columns, separated like the numbers.
    pub fn new(out: W, separator: u8, names: &[String]) -> io::Result<Self> {
        let mut writer = csv::WriterBuilder::new().delimiter(separator).from_writer(out);
        writer.write_record(names).map_err(of_system)?;
        Ok(TextRows { writer: Box::new(writer), columns: names.len() })
    }

    /// Appends rows, one after another; NaN is an empty field.
    pub fn push(&mut self, rows: &[f64]) -> io::Result<()> {
        let mut text = Vec::new();
        for row in rows.chunks_exact(self.columns) {
            for value in row {
                text.clear();
                if !value.is_nan() {
                    write!(text, "{value:?}")?;
                }
                self.writer.write_field(&text).map_err(of_system)?;
            }
            self.writer.write_record(None::<&[u8]>).map_err(of_system)?;
        }
        Ok(())
    }

    /// All of it goes out.
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// A table that is being written.
pub struct RowWriter<'f> {
    path: &'f Path,
    columns: usize,
    count: u64,
    format: Format<'f>,
}

enum Format<'f> {
    Text(TextRows<Out<'f>>),
    Npy(Out<'f>),
    Parquet(Box<parquet_write::Appending<Out<'f>>>),
}

impl<'f> Format<'f> {
    fn new(ending: Ending, mut out: Out<'f>, names: &[String]) -> io::Result<Self> {
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
        Ok(Format::Text(TextRows::new(out, separator, names)?))
    }
}

impl RowWriter<'_> {
    /// Appends rows, one after another; NaN is an empty field of text and a null of Parquet.
    pub fn push(&mut self, rows: &[f64]) -> Result<(), WriteError> {
        self.count += (rows.len() / self.columns) as u64;
        self.append(rows).map_err(|error| WriteError::of_system(self.path, &error))
    }

    fn append(&mut self, rows: &[f64]) -> io::Result<()> {
        match &mut self.format {
            Format::Npy(out) => rows.iter().try_for_each(|v| out.write_all(&v.to_le_bytes())),
            Format::Parquet(writer) => writer.push(rows),
            Format::Text(writer) => writer.push(rows),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self.format {
            Format::Text(writer) => writer.finish(),
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
