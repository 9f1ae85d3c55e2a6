//! The messages of an Arrow file: a head each, and a body of buffers that may be packed.

use std::collections::HashMap;
use std::io::{Read, Seek, SeekFrom};

use super::ReadOptions;
use super::arrow_column::Column;
use super::arrow_schema::{Content, Field};
use super::error::{Fault, fault};
use super::flatbuffer;
use super::limit::{Budget, TEXT, memory, too_large};

/// What stands before the messages of a file.
const MAGIC: &[u8; 8] = b"ARROW1\0\0";

/// The head of a message, and where its body lies.
pub(super) struct Message {
    pub(super) kind: u8,
    head: Vec<u8>,
    pub(super) body: (u64, u64),
}

impl Message {
    pub(super) const SCHEMA: u8 = 1;
    pub(super) const DICTIONARY: u8 = 2;
    pub(super) const ROWS: u8 = 3;

    /// What the message is about.
    pub(super) fn table(&self) -> Result<flatbuffer::Table<'_>, Fault> {
        let table = flatbuffer::Table::root(&self.head)?.table(2)?;
        table.ok_or_else(|| Fault::damaged("a message about nothing"))
    }
}

/// How the buffers of a message are packed.
#[derive(Clone, Copy)]
enum Packing {
    None,
    Lz4,
    Zstd,
}

/// Some rows of all columns, or the texts of a dictionary.
pub(super) struct Batch {
    pub(super) rows: usize,
    body: (u64, u64),
    buffers: Vec<[i64; 2]>,
    packing: Packing,
    /// How many buffers there are for the texts of each column of views.
    variadic: Vec<i64>,
}

impl Batch {
    pub(super) fn of(table: flatbuffer::Table<'_>, body: (u64, u64)) -> Result<Self, Fault> {
        let packing = match table.table(3)? {
            None => Packing::None,
            Some(packing) => match packing.byte(0)? {
                0 => Packing::Lz4,
                1 => Packing::Zstd,
                other => return Err(Fault::damaged(format!("the packing {other}"))),
            },
        };
        let rows = usize::try_from(table.long(0)?).map_err(Fault::damaged)?;
        let (buffers, variadic) = (table.pairs(2)?, table.longs(4)?);
        Ok(Batch { rows, body, buffers, packing, variadic })
    }
}

/// The bytes of a file.
pub(super) struct Source<F> {
    file: F,
    memory: u64,
    pub(super) budget: Budget,
}

impl<F: Read + Seek> Source<F> {
    /// Opens a file, and finds its messages.
    pub(super) fn open(
        mut file: F,
        length: u64,
        options: &ReadOptions,
    ) -> Result<(Self, Vec<Message>), Fault> {
        const CONTINUED: u32 = u32::MAX;
        const LONGEST_HEAD: u32 = 1 << 28;
        let mut start = [0; 8];
        file.read_exact(&mut start)?;
        if start.starts_with(b"FEA1") {
            let what = "is a Feather file of version 1";
            return Err(fault(what, "write it again with the pyarrow of today"));
        }
        let mut at = if start == *MAGIC { 8 } else { 0 };
        let mut messages = Vec::new();
        // A stream may end without a word, a file has its table of contents behind.
        while at < length {
            let mut size = number_at(&mut file, at)?;
            at += 4;
            if size == CONTINUED {
                size = number_at(&mut file, at)?;
                at += 4;
            }
            if size == 0 {
                break;
            }
            if size > LONGEST_HEAD || at + u64::from(size) > length {
                return Err(Fault::damaged("a message ends behind the file"));
            }
            let mut head = Vec::new();
            file.by_ref().take(size.into()).read_to_end(&mut head)?;
            at += u64::from(size);
            let table = flatbuffer::Table::root(&head)?;
            let (kind, body) = (table.byte(1)?, table.long(3)?);
            let body = u64::try_from(body).ok().filter(|body| *body <= length - at);
            let body = body.ok_or_else(|| Fault::damaged("a message ends behind the file"))?;
            messages.push(Message { kind, head, body: (at, body) });
            at += body;
        }
        let memory = memory(length, options);
        Ok((Source { file, memory, budget: Budget::of(memory) }, messages))
    }

