//! IDX, the format of MNIST: two zeros, the kind of element, the number of dimensions, their
//! sizes, and the elements, all with the high byte first.

use std::io::{self, Read};

use super::columns::of_array;
use super::error::Fault;
use super::limit::Budget;
use super::numbers::{self, Element, Kind, Layout};
use super::{ImageShape, ReadOptions, Table};

/// Reads an array from a source of at most `length` bytes, if that is known; all dimensions behind the first become
/// columns.
pub(super) fn read(
    mut source: impl Read,
    length: Option<u64>,
    options: &ReadOptions,
    mut budget: Budget,
) -> Result<Table, Fault> {
    let (element, sizes) = header(&mut source)?;
    let count = element.count(&sizes, length.unwrap_or(u64::MAX))?;
    budget.array(count, count / sizes[0])?;
    let images = images_of(&sizes);
    let values = numbers::read(&mut source, element, count)?;
    // The checksum of a packed file is compared where it ends.
    io::copy(&mut source.take(1), &mut io::sink())?;
    of_array(values, sizes[0], images, options)
}

/// The array that follows, in at most `length` bytes, if that is known.
pub(super) fn layout(source: &mut impl Read, length: Option<u64>) -> Result<Layout, Fault> {
    let (element, sizes) = header(source)?;
    let count = element.count(&sizes, length.unwrap_or(u64::MAX))?;
    let rows = sizes[0];
    Ok(Layout { element, rows, columns: count / rows, images: images_of(&sizes) })
}

fn images_of(sizes: &[usize]) -> Option<ImageShape> {
    match *sizes {
        [_, height, width] => Some(ImageShape::grey(width, height)),
        _ => None,
    }
}

fn header(source: &mut impl Read) -> Result<(Element, Vec<usize>), Fault> {
    let mut start = [0; 4];
    source.read_exact(&mut start)?;
    let (kind, dimensions) = match start {
        [0, 0, _, 0] => return Err(Fault::damaged("no dimensions")),
        [0, 0, 0x08, dimensions] => (Kind::U8, dimensions),
        [0, 0, 0x09, dimensions] => (Kind::I8, dimensions),
        [0, 0, 0x0b, dimensions] => (Kind::I16, dimensions),
        [0, 0, 0x0c, dimensions] => (Kind::I32, dimensions),
        [0, 0, 0x0d, dimensions] => (Kind::F32, dimensions),
        [0, 0, 0x0e, dimensions] => (Kind::F64, dimensions),
        _ => return Err(Fault::damaged("no IDX header")),
    };
    let element = Element { kind, big_endian: true };
    let mut sizes = Vec::new();
    for _ in 0..dimensions {
        let mut size = [0; 4];
        source.read_exact(&mut size)?;
        sizes.push(u32::from_be_bytes(size) as usize);
    }
    Ok((element, sizes))
}
