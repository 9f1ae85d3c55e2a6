//! NPY, the format of `numpy.save`: a header that is a Python dictionary, then the elements.

use std::io::{self, Read, Write};

use super::advice::ReadOption;
use super::columns::{Role, TextBuilder, of_array};
use super::error::{Fault, fault, quoted};
use super::labels::{Labels, vector_of};
use super::limit::{Budget, TEXT};
use super::numbers::{self, Element, Kind, Layout};
use super::write::Column;
use super::{ImageShape, ReadOptions, Table, leave_out};

const MAGIC: &[u8] = b"\x93NUMPY";
/// Headers of numbers take about a hundred bytes.
const LONGEST_HEADER: usize = 1 << 16;

/// The array that follows, if its rows lie one after another; nothing for other orders.
pub(super) fn layout(source: &mut impl Read, length: u64) -> Result<Option<Layout>, Fault> {
    let header = Header::read(source)?;
    let element = header.element()?;
    let Header { fortran, shape, bytes, .. } = header;
    element.count(&shape, length.saturating_sub(bytes))?;
    let (rows, columns, images) = match *shape.as_slice() {
        [rows] => (rows, 1, None),
        [rows, columns] => (rows, columns, None),
        [rows, height, width] => (rows, height * width, Some(ImageShape::grey(width, height))),
        _ => return Ok(None),
    };
    Ok((!fortran).then_some(Layout { element, rows, columns, images }))
}

/// Where the values of an array are, whose rows can be read in any order.
pub(super) struct Place {
    pub(super) layout: Layout,
    /// The first byte of the values.
    pub(super) start: u64,
    /// Whether columns lie one after another, not rows.
    pub(super) fortran: bool,
}

/// The place of the values of the array that follows.
pub(super) fn place(source: &mut impl Read, length: u64) -> Result<Place, Fault> {
    let header = Header::read(source)?;
    let element = header.element()?;
    let Header { fortran, shape, bytes: start, .. } = header;
    element.count(&shape, length.saturating_sub(start))?;
    let (rows, columns, images) = match *shape.as_slice() {
        [rows] => (rows, 1, None),
        [rows, columns] => (rows, columns, None),
        [_, _, _] if fortran => {
            return Err(fault("holds pictures in Fortran order", "save it in C order"));
        }
        [rows, height, width] => (rows, height * width, Some(ImageShape::grey(width, height))),
        _ => {
            let what = format!("holds an array of {} dimensions", shape.len());
            return Err(fault(what, "reshape it to two"));
        }
    };
    Ok(Place { layout: Layout { element, rows, columns, images }, start, fortran })
}

/// Reads an array from a source of at most `length` bytes. One that is packed has a budget.
pub(super) fn read(
    mut source: impl Read,
    length: u64,
    options: &ReadOptions,
    budget: Option<Budget>,
) -> Result<Table, Fault> {
    let header = Header::read(&mut source)?;
    if options.as_text && header.texts().is_some() {
        let budget = budget.unwrap_or(Budget::unlimited());
        return text_table(header.read_texts(&mut source, length, budget)?, &header.shape);
    }
    let element = header.element()?;
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
    let count = element.count(sizes, length.saturating_sub(header.bytes))?;
    let columns = height * width;
    let packed = budget.is_some();
    budget
        .unwrap_or(Budget::unlimited())
        .array(count, if options.transpose { rows } else { columns })?;
    let images = (sizes.len() == 3).then_some(ImageShape::grey(width, height));
    if options.transpose && images.is_some() {
        return Err(fault("holds three dimensions", leave_out(ReadOption::Transpose)));
    }
    // An array read the other way round is the transposed one.
    let (rows, columns) = if options.transpose { (columns, rows) } else { (rows, columns) };
    let values = if header.fortran == options.transpose {
        numbers::read(&mut source, element, count)?
    } else {
        // Pixels of a column-major picture go down before they go across.
        let pixel = |j: usize| j % height * width + j / height;
        let same = |j: usize| j;
        let (source, shape) = (&mut source, (rows, columns));
        match images {
            Some(_) => numbers::read_columns(source, element, shape, packed, pixel)?,
            None => numbers::read_columns(source, element, shape, packed, same)?,
        }
    };
    of_array(values, rows, images, options)
}

