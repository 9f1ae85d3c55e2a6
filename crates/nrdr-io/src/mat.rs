//! MAT, the format of MATLAB's `save` in versions 5 to 7. That of version 7.3 is HDF5: see hdf5.rs.
//!
//! After 128 bytes of header come elements: a type, a size, and as many bytes. An array is an
//! element (since version 7 packed by zlib) that holds others: flags, sizes, name and numbers.
//! Only the beginning of each array is read to find the wanted one, then its numbers.

use std::io::{BufReader, Read, Seek, SeekFrom};

use flate2::read::ZlibDecoder;

use super::advice::{advice, with_variable};
use super::columns::of_array;
use super::error::{Fault, fault, listed, quoted};
use super::limit::Budget;
use super::numbers::{self, Element, Kind};
use super::{ImageShape, ReadOptions, Table};

const COMPRESSED: u32 = 15;
const MATRIX: u32 = 14;
/// The class of MATLAB's own objects, which are laid out in another way.
const OPAQUE: u8 = 17;

/// Reads the only array of real numbers that is more than one number, or the array that the options name; and those
/// that hold labels. Of three dimensions, pictures, the last one counts the points, as MATLAB has it.
pub(super) fn read(
    mut file: impl Read + Seek,
    length: u64,
    options: &ReadOptions,
) -> Result<Table, Fault> {
    let file = &mut file;
    let big_endian = read_header(file)?;
    let mut arrays = Vec::new();
    let mut offset = 128;
    while offset < length {
        let mut source = MatReader::open(file, offset, length, big_endian)?;
        if let Some(array) = source.array()? {
            arrays.push((array, offset));
        }
        offset = source.end;
    }
    let (array, offset) = choose(&arrays, options)?;
    let mut source = MatReader::open(file, *offset, length, big_endian)?;
    source.array()?;
    let (element, _) = source.count(array, length)?;
    let (budget, packed) = (source.budget(length, options), source.packed);
    let whole = Whole { name: &array.name, sizes: &array.sizes, element, packed };
    let mut table = whole.points(&mut source.inner, budget, options)?;
    drop(source);
    for name in &options.label_variables {
        let (array, offset) = find(&arrays, name)?;
        let mut source = MatReader::open(file, *offset, length, big_endian)?;
        source.array()?;
        let budget = source.budget(length, options);
        source.labels(array, length, budget)?.attach(name, &mut table)?;
    }
    Ok(table)
}

/// An array whose numbers follow, column after column.
pub(super) struct Whole<'a> {
    pub(super) name: &'a str,
    pub(super) sizes: &'a [usize],
    pub(super) element: Element,
    /// Whether the file may promise more than it holds.
    pub(super) packed: bool,
}

impl Whole<'_> {
    /// The table of the array.
    pub(super) fn points(
        &self,
        inner: &mut impl Read,
        mut budget: Budget,
        options: &ReadOptions,
    ) -> Result<Table, Fault> {
        let (rows, columns, images) = match (self.sizes, options.transpose) {
            (&[rows, columns], _) => (rows, columns, None),
            (&[height, width, points], false) => (height * width, points, Some((width, height))),
            (&[points, height, width], true) => (points, height * width, Some((width, height))),
            _ => {
                let what = format!("{} is not a matrix", label(self.name, self.sizes));
                return Err(fault(what, "reshape it to two"));
            }
        };
        let (element, count) = (self.element, rows * columns);
        // The transposed matrix lies row after row. Of pictures the columns are the points.
        let is_turned = options.transpose != images.is_some();
        budget.array(count, if is_turned { rows } else { columns })?;
        let shape = images.map(|(width, height)| ImageShape::grey(width, height));
        // A picture goes down before it goes across.
        let pixel = |(width, height): (usize, usize), k: usize| k % height * width + k / height;
        if !is_turned {
            let to = |j| images.map_or(j, |size| pixel(size, j));
            let shape_of = (rows, columns);
            let values = numbers::read_columns(inner, element, shape_of, self.packed, to)?;
            return of_array(values, rows, shape, options);
        }
        let mut values = numbers::read(inner, element, count)?;
        if let Some(size) = images {
            let mut picture = vec![0.0; rows];
            for row in values.chunks_exact_mut(rows) {
                row.iter().enumerate().for_each(|(k, value)| picture[pixel(size, k)] = *value);
                row.copy_from_slice(&picture);
            }
        }
        of_array(values, columns, shape, options)
    }
}

