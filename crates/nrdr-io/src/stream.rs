//! Tables of any length, some rows at a time: text, NPY, IDX and Parquet. Other formats are read whole and then given
//! out in pieces.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;

use super::advice::Advice;
use super::columns::{Role, invented_names, keep_complete_rows, unusable};
use super::csv::Text;
use super::error::{Fault, fault};
use super::input::Input;
use super::limit::{Budget, check_columns};
use super::numbers::{self, Element, Layout};
use super::wanted::{Choose, Places};
use super::{Format, IoError, Missing, ReadOptions, Table, format_of, idx, npy, parquet};
use super::{read_any, read_input, refuse_array_options};

/// A table that is read as it is needed.
pub struct Stream {
    path: PathBuf,
    /// The columns that are given out.
    wanted: Vec<String>,
    /// For each of them its place among those that are read.
    order: Vec<usize>,
    missing: Missing,
    source: Source,
    /// Columns of the file that are not wanted, though no option leaves them out.
    left_out: Vec<String>,
    /// Rows given out so far.
    rows: usize,
    /// Rows in all, where that is known,
    total: Option<usize>,
    /// or else bytes read so far and in all.
    bytes: (Arc<AtomicU64>, u64),
}

/// Values of an array that are read at a time, unless a row has more.
const MOST_VALUES: usize = 1 << 24;

/// Some rows of a table.
pub struct Piece {
    /// The number of its first row, counted from 0.
    pub start: usize,
    /// How many rows there are, also of those that are left out.
    pub rows: usize,
    /// The values of the rows that are complete, row after row.
    pub values: Vec<f64>,
    /// Which rows these are, counted from the first of the piece, if not all.
    pub kept: Option<Vec<usize>>,
}

type Bytes = Box<dyn Read + Send>;

/// Rows of the columns that are read, in the order of the file.
enum Source {
    Text(Box<Text<Bytes>>),
    Array { source: Bytes, element: Element, columns: usize, used: Vec<usize> },
    Groups(Box<parquet::Groups>),
    Whole { values: std::vec::IntoIter<f64>, columns: usize, used: Vec<usize> },
}

impl Stream {
    /// Opens a file by the ending of its name, or CSV on standard input (`-`), and finds the columns in it that are
    /// wanted.
    pub fn open(path: &Path, wanted: &[String], options: &ReadOptions) -> Result<Self, IoError> {
        let place = Place::Path(path);
        open(place, path, wanted, options).map_err(|fault| IoError::new(path, fault))
    }

    /// The same of a file that lies in memory; its name tells the format.
    pub fn of_bytes(
        name: &Path,
        bytes: &[u8],
        wanted: &[String],
        options: &ReadOptions,
    ) -> Result<Self, IoError> {
        let place = Place::Memory(bytes);
        open(place, name, wanted, options).map_err(|fault| IoError::new(name, fault))
    }

    /// Columns of the file that are not wanted, though no option leaves them out.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// What was decided and might be wrong, a sentence each, as far as the file is read.
    pub fn notes(&self) -> Vec<Advice> {
        match &self.source {
            Source::Text(text) => text.notes(),
            _ => Vec::new(),
        }
    }

    /// The next rows, at most `most`; nothing at the end.
    pub fn next(&mut self, most: usize) -> Result<Option<Piece>, IoError> {
        let piece = self.read(most).and_then(|values| self.piece(values));
        let piece = piece.map_err(|fault| IoError::new(&self.path, fault))?;
        if piece.is_none() && self.rows == 0 {
            let none = fault("has no rows", "check that the file is the right one");
            return Err(IoError::new(&self.path, none));
        }
        Ok(piece)
    }

    /// The values of the next rows, as the file has them.
    fn read(&mut self, most: usize) -> Result<Vec<f64>, Fault> {
        match &mut self.source {
            Source::Text(text) => text.next(most),
            Source::Groups(groups) => groups.next(most),
            Source::Whole { values, columns, used } => {
                Ok(only(values.take(most * *columns).collect(), *columns, used))
            }
            Source::Array { source, element, columns, used } => {
                let left = self.total.unwrap_or(0) - self.rows;
                // Of a wide array of which little is wanted, fewer rows make a piece.
                let most = most.min((MOST_VALUES / *columns).max(1));
                let count = most.min(left) * *columns;
                if count == 0 {
                    // The checksum of a packed file is compared where it ends.
                    io::copy(&mut source.take(1), &mut io::sink())?;
                }
                Ok(only(numbers::read(source, *element, count)?, *columns, used))
            }
        }
    }

