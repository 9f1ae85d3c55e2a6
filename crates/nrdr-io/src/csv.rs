//! Tables in text: CSV, TSV, and what spreadsheets make where the comma is the decimal sign.
//!
//! The file is read once, row after row, and numbers go straight to their place, so that no more
//! than the table is in memory. Whether a column is numbers or text is decided by a sample of the
//! first rows.

use std::io::{self, BufRead, BufReader, Cursor, Read, Write};

use csv::{ErrorKind, ReaderBuilder, StringRecord, Terminator, WriterBuilder};

use super::columns::{Role, TextBuilder, argument, complete, invented_names, roles, unusable};
use super::error::{Fault, fault, quoted};
use super::limit::{self, RowBegun, endless};
use super::wanted::Choose;
use super::{Header, Missing, ReadOptions, Table};

/// The sample ends after so many rows or, if they are long, so many bytes.
const SAMPLE_ROWS: usize = 1000;
const SAMPLE_BYTES: usize = 16 << 20;

/// Reads a table whose fields are separated by tabs, or by commas or semicolons.
pub(super) fn read(input: impl Read, tabs: bool, options: &ReadOptions) -> Result<Table, Fault> {
    let mut text = Text::new(input, tabs, options, &mut |names, _| roles(names, options))?;
    text.fill(usize::MAX)?;
    text.rows.finish(options)
}

/// The first line, which was looked at, and the rest.
type Whole<R> = io::Chain<Cursor<Vec<u8>>, BufReader<limit::Rows<R>>>;

/// A table of which some rows may be yet to come.
pub(super) struct Text<R> {
    source: Source<Whole<R>>,
    record: StringRecord,
    /// Rows that were read to learn what the columns are.
    sample: std::vec::IntoIter<(StringRecord, u64)>,
    rows: Rows,
}

impl<R: Read> Text<R> {
    pub(super) fn new(
        input: R,
        tabs: bool,
        options: &ReadOptions,
        choose: Choose<'_>,
    ) -> Result<Self, Fault> {
        open(input, tabs, options, choose)
    }

    /// Reads rows until there are `most`, or all.
    fn fill(&mut self, most: usize) -> Result<(), Fault> {
        let end = self.rows.rows.saturating_add(most);
        while self.rows.rows < end {
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
        Ok(std::mem::take(&mut self.rows.values))
    }
}

fn open<R: Read>(
    input: R,
    tabs: bool,
    options: &ReadOptions,
    choose: Choose<'_>,
) -> Result<Text<R>, Fault> {
    let begun = RowBegun::default();
    let mut input = BufReader::with_capacity(1 << 16, limit::Rows::new(input, begun.clone()));
    let start = first_line(&mut input)?;
    let separator = if tabs { b'\t' } else { separator_of(&start) };
    let decimal_comma = separator == b';';
    let mut source = Source::new(Cursor::new(start).chain(input), separator, begun);

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
    let invented = invented_names(first.len(), None);
    let names = if has_header(&sample, decimal_comma, options.header) {
        let (header, _) = sample.remove(0);
        let name = |(given, invented): (&str, String)| match given.trim() {
            "" => invented,
            given => given.to_string(),
        };
        header.iter().zip(invented).map(name).collect()
    } else {
        invented
    };

    let rows = Rows::new(names, &sample, decimal_comma, options.missing, choose)?;
    Ok(Text { source, record, sample: sample.into_iter(), rows })
}

/// The rows of the text, all of one length, and the line at which each ends.
struct Source<R> {
    reader: csv::Reader<io::Chain<R, &'static [u8]>>,
    columns: Option<usize>,
    line: u64,
    begun: RowBegun,
}

impl<R: Read> Source<R> {
    fn new(input: R, separator: u8, begun: RowBegun) -> Self {
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            .buffer_capacity(1 << 16)
            // The reader counts line feeds, and where lines end in two characters it would be in
            // between. This way the first of them is a blank at the end of the last field.
            .terminator(Terminator::Any(b'\n'))
            .from_reader(input.chain(b"\n".as_slice()));
        Source { reader, columns: None, line: 0, begun }
    }