/// Name and sizes, as in `images (4096 x 698)`.
fn label(name: &str, sizes: &[usize]) -> String {
    let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
    format!("{name} ({})", sizes.join(" x "))
}

/// Whether the high bytes come first.
fn read_header(file: &mut impl Read) -> Result<bool, Fault> {
    let mut header = [0; 128];
    file.read_exact(&mut header)?;
    let way_out = "save it in MATLAB with -v7, or as .csv";
    match &header[124..] {
        [_, 1, b'I', b'M'] => Ok(false),
        [1, _, b'M', b'I'] => Ok(true),
        _ => Err(fault("is no MAT file of version 5 to 7.3", way_out)),
    }
}

/// What the beginning of an array tells.
pub(super) struct Array {
    pub(super) name: String,
    pub(super) class: u8,
    complex: bool,
    pub(super) sizes: Vec<usize>,
}

impl Array {
    /// The fault of an array that is not of real numbers.
    pub(super) fn check_real(&self) -> Result<(), Fault> {
        let (what, way_out) = match self.class {
            6..=15 if !self.complex => return Ok(()),
            6..=15 => ("complex", advice("save its real part")),
            5 => ("sparse", advice("save it with full()")),
            _ => ("not an array of numbers", with_variable("choose another")),
        };
        Err(fault(format!("{} is {what}", self.label()), way_out))
    }

    fn is_matrix(&self) -> bool {
        self.check_real().is_ok() && matches!(self.sizes.len(), 2 | 3) && self.sizes != [1, 1]
    }

    pub(super) fn label(&self) -> String {
        label(&self.name, &self.sizes)
    }
}

fn all_of(arrays: &[(Array, u64)]) -> String {
    listed(&arrays.iter().map(|(array, _)| array.label()).collect::<Vec<_>>())
}

fn find<'a>(arrays: &'a [(Array, u64)], wanted: &str) -> Result<&'a (Array, u64), Fault> {
    arrays.iter().find(|(array, _)| array.name == wanted).ok_or_else(|| {
        let what = format!("has no array {} (the arrays are {})", quoted(wanted), all_of(arrays));
        fault(what, with_variable("choose one of them"))
    })
}

fn choose<'a>(
    arrays: &'a [(Array, u64)],
    options: &ReadOptions,
) -> Result<&'a (Array, u64), Fault> {
    if let Some(wanted) = &options.variable {
        let found = find(arrays, wanted)?;
        found.0.check_real()?;
        return Ok(found);
    }
    let all = all_of(arrays);
    let is_label = |array: &Array| options.label_variables.contains(&array.name);
    let mut matrices = arrays.iter().filter(|(array, _)| array.is_matrix() && !is_label(array));
    match (matrices.next(), matrices.next()) {
        (Some(matrix), None) => Ok(matrix),
        (None, _) if arrays.len() == 1 => {
            arrays[0].0.check_real()?;
            Ok(&arrays[0])
        }
        (None, _) => {
            let all = if all.is_empty() { "none" } else { &all };
            let what = format!("holds no matrix of real numbers (its arrays are {all})");
            Err(fault(what, "check that the file is the right one"))
        }
        (Some(_), Some(_)) => {
            Err(fault(format!("holds several arrays ({all})"), with_variable("choose one")))
        }
    }
}

/// A number of four bytes.
fn word_of(bytes: &[u8], big_endian: bool) -> u32 {
    let bytes = bytes.first_chunk().copied().unwrap_or_default();
    if big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
}

/// The inside of an element of the file.
pub(super) struct MatReader<'a> {
    pub(super) inner: BufReader<Box<dyn Read + 'a>>,
    pub(super) big_endian: bool,
    packed: bool,
    /// Whether the element is an array at all.
    matrix: bool,
    /// Where the next element of the file begins.
    end: u64,
}

