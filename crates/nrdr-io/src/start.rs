//! How a table in text begins: lines that are left out, comments, and the first lines, by which the separator is found.

use std::io::{BufRead, Read};

use csv::{ReaderBuilder, StringRecord};

use super::advice::{Advice, ReadOption, advice};
use super::blanks::without_runs;
use super::cells::{Cell, Cells};
use super::error::{Fault, fault};
use super::limit::{LONGEST_ROW, endless};
use super::separator::{Separator, separator_of};
use super::{ReadOptions, encoding};

/// So many lines are looked at, at least two, but no more when they are long.
const LINES: usize = 100;
const BYTES: usize = 1 << 18;

/// How a table begins.
pub(super) struct Start {
    pub(super) separator: Separator,
    /// Lines before the first one of the table.
    pub(super) before: u64,
    /// The first lines of the table.
    pub(super) text: Vec<u8>,
    /// The last comment, if it may name the columns, and its line.
    pub(super) named: Option<(StringRecord, u64)>,
    /// Where comments are left out: their lines.
    pub(super) comments: Option<(u64, u64)>,
    /// What is to be told of the separator.
    pub(super) doubt: Option<Advice>,
}

impl Start {
    /// Reads the first lines; `tabs` are expected where the name of the file says so.
    pub(super) fn read(
        input: &mut impl BufRead,
        tabs: bool,
        options: &ReadOptions,
    ) -> Result<Self, Fault> {
        let (blank, lines) = first_lines(input, options.skip)?;
        let before = options.skip + blank;
        let count = comments(&lines);
        let table = lines[count..].concat();
        if lines.get(count).is_some_and(|line| line.trim_ascii().contains(&b'\r')) {
            let what = "ends its lines as old Macs did";
            return Err(fault(what, "save it with ordinary line ends"));
        }
        let (separator, doubt) = match options.separator {
            Some(separator) => (separator, None),
            None => separator_of(&table, tabs)?,
        };
        let columns = columns(&table, separator);
        // A line that might as well be a point is no comment.
        let is_point =
            |line: &Vec<u8>| is_point(line, separator, columns, &Cells::new(&options.na));
        let first = lines[..count].iter().position(is_point).unwrap_or(count);
        let last =
            lines[..first].iter().rposition(|line| !is_blank(line)).filter(|_| first == count);
        let named = last.and_then(|at| {
            let names = names(&lines[at], separator, columns)?;
            Some((names, before + at as u64 + 1))
        });
        Ok(Start {
            separator,
            before: before + first as u64,
            text: lines[first..].concat(),
            named,
            comments: (first > 0).then_some((before + 1, before + first as u64)),
            doubt,
        })
    }

    /// What is to be told of comments; whether the last of them names the columns.
    pub(super) fn note(&self, is_named: bool) -> Option<Advice> {
        let (first, last) = self.comments?;
        let lines = if first == last {
            format!("line {first}")
        } else {
            format!("lines {first} to {last}")
        };
        let names = match &self.named {
            Some((_, line)) if is_named && first == last => {
                return Some(format!("line {line}, which begins with #, names the columns").into());
            }
            Some((_, line)) if is_named => format!(", and line {line} names the columns"),
            _ => String::new(),
        };
        Some(format!("comments are left out: {lines}{names}").into())
    }
}

/// The first lines behind those that are left out and behind blank ones, which are counted.
fn first_lines(input: &mut impl BufRead, skip: u64) -> Result<(u64, Vec<Vec<u8>>), Fault> {
    let (mut read, mut blank, mut bytes) = (0, 0, 0);
    let (mut lines, mut line) = (Vec::new(), Vec::new());
    while lines.len() < LINES && (bytes < BYTES || lines.len() < 2) {
        line.clear();
        let found = input.by_ref().take(LONGEST_ROW + 1).read_until(b'\n', &mut line);
        if found.map_err(|error| encoding::fault_at(error, read + 1))? == 0 {
            break;
        }
        read += 1;
        if line.len() as u64 > LONGEST_ROW {
            return Err(endless(Some(read)));
        }
        if read <= skip {
            continue;
        }
        if lines.is_empty() && is_blank(&line) {
            blank += 1;
            continue;
        }
        bytes += line.len();
        lines.push(std::mem::take(&mut line));
    }
    if read < skip {
        let way_out = advice("leave fewer out with ").option(ReadOption::Skip);
        return Err(fault(format!("has only {read} lines"), way_out));
    }
    Ok((blank, lines))
}

fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// How many of the first lines may be comments: none if all lines are of that kind.
fn comments(lines: &[Vec<u8>]) -> usize {
    lines.iter().position(|line| !is_blank(line) && !line.starts_with(b"#")).unwrap_or(0)
}

/// How many fields the lines of a text have, all but perhaps the first.
fn columns(text: &[u8], separator: Separator) -> usize {
    let end = text.iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| end + 1);
    let (first, rest) = text.split_at(end);
    match separator.count(rest) {
        0 => separator.count(first),
        count => count,
    }
}

/// Whether a line that begins with `#`, and no blank behind it, has a cell for each column and numbers among them, or begins
/// with a missing value.
fn is_point(line: &[u8], separator: Separator, columns: usize, cells: &Cells) -> bool {
    let fields = separator.fields(line);
    let read = |field: &Vec<u8>| cells.read(str::from_utf8(field).unwrap_or_default());
    let is_number = |field: &Vec<u8>| matches!(read(field), Cell::Number(_));
    fields.len() == columns
        && !line.get(1).is_some_and(u8::is_ascii_whitespace)
        && (fields.iter().any(is_number) || fields.first().map(read) == Some(Cell::Missing))
}

/// The names of columns in a comment, if it has one text for each. What stands alone must be one word.
fn names(line: &[u8], separator: Separator, columns: usize) -> Option<StringRecord> {
    let line = line.trim_ascii();
    let line = match line.strip_prefix(b"#")? {
        rest if rest.first().is_some_and(u8::is_ascii_whitespace) => rest.trim_ascii(),
        _ => line,
    };
    let plain = if separator == Separator::Blank { without_runs(line) } else { line.to_vec() };
    let mut reader = ReaderBuilder::new();
    let reader = reader.has_headers(false).delimiter(separator.sign());
    let names = reader.from_reader(plain.as_slice()).records().next()?.ok()?;
    let cells = Cells::default();
    let is_word = !names.get(0)?.trim().contains(char::is_whitespace);
    let fits = names.len() == columns
        && (columns > 1 || is_word)
        && names.iter().all(|name| cells.read(name) == Cell::Text);
    fits.then_some(names)
}
