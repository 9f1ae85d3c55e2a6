//! Parquet written: columns of 64-bit numbers and of texts, packed by Snappy; NaN is null.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::write::Column;

/// Rows in a group.
const GROUP: usize = 1 << 20;

/// Writes columns.
pub(super) fn write(
    out: &mut (impl Write + Send),
    names: &[String],
    columns: &[Column<'_>],
) -> io::Result<()> {
    let kinds = columns.iter().map(|column| matches!(column, Column::Texts(_)));
    let mut writer = new_writer(out, names.iter().zip(kinds)).map_err(failed)?;
    let rows = columns.first().map_or(0, Column::len);
    for start in (0..rows).step_by(GROUP) {
        let span = start..rows.min(start + GROUP);
        let part = |column: &Column<'_>| match column {
            Column::Numbers(values) => Part::Numbers(values[span.clone()].to_vec()),
            Column::Texts(texts) => {
                let texts = texts[span.clone()].iter();
                Part::Texts(texts.map(|text| text.as_bytes().to_vec().into()).collect())
            }
        };
        let parts: Vec<Part> = columns.iter().map(part).collect();
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

/// A writer of columns of these names; the second is whether one holds texts.
fn new_writer<'n, W: Write + Send>(
    out: W,
    columns: impl Iterator<Item = (&'n String, bool)>,
) -> Result<SerializedFileWriter<W>, ParquetError> {
    let mut fields = Vec::new();
    for (name, is_text) in columns {
        let field = if is_text {
            let field = Type::primitive_type_builder(name, Physical::BYTE_ARRAY);
            field.with_logical_type(Some(LogicalType::String))
        } else {
            Type::primitive_type_builder(name, Physical::DOUBLE)
        };
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

/// The rows of a column that stand in one group.
enum Part {
    Numbers(Vec<f64>),
    Texts(Vec<ByteArray>),
}

fn write_group<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    columns: &[Part],
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for column in columns {
        let Some(mut writer) = group.next_column()? else { continue };
        match column {
            Part::Numbers(values) => {
                let there = |value: &f64| i16::from(!value.is_nan());
                let levels: Vec<i16> = values.iter().map(there).collect();
                let present: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
                writer.typed::<DoubleType>().write_batch(&present, Some(&levels), None)?;
            }
            Part::Texts(texts) => {
                let levels = vec![1; texts.len()];
                writer.typed::<ByteArrayType>().write_batch(texts, Some(&levels), None)?;
            }
        }
        writer.close()?;
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
        let numbers = names.iter().map(|name| (name, false));
        let writer = new_writer(out, numbers).map_err(failed)?;
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
        let parts = self.columns.iter_mut().map(|column| Part::Numbers(std::mem::take(column)));
        write_group(&mut self.writer, &parts.collect::<Vec<_>>()).map_err(failed)
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.columns.first().is_some_and(|column| !column.is_empty()) {
            self.write_group()?;
        }
        self.writer.close().map_err(failed)?;
        Ok(())
    }
}
