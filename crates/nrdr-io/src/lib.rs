//! Files in, tables out; and tables written, whole or not at all. A file a format; nothing of the rest of the
//! program is known here.

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod advice;
mod append;
mod cells;
mod columns;
mod csv;
mod error;
mod footer;
mod guess;
mod idx;
mod images;
mod input;
mod latched;
mod limit;
mod mat;
mod npy;
mod npz;
mod numbers;
mod pages;
mod parquet;
mod parquet_write;
mod rows;
mod stream;
mod wanted;
mod write;

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io;
use std::path::Path;

use flate2::read::MultiGzDecoder;

pub use advice::{Advice, ReadOption, Words};
pub use append::{RowWriter, TextRows, add_rows, check_appendable};
pub use columns::{invented, invented_names};
pub use error::IoError;
pub use stream::{Piece, Stream};
pub use write::{Column, WRITTEN, add_table, check_ending, check_texts, write_csv, write_table};

use advice::advice;
use error::{Fault, fault};
use input::Input;
use limit::Budget;

/// A table as a file holds it, without the columns and rows that the options leave out.
#[derive(Debug, Default)]
pub struct Table {
    /// Names of the columns of numbers. There may be none.
    pub names: Vec<String>,
    /// Their numbers in the file, counted from 1.
    pub numbers: Vec<usize>,
    /// The numbers, all of them finite unless [`Missing::Keep`] says otherwise: row after row, `rows` times `names.len()`.
    pub values: Vec<f64>,
    /// How many rows there are, at least one.
    pub rows: usize,
    /// The columns that are not numbers.
    pub text: Vec<TextColumn>,
    /// Given when each row is a picture whose pixels are the columns.
    pub images: Option<ImageShape>,
    /// How many rows of the file were left out.
    pub dropped: usize,
    /// The rows of the file that are here, counted from 0; given when some were left out.
    pub kept: Option<Vec<u32>>,
    /// What was decided while reading and might be wrong, a sentence each.
    pub notes: Vec<Advice>,
}

/// A column of text, each distinct text stored once.
#[derive(Clone, Debug, Default)]
pub struct TextColumn {
    /// Name of the column.
    pub name: String,
    /// Its number in the file, counted from 1.
    pub number: usize,
    /// Whether it is one of those that the options put aside.
    pub is_aside: bool,
    /// The texts, in the order in which the file first has them.
    pub distinct: Vec<String>,
    /// The number that each of them means; NaN where it means none.
    pub values: Vec<f64>,
    /// For each row, which of them it has.
    pub codes: Vec<u32>,
    /// The same for each row of the file, given when some were left out.
    pub all_codes: Option<Vec<u32>>,
    /// How many of the file's rows have a number.
    pub numbers: usize,
    /// How many of the distinct texts are neither numbers nor missing values.
    pub texts: usize,
}

impl TextColumn {
    /// The text of a row; empty where the file has none.
    pub fn get(&self, row: usize) -> &str {
        &self.distinct[self.codes[row] as usize]
    }

    /// The numbers of all rows, NaN where there is none; nothing if some row has another text.
    pub fn as_numbers(&self) -> Option<Vec<f64>> {
        let are_numbers = self.texts == 0 && self.numbers > 0;
        are_numbers.then(|| self.codes.iter().map(|&code| self.values[code as usize]).collect())
    }
}

/// Where a column is that somebody asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Among the columns of numbers.
    Number(usize),
    /// Among the columns of text.
    Text(usize),
}

impl Table {
    /// The columns of a name, or else the column of a number counted from 1, among those that were read.
    pub fn places(&self, wanted: &str) -> Vec<Place> {
        let names = self.names.iter().zip(&self.numbers).enumerate();
        let numbers = names.map(|(at, (name, &number))| (Place::Number(at), name, number));
        let texts = self.text.iter().enumerate();
        let texts = texts.map(|(at, column)| (Place::Text(at), &column.name, column.number));
        let all: Vec<(Place, &String, usize)> = numbers.chain(texts).collect();
        let named = |wanted: &str| {
            all.iter().filter(|(_, name, _)| *name == wanted).map(|(place, ..)| *place).collect()
        };
        let found: Vec<Place> = named(wanted);
        let found = if found.is_empty() { named(wanted.trim()) } else { found };
        match wanted.trim().parse::<usize>() {
            Ok(wanted) if found.is_empty() => all
                .iter()
                .filter(|(.., number)| *number == wanted)
                .map(|(place, ..)| *place)
                .collect(),
            _ => found,
        }
    }
}

/// The size of grey pictures; pixel `(x, y)` is column `y * width + x`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageShape {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
}

/// How a file is read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The array of a `.npz` or `.mat` file that holds several.
    pub variable: Option<String>,
    /// The points are the columns of the array, not its rows (`.npy`, `.npz`, `.mat`).
    pub transpose: bool,
    /// Whether a text table begins with the names of its columns.
    pub header: Header,
    /// What happens to rows with missing or infinite values.
    pub missing: Missing,
    /// Only these columns, by name or by number counted from 1.
    pub columns: Option<Vec<String>>,
    /// Without these columns.
    pub drop: Vec<String>,
    /// These columns are text, even where they are numbers, and are there even if `columns` or `drop` leave them out.
    pub aside: Vec<String>,
    /// These are there even if `columns` or `drop` leave them out, as text then.
    pub beside: Vec<String>,
    /// Whether whoever reads can be told of a label, one of those put aside, so that errors may propose it.
    pub offers_label: bool,
    /// Further texts, or numbers, that are missing values in a text table, whatever their case.
    pub na: Vec<String>,
    /// Bytes of memory that the table of a packed file may take however small the file is; nothing for 512 MB.
    pub unpacked: Option<u64>,
}

