//! Files in, tables out; and tables written, whole or not at all. A file a format; nothing of the rest of the
//! program is known here.

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod advice;
mod append;
mod arrow;
mod arrow_column;
mod arrow_messages;
mod arrow_schema;
mod blanks;
mod cell_ranger;
mod cells;
mod columns;
mod csv;
mod dense;
mod encoding;
mod error;
mod flatbuffer;
mod footer;
mod guess;
mod h5ad;
mod h5ad_frame;
mod hdf5;
mod idx;
mod images;
mod input;
mod labels;
mod latched;
mod limit;
mod lzf;
mod mat;
mod mat_text;
mod matrix_market;
mod npy;
mod npz;
mod npz_sparse;
mod numbers;
mod pages;
mod parquet;
mod parquet_write;
mod ranged;
mod records;
mod rows;
mod separator;
mod shape;
mod start;
mod stream;
mod turned;
mod wanted;
mod write;
mod xlsx;
mod xlsx_grid;
mod xlsx_styles;
mod xml;

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod hostile_formats;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod text_tests;

use std::fs::File;
use std::io;
use std::path::Path;

use flate2::read::MultiGzDecoder;

pub use advice::{Advice, ReadOption, Words};
pub use append::{RowWriter, TextRows, add_rows, check_appendable};
pub use columns::{invented, invented_names};
pub use error::IoError;
pub use labels::read_labels;
pub use ranged::{RANGED, Ranged, RangedKind};
pub use separator::Separator;
pub use stream::{Piece, Stream};
pub use write::{
    Column, WRITTEN, add_table, check_ending, check_texts, write_csv, write_ranged, write_table,
};

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
    /// Labels from elsewhere: from other arrays of the file, or from another file.
    pub labels: Vec<TextColumn>,
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

/// The size of pictures; channel `c` of pixel `(x, y)` is column `(y * width + x) * channels + c`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageShape {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Numbers of a pixel: 1, grey, or 3, red, green and blue.
    pub channels: usize,
}

impl ImageShape {
    /// Grey pictures.
    pub fn grey(width: usize, height: usize) -> Self {
        ImageShape { width, height, channels: 1 }
    }
}

/// How a file is read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The array of a file that holds several (`.npz`, `.mat`, `.h5`, `.h5ad`), or the sheet of a workbook.
    pub variable: Option<String>,
    /// Further arrays of a `.npz`, `.mat` or `.h5` file: vectors with a label for each point.
    pub label_variables: Vec<String>,
    /// The points are the columns of the array or table, not its rows.
    pub transpose: bool,
    /// What is read of pictures in a folder.
    pub channels: Channels,
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
    /// All columns are text, even where they are numbers.
    pub as_text: bool,
    /// Whether whoever reads can be told of a label, one of those put aside, so that errors may propose it.
    pub offers_label: bool,
    /// Further texts, or numbers, that are missing values in a text table, whatever their case.
    pub na: Vec<String>,
    /// What stands between the fields of a text table; nothing where its first lines tell.
    pub separator: Option<Separator>,
    /// What a text table is in, by a name such as `latin1`; nothing where its bytes tell.
    pub encoding: Option<String>,
    /// Lines before a text table, its header included, that are left out.
    pub skip: u64,
    /// What stands before decimals in a text table.
    pub decimal: Decimal,
    /// Bytes of memory that the table of a packed file may take however small the file is; nothing for 512 MB.
    pub unpacked: Option<u64>,
    /// Bytes of memory that a sparse array may take once its zeros are there; nothing for as much as that of a packed file.
    pub memory: Option<u64>,
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

/// What is read of the pictures in a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Channels {
    /// Their brightness: a number for each pixel.
    #[default]
    Grey,
    /// Red, green and blue: three numbers for each pixel.
    Rgb,
}

/// What stands before decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Decimal {
    /// What the first rows tell: a comma if some number shows it.
    #[default]
    Auto,
    /// A comma.
    Comma,
    /// A point.
    Point,
}

/// What happens to a row with a missing or infinite value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Missing {
    /// It is an error.
    #[default]
    Error,
    /// The row is left out.
    Drop,
    /// A missing value stays, NaN, for the caller to fill; an infinite one is an error.
    Fill,
    /// It stays as it is, for the caller to look at.
    Keep,
}

impl Missing {
    /// Whether a value is an error.
    fn refuses(self, value: f64) -> bool {
        match self {
            Missing::Error => !value.is_finite(),
            Missing::Fill => value.is_infinite(),
            Missing::Drop | Missing::Keep => false,
        }
    }
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
    Xlsx,
    Arrow,
    MatrixMarket,
    Hdf5,
    H5ad,
}

