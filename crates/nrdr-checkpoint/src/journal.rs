//! Records behind each other in a file, each there wholly or not at all.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

use nrdr::checkpoint::Record;
use nrdr_write::WriteError;
use sha2::{Digest, Sha256};

use crate::content;

const FORMAT: &[u8; 16] = b"nrdr checkpoint\n";
const VERSION: u32 = 1;
/// Bytes of the head, and before its sum.
const HEAD: usize = 64;
const BEFORE_SUM: usize = 32;
/// Bytes of a sum.
const SUM: u64 = 32;
/// Bytes of the length before a record.
const LENGTH: u64 = 8;
/// Bytes that are read or written at a time.
const BUFFER: usize = 1 << 18;

/// An open file of records.
pub(crate) struct Journal {
    file: File,
    /// Where the next record begins.
    end: u64,
    /// The records there are, each name once, in the order in which they came first.
    entries: Vec<Entry>,
}

/// Where a record is.
struct Entry {
    name: String,
    start: u64,
    length: u64,
}

/// Why a file is refused.
enum Refused {
    System(io::Error),
    /// What it is, and the way out.
    Because(String, &'static str),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        Refused::System(error)
    }
}

fn damaged(what: impl std::fmt::Display) -> Refused {
    let way_out = "copy it again, or delete it and start anew";
    Refused::Because(format!("is damaged ({what})"), way_out)
}

impl Journal {
    pub(crate) fn open(path: &Path) -> Result<Self, WriteError> {
        Self::opened(path).map_err(|refused| match refused {
            Refused::System(error) => WriteError::of_system(path, &error),
            Refused::Because(what, way_out) => WriteError::new(path, what, way_out),
        })
    }

    fn opened(path: &Path) -> Result<Self, Refused> {
        // What is there may be something else: it is looked at first.
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                let way_out = "wait for its end, or use another file";
                return Err(Refused::Because("is in use by another run".to_string(), way_out));
            }
            // Where there are no locks, nobody can be kept out.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let size = file.metadata()?.len();
        if size == 0 {
            let mut journal = Journal { file, end: HEAD as u64, entries: Vec::new() };
            journal.commit()?;
            sync_folder(path);
            return Ok(journal);
        }
        let end = read_head(&mut file, size)?;
        let entries = read_entries(&mut file, end)?;
        Ok(Journal { file, end, entries })
    }

    /// The names of the records.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// Bytes of the file.
    pub(crate) fn size(&self) -> u64 {
        self.end
    }

    /// The record of a name, if there is one. Its sum was looked at when the file was opened.
    pub(crate) fn get(&mut self, name: &str) -> io::Result<Option<Record<'static>>> {
        let Some(entry) = self.entries.iter().find(|entry| entry.name == name) else {
            return Ok(None);
        };
        self.file.seek(SeekFrom::Start(entry.start))?;
        let mut content = BufReader::with_capacity(BUFFER, &self.file).take(entry.length);
        content::read_name(&mut content)?;
        content::read(&mut content).map(Some)
    }

    /// Writes a record behind the others; the last one of a name counts.
    pub(crate) fn put(&mut self, name: &str, record: &Record<'_>) -> io::Result<()> {
        let before = self.end;
        let length = content::length(name, record);
        if let Err(error) = self.append(name, record, length) {
            // A part of it is of no use, and the disk may be full. If it stays, the head tells that it does not count.
            let _ = self.file.set_len(before);
            return Err(error);
        }
        self.end += LENGTH + length + SUM;
        if let Err(error) = self.commit() {
            // Either head is right: the record is whole.
            self.end = before;
            return Err(error);
        }
        add(&mut self.entries, Entry { name: name.to_string(), start: before + LENGTH, length });
        Ok(())
    }

    fn append(&mut self, name: &str, record: &Record<'_>, length: u64) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.end))?;
        let mut out =
            Summed { out: BufWriter::with_capacity(BUFFER, &self.file), sum: Sha256::new() };
        out.write_all(&length.to_le_bytes())?;
        content::write(&mut out, name, record)?;
        let Summed { mut out, sum } = out;
        out.write_all(&sum.finalize())?;
        out.flush()?;
        drop(out);
        self.file.sync_data()
    }

    /// From here on everything up to the end counts.
    fn commit(&mut self) -> io::Result<()> {
        let mut head = Vec::with_capacity(HEAD);
        head.extend(FORMAT);
        head.extend(VERSION.to_le_bytes());
        head.extend([0; 4]);
        head.extend(self.end.to_le_bytes());
        head.extend(Sha256::digest(&head));
        self.file.seek(SeekFrom::Start(0))?;
        // At once: a part of it would be damage.
        self.file.write_all(&head)?;
        self.file.sync_data()
    }
}

