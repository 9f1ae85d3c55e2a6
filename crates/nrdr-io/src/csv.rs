//! Tables in text: CSV, TSV, columns between blanks, and what spreadsheets make where the comma is the decimal sign.
//!
//! The file is read once, row after row, and numbers go straight to their place, so that no more
//! than the table is in memory. Whether a column is numbers or text is decided by a sample of the
//! first rows.

use std::io::{self, BufReader, Cursor, Read, Write};

use csv::{ErrorKind, Position, ReaderBuilder, StringRecord, Terminator, WriterBuilder};

use super::advice::{Advice, ReadOption, advice};
use super::blanks::Blanks;
use super::cells::Cells;
use super::columns::{invented_names, roles};
use super::encoding::{self, Decoded, Guessed};
use super::error::{Fault, fault};
use super::guess::{First, Row, first_row, has_decimal_commas};
use super::limit::{self, Budget, RowBegun, check_columns, endless};
use super::rows::Rows;
use super::separator::Separator;
use super::shape::Shape;
use super::start::Start;
use super::wanted::Choose;
use super::write::Column;
use super::{Decimal, Header, ReadOptions, Table};

/// The sample ends after so many rows or, if they are long, so many bytes.
const SAMPLE_ROWS: usize = 1000;
const SAMPLE_BYTES: usize = 16 << 20;

/// Reads a table whose fields are probably separated by tabs, or else by commas.
pub(super) fn read(
    input: impl Read,
    tabs: bool,
    options: &ReadOptions,
    budget: Budget,
) -> Result<Table, Fault> {
    let mut text = Text::new(input, tabs, options, budget, &mut |names, _| roles(names, options))?;
    text.fill(usize::MAX)?;
    let notes = text.notes();
    text.rows.finish(options, notes)
}

/// The first lines, which were looked at, and the rest.
type Whole<R> = io::Chain<Cursor<Vec<u8>>, BufReader<Decoded<R>>>;

/// A table of which some rows may be yet to come.
pub(super) struct Text<R> {
    source: Source<Whole<R>>,
    record: StringRecord,
    /// Rows that were read to learn what the columns are.
    sample: std::vec::IntoIter<Row>,
    shape: Shape,
    rows: Rows,
    /// What was decided and might be wrong.
    notes: Vec<Advice>,
    guessed: Guessed,
}

impl<R: Read> Text<R> {
    /// Opens a table; what is kept of its rows is taken from the budget.
    pub(super) fn new(
        input: R,
        tabs: bool,
        options: &ReadOptions,
        budget: Budget,
        choose: Choose<'_>,
    ) -> Result<Self, Fault> {
        let guessed = Guessed::default();
        let input = Decoded::new(input, options.encoding.as_deref(), guessed.clone())?;
        let mut input = BufReader::with_capacity(1 << 16, input);
        let mut start = Start::read(&mut input, tabs, options)?;
        let separator = start.separator;
        check_columns(separator.count(&start.text))?;
        let text = Cursor::new(std::mem::take(&mut start.text)).chain(input);
        let mut source = Source::new(text, separator, start.before);

        let mut record = StringRecord::new();
        let mut sample = Vec::new();
        let mut bytes = 0;
        while sample.len() < SAMPLE_ROWS && bytes < SAMPLE_BYTES && source.next(&mut record)? {
            bytes += record.as_slice().len() + 8 * record.len();
            sample.push((record.clone(), source.line));
        }
        if sample.is_empty() {
            return Err(fault("is empty", "check that the file is the right one"));
        }
        let (shape, odd) = Shape::of(&mut sample, options)?;
        let mut cells = Cells::new(&options.na);
        cells.decimal_comma = match options.decimal {
            Decimal::Auto => has_decimal_commas(&sample, separator),
            Decimal::Comma => true,
            Decimal::Point => false,
        };
        // A comment can name the columns if the row behind it does not.
        let comment = start.named.as_ref().filter(|_| options.header != Header::No);
        let comment = comment.map(|(names, _)| names).filter(|names| names.len() == shape.columns);
        let kind = if comment.is_some() && options.header == Header::Yes {
            first_row(&sample, &cells, Header::Auto).unwrap_or(First::Names)
        } else {
            first_row(&sample, &cells, options.header)?
        };
        let header = match kind {
            First::Point => comment.cloned(),
            First::Names | First::NumberedNames => Some(sample.remove(0).0),
        };
        let mut names = invented_names(shape.columns, None);
        for (name, given) in names.iter_mut().zip(header.iter().flatten()) {
            if !given.trim().is_empty() {
                *name = given.trim().to_string();
            }
        }
        let told = start.note(kind == First::Point && header.is_some());
        let mut notes: Vec<Advice> = told.into_iter().chain(start.doubt).chain(odd).collect();
        if kind == First::NumberedNames {
            let note = "the first line is taken for names of columns, though it has numbers";
            let note = advice(note).text(" (").set(ReadOption::Header, "no");
            notes.push(note.text(" takes it for a point)"));
        }
        let rows = Rows::new(names, &sample, cells, shape.names_rows, options, budget, choose)?;
        Ok(Text { source, record, sample: sample.into_iter(), shape, rows, notes, guessed })
    }

