//! Arrays of records in HDF5: each entry has a field for each column of a table, and a field may hold several numbers.

use hdf5_reader::messages::datatype::CompoundField;
use hdf5_reader::{Dataset, Datatype, StringSize};

use super::advice::with_variable;
use super::error::{Fault, fault, quoted};
use super::h5ad_frame::told;
use super::hdf5::{Source, broken, number_of, sizes_of};
use super::numbers;

/// An array of records that is read.
pub(super) struct Records {
    fields: Vec<CompoundField>,
    /// Bytes of a record.
    size: usize,
    bytes: Vec<u8>,
}

impl Records {
    pub(super) fn read(source: &Source, array: &Dataset) -> Result<Self, Fault> {
        let sizes = sizes_of(array)?;
        let (Datatype::Compound { size, fields }, [rows]) = (array.dtype(), sizes.as_slice())
        else {
            let what = format!("{} is no array of records", quoted(array.name()));
            return Err(fault(what, with_variable("choose another")));
        };
        let size = *size as usize;
        let expected = rows.checked_mul(size).ok_or_else(|| Fault::damaged("its size"))?;
        source.budget().take(expected as u64)?;
        let bytes = array.read_raw_bytes().map_err(broken)?;
        if size == 0 || bytes.len() != expected {
            return Err(Fault::damaged(format!("{} bytes of {expected}", bytes.len())));
        }
        Ok(Records { fields: fields.clone(), size, bytes })
    }

    /// The names of the fields, in their order.
    pub(super) fn names(&self) -> Vec<String> {
        self.fields.iter().map(|field| field.name.clone()).collect()
    }

    /// Whether a field holds texts, or true and false.
    pub(super) fn is_text(&self, name: &str) -> bool {
        let field = self.fields.iter().find(|field| field.name == name);
        field.is_some_and(|field| {
            matches!(field.datatype, Datatype::String { .. } | Datatype::Enum { .. })
        })
    }

    fn field(&self, name: &str) -> Result<&CompoundField, Fault> {
        let field = self.fields.iter().find(|field| field.name == name);
        field.ok_or_else(|| Fault::damaged(format!("{name} is lost")))
    }

    /// The bytes of a field of so many, record after record.
    fn parts(&self, field: &CompoundField, width: usize) -> Result<Vec<&[u8]>, Fault> {
        let start = field.byte_offset as usize;
        let part = |record| <[u8]>::get(record, start..start.saturating_add(width));
        let parts: Option<Vec<&[u8]>> = self.bytes.chunks_exact(self.size).map(part).collect();
        parts.ok_or_else(|| Fault::damaged(format!("{} lies beyond its record", field.name)))
    }

    /// The numbers of a field, record after record, and how many there are in each.
    pub(super) fn numbers(&self, name: &str) -> Result<(Vec<f64>, usize), Fault> {
        let field = self.field(name)?;
        let (element, count) = match &field.datatype {
            Datatype::Array { base, dims } => {
                let count = dims.iter().try_fold(1_u64, |count, size| count.checked_mul(*size));
                let count = count.and_then(|count| usize::try_from(count).ok());
                (number_of(base), count.ok_or_else(|| Fault::damaged("its size"))?)
            }
            single => (number_of(single), 1),
        };
        let element = element.ok_or_else(|| {
            let what = format!("{} does not hold real numbers", quoted(name));
            fault(what, "choose another")
        })?;
        let width = element.size().saturating_mul(count);
        let bytes = self.parts(field, width)?.concat();
        let values = numbers::read(&mut bytes.as_slice(), element, bytes.len() / element.size())?;
        Ok((values, count))
    }

    /// The texts of a field, or its numbers as texts.
    pub(super) fn texts(&self, name: &str) -> Result<Vec<String>, Fault> {
        let field = self.field(name)?;
        match &field.datatype {
            Datatype::String { size: StringSize::Fixed(width), .. } => {
                let text = |bytes: &[u8]| {
                    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
                    String::from_utf8_lossy(&bytes[..end]).into_owned()
                };
                Ok(self.parts(field, *width as usize)?.into_iter().map(text).collect())
            }
            kind => {
                let is_truth = matches!(kind, Datatype::Enum { .. });
                let (values, count) = self.numbers(name)?;
                if count != 1 {
                    let what = format!("{} holds several numbers for each row", quoted(name));
                    return Err(fault(what, "choose another column"));
                }
                Ok(values.into_iter().map(|value| told(value, is_truth)).collect())
            }
        }
    }
}
