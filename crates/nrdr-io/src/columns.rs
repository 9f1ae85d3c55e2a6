//! Which columns of a file are used, and for what; and rows with missing values.

use std::collections::HashMap;

use super::advice::{ReadOption, advice};
use super::cells::{Cell, Cells};
use super::error::{Fault, fault, listed, quoted};
use super::limit::DISTINCT;
use super::{ImageShape, Missing, ReadOptions, Table, TextColumn};

/// What a column is read for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Role {
    /// Not at all.
    Skip,
    /// Its numbers, or its text where it is not numbers.
    Data,
    /// Its text, even where it is numbers.
    Aside,
    /// Its numbers, which somebody needs: anything else is a fault.
    Number,
}

/// The role of each column by the names or numbers that the options give.
pub(super) fn roles(names: &[String], options: &ReadOptions) -> Result<Vec<Role>, Fault> {
    if options.as_text {
        // The index that pandas adds is no column of the table.
        let is_index = |name: &String| name.starts_with("__index_level_");
        let role = |name| if is_index(name) { Role::Skip } else { Role::Aside };
        return Ok(names.iter().map(role).collect());
    }
    let given = options.columns.iter().flatten().chain(&options.drop);
    let index = Index::new(names, given.chain(&options.aside).chain(&options.beside));
    let mut roles = match &options.columns {
        None => vec![Role::Data; names.len()],
        Some(columns) => {
            let mut roles = vec![Role::Skip; names.len()];
            for column in columns {
                index.find(column)?.iter().for_each(|&j| roles[j] = Role::Data);
            }
            roles
        }
    };
    for column in &options.drop {
        index.find(column)?.iter().for_each(|&j| roles[j] = Role::Skip);
    }
    for column in &options.beside {
        let skipped = index.find(column)?.into_iter().filter(|&j| roles[j] == Role::Skip);
        skipped.collect::<Vec<_>>().into_iter().for_each(|j| roles[j] = Role::Aside);
    }
    for column in &options.aside {
        index.find(column)?.iter().for_each(|&j| roles[j] = Role::Aside);
    }
    Ok(roles)
}

/// Where the columns are that somebody asks for. Others take no room: there may be millions.
pub(super) struct Index<'a> {
    names: &'a [String],
    places: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Index<'a> {
    /// Looks for these in a list of names.
    pub(super) fn new(names: &'a [String], given: impl Iterator<Item = &'a String>) -> Self {
        // As in `a, b`, unless the name has blanks of its own.
        let both = given.flat_map(|name| [name.as_str(), name.trim()]);
        let mut places: HashMap<&str, Vec<usize>> = both.map(|name| (name, Vec::new())).collect();
        if !places.is_empty() {
            for (j, name) in names.iter().enumerate() {
                if let Some(places) = places.get_mut(name.as_str()) {
                    places.push(j);
                }
            }
        }
        Index { names, places }
    }

    /// The columns of one of the names that were asked for; there may be none.
    pub(super) fn named(&self, name: &str) -> &[usize] {
        self.places.get(name).map_or(&[], Vec::as_slice)
    }

    /// The columns of a name, or else the column of a number counted from 1.
    pub(super) fn find(&self, wanted: &str) -> Result<Vec<usize>, Fault> {
        let wanted = if self.named(wanted).is_empty() { wanted.trim() } else { wanted };
        if !self.named(wanted).is_empty() {
            return Ok(self.named(wanted).to_vec());
        }
        let count = self.names.len();
        match wanted.parse::<usize>() {
            Ok(number) if (1..=count).contains(&number) => Ok(vec![number - 1]),
            _ => {
                let (wanted, all) = (quoted(wanted), listed(self.names));
                Err(fault(
                    format!("has no column {wanted} (the columns are {all})"),
                    format!("give one of their names, or a number from 1 to {count}"),
                ))
            }
        }
    }
}

/// Column `j` as an argument on the command line: by its name where the shell takes it as it is.
pub(super) fn argument(name: &str, j: usize) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.chars().all(plain) && !name.is_empty() && !name.starts_with('-') {
        name.to_string()
    } else {
        (j + 1).to_string()
    }
}

/// A text column while it is read.
pub(super) struct TextBuilder {
    column: TextColumn,
    index: HashMap<Box<str>, u32>,
    cells: Cells,
}

