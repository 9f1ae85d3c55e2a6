//! MAT, the format of MATLAB's `save` in versions 5 to 7.
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
use super::{ReadOptions, Table};

const COMPRESSED: u32 = 15;
const MATRIX: u32 = 14;
/// The class of MATLAB's own objects, which are laid out in another way.
const OPAQUE: u8 = 17;

/// Reads the only matrix of real numbers that is more than one number, or the array that the
/// options name.
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
    let (element, bytes) = source.numbers()?;
    let packed = source.packed;
    let count = element.count(&array.sizes, if packed { u64::from(bytes) } else { length })?;
    if count as u64 * element.size() as u64 != u64::from(bytes) {
        return Err(Fault::damaged(format!("{bytes} bytes for {}", array.label())));
    }
    let [rows, columns] = *array.sizes.as_slice() else {
        return Err(fault(format!("{} is not a matrix", array.label()), "reshape it to two"));
    };
    let mut budget = if packed { Budget::packed(length, options) } else { Budget::unlimited() };
    budget.array(count, if options.transpose { rows } else { columns })?;
    // MATLAB stores column after column: the transposed matrix row after row.
    if options.transpose {
        let values = numbers::read(&mut source.inner, element, count)?;
        return of_array(values, columns, None, options);
    }
    let inner = &mut source.inner;
    let values = numbers::read_columns(inner, element, (rows, columns), packed, |j| j)?;
    of_array(values, rows, None, options)
}

/// Whether the high bytes come first.
fn read_header(file: &mut impl Read) -> Result<bool, Fault> {
    let mut header = [0; 128];
    file.read_exact(&mut header)?;
    let way_out = "save it in MATLAB with -v7, or as .csv";
    if header.starts_with(b"MATLAB 7.3") || header.starts_with(b"\x89HDF") {
        return Err(fault("is a MAT file of version 7.3 (HDF5), which is not read", way_out));
    }
    match &header[124..] {
        [_, 1, b'I', b'M'] => Ok(false),
        [1, _, b'M', b'I'] => Ok(true),
        _ => Err(fault("is no MAT file of version 5 to 7", way_out)),
    }
}

/// What the beginning of an array tells.
struct Array {
    name: String,
    class: u8,
    complex: bool,
    sizes: Vec<usize>,
}

impl Array {
    /// The fault of an array that is not of real numbers.
    fn check_real(&self) -> Result<(), Fault> {
        let (what, way_out) = match self.class {
            6..=15 if !self.complex => return Ok(()),
            6..=15 => ("complex", advice("save its real part")),
            5 => ("sparse", advice("save it with full()")),
            _ => ("not an array of numbers", with_variable("choose another")),
        };
        Err(fault(format!("{} is {what}", self.label()), way_out))
    }

    fn is_matrix(&self) -> bool {
        self.check_real().is_ok() && self.sizes.len() == 2 && self.sizes != [1, 1]
    }

    /// Name and sizes, as in `images (4096 x 698)`.
    fn label(&self) -> String {
        let sizes: Vec<String> = self.sizes.iter().map(usize::to_string).collect();
        format!("{} ({})", self.name, sizes.join(" x "))
    }
}

fn choose<'a>(
    arrays: &'a [(Array, u64)],
    options: &ReadOptions,
) -> Result<&'a (Array, u64), Fault> {
    let labels: Vec<String> = arrays.iter().map(|(array, _)| array.label()).collect();
    let all = listed(&labels);
    if let Some(wanted) = &options.variable {
        let Some(found) = arrays.iter().find(|(array, _)| array.name == *wanted) else {
            let what = format!("has no array {} (the arrays are {all})", quoted(wanted));
            return Err(fault(what, with_variable("choose one of them")));
        };
        found.0.check_real()?;
        return Ok(found);
    }
    let mut matrices = arrays.iter().filter(|(array, _)| array.is_matrix());
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
struct MatReader<'a> {
    inner: BufReader<Box<dyn Read + 'a>>,
    big_endian: bool,
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

    fn words(&self, bytes: &[u8]) -> Vec<u32> {
        bytes.chunks_exact(4).map(|bytes| word_of(bytes, self.big_endian)).collect()
    }

    fn word(&mut self) -> Result<u32, Fault> {
        let mut bytes = [0; 4];
        self.inner.read_exact(&mut bytes)?;
        Ok(word_of(&bytes, self.big_endian))
    }

    /// Type, size and, of a part of at most four bytes, whether it stands in its own tag.
    fn tag(&mut self) -> Result<(u32, u32, bool), Fault> {
        let word = self.word()?;
        match word >> 16 {
            0 => Ok((word, self.word()?, false)),
            size => Ok((word & 0xffff, size, true)),
        }
    }

    /// A small part, with the bytes that fill it up to a multiple of eight.
    fn part(&mut self) -> Result<Vec<u8>, Fault> {
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
    fn array(&mut self) -> Result<Option<Array>, Fault> {
        if !self.matrix {
            return Ok(None);
        }
        let flags = self.part()?;
        let flags = self.words(&flags).first().copied().unwrap_or(0);
        let class = flags as u8;
        if class == OPAQUE {
            return Ok(None);
        }
        let sizes = self.part()?;
        let sizes = self.words(&sizes).into_iter().map(|size| size as usize).collect();
        let name = String::from_utf8_lossy(&self.part()?).into_owned();
        let array = Array { name, class, complex: flags & 0x800 != 0, sizes };
        // What MATLAB stores for itself has no name.
        Ok(Some(array).filter(|array| !array.name.is_empty()))
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
