//! Where bytes come from: a file, or memory. The readers of the formats do not know which.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};

use bytes::Bytes;
use parquet::errors::Result;
use parquet::file::reader::{ChunkReader, Length};

/// A file, or what would be in one.
#[derive(Debug)]
pub(super) enum Input {
    File(File),
    Memory(Cursor<Bytes>),
}

impl Input {
    /// How many bytes there are.
    pub(super) fn length(&self) -> io::Result<u64> {
        match self {
            Input::File(file) => Ok(file.metadata()?.len()),
            Input::Memory(bytes) => Ok(bytes.get_ref().len() as u64),
        }
    }

    /// The same bytes once more.
    pub(super) fn again(&self) -> io::Result<Self> {
        match self {
            Input::File(file) => Ok(Input::File(file.try_clone()?)),
            Input::Memory(bytes) => Ok(Input::Memory(bytes.clone())),
        }
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Input::File(file) => file.read(buffer),
            Input::Memory(bytes) => bytes.read(buffer),
        }
    }
}

impl Seek for Input {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Input::File(file) => file.seek(to),
            Input::Memory(bytes) => bytes.seek(to),
        }
    }
}

impl Length for Input {
    fn len(&self) -> u64 {
        self.length().unwrap_or(0)
    }
}

impl ChunkReader for Input {
    type T = Box<dyn Read + Send>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(match self {
            Input::File(file) => Box::new(file.get_read(start)?),
            Input::Memory(bytes) => Box::new(bytes.get_ref().get_read(start)?),
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        match self {
            Input::File(file) => file.get_bytes(start, length),
            Input::Memory(bytes) => {
                // The library adds the two without a look at their size.
                let end = start.checked_add(length as u64).filter(|end| *end <= self.len());
                if end.is_none() {
                    return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
                }
                bytes.get_ref().get_bytes(start, length)
            }
        }
    }
}
