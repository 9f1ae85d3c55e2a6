//! Tables of any length, some rows at a time: text, NPY, IDX and Parquet. Other formats are read whole and then given
//! out in pieces.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;

use super::columns::{Role, invented_names, keep_complete_rows, roles, unusable};
use super::csv::Text;
use super::error::{Fault, fault};
use super::numbers::{self, Element, Layout};
use super::refuse_array_options;
use super::{Format, IoError, Missing, ReadOptions, Table, format_of, idx, npy, parquet, read_any};

/// A table that is read as it is needed.
pub(crate) struct Stream {
    path: std::path::PathBuf,
    /// Names of the columns of numbers.
    pub(crate) names: Vec<String>,
    missing: Missing,
    source: Source,
    /// Rows given out so far.
    rows: usize,
    /// Rows in all, where that is known,
    total: Option<usize>,
    /// or else bytes read so far and in all.
    bytes: (Arc<AtomicU64>, u64),
}

/// Some rows of a table.
pub(crate) struct Piece {
    /// The number of its first row, counted from 0.
    pub(crate) start: usize,
    /// How many rows there are, also of those that are left out.
    pub(crate) rows: usize,
    /// The values of the rows that are complete, row after row.
    pub(crate) values: Vec<f64>,
    /// Which rows these are, counted from the first of the piece, if not all.
    pub(crate) kept: Option<Vec<usize>>,
}

type Bytes = Counted<Box<dyn Read + Send>>;

enum Source {
    Text(Box<Text<Bytes>>),
    Array { source: Bytes, element: Element, columns: usize, used: Vec<usize> },
    Groups(Box<parquet::Groups>),
    Whole(std::vec::IntoIter<f64>),
}

impl Stream {
    /// Opens a file by the ending of its name, or CSV on standard input (`-`).
    pub(crate) fn open(path: &Path, options: &ReadOptions) -> Result<Self, IoError> {
        open(path, options).map_err(|fault| IoError::new(path, fault))
    }

    /// The next rows, at most `most`; nothing at the end.
    pub(crate) fn next(&mut self, most: usize) -> Result<Option<Piece>, IoError> {
        let columns = self.names.len();
        let values = match &mut self.source {
            Source::Text(text) => text.next(most),
            Source::Groups(groups) => groups.next(most),
            Source::Whole(values) => Ok(values.take(most * columns).collect()),
            Source::Array { source, element, columns, used } => {
                let left = self.total.unwrap_or(0) - self.rows;
                let count = most.min(left) * *columns;
                if count == 0 {
                    // The checksum of a packed file is compared where it ends.
                    let end = io::copy(&mut source.take(1), &mut io::sink());
                    end.map_err(|error| IoError::new(&self.path, error.into()))?;
                }
                let all = numbers::read(source, *element, count);
                all.map(|all| match used.len() == *columns {
                    true => all,
                    false => {
                        let rows = all.chunks_exact(*columns);
                        rows.flat_map(|row| used.iter().map(|&j| row[j])).collect()
                    }
                })
            }
        };
        let piece = values.and_then(|values| self.piece(values));
        let piece = piece.map_err(|fault| IoError::new(&self.path, fault))?;
        if piece.is_none() && self.rows == 0 {
            let none = fault("has no rows", "check that the file is the right one");
            return Err(IoError::new(&self.path, none));
        }
        Ok(piece)
    }

    /// Refuses or leaves out rows with missing values.
    fn piece(&mut self, mut values: Vec<f64>) -> Result<Option<Piece>, Fault> {
        let columns = self.names.len();
        let (start, rows) = (self.rows, values.len() / columns);
        self.rows += rows;
        if rows == 0 {
            return Ok(None);
        }
        let Some(first) = values.iter().position(|value| !value.is_finite()) else {
            return Ok(Some(Piece { start, rows, values, kept: None }));
        };
        if self.missing == Missing::Error {
            let (row, j) = (start + first / columns, first % columns);
            return Err(unusable(values[first], row + 1, None, &self.names[j], j));
        }
        let kept = keep_complete_rows(&mut values, columns);
        Ok(Some(Piece { start, rows, values, kept: Some(kept) }))
    }

    /// How much has been read.
    pub(crate) fn fraction(&self) -> f64 {
        match self.total {
            Some(total) => self.rows as f64 / total.max(1) as f64,
            None => self.bytes.0.load(Ordering::Relaxed) as f64 / self.bytes.1.max(1) as f64,
        }
    }
}

fn open(path: &Path, options: &ReadOptions) -> Result<Stream, Fault> {
    let count = Arc::new(AtomicU64::new(0));
    let stream = |names: Vec<String>, source, total, length| Stream {
        path: path.to_path_buf(),
        names,
        missing: options.missing,
        source,
        rows: 0,
        total,
        bytes: (count.clone(), length),
    };
    let text = |input: Box<dyn Read + Send>, tabs, length| {
        let text = Text::new(Counted { inner: input, count: count.clone() }, tabs, options)?;
        Ok(stream(text.names(), Source::Text(Box::new(text)), None, length))
    };
    let whole = || {
        let Table { names, values, rows, .. } = read_any(path, options)?;
        Ok(stream(names, Source::Whole(values.into_iter()), Some(rows), 0))
    };
    if path == Path::new("-") {
        refuse_array_options(Format::Csv { tabs: false }, options)?;
        return text(Box::new(io::stdin()), false, u64::MAX);
    }
    if path.is_dir() {
        return whole();
    }
    let (format, packed) = format_of(path)?;
    refuse_array_options(format, options)?;
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let packed_limit = super::unpacked(length);
    let input = |file: File| -> Box<dyn Read + Send> {
        match packed {
            true => Box::new(MultiGzDecoder::new(file)),
            false => Box::new(file),
        }
    };
    let array = |source: Bytes, layout: Layout| {
        let Layout { element, rows, columns, images } = layout;
        let names = invented_names(columns, images);
        let roles = roles(&names, options)?;
        let used: Vec<usize> = (0..columns).filter(|&j| roles[j] == Role::Data).collect();
        let names = used.iter().map(|&j| names[j].clone()).collect();
        let source = Source::Array { source, element, columns, used };
        Ok(stream(names, source, Some(rows), length))
    };
    match format {
        // Text that is packed may be as long as it likes: it does not stay in memory.
        Format::Csv { tabs } => text(input(file), tabs, length),
        Format::Parquet => {
            let groups = parquet::Groups::new(file, length, options)?;
            let (names, rows) = (groups.names(), groups.rows());
            Ok(stream(names, Source::Groups(Box::new(groups)), Some(rows), length))
        }
        Format::Idx => {
            let mut source = Counted { inner: input(file), count: count.clone() };
            let limit = if packed { packed_limit } else { length };
            let found = idx::layout(&mut source, limit)?;
            array(source, found)
        }
        Format::Npy if !options.transpose => {
            let mut source = Counted { inner: input(file), count: count.clone() };
            match npy::layout(&mut source, length)? {
                Some(found) => array(source, found),
                None => whole(),
            }
        }
        Format::Npy | Format::Npz | Format::Mat => whole(),
    }
}

/// A reader that counts its bytes.
pub(super) struct Counted<R> {
    inner: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
