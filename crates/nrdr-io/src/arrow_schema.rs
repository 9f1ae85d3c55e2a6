//! The columns of an Arrow file: what each holds, and how many buffers it takes.

use super::error::Fault;
use super::flatbuffer::Table;
use super::numbers::{Element, Kind};

/// What a column holds.
pub(super) enum Content {
    Number(Element),
    Truth,
    /// Nothing in any row.
    Nothing,
    /// Texts behind one another; their ends are numbers of this kind.
    Text(Kind),
    /// Texts that are found one by one.
    Views,
    /// Codes of texts.
    Dictionary {
        id: i64,
        codes: Element,
        texts: Box<Field>,
    },
    /// Something that is not read, in words.
    Other(&'static str),
}

impl Content {
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Content::Text(_) | Content::Views | Content::Dictionary { .. })
    }
}

/// A column.
pub(super) struct Field {
    pub(super) name: String,
    pub(super) content: Content,
    /// How many buffers it takes, besides those of its views.
    pub(super) buffers: usize,
    /// How many columns of views are in it.
    pub(super) views: usize,
}

/// The columns that the schema tells of.
pub(super) fn fields_of(schema: Table<'_>) -> Result<Vec<Field>, Fault> {
    // Tables of a hostile head may be part of several others.
    const MOST_FIELDS: usize = 1 << 20;
    if schema.short(0)? != 0 {
        return Err(Fault::damaged("numbers with the high byte first"));
    }
    let mut left = MOST_FIELDS;
    schema.tables(1)?.into_iter().map(|field| field_of(field, 0, &mut left)).collect()
}

fn field_of(table: Table<'_>, depth: usize, left: &mut usize) -> Result<Field, Fault> {
    const DEEPEST: usize = 32;
    if depth > DEEPEST || *left == 0 {
        return Err(Fault::damaged("too many columns within each other"));
    }
    *left -= 1;
    let name = table.text(0)?;
    let kind = table.byte(2)?;
    let of = table.table(3)?;
    if let Some(dictionary) = table.table(4)? {
        let codes = dictionary.table(1)?.map_or(Ok(Some(Kind::I32)), |codes| integer(codes))?;
        let codes = codes.ok_or_else(|| Fault::damaged("codes of an unknown kind"))?;
        let (content, buffers, views) = plain(kind, of)?;
        let codes = Element { kind: codes, big_endian: false };
        let texts = Field { name: String::new(), content, buffers, views };
        let content = if texts.content.is_text() {
            Content::Dictionary { id: dictionary.long(0)?, codes, texts: Box::new(texts) }
        } else {
            Content::Other("categories that are not texts")
        };
        return Ok(Field { name, content, buffers: 2, views: 0 });
    }
    let (content, mut buffers, mut views) = plain(kind, of)?;
    for child in table.tables(5)? {
        let child = field_of(child, depth + 1, left)?;
        buffers = buffers.saturating_add(child.buffers);
        views += child.views;
    }
    Ok(Field { name, content, buffers, views })
}

/// What a type holds, without those within it, and how many buffers it takes.
fn plain(kind: u8, of: Option<Table<'_>>) -> Result<(Content, usize, usize), Fault> {
    let missing = || Fault::damaged("a column without a type");
    let dates = Content::Other("dates, times or decimals");
    let lists = Content::Other("lists or records, not single values");
    let others = Content::Other("neither numbers nor text");
    let number = |kind: Option<Kind>| {
        kind.map_or(Content::Other("numbers of an unknown kind"), |kind| {
            Content::Number(Element { kind, big_endian: false })
        })
    };
    Ok(match kind {
        1 => (Content::Nothing, 0, 0),
        2 => (number(integer(of.ok_or_else(missing)?)?), 2, 0),
        3 => {
            let precision = of.ok_or_else(missing)?.short(0)?;
            let kinds = [Kind::F16, Kind::F32, Kind::F64];
            let kind = usize::try_from(precision).ok().and_then(|at| kinds.get(at)).copied();
            (number(kind), 2, 0)
        }
        5 => (Content::Text(Kind::I32), 3, 0),
        20 => (Content::Text(Kind::I64), 3, 0),
        24 => (Content::Views, 2, 1),
        6 => (Content::Truth, 2, 0),
        7..=11 | 18 => (dates, 2, 0),
        // Bytes, of any length and of one.
        4 | 19 => (others, 3, 0),
        15 => (others, 2, 0),
        23 => (others, 2, 1),
        12 | 17 | 21 => (lists, 2, 0),
        25 | 26 => (lists, 3, 0),
        13 | 16 => (lists, 1, 0),
        14 => {
            let is_dense = of.ok_or_else(missing)?.short(0)? == 1;
            (lists, if is_dense { 2 } else { 1 }, 0)
        }
        22 => (others, 0, 0),
        _ => return Err(Fault::damaged(format!("the type {kind}"))),
    })
}

fn integer(of: Table<'_>) -> Result<Option<Kind>, Fault> {
    Ok(match (of.int(0)?, of.byte(1)? != 0) {
        (8, true) => Some(Kind::I8),
        (8, false) => Some(Kind::U8),
        (16, true) => Some(Kind::I16),
        (16, false) => Some(Kind::U16),
        (32, true) => Some(Kind::I32),
        (32, false) => Some(Kind::U32),
        (64, true) => Some(Kind::I64),
        (64, false) => Some(Kind::U64),
        _ => None,
    })
}
