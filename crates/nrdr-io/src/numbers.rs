//! Numbers as binary files hold them. NPY, IDX and MAT differ in their headers; what follows is
//! the same: so many elements of one kind in one byte order.

use std::io::Read;

use super::ImageShape;
use super::error::{Fault, fault};
use super::limit::{no_memory, zeros};

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
}

/// An element and the order of its bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub(super) kind: Kind,
    pub(super) big_endian: bool,
}

impl Element {
    /// Bytes of an element.
    pub(super) fn size(self) -> usize {
        match self.kind {
            Kind::Bool | Kind::I8 | Kind::U8 => 1,
            Kind::I16 | Kind::U16 | Kind::F16 => 2,
            Kind::I32 | Kind::U32 | Kind::F32 => 4,
            Kind::I64 | Kind::U64 | Kind::F64 => 8,
        }
    }

    /// How many elements an array of these sizes has, if that many fit in `there` bytes. Checked
    /// before memory is taken for them.
    pub(super) fn count(self, sizes: &[usize], there: u64) -> Result<usize, Fault> {
        let count = sizes.iter().try_fold(1usize, |count, &size| count.checked_mul(size));
        match count {
            // A size of zero would let another be as large as it likes.
            _ if sizes.contains(&0) => {
                Err(fault("holds an empty array", "check that the file is the right one"))
            }
            Some(count) if (count as u64).saturating_mul(self.size() as u64) <= there => Ok(count),
            _ => {
                let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
                let sizes = sizes.join(" x ");
                Err(Fault::damaged(format!("an array of {sizes} is not in {there} bytes")))
            }
        }
    }

    fn decode(self, bytes: &[u8], mut each: impl FnMut(f64)) {
        macro_rules! decode {
            ($number:ty, $value:expr) => {
                for bytes in bytes.as_chunks().0 {
                    let number = if self.big_endian {
                        <$number>::from_be_bytes(*bytes)
                    } else {
                        <$number>::from_le_bytes(*bytes)
                    };
                    each($value(number));
                }
            };
        }
        match self.kind {
            Kind::Bool => bytes.iter().for_each(|&byte| each(f64::from(byte != 0))),
            Kind::I8 => decode!(i8, f64::from),
            Kind::U8 => decode!(u8, f64::from),
            Kind::I16 => decode!(i16, f64::from),
            Kind::U16 => decode!(u16, f64::from),
            Kind::I32 => decode!(i32, f64::from),
            Kind::U32 => decode!(u32, f64::from),
            Kind::I64 => decode!(i64, |number| number as f64),
            Kind::U64 => decode!(u64, |number| number as f64),
            Kind::F16 => decode!(u16, half),
            Kind::F32 => decode!(f32, f64::from),
            Kind::F64 => decode!(f64, f64::from),
        }
    }
}

/// An array whose rows lie one after another.
pub(super) struct Layout {
    pub(super) element: Element,
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Given when each row is a picture.
    pub(super) images: Option<ImageShape>,
}

/// The number of a half-precision pattern: a sign, five bits of exponent, ten of fraction.
pub(super) fn half(bits: u16) -> f64 {
    let fraction = f64::from(bits & 0x3ff);
    let size = match (bits >> 10) & 0x1f {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1024.0 + fraction) * 2f64.powi(i32::from(exponent) - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

fn each(
    reader: &mut impl Read,
    element: Element,
    count: usize,
    mut put: impl FnMut(f64) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut buffer = [0; 1 << 16];
    let mut left = count as u64 * element.size() as u64;
    while left > 0 {
        let now = left.min(buffer.len() as u64) as usize;
        reader.read_exact(&mut buffer[..now])?;
        let mut done = Ok(());
        element.decode(&buffer[..now], |value| {
            if done.is_ok() {
                done = put(value);
            }
        });
        done?;
        left -= now as u64;
    }
    Ok(())
}

/// Reads `count` elements. Memory is taken as they arrive: a file may promise more than it holds.
pub(super) fn read(
    reader: &mut impl Read,
    element: Element,
    count: usize,
) -> Result<Vec<f64>, Fault> {
    let mut values = Vec::new();
    each(reader, element, count, |value| {
        if values.len() == values.capacity() {
            // Twice as many, but never more than are to come.
            let more = values.len().max(1 << 13).min(count - values.len());
            values.try_reserve_exact(more).map_err(|_| no_memory(count))?;
        }
        values.push(value);
        Ok(())
    })?;
    Ok(values)
}

/// Reads elements that lie column after column, as in Fortran and MATLAB, row after row. Column
/// `j` of the file becomes column `to(j)`. What is unpacked is read whole before it is put in order, as it may
/// promise more than it holds.
pub(super) fn read_columns(
    reader: &mut impl Read,
    element: Element,
    (rows, columns): (usize, usize),
    packed: bool,
    to: impl Fn(usize) -> usize,
) -> Result<Vec<f64>, Fault> {
    let count = rows * columns;
    let arrived = if packed { read(reader, element, count)? } else { Vec::new() };
    let mut values = zeros(count)?;
    let (mut row, mut column) = (0, 0);
    let mut put = |value| {
        values[row * columns + to(column)] = value;
        row += 1;
        if row == rows {
            (row, column) = (0, column + 1);
        }
    };
    if packed {
        arrived.into_iter().for_each(put);
    } else {
        each(reader, element, count, |value| {
            put(value);
            Ok(())
        })?;
    }
    Ok(values)
}
