//! Labels that come from elsewhere: another file with a row for each point, or another array of the same file.

use std::path::Path;

use super::advice::Advice;
use super::columns::{Role, TextBuilder, invented, keep_rows, text_of};
use super::error::{Fault, fault, quoted};
use super::{Header, IoError, Missing, ReadOptions, Table, TextColumn, format_of, read_any};

/// The columns of a file that has a row for each of `rows` points, all of them as texts, and which one was left out.
/// Numbers of an array must be whole. Where the first line of a text table might be a name or a label, the number of rows
/// decides.
pub fn read_labels(path: &Path, rows: usize) -> Result<(Vec<TextColumn>, Vec<Advice>), IoError> {
    read(path, rows).map_err(|fault| IoError::new(path, fault))
}

fn read(path: &Path, rows: usize) -> Result<(Vec<TextColumn>, Vec<Advice>), Fault> {
    let read = |header: Header| {
        let options =
            ReadOptions { as_text: true, missing: Missing::Keep, header, ..Default::default() };
        read_any(path, &options)
    };
    if path == Path::new("-") {
        return Err(fault("cannot hold labels", "give a file"));
    }
    if path.is_dir() {
        return Err(fault("is a folder", "give a file with a label for each point"));
    }
    std::fs::metadata(path)?;
    let (format, _) = format_of(path)?;
    let is_array = format.is_array();
    let table = match read(Header::Auto) {
        Err(fault) if is_array => {
            return Err(fault.instead("save the labels alone, as .npy or .csv"));
        }
        // A line that may be years or labels.
        Err(fault) => {
            let mut others = [Header::Yes, Header::No].into_iter().filter_map(|h| read(h).ok());
            others.find(|table| table.rows == rows).ok_or(fault)?
        }
        Ok(table) if is_array => table,
        // Texts above texts: the first is a label if it comes again, and a name otherwise.
        Ok(table) if table.text.iter().any(|label| label.distinct.contains(&label.name)) => {
            read(Header::No)?
        }
        // Above numbers of rows there is often no name.
        Ok(table) if table.text.iter().any(counts_rows_below) => read(Header::Yes)?,
        Ok(table) => table,
    };
    let vector = is_array && table.rows == 1 && rows > 1;
    let mut labels = if vector { vec![turned(&table)] } else { table.text };
    let there = labels.first().map_or(0, |label| label.codes.len());
    check_count("has", there, rows)?;
    if is_array {
        labels.iter().try_for_each(check_whole)?;
    }
    // What was decided about the table cannot be told otherwise: the options are those of the input.
    let mut notes = Vec::new();
    let counting = labels.iter().position(counts_rows).filter(|_| labels.len() > 1);
    if let Some(at) = counting {
        let name = quoted(&labels.remove(at).name);
        notes.push(format!("column {name} counts the rows, and is no label").into());
    }
    // What is different in every row is a name rather than a class.
    labels.sort_by_key(|label| label.distinct.len() == rows && rows > 1);
    let names: Vec<String> = labels.iter().map(|label| label.name.clone()).collect();
    if invented(&names) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let stem = name.split('.').find(|part| !part.is_empty()).unwrap_or("label").to_string();
        let one = labels.len() == 1;
        for (label, i) in labels.iter_mut().zip(1..) {
            label.name = if one { stem.clone() } else { format!("{stem}{i}") };
        }
    }
    Ok((labels, notes))
}

/// Whether the rows are numbered one after another.
fn counts_rows(label: &TextColumn) -> bool {
    count(label.codes.iter().map(|code| label.values[*code as usize]))
}

/// The same of all rows but the first, which is empty.
fn counts_rows_below(label: &TextColumn) -> bool {
    let mut values = label.codes.iter().map(|code| label.values[*code as usize]);
    values.next().is_some() && label.get(0).is_empty() && count(values)
}

fn count(values: impl Iterator<Item = f64> + Clone) -> bool {
    let mut pairs = values.clone().zip(values.skip(1)).peekable();
    pairs.peek().is_some() && pairs.all(|(a, b)| b - a == 1.0)
}

/// The only row of a table, as a column.
fn turned(table: &Table) -> TextColumn {
    TextBuilder::column("x1", 0, Role::Aside, table.text.iter().map(|text| text.get(0)))
}

fn check_count(what: &str, there: usize, rows: usize) -> Result<(), Fault> {
    if there == rows {
        return Ok(());
    }
    let what = format!("{what} {there} label(s), but there are {rows} points");
    Err(fault(what, "give one for each point"))
}

/// Numbers of an array that are not whole are no classes.
fn check_whole(label: &TextColumn) -> Result<(), Fault> {
    let broken = label.values.iter().find(|value| value.is_finite() && value.fract() != 0.0);
    match broken {
        Some(value) => {
            let what = format!("holds {value}, which is no label");
            Err(fault(what, "give whole numbers or texts"))
        }
        None => Ok(()),
    }
}

/// What an array holds that may be labels.
pub(super) enum Labels {
    Numbers(Vec<f64>),
    Texts(Vec<String>),
}

impl Labels {
    /// Puts them beside the points of a table as the label `name`.
    pub(super) fn attach(self, name: &str, table: &mut Table) -> Result<(), Fault> {
        let texts = match self {
            Labels::Numbers(numbers) => numbers.into_iter().map(text_of).collect(),
            Labels::Texts(texts) => texts,
        };
        let texts = texts.iter().map(|text| text.trim());
        let column = TextBuilder::column(name, table.labels.len(), Role::Aside, texts);
        let what = format!("array {}", quoted(name));
        check_whole(&column).map_err(|fault| fault.about(&what))?;
        check_count(&format!("{what} has"), column.codes.len(), table.rows + table.dropped)?;
        table.add_labels(vec![column]);
        Ok(())
    }
}

/// How many values a vector has: of an array of several dimensions, all but one of them must be 1.
pub(super) fn vector_of(name: &str, sizes: &[usize]) -> Result<usize, Fault> {
    let mut long = sizes.iter().filter(|size| **size != 1);
    match (long.next(), long.next()) {
        (None, _) => Ok(1),
        (Some(&size), None) => Ok(size),
        _ => {
            let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
            let what = format!("array {} ({}) is no vector", quoted(name), sizes.join(" x "));
            Err(fault(what, "give one with a value for each point"))
        }
    }
}

impl Table {
    /// Adds labels that have a text for each row of the file, also of those that are not here.
    pub fn add_labels(&mut self, labels: Vec<TextColumn>) {
        for mut label in labels {
            label.is_aside = true;
            if let Some(kept) = &self.kept {
                keep_rows(&mut label, kept);
            }
            self.labels.push(label);
        }
    }
}