    /// Puts the columns in order, and refuses or leaves out rows with missing values.
    fn piece(&mut self, values: Vec<f64>) -> Result<Option<Piece>, Fault> {
        let columns = self.wanted.len();
        let read = self.order.iter().max().map_or(1, |last| last + 1);
        let mut values = only(values, read, &self.order);
        let (start, rows) = (self.rows, values.len() / columns);
        self.rows += rows;
        if rows == 0 {
            return Ok(None);
        }
        if let Some(first) = values.iter().position(|value| self.missing.refuses(*value)) {
            let (row, name) = (start + first / columns, &self.wanted[first % columns]);
            return Err(unusable(values[first], row + 1, None, name, None));
        }
        let is_complete = values.iter().all(|value| value.is_finite());
        if is_complete || matches!(self.missing, Missing::Fill) {
            return Ok(Some(Piece { start, rows, values, kept: None }));
        }
        let kept = keep_complete_rows(&mut values, columns);
        Ok(Some(Piece { start, rows, values, kept: Some(kept) }))
    }

    /// How much has been read.
    pub fn fraction(&self) -> f64 {
        match self.total {
            Some(total) => self.rows as f64 / total.max(1) as f64,
            None => self.bytes.0.load(Ordering::Relaxed) as f64 / self.bytes.1.max(1) as f64,
        }
    }
}

/// These columns of the rows, in this order.
fn only(values: Vec<f64>, columns: usize, used: &[usize]) -> Vec<f64> {
    if used.len() == columns && used.iter().enumerate().all(|(i, &j)| i == j) {
        return values;
    }
    values.chunks_exact(columns).flat_map(|row| used.iter().map(|&j| row[j])).collect()
}

