//! A file whose first error is told at the end.
//!
//! The writer of ZIP archives goes on after an error, to close the archive when it is dropped, and panics if the file
//! is not where it should be. To it every write succeeds.

use std::io::{self, ErrorKind, Seek, SeekFrom, Write};

/// A file that seems never to fail.
pub(super) struct Latched<W> {
    out: W,
    place: u64,
    length: u64,
    error: Option<io::Error>,
}

impl<W: Write + Seek> Latched<W> {
    /// Around a file that is empty.
    pub(super) fn new(out: W) -> Self {
        Latched { out, place: 0, length: 0, error: None }
    }

    /// The first error.
    pub(super) fn outcome(self) -> io::Result<()> {
        self.error.map_or(Ok(()), Err)
    }

    fn unless_failed<T>(&mut self, act: impl FnOnce(&mut W) -> io::Result<T>) {
        if self.error.is_none() {
            self.error = act(&mut self.out).err();
        }
    }
}

impl<W: Write + Seek> Write for Latched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_failed(|out| out.write_all(bytes));
        self.place += bytes.len() as u64;
        self.length = self.length.max(self.place);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_failed(Write::flush);
        Ok(())
    }
}

impl<W: Write + Seek> Seek for Latched<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::Current(by) => self.place.checked_add_signed(by),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
        };
        let place = place.ok_or(ErrorKind::InvalidInput)?;
        // To ask for the place must not flush.
        if place != self.place {
            self.unless_failed(|out| out.seek(SeekFrom::Start(place)));
            self.place = place;
        }
        Ok(place)
    }
}
