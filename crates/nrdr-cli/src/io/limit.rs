//! Bounds on what a small file may make of itself in memory.

use std::io::{self, Read};

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

/// A reader of text that fails at a line too long to be a row, so that a file of another kind, or
/// a stream without an end, does not become one row in memory.
pub(super) struct Lines<R> {
    inner: R,
    since_break: usize,
}

const LONGEST_LINE: usize = 16 << 20;

impl<R> Lines<R> {
    pub(super) fn new(inner: R) -> Self {
        Lines { inner, since_break: 0 }
    }
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.since_break = match buffer[..count].iter().rposition(|&byte| byte == b'\n') {
            Some(at) => count - 1 - at,
            None => self.since_break + count,
        };
        if self.since_break > LONGEST_LINE {
            let what = "has a line longer than 16 MB";
            return Err(io::Error::other(fault(what, "check that it is a table in text")));
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
