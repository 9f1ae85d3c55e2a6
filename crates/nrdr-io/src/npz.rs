//! NPZ, the format of `numpy.savez`: a ZIP archive of NPY files.

use std::io::{self, Read, Seek, Write};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::advice::with_variable;
use super::error::{Fault, fault, listed, quoted};
use super::latched::Latched;
use super::limit::Budget;
use super::write::Column;
use super::{ReadOptions, Table, npy};

/// The arrays that are written here: the second names the columns of the first.
const OWN: [&str; 2] = ["embedding", "columns"];

/// Reads the only array of an archive, or the one that the options name.
pub(super) fn read(
    file: impl Read + Seek,
    length: u64,
    options: &ReadOptions,
) -> Result<Table, Fault> {
    let mut archive = ZipArchive::new(file).map_err(broken)?;
    let mut arrays = Vec::new();
    for index in 0..archive.len() {
        if let Some(name) = archive.name_for_index(index) {
            let name = name.map_err(broken)?;
            arrays.extend(name.strip_suffix(".npy").map(|name| (name.to_string(), index)));
        }
    }
    let index = choose(&arrays, options)?;
    let mut entry = archive.by_index(index).map_err(broken)?;
    let size = entry.size();
    // What is stored as it is takes no more than the file has.
    let packed = entry.compression() != CompressionMethod::Stored;
    let budget = packed.then(|| Budget::packed(length, options));
    let table =
        npy::read(&mut entry, if packed { size } else { size.min(length) }, options, budget)?;
    // The checksum is compared where the entry ends.
    io::copy(&mut entry.take(1), &mut io::sink())?;
    Ok(table)
}

fn choose(arrays: &[(String, usize)], options: &ReadOptions) -> Result<usize, Fault> {
    let names: Vec<&str> = arrays.iter().map(|(name, _)| name.as_str()).collect();
    match (&options.variable, arrays) {
        (None, [(_, index)]) => Ok(*index),
        (None, [(first, index), (second, _), ..]) if first == OWN[0] && second == OWN[1] => {
            Ok(*index)
        }
        (_, []) => Err(fault("holds no arrays", "check that the file is the right one")),
        (None, _) => {
            let what = format!("holds several arrays ({})", listed(&names));
            Err(fault(what, with_variable("choose one")))
        }
        (Some(wanted), _) => match arrays.iter().find(|(name, _)| name == wanted) {
            Some((_, index)) => Ok(*index),
            None => {
                let (wanted, names) = (quoted(wanted), listed(&names));
                let what = format!("has no array {wanted} (the arrays are {names})");
                Err(fault(what, with_variable("choose one of them")))
            }
        },
    }
}

/// The name of a column as that of an array: no folder, and none of those that are there already.
fn array_name(column: &str) -> String {
    let name = column.replace(['/', '\\'], "_");
    if OWN.contains(&name.as_str()) { format!("{name}_") } else { name }
}

fn broken(error: ZipError) -> Fault {
    match error {
        ZipError::Io(error) => error.into(),
        error => Fault::damaged(error),
    }
}

/// Writes the columns of numbers as the array `embedding`, their names as the array `columns`, and each column of texts as an
/// array of its name.
pub(super) fn write(
    out: &mut (impl Write + Seek),
    names: &[String],
    columns: &[Column<'_>],
) -> io::Result<()> {
    let mut out = Latched::new(out);
    let mut archive = ZipWriter::new(&mut out);
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .large_file(columns.iter().map(Column::len).sum::<usize>() > 1 << 28);
    archive.start_file(format!("{}.npy", OWN[0]), options)?;
    npy::write(&mut archive, columns)?;
    archive.start_file(format!("{}.npy", OWN[1]), options)?;
    let all = || names.iter().map(String::as_str).zip(columns);
    let of_numbers = all().filter(|(_, column)| matches!(column, Column::Numbers(_)));
    npy::write_texts(&mut archive, &of_numbers.map(|(name, _)| name).collect::<Vec<_>>())?;
    for (name, column) in all() {
        if let Column::Texts(texts) = column {
            archive.start_file(format!("{}.npy", array_name(name)), options)?;
            npy::write_texts(&mut archive, texts)?;
        }
    }
    archive.finish()?;
    out.outcome()
}