    fn next(&mut self, record: &mut StringRecord) -> Result<bool, Fault> {
        loop {
            let first_line = self.reader.position().line();
            self.begun.at(self.reader.position().byte());
            let found = self.reader.read_record(record);
            self.line = self.reader.position().line() - 1;
            if let Err(error) = &found
                && let ErrorKind::Io(error) = error.kind()
                && error.kind() == io::ErrorKind::FileTooLarge
            {
                return Err(endless(Some(first_line)));
            }
            if !found.map_err(|error| self.broken(error))? {
                return Ok(false);
            }
            if record.len() == 1 && !record[0].is_empty() && record[0].trim().is_empty() {
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

/// The first line that is not blank, and what stands before it, without a byte order mark.
fn first_line(input: &mut impl BufRead) -> Result<Vec<u8>, Fault> {
    let mut start = Vec::new();
    while start.trim_ascii().is_empty() && input.read_until(b'\n', &mut start)? > 0 {
        if start.starts_with(b"\xef\xbb\xbf") {
            start.drain(..3);
        }
    }
    if start.trim_ascii().contains(&b'\r') {
        let what = "ends its lines as old Macs did";
        return Err(fault(what, "save it with ordinary line ends"));
    }
    Ok(start)
}

/// A semicolon if the first line has some and no comma, or has decimal commas only.
fn separator_of(line: &[u8]) -> u8 {
    let mut quoted = false;
    let (mut commas, mut semicolons) = (0, 0);
    for byte in line {
        match byte {
            b'"' => quoted = !quoted,
            b',' if !quoted => commas += 1,
            b';' if !quoted => semicolons += 1,
            _ => {}
        }
    }
    let decimal = |field: &[u8]| {
        matches!(str::from_utf8(field).map(|text| field_of(text, true)), Ok(Field::Number(_)))
    };
    if semicolons > 0 && (commas == 0 || line.split(|&byte| byte == b';').all(decimal)) {
        b';'
    } else {
        b','
    }
}

/// What a field holds.
enum Field {
    Number(f64),
    Missing,
    Text,
}

fn field_of(text: &str, decimal_comma: bool) -> Field {
    let text = text.trim();
    match text.parse::<f64>() {
        Ok(number) if !number.is_nan() => Field::Number(number),
        Ok(_) => Field::Missing,
        Err(_) if decimal_comma && text.contains(',') => match text.replace(',', ".").parse() {
            Ok(number) => Field::Number(number),
            Err(_) => Field::Text,
        },
        Err(_) => {
            let missing = ["", "?", "na", "n/a", "null"];
            match missing.iter().any(|missing| text.eq_ignore_ascii_case(missing)) {
                true => Field::Missing,
                false => Field::Text,
            }
        }
    }
}

fn has_header(sample: &[(StringRecord, u64)], decimal_comma: bool, header: Header) -> bool {
    let fields = |row: usize| {
        let record = sample.get(row).into_iter().flat_map(|(record, _)| record);
        record.map(|text| field_of(text, decimal_comma))
    };
    let text = |field: &Field| matches!(field, Field::Text);
    let number = |field: &Field| matches!(field, Field::Number(_));
    match header {
        Header::Yes => true,
        Header::No => false,
        Header::Auto => {
            let above = fields(0).zip(fields(1)).any(|(a, b)| text(&a) && number(&b));
            let only_text = fields(0).any(|field| text(&field)) && !fields(0).any(|f| number(&f));
            // Where all numbers are whole, a line that counts may well be a point.
            let whole = |field: Field| matches!(field, Field::Number(v) if v.fract() == 0.0);
            let counted = sample.first().is_some_and(|(line, _)| counts(line));
            let numbered = counted && fields(1).any(|f| number(&f) && !whole(f));
            above || only_text || numbered
        }
    }
}

/// Whether a line counts its columns, 0, 1, 2, .., as pandas does for those without names; the index before
/// them has none.
fn counts(line: &StringRecord) -> bool {
    let fields = line.iter().skip(usize::from(line.get(0).is_some_and(str::is_empty)));
    let many = fields.clone().count() > 1;
    many && fields.enumerate().all(|(i, text)| text == i.to_string())
}

/// The table as far as it is read.
struct Rows {
    names: Vec<String>,
    columns: Vec<Column>,
    values: Vec<f64>,
    rows: usize,
    decimal_comma: bool,
    missing: Missing,
}

enum Column {
    Skip,
    Number { needed: bool },
    Text(TextBuilder),
}

impl Rows {
    fn new(
        names: Vec<String>,
        sample: &[(StringRecord, u64)],
        decimal_comma: bool,
        missing: Missing,
        choose: Choose<'_>,
    ) -> Result<Self, Fault> {
        let is_text = |j: usize| {
            let mut fields = sample.iter().filter_map(|(record, _)| record.get(j));
            fields.any(|text| matches!(field_of(text, decimal_comma), Field::Text))
        };
        let column = |(j, role)| match role {
            Role::Skip => Column::Skip,
            Role::Number => Column::Number { needed: true },
            Role::Data if !is_text(j) => Column::Number { needed: false },
            role @ (Role::Data | Role::Label) => Column::Text(TextBuilder::new(&names[j], role)),
        };
        let columns = choose(&names, &|j| !is_text(j))?.into_iter().enumerate();
        let columns = columns.map(column).collect();
        Ok(Rows { names, columns, values: Vec::new(), rows: 0, decimal_comma, missing })
    }

    fn push(&mut self, record: &StringRecord, line: u64) -> Result<(), Fault> {
        self.rows += 1;
        for (j, (text, column)) in record.iter().zip(&mut self.columns).enumerate() {
            let (value, needed) = match column {
                Column::Skip => continue,
                Column::Text(column) => {
                    column.push(text.trim());
                    continue;
                }
                &mut Column::Number { needed } => match field_of(text, self.decimal_comma) {
                    Field::Number(number) => (number, needed),
                    Field::Missing => (f64::NAN, needed),
                    Field::Text => return Err(self.not_a_number(line, j, text, needed)),
                },
            };
            if !value.is_finite() && self.missing == Missing::Error {
                let number = (!needed).then_some(j);
                return Err(unusable(value, self.rows, Some(line), &self.names[j], number));
            }
            self.values.push(value);
        }
        Ok(())
    }

    fn not_a_number(&self, line: u64, j: usize, text: &str, needed: bool) -> Fault {
        let (row, name, text) = (self.rows, quoted(&self.names[j]), quoted(text.trim()));
        if needed {
            return fault(
                format!("row {row} (line {line}), column {name} is {text}, not a number"),
                "mend it, or leave it empty and take --missing drop",
            );
        }
        let column = argument(&self.names[j], j);
        fault(
            format!("row {row} (line {line}), column {name} is {text} below numbers"),
            format!(
                "leave the column out with --drop {column}, or take it as text with --label {column}"
            ),
        )
    }

    fn finish(self, options: &ReadOptions) -> Result<Table, Fault> {
        let mut text = Vec::new();
        let mut names = Vec::new();
        let mut numbers = Vec::new();
        for (j, (name, column)) in self.names.into_iter().zip(self.columns).enumerate() {
            match column {
                Column::Skip => {}
                Column::Text(column) => text.push(column.finish()),
                Column::Number { .. } => {
                    names.push(name);
                    numbers.push(j + 1);
                }
            }
        }
        let (values, rows) = (self.values, self.rows);
        let table = Table { names, values, rows, text, images: None, dropped: 0, kept: None };
        complete(table, numbers, options)
    }
}

/// Writes a header and the columns; a number is the shortest text that reads as the same bits,
/// and NaN is an empty field.
pub(super) fn write(
    out: &mut impl Write,
    separator: u8,
    names: &[String],
    columns: &[&[f64]],
) -> io::Result<()> {
    let mut writer = WriterBuilder::new().delimiter(separator).from_writer(out);
    writer.write_record(names)?;
    let mut text = Vec::new();
    for row in 0..columns.first().map_or(0, |column| column.len()) {
        for column in columns {
            text.clear();
            if !column[row].is_nan() {
                write!(text, "{:?}", column[row])?;
            }
            writer.write_field(&text)?;
        }
        writer.write_record(None::<&[u8]>)?;
    }
    writer.flush()
}
