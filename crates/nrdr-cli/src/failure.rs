//! What can end a command, and how it is told.

use std::io;
use std::process::ExitCode;

use nrdr_io::IoError;
use nrdr_model::Unread;
use nrdr_write::{WriteError, printable};

use crate::terminal::tell;
use crate::words::Typed;

/// What can end a command.
#[derive(Debug)]
pub enum Failure {
    /// The library refused or failed.
    Library(nrdr::Error),
    /// A file could not be read.
    File(IoError),
    /// A file could not be written.
    Written(WriteError),
    /// Standard output could not be written.
    Output(io::Error),
    /// What was asked for makes no sense; after the last colon stands the way out.
    Usage(String),
}

impl From<nrdr::Error> for Failure {
    fn from(error: nrdr::Error) -> Self {
        Failure::Library(error)
    }
}

impl From<IoError> for Failure {
    fn from(error: IoError) -> Self {
        Failure::File(error)
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Failure::Written(error)
    }
}

impl From<Unread> for Failure {
    fn from(error: Unread) -> Self {
        Failure::Usage(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

impl Failure {
    /// Tells it on standard error, a line for what went wrong and a line for the way out.
    pub fn tell(self) -> ExitCode {
        // Whoever read the output has seen enough, as `head` does.
        if matches!(&self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe) {
            return ExitCode::SUCCESS;
        }
        let message = self.into_message();
        match message.rsplit_once(": ") {
            Some((what, way_out)) => {
                tell(&format!("error: {}\n       {}", printable(what), printable(way_out)));
            }
            None => tell(&format!("error: {}", printable(&message))),
        }
        ExitCode::from(2)
    }

    /// What went wrong, a colon, and the way out.
    pub fn into_message(self) -> String {
        match self {
            Failure::Output(error) => {
                format!("standard output cannot be written ({error}): check where it goes")
            }
            Failure::Library(error) => error.told(&Typed),
            Failure::File(error) => error.told(&Typed),
            Failure::Written(error) => error.to_string(),
            Failure::Usage(message) => message,
        }
    }
}
