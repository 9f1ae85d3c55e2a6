//! Labels of a MAT file: vectors of numbers, matrices of characters with a label a row, and cell arrays of texts.

use std::io::Read;

use super::advice::advice;
use super::error::{Fault, fault};
use super::labels::{Labels, vector_of};
use super::limit::{Budget, DISTINCT};
use super::mat::{Array, MatReader};
use super::numbers;

const CELLS: u8 = 1;
const CHARACTERS: u8 = 4;

impl MatReader<'_> {
    /// The labels of an array whose head has been read, in a file of so many bytes.
    pub(super) fn labels(
        &mut self,
        array: &Array,
        length: u64,
        mut budget: Budget,
    ) -> Result<Labels, Fault> {
        match array.class {
            CHARACTERS => Ok(Labels::Texts(self.rows_of_text(array, &mut budget)?)),
            CELLS => {
                let count = vector_of(&array.name, &array.sizes)?;
                let mut texts = Vec::new();
                for _ in 0..count {
                    texts.push(self.cell(array, &mut budget)?);
                }
                Ok(Labels::Texts(texts))
            }
            _ => {
                array.check_real().map_err(|_| not_labels(array))?;
                vector_of(&array.name, &array.sizes)?;
                let (element, count) = self.count(array, length)?;
                budget.array(count, 1)?;
                Ok(Labels::Numbers(numbers::read(&mut self.inner, element, count)?))
            }
        }
    }

    /// The text in a cell.
    fn cell(&mut self, array: &Array, budget: &mut Budget) -> Result<String, Fault> {
        const MATRIX: u32 = 14;
        match self.tag()? {
            // What no one filled.
            (MATRIX, 0, _) => Ok(String::new()),
            (MATRIX, _, false) => {
                let inside = self.head()?.filter(|inside| inside.class == CHARACTERS);
                let inside = inside.ok_or_else(|| not_labels(array))?;
                Ok(self.rows_of_text(&inside, budget)?.pop().unwrap_or_default())
            }
            _ => Err(Fault::damaged("a cell that is no array")),
        }
    }

    /// The rows of a matrix of characters, which lie column after column.
    fn rows_of_text(&mut self, array: &Array, budget: &mut Budget) -> Result<Vec<String>, Fault> {
        let damaged = || Fault::damaged(format!("the characters of {}", array.label()));
        let [rows, columns] = *array.sizes.as_slice() else {
            return Err(not_labels(array));
        };
        let (kind, size, short) = self.tag()?;
        let filled = if short { 4 } else { u64::from(size).next_multiple_of(8) };
        budget.take(u64::from(size).saturating_mul(4).saturating_add(DISTINCT * rows as u64))?;
        let mut bytes = Vec::new();
        self.inner.by_ref().take(filled).read_to_end(&mut bytes)?;
        if bytes.len() < size as usize {
            return Err(damaged());
        }
        bytes.truncate(size as usize);
        let letters: Vec<char> = match kind {
            // Characters of two bytes, and of one.
            4 | 17 => {
                let unit = |bytes: &[u8; 2]| {
                    if self.big_endian {
                        u16::from_be_bytes(*bytes)
                    } else {
                        u16::from_le_bytes(*bytes)
                    }
                };
                let units = bytes.as_chunks().0.iter().map(unit);
                char::decode_utf16(units)
                    .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
                    .collect()
            }
            1 | 2 | 16 => String::from_utf8_lossy(&bytes).chars().collect(),
            _ => return Err(damaged()),
        };
        if rows.checked_mul(columns) != Some(letters.len()) {
            return Err(damaged());
        }
        let row = |i: usize| letters.iter().skip(i).step_by(rows).collect::<String>();
        // A text of no letters has no rows either.
        Ok((0..rows).map(row).map(|text| text.trim_end().to_string()).collect())
    }
}

fn not_labels(array: &Array) -> Fault {
    let way_out =
        advice("give a vector of numbers, characters, or a cell array of texts (cellstr)");
    fault(format!("{} holds no labels", array.label()), way_out)
}