    /// A buffer of a batch, unpacked.
    fn buffer(&mut self, batch: &Batch, index: usize) -> Result<Vec<u8>, Fault> {
        let damaged = || Fault::damaged("a buffer ends behind its message");
        let [offset, size] = *batch.buffers.get(index).ok_or_else(damaged)?;
        let (offset, size) = (u64::try_from(offset), u64::try_from(size));
        let (Ok(offset), Ok(size)) = (offset, size) else { return Err(damaged()) };
        if offset.checked_add(size).is_none_or(|end| end > batch.body.1) {
            return Err(damaged());
        }
        self.file.seek(SeekFrom::Start(batch.body.0 + offset))?;
        let mut bytes = Vec::new();
        self.file.by_ref().take(size).read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < size {
            return Err(damaged());
        }
        let Some((head, packed)) = bytes.split_first_chunk() else { return Ok(bytes) };
        let unpacked = match (batch.packing, i64::from_le_bytes(*head)) {
            (Packing::None, _) => return Ok(bytes),
            // Some buffers are not worth it.
            (_, -1) => return Ok(packed.to_vec()),
            (_, unpacked) => u64::try_from(unpacked).map_err(|_| damaged())?,
        };
        if unpacked > self.memory {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        match batch.packing {
            Packing::Lz4 => {
                lz4_flex::frame::FrameDecoder::new(packed).take(unpacked).read_to_end(&mut bytes)?
            }
            _ => zstd::Decoder::new(packed)?.take(unpacked).read_to_end(&mut bytes)?,
        };
        Ok(bytes)
    }

    /// A column of a batch.
    pub(super) fn column<'f>(
        &mut self,
        batch: &Batch,
        fields: &'f [Field],
        j: usize,
    ) -> Result<Column<'f>, Fault> {
        let damaged = || Fault::damaged("views without their texts");
        let (mut first, mut views) = (0usize, 0);
        for field in &fields[..j] {
            let texts = batch.variadic.get(views..views + field.views).ok_or_else(damaged)?;
            let texts = texts
                .iter()
                .try_fold(0usize, |sum, count| sum.checked_add(usize::try_from(*count).ok()?));
            first = first
                .checked_add(field.buffers)
                .and_then(|f| f.checked_add(texts?))
                .ok_or_else(damaged)?;
            views += field.views;
        }
        let field = &fields[j];
        let mut buffers = Vec::new();
        let texts = match field.content {
            Content::Views => *batch.variadic.get(views).ok_or_else(damaged)?,
            _ => 0,
        };
        let texts = usize::try_from(texts).map_err(|_| damaged())?;
        let count = field.buffers.saturating_add(texts);
        if count > batch.buffers.len() {
            return Err(damaged());
        }
        for index in 0..count {
            buffers.push(self.buffer(batch, first.saturating_add(index))?);
        }
        Ok(Column { content: &field.content, rows: batch.rows, buffers })
    }

    /// Reads the texts that codes stand for, or more of them.
    pub(super) fn dictionary(
        &mut self,
        message: &Message,
        fields: &[Field],
        dictionaries: &mut HashMap<i64, Vec<String>>,
    ) -> Result<(), Fault> {
        let table = message.table()?;
        let (id, is_more) = (table.long(0)?, table.byte(2)? != 0);
        let wanted = fields.iter().find_map(|field| match &field.content {
            Content::Dictionary { id: other, texts, .. } if *other == id => Some(texts),
            _ => None,
        });
        // One of a column that is not read.
        let Some(texts) = wanted else { return Ok(()) };
        let batch = table.table(1)?.ok_or_else(|| Fault::damaged("an empty dictionary"))?;
        let batch = Batch::of(batch, message.body)?;
        let column = self.column(&batch, std::slice::from_ref(&**texts), 0)?;
        let mut found = Vec::new();
        column.texts(&HashMap::new(), &mut |text| {
            found.push(text.to_string());
            self.budget.take(text.len() as u64 + TEXT)
        })?;
        let known = dictionaries.entry(id).or_default();
        if !is_more && !known.is_empty() {
            let what = "changes the categories of a column on the way";
            return Err(fault(what, "write it as a file, not as a stream"));
        }
        known.append(&mut found);
        Ok(())
    }
}

fn number_at(file: &mut (impl Read + Seek), at: u64) -> Result<u32, Fault> {
    let mut bytes = [0; 4];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}
