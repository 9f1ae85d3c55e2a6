//! A folder that keeps what is finished of a run, so that the same run goes on after it was ended, on any number of
//! processes.
//!
//! A record is what all members have of something: lists of values that belong to their rows, and what is the same at all. Each
//! member writes its rows as a piece, a file of its own under a name that no other has. When all pieces are on the disk, the first
//! member writes `checkpoint.json` anew, which lists the records with their pieces: it takes its name in one step, so that at any
//! moment either the earlier or the later state is there. Pieces that are not listed were left by a run that was ended, and are removed
//! by the next one. Who reads asks for rows, whoever wrote them.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nrdr::team::Team;
use nrdr_cli::shared::{Failure, json_text, make_folder};
use nrdr_write::{Outputs, WriteError, printable, sweep, write_atomically};
use serde::{Deserialize, Serialize};

use crate::identity::{self, Items};

use crate::together::{agreed, from_first, gathered};
use piece::Shape;

mod piece;
mod records;

/// The file that lists the records.
const LIST: &str = "checkpoint.json";
/// The file that is locked as long as a run is going on.
const LOCK: &str = ".nrdr-lock";
/// The version of the format.
const VERSION: u32 = 1;
/// The ending of pieces.
const ENDING: &str = "piece";

/// Values that a member has.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers, to the last bit.
    Numbers(Vec<f64>),
    /// Whole numbers.
    Whole(Vec<u64>),
}

/// A list of a record.
#[derive(Clone, Debug, PartialEq)]
pub enum List {
    /// The same values at all members.
    Same(Values),
    /// So many values for each of the member's rows.
    Rows(usize, Values),
    /// For each of the member's rows how many values it has, and these.
    Uneven(Vec<u32>, Values),
}

/// What a member has of something that is finished.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnRecord {
    /// What is no number, the same at all members.
    pub text: String,
    /// Lists.
    pub lists: Vec<List>,
}

/// What the folder holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Listed {
    version: u32,
    /// Which run it is of.
    run: Items,
    /// Number of the next piece that gets a name.
    next: u64,
    records: Vec<Entry>,
}

/// A record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    name: String,
    text: String,
    /// What its lists are.
    shapes: Vec<Shape>,
    /// How many rows there are in all.
    rows: u64,
    pieces: Vec<Piece>,
}

/// The rows of one member.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Piece {
    file: String,
    /// The first row, and the one after the last.
    start: u64,
    end: u64,
    bytes: u64,
    sha256: String,
}

/// An open folder. All members ask it for the same, in the same order.
pub struct Checkpoint {
    folder: PathBuf,
    listed: Mutex<Listed>,
    /// Where the rows of each member begin, in the order in which the run works, and where the last ones end.
    starts: Mutex<Vec<u64>>,
    /// Kept by the first member, so that no other run writes here.
    _lock: Option<File>,
}

impl Checkpoint {
    /// Opens a folder, or makes one. That of another run is refused, and one that another run has open.
    pub fn open(team: &dyn Team, folder: &Path, run: &Items) -> Result<Self, Failure> {
        let mut lock = None;
        let listed = from_first(team, || {
            make_folder(folder)?;
            lock = Some(locked(folder)?);
            let listed = read(folder, run)?;
            sweep(folder);
            remove_others(folder, &listed);
            // From here on it is that of this run.
            write_list(folder, &listed)?;
            Ok(listed)
        })?;
        let there = if folder.is_dir() {
            Ok(())
        } else {
            let folder = shown(folder);
            let rank = team.rank();
            Err(Failure::Usage(format!(
                "process {rank} does not see the folder {folder} that process 0 made: give one on a disk that all hosts share"
            )))
        };
        agreed(team, there)?;
        let (listed, starts) = (Mutex::new(listed), Mutex::new(Vec::new()));
        Ok(Checkpoint { folder: folder.to_path_buf(), listed, starts, _lock: lock })
    }

    /// What is kept, for people; `None` if that is nothing yet.
    pub fn summary(&self) -> Option<String> {
        let listed = self.listed();
        let names: Vec<&str> = listed.records.iter().map(|entry| entry.name.as_str()).collect();
        (!names.is_empty()).then(|| printable(&names.join(", ")))
    }

    /// Bytes of all pieces.
    pub fn size(&self) -> u64 {
        let listed = self.listed();
        listed.records.iter().flat_map(|entry| &entry.pieces).map(|piece| piece.bytes).sum()
    }

    /// From here on the library's records are those of these rows: `starts` tells where the rows of each member begin, in the
    /// order in which the run works, and where the last ones end.
    pub fn spread(&self, starts: Vec<u64>) {
        *self.starts.lock().unwrap_or_else(PoisonError::into_inner) = starts;
    }