impl Format {
    /// Whether it holds numbers without names, which are all of one kind.
    fn is_array(self) -> bool {
        matches!(
            self,
            Format::Npy
                | Format::Npz
                | Format::Mat
                | Format::Idx
                | Format::MatrixMarket
                | Format::Hdf5
        )
    }
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
        let budget = Budget::unlimited();
        return turned::read(options, |options| {
            csv::read(io::stdin().lock(), false, options, budget)
        });
    }
    if path.is_dir() {
        return images::read(path, options);
    }
    let format = format_of(path)?;
    let mut table = read_input(Input::File(File::open(path)?), format, options)?;
    if format.0 == Format::MatrixMarket && !options.transpose {
        matrix_market::compare_with_neighbors(path, &mut table);
    }
    Ok(table)
}

/// Reads a format, packed by gzip or not.
fn read_input(input: Input, format: (Format, bool), options: &ReadOptions) -> Result<Table, Fault> {
    refuse_array_options(format.0, options)?;
    if matches!(format.0, Format::Csv { .. } | Format::Parquet | Format::Xlsx | Format::Arrow) {
        return turned::read(options, |options| read_rows(input, format, options));
    }
    read_rows(input, format, options)
}

/// Reads a format; the rows of a table are points.
fn read_rows(
    mut input: Input,
    (format, packed): (Format, bool),
    options: &ReadOptions,
) -> Result<Table, Fault> {
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
        Format::Mat if hdf5::is_matlab(&mut input)? => hdf5::read_matlab(input, length, options),
        Format::Mat => mat::read(input, length, options),
        Format::Xlsx => xlsx::read(input, length, options),
        Format::Arrow => arrow::read(input, length, options),
        Format::MatrixMarket if packed => {
            let budget = Budget::dense(length, options);
            matrix_market::read(MultiGzDecoder::new(input), options, budget)
        }
        Format::MatrixMarket => matrix_market::read(input, options, Budget::dense(length, options)),
        Format::Hdf5 => hdf5::read(input, length, options),
        Format::H5ad => h5ad::read(input, length, options),
    }
}

/// Endings of files that are read.
pub const READ: [&str; 23] = [
    ".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt", ".txt.gz", ".dat", ".xlsx", ".xlsm", ".parquet",
    ".arrow", ".feather", ".ipc", ".npy", ".npz", ".mat", ".mtx", ".mtx.gz", ".h5", ".hdf5",
    ".h5ad", ".idx", ".idx.gz",
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
        "tsv" | "tab" | "txt" | "dat" => Format::Csv { tabs: true },
        "idx" => Format::Idx,
        _ if is_idx_name(inner) => Format::Idx,
        "npy" if !packed => Format::Npy,
        "npz" if !packed => Format::Npz,
        "parquet" if !packed => Format::Parquet,
        "mat" if !packed => Format::Mat,
        "mtx" => Format::MatrixMarket,
        "xlsx" | "xlsm" if !packed => Format::Xlsx,
        "arrow" | "feather" | "ipc" if !packed => Format::Arrow,
        "h5" | "hdf5" | "hdf" if !packed => Format::Hdf5,
        "h5ad" if !packed => Format::H5ad,
        _ => {
            return Err(fault(
                "has no known ending",
                "give .csv, .tsv, .txt, .dat, .idx, .mtx (each also with .gz), .npy, .npz, .parquet, .arrow, \
                 .feather, .xlsx, .mat, .h5, .h5ad, or a folder of .png or .jpg",
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
    use Format::{Csv, H5ad, Hdf5, Idx, Mat, Npz, Xlsx};
    if options.variable.is_some() && !matches!(format, Npz | Mat | Xlsx | Hdf5 | H5ad) {
        return Err(fault("holds no named arrays", leave_out(ReadOption::Variable)));
    }
    if !options.label_variables.is_empty() && !matches!(format, Npz | Mat | Hdf5) {
        return Err(fault("holds no further arrays", leave_out(ReadOption::LabelVariable)));
    }
    if !options.na.is_empty() && !matches!(format, Csv { .. } | Xlsx) {
        return Err(fault("holds no texts for missing values", leave_out(ReadOption::Na)));
    }
    if options.channels != Channels::Grey {
        return Err(fault("is no folder of images", leave_out(ReadOption::Channels)));
    }
    if !matches!(format, Csv { .. }) {
        let given = [
            (ReadOption::Separator, options.separator.is_some()),
            (ReadOption::Encoding, options.encoding.is_some()),
            (ReadOption::Skip, options.skip > 0),
            (ReadOption::Decimal, options.decimal != Decimal::Auto),
        ];
        if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
            return Err(fault("is not a table in text", leave_out(option)));
        }
    }
    if options.transpose && matches!(format, Idx | H5ad) {
        return Err(fault("has a row for each point", leave_out(ReadOption::Transpose)));
    }
    Ok(())
}