impl<'a> MatReader<'a> {
    fn open(
        file: &'a mut (impl Read + Seek),
        offset: u64,
        length: u64,
        big_endian: bool,
    ) -> Result<Self, Fault> {
        file.seek(SeekFrom::Start(offset))?;
        let mut tag = [0; 8];
        file.read_exact(&mut tag)?;
        let [kind, size] = [word_of(&tag[..4], big_endian), word_of(&tag[4..], big_endian)];
        let inside = file.take(size.into());
        let end = offset + 8 + u64::from(size);
        if end > length {
            return Err(Fault::damaged("an element ends behind the file"));
        }
        let packed = kind == COMPRESSED;
        let inside: Box<dyn Read> =
            if packed { Box::new(ZlibDecoder::new(inside)) } else { Box::new(inside) };
        let inner = BufReader::new(inside);
        let mut reader = MatReader { inner, big_endian, packed, matrix: kind == MATRIX, end };
        if packed {
            reader.matrix = reader.word()? == MATRIX;
            reader.word()?;
        }
        Ok(reader)
    }

    /// The memory that what it holds may take in a file of so many bytes.
    fn budget(&self, length: u64, options: &ReadOptions) -> Budget {
        if self.packed { Budget::packed(length, options) } else { Budget::unlimited() }
    }

    pub(super) fn words(&self, bytes: &[u8]) -> Vec<u32> {
        bytes.chunks_exact(4).map(|bytes| word_of(bytes, self.big_endian)).collect()
    }

    fn word(&mut self) -> Result<u32, Fault> {
        let mut bytes = [0; 4];
        self.inner.read_exact(&mut bytes)?;
        Ok(word_of(&bytes, self.big_endian))
    }

    /// Type, size and, of a part of at most four bytes, whether it stands in its own tag.
    pub(super) fn tag(&mut self) -> Result<(u32, u32, bool), Fault> {
        let word = self.word()?;
        match word >> 16 {
            0 => Ok((word, self.word()?, false)),
            size => Ok((word & 0xffff, size, true)),
        }
    }

    /// A small part, with the bytes that fill it up to a multiple of eight.
    pub(super) fn part(&mut self) -> Result<Vec<u8>, Fault> {
        const LONGEST: u32 = 4096;
        let (_, size, short) = self.tag()?;
        if size > LONGEST || (short && size > 4) {
            return Err(Fault::damaged("a name or a size of this length"));
        }
        let filled = if short { 4 } else { size.next_multiple_of(8) };
        let mut bytes = vec![0; filled as usize];
        self.inner.read_exact(&mut bytes)?;
        bytes.truncate(size as usize);
        Ok(bytes)
    }

    /// Flags, sizes and name, if the element is an array.
    pub(super) fn array(&mut self) -> Result<Option<Array>, Fault> {
        if !self.matrix {
            return Ok(None);
        }
        // What MATLAB stores for itself has no name.
        Ok(self.head()?.filter(|array| !array.name.is_empty()))
    }

    /// Flags, sizes and name of an array; nothing for an object.
    pub(super) fn head(&mut self) -> Result<Option<Array>, Fault> {
        let flags = self.part()?;
        let flags = self.words(&flags).first().copied().unwrap_or(0);
        let class = flags as u8;
        if class == OPAQUE {
            return Ok(None);
        }
        let sizes = self.part()?;
        let sizes = self.words(&sizes).into_iter().map(|size| size as usize).collect();
        let name = String::from_utf8_lossy(&self.part()?).into_owned();
        Ok(Some(Array { name, class, complex: flags & 0x800 != 0, sizes }))
    }

    /// What the numbers of an array are, and how many there are.
    pub(super) fn count(&mut self, array: &Array, length: u64) -> Result<(Element, usize), Fault> {
        let (element, bytes) = self.numbers()?;
        let there = if self.packed { u64::from(bytes) } else { length };
        let count = element.count(&array.sizes, there)?;
        if count as u64 * element.size() as u64 != u64::from(bytes) {
            return Err(Fault::damaged(format!("{bytes} bytes for {}", array.label())));
        }
        Ok((element, count))
    }

    /// The kind of the numbers, which may be smaller than the class of the array, and how many
    /// bytes they take.
    fn numbers(&mut self) -> Result<(Element, u32), Fault> {
        let (kind, bytes, _) = self.tag()?;
        let kind = match kind {
            1 => Kind::I8,
            2 => Kind::U8,
            3 => Kind::I16,
            4 => Kind::U16,
            5 => Kind::I32,
            6 => Kind::U32,
            7 => Kind::F32,
            9 => Kind::F64,
            12 => Kind::I64,
            13 => Kind::U64,
            _ => return Err(Fault::damaged("numbers of an unknown kind")),
        };
        Ok((Element { kind, big_endian: self.big_endian }, bytes))
    }
}