    fn listed(&self) -> MutexGuard<'_, Listed> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a record of which each member has some rows; `starts` tells which. It takes the place of one of the same name.
    pub fn put(
        &self,
        team: &dyn Team,
        name: &str,
        starts: &[u64],
        record: &OwnRecord,
    ) -> Result<(), Failure> {
        let (start, end) = (starts[team.rank()], starts[team.rank() + 1]);
        let number = self.listed().next;
        let file = format!("{number:06}-{:06}.{ENDING}", team.rank());
        let shapes: Vec<Shape> = record.lists.iter().map(Shape::of).collect();
        let write = || -> Result<Piece, Failure> {
            piece::check(record, (end - start) as usize)?;
            let mut outputs = Outputs::beside_others();
            let mut sum = (String::new(), 0);
            outputs.add(&self.folder.join(&file), |out| {
                sum = piece::write(out, record, team.rank() == 0)?;
                Ok(())
            })?;
            outputs.commit()?;
            let (sha256, bytes) = sum;
            Ok(Piece { file, start, end, bytes, sha256 })
        };
        let pieces = gathered(team, write())?;
        let mut listed = self.listed().clone();
        listed.next = number + 1;
        listed.records.retain(|entry| entry.name != name);
        let rows = starts.last().copied().unwrap_or(0);
        let text = record.text.clone();
        listed.records.push(Entry { name: name.to_string(), text, shapes, rows, pieces });
        from_first(team, || {
            write_list(&self.folder, &listed)?;
            remove_others(&self.folder, &listed);
            Ok(())
        })?;
        *self.listed() = listed;
        Ok(())
    }

    /// The record of a name for rows that are spread like this, if there is one of as many rows.
    pub fn get(
        &self,
        team: &dyn Team,
        name: &str,
        starts: &[u64],
    ) -> Result<Option<OwnRecord>, Failure> {
        let rows = starts.last().copied().unwrap_or(0);
        let entry = self.listed().records.iter().find(|entry| entry.name == name).cloned();
        let Some(entry) = entry.filter(|entry| entry.rows == rows) else { return Ok(None) };
        // Each piece is looked at as a whole by one member.
        let mine = entry.pieces.iter().skip(team.rank()).step_by(team.size());
        let whole = mine.map(|piece| {
            let path = self.folder.join(&piece.file);
            piece::verify(&path, piece.bytes, &piece.sha256)
        });
        agreed(team, whole.collect::<Result<(), Failure>>())?;
        let wanted = starts[team.rank()]..starts[team.rank() + 1];
        let read = || -> Result<OwnRecord, Failure> {
            let mut lists: Vec<List> = entry.shapes.iter().map(Shape::empty).collect();
            for (at, one) in entry.pieces.iter().enumerate() {
                let (from, to) = (one.start.max(wanted.start), one.end.min(wanted.end));
                // What is the same everywhere is in the first one.
                if from < to || at == 0 {
                    let within = |row: u64| (row - one.start) as usize;
                    let rows = if from < to { within(from)..within(to) } else { 0..0 };
                    let all = (one.end - one.start) as usize;
                    let path = self.folder.join(&one.file);
                    piece::read(&path, &entry.shapes, at == 0, all, rows, &mut lists)?;
                }
            }
            Ok(OwnRecord { text: entry.text.clone(), lists })
        };
        agreed(team, read()).map(Some)
    }
}

/// Locks the folder for this run.
fn locked(folder: &Path) -> Result<File, Failure> {
    let path = folder.join(LOCK);
    let file = File::options().write(true).create(true).truncate(false).open(&path);
    let file = file.map_err(|error| WriteError::of_system(&path, &error))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            let folder = shown(folder);
            Err(Failure::Usage(format!(
                "{folder} is in use by another run: wait for its end, or use another folder"
            )))
        }
        // Where there are no locks, nobody can be kept out.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// What a folder holds; nothing yet of a new one.
fn read(folder: &Path, run: &Items) -> Result<Listed, Failure> {
    let path = folder.join(LIST);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Listed { version: VERSION, run: run.clone(), ..Listed::default() });
        }
        Err(error) => return Err(WriteError::of_system(&path, &error).into()),
    };
    let path = shown(&path);
    let listed: Listed = serde_json::from_str(&text).map_err(|error| {
        Failure::Usage(format!(
            "{path} is no checkpoint of nrdr-mpi ({error}): use another folder, or delete it"
        ))
    })?;
    if listed.version != VERSION {
        let version = listed.version;
        return Err(Failure::Usage(format!(
            "{path} is a checkpoint of version {version}, this program has {VERSION}: take the nrdr-mpi that made it, \
             or use another folder"
        )));
    }
    identity::check_same_checkpoint(&listed.run, run).map_err(|error| {
        let (folder, told) = (shown(folder), error.told(&nrdr_cli::shared::Typed));
        let told = told.replace("use another file or delete it", "use another folder or delete it");
        Failure::Usage(format!("{folder}: {told}"))
    })?;
    Ok(listed)
}

/// The list takes its name in one step.
fn write_list(folder: &Path, listed: &Listed) -> Result<(), Failure> {
    let text = json_text(listed)?;
    Ok(write_atomically(&folder.join(LIST), |out| out.write_all(text.as_bytes()))?)
}

/// Removes pieces that are not listed.
fn remove_others(folder: &Path, listed: &Listed) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_piece = Path::new(&name).extension().is_some_and(|ending| ending == ENDING);
        let mut pieces = listed.records.iter().flat_map(|entry| &entry.pieces);
        if is_piece && !pieces.any(|piece| name == piece.file.as_str()) {
            // One that stays takes room and does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

impl Values {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Numbers(values) => values.len(),
            Values::Whole(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
