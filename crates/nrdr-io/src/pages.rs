//! Pages of Parquet, looked at before they are decoded: the decoders take for granted that
//! dictionaries come first and that lengths fit, and panic in a damaged file where they do not.

use parquet::basic::{Encoding, Type as Physical};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::schema::types::ColumnDescPtr;

/// The pages of a flat column in a group of so many rows.
pub(super) struct Pages {
    inner: Box<dyn PageReader>,
    column: ColumnDescPtr,
    rows: usize,
    dictionary: bool,
}

impl Pages {
    pub(super) fn new(inner: Box<dyn PageReader>, column: ColumnDescPtr, rows: usize) -> Self {
        Pages { inner, column, rows, dictionary: false }
    }

    /// What is wrong with a page, if anything is.
    fn check(&mut self, page: &Page) -> Result<()> {
        let damaged = |what: &str| Err(ParquetError::General(what.to_string()));
        let kind = self.column.physical_type();
        let width = usize::try_from(self.column.type_length()).unwrap_or(0);
        let optional = self.column.max_def_level() > 0;
        let bytes: &[u8] = page.buffer();
        let count = page.num_values() as usize;
        let (levels, data) = match page {
            Page::DictionaryPage { .. } => {
                self.dictionary = true;
                return if holds(bytes, count, kind, width) {
                    Ok(())
                } else {
                    damaged("a dictionary is too short")
                };
            }
            Page::DataPage { def_level_encoding, .. } if optional => {
                let length = bytes.first_chunk().map(|length| u32::from_le_bytes(*length) as usize);
                let parts = length.and_then(|length| bytes[4..].split_at_checked(length));
                match parts {
                    Some(parts) if *def_level_encoding == Encoding::RLE => parts,
                    _ => return damaged("a page has no levels"),
                }
            }
            Page::DataPage { .. } => (&[][..], bytes),
            Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
                let parts = bytes
                    .split_at_checked(*rep_levels_byte_len as usize)
                    .and_then(|(_, rest)| rest.split_at_checked(*def_levels_byte_len as usize));
                match parts {
                    Some(parts) => parts,
                    None => return damaged("a page has no levels"),
                }
            }
        };
        if count > self.rows {
            return damaged("a page has more values than its group has rows");
        }
        match page.encoding() {
            Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY if !self.dictionary => {
                damaged("a dictionary is missing")
            }
            Encoding::PLAIN | Encoding::BYTE_STREAM_SPLIT => {
                let present = if optional { present(levels, count) } else { Some(count) };
                match present {
                    Some(present) if holds(data, present, kind, width) => Ok(()),
                    _ => damaged("a page is too short"),
                }
            }
            // Their lengths cannot be checked before they are decoded. Rarely written.
            Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY => {
                Err(ParquetError::NYI("delta encoding of text".to_string()))
            }
            _ => Ok(()),
        }
    }
}

/// Whether the bytes hold `count` plain values, which take `width` bytes if the kind does not tell.
fn holds(mut bytes: &[u8], count: usize, kind: Physical, width: usize) -> bool {
    let width = match kind {
        Physical::BOOLEAN => return count.div_ceil(8) <= bytes.len(),
        Physical::INT32 | Physical::FLOAT => 4,
        Physical::INT64 | Physical::DOUBLE => 8,
        Physical::INT96 => 12,
        Physical::FIXED_LEN_BYTE_ARRAY => width.max(1),
        Physical::BYTE_ARRAY => {
            // Each text stands behind its length.
            for _ in 0..count {
                let Some((length, rest)) = bytes.split_first_chunk() else { return false };
                let Some(rest) = rest.get(u32::from_le_bytes(*length) as usize..) else {
                    return false;
                };
                bytes = rest;
            }
            return true;
        }
    };
    count <= bytes.len() / width
}

/// How many of `count` values are not null, by levels of one bit: runs of equal ones, and groups
/// of eight, each behind a number that tells which and how many.
fn present(mut levels: &[u8], count: usize) -> Option<usize> {
    let (mut seen, mut present) = (0, 0);
    while seen < count {
        let mut header = 0usize;
        for shift in (0..35).step_by(7) {
            let (byte, rest) = levels.split_first()?;
            levels = rest;
            header |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        let left = count - seen;
        if header & 1 == 0 {
            let (level, rest) = levels.split_first()?;
            levels = rest;
            let run = left.min(header >> 1);
            seen += run;
            present += run * usize::from(*level & 1);
        } else {
            let groups = (header >> 1).min(left.div_ceil(8));
            let (bits, rest) = levels.split_at_checked(groups)?;
            levels = rest;
            let run = left.min(groups * 8);
            present += (0..run).filter(|i| bits[i / 8] >> (i % 8) & 1 == 1).count();
            seen += run;
        }
        if header >> 1 == 0 {
            return None;
        }
    }
    Some(present)
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.inner.get_next_page()?;
        if let Some(page) = &page {
            self.check(page)?;
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.inner.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.inner.skip_next_page()
    }
}
