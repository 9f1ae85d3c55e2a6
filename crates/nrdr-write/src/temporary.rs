//! Files that have not taken their names yet, and what becomes of them when the program ends early.
//!
//! Each is locked as long as the process lives that makes it. One that can be locked by somebody else has been left by a
//! process that was killed, and is removed by the next one that writes into the folder.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

const PREFIX: &str = ".nrdr-";
const SUFFIX: &str = ".tmp";
/// Random characters between the two.
const LETTERS: usize = 6;
const ALPHABET: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
/// Names that are tried before giving up.
const ATTEMPTS: usize = 100;

/// The temporary files of this process. Whoever makes, renames or removes them holds the lock.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Keeps an interruption waiting as long as it lives.
pub(crate) fn uninterrupted() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all files that are unfinished, for a program that ends at once: from now on nothing is written, and who
/// tries waits for ever.
pub fn remove_unfinished() {
    let mut unfinished = uninterrupted();
    for path in unfinished.drain(..) {
        // Nobody is left to be told if it is gone already.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(unfinished);
}

/// A file that is removed when it is dropped, unless it has taken another name.
pub(crate) struct Temporary {
    path: PathBuf,
    file: File,
}

impl Temporary {
    /// An empty file, locked, with the owner and permissions of an `old` one or as any new file has them.
    pub(crate) fn new(folder: &Path, old: Option<&Metadata>) -> io::Result<Self> {
        for _ in 0..ATTEMPTS {
            let temporary = match Self::made(folder.join(name()), old) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                made => made?,
            };
            match temporary.file.try_lock() {
                // Another process took it for a leftover before it was locked.
                Err(TryLockError::WouldBlock) => continue,
                Ok(()) if !temporary.path.exists() => continue,
                // Where there are no locks, there are no leftovers either: nobody removes what it cannot lock.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            keep_permissions(&temporary.file, old)?;
            return Ok(temporary);
        }
        Err(io::Error::other("no name is free"))
    }

    fn made(path: PathBuf, old: Option<&Metadata>) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        if old.is_some() {
            // Nobody may read what is written before it has the permissions of the old file.
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        let mut unfinished = uninterrupted();
        let file = options.open(&path)?;
        unfinished.push(path.clone());
        Ok(Temporary { path, file })
    }

    /// The file, to be written to.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Gives it the name of the file that is wanted. The caller is [`uninterrupted`].
    pub(crate) fn rename(&self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut unfinished = uninterrupted();
        if let Some(at) = unfinished.iter().position(|path| *path == self.path) {
            unfinished.swap_remove(at);
        }
        // It is gone where it was renamed; another of this name there is not, as it is random.
        let _ = fs::remove_file(&self.path);
    }
}

/// A second name for a file that is about to be replaced, so that it can be put back.
pub(crate) struct Backup {
    path: PathBuf,
    /// Keeps others from taking it for a leftover.
    _lock: Option<File>,
}

impl Backup {
    /// Gives the file a second name.
    pub(crate) fn of(target: &Path, folder: &Path) -> io::Result<Self> {
        let lock = File::open(target).ok().filter(|file| file.try_lock_shared().is_ok());
        let path = folder.join(name());
        fs::hard_link(target, &path)?;
        Ok(Backup { path, _lock: lock })
    }

    /// Puts the old file back into its place.
    pub(crate) fn restore(&self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)
    }
}

impl Drop for Backup {
    fn drop(&mut self) {
        // If it stays, the next run removes it.
        let _ = fs::remove_file(&self.path);
    }
}

/// Removes what processes left in a folder that were killed; never what somebody still holds, nor anything else.
pub fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file
            && is_ours(&entry.file_name())
            // Network disks lock for themselves alone only what is open for writing.
            && let Ok(file) = OpenOptions::new().read(true).write(true).open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn name() -> String {
    let mut random = RandomState::new().hash_one(std::process::id());
    let letters = std::iter::repeat_with(|| {
        let letter = ALPHABET[(random % ALPHABET.len() as u64) as usize];
        random /= ALPHABET.len() as u64;
        char::from(letter)
    });
    format!("{PREFIX}{}{SUFFIX}", letters.take(LETTERS).collect::<String>())
}

/// Whether a name is one that is given here.
fn is_ours(name: &OsStr) -> bool {
    let letters = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    // Capitals as well: earlier versions had them.
    letters.is_some_and(|letters| {
        letters.len() == LETTERS && letters.bytes().all(|letter| letter.is_ascii_alphanumeric())
    })
}

/// Owner, group and permissions of the old file, as far as that is allowed.
#[cfg(unix)]
fn keep_permissions(file: &File, old: Option<&Metadata>) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let Some(old) = old else { return Ok(()) };
    let new = file.metadata()?;
    // Only an administrator gives files away.
    let _ = new.uid() == old.uid() || fchown(file, Some(old.uid()), None).is_ok();
    let same_group = new.gid() == old.gid() || fchown(file, None, Some(old.gid())).is_ok();
    let mut mode = old.mode() & 0o777;
    if !same_group {
        // What the old group was allowed is not for another one.
        mode = (mode & !0o070) | ((mode & 0o007) << 3);
    }
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn keep_permissions(_file: &File, _old: Option<&Metadata>) -> io::Result<()> {
    Ok(())
}
