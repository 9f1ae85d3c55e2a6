//! How many fields the rows of a text have: all the same number. Two habits of programs are known: a separator more at the ends
//! of lines, and a header without a name for the first column, which has the names of the rows.

use std::collections::HashSet;

use csv::StringRecord;

use super::advice::{Advice, ReadOption, advice};
use super::cells::{Cell, Cells};
use super::error::{Fault, fault};
use super::guess::Row;
use super::{Header, ReadOptions};

/// What a column of the names of rows is called.
const ROW_NAMES: &str = "rownames";

/// How long rows are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape {
    /// Fields of the first row, as it stands there, and of each other one.
    first: usize,
    fields: usize,
    /// How many of them are columns. Those behind are empty.
    pub(super) columns: usize,
    /// Whether the first column has the names of the rows.
    pub(super) names_rows: bool,
}

impl Shape {
    /// That of the first rows, which then have a field for each column; and what is to be told of it.
    pub(super) fn of(
        sample: &mut [Row],
        options: &ReadOptions,
    ) -> Result<(Self, Option<Advice>), Fault> {
        let Some(((header, _), rest)) = sample.split_first_mut() else {
            let empty = Shape { first: 0, fields: 0, columns: 0, names_rows: false };
            return Ok((empty, None));
        };
        let first = header.len();
        let fields = rest.first().map_or(first, |(record, _)| record.len());
        let mut shape = Shape { first, fields, columns: first, names_rows: false };
        let is_even = rest.iter().all(|(record, _)| record.len() == fields);
        let has_name = options.header != Header::No;
        if is_even && first == fields + 1 && has_name && is_empty(header, fields) {
            header.truncate(fields);
        } else if is_even && fields == first + 1 && rest.iter().all(|(row, _)| is_empty(row, first))
        {
            // The last fields are left out below.
        } else if is_even && fields == first + 1 && names_rows(header, rest, options) {
            let names = std::iter::once(ROW_NAMES).chain(&*header).map(str::to_string);
            *header = names.collect::<Vec<String>>().into();
            shape.names_rows = true;
        } else {
            let odd = |row: &&Row| row.0.len() != first;
            if let Some((record, line)) = rest.iter().find(odd) {
                return Err(ragged(*line, record.len(), first));
            }
        }
        shape.columns = fields;
        let is_bare = |column: usize| sample.iter().all(|(record, _)| is_empty(record, column));
        while shape.columns > 1 && is_bare(shape.columns - 1) {
            shape.columns -= 1;
        }
        sample.iter_mut().for_each(|(record, _)| record.truncate(shape.columns));
        let note = shape.note();
        Ok((shape, note))
    }

    fn note(&self) -> Option<Advice> {
        let Shape { first, fields, columns, names_rows } = *self;
        if names_rows {
            let note = format!(
                "the header has a name less than other lines have fields: their first ones are taken for names of the rows, \
                 column \"{ROW_NAMES}\""
            );
            return Some(note.into());
        }
        let behind = first.max(fields) - columns;
        (behind > 0).then(|| {
            format!("lines end in {behind} separator(s) more than there are columns").into()
        })
    }

    /// Refuses a row, which ends at a line, of another length.
    pub(super) fn check(&self, record: &StringRecord, line: u64) -> Result<(), Fault> {
        if record.len() != self.fields {
            return Err(ragged(line, record.len(), self.fields));
        }
        match (self.columns..self.fields).find(|&column| !is_empty(record, column)) {
            Some(column) => Err(fault(
                format!(
                    "line {line} has a value in field {}, which the lines before leave empty",
                    column + 1
                ),
                "give that column a name in the first line, or take the value out",
            )),
            None => Ok(()),
        }
    }
}

/// Whether a row has nothing at a place.
fn is_empty(record: &StringRecord, at: usize) -> bool {
    record.get(at).is_none_or(|field| field.trim().is_empty())
}

