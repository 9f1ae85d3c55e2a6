//! AnnData, what single-cell analyses store: HDF5 with a matrix `X` of a row for each cell, further matrices, and tables
//! of what is known of the cells (`obs`) and of the columns (`var`): `h5ad_frame.rs`.

use hdf5_reader::Dataset;
use hdf5_reader::group::Group;

use super::advice::with_variable;
use super::columns::{Named, Role, invented_names, of_named, roles};
use super::dense::{Dense, index};
use super::error::{Fault, fault, listed, quoted};
use super::h5ad_frame::Frame;
use super::hdf5::{Source, broken, number_of, sizes_of};
use super::input::Input;
use super::limit::check_columns;
use super::records::Records;
use super::{ReadOptions, Table, TextColumn, numbers};

/// The matrix of all genes.
const RAW: &str = "raw/X";

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
    let (path, matrix) = choose(&source, options)?;
    let sizes = match &matrix {
        Matrix::Sparse(group) => sparse_sizes(group, &path)?,
        Matrix::Dense(array) => sizes_of(array)?,
        Matrix::Field(values, columns) => vec![values.len() / columns, *columns],
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
    let group = match matrix {
        Matrix::Sparse(group) => group,
        Matrix::Dense(array) => {
            return of_named(source.numbers(&array)?, rows, named, text, None, options);
        }
        Matrix::Field(values, _) => return of_named(values, rows, named, text, None, options),
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
pub(super) fn encoding(group: &Group) -> Option<String> {
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

/// How a matrix is kept.
enum Matrix {
    Sparse(Group),
    Dense(Box<Dataset>),
    /// Row after row in the records of an old `obsm`, with how many columns.
    Field(Vec<f64>, usize),
}

impl Matrix {
    fn open(source: &Source, path: &str) -> Option<Self> {
        let dense = || source.array(path).map(|array| Matrix::Dense(Box::new(array)));
        source.group(path).map(Matrix::Sparse).or_else(dense)
    }
}

/// The matrix that is meant, and its path.
fn choose(source: &Source, options: &ReadOptions) -> Result<(String, Matrix), Fault> {
    let wanted = options.variable.as_deref().unwrap_or("X").trim_matches('/');
    // Before version 0.7 it was `raw.X`.
    let raw = if wanted == RAW { "raw.X" } else { wanted };
    // The table of cells is none of the matrices.
    let places = ["", "obsm/", "layers/"].map(|folder| format!("{folder}{wanted}"));
    for place in places.into_iter().chain([raw.to_string()]) {
        if let Some(matrix) = Matrix::open(source, &place) {
            return Ok((place, matrix));
        }
    }
    let old = source.array("obsm").map(|array| Records::read(source, &array)).transpose()?;
    let fields = old.as_ref().map(Records::names).unwrap_or_default();
    let field = wanted.strip_prefix("obsm/").unwrap_or(wanted);
    if let Some(records) = old.filter(|_| fields.iter().any(|name| name == field)) {
        let (values, columns) = records.numbers(field)?;
        return Ok((format!("obsm/{field}"), Matrix::Field(values, columns.max(1))));
    }
    let mut all: Vec<String> = ["X", RAW, "raw.X"].map(String::from).to_vec();
    all.retain(|path| Matrix::open(source, path).is_some());
    for folder in ["layers", "obsm"] {
        let Some((groups, arrays)) = source.group(folder).and_then(|g| g.member_names().ok())
        else {
            continue;
        };
        all.extend(groups.into_iter().chain(arrays).map(|name| format!("{folder}/{name}")));
    }
    all.extend(fields.iter().map(|name| format!("obsm/{name}")));
    let what = format!("has no matrix {} (the matrices are {})", quoted(wanted), listed(&all));
    Err(fault(what, with_variable("choose one of them")))
}

/// The names of the columns of a matrix: those of `X` and its layers are in `var`.
fn genes(source: &Source, path: &str, columns: usize) -> Result<Vec<String>, Fault> {
    let frame = match path {
        "X" => "var",
        RAW => "raw/var",
        "raw.X" => "raw.var",
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
