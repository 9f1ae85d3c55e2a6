//! XML read piece after piece, within bounds: no piece of it may be endless, nor its nesting.

use std::io::{BufReader, ErrorKind, Read};

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::error::Fault;
use super::limit::{BoundedRows, RowBegun, endless};

/// Real files have about six levels.
const DEEPEST: u32 = 64;

pub(super) struct Xml<R> {
    reader: Reader<BufReader<BoundedRows<R>>>,
    begun: RowBegun,
    buffer: Vec<u8>,
    depth: u32,
}

impl<R: Read> Xml<R> {
    pub(super) fn new(input: R) -> Self {
        let begun = RowBegun::default();
        let bounded = BoundedRows::new(input, begun.clone());
        let mut reader = Reader::from_reader(BufReader::with_capacity(1 << 16, bounded));
        // `<c/>` is `<c></c>`.
        reader.config_mut().expand_empty_elements = true;
        Xml { reader, begun, buffer: Vec::new(), depth: 0 }
    }

    /// The next piece; nothing at the end.
    pub(super) fn next(&mut self) -> Result<Option<Event<'_>>, Fault> {
        self.buffer.clear();
        self.begun.at(self.reader.buffer_position());
        let event = self.reader.read_event_into(&mut self.buffer).map_err(|error| match error {
            quick_xml::Error::Io(error) if error.kind() == ErrorKind::FileTooLarge => endless(None),
            error => Fault::damaged(error),
        })?;
        match event {
            Event::Start(_) if self.depth == DEEPEST => {
                return Err(Fault::damaged("too many elements within each other"));
            }
            Event::Start(_) => self.depth += 1,
            Event::End(_) => self.depth = self.depth.saturating_sub(1),
            Event::Eof if self.depth > 0 => {
                return Err(Fault::damaged("an element without an end"));
            }
            Event::Eof => return Ok(None),
            _ => {}
        }
        Ok(Some(event))
    }

    /// The text of what is inside an element that has begun, up to its end: that of its elements `t` and `v`, without
    /// the readings that East Asian texts have besides.
    pub(super) fn text(&mut self, element: &str, text: &mut String) -> Result<(), Fault> {
        let (mut is_text, mut is_reading) = (false, false);
        while let Some(event) = self.next()? {
            match event {
                Event::Start(start) => match start.local_name().as_ref() {
                    "t" | "v" => is_text = true,
                    "rPh" => is_reading = true,
                    _ => {}
                },
                Event::End(end) => match end.local_name().as_ref() {
                    "t" | "v" => is_text = false,
                    "rPh" => is_reading = false,
                    name if name == element => return Ok(()),
                    _ => {}
                },
                _ if !is_text || is_reading => {}
                Event::Text(piece) => text.push_str(&piece),
                Event::CData(piece) => text.push_str(&piece),
                Event::GeneralRef(name) => text.push(match &*name {
                    "amp" => '&',
                    "lt" => '<',
                    "gt" => '>',
                    "quot" => '"',
                    "apos" => '\'',
                    _ => {
                        let letter = name.resolve_char_ref().map_err(Fault::damaged)?;
                        letter.ok_or_else(|| Fault::damaged("an unknown entity"))?
                    }
                }),
                _ => {}
            }
        }
        Ok(())
    }
}

/// An attribute of an element, whatever its prefix.
pub(super) fn attribute(element: &BytesStart<'_>, name: &str) -> Result<Option<String>, Fault> {
    for attribute in element.attributes().with_checks(false) {
        let attribute = attribute.map_err(Fault::damaged)?;
        if attribute.key.local_name().as_ref() == name {
            let value =
                attribute.normalized_value(XmlVersion::default()).map_err(Fault::damaged)?;
            return Ok(Some(value.into_owned()));
        }
    }
    Ok(None)
}