/// The name of a new file reaches the disk, where folders can be synced.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

fn add(entries: &mut Vec<Entry>, entry: Entry) {
    match entries.iter_mut().find(|other| other.name == entry.name) {
        Some(other) => *other = entry,
        None => entries.push(entry),
    }
}

/// How much of a file of this size counts.
fn read_head(file: &mut File, size: u64) -> Result<u64, Refused> {
    let mut head = Vec::with_capacity(HEAD);
    file.take(HEAD as u64).read_to_end(&mut head)?;
    if !head.starts_with(FORMAT) {
        let way_out = "choose another name";
        return Err(Refused::Because("is no checkpoint of nrdr".to_string(), way_out));
    }
    let version =
        head.get(16..).and_then(|rest| rest.first_chunk()).map(|b| u32::from_le_bytes(*b));
    match version {
        Some(VERSION) => {}
        Some(other) => {
            let what = format!("is a checkpoint of version {other}, this program has {VERSION}");
            return Err(Refused::Because(what, "take the nrdr that made it, or use another file"));
        }
        None => return Err(damaged("its head is cut off")),
    }
    let (before, sum) =
        head.split_at_checked(BEFORE_SUM).ok_or_else(|| damaged("its head is cut off"))?;
    if Sha256::digest(before).as_slice() != sum {
        return Err(damaged("the sum of its head is wrong"));
    }
    let end = before.last_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    if end < HEAD as u64 || end > size {
        return Err(damaged(format!("of {end} bytes there are {size}")));
    }
    Ok(end)
}

/// The records up to the end, all of which must be whole.
fn read_entries(file: &mut File, end: u64) -> Result<Vec<Entry>, Refused> {
    let mut entries = Vec::new();
    let mut at = HEAD as u64;
    file.seek(SeekFrom::Start(at))?;
    let mut from = BufReader::with_capacity(BUFFER, file);
    let mut number = 0;
    while at < end {
        number += 1;
        let wrong = |_| damaged(format!("record {number} is not as it was written"));
        let mut length = [0; LENGTH as usize];
        from.read_exact(&mut length).map_err(of_end(&wrong))?;
        let mut sum = Sha256::new();
        sum.update(length);
        let length = u64::from_le_bytes(length);
        let start = at + LENGTH;
        let next = length.checked_add(start + SUM).filter(|next| *next <= end);
        at = next.ok_or_else(|| wrong(()))?;
        let mut content = Summing { from: &mut from, sum }.take(length);
        let name = content::read_name(&mut content).map_err(of_end(&wrong))?;
        io::copy(&mut content, &mut io::sink())?;
        let sum = content.into_inner().sum;
        let mut written = [0; SUM as usize];
        from.read_exact(&mut written).map_err(of_end(&wrong))?;
        if sum.finalize().as_slice() != written {
            return Err(wrong(()));
        }
        add(&mut entries, Entry { name, start, length });
    }
    Ok(entries)
}

/// What ends too early or makes no sense is damaged; all else is the system's.
fn of_end(wrong: &impl Fn(()) -> Refused) -> impl Fn(io::Error) -> Refused {
    move |error| match error.kind() {
        ErrorKind::UnexpectedEof | ErrorKind::InvalidData => wrong(()),
        _ => Refused::System(error),
    }
}

/// Adds up what is written.
struct Summed<W> {
    out: W,
    sum: Sha256,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Adds up what is read.
struct Summing<R> {
    from: R,
    sum: Sha256,
}

impl<R: Read> Read for Summing<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(bytes)?;
        self.sum.update(&bytes[..read]);
        Ok(read)
    }
}
