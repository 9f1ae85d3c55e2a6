//! What can go wrong with a file, in one line, and the way out.

use std::fmt;
use std::io;
use std::path::Path;

use nrdr_write::printable;

use super::advice::{Advice, Words};

/// What is wrong with a file, wherever it lies. The reader of a format knows no more than this;
/// [`IoError`] adds the name of the file.
#[derive(Debug)]
pub(super) struct Fault {
    what: String,
    way_out: Advice,
}

/// What is wrong, then what to do about it.
pub(super) fn fault(what: impl Into<String>, way_out: impl Into<Advice>) -> Fault {
    Fault { what: what.into(), way_out: way_out.into() }
}

impl Fault {
    /// The same of a part of the file.
    pub(super) fn about(self, part: &str) -> Self {
        Fault { what: format!("{part} {}", self.what), ..self }
    }

    /// The same with another way out.
    pub(super) fn instead(self, way_out: impl Into<Advice>) -> Self {
        Fault { way_out: way_out.into(), ..self }
    }

    /// The file ends before its content does, or its bytes contradict each other.
    pub(super) fn damaged(why: impl fmt::Display) -> Self {
        fault(format!("is cut short or damaged ({why})"), "make the file again")
    }

    /// The same of a place in the file.
    pub(super) fn of(self, place: &str) -> Self {
        Fault { what: format!("{place} {}", self.what), ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.way_out)
    }
}

impl std::error::Error for Fault {}

/// A reader within a reader passes a fault on as the inside of an [`io::Error`]; here it comes out.
impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        use io::ErrorKind::{
            InvalidData, InvalidInput, NotFound, PermissionDenied, StorageFull, UnexpectedEof,
        };
        match error.downcast::<Fault>() {
            Ok(fault) => fault,
            Err(error) => match error.kind() {
                NotFound => fault("does not exist", "check the path"),
                PermissionDenied => fault("is not accessible", "check the permissions"),
                StorageFull => fault("does not fit on the disk", "make room or choose another"),
                UnexpectedEof | InvalidData | InvalidInput => Fault::damaged(error),
                _ => fault(format!("failed ({error})"), "check the disk and the file"),
            },
        }
    }
}

/// A file that cannot be read or written: one line that names the file and the place in it, then
/// `": "` and the way out.
#[derive(Debug)]
pub struct IoError {
    file: String,
    fault: Fault,
}

impl IoError {
    pub(super) fn new(path: &Path, fault: Fault) -> Self {
        let stdin = path == Path::new("-");
        let file = if stdin { "standard input".into() } else { path.display().to_string() };
        IoError { file, fault }
    }
}

impl IoError {
    /// The error with options in the words of a program.
    pub fn told(&self, words: &dyn Words) -> String {
        self.line(&self.fault.way_out.told(words))
    }

    /// What went wrong, without the way out.
    pub fn what(&self) -> String {
        format!("{}: {}", printable(&self.file), printable(&self.fault.what))
    }

    fn line(&self, way_out: &str) -> String {
        // Names of files and columns may hold line breaks, and a colon in the way out would be
        // taken for the border before it.
        format!("{}: {}", self.what(), printable(&way_out.replace(": ", ":")))
    }
}

impl fmt::Display for IoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line(&self.fault.way_out.to_string()))
    }
}

impl std::error::Error for IoError {}

/// A value or name of the file in quotes, cut where it is long.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("\"{}...\"", &text[..end]),
        None => format!("\"{text}\""),
    }
}

/// The first twenty of a list, and how many more there are.
pub(super) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    const SHOWN: usize = 20;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(AsRef::as_ref).collect();
    match names.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!("{} and {more} more", shown.join(", ")),
        _ => shown.join(", "),
    }
}
