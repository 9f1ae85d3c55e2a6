//! Several files that are replaced together or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::WriteError;
use crate::place::Target;
use crate::printable;
use crate::temporary::{Backup, Temporary, sweep, uninterrupted};

/// Bytes that are collected before they are written.
const BUFFER: usize = 1 << 18;

/// Where the content of a file goes.
pub type Out<'f> = BufWriter<&'f File>;

/// The files that a run writes. Each is made whole and flushed to the disk under another name; [`Outputs::commit`]
/// gives all of them their names. Without it everything stays as it was.
#[derive(Default)]
pub struct Outputs {
    files: Vec<Unfinished>,
    /// Where they are.
    folders: Vec<PathBuf>,
    /// Whether leftovers stay there.
    unswept: bool,
}

/// A file that is being made.
pub struct Unfinished {
    /// As the user calls it.
    named: PathBuf,
    target: Target,
    temporary: Temporary,
}

impl Unfinished {
    /// The file, to be written to.
    pub fn out(&self) -> Out<'_> {
        BufWriter::with_capacity(BUFFER, self.temporary.file())
    }
}

/// A file that has taken its name.
struct Renamed<'f> {
    file: &'f Unfinished,
    before: Before,
}

/// What had a name before a new file took it.
enum Before {
    Nothing,
    Kept(Backup),
    /// A file that can no longer be had.
    Lost,
}

impl Before {
    fn of(path: &Path, folder: &Path) -> Self {
        match Backup::of(path, folder) {
            Ok(backup) => Before::Kept(backup),
            Err(error) if error.kind() == ErrorKind::NotFound => Before::Nothing,
            // Not every disk knows second names.
            Err(_) => Before::Lost,
        }
    }
}

/// Writes one file so that it is there whole or, on any error, as it was before.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut Out<'_>) -> io::Result<()>,
) -> Result<(), WriteError> {
    let mut outputs = Outputs::default();
    outputs.add(path, write)?;
    outputs.commit()
}

impl Outputs {
    /// Files of one of several processes that write into a folder at the same time. Leftovers in it are the affair of who
    /// calls [`sweep`](crate::sweep) before all of them: locks need not be known to other machines.
    pub fn beside_others() -> Self {
        Outputs { unswept: true, ..Outputs::default() }
    }

    /// Makes a file with what `write` writes.
    pub fn add(
        &mut self,
        path: &Path,
        write: impl FnOnce(&mut Out<'_>) -> io::Result<()>,
    ) -> Result<(), WriteError> {
        let file = self.begin(path)?;
        let mut out = file.out();
        write(&mut out)
            .and_then(|()| out.flush())
            .map_err(|error| WriteError::of_system(path, &error))?;
        drop(out);
        self.end(file)
    }

    /// Begins a file that is written piece by piece; [`Outputs::end`] ends it.
    pub fn begin(&mut self, path: &Path) -> Result<Unfinished, WriteError> {
        let target = Target::of(path)?;
        if !self.folders.contains(&target.folder) {
            // First, as leftovers take room.
            if !self.unswept {
                sweep(&target.folder);
            }
            self.folders.push(target.folder.clone());
        }
        let temporary = target.temporary(path)?;
        Ok(Unfinished { named: path.to_path_buf(), target, temporary })
    }

    /// The file is whole: it goes to the disk and waits for the others.
    pub fn end(&mut self, file: Unfinished) -> Result<(), WriteError> {
        let synced = file.temporary.file().sync_all();
        synced.map_err(|error| WriteError::of_system(&file.named, &error))?;
        self.files.push(file);
        Ok(())
    }

    /// Gives all files their names. If that fails, what was there before is put back; where it cannot be, the error
    /// tells which files are new.
    pub fn commit(self) -> Result<(), WriteError> {
        let interruptions_wait = uninterrupted();
        let mut renamed = Vec::new();
        let failed = self.rename(&mut renamed).and_then(|()| self.sync_folders()).err();
        let outcome = match failed {
            None => Ok(()),
            Some(error) => Err(put_back(&renamed, error)),
        };
        drop(renamed);
        drop(interruptions_wait);
        outcome
    }

    fn rename<'f>(&'f self, renamed: &mut Vec<Renamed<'f>>) -> Result<(), WriteError> {
        for file in &self.files {
            let Target { path, folder, .. } = &file.target;
            let before = Before::of(path, folder);
            let done = file.temporary.rename(path);
            done.map_err(|error| WriteError::of_system(&file.named, &error))?;
            renamed.push(Renamed { file, before });
        }
        Ok(())
    }

    /// The names reach the disk.
    fn sync_folders(&self) -> Result<(), WriteError> {
        for folder in &self.folders {
            // A folder that may not be read cannot be synced, nor can any on some systems.
            let synced = File::open(folder).map_or(Ok(()), |folder| folder.sync_all());
            match synced {
                Err(error)
                    if !matches!(
                        error.kind(),
                        ErrorKind::InvalidInput | ErrorKind::Unsupported
                    ) =>
                {
                    return Err(WriteError::of_system(folder, &error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Undoes what was done before an error, which tells what could not be undone.
fn put_back(renamed: &[Renamed<'_>], error: WriteError) -> WriteError {
    let mut new = Vec::new();
    for Renamed { file, before } in renamed.iter().rev() {
        let path = &file.target.path;
        let undone = match before {
            Before::Kept(backup) => backup.restore(path).is_ok(),
            Before::Nothing => fs::remove_file(path).is_ok(),
            Before::Lost => false,
        };
        if !undone {
            new.push(printable(&file.named.to_string_lossy()));
        }
    }
    new.reverse();
    match new.as_slice() {
        [] => error,
        [one] => error.and(&format!("; {one} is new already")),
        many => error.and(&format!("; {} are new already", many.join(", "))),
    }
}
