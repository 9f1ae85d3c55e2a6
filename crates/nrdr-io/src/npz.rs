//! NPZ, the format of `numpy.savez`: a ZIP archive of NPY files.

use std::io::{self, Read, Seek, Write};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::advice::with_variable;
use super::error::{Fault, fault, listed, quoted};
use super::labels::{Labels, vector_of};
use super::latched::Latched;
use super::limit::Budget;
use super::write::Column;
use super::{ReadOptions, Table, npy, npz_sparse};

/// The arrays that are written here: the second names the columns of the first.
const OWN: [&str; 2] = ["embedding", "columns"];

/// Reads the only array of an archive, or the one that the options name, or the sparse array that SciPy saved in
/// several; and those that hold labels.
pub(super) fn read(
    file: impl Read + Seek,
    length: u64,
    options: &ReadOptions,
) -> Result<Table, Fault> {
    let archive = ZipArchive::new(file).map_err(broken)?;
    let mut arrays = Arrays { archive, length, places: Vec::new() };
    for index in 0..arrays.archive.len() {
        if let Some(name) = arrays.archive.name_for_index(index) {
            let name = name.map_err(broken)?;
            arrays.places.extend(name.strip_suffix(".npy").map(|name| (name.to_string(), index)));
        }
    }
    let mut table = if options.variable.is_none() && npz_sparse::is_sparse(&arrays) {
        npz_sparse::read(&mut arrays, options)?
    } else {
        let index = choose(&arrays.places, options)?;
        arrays
            .open(index, options, |entry, size, budget| npy::read(entry, size, options, budget))?
    };
    for name in &options.label_variables {
        let (sizes, labels) = arrays.get(name, options)?;
        vector_of(name, &sizes)?;
        labels.attach(name, &mut table)?;
    }
    Ok(table)
}

/// The arrays of an archive.
pub(super) struct Arrays<F> {
    archive: ZipArchive<F>,
    pub(super) length: u64,
    /// Their names and places.
    places: Vec<(String, usize)>,
}

impl<F: Read + Seek> Arrays<F> {
    pub(super) fn has(&self, name: &str) -> bool {
        self.places.iter().any(|(other, _)| other == name)
    }

    /// Reads one that may be of any shape.
    pub(super) fn get(
        &mut self,
        name: &str,
        options: &ReadOptions,
    ) -> Result<(Vec<usize>, Labels), Fault> {
        let Some(&(_, index)) = self.places.iter().find(|(other, _)| other == name) else {
            return Err(none_of(name, &self.places));
        };
        self.open(index, options, |mut entry, size, budget| {
            npy::read_whole(&mut entry, size, budget)
        })
        .map_err(|fault| fault.about(&format!("array {}", quoted(name))))
    }

    /// Reads from one, which has at most so many bytes and a budget if it is packed.
    fn open<T>(
        &mut self,
        index: usize,
        options: &ReadOptions,
        read: impl FnOnce(&mut dyn Read, u64, Option<Budget>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut entry = self.archive.by_index(index).map_err(broken)?;
        let size = entry.size();
        // What is stored as it is takes no more than the file has.
        let packed = entry.compression() != CompressionMethod::Stored;
        let budget = packed.then(|| Budget::packed(self.length, options));
        let found = read(&mut entry, if packed { size } else { size.min(self.length) }, budget)?;
        // The checksum is compared where the entry ends.
        io::copy(&mut entry.take(1), &mut io::sink())?;
        Ok(found)
    }
}

fn none_of(wanted: &str, arrays: &[(String, usize)]) -> Fault {
    let names: Vec<&str> = arrays.iter().map(|(name, _)| name.as_str()).collect();
    let (wanted, names) = (quoted(wanted), listed(&names));
    let what = format!("has no array {wanted} (the arrays are {names})");
    fault(what, with_variable("choose one of them"))
}

fn choose(arrays: &[(String, usize)], options: &ReadOptions) -> Result<usize, Fault> {
    let is_label = |name: &String| options.label_variables.contains(name);
    let others: Vec<_> = arrays.iter().filter(|(name, _)| !is_label(name)).cloned().collect();
    let names: Vec<&str> = others.iter().map(|(name, _)| name.as_str()).collect();
    match (&options.variable, others.as_slice()) {
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
            None => Err(none_of(wanted, arrays)),
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
