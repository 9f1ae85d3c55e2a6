//! FlatBuffers, as far as the heads of Arrow's messages need them: tables of fields that may be missing, each of which is
//! found by an offset. Every step stays within the bytes.

use super::error::Fault;

/// A table, and the bytes in which it lies.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    bytes: &'a [u8],
    start: usize,
    /// Where its fields lie, counted from its start.
    fields: &'a [u8],
}

fn damaged() -> Fault {
    Fault::damaged("the head of a message")
}

fn take<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N], Fault> {
    let found = bytes.get(at..).and_then(|bytes| bytes.first_chunk());
    found.copied().ok_or_else(damaged)
}

/// A place that is given from another one on.
fn follow(bytes: &[u8], at: usize) -> Result<usize, Fault> {
    let offset = u32::from_le_bytes(take(bytes, at)?);
    at.checked_add(offset as usize).ok_or_else(damaged)
}

impl<'a> Table<'a> {
    /// The table of which everything else is part.
    pub(super) fn root(bytes: &'a [u8]) -> Result<Self, Fault> {
        Table::at(bytes, follow(bytes, 0)?)
    }

    fn at(bytes: &'a [u8], start: usize) -> Result<Self, Fault> {
        let back = i32::from_le_bytes(take(bytes, start)?);
        let places = i64::try_from(start).map_err(Fault::damaged)? - i64::from(back);
        let places = usize::try_from(places).map_err(|_| damaged())?;
        let size = usize::from(u16::from_le_bytes(take(bytes, places)?));
        let fields = bytes.get(places..).and_then(|bytes| bytes.get(4..size));
        Ok(Table { bytes, start, fields: fields.ok_or_else(damaged)? })
    }

    /// Where a field lies, if it is there.
    fn place(&self, field: usize) -> Option<usize> {
        let offset = u16::from_le_bytes(take(self.fields, 2 * field).ok()?);
        (offset > 0).then(|| self.start + usize::from(offset))
    }

    /// A number of so many bytes; all zeros where the field is missing.
    fn number<const N: usize>(&self, field: usize) -> Result<[u8; N], Fault> {
        self.place(field).map_or(Ok([0; N]), |place| take(self.bytes, place))
    }

    pub(super) fn byte(&self, field: usize) -> Result<u8, Fault> {
        Ok(u8::from_le_bytes(self.number(field)?))
    }

    pub(super) fn short(&self, field: usize) -> Result<i16, Fault> {
        Ok(i16::from_le_bytes(self.number(field)?))
    }

    pub(super) fn int(&self, field: usize) -> Result<i32, Fault> {
        Ok(i32::from_le_bytes(self.number(field)?))
    }

    pub(super) fn long(&self, field: usize) -> Result<i64, Fault> {
        Ok(i64::from_le_bytes(self.number(field)?))
    }

    pub(super) fn table(&self, field: usize) -> Result<Option<Table<'a>>, Fault> {
        let place = self.place(field).map(|place| follow(self.bytes, place));
        place.map(|place| Table::at(self.bytes, place?)).transpose()
    }

    /// Where a list begins whose elements take `size` bytes each, and its bytes; none where it is missing.
    fn list(&self, field: usize, size: usize) -> Result<(usize, &'a [u8]), Fault> {
        let Some(place) = self.place(field) else { return Ok((0, &[])) };
        let place = follow(self.bytes, place)?;
        let count = u32::from_le_bytes(take(self.bytes, place)?) as usize;
        let inside = self.bytes.get(place..).and_then(|bytes| bytes.get(4..));
        let length = count.checked_mul(size).ok_or_else(damaged)?;
        let inside = inside.and_then(|bytes| bytes.get(..length)).ok_or_else(damaged)?;
        Ok((place + 4, inside))
    }

    pub(super) fn text(&self, field: usize) -> Result<String, Fault> {
        Ok(String::from_utf8_lossy(self.list(field, 1)?.1).into_owned())
    }

    /// Pairs of numbers of eight bytes.
    pub(super) fn pairs(&self, field: usize) -> Result<Vec<[i64; 2]>, Fault> {
        let pairs = self.list(field, 16)?.1.as_chunks::<8>().0.as_chunks::<2>().0;
        Ok(pairs.iter().map(|pair| pair.map(i64::from_le_bytes)).collect())
    }

    pub(super) fn longs(&self, field: usize) -> Result<Vec<i64>, Fault> {
        let longs = self.list(field, 8)?.1.as_chunks::<8>().0;
        Ok(longs.iter().map(|long| i64::from_le_bytes(*long)).collect())
    }

    pub(super) fn tables(&self, field: usize) -> Result<Vec<Table<'a>>, Fault> {
        // An element's offset is counted from where it stands.
        let (first, offsets) = self.list(field, 4)?;
        let places = (0..offsets.len() / 4).map(|i| follow(self.bytes, first + 4 * i));
        places.map(|place| Table::at(self.bytes, place?)).collect()
    }
}
