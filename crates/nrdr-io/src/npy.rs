//! NPY, the format of `numpy.save`: a header that is a Python dictionary, then the elements.

use std::io::{self, Read, Write};

use super::advice::ReadOption;
use super::columns::of_array;
use super::error::{Fault, fault, quoted};
use super::limit::Budget;
use super::numbers::{self, Element, Kind, Layout};
use super::write::Column;
use super::{ImageShape, ReadOptions, Table, leave_out};

const MAGIC: &[u8] = b"\x93NUMPY";
/// Headers of numbers take about a hundred bytes.
const LONGEST_HEADER: usize = 1 << 16;

/// The array that follows, if its rows lie one after another; nothing for other orders.
pub(super) fn layout(source: &mut impl Read, length: u64) -> Result<Option<Layout>, Fault> {
    let Header { element, fortran, shape, bytes } = Header::read(source)?;
    element.count(&shape, length.saturating_sub(bytes))?;
    let (rows, columns, images) = match *shape.as_slice() {
        [rows] => (rows, 1, None),
        [rows, columns] => (rows, columns, None),
        [rows, height, width] => (rows, height * width, Some(ImageShape { width, height })),
        _ => return Ok(None),
    };
    Ok((!fortran).then_some(Layout { element, rows, columns, images }))
}

/// Reads an array from a source of at most `length` bytes. One that is packed has a budget.
pub(super) fn read(
    mut source: impl Read,
    length: u64,
    options: &ReadOptions,
    budget: Option<Budget>,
) -> Result<Table, Fault> {
    let header = Header::read(&mut source)?;
    let sizes = &header.shape;
    let (rows, height, width) = match *sizes.as_slice() {
        [rows] => (rows, 1, 1),
        [rows, columns] => (rows, 1, columns),
        [rows, height, width] => (rows, height, width),
        _ => {
            let what = format!("holds an array of {} dimensions", sizes.len());
            return Err(fault(what, "reshape it to two"));
        }
    };
    let count = header.element.count(sizes, length.saturating_sub(header.bytes))?;
    let columns = height * width;
    let packed = budget.is_some();
    budget
        .unwrap_or(Budget::unlimited())
        .array(count, if options.transpose { rows } else { columns })?;
    let images = (sizes.len() == 3).then_some(ImageShape { width, height });
    if options.transpose && images.is_some() {
        return Err(fault("holds three dimensions", leave_out(ReadOption::Transpose)));
    }
    // An array read the other way round is the transposed one.
    let (rows, columns) = if options.transpose { (columns, rows) } else { (rows, columns) };
    let values = if header.fortran == options.transpose {
        numbers::read(&mut source, header.element, count)?
    } else {
        // Pixels of a column-major picture go down before they go across.
        let pixel = |j: usize| j % height * width + j / height;
        let same = |j: usize| j;
        let (source, element, shape) = (&mut source, header.element, (rows, columns));
        match images {
            Some(_) => numbers::read_columns(source, element, shape, packed, pixel)?,
            None => numbers::read_columns(source, element, shape, packed, same)?,
        }
    };
    of_array(values, rows, images, options)
}

struct Header {
    element: Element,
    fortran: bool,
    shape: Vec<usize>,
    /// How many bytes it took.
    bytes: u64,
}

impl Header {
    fn read(source: &mut impl Read) -> Result<Self, Fault> {
        let mut start = [0; 8];
        source.read_exact(&mut start)?;
        if &start[..6] != MAGIC {
            return Err(Fault::damaged("no NPY header"));
        }
        let mut size = [0; 4];
        let digits = if start[6] == 1 { 2 } else { 4 };
        source.read_exact(&mut size[..digits])?;
        let size = u32::from_le_bytes(size) as usize;
        if size > LONGEST_HEADER {
            return Err(Fault::damaged("a header of this length"));
        }
        let mut text = vec![0; size];
        source.read_exact(&mut text)?;
        let text = String::from_utf8_lossy(&text);
        let element = element_of(text_of(value_of(&text, "descr")?)?)?;
        let fortran = value_of(&text, "fortran_order")?.starts_with("True");
        let shape = shape_of(value_of(&text, "shape")?)?;
        Ok(Header { element, fortran, shape, bytes: (8 + digits + size) as u64 })
    }
}

