//! Matrix Market, a text format of sparse and dense matrices: a line that says what follows, comments, the sizes, and
//! then the numbers with their places, or column after column without.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::advice::{ReadOption, advice};
use super::dense::Dense;
use super::error::{Fault, fault, quoted};
use super::limit::Budget;
use super::{Advice, ReadOptions, Table};

/// Longer lines are none.
const LONGEST_LINE: u64 = 1 << 16;

/// Which numbers stand in the file besides those at their mirrored places.
#[derive(Clone, Copy, PartialEq)]
enum Symmetry {
    General,
    Symmetric,
    Skew,
}

/// Reads a matrix whose rows are points, with its zeros.
pub(super) fn read(
    input: impl Read,
    options: &ReadOptions,
    budget: Budget,
) -> Result<Table, Fault> {
    let mut lines = Lines { input: BufReader::new(input), line: String::new(), number: 0 };
    let head = lines.next()?.unwrap_or_default().to_lowercase();
    let head: Vec<&str> = head.split_whitespace().collect();
    let ["%%matrixmarket", "matrix", layout, kind, symmetry] = *head.as_slice() else {
        return Err(Fault::damaged("no head of a Matrix Market file"));
    };
    if kind == "complex" {
        return Err(fault("holds complex numbers", "save their real part"));
    }
    let symmetry = match symmetry {
        "general" => Symmetry::General,
        "symmetric" | "hermitian" => Symmetry::Symmetric,
        "skew-symmetric" => Symmetry::Skew,
        other => return Err(Fault::damaged(format!("the symmetry {}", quoted(other)))),
    };
    let mut is_of_cells = false;
    let sizes = loop {
        let Some(line) = lines.next()? else { return Err(lines.broken("no sizes")) };
        match line.strip_prefix('%') {
            // What Cell Ranger writes: a row for each gene.
            Some(comment) => is_of_cells |= comment.trim_start().starts_with("metadata_json"),
            None => {
                break line.split_whitespace().map(str::parse).collect::<Result<Vec<usize>, _>>();
            }
        }
    };
    let sizes = sizes.map_err(|_| lines.broken("no sizes"))?;
    let (is_sparse, shape, count) = match (layout, sizes.as_slice()) {
        ("coordinate", &[rows, columns, count]) => (true, (rows, columns), count),
        ("array", &[rows, columns]) => (false, (rows, columns), 0),
        _ => return Err(lines.broken("no sizes")),
    };
    if symmetry != Symmetry::General && shape.0 != shape.1 {
        return Err(lines.broken("a symmetric matrix that is not square"));
    }
    let mut dense = Dense::nameless(shape, options, budget)?;
    if is_sparse {
        entries(&mut lines, &mut dense, kind == "pattern", symmetry, count)?;
    } else {
        columns(&mut lines, &mut dense, shape, symmetry)?;
    }
    if lines.next()?.is_some() {
        return Err(lines.broken("more numbers than its sizes say"));
    }
    let mut table = dense.finish(Vec::new(), options)?;
    if is_of_cells && !options.transpose {
        table
            .notes
            .push(note_of_cells("it seems to come from Cell Ranger, with a row for each gene"));
    }
    Ok(table)
}

fn note_of_cells(why: &str) -> Advice {
    let note = advice(why).text(": its rows are the points, ").option(ReadOption::Transpose);
    note.text(" takes its columns, the cells")
}

/// Numbers with their places, counted from 1.
fn entries(
    lines: &mut Lines<impl Read>,
    dense: &mut Dense,
    is_pattern: bool,
    symmetry: Symmetry,
    count: usize,
) -> Result<(), Fault> {
    for _ in 0..count {
        let Some(line) = lines.next()? else {
            return Err(lines.broken("fewer numbers than promised"));
        };
        let mut fields = line.split_whitespace();
        let mut place = || fields.next()?.parse::<usize>().ok()?.checked_sub(1);
        let places = place().zip(place());
        let value =
            if is_pattern { Some(1.0) } else { fields.next().and_then(|text| text.parse().ok()) };
        let (Some((row, column)), Some(value), None) = (places, value, fields.next()) else {
            return Err(lines.broken("neither a number nor its place"));
        };
        put(dense, (row, column), value, symmetry)?;
    }
    Ok(())
}

