//! Parquet written: columns of 64-bit numbers, packed by Snappy; NaN is null.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, Repetition, Type as Physical};
use parquet::data_type::DoubleType;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

/// Rows in a group.
const GROUP: usize = 1 << 20;

/// Writes columns.
pub(super) fn write(
    out: &mut (impl Write + Send),
    names: &[String],
    columns: &[&[f64]],
) -> io::Result<()> {
    let mut writer = new_writer(out, names).map_err(failed)?;
    let rows = columns.first().map_or(0, |column| column.len());
    for start in (0..rows).step_by(GROUP) {
        let end = rows.min(start + GROUP);
        let parts: Vec<&[f64]> = columns.iter().map(|column| &column[start..end]).collect();
        write_group(&mut writer, &parts).map_err(failed)?;
    }
    writer.close().map_err(failed)?;
    Ok(())
}

fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

fn new_writer<W: Write + Send>(
    out: W,
    names: &[String],
) -> Result<SerializedFileWriter<W>, ParquetError> {
    let mut fields = Vec::new();
    for name in names {
        let field = Type::primitive_type_builder(name, Physical::DOUBLE);
        fields.push(Arc::new(field.with_repetition(Repetition::OPTIONAL).build()?));
    }
    let schema = Arc::new(Type::group_type_builder("schema").with_fields(fields).build()?);
    // Coordinates hardly repeat: a dictionary of them would only cost time.
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .build();
    SerializedFileWriter::new(out, schema, Arc::new(properties))
}

fn write_group<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    columns: &[&[f64]],
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for column in columns {
        let levels: Vec<i16> = column.iter().map(|value| i16::from(!value.is_nan())).collect();
        let present: Vec<f64> = column.iter().copied().filter(|v| !v.is_nan()).collect();
        if let Some(mut writer) = group.next_column()? {
            writer.typed::<DoubleType>().write_batch(&present, Some(&levels), None)?;
            writer.close()?;
        }
    }
    group.close()?;
    Ok(())
}

/// Rows that are written as they come.
pub(super) struct Appending<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<Vec<f64>>,
}

impl<W: Write + Send> Appending<W> {
    pub(super) fn new(out: W, names: &[String]) -> io::Result<Self> {
        let writer = new_writer(out, names).map_err(failed)?;
        Ok(Appending { writer, columns: vec![Vec::new(); names.len()] })
    }

    pub(super) fn push(&mut self, rows: &[f64]) -> io::Result<()> {
        for row in rows.chunks_exact(self.columns.len()) {
            self.columns.iter_mut().zip(row).for_each(|(column, value)| column.push(*value));
        }
        if self.columns.first().is_some_and(|column| column.len() >= GROUP / 8) {
            self.write_group()
        } else {
            Ok(())
        }
    }

    fn write_group(&mut self) -> io::Result<()> {
        let columns: Vec<&[f64]> = self.columns.iter().map(Vec::as_slice).collect();
        write_group(&mut self.writer, &columns).map_err(failed)?;
        self.columns.iter_mut().for_each(Vec::clear);
        Ok(())
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.columns.first().is_some_and(|column| !column.is_empty()) {
            self.write_group()?;
        }
        self.writer.close().map_err(failed)?;
        Ok(())
    }
}
