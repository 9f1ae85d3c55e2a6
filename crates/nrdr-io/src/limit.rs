//! Bounds on what a small file may make of itself in memory.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::{Fault, fault};

/// What is unpacked may always take this many bytes ...
const FREE: u64 = 1 << 30;
/// ... and beyond that, this many for each byte of the file. Tables of numbers that are more than
/// a gigabyte shrink by far less; a file made to fill the memory shrinks by a thousand.
const EXPANSION: u64 = 200;

/// How many bytes a packed file of `length` bytes may become.
pub(super) fn unpacked(length: u64) -> u64 {
    FREE.max(length.saturating_mul(EXPANSION))
}

/// The fault of a file that would become more than [`unpacked`] allows.
pub(super) fn too_large() -> Fault {
    fault("would unpack to far more than its size", "unpack it first, or save it uncompressed")
}

/// A reader that fails, instead of ending, after so many bytes.
pub(super) struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R> Bounded<R> {
    pub(super) fn new(inner: R, limit: u64) -> Self {
        Bounded { inner, left: limit }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.left =
            self.left.checked_sub(count as u64).ok_or_else(|| io::Error::other(too_large()))?;
        Ok(count)
    }
}

/// A reader of text that fails at a row too long to be one, so that a file of another kind, a quote that is not
/// closed, or a stream without an end, does not become one row in memory.
pub(super) struct Rows<R> {
    inner: R,
    bytes: u64,
    begun: RowBegun,
}

/// Where the row that is being read begins, in bytes: whoever takes the rows apart tells.
#[derive(Clone, Default)]
pub(super) struct RowBegun(Arc<AtomicU64>);

impl RowBegun {
    pub(super) fn at(&self, byte: u64) {
        self.0.store(byte, Ordering::Relaxed);
    }
}

const LONGEST_ROW: u64 = 16 << 20;

impl<R> Rows<R> {
    pub(super) fn new(inner: R, begun: RowBegun) -> Self {
        Rows { inner, bytes: 0, begun }
    }
}

/// The fault of a row, at a line if that is known, that is too long.
pub(super) fn endless(line: Option<u64>) -> Fault {
    let row = line.map_or("a row".to_string(), |line| format!("a row, from line {line} on,"));
    fault(
        format!("has {row} of more than 16 MB"),
        "check that it is a table in text, and that quotes are closed",
    )
}

impl<R: Read> Read for Rows<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.bytes += count as u64;
        if self.bytes.saturating_sub(self.begun.0.load(Ordering::Relaxed)) > LONGEST_ROW {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, endless(None)));
        }
        Ok(count)
    }
}

/// That many zeros, or a fault where the memory is not enough.
pub(super) fn zeros(count: usize) -> Result<Vec<f64>, Fault> {
    // Asked first, because the short way to zeros, which touches none of them, ends the program
    // when it fails.
    let mut probe: Vec<f64> = Vec::new();
    probe.try_reserve_exact(count).map_err(|_| {
        let gigabytes = count as f64 * 8.0 / 1e9;
        fault(format!("needs {gigabytes:.1} GB of memory"), "take fewer rows or columns")
    })?;
    drop(probe);
    Ok(vec![0.0; count])
}
