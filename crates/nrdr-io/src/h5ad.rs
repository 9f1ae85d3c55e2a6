//! AnnData, what single-cell analyses store: HDF5 with a matrix `X` of a row for each cell, further matrices, and tables
//! of what is known of the cells (`obs`) and of the columns (`var`).

use hdf5_reader::group::Group;

use super::advice::with_variable;
use super::cells::Cells;
use super::columns::{Named, Role, TextBuilder, invented_names, of_named, roles, text_of};
use super::dense::{Dense, index};
use super::error::{Fault, fault, listed, quoted};
use super::hdf5::{Source, broken, is_text, is_truth, number_of, sizes_of};
use super::input::Input;
use super::limit::check_columns;
use super::{ReadOptions, Table, TextColumn, numbers};

/// Reads `X`, or the matrix that the options name. Columns of `obs` can be asked for by their names, and the categories
/// and texts among them are columns of text.
pub(super) fn read(input: Input, length: u64, options: &ReadOptions) -> Result<Table, Fault> {
    let source = Source::open(input, length, options)?;
    let obs = Frame::open(&source, "obs")?;
    let count = obs.names(&source)?.len();
    if options.as_text {
        let text = obs.known.iter().enumerate().filter(|(_, name)| obs.is_class(&source, name));
        let text = text.map(|(j, name)| obs.column(&source, name, j, Role::Aside));
        let text = text.collect::<Result<Vec<_>, Fault>>()?;
        return Ok(Table { rows: count, text, ..Table::default() });
    }
    let path = choose(&source, options)?;
    let sparse = source.group(&path);
    let sizes = match (&sparse, source.array(&path)) {
        (Some(group), _) => sparse_sizes(group, &path)?,
        (None, Some(array)) => sizes_of(&array)?,
        (None, None) => return Err(Fault::damaged(format!("{path} is lost"))),
    };
    let (rows, columns) = match *sizes.as_slice() {
        [rows] => (rows, 1),
        [rows, columns] => (rows, columns),
        _ => return Err(fault(format!("{path} is not a matrix"), with_variable("choose another"))),
    };
    if rows != count {
        return Err(Fault::damaged(format!("{path} has {rows} rows, and obs has {count}")));
    }
    check_columns(columns)?;
    let genes = genes(&source, &path, columns)?;
    // What is known of the cells stands before the columns of the matrix: an error lists the first names.
    let mut names = obs.known.clone();
    names.push(obs.called(options));
    let before = names.len();
    names.extend(genes);
    let mut all = roles(&names, options)?;
    let of_columns = all.split_off(before);
    let mut text = Vec::new();
    for (j, (name, role)) in names.iter().zip(all).enumerate() {
        let is_index = j + 1 == before;
        let is_read = match role {
            Role::Skip | Role::Number => false,
            Role::Data => !is_index && obs.is_class(&source, name),
            Role::Aside => true,
        };
        if is_read {
            let stored = if is_index { &obs.index } else { name };
            let column = obs.column(&source, stored, j, role)?;
            if column.codes.len() != rows {
                return Err(Fault::damaged(format!("column {name} of obs is too short")));
            }
            text.push(TextColumn { name: name.clone(), ..column });
        }
    }
    let named = names.into_iter().enumerate().skip(before).zip(of_columns);
    let named = named.map(|((j, name), role)| Named { name, number: j + 1, role }).collect();
    let Some(group) = sparse else {
        let array = source.array(&path).ok_or_else(|| Fault::damaged("a lost array"))?;
        return of_named(source.numbers(&array)?, rows, named, text, None, options);
    };
    let mut dense = Dense::new(rows, named, source.dense_budget(options))?;
    let part = |name: &str| source.numbers(&group.dataset(name).map_err(broken)?);
    let bounds = part("indptr")?;
    let is_row = encoding(&group).as_deref() == Some("csr_matrix");
    if bounds.len() != (if is_row { rows } else { columns }).saturating_add(1) {
        return Err(Fault::damaged(format!("{} bounds", bounds.len())));
    }
    // Of a matrix of zeros only, the arrays are empty, which is no fault.
    if bounds.iter().any(|bound| *bound != 0.0) {
        dense.compressed(&bounds, &part("indices")?, &part("data")?, is_row)?;
    }
    dense.finish(text, options)
}

/// What kind of thing a group is, as AnnData says.
fn encoding(group: &Group) -> Option<String> {
    let encoding = group.attribute("encoding-type").or_else(|_| group.attribute("h5sparse_format"));
    let encoding = encoding.ok()?.read_string().ok()?;
    // As it was called once.
    Some(match encoding.as_str() {
        "csr" => "csr_matrix".to_string(),
        "csc" => "csc_matrix".to_string(),
        _ => encoding,
    })
}

fn sparse_sizes(group: &Group, path: &str) -> Result<Vec<usize>, Fault> {
    if !matches!(encoding(group).as_deref(), Some("csr_matrix" | "csc_matrix")) {
        let what = format!("{path} is not a matrix");
        return Err(fault(what, with_variable("choose another")));
    }
    let shape = group.attribute("shape").or_else(|_| group.attribute("h5sparse_shape"));
    let shape = shape.map_err(broken)?;
    let element = number_of(&shape.datatype).ok_or_else(|| Fault::damaged("no shape"))?;
    let sizes = numbers::read(&mut shape.raw_data.as_slice(), element, 2)?;
    sizes.into_iter().map(index).collect()
}