    /// What was decided and might be wrong, as far as the table is read.
    pub(super) fn notes(&self) -> Vec<Advice> {
        self.guessed.note().into_iter().chain(self.notes.iter().cloned()).collect()
    }

    /// Reads rows until there are `most`, or all.
    fn fill(&mut self, most: usize) -> Result<(), Fault> {
        let end = self.rows.count().saturating_add(most);
        while self.rows.count() < end {
            if let Some((record, line)) = self.sample.next() {
                self.rows.push(&record, line)?;
            } else if self.source.next(&mut self.record)? {
                self.shape.check(&self.record, self.source.line)?;
                self.rows.push(&self.record, self.source.line)?;
            } else {
                break;
            }
        }
        Ok(())
    }

    /// The next rows, at most `most`, row after row; none when there are no more.
    pub(super) fn next(&mut self, most: usize) -> Result<Vec<f64>, Fault> {
        self.fill(most)?;
        Ok(self.rows.take_values())
    }
}

/// The rows of the text and the line at which each ends.
struct Source<R> {
    reader: csv::Reader<io::Chain<limit::BoundedRows<Blanks<R>>, &'static [u8]>>,
    line: u64,
    /// Lines before the first row.
    skipped: u64,
    begun: RowBegun,
}

impl<R: Read> Source<R> {
    fn new(input: R, separator: Separator, skipped: u64) -> Self {
        let begun = RowBegun::default();
        let input = Blanks::new(input, separator == Separator::Blank);
        let input = limit::BoundedRows::new(input, begun.clone());
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator.sign())
            .buffer_capacity(1 << 16)
            // The reader counts line feeds, and where lines end in two characters it would be in
            // between. This way the first of them is a blank at the end of the last field.
            .terminator(Terminator::Any(b'\n'))
            .from_reader(input.chain(b"\n".as_slice()));
        Source { reader, line: 0, skipped, begun }
    }

    fn next(&mut self, record: &mut StringRecord) -> Result<bool, Fault> {
        loop {
            let first_line = self.skipped + self.reader.position().line();
            self.begun.at(self.reader.position().byte());
            let before = self.reader.position().clone();
            let found = self.reader.read_record(record);
            self.line = self.skipped + self.reader.position().line() - 1;
            if let Err(error) = &found
                && let ErrorKind::Io(error) = error.kind()
                && error.kind() == io::ErrorKind::FileTooLarge
            {
                return Err(endless(Some(first_line)));
            }
            if !found.map_err(|error| self.broken(error))? {
                return Ok(false);
            }
            if record.len() == 1 && record[0].trim().is_empty() && self.is_bare(&before, &record[0])
            {
                continue; // a blank line
            }
            return Ok(true);
        }
    }

    /// Whether the only field of a row stands there without quotes: in quotes it is a missing value, not a blank line.
    /// Empty lines before it have been passed over, a line feed each.
    fn is_bare(&self, before: &Position, field: &str) -> bool {
        let after = self.reader.position();
        let lines = after.line() - before.line();
        after.byte() - before.byte() == lines + field.len() as u64
    }

    fn broken(&self, error: csv::Error) -> Fault {
        match error.into_kind() {
            // The line that is being read.
            ErrorKind::Io(error) => encoding::fault_at(error, self.line + 1),
            ErrorKind::Utf8 { .. } => {
                fault(format!("line {} is not UTF-8", self.line), encoding::save_or_say())
            }
            _ => Fault::damaged("not a table"),
        }
    }
}

/// Writes a header and the columns; a number is the shortest text that reads as the same bits,
/// and NaN is an empty field.
pub(super) fn write(
    out: &mut impl Write,
    separator: u8,
    names: &[String],
    columns: &[Column<'_>],
) -> io::Result<()> {
    let mut writer = WriterBuilder::new().delimiter(separator).from_writer(out);
    writer.write_record(names).map_err(of_system)?;
    let mut text = Vec::new();
    for row in 0..columns.first().map_or(0, Column::len) {
        for column in columns {
            text.clear();
            match column {
                Column::Texts(texts) => text.extend_from_slice(texts[row].as_bytes()),
                Column::Numbers(values) if values[row].is_nan() => {}
                Column::Numbers(values) => write!(text, "{:?}", values[row])?,
            }
            writer.write_field(&text).map_err(of_system)?;
        }
        writer.write_record(None::<&[u8]>).map_err(of_system)?;
    }
    writer.flush()
}

/// What the system said, with the kind of its error.
pub(super) fn of_system(error: csv::Error) -> io::Error {
    match error.into_kind() {
        ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
