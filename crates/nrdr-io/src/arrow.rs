//! Arrow IPC and Feather: messages, each a head and a body with the columns of some rows. Written here, and not with the
//! crates of Arrow, as all that is needed is columns of numbers and of texts.

use std::collections::HashMap;
use std::io::{Read, Seek, SeekFrom};

use super::advice::{ReadOption, advice};
use super::arrow_schema::{Content, Field, fields_of};
use super::cells::Cells;
use super::columns::argument;
use super::columns::{Role, TextBuilder, complete, roles, text_of};
use super::error::{Fault, fault, quoted};
use super::flatbuffer;
use super::limit::{Budget, TEXT, memory, too_large, zeros};
use super::numbers::{Element, Kind};
use super::{ReadOptions, Table, numbers};

/// What stands before the messages of a file.
const MAGIC: &[u8; 8] = b"ARROW1\0\0";

/// Reads the columns of a file or a stream. The index that pandas adds is not a column of the table.
pub(super) fn read(
    file: impl Read + Seek,
    length: u64,
    options: &ReadOptions,
) -> Result<Table, Fault> {
    let (mut source, messages) = Source::open(file, length, options)?;
    let head = |message: &Message| message.kind == Message::SCHEMA;
    let Some(schema) = messages.iter().find(|message| head(message)) else {
        return Err(Fault::damaged("no schema"));
    };
    let fields = fields_of(schema.table()?)?;
    let mut batches = Vec::new();
    let mut dictionaries: HashMap<i64, Vec<String>> = HashMap::new();
    for message in &messages {
        match message.kind {
            Message::ROWS => batches.push(Batch::of(message.table()?, message.body)?),
            Message::DICTIONARY => source.dictionary(message, &fields, &mut dictionaries)?,
            _ => {}
        }
    }
    let rows = batches.iter().try_fold(0usize, |rows, batch| rows.checked_add(batch.rows));
    let rows = rows.ok_or_else(|| Fault::damaged("endless rows"))?;
    let all_names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
    let roles = roles(&all_names, options)?;
    let is_read = |(j, role): (usize, &Role)| {
        let is_index = fields[j].name.starts_with("__index_level_") && *role == Role::Data;
        (*role != Role::Skip && !is_index).then_some((j, *role))
    };
    let read: Vec<(usize, Role)> = roles.iter().enumerate().filter_map(is_read).collect();
    for &(j, _) in &read {
        if let Content::Other(what) = fields[j].content {
            let what = format!("column {} holds {what}", quoted(&fields[j].name));
            let way_out = advice("leave it out with ");
            let column = argument(&fields[j].name, j);
            return Err(fault(what, way_out.set(ReadOption::Drop, column)));
        }
    }
    let is_number =
        |&&(j, role): &&(usize, Role)| role != Role::Aside && !fields[j].content.is_text();
    let width = read.iter().filter(is_number).count();
    source.budget.array(rows.saturating_mul(read.len()), read.len())?;
    let mut table = Table { rows, values: zeros(rows * width)?, ..Table::default() };
    for &(j, role) in &read {
        let field = &fields[j];
        let place = is_number(&&(j, role)).then_some(table.names.len());
        let mut text = TextBuilder::new(&field.name, j, role, &Cells::default());
        let mut start = 0;
        for batch in &batches {
            let column = source.column(batch, &fields, j)?;
            match place {
                Some(place) => column.numbers(&mut |row, value| {
                    table.values[(start + row) * width + place] = value;
                })?,
                None => column
                    .texts(&dictionaries, &mut |found| source.budget.take(text.push(found)))?,
            }
            start += batch.rows;
        }
        if place.is_some() {
            table.names.push(field.name.clone());
            table.numbers.push(j + 1);
        } else {
            table.text.push(text.finish());
        }
    }
    complete(table, options)
}

/// The head of a message, and where its body lies.
struct Message {
    kind: u8,
    head: Vec<u8>,
    body: (u64, u64),
}

impl Message {
    const SCHEMA: u8 = 1;
    const DICTIONARY: u8 = 2;
    const ROWS: u8 = 3;