/// Where a table lies.
#[derive(Clone, Copy)]
enum Place<'a> {
    Path(&'a Path),
    Memory(&'a [u8]),
}

fn open(
    place: Place<'_>,
    path: &Path,
    wanted: &[String],
    options: &ReadOptions,
) -> Result<Stream, Fault> {
    let count = Arc::new(AtomicU64::new(0));
    let (mut order, mut left_out) = (Vec::new(), Vec::new());
    let mut choose = |names: &[String], is_number: &dyn Fn(usize) -> bool| {
        let places = Places::find(wanted, names, is_number, options)?;
        (order, left_out) = (places.order(), places.left_out(names, options)?);
        Ok(places.roles(names.len()))
    };
    let (source, total, length) = match place {
        Place::Path(path) if path == Path::new("-") => {
            refuse_array_options(Format::Csv { tabs: false }, options)?;
            let input = Box::new(io::stdin()) as Bytes;
            let text = Text::new(input, false, options, Budget::unlimited(), &mut choose)?;
            (Source::Text(Box::new(text)), None, u64::MAX)
        }
        Place::Path(path) if path.is_dir() => whole(read_any(path, &all(options))?, &mut choose)?,
        Place::Path(path) => {
            let format = format_of(path)?;
            let input = Input::File(File::open(path)?);
            source(input, format, options, &count, &mut choose)?
        }
        Place::Memory(bytes) => {
            let format = format_of(path)?;
            let input = Input::Memory(io::Cursor::new(bytes.to_vec().into()));
            source(input, format, options, &count, &mut choose)?
        }
    };
    Ok(Stream {
        path: path.to_path_buf(),
        wanted: wanted.to_vec(),
        order,
        missing: options.missing,
        source,
        left_out,
        rows: 0,
        total,
        bytes: (count, length),
    })
}

/// The source, its number of rows if that is known, and its bytes.
type Opened = (Source, Option<usize>, u64);

fn source(
    input: Input,
    (format, packed): (Format, bool),
    options: &ReadOptions,
    count: &Arc<AtomicU64>,
    choose: Choose<'_>,
) -> Result<Opened, Fault> {
    refuse_array_options(format, options)?;
    if options.transpose {
        return whole(read_input(input, (format, packed), &all(options))?, choose);
    }
    let length = input.length()?;
    let counted = |inner: Input| -> Bytes {
        let counted = Counted { inner, count: count.clone() };
        if packed { Box::new(MultiGzDecoder::new(counted)) } else { Box::new(counted) }
    };
    match format {
        // Text that is packed may be as long as it likes: it does not stay in memory.
        Format::Csv { tabs } => {
            let text = Text::new(counted(input), tabs, options, Budget::unlimited(), choose)?;
            Ok((Source::Text(Box::new(text)), None, length))
        }
        Format::Parquet => {
            let groups = parquet::Groups::new(input, length, options, choose)?;
            let rows = groups.rows();
            Ok((Source::Groups(Box::new(groups)), Some(rows), length))
        }
        Format::Idx => {
            let mut source = counted(input);
            let layout = idx::layout(&mut source, (!packed).then_some(length))?;
            array(source, layout, length, choose)
        }
        Format::Npy => {
            let again = input.again()?;
            let mut source = counted(input);
            match npy::layout(&mut source, length)? {
                Some(layout) => array(source, layout, length, choose),
                None => whole(read_again(again, (format, packed), options)?, choose),
            }
        }
        _ => whole(read_input(input, (format, packed), &all(options))?, choose),
    }
}

/// An array whose rows follow.
fn array(
    mut source: Bytes,
    layout: Layout,
    length: u64,
    choose: Choose<'_>,
) -> Result<Opened, Fault> {
    let Layout { element, rows, columns, images } = layout;
    check_columns(columns)?;
    // A row must be there before its columns are named: a few bytes may promise millions.
    let mut first = Vec::new();
    let row = (columns * element.size()) as u64;
    source.by_ref().take(row).read_to_end(&mut first)?;
    if (first.len() as u64) < row {
        return Err(Fault::damaged("it ends in the first row"));
    }
    let source: Bytes = Box::new(io::Cursor::new(first).chain(source));
    let used = used(&choose(&invented_names(columns, images), &|_| true)?);
    Ok((Source::Array { source, element, columns, used }, Some(rows), length))
}

/// The options of a table that is read whole, for the columns to be chosen later.
fn all(options: &ReadOptions) -> ReadOptions {
    ReadOptions { columns: None, drop: Vec::new(), missing: Missing::Keep, ..options.clone() }
}

fn read_again(
    mut input: Input,
    format: (Format, bool),
    options: &ReadOptions,
) -> Result<Table, Fault> {
    // Both read at the same place of a file.
    input.rewind()?;
    read_input(input, format, &all(options))
}

/// A table whose format does not let its rows be read one after another.
fn whole(table: Table, choose: Choose<'_>) -> Result<Opened, Fault> {
    let Table { names, values, rows, .. } = table;
    let used = used(&choose(&names, &|_| true)?);
    let source = Source::Whole { values: values.into_iter(), columns: names.len(), used };
    Ok((source, Some(rows), 0))
}

/// The columns that are read.
fn used(roles: &[Role]) -> Vec<usize> {
    (0..roles.len()).filter(|&j| roles[j] == Role::Number).collect()
}

/// A reader that counts its bytes.
struct Counted<R> {
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

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn columns_are_counted_before_they_are_named() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("hostile.idx.gz");
        let mut packed = GzEncoder::new(File::create(&path).unwrap(), Compression::fast());
        // One row of 900 million bytes, none of which are there.
        packed.write_all(&[0, 0, 8, 2, 0, 0, 0, 1]).unwrap();
        packed.write_all(&900_000_000u32.to_be_bytes()).unwrap();
        packed.finish().unwrap();
        let refused = Stream::open(&path, &["x1".to_string()], &ReadOptions::default());
        let refused = refused.err().unwrap().to_string();
        assert!(refused.contains("has 900000000 columns: take at most 4194304"), "{refused}");
    }

    #[test]
    fn progress_of_packed_text_is_that_of_the_file() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("long.csv.gz");
        let mut packed = GzEncoder::new(File::create(&path).unwrap(), Compression::none());
        for i in 0..100_000 {
            writeln!(packed, "{i},{i}").unwrap();
        }
        packed.finish().unwrap();
        let wanted = ["x1", "x2"].map(str::to_string);
        let mut stream = Stream::open(&path, &wanted, &ReadOptions::default()).unwrap();
        stream.next(50_000).unwrap();
        assert!((0.3..0.8).contains(&stream.fraction()), "{}", stream.fraction());
        stream.next(50_001).unwrap();
        assert_eq!(stream.fraction(), 1.0);
    }
}
