//! The footer of Parquet and the heads of its pages, looked at before they are decoded: the decoder takes memory for as
//! many children as an element of the schema claims, descends as deep as they do, and takes memory for as many bytes as
//! a page claims to unpack to.
//!
//! The footer is a structure in Thrift's compact protocol. Its second field is the schema, a list
//! of elements whose fifth field is the number of children that follow.

use std::io::{self, Read, Seek, SeekFrom};

use super::error::Fault;

const MAGIC: &[u8] = b"PAR1";
const SCHEMA: i64 = 2;
const CHILDREN: i64 = 5;
const DEEPEST: usize = 32;

/// Checks that the schema is a tree of a moderate depth.
pub(super) fn check(input: &mut (impl Read + Seek), length: u64) -> Result<(), Fault> {
    let mut end = [0; 8];
    let before = length.checked_sub(12).ok_or_else(|| Fault::damaged("no Parquet footer"))?;
    input.seek(SeekFrom::Start(length - 8))?;
    input.read_exact(&mut end)?;
    let [a, b, c, d, magic @ ..] = end;
    let size = u64::from(u32::from_le_bytes([a, b, c, d]));
    if magic != MAGIC || size > before {
        return Err(Fault::damaged("no Parquet footer"));
    }
    let mut footer = vec![0; size as usize];
    input.seek(SeekFrom::Start(length - 8 - size))?;
    input.read_exact(&mut footer)?;
    Thrift::new(footer.as_slice())
        .schema()
        .filter(|children| is_tree(children))
        .map(|_| ())
        .ok_or_else(|| Fault::damaged("its schema is no tree"))
}

/// Whether numbers of children, each before those of the children themselves, make one tree.
fn is_tree(children: &[i64]) -> bool {
    // How many are still to come at each level.
    let mut open = vec![1];
    for &children in children {
        while open.last() == Some(&0) {
            open.pop();
        }
        match open.last_mut() {
            Some(left) => *left -= 1,
            None => return false,
        }
        if children < 0 || open.len() > DEEPEST {
            return false;
        }
        open.push(children);
    }
    open.iter().all(|left| *left == 0)
}

/// The sizes of a page as its head tells them, unpacked and packed, and how many bytes the head takes.
pub(super) fn page_sizes(head: impl Read) -> Option<(i64, i64, u64)> {
    const UNPACKED: i64 = 2;
    const PACKED: i64 = 3;
    let mut thrift = Thrift::new(head);
    let (mut unpacked, mut packed) = (None, None);
    let mut id = 0;
    loop {
        match thrift.field(&mut id)? {
            0 => break,
            5 if id == UNPACKED => unpacked = Some(thrift.signed()?),
            5 if id == PACKED => packed = Some(thrift.signed()?),
            kind => thrift.skip(kind, 0)?,
        }
    }
    Some((unpacked?, packed?, thrift.taken))
}

struct Thrift<R> {
    source: R,
    /// How many bytes have been read.
    taken: u64,
}

impl<R: Read> Thrift<R> {
    fn new(source: R) -> Self {
        Thrift { source, taken: 0 }
    }

    /// The number of children of each element of the schema.
    fn schema(&mut self) -> Option<Vec<i64>> {
        let mut id = 0;
        loop {
            match self.field(&mut id)? {
                0 => return None,
                9 if id == SCHEMA => break,
                kind => self.skip(kind, 0)?,
            }
        }
        let (count, kind) = self.list()?;
        let mut children = Vec::new();
        for _ in 0..if kind == 12 { count } else { 0 } {
            let mut id = 0;
            let mut own = 0;
            loop {
                match self.field(&mut id)? {
                    0 => break,
                    5 if id == CHILDREN => own = self.signed()?,
                    kind => self.skip(kind, 0)?,
                }
            }
            children.push(own);
        }
        Some(children)
    }

    fn byte(&mut self) -> Option<u8> {
        let mut byte = [0];
        self.source.read_exact(&mut byte).ok()?;
        self.taken += 1;
        Some(byte[0])
    }

    fn bytes(&mut self, count: u64) -> Option<()> {
        let found = io::copy(&mut self.source.by_ref().take(count), &mut io::sink()).ok()?;
        self.taken += found;
        (found == count).then_some(())
    }

    fn unsigned(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i64> {
        let number = self.unsigned()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// The type of the next field, 0 at the end of the structure; `id` becomes the field's.
    fn field(&mut self, id: &mut i64) -> Option<u8> {
        let byte = self.byte()?;
        let kind = byte & 0x0f;
        if kind != 0 {
            *id = match byte >> 4 {
                0 => self.signed()?,
                step => id.checked_add(step.into())?,
            };
        }
        Some(kind)
    }

    /// The length of a list and the type of its elements.
    fn list(&mut self) -> Option<(u64, u8)> {
        let byte = self.byte()?;
        let count = match byte >> 4 {
            15 => self.unsigned()?,
            count => count.into(),
        };
        Some((count, byte & 0x0f))
    }

    fn skip(&mut self, kind: u8, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        match kind {
            // Truth values of fields are in the type itself.
            1 | 2 => {}
            3 => drop(self.byte()?),
            4..=6 => drop(self.unsigned()?),
            7 => self.bytes(8)?,
            8 => {
                let length = self.unsigned()?;
                self.bytes(length)?;
            }
            9 | 10 => {
                let (count, kind) = self.list()?;
                // In a list a truth value takes a byte.
                let kind = if kind <= 2 { 3 } else { kind };
                for _ in 0..count {
                    self.skip(kind, depth + 1)?;
                }
            }
            12 => {
                let mut id = 0;
                loop {
                    match self.field(&mut id)? {
                        0 => break,
                        kind => self.skip(kind, depth + 1)?,
                    }
                }
            }
            _ => return None,
        }
        Some(())
    }
}