/// The most columns that a table may have.
pub const MOST_COLUMNS: usize = 1 << 22;

/// Whether the first line of a text table names its columns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Header {
    /// It does if above columns of numbers it has texts (neither numbers nor missing values) and no numbers, or more texts
    /// than whole numbers; or if it counts the columns, 0, 1, 2, .., above numbers that are not whole
    #[default]
    Auto,
    /// It does.
    Yes,
    /// It does not: the columns are x1, x2, ...
    No,
}

/// What happens to a row with a missing or infinite value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Missing {
    /// It is an error.
    #[default]
    Error,
    /// The row is left out.
    Drop,
    /// It stays as it is, for the caller to look at.
    Keep,
}

/// Reads a file by the ending of its name, a folder of images, or CSV from standard input (`-`).
pub fn read(path: &Path, options: &ReadOptions) -> Result<Table, IoError> {
    read_any(path, options).map_err(|fault| IoError::new(path, fault))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Format {
    Csv { tabs: bool },
    Npy,
    Npz,
    Parquet,
    Mat,
    Idx,
}

/// Reads a file that lies in memory as [`read`] does one on the disk; its name tells the format. That of a picture gives
/// the table of a folder with nothing else in it.
pub fn read_bytes(name: &Path, bytes: &[u8], options: &ReadOptions) -> Result<Table, IoError> {
    let ending = name.extension().unwrap_or_default().to_ascii_lowercase();
    let read = || {
        if ["png", "jpg", "jpeg"].iter().any(|picture| ending == *picture) {
            return images::read_one(name, bytes, options);
        }
        let input = Input::Memory(io::Cursor::new(bytes.to_vec().into()));
        read_input(input, format_of(name)?, options)
    };
    read().map_err(|fault| IoError::new(name, fault))
}

fn read_any(path: &Path, options: &ReadOptions) -> Result<Table, Fault> {
    if path == Path::new("-") {
        refuse_array_options(Format::Csv { tabs: false }, options)?;
        return csv::read(io::stdin().lock(), false, options, Budget::unlimited());
    }
    if path.is_dir() {
        return images::read(path, options);
    }
    let format = format_of(path)?;
    read_input(Input::File(File::open(path)?), format, options)
}

/// Reads a format, packed by gzip or not.
fn read_input(
    input: Input,
    (format, packed): (Format, bool),
    options: &ReadOptions,
) -> Result<Table, Fault> {
    refuse_array_options(format, options)?;
    let length = input.length()?;
    match format {
        Format::Csv { tabs } if packed => {
            let budget = Budget::packed(length, options);
            csv::read(MultiGzDecoder::new(input), tabs, options, budget)
        }
        Format::Csv { tabs } => csv::read(input, tabs, options, Budget::unlimited()),
        Format::Idx if packed => {
            let budget = Budget::packed(length, options);
            idx::read(MultiGzDecoder::new(input), None, options, budget)
        }
        Format::Idx => idx::read(input, Some(length), options, Budget::unlimited()),
        Format::Npy => npy::read(input, length, options, None),
        Format::Npz => npz::read(input, length, options),
        Format::Parquet => parquet::read(input, length, options),
        Format::Mat => mat::read(input, length, options),
    }
}

/// Endings of files that are read.
pub const READ: [&str; 11] = [
    ".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt", ".txt.gz", ".npy", ".npz", ".parquet", ".mat",
    ".idx",
];

/// The format by the ending, and whether the file is packed by gzip.
fn format_of(path: &Path) -> Result<(Format, bool), Fault> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let (inner, packed) = match name.strip_suffix(".gz") {
        Some(inner) => (inner, true),
        None => (name.as_str(), false),
    };
    let format = match inner.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "csv" => Format::Csv { tabs: false },
        "tsv" | "txt" => Format::Csv { tabs: true },
        "idx" => Format::Idx,
        _ if is_idx_name(inner) => Format::Idx,
        "npy" if !packed => Format::Npy,
        "npz" if !packed => Format::Npz,
        "parquet" if !packed => Format::Parquet,
        "mat" if !packed => Format::Mat,
        _ => {
            return Err(fault(
                "has no known ending",
                "give .csv, .tsv, .txt, .idx (each also with .gz), .npy, .npz, .parquet, .mat, \
                 or a folder of .png or .jpg",
            ));
        }
    };
    Ok((format, packed))
}

/// Whether a name ends as those of MNIST do: `idx3-ubyte`.
fn is_idx_name(name: &str) -> bool {
    let Some((_, end)) = name.rsplit_once("idx") else { return false };
    let mut parts = end.splitn(2, '-');
    let (dimensions, kind) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
    let all =
        |text: &str, test: fn(&u8) -> bool| !text.is_empty() && text.bytes().all(|b| test(&b));
    all(dimensions, u8::is_ascii_digit) && all(kind, u8::is_ascii_alphanumeric)
}

/// The way out of an option that means nothing.
fn leave_out(option: ReadOption) -> Advice {
    advice("leave ").option(option).text(" out")
}

/// Options that mean nothing for a format are refused instead of ignored.
fn refuse_array_options(format: Format, options: &ReadOptions) -> Result<(), Fault> {
    if options.variable.is_some() && !matches!(format, Format::Npz | Format::Mat) {
        return Err(fault("holds no named arrays", leave_out(ReadOption::Variable)));
    }
    if !options.na.is_empty() && !matches!(format, Format::Csv { .. }) {
        return Err(fault("holds no texts for missing values", leave_out(ReadOption::Na)));
    }
    if options.transpose && !matches!(format, Format::Npy | Format::Npz | Format::Mat) {
        let what = "cannot be transposed (.npy, .npz and .mat can)";
        return Err(fault(what, leave_out(ReadOption::Transpose)));
    }
    Ok(())
}