/// Whether a header of texts stands above rows whose first fields differ, as names do. One name above two fields could as well
/// be that of decimals torn at their comma.
fn names_rows(header: &StringRecord, rows: &[Row], options: &ReadOptions) -> bool {
    let cells = Cells::new(&options.na);
    let mut seen = HashSet::new();
    let are_names = match options.header {
        Header::No => false,
        Header::Yes => true,
        Header::Auto => {
            header.len() > 1 && header.iter().all(|name| cells.read(name) == Cell::Text)
        }
    };
    are_names && rows.iter().all(|(row, _)| !is_empty(row, 0) && seen.insert(row[0].trim()))
}

fn ragged(line: u64, count: usize, first: usize) -> Fault {
    fault(
        format!("line {line} has {count} fields and the first has {first}"),
        advice("make them equal, and put fields that hold the separator in quotes, or say ")
            .option(ReadOption::Separator)
            .text(", or leave lines before the table out with ")
            .option(ReadOption::Skip),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape of rows, what is left of them, and what is told.
    fn of(text: &str, header: Header) -> Result<(usize, Vec<String>, String), String> {
        let line = |(at, line): (usize, &str)| (line.split(',').collect(), at as u64 + 1);
        let mut rows: Vec<Row> = text.lines().enumerate().map(line).collect();
        let options = ReadOptions { header, ..ReadOptions::default() };
        let (shape, note) = Shape::of(&mut rows, &options).map_err(|fault| fault.to_string())?;
        let join = |(record, _): &Row| record.iter().collect::<Vec<_>>().join(",");
        let note = note.map_or_else(String::new, |note| note.to_string());
        Ok((shape.columns, rows.iter().map(join).collect(), note))
    }

    #[test]
    fn separators_at_the_ends_of_lines_are_left_out() {
        for text in
            ["a,b,\n1,2,\n3,4,", "a,b\n1,2,\n3,4,", "a,b,\n1,2\n3,4", "a,b,,,\n1,2,,,\n3,4,,,"]
        {
            let (columns, rows, note) = of(text, Header::Auto).unwrap();
            assert_eq!((columns, rows.join("\n").as_str()), (2, "a,b\n1,2\n3,4"), "{text:?}");
            assert!(note.contains("separator(s) more than there are columns"), "{note}");
        }
        for text in ["a,b,c\n1,2,\n3,4,", "a,,b\n1,,2", "a,b,\n1,2,3\n1,2,"] {
            let (columns, rows, note) = of(text, Header::Auto).unwrap();
            assert_eq!((columns, rows.join("\n").as_str(), note.as_str()), (3, text, ""));
        }
        assert!(of("1,2,\n3,4", Header::No).unwrap_err().starts_with("line 2 has 2 fields"));
    }

    #[test]
    fn a_header_without_a_name_for_those_of_the_rows() {
        let (columns, rows, note) = of("a,b\nx,1,2\ny,3,4", Header::Auto).unwrap();
        assert_eq!((columns, rows.join(";").as_str()), (3, "rownames,a,b;x,1,2;y,3,4"));
        assert!(note.contains("names of the rows, column \"rownames\""), "{note}");
        assert!(of("90,91\nx,1,2\ny,3,4", Header::Yes).is_ok());
        for (text, header) in [
            ("a\n1,5\n2,5", Header::Auto),
            ("a,b\nx,1,2\nx,3,4", Header::Auto),
            ("a,b\nx,1,2\n,3,4", Header::Auto),
            ("1,2\n3,4,5\n6,7,8", Header::Auto),
            ("a,b\nx,1,2\ny,3,4", Header::No),
            ("a,b\nx,1,2\n3,4", Header::Auto),
        ] {
            let refused = of(text, header).unwrap_err();
            assert!(refused.starts_with("line 2 has ") && refused.contains("skip"), "{refused}");
        }
    }

    #[test]
    fn rows_behind_the_first_ones_are_checked() {
        let shape = Shape { first: 2, fields: 3, columns: 2, names_rows: false };
        let check =
            |row: &str| shape.check(&row.split(',').collect(), 9).err().map(|f| f.to_string());
        assert_eq!(check("1,2, "), None);
        assert!(check("1,2").unwrap().starts_with("line 9 has 2 fields and the first has 3"));
        let told = check("1,2,3").unwrap();
        assert!(told.starts_with("line 9 has a value in field 3, which"), "{told}");
    }
}
