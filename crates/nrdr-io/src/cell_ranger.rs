//! The HDF5 of Cell Ranger (10x Genomics): a sparse matrix of genes and cells, column after column, and their names. The
//! cells are the points.

use super::advice::ReadOption;
use super::columns::{Named, Role, TextBuilder, roles};
use super::dense::{Dense, index};
use super::error::{Fault, fault};
use super::hdf5::Source;
use super::limit::check_columns;
use super::{ReadOptions, Table, leave_out};

/// The group of the matrix, if the file has one: `matrix`, or once the name of a genome.
pub(super) fn find(source: &Source) -> Option<String> {
    let (groups, _) = source.group("/")?.member_names().ok()?;
    let is_matrix = |group: &&String| {
        let parts = ["barcodes", "data", "indices", "indptr", "shape"];
        parts.iter().all(|part| source.array(&format!("{group}/{part}")).is_some())
    };
    groups.iter().find(is_matrix).cloned()
}

/// Reads the matrix of a group, with a row for each cell.
pub(super) fn read(source: &Source, group: &str, options: &ReadOptions) -> Result<Table, Fault> {
    const BARCODE: &str = "barcode";
    if options.transpose {
        return Err(fault("has a row for each cell", leave_out(ReadOption::Transpose)));
    }
    let array = |name: &str| {
        let lost = || Fault::damaged(format!("{group}/{name} is lost"));
        source.array(&format!("{group}/{name}")).ok_or_else(lost)
    };
    let numbers = |name: &str| source.numbers(&array(name)?);
    let [genes, cells] = *numbers("shape")?.as_slice() else {
        return Err(Fault::damaged("no shape"));
    };
    let (genes, cells) = (index(genes)?, index(cells)?);
    check_columns(genes)?;
    let named = ["features/name", "gene_names"].into_iter().find_map(|name| array(name).ok());
    let named = named.ok_or_else(|| Fault::damaged("genes without names"))?;
    let mut names = source.texts(&named)?;
    let barcodes = source.texts(&array("barcodes")?)?;
    let bounds = numbers("indptr")?;
    if names.len() != genes || barcodes.len() != cells || bounds.len() != cells.saturating_add(1) {
        return Err(Fault::damaged("names and numbers of different lengths"));
    }
    names.push(BARCODE.to_string());
    let mut all = roles(&names, options)?;
    let mut text = Vec::new();
    if let Some(role) = all.pop().filter(|role| *role != Role::Skip) {
        let barcodes = barcodes.iter().map(String::as_str);
        text.push(TextBuilder::column(BARCODE, genes, role, barcodes));
    }
    let mut dense = Dense::new(cells, Named::with(names, all), source.dense_budget(options))?;
    dense.compressed(&bounds, &numbers("indices")?, &numbers("data")?, true)?;
    dense.finish(text, options)
}