/// The path of the matrix that is meant.
fn choose(source: &Source, options: &ReadOptions) -> Result<String, Fault> {
    let is_there = |path: &str| source.array(path).is_some() || source.group(path).is_some();
    let wanted = options.variable.as_deref().unwrap_or("X").trim_matches('/');
    // The table of cells is none of the matrices.
    let places = ["", "obsm/", "layers/"].map(|folder| format!("{folder}{wanted}"));
    if let Some(found) = places.into_iter().find(|path| is_there(path)) {
        return Ok(found);
    }
    let mut all: Vec<String> = ["X", "raw/X"].map(String::from).to_vec();
    all.retain(|path| is_there(path));
    for folder in ["layers", "obsm"] {
        let Some((groups, arrays)) = source.group(folder).and_then(|g| g.member_names().ok())
        else {
            continue;
        };
        all.extend(groups.into_iter().chain(arrays).map(|name| format!("{folder}/{name}")));
    }
    let what = format!("has no matrix {} (the matrices are {})", quoted(wanted), listed(&all));
    Err(fault(what, with_variable("choose one of them")))
}

/// The names of the columns of a matrix: those of `X` and its layers are in `var`.
fn genes(source: &Source, path: &str, columns: usize) -> Result<Vec<String>, Fault> {
    let frame = match path {
        "X" => "var",
        "raw/X" => "raw/var",
        layer if layer.starts_with("layers/") => "var",
        _ => return Ok(invented_names(columns, None)),
    };
    let names = Frame::open(source, frame)?.names(source)?;
    if names.len() != columns {
        return Err(Fault::damaged(format!(
            "{path} has {columns} columns, and {frame} has {}",
            names.len()
        )));
    }
    Ok(names)
}

/// A table of the file: a group with an array, or a group, for each column.
struct Frame {
    group: Group,
    path: String,
    /// The name of the column of row names.
    index: String,
    /// Those of the others.
    known: Vec<String>,
}

impl Frame {
    fn open(source: &Source, path: &str) -> Result<Self, Fault> {
        let Some(group) = source.group(path) else {
            let what = format!("holds no table {path}, or one of an old version of AnnData");
            return Err(fault(what, "read it and write it again with the anndata of today"));
        };
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
        Ok(Frame { group, path: path.to_string(), index, known })
    }

    /// The names of the rows.
    fn names(&self, source: &Source) -> Result<Vec<String>, Fault> {
        self.values(source, &self.index)
    }

    /// What the column of row names is called: by what it is always called, if somebody asks for that.
    fn called(&self, options: &ReadOptions) -> String {
        const ALWAYS: &str = "_index";
        let mut asked = options.aside.iter().chain(&options.beside);
        if asked.any(|name| name == ALWAYS) { ALWAYS.to_string() } else { self.index.clone() }
    }

    /// Whether a column holds categories or texts.
    fn is_class(&self, source: &Source, name: &str) -> bool {
        let path = format!("{}/{name}", self.path);
        if self.old_categories(name).is_some() {
            return true;
        }
        match (source.group(&path), source.array(&path)) {
            (Some(group), _) => {
                let classes = ["categorical", "nullable-boolean", "nullable-string-array"];
                encoding(&group).is_some_and(|kind| classes.contains(&kind.as_str()))
            }
            (None, Some(array)) => is_text(&array) || is_truth(&array),
            (None, None) => false,
        }
    }

    /// The path of a column's categories as versions before 0.8 have them.
    fn old_categories(&self, name: &str) -> Option<String> {
        let categories = self.group.group("__categories").ok()?;
        categories.dataset(name).ok().map(|_| format!("{}/__categories/{name}", self.path))
    }

    /// A column as texts.
    fn column(
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
        if let Some(categories) = self.old_categories(name) {
            return categorical(source, &path, &categories);
        }
        let Some(group) = source.group(&path) else { return values_of(source, &path) };
        let part = |name: &str| format!("{path}/{name}");
        match encoding(&group).as_deref() {
            Some("categorical") => categorical(source, &part("codes"), &part("categories")),
            // Numbers, true and false, or texts, some of which are missing.
            Some(kind) if kind.starts_with("nullable-") => {
                let mut values = values_of(source, &part("values"))?;
                let mask = source.array(&part("mask")).ok_or_else(|| lost(&path))?;
                let mask = source.numbers(&mask)?;
                let missing = values.iter_mut().zip(mask).filter(|(_, mask)| *mask != 0.0);
                missing.for_each(|(value, _)| value.clear());
                Ok(values)
            }
            _ => {
                Err(fault(format!("{path} is of a kind that is not read"), "choose another column"))
            }
        }
    }
}

/// The texts that codes stand for; a negative code is that of a missing one.
fn categorical(source: &Source, codes: &str, categories: &str) -> Result<Vec<String>, Fault> {
    let array = source.array(codes).ok_or_else(|| lost(codes))?;
    let categories = values_of(source, categories)?;
    let text = |code: f64| match code {
        code if code < 0.0 => Ok(String::new()),
        code => categories.get(index(code)?).cloned().ok_or_else(|| lost(codes)),
    };
    source.numbers(&array)?.into_iter().map(text).collect()
}

/// The texts of an array, or its numbers as texts.
fn values_of(source: &Source, path: &str) -> Result<Vec<String>, Fault> {
    let array = source.array(path).ok_or_else(|| lost(path))?;
    if is_text(&array) {
        return source.texts(&array);
    }
    let is_truth = is_truth(&array);
    let text = |number: f64| match (is_truth, number == 0.0) {
        (false, _) => text_of(number),
        (true, is_false) => if is_false { "False" } else { "True" }.to_string(),
    };
    Ok(source.numbers(&array)?.into_iter().map(text).collect())
}

fn lost(path: &str) -> Fault {
    Fault::damaged(format!("{path} is lost"))
}
