//! Files written whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::{Builder, NamedTempFile};

use super::error::{Fault, fault};
use super::{IoError, csv, npy, npz, parquet_write};

/// Writes a table by the ending of its name: `.csv`, `.tsv`, `.npy`, `.npz` or `.parquet`. All of
/// them keep each bit of the numbers; NaN is an empty field of text and a null of Parquet.
pub fn write_table(path: &Path, names: &[String], columns: &[&[f64]]) -> Result<(), IoError> {
    let rows = columns.first().map_or(0, |column| column.len());
    if names.len() != columns.len() || columns.iter().any(|column| column.len() != rows) {
        let uneven = fault("would have uneven columns", "give each a name and equal lengths");
        return Err(IoError::new(path, uneven));
    }
    let format = ending_of(path).map_err(|fault| IoError::new(path, fault))?;
    atomically(path, |out| match format {
        Ending::Csv => csv::write(out, b',', names, columns),
        Ending::Tsv => csv::write(out, b'\t', names, columns),
        Ending::Npy => npy::write(out, columns),
        Ending::Npz => npz::write(out, names, columns),
        Ending::Parquet => parquet_write::write(out, names, columns),
    })
}

/// Writes a file so that it is there whole or, on any error, as it was before.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), IoError> {
    atomically(path, |out| write(out))
}

/// Checks, before any work, that the name is one of a table; see [`check_place`] for the rest.
pub fn check_ending(path: &Path) -> Result<(), IoError> {
    ending_of(path).map(|_| ()).map_err(|fault| IoError::new(path, fault))
}

/// Checks, before any work, that a file can be written there: its folder exists and is writable,
/// and it is none of the inputs.
pub fn check_place(path: &Path, inputs: &[&Path]) -> Result<(), IoError> {
    let same = |input: &&Path| match (path.canonicalize(), input.canonicalize()) {
        (Ok(output), Ok(input)) => output == input,
        _ => false,
    };
    let checked = if path == Path::new("-") {
        Err(fault("is no name of a file", "give one: standard output takes no results"))
    } else if inputs.iter().any(same) {
        Err(fault("is an input as well", "choose another name for the output"))
    } else {
        temporary(path).map(|_| ())
    };
    checked.map_err(|fault| IoError::new(path, fault))
}

/// The file that is being written.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Says, as long as it lives, that a file is being written.
pub(super) struct Unfinished;

impl Unfinished {
    pub(super) fn new(path: &Path) -> Self {
        if let Ok(mut unfinished) = UNFINISHED.lock() {
            *unfinished = Some(path.to_path_buf());
        }
        Unfinished
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Ok(mut unfinished) = UNFINISHED.lock() {
            *unfinished = None;
        }
    }
}

/// Removes the file that is being written: the program ends in its middle.
pub fn remove_unfinished() {
    if let Ok(mut unfinished) = UNFINISHED.lock()
        && let Some(path) = unfinished.take()
    {
        // Nobody is left to be told if it is gone already.
        let _ = fs::remove_file(path);
    }
}

/// Checks that no two outputs are the same file.
pub fn check_different(files: &[&Path]) -> Result<(), IoError> {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().unwrap_or_default();
        path.canonicalize().unwrap_or_else(|_| folder.join(path.file_name().unwrap_or_default()))
    };
    for (i, file) in files.iter().enumerate() {
        if files[..i].iter().any(|other| place(other) == place(file)) {
            let named = fault("is named twice", "give each output a file of its own");
            return Err(IoError::new(file, named));
        }
    }
    Ok(())
}

pub(super) enum Ending {
    Csv,
    Tsv,
    Npy,
    Npz,
    Parquet,
}

pub(super) fn ending_of(path: &Path) -> Result<Ending, Fault> {
    match path.extension().unwrap_or_default().to_ascii_lowercase().to_str() {
        Some("csv") => Ok(Ending::Csv),
        Some("tsv") => Ok(Ending::Tsv),
        Some("npy") => Ok(Ending::Npy),
        Some("npz") => Ok(Ending::Npz),
        Some("parquet") => Ok(Ending::Parquet),
        _ => Err(fault(
            "has no ending of a table that can be written",
            "give .csv, .tsv, .npy, .npz or .parquet",
        )),
    }
}

fn atomically(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> Result<(), IoError> {
    let result = || -> Result<(), Fault> {
        let (file, target) = temporary(path)?;
        let _unfinished = Unfinished::new(file.path());
        let mut out = BufWriter::with_capacity(1 << 18, file.as_file());
        write(&mut out)?;
        out.flush()?;
        drop(out);
        file.as_file().sync_all()?;
        file.persist(target).map_err(|error| error.error)?;
        Ok(())
    };
    result().map_err(|fault| IoError::new(path, fault))
}

/// A file beside the target, removed unless it takes the target's name; and the target itself,
/// which is another path where a link leads to it.
pub(super) fn temporary(path: &Path) -> Result<(NamedTempFile, PathBuf), Fault> {
    let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    if fs::metadata(&target).is_ok_and(|found| !found.is_file()) {
        return Err(fault("is a folder or a device", "give the name of a file"));
    }
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        let what = format!("cannot be written, the folder {} does not exist", folder.display());
        return Err(fault(what, "make the folder first"));
    }
    let mut builder = Builder::new();
    builder.prefix(".nrdr-").suffix(".tmp");
    #[cfg(unix)]
    {
        // As any new file has them, instead of only for the owner.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    match builder.tempfile_in(folder) {
        Ok(file) => Ok((file, target)),
        Err(error) => Err(fault(
            format!("cannot be written in the folder {} ({error})", folder.display()),
            "check its permissions, or choose another",
        )),
    }
}