impl TextBuilder {
    /// Column `j` of the file, counted from 0.
    pub(super) fn new(name: &str, j: usize, role: Role, cells: &Cells) -> Self {
        let column = TextColumn {
            name: name.to_string(),
            number: j + 1,
            is_aside: role == Role::Aside,
            ..TextColumn::default()
        };
        TextBuilder { column, index: HashMap::new(), cells: cells.clone() }
    }

    /// The whole column.
    pub(super) fn column<'t>(
        name: &str,
        j: usize,
        role: Role,
        texts: impl Iterator<Item = &'t str>,
    ) -> TextColumn {
        let mut column = TextBuilder::new(name, j, role, &Cells::default());
        for text in texts {
            column.push(text);
        }
        column.finish()
    }

    /// The text of the next row; how many bytes it takes to keep it, if it was not there before.
    pub(super) fn push(&mut self, text: &str) -> u64 {
        let column = &mut self.column;
        let (code, bytes) = match self.index.get(text) {
            Some(&code) => (code, 0),
            None => {
                let code = self.index.len() as u32;
                self.index.insert(text.into(), code);
                let (value, is_text) = match self.cells.read(text) {
                    Cell::Number(number) => (number, false),
                    Cell::Missing => (f64::NAN, false),
                    Cell::Doubtful(_) | Cell::Text => (f64::NAN, true),
                };
                column.values.push(value);
                column.texts += usize::from(is_text);
                (code, text.len() as u64 + DISTINCT)
            }
        };
        column.codes.push(code);
        column.numbers += usize::from(!column.values[code as usize].is_nan());
        bytes
    }

    pub(super) fn finish(self) -> TextColumn {
        let mut distinct = vec![String::new(); self.index.len()];
        for (text, code) in self.index {
            distinct[code as usize] = text.into();
        }
        TextColumn { distinct, ..self.column }
    }
}

/// The names of `count` columns that have none: x1, x2, ... or, for pixels, p0, p1, ...
pub fn invented_names(count: usize, images: Option<ImageShape>) -> Vec<String> {
    match images {
        Some(_) => (0..count).map(|j| format!("p{j}")).collect(),
        None => (1..=count).map(|j| format!("x{j}")).collect(),
    }
}

/// Whether names are those of columns that had none.
pub fn invented(names: &[String]) -> bool {
    let all = |letter: char, from: usize| {
        let number = |name: &str| name.strip_prefix(letter).map(str::to_string);
        names.iter().zip(from..).all(|(name, j)| number(name).is_some_and(|n| n == j.to_string()))
    };
    all('x', 1) || all('p', 0)
}

/// The table of an array that holds numbers only, row after row.
pub(super) fn of_array(
    values: Vec<f64>,
    rows: usize,
    images: Option<ImageShape>,
    options: &ReadOptions,
) -> Result<Table, Fault> {
    let columns = values.len().checked_div(rows).unwrap_or(0);
    let named = Named::all(invented_names(columns, images), options)?;
    of_named(values, rows, named, Vec::new(), images, options)
}

/// The table of an array whose columns have names, and of a text for each row, a column that stands behind the others and
/// that the options may name like any of them.
pub(super) fn of_named_rows<'t>(
    values: Vec<f64>,
    rows: usize,
    mut names: Vec<String>,
    (title, texts): (&str, impl Iterator<Item = &'t str>),
    images: Option<ImageShape>,
    options: &ReadOptions,
) -> Result<Table, Fault> {
    let count = names.len();
    names.push(title.to_string());
    let mut roles = roles(&names, options)?;
    let mut text = Vec::new();
    if let Some(role) = roles.pop().filter(|role| *role != Role::Skip) {
        text.push(TextBuilder::column(title, count, role, texts));
    }
    of_named(values, rows, Named::with(names, roles), text, images, options)
}

/// A column of an array: its name, its number in the file counted from 1, and what it is read for.
pub(super) struct Named {
    pub(super) name: String,
    pub(super) number: usize,
    pub(super) role: Role,
}

impl Named {
    /// All columns of these names, by the options.
    pub(super) fn all(names: Vec<String>, options: &ReadOptions) -> Result<Vec<Self>, Fault> {
        let roles = roles(&names, options)?;
        Ok(Named::with(names, roles))
    }

    /// Columns of these names and roles.
    pub(super) fn with(names: Vec<String>, roles: Vec<Role>) -> Vec<Self> {
        let named = names.into_iter().zip(roles).zip(1..);
        named.map(|((name, role), number)| Named { name, number, role }).collect()
    }
}