/// Reads an array of any shape, of numbers or of texts. One that is packed has a budget.
pub(super) fn read_whole(
    source: &mut impl Read,
    length: u64,
    budget: Option<Budget>,
) -> Result<(Vec<usize>, Labels), Fault> {
    let header = Header::read(source)?;
    let mut budget = budget.unwrap_or(Budget::unlimited());
    if header.texts().is_some() {
        let texts = header.read_texts(source, length, budget)?;
        return Ok((header.shape, Labels::Texts(texts)));
    }
    let element = header.element()?;
    let count = element.count(&header.shape, length.saturating_sub(header.bytes))?;
    if header.fortran && header.shape.iter().filter(|size| **size > 1).count() > 1 {
        return Err(fault("holds an array in Fortran order", "save it in C order"));
    }
    budget.array(count, 1)?;
    let values = numbers::read(source, element, count)?;
    Ok((header.shape, Labels::Numbers(values)))
}

/// The table of a vector of texts.
fn text_table(texts: Vec<String>, shape: &[usize]) -> Result<Table, Fault> {
    let rows = vector_of("of texts", shape)?;
    let column = TextBuilder::column("x1", 0, Role::Aside, texts.iter().map(String::as_str));
    Ok(Table { rows, text: vec![column], ..Table::default() })
}

/// Texts of a fixed length: how long, in characters of four bytes or in bytes, and in which order the bytes are.
#[derive(Clone, Copy)]
struct Texts {
    characters: usize,
    width: usize,
    big_endian: bool,
}

struct Header {
    descr: String,
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
        let descr = text_of(value_of(&text, "descr")?)?.to_string();
        let fortran = value_of(&text, "fortran_order")?.starts_with("True");
        let shape = shape_of(value_of(&text, "shape")?)?;
        Ok(Header { descr, fortran, shape, bytes: (8 + digits + size) as u64 })
    }

    fn element(&self) -> Result<Element, Fault> {
        element_of(&self.descr)
    }

    fn texts(&self) -> Option<Texts> {
        let (order, rest) = self.descr.split_at_checked(1)?;
        let (kind, characters) = rest.split_at_checked(1)?;
        let width = match kind {
            "U" => 4,
            "S" => 1,
            _ => return None,
        };
        let characters = characters.parse().ok()?;
        Some(Texts { characters, width, big_endian: order == ">" })
    }

    fn read_texts(
        &self,
        source: &mut impl Read,
        length: u64,
        mut budget: Budget,
    ) -> Result<Vec<String>, Fault> {
        let damaged = || Fault::damaged("texts that are not there");
        let Texts { characters, width, big_endian } = self.texts().ok_or_else(damaged)?;
        let size = characters.checked_mul(width).filter(|size| *size > 0).ok_or_else(damaged)?;
        let bytes = Element { kind: Kind::U8, big_endian };
        let sizes: Vec<usize> = self.shape.iter().copied().chain([size]).collect();
        let count = bytes.count(&sizes, length.saturating_sub(self.bytes))? / size;
        let mut texts = Vec::new();
        let mut text = Vec::new();
        for _ in 0..count {
            text.clear();
            if source.by_ref().take(size as u64).read_to_end(&mut text)? < size {
                return Err(damaged());
            }
            let decoded = decode(&text, width, big_endian);
            budget.take(decoded.len() as u64 + TEXT)?;
            texts.push(decoded);
        }
        Ok(texts)
    }
}

/// A text that zeros fill up; what is no character becomes a sign for that.
fn decode(text: &[u8], width: usize, big_endian: bool) -> String {
    if width == 1 {
        return String::from_utf8_lossy(text).trim_end_matches('\0').to_string();
    }
    let unit = |bytes: &[u8; 4]| {
        if big_endian { u32::from_be_bytes(*bytes) } else { u32::from_le_bytes(*bytes) }
    };
    let letter = |unit: u32| char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER);
    let text: String = text.as_chunks().0.iter().map(|bytes| letter(unit(bytes))).collect();
    text.trim_end_matches('\0').to_string()
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
