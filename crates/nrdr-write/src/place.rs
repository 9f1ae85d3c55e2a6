//! Where a file goes: what its name leads to, and whether it can be written there.

use std::fs::{self, Metadata, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::WriteError;
use crate::temporary::Temporary;

/// As many links as Linux follows.
const MOST_LINKS: usize = 40;

/// What the name of an output leads to.
pub(crate) struct Target {
    /// The file that is made or replaced: behind links, which stay.
    pub(crate) path: PathBuf,
    /// Its folder, which exists.
    pub(crate) folder: PathBuf,
    /// What is known of the file that is there now.
    pub(crate) old: Option<Metadata>,
}

impl Target {
    /// Follows links, also to a file that does not exist yet. Folders, devices, pipes and read-only files are refused.
    pub(crate) fn of(named: &Path) -> Result<Self, WriteError> {
        let refused = |what: &str, way_out: &str| WriteError::new(named, what, way_out);
        let system = |error| WriteError::of_system(named, &error);
        let old = match fs::metadata(named) {
            Ok(old) => Some(old),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(system(error)),
        };
        let names_folder = named.as_os_str().as_encoded_bytes().ends_with(b"/");
        if names_folder || old.as_ref().is_some_and(Metadata::is_dir) {
            let error = refused("is a folder", "give the name of a file");
            return Err(error.with_kind(ErrorKind::IsADirectory));
        }
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            return Err(refused("is a device or a pipe", "give the name of a file"));
        }
        let path = behind_links(named);
        if path.file_name().is_none() {
            return Err(refused("is no name of a file", "give one"));
        }
        let folder = folder_of(&path);
        if !folder.is_dir() {
            let what = format!("cannot be written, the folder {} does not exist", folder.display());
            let error = refused(&what, "make the folder first");
            return Err(error.with_kind(ErrorKind::NotFound));
        }
        if let Some(old) = &old {
            // Renaming would get around this, and so would an administrator.
            if old.permissions().readonly() {
                let error = refused("is read-only", "make it writable, or choose another name");
                return Err(error.with_kind(ErrorKind::PermissionDenied));
            }
            OpenOptions::new().write(true).open(&path).map_err(system)?;
        }
        Ok(Target { path, folder, old })
    }

    /// An empty file beside it, with the permissions of the file that is there.
    pub(crate) fn temporary(&self, named: &Path) -> Result<Temporary, WriteError> {
        Temporary::new(&self.folder, self.old.as_ref()).map_err(|error| {
            let folder = self.folder.display();
            let system = WriteError::of_system(named, &error);
            match error.kind() {
                ErrorKind::PermissionDenied => {
                    system.and(&format!(" (no file can be made in the folder {folder})"))
                }
                _ => system,
            }
        })
    }
}

/// The place that links lead to, whether or not something is there.
fn behind_links(named: &Path) -> PathBuf {
    let mut path = named.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(leads_to) = fs::read_link(&path) else { break };
        path = folder_of(&path).join(leads_to);
    }
    path
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

/// Checks, before any work, that a file can be written there: its folder exists and is writable,
/// it is a file or nothing yet, and none of the inputs.
pub fn check_place(path: &Path, inputs: &[&Path]) -> Result<(), WriteError> {
    let same = |input: &&Path| match (path.canonicalize(), input.canonicalize()) {
        (Ok(output), Ok(input)) => output == input,
        _ => false,
    };
    let refused = |what: &str, way_out: &str| Err(WriteError::new(path, what, way_out));
    if path == Path::new("-") {
        return refused("is no name of a file", "give one");
    }
    if inputs.iter().any(same) {
        return refused("is an input as well", "choose another name for the output");
    }
    Target::of(path)?.temporary(path).map(|_| ())
}

/// Checks that no two outputs are the same file.
pub fn check_different(files: &[&Path]) -> Result<(), WriteError> {
    let place = |path: &Path| {
        let path = behind_links(path);
        let folder = folder_of(&path).canonicalize().unwrap_or_default();
        folder.join(path.file_name().unwrap_or_default())
    };
    let places: Vec<PathBuf> = files.iter().map(|file| place(file)).collect();
    for (i, file) in files.iter().enumerate() {
        if places[..i].contains(&places[i]) {
            let way_out = "give each output a file of its own";
            return Err(WriteError::new(file, "is named twice", way_out));
        }
    }
    Ok(())
}