/// Numbers column after column; of a symmetric matrix those from the diagonal on.
fn columns(
    lines: &mut Lines<impl Read>,
    dense: &mut Dense,
    (rows, columns): (usize, usize),
    symmetry: Symmetry,
) -> Result<(), Fault> {
    for column in 0..columns {
        let first = match symmetry {
            Symmetry::General => 0,
            Symmetry::Symmetric => column,
            Symmetry::Skew => column + 1,
        };
        for row in first..rows {
            let Some(line) = lines.next()? else {
                return Err(lines.broken("fewer numbers than promised"));
            };
            let Ok(value) = line.trim().parse() else { return Err(lines.broken("not a number")) };
            put(dense, (row, column), value, symmetry)?;
        }
    }
    Ok(())
}

fn put(
    dense: &mut Dense,
    (row, column): (usize, usize),
    value: f64,
    symmetry: Symmetry,
) -> Result<(), Fault> {
    dense.add(row, column, value)?;
    match symmetry {
        Symmetry::Symmetric if row != column => dense.add(column, row, value),
        Symmetry::Skew if row != column => dense.add(column, row, -value),
        _ => Ok(()),
    }
}

/// The lines of a text that are not blank.
struct Lines<R> {
    input: BufReader<R>,
    line: String,
    number: u64,
}

impl<R: Read> Lines<R> {
    fn next(&mut self) -> Result<Option<&str>, Fault> {
        loop {
            self.line.clear();
            let read = self.input.by_ref().take(LONGEST_LINE).read_line(&mut self.line)?;
            self.number += 1;
            if read as u64 == LONGEST_LINE {
                return Err(self.broken("an endless line"));
            }
            if read == 0 || !self.line.trim().is_empty() {
                return Ok((read > 0).then_some(self.line.as_str()));
            }
        }
    }

    fn broken(&self, why: &str) -> Fault {
        Fault::damaged(format!("line {}: {why}", self.number))
    }
}

/// Tells if the table is likely to be turned: beside a matrix of cells there are a list of its genes and one of its
/// cells, and it has as many rows as there are genes.
pub(super) fn compare_with_neighbors(path: &Path, table: &mut Table) {
    let rows = table.rows + table.dropped;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some((prefix, _)) = name.split_once("matrix.mtx") else { return };
    if !table.notes.is_empty() {
        return;
    }
    let lines_of = |list: &str| {
        ["", ".gz"].iter().find_map(|ending| {
            let list = format!("{prefix}{list}.tsv{ending}");
            let file = File::open(path.with_file_name(&list)).ok()?;
            let lines = match *ending {
                "" => count_lines(file),
                _ => count_lines(MultiGzDecoder::new(file)),
            };
            Some((list, lines?))
        })
    };
    let genes = lines_of("features").or_else(|| lines_of("genes"));
    let cells = lines_of("barcodes").map(|(_, count)| count);
    if let Some((list, count)) = genes
        && count == rows
        && cells != Some(rows)
    {
        table.notes.push(note_of_cells(&format!("it has a row for each line of {list}")));
    }
}

/// How many lines a list has, unless it is too long to be one.
fn count_lines(input: impl Read) -> Option<usize> {
    const LONGEST: u64 = 1 << 28;
    let mut input = BufReader::new(input.take(LONGEST));
    let (mut count, mut is_open) = (0, false);
    loop {
        let buffer = input.fill_buf().ok()?;
        let Some(last) = buffer.last() else { return Some(count + usize::from(is_open)) };
        is_open = *last != b'\n';
        count += buffer.iter().filter(|byte| **byte == b'\n').count();
        let length = buffer.len();
        input.consume(length);
    }
}