    /// What the message is about.
    fn table(&self) -> Result<flatbuffer::Table<'_>, Fault> {
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
struct Batch {
    rows: usize,
    body: (u64, u64),
    buffers: Vec<[i64; 2]>,
    packing: Packing,
    /// How many buffers there are for the texts of each column of views.
    variadic: Vec<i64>,
}

impl Batch {
    fn of(table: flatbuffer::Table<'_>, body: (u64, u64)) -> Result<Self, Fault> {
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
struct Source<F> {
    file: F,
    memory: u64,
    budget: Budget,
}

impl<F: Read + Seek> Source<F> {
    /// Opens a file, and finds its messages.
    fn open(
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
    fn column<'f>(
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
    fn dictionary(
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

/// A column of some rows.
struct Column<'f> {
    content: &'f Content,
    rows: usize,
    buffers: Vec<Vec<u8>>,
}

impl Column<'_> {
    fn part(&self, index: usize) -> &[u8] {
        self.buffers.get(index).map_or(&[], Vec::as_slice)
    }

    fn is_there(&self, row: usize) -> bool {
        // Where nothing is missing the buffer may be empty.
        self.part(0).get(row / 8).is_none_or(|byte| byte >> (row % 8) & 1 == 1)
    }

    /// The first bytes of a part, which must be as many as its rows need.
    fn rows_of(&self, index: usize, size: usize, rows: usize) -> Result<&[u8], Fault> {
        let length = rows.checked_mul(size);
        let bytes = length.and_then(|length| self.part(index).get(..length));
        bytes.ok_or_else(|| Fault::damaged("a column is shorter than its table"))
    }

    /// Gives out the number of each row, NaN where there is none.
    fn numbers(&self, put: &mut dyn FnMut(usize, f64)) -> Result<(), Fault> {
        let values = match self.content {
            Content::Number(element) => {
                let bytes = self.rows_of(1, element.size(), self.rows)?;
                numbers::read(&mut &*bytes, *element, self.rows)?
            }
            Content::Truth => {
                let bits = self.rows_of(1, 1, self.rows.div_ceil(8))?;
                (0..self.rows).map(|row| f64::from(bits[row / 8] >> (row % 8) & 1)).collect()
            }
            _ => vec![f64::NAN; self.rows],
        };
        for (row, value) in values.into_iter().enumerate() {
            put(row, if self.is_there(row) { value } else { f64::NAN });
        }
        Ok(())
    }

    /// Gives out the text of each row, empty where there is none.
    fn texts(
        &self,
        dictionaries: &HashMap<i64, Vec<String>>,
        put: &mut dyn FnMut(&str) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let text_at = self.text_at(dictionaries)?;
        for row in 0..self.rows {
            if self.is_there(row) { put(&text_at(row)?)? } else { put("")? }
        }
        Ok(())
    }

    fn text_at<'a>(
        &'a self,
        dictionaries: &'a HashMap<i64, Vec<String>>,
    ) -> Result<TextAt<'a>, Fault> {
        let damaged = || Fault::damaged("a text that is not there");
        let text = move |bytes: Option<&[u8]>| {
            Ok(String::from_utf8_lossy(bytes.ok_or_else(damaged)?).into_owned())
        };
        Ok(match self.content {
            Content::Text(kind) => {
                let element = Element { kind: *kind, big_endian: false };
                let bytes = self.rows_of(1, element.size(), self.rows.saturating_add(1))?;
                let ends = numbers::read(&mut &*bytes, element, self.rows + 1)?;
                Box::new(move |row| {
                    text(self.part(2).get(ends[row] as usize..ends[row + 1] as usize))
                })
            }
            Content::Views => {
                const VIEW: usize = 16;
                const LONGEST_INSIDE: usize = 12;
                let views = self.rows_of(1, VIEW, self.rows)?;
                Box::new(move |row| {
                    let view = &views[row * VIEW..][..VIEW];
                    let [length, _, part, offset]: [usize; 4] =
                        std::array::from_fn(|i| word(&view[4 * i..]) as usize);
                    if length <= LONGEST_INSIDE {
                        return text(view.get(4..4 + length));
                    }
                    let part = self.part(part.saturating_add(2));
                    text(part.get(offset..).and_then(|bytes| bytes.get(..length)))
                })
            }
            Content::Dictionary { id, codes, .. } => {
                let known = dictionaries.get(id).map_or(&[][..], Vec::as_slice);
                let bytes = self.rows_of(1, codes.size(), self.rows)?;
                let codes = numbers::read(&mut &*bytes, *codes, self.rows)?;
                Box::new(move |row| known.get(codes[row] as usize).cloned().ok_or_else(damaged))
            }
            // Identifiers may be longer than a number keeps.
            Content::Number(Element { kind: kind @ (Kind::I64 | Kind::U64), .. }) => {
                let longs = self.rows_of(1, 8, self.rows)?.as_chunks().0;
                let is_signed = *kind == Kind::I64;
                Box::new(move |row| {
                    let bytes: [u8; 8] = longs[row];
                    Ok(if is_signed {
                        i64::from_le_bytes(bytes).to_string()
                    } else {
                        u64::from_le_bytes(bytes).to_string()
                    })
                })
            }
            Content::Truth => {
                let bits = self.rows_of(1, 1, self.rows.div_ceil(8))?;
                Box::new(move |row| Ok((bits[row / 8] >> (row % 8) & 1 == 1).to_string()))
            }
            _ => {
                let mut values = vec![f64::NAN; 0];
                values.try_reserve(self.rows).map_err(|_| too_large())?;
                self.numbers(&mut |_, value| values.push(value))?;
                Box::new(move |row| Ok(text_of(values[row])))
            }
        })
    }
}

/// What tells the text of a row.
type TextAt<'a> = Box<dyn Fn(usize) -> Result<String, Fault> + 'a>;

fn word(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}
