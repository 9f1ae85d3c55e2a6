//! A column of some rows of an Arrow file: buffers, of which the first tells which values are there.

use std::collections::HashMap;

use super::arrow_schema::Content;
use super::columns::text_of;
use super::error::Fault;
use super::limit::too_large;
use super::numbers::{self, Element, Kind};

/// A column of some rows.
pub(super) struct Column<'f> {
    pub(super) content: &'f Content,
    pub(super) rows: usize,
    pub(super) buffers: Vec<Vec<u8>>,
}

impl Column<'_> {
    fn part(&self, index: usize) -> &[u8] {
        self.buffers.get(index).map_or(&[], Vec::as_slice)
    }

    fn is_there(&self, row: usize) -> bool {
        // Where nothing is missing the buffer may be empty.
        self.part(0).get(row / 8).is_none_or(|byte| byte >> (row % 8) & 1 == 1)
    }

    /// The first bytes of a part, which must be as many as its rows need.
    fn rows_of(&self, index: usize, size: usize, rows: usize) -> Result<&[u8], Fault> {
        let length = rows.checked_mul(size);
        let bytes = length.and_then(|length| self.part(index).get(..length));
        bytes.ok_or_else(|| Fault::damaged("a column is shorter than its table"))
    }

    /// Gives out the number of each row, NaN where there is none.
    pub(super) fn numbers(&self, put: &mut dyn FnMut(usize, f64)) -> Result<(), Fault> {
        let values = match self.content {
            Content::Number(element) => {
                let bytes = self.rows_of(1, element.size(), self.rows)?;
                numbers::read(&mut &*bytes, *element, self.rows)?
            }
            Content::Truth => {
                let bits = self.rows_of(1, 1, self.rows.div_ceil(8))?;
                (0..self.rows).map(|row| f64::from(bits[row / 8] >> (row % 8) & 1)).collect()
            }
            _ => vec![f64::NAN; self.rows],
        };
        for (row, value) in values.into_iter().enumerate() {
            put(row, if self.is_there(row) { value } else { f64::NAN });
        }
        Ok(())
    }

    /// Gives out the text of each row, empty where there is none.
    pub(super) fn texts(
        &self,
        dictionaries: &HashMap<i64, Vec<String>>,
        put: &mut dyn FnMut(&str) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let text_at = self.text_at(dictionaries)?;
        for row in 0..self.rows {
            if self.is_there(row) { put(&text_at(row)?)? } else { put("")? }
        }
        Ok(())
    }

    fn text_at<'a>(
        &'a self,
        dictionaries: &'a HashMap<i64, Vec<String>>,
    ) -> Result<TextAt<'a>, Fault> {
        let damaged = || Fault::damaged("a text that is not there");
        let text = move |bytes: Option<&[u8]>| {
            Ok(String::from_utf8_lossy(bytes.ok_or_else(damaged)?).into_owned())
        };
        Ok(match self.content {
            Content::Text(kind) => {
                let element = Element { kind: *kind, big_endian: false };
                let bytes = self.rows_of(1, element.size(), self.rows.saturating_add(1))?;
                let ends = numbers::read(&mut &*bytes, element, self.rows + 1)?;
                Box::new(move |row| {
                    text(self.part(2).get(ends[row] as usize..ends[row + 1] as usize))
                })
            }
            Content::Views => {
                const VIEW: usize = 16;
                const LONGEST_INSIDE: usize = 12;
                let views = self.rows_of(1, VIEW, self.rows)?;
                Box::new(move |row| {
                    let view = &views[row * VIEW..][..VIEW];
                    let [length, _, part, offset]: [usize; 4] =
                        std::array::from_fn(|i| word(&view[4 * i..]) as usize);
                    if length <= LONGEST_INSIDE {
                        return text(view.get(4..4 + length));
                    }
                    let part = self.part(part.saturating_add(2));
                    text(part.get(offset..).and_then(|bytes| bytes.get(..length)))
                })
            }
            Content::Dictionary { id, codes, .. } => {
                let known = dictionaries.get(id).map_or(&[][..], Vec::as_slice);
                let bytes = self.rows_of(1, codes.size(), self.rows)?;
                let codes = numbers::read(&mut &*bytes, *codes, self.rows)?;
                Box::new(move |row| known.get(codes[row] as usize).cloned().ok_or_else(damaged))
            }
            // Identifiers may be longer than a number keeps.
            Content::Number(Element { kind: kind @ (Kind::I64 | Kind::U64), .. }) => {
                let longs = self.rows_of(1, 8, self.rows)?.as_chunks().0;
                let is_signed = *kind == Kind::I64;
                Box::new(move |row| {
                    let bytes: [u8; 8] = longs[row];
                    Ok(if is_signed {
                        i64::from_le_bytes(bytes).to_string()
                    } else {
                        u64::from_le_bytes(bytes).to_string()
                    })
                })
            }
            Content::Truth => {
                let bits = self.rows_of(1, 1, self.rows.div_ceil(8))?;
                Box::new(move |row| Ok((bits[row / 8] >> (row % 8) & 1 == 1).to_string()))
            }
            _ => {
                let mut values = vec![f64::NAN; 0];
                values.try_reserve(self.rows).map_err(|_| too_large())?;
                self.numbers(&mut |_, value| values.push(value))?;
                Box::new(move |row| Ok(text_of(values[row])))
            }
        })
    }
}

/// What tells the text of a row.
type TextAt<'a> = Box<dyn Fn(usize) -> Result<String, Fault> + 'a>;

fn word(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}