/// What stands behind a key of the dictionary.
fn value_of<'a>(header: &'a str, key: &str) -> Result<&'a str, Fault> {
    let value = ['\'', '"'].into_iter().find_map(|quote| {
        let (_, after) = header.split_once(&format!("{quote}{key}{quote}"))?;
        after.trim_start().strip_prefix(':')
    });
    match value {
        Some(value) => Ok(value.trim_start()),
        None => Err(Fault::damaged(format!("its header has no {key}"))),
    }
}

fn text_of(value: &str) -> Result<&str, Fault> {
    let quote = value.chars().next().filter(|c| matches!(c, '\'' | '"'));
    let text = quote.and_then(|quote| value[1..].split_once(quote));
    match text {
        Some((text, _)) => Ok(text),
        None => Err(fault("holds records, not numbers", "save its columns as one array")),
    }
}

fn element_of(text: &str) -> Result<Element, Fault> {
    let big_endian = match text.as_bytes().first() {
        Some(b'>') => true,
        Some(b'=') => cfg!(target_endian = "big"),
        _ => false,
    };
    let kind = match text.trim_start_matches(['<', '>', '|', '=']) {
        "b1" | "?" => Kind::Bool,
        "i1" => Kind::I8,
        "u1" => Kind::U8,
        "i2" => Kind::I16,
        "u2" => Kind::U16,
        "i4" => Kind::I32,
        "u4" => Kind::U32,
        "i8" => Kind::I64,
        "u8" => Kind::U64,
        "f2" => Kind::F16,
        "f4" => Kind::F32,
        "f8" => Kind::F64,
        _ => {
            let what = format!("holds elements of type {}, not real numbers", quoted(text));
            return Err(fault(what, "save it as float64"));
        }
    };
    Ok(Element { kind, big_endian })
}

fn shape_of(value: &str) -> Result<Vec<usize>, Fault> {
    let inside = value.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let sizes = inside.map_or("", |(inside, _)| inside).split(',').map(str::trim);
    // Python 2 wrote long integers as 12L.
    let sizes = sizes.filter(|size| !size.is_empty()).map(|size| size.trim_end_matches('L'));
    match (inside, sizes.map(str::parse).collect()) {
        (Some(_), Ok(sizes)) => Ok(sizes),
        _ => Err(Fault::damaged("its header has no shape")),
    }
}

/// Writes the header of an array of `rows` rows, of the same length for any number of them.
pub(super) fn write_rows_header(out: &mut impl Write, rows: u64, columns: usize) -> io::Result<()> {
    write_header(out, "<f8", &format!("({rows:<20}, {columns})"))
}

/// Writes the columns of numbers as an array of 64-bit numbers, row after row.
pub(super) fn write(out: &mut impl Write, columns: &[Column<'_>]) -> io::Result<()> {
    let rows = columns.first().map_or(0, Column::len);
    let numbers = columns.iter().filter_map(|column| match column {
        Column::Numbers(values) => Some(values.as_ref()),
        Column::Texts(_) => None,
    });
    let columns: Vec<&[f64]> = numbers.collect();
    write_header(out, "<f8", &format!("({rows}, {})", columns.len()))?;
    for row in 0..rows {
        for column in &columns {
            out.write_all(&column[row].to_le_bytes())?;
        }
    }
    Ok(())
}

/// Writes an array of texts: each takes as many characters of four bytes as the longest.
pub(super) fn write_texts(out: &mut impl Write, texts: &[&str]) -> io::Result<()> {
    let longest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
    write_header(out, &format!("<U{longest}"), &format!("({},)", texts.len()))?;
    for text in texts {
        for c in text.chars().map(u32::from).chain(std::iter::repeat(0)).take(longest) {
            out.write_all(&c.to_le_bytes())?;
        }
    }
    Ok(())
}

/// The header, with blanks so that the elements begin at a multiple of 64.
fn write_header(out: &mut impl Write, descr: &str, shape: &str) -> io::Result<()> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let blanks = 63 - (MAGIC.len() + 4 + header.len()) % 64;
    out.write_all(MAGIC)?;
    out.write_all(&[1, 0])?;
    out.write_all(&((header.len() + blanks + 1) as u16).to_le_bytes())?;
    writeln!(out, "{header}{:blanks$}", "")
}
