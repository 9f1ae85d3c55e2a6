//! The cells of a sheet, and the lines of text that they would be in a CSV.

use csv::{QuoteStyle, WriterBuilder};

use super::error::{Fault, quoted};
use super::limit::{Budget, check_columns};

/// Row and column of a place such as `AB12`, counted from 1.
pub(super) fn place_of(place: &str) -> Result<(u32, u32), Fault> {
    const MOST: (u32, u32) = (1 << 20, 1 << 14);
    let digits = place.find(|c: char| c.is_ascii_digit()).unwrap_or(place.len());
    let (letters, row) = place.split_at(digits);
    let column = letters.bytes().try_fold(0u32, |column, letter| {
        let letter = letter.to_ascii_uppercase();
        letter.is_ascii_uppercase().then_some(())?;
        Some(column * 26 + u32::from(letter - b'A') + 1).filter(|column| *column <= MOST.1)
    });
    match (row.parse(), column) {
        (Ok(row @ 1..), Some(column @ 1..)) if row <= MOST.0 => Ok((row, column)),
        _ => Err(Fault::damaged(format!("a cell at {}", quoted(place)))),
    }
}

/// The cells of a sheet that hold something, row after row.
#[derive(Default)]
pub(super) struct Grid {
    /// Their rows and columns, counted from 1, and where their texts end.
    cells: Vec<(u32, u32, usize)>,
    text: String,
}

impl Grid {
    pub(super) fn push(
        &mut self,
        (row, column): (u32, u32),
        text: &str,
        budget: &mut Budget,
    ) -> Result<(), Fault> {
        const CELL: u64 = 16;
        if text.trim().is_empty() {
            return Ok(());
        }
        if self.cells.last().is_some_and(|(r, c, _)| (*r, *c) >= (row, column)) {
            return Err(Fault::damaged("cells out of order"));
        }
        budget.take(CELL + text.len() as u64)?;
        // A line of a row that has several would make the number of the next one wrong.
        self.text.extend(text.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }));
        self.cells.push((row, column, self.text.len()));
        Ok(())
    }

    /// A line for each row of the sheet, blank where the row is, with all cells in quotes.
    pub(super) fn lines(&self, mut budget: Budget) -> Result<Vec<u8>, Fault> {
        let columns = || self.cells.iter().map(|cell| cell.1);
        let Some((first, last)) = columns().min().zip(columns().max()) else {
            return Ok(Vec::new());
        };
        let width = (last - first + 1) as usize;
        check_columns(width)?;
        let writer =
            || WriterBuilder::new().quote_style(QuoteStyle::Always).from_writer(Vec::new());
        let mut lines = Vec::new();
        let (mut line, mut at) = (1, 0);
        let mut start = 0;
        while let Some(&(row, ..)) = self.cells.get(at) {
            budget.take(width as u64 * 3)?;
            lines.resize(lines.len() + (row - line) as usize, b'\n');
            let mut out = writer();
            for column in first..=last {
                let cell = self.cells.get(at).filter(|cell| (cell.0, cell.1) == (row, column));
                let text = cell.map_or("", |cell| &self.text[start..cell.2]);
                out.write_field(text).map_err(Fault::damaged)?;
                if let Some(cell) = cell {
                    (start, at) = (cell.2, at + 1);
                }
            }
            out.write_record(None::<&[u8]>).map_err(Fault::damaged)?;
            lines.append(&mut out.into_inner().map_err(Fault::damaged)?);
            line = row + 1;
        }
        Ok(lines)
    }
}
