//! The content of a record as bytes: its name, its text, lists of numbers, lists of whole numbers. Before each text its length in
//! bytes, before each list its number of values, before the lists of a kind how many there are, all in 8 bytes.

use std::io::{self, Read, Write};

use nrdr::checkpoint::Record;

/// Bytes that are converted at a time.
const BLOCK: usize = 1 << 16;

/// How many bytes a record takes.
pub(crate) fn length(name: &str, record: &Record<'_>) -> u64 {
    let numbers: usize = record.numbers.iter().map(|list| 8 + 8 * list.len()).sum();
    let indices: usize = record.indices.iter().map(|list| 8 + 4 * list.len()).sum();
    (4 * 8 + name.len() + record.text.len() + numbers + indices) as u64
}

/// Writes a record.
pub(crate) fn write(out: &mut impl Write, name: &str, record: &Record<'_>) -> io::Result<()> {
    for text in [name, record.text.as_ref()] {
        write_length(out, text.len())?;
        out.write_all(text.as_bytes())?;
    }
    write_lists(out, &record.numbers, |value| value.to_le_bytes())?;
    write_lists(out, &record.indices, |value| value.to_le_bytes())
}

fn write_length(out: &mut impl Write, length: usize) -> io::Result<()> {
    out.write_all(&(length as u64).to_le_bytes())
}

fn write_lists<T: Copy, const SIZE: usize>(
    out: &mut impl Write,
    lists: &[impl AsRef<[T]>],
    bytes_of: fn(T) -> [u8; SIZE],
) -> io::Result<()> {
    write_length(out, lists.len())?;
    let mut bytes = Vec::with_capacity(BLOCK);
    for list in lists {
        write_length(out, list.as_ref().len())?;
        for block in list.as_ref().chunks(BLOCK / SIZE) {
            bytes.clear();
            bytes.extend(block.iter().flat_map(|&value| bytes_of(value)));
            out.write_all(&bytes)?;
        }
    }
    Ok(())
}

/// Something with an end.
pub(crate) type Bounded<R> = io::Take<R>;

/// The name at the beginning of a record.
pub(crate) fn read_name(from: &mut Bounded<impl Read>) -> io::Result<String> {
    let length = read_length(from, 1)?;
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    String::from_utf8(bytes).map_err(|_| odd())
}

/// The record, from behind its name.
pub(crate) fn read(from: &mut Bounded<impl Read>) -> io::Result<Record<'static>> {
    let text = read_name(from)?.into();
    let numbers = read_lists(from, f64::from_le_bytes)?.into_iter().map(Into::into).collect();
    let indices = read_lists(from, u32::from_le_bytes)?.into_iter().map(Into::into).collect();
    if from.limit() > 0 { Err(odd()) } else { Ok(Record { text, numbers, indices }) }
}

/// A number of things of so many bytes, no more than there can be.
fn read_length(from: &mut Bounded<impl Read>, size: usize) -> io::Result<usize> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    let length = u64::from_le_bytes(bytes);
    let fits = length.checked_mul(size as u64).is_some_and(|bytes| bytes <= from.limit());
    if fits { Ok(length as usize) } else { Err(odd()) }
}

fn read_lists<T, const SIZE: usize>(
    from: &mut Bounded<impl Read>,
    of_bytes: fn([u8; SIZE]) -> T,
) -> io::Result<Vec<Vec<T>>> {
    let count = read_length(from, 8)?;
    let mut lists = Vec::with_capacity(count);
    let mut bytes = vec![0; BLOCK];
    for _ in 0..count {
        let mut left = read_length(from, SIZE)?;
        let mut list = Vec::with_capacity(left);
        while left > 0 {
            let block = left.min(BLOCK / SIZE);
            from.read_exact(&mut bytes[..block * SIZE])?;
            list.extend(bytes[..block * SIZE].as_chunks().0.iter().map(|chunk| of_bytes(*chunk)));
            left -= block;
        }
        lists.push(list);
    }
    Ok(lists)
}

/// Whole by its sum, but not written by this format.
fn odd() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a record is not what it should be")
}