/// The table of an array whose columns have names, beside columns of text; those that are not wanted may have been left
/// out before.
pub(super) fn of_named(
    mut values: Vec<f64>,
    rows: usize,
    all: Vec<Named>,
    mut text: Vec<TextColumn>,
    images: Option<ImageShape>,
    options: &ReadOptions,
) -> Result<Table, Fault> {
    let columns = all.len();
    for (j, named) in all.iter().enumerate().filter(|(_, named)| named.role == Role::Aside) {
        let mut column =
            TextBuilder::new(&named.name, named.number - 1, Role::Aside, &Cells::default());
        for row in values.chunks_exact(columns) {
            column.push(&text_of(row[j]));
        }
        text.push(column.finish());
    }
    let used: Vec<usize> = (0..columns).filter(|&j| all[j].role == Role::Data).collect();
    if used.len() < columns {
        // The target of a value never lies behind its source.
        for (row, start) in (0..rows).map(|row| (row, row * columns)) {
            for (target, &j) in used.iter().enumerate() {
                values[row * used.len() + target] = values[start + j];
            }
        }
        values.truncate(rows * used.len());
    }
    let images = images.filter(|_| used.len() == columns);
    let data = all.into_iter().filter(|named| named.role == Role::Data);
    let (names, numbers) = data.map(|named| (named.name, named.number)).unzip();
    complete(Table { names, numbers, values, rows, text, images, ..Table::default() }, options)
}

/// A number as a text: the shortest that reads as the same bits, and nothing where it is missing.
pub(super) fn text_of(value: f64) -> String {
    if value.is_nan() { String::new() } else { value.to_string() }
}

/// The fault of a value that is missing or infinite, in column `j` or in one that cannot be left out. Rows and lines
/// are counted from 1.
pub(super) fn unusable(
    value: f64,
    row: usize,
    line: Option<u64>,
    name: &str,
    j: Option<usize>,
) -> Fault {
    let state = if value.is_nan() { "is missing" } else { "is infinite" };
    let line = line.map(|line| format!(" (line {line})")).unwrap_or_default();
    let mut way_out = advice("leave such rows out with ").set(ReadOption::Missing, "drop");
    if let Some(j) = j {
        way_out = way_out.text(", or the column with ").set(ReadOption::Drop, argument(name, j));
    }
    fault(format!("row {row}{line}, column {} {state}", quoted(name)), way_out)
}

/// Takes out the rows that have a missing or infinite value, and tells which ones stay.
pub(super) fn keep_complete_rows(values: &mut Vec<f64>, columns: usize) -> Vec<usize> {
    let mut kept = Vec::new();
    for row in 0..values.len() / columns {
        let span = row * columns..(row + 1) * columns;
        if values[span.clone()].iter().all(|value| value.is_finite()) {
            values.copy_within(span, kept.len() * columns);
            kept.push(row);
        }
    }
    values.truncate(kept.len() * columns);
    kept
}

/// Leaves out the texts of all other rows.
pub(super) fn keep_rows(text: &mut TextColumn, kept: &[u32]) {
    let codes = kept.iter().map(|&row| text.codes[row as usize]).collect();
    text.all_codes = Some(std::mem::replace(&mut text.codes, codes));
}

/// Refuses or leaves out the rows that have a missing or infinite value.
pub(super) fn complete(mut table: Table, options: &ReadOptions) -> Result<Table, Fault> {
    let (rows, columns) = (table.rows, table.names.len());
    if rows == 0 {
        return Err(fault("has no rows", "check that the file is the right one"));
    }
    if u32::try_from(rows).is_err() {
        return Err(fault(format!("has {rows} rows"), "take fewer than 4 billion"));
    }
    let refused = |value: &f64| options.missing.refuses(*value);
    if let Some(first) = table.values.iter().position(refused) {
        let (row, j) = (first / columns, first % columns);
        let number = Some(table.numbers[j] - 1);
        return Err(unusable(table.values[first], row + 1, None, &table.names[j], number));
    }
    if options.missing != Missing::Drop || table.values.iter().all(|value| value.is_finite()) {
        return Ok(table);
    }
    let kept = keep_complete_rows(&mut table.values, columns);
    let kept: Vec<u32> = kept.into_iter().map(|row| row as u32).collect();
    if kept.is_empty() {
        let what = "has a missing or infinite value in every row";
        let way_out = advice("leave the columns that have them out with ");
        return Err(fault(what, way_out.option(ReadOption::Drop)));
    }
    table.text.iter_mut().for_each(|text| keep_rows(text, &kept));
    table.rows = kept.len();
    table.dropped = rows - kept.len();
    table.kept = Some(kept);
    Ok(table)
}
