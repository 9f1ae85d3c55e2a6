//! Bounds on what a small file may make of itself in memory.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::allocation::try_zeroed_vec;

use super::error::{Fault, fault};
use super::{MOST_COLUMNS, ReadOptions};

/// What is unpacked may always take this much memory, 67 million numbers ...
const FREE: u64 = 1 << 29;
/// ... and beyond that, this much for each byte of the file, 16 numbers. Tables of real data shrink by far less: the
/// digits of MNIST have 5 numbers a byte. A file made to fill the memory has a thousand.
const RATE: u64 = 128;

/// Memory that a number takes.
pub(super) const NUMBER: u64 = 8;
/// Memory that a text takes which was there before; each distinct one is kept once.
pub(super) const TEXT: u64 = 4;
/// Memory that a distinct text takes besides its bytes.
pub(super) const DISTINCT: u64 = 64;
/// Memory that a column takes besides its values: its name, above all.
const COLUMN: u64 = 64;

/// Memory that the table of a packed file of `length` bytes may take. What counts is what is kept in memory, not the
/// length of the text it came from.
pub(super) fn memory(length: u64, options: &ReadOptions) -> u64 {
    options.unpacked.unwrap_or(FREE).max(length.saturating_mul(RATE))
}

/// Memory that a page of `packed` bytes may take where its table may take `memory`: real pages hold about a megabyte.
pub(super) fn page_memory(packed: u64, memory: u64) -> u64 {
    (memory / 8).max(packed.saturating_mul(RATE))
}

/// Memory that a table may still take.
pub(super) struct Budget(u64);

impl Budget {
    /// As much as there is: what is not packed is bounded by its own length.
    pub(super) fn unlimited() -> Self {
        Budget(u64::MAX)
    }

    /// So many bytes.
    pub(super) fn of(bytes: u64) -> Self {
        Budget(bytes)
    }

    /// That of a packed file of `length` bytes.
    pub(super) fn packed(length: u64, options: &ReadOptions) -> Self {
        Budget(memory(length, options))
    }

    /// That of an array of which the file holds only the numbers that are not zero, in `length` bytes: zeros are no sign
    /// of harm, so that it is what the options allow.
    pub(super) fn dense(length: u64, options: &ReadOptions) -> Self {
        Budget(options.memory.unwrap_or_else(|| memory(length, options)))
    }

    /// How much is left.
    pub(super) fn left(&self) -> u64 {
        self.0
    }

    /// Takes some of it.
    pub(super) fn take(&mut self, bytes: u64) -> Result<(), Fault> {
        self.0 = self.0.checked_sub(bytes).ok_or_else(too_large)?;
        Ok(())
    }

    /// Takes what an array of so many numbers needs, in so many columns.
    pub(super) fn array(&mut self, count: usize, columns: usize) -> Result<(), Fault> {
        check_columns(columns)?;
        self.take((count as u64).saturating_mul(NUMBER).saturating_add(columns as u64 * COLUMN))
    }
}

/// The fault of a file that would take more than its [`Budget`].
pub(super) fn too_large() -> Fault {
    fault(
        "unpacks to far more numbers than its size makes likely",
        "unpack it first, or save it uncompressed",
    )
}

/// Refuses more columns than can be named.
pub(super) fn check_columns(columns: usize) -> Result<(), Fault> {
    if columns > MOST_COLUMNS {
        let what = format!("has {columns} columns");
        return Err(fault(what, format!("take at most {MOST_COLUMNS}")));
    }
    Ok(())
}

/// A reader of text that fails at a row too long to be one, so that a file of another kind, a quote that is not
/// closed, or a stream without an end, does not become one row in memory.
pub(super) struct BoundedRows<R> {
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

/// Bytes that a row has at most.
pub(super) const LONGEST_ROW: u64 = 16 << 20;

impl<R> BoundedRows<R> {
    pub(super) fn new(inner: R, begun: RowBegun) -> Self {
        BoundedRows { inner, bytes: 0, begun }
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

impl<R: Read> Read for BoundedRows<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.bytes += count as u64;
        if self.bytes.saturating_sub(self.begun.0.load(Ordering::Relaxed)) > LONGEST_ROW {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, endless(None)));
        }
        Ok(count)
    }
}

/// The fault of so many numbers where the memory is not enough.
pub(super) fn no_memory(count: usize) -> Fault {
    let gigabytes = count as f64 * NUMBER as f64 / 1e9;
    fault(format!("needs {gigabytes:.1} GB of memory"), "take fewer rows or columns")
}

/// That many zeros, or a fault where the memory is not enough.
pub(super) fn zeros(count: usize) -> Result<Vec<f64>, Fault> {
    // Like `vec![0.0; count]`, which touches none of them, but ends the program when it fails.
    try_zeroed_vec(count).map_err(|()| no_memory(count))
}
