//! The rows of one member in a file: for each list its number of values, for uneven ones how many each row has, and the values,
//! all in 8 bytes, little-endian; a number of values of a row in 4.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use nrdr_cli::shared::Failure;
use nrdr_write::printable;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{List, OwnRecord, Values};

/// Bytes that are hashed or converted at a time.
const BLOCK: usize = 1 << 16;

/// What a list is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Shape {
    kind: Kind,
    /// Whether its values are whole numbers.
    whole: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Same,
    Rows(usize),
    Uneven,
}

impl Shape {
    pub(crate) fn of(list: &List) -> Self {
        let (kind, values) = match list {
            List::Same(values) => (Kind::Same, values),
            List::Rows(width, values) => (Kind::Rows(*width), values),
            List::Uneven(_, values) => (Kind::Uneven, values),
        };
        Shape { kind, whole: matches!(values, Values::Whole(_)) }
    }

    /// A list without values.
    pub(crate) fn empty(&self) -> List {
        let values =
            if self.whole { Values::Whole(Vec::new()) } else { Values::Numbers(Vec::new()) };
        match self.kind {
            Kind::Same => List::Same(values),
            Kind::Rows(width) => List::Rows(width, values),
            Kind::Uneven => List::Uneven(Vec::new(), values),
        }
    }
}

/// Refuses lists that are not those of so many rows: that would be noticed when it is too late.
pub(crate) fn check(record: &OwnRecord, rows: usize) -> Result<(), Failure> {
    let fits = |list: &List| match list {
        List::Same(_) => true,
        List::Rows(width, values) => values.len() == width * rows,
        List::Uneven(counts, values) => {
            counts.len() == rows
                && counts.iter().map(|&c| c as usize).sum::<usize>() == values.len()
        }
    };
    if record.lists.iter().all(fits) {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "the checkpoint is given lists that are not those of {rows} rows: go on without --checkpoint"
    )))
}

/// Writes a piece: lists that are the same at all members only where it is the first. Its sum and its length.
pub(crate) fn write(
    out: &mut impl Write,
    record: &OwnRecord,
    is_first: bool,
) -> io::Result<(String, u64)> {
    let mut out = Summed { out, sum: Sha256::new(), bytes: 0 };
    for list in &record.lists {
        let values = match list {
            List::Same(values) if is_first => values,
            List::Same(_) => continue,
            List::Rows(_, values) => values,
            List::Uneven(counts, values) => {
                for block in counts.chunks(BLOCK) {
                    out.write_all(
                        &block.iter().flat_map(|c| c.to_le_bytes()).collect::<Vec<u8>>(),
                    )?;
                }
                values
            }
        };
        out.write_all(&(values.len() as u64).to_le_bytes())?;
        match values {
            Values::Numbers(values) => {
                for block in values.chunks(BLOCK) {
                    out.write_all(&crate::together::bytes_of(block))?;
                }
            }
            Values::Whole(values) => {
                for block in values.chunks(BLOCK) {
                    out.write_all(
                        &block.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>(),
                    )?;
                }
            }
        }
    }
    Ok((hexadecimal(out.sum), out.bytes))
}

fn hexadecimal(sum: Sha256) -> String {
    sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

struct Summed<W> {
    out: W,
    sum: Sha256,
    bytes: u64,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.sum.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn damaged(path: &Path, why: &str) -> Failure {
    let path = printable(&path.to_string_lossy());
    Failure::Usage(format!(
        "{path} is damaged ({why}): copy the checkpoint again, or delete its folder and start anew"
    ))
}

fn failed(path: &Path) -> impl Fn(io::Error) -> Failure {
    let path = path.to_path_buf();
    move |error| match error.kind() {
        io::ErrorKind::UnexpectedEof => damaged(&path, "it is cut short"),
        io::ErrorKind::NotFound => damaged(&path, "it is not there"),
        _ => {
            let path = printable(&path.to_string_lossy());
            Failure::Usage(format!("{path} cannot be read ({error}): check the disk"))
        }
    }
}

/// Refuses a piece that is not as it was written.
pub(crate) fn verify(path: &Path, bytes: u64, sha256: &str) -> Result<(), Failure> {
    let mut file = File::open(path).map_err(failed(path))?;
    let (mut sum, mut read, mut block) = (Sha256::new(), 0, vec![0; BLOCK]);
    loop {
        let count = file.read(&mut block).map_err(failed(path))?;
        if count == 0 {
            break;
        }
        sum.update(&block[..count]);
        read += count as u64;
    }
    if read != bytes {
        return Err(damaged(path, &format!("of {bytes} bytes there are {read}")));
    }
    if hexadecimal(sum) != sha256 { Err(damaged(path, "its sum is wrong")) } else { Ok(()) }
}

/// Adds some rows of a piece of `all` rows to lists, and what is the same at all members if it is the first.
pub(crate) fn read(
    path: &Path,
    shapes: &[Shape],
    is_first: bool,
    all: usize,
    rows: Range<usize>,
    lists: &mut [List],
) -> Result<(), Failure> {
    let mut file = BufReader::new(File::open(path).map_err(failed(path))?);
    for (shape, list) in shapes.iter().zip(lists) {
        if shape.kind == Kind::Same && !is_first {
            continue;
        }
        let counts = if shape.kind == Kind::Uneven {
            let bytes = take(&mut file, 4 * all as u64).map_err(failed(path))?;
            bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
        } else {
            Vec::new()
        };
        let length = take(&mut file, 8).map_err(failed(path))?;
        let length = length.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let before = |row: usize| counts[..row].iter().map(|&count| u64::from(count)).sum::<u64>();
        let wanted = match shape.kind {
            Kind::Same => 0..length,
            Kind::Rows(width) => (rows.start * width) as u64..(rows.end * width) as u64,
            Kind::Uneven => before(rows.start)..before(rows.end),
        };
        if wanted.end > length {
            return Err(damaged(path, "a list is too short"));
        }
        skip(&mut file, 8 * wanted.start).map_err(failed(path))?;
        let bytes = take(&mut file, 8 * (wanted.end - wanted.start)).map_err(failed(path))?;
        skip(&mut file, 8 * (length - wanted.end)).map_err(failed(path))?;
        if let List::Uneven(all, _) = list {
            all.extend(&counts[rows.clone()]);
        }
        let (List::Same(values) | List::Rows(_, values) | List::Uneven(_, values)) = list;
        let bytes = bytes.as_chunks::<8>().0.iter();
        match values {
            Values::Numbers(values) => values.extend(bytes.map(|b| f64::from_le_bytes(*b))),
            Values::Whole(values) => values.extend(bytes.map(|b| u64::from_le_bytes(*b))),
        }
    }
    Ok(())
}

fn take(file: &mut BufReader<File>, bytes: u64) -> io::Result<Vec<u8>> {
    let mut taken = Vec::new();
    let count = file.take(bytes).read_to_end(&mut taken)?;
    if (count as u64) < bytes { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(taken) }
}

fn skip(file: &mut BufReader<File>, bytes: u64) -> io::Result<()> {
    file.seek(SeekFrom::Current(bytes as i64)).map(|_| ())
}
