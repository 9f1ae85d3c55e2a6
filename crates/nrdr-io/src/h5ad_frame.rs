//! The tables of AnnData: what is known of the cells, and of the columns of a matrix. Today a table is a group with an
//! array, or a group, for each column; before version 0.7 it was one array of records.

use hdf5_reader::group::Group;

use super::ReadOptions;
use super::cells::Cells;
use super::columns::{Role, TextBuilder, text_of};
use super::dense::index;
use super::error::{Fault, fault};
use super::h5ad::encoding;
use super::hdf5::{Source, broken, is_text, is_truth};
use super::records::Records;
use crate::TextColumn;

/// A table of the file.
pub(super) struct Frame {
    /// What it is kept in, unless that is a group.
    records: Option<Records>,
    path: String,
    /// The name of the column of row names.
    pub(super) index: String,
    /// Those of the others.
    pub(super) known: Vec<String>,
}

impl Frame {
    pub(super) fn open(source: &Source, path: &str) -> Result<Self, Fault> {
        if let Some(group) = source.group(path) {
            return Frame::of_group(&group, path);
        }
        let Some(array) = source.array(path) else {
            let what = format!("holds no table {path}");
            return Err(fault(what, "check that it is a file of AnnData"));
        };
        let records = Records::read(source, &array)?;
        // The names of the rows come first.
        let mut known = records.names();
        if known.is_empty() {
            return Err(Fault::damaged(format!("{path} has no columns")));
        }
        let index = known.remove(0);
        Ok(Frame { records: Some(records), path: path.to_string(), index, known })
    }

    fn of_group(group: &Group, path: &str) -> Result<Self, Fault> {
        let text = |name: &str| group.attribute(name).ok()?.read_string().ok();
        let index = text("_index").unwrap_or_else(|| "_index".to_string());
        let order = group.attribute("column-order").ok();
        let known = match order.and_then(|order| order.read_strings().ok()) {
            Some(known) => known,
            // Without columns there is no order of them.
            None => {
                let (groups, arrays) = group.member_names().map_err(broken)?;
                let mut known: Vec<String> = groups.into_iter().chain(arrays).collect();
                known.retain(|name| *name != index && *name != "__categories");
                known
            }
        };
        Ok(Frame { records: None, path: path.to_string(), index, known })
    }

    /// The names of the rows.
    pub(super) fn names(&self, source: &Source) -> Result<Vec<String>, Fault> {
        self.values(source, &self.index)
    }

    /// What the column of row names is called: by what it is always called, if somebody asks for that.
    pub(super) fn called(&self, options: &ReadOptions) -> String {
        const ALWAYS: &str = "_index";
        let mut asked = options.aside.iter().chain(&options.beside);
        if asked.any(|name| name == ALWAYS) { ALWAYS.to_string() } else { self.index.clone() }
    }

    /// Whether a column holds categories or texts.
    pub(super) fn is_class(&self, source: &Source, name: &str) -> bool {
        if self.old_categories(source, name).is_some() {
            return true;
        }
        if let Some(records) = &self.records {
            return records.is_text(name);
        }
        let path = format!("{}/{name}", self.path);
        match (source.group(&path), source.array(&path)) {
            (Some(group), _) => {
                let classes = ["categorical", "nullable-boolean", "nullable-string-array"];
                encoding(&group).is_some_and(|kind| classes.contains(&kind.as_str()))
            }
            (None, Some(array)) => is_text(&array) || is_truth(&array),
            (None, None) => false,
        }
    }

    /// The path of a column's categories as versions before 0.8, and before 0.7, have them.
    fn old_categories(&self, source: &Source, name: &str) -> Option<String> {
        let path = match &self.records {
            None => format!("{}/__categories/{name}", self.path),
            Some(_) => format!("uns/{name}_categories"),
        };
        source.array(&path).map(|_| path)
    }

    /// A column as texts.
    pub(super) fn column(
        &self,
        source: &Source,
        name: &str,
        j: usize,
        role: Role,
    ) -> Result<TextColumn, Fault> {
        let mut column = TextBuilder::new(name, j, role, &Cells::default());
        let mut budget = source.budget();
        for text in self.values(source, name)? {
            budget.take(column.push(text.trim()))?;
        }
        Ok(column.finish())
    }

    /// The texts of a column, empty where there is none.
    fn values(&self, source: &Source, name: &str) -> Result<Vec<String>, Fault> {
        let path = format!("{}/{name}", self.path);
        let categories = self.old_categories(source, name);
        match (&self.records, categories) {
            (Some(records), Some(categories)) => {
                named(records.numbers(name)?.0, &values_of(source, &categories)?, &path)
            }
            (Some(records), None) => records.texts(name),
            (None, Some(categories)) => categorical(source, &path, &categories),
            (None, None) => match source.group(&path) {
                Some(group) => values_of_group(source, &group, &path),
                None => values_of(source, &path),
            },
        }
    }
}

/// The texts of a column that is a group.
fn values_of_group(source: &Source, group: &Group, path: &str) -> Result<Vec<String>, Fault> {
    let part = |name: &str| format!("{path}/{name}");
    match encoding(group).as_deref() {
        Some("categorical") => categorical(source, &part("codes"), &part("categories")),
        // Numbers, true and false, or texts, some of which are missing.
        Some(kind) if kind.starts_with("nullable-") => {
            let mut values = values_of(source, &part("values"))?;
            let mask = source.array(&part("mask")).ok_or_else(|| lost(path))?;
            let mask = source.numbers(&mask)?;
            let missing = values.iter_mut().zip(mask).filter(|(_, mask)| *mask != 0.0);
            missing.for_each(|(value, _)| value.clear());
            Ok(values)
        }
        _ => Err(fault(format!("{path} is of a kind that is not read"), "choose another column")),
    }
}

/// The texts that codes stand for.
fn categorical(source: &Source, codes: &str, categories: &str) -> Result<Vec<String>, Fault> {
    let array = source.array(codes).ok_or_else(|| lost(codes))?;
    named(source.numbers(&array)?, &values_of(source, categories)?, codes)
}

/// The same of codes that are read; a negative one is that of a missing text.
fn named(codes: Vec<f64>, categories: &[String], path: &str) -> Result<Vec<String>, Fault> {
    let text = |code: f64| match code {
        code if code < 0.0 => Ok(String::new()),
        code => categories.get(index(code)?).cloned().ok_or_else(|| lost(path)),
    };
    codes.into_iter().map(text).collect()
}

/// The texts of an array, or its numbers as texts.
fn values_of(source: &Source, path: &str) -> Result<Vec<String>, Fault> {
    let array = source.array(path).ok_or_else(|| lost(path))?;
    if is_text(&array) {
        return source.texts(&array);
    }
    let is_truth = is_truth(&array);
    Ok(source.numbers(&array)?.into_iter().map(|number| told(number, is_truth)).collect())
}

/// A number, or whether something is true, as text.
pub(super) fn told(number: f64, is_truth: bool) -> String {
    match (is_truth, number == 0.0) {
        (false, _) => text_of(number),
        (true, is_false) => if is_false { "False" } else { "True" }.to_string(),
    }
}

fn lost(path: &str) -> Fault {
    Fault::damaged(format!("{path} is lost"))
}
