//! Tables in text: CSV, TSV, and what spreadsheets make where the comma is the decimal sign.
//!
//! The file is read once, row after row, and numbers go straight to their place, so that no more
//! than the table is in memory. Whether a column is numbers or text is decided by a sample of the
//! first rows.

use std::io::{self, BufRead, BufReader, Cursor, Read, Write};

use csv::{ErrorKind, Position, ReaderBuilder, StringRecord, Terminator, WriterBuilder};

use super::advice::{Advice, ReadOption, advice};
use super::cells::Cells;
use super::columns::{invented_names, roles};
use super::error::{Fault, fault};
use super::guess::{First, Row, fields, first_row, has_decimal_commas, separator_of};
use super::limit::{self, Budget, RowBegun, check_columns, endless};
use super::rows::Rows;
use super::wanted::Choose;
use super::write::Column;
use super::{ReadOptions, Table};

/// The sample ends after so many rows or, if they are long, so many bytes.
const SAMPLE_ROWS: usize = 1000;
const SAMPLE_BYTES: usize = 16 << 20;

/// Reads a table whose fields are separated by tabs, or by commas or semicolons.
pub(super) fn read(
    input: impl Read,
    tabs: bool,
    options: &ReadOptions,
    budget: Budget,
) -> Result<Table, Fault> {
    let mut text = Text::new(input, tabs, options, budget, &mut |names, _| roles(names, options))?;
    text.fill(usize::MAX)?;
    text.rows.finish(options, text.notes)
}

/// The first lines, which were looked at, and the rest.
type Whole<R> = io::Chain<Cursor<Vec<u8>>, BufReader<limit::BoundedRows<R>>>;

/// A table of which some rows may be yet to come.
pub(super) struct Text<R> {
    source: Source<Whole<R>>,
    record: StringRecord,
    /// Rows that were read to learn what the columns are.
    sample: std::vec::IntoIter<Row>,
    rows: Rows,
    /// What was decided and might be wrong.
    pub(super) notes: Vec<Advice>,
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
        let begun = RowBegun::default();
        let mut input =
            BufReader::with_capacity(1 << 16, limit::BoundedRows::new(input, begun.clone()));
        let Start { blank, skipped, first, second } = Start::read(&mut input, &begun)?;
        let separator = if tabs { b'\t' } else { separator_of(&first, &second) };
        check_columns(fields(&first, separator).count())?;
        let start = Cursor::new([first, second].concat()).chain(input);
        let mut source = Source::new(start, separator, (blank, skipped, begun));

        let mut record = StringRecord::new();
        let mut sample = Vec::new();
        let mut bytes = 0;
        while sample.len() < SAMPLE_ROWS && bytes < SAMPLE_BYTES && source.next(&mut record)? {
            bytes += record.as_slice().len() + 8 * record.len();
            sample.push((record.clone(), source.line));
        }
        let Some((first, _)) = sample.first() else {
            return Err(fault("is empty", "check that the file is the right one"));
        };
        let mut cells = Cells::new(&options.na);
        cells.decimal_comma = has_decimal_commas(&sample, separator);
        let mut names = invented_names(first.len(), None);
        let mut notes = Vec::new();
        let kind = first_row(&sample, &cells, options.header)?;
        if kind != First::Point {
            let (header, _) = sample.remove(0);
            for (name, given) in names.iter_mut().zip(&header) {
                if !given.trim().is_empty() {
                    *name = given.trim().to_string();
                }
            }
        }
        if kind == First::NumberedNames {
            let note = "the first line is taken for names of columns, though it has numbers";
            let note = advice(note).text(" (").set(ReadOption::Header, "no");
            notes.push(note.text(" takes it for a point)"));
        }
        let rows = Rows::new(names, &sample, cells, options, budget, choose)?;
        Ok(Text { source, record, sample: sample.into_iter(), rows, notes })
    }

    /// Reads rows until there are `most`, or all.
    fn fill(&mut self, most: usize) -> Result<(), Fault> {
        let end = self.rows.count().saturating_add(most);
        while self.rows.count() < end {
            if let Some((record, line)) = self.sample.next() {
                self.rows.push(&record, line)?;
            } else if self.source.next(&mut self.record)? {
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

/// The rows of the text, all of one length, and the line at which each ends.
struct Source<R> {
    reader: csv::Reader<io::Chain<R, &'static [u8]>>,
    columns: Option<usize>,
    line: u64,
    /// Lines and bytes before the first row.
    skipped: (u64, u64),
    begun: RowBegun,
}

impl<R: Read> Source<R> {
    fn new(input: R, separator: u8, (lines, bytes, begun): (u64, u64, RowBegun)) -> Self {
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            .buffer_capacity(1 << 16)
            // The reader counts line feeds, and where lines end in two characters it would be in
            // between. This way the first of them is a blank at the end of the last field.
            .terminator(Terminator::Any(b'\n'))
            .from_reader(input.chain(b"\n".as_slice()));
        Source { reader, columns: None, line: 0, skipped: (lines, bytes), begun }
    }

    fn next(&mut self, record: &mut StringRecord) -> Result<bool, Fault> {
        let (skipped, skipped_bytes) = self.skipped;
        loop {
            let first_line = skipped + self.reader.position().line();
            self.begun.at(skipped_bytes + self.reader.position().byte());
            let before = self.reader.position().clone();
            let found = self.reader.read_record(record);
            self.line = skipped + self.reader.position().line() - 1;
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
            let columns = *self.columns.get_or_insert(record.len());
            if record.len() != columns {
                let (line, count) = (self.line, record.len());
                return Err(fault(
                    format!("line {line} has {count} fields and the first has {columns}"),
                    "make them equal, and put fields that hold the separator in quotes",
                ));
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
            ErrorKind::Io(error) => error.into(),
            ErrorKind::Utf8 { .. } => {
                let what = format!("line {} is not UTF-8", self.line);
                fault(what, "save the file in UTF-8 (Unicode)")
            }
            _ => Fault::damaged("not a table"),
        }
    }
}

/// How a text begins: so many blank lines, and bytes in them, and the two lines behind them, without a byte order mark.
struct Start {
    blank: u64,
    skipped: u64,
    first: Vec<u8>,
    second: Vec<u8>,
}

impl Start {
    fn read(input: &mut impl BufRead, begun: &RowBegun) -> Result<Self, Fault> {
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        let (mut blank, mut skipped) = (0, 0);
        let mut first = Vec::new();
        while input.read_until(b'\n', &mut first)? > 0 {
            if skipped == 0 && first.starts_with(BYTE_ORDER_MARK) {
                first.drain(..BYTE_ORDER_MARK.len());
                skipped = BYTE_ORDER_MARK.len() as u64;
            }
            if !first.trim_ascii().is_empty() {
                break;
            }
            (blank, skipped) = (blank + 1, skipped + first.len() as u64);
            begun.at(skipped);
            first.clear();
        }
        if first.trim_ascii().contains(&b'\r') {
            let what = "ends its lines as old Macs did";
            return Err(fault(what, "save it with ordinary line ends"));
        }
        let mut second = Vec::new();
        begun.at(skipped + first.len() as u64);
        input.read_until(b'\n', &mut second)?;
        Ok(Start { blank, skipped, first, second })
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
