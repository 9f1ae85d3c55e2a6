//! Text in UTF-8, whatever it was written in.
//!
//! A byte order mark tells; without one, text that is nearly all ASCII in two bytes a letter is UTF-16. All else is UTF-8 up to
//! its first letter beyond ASCII: if the bytes of that one are not UTF-8, it is Windows-1252, which is Latin-1 and more. So a text of
//! any length is read once.

use std::error::Error;
use std::fmt;
use std::io::{self, Read};
use std::str::Utf8Error;
use std::sync::{Arc, OnceLock};

use encoding_rs::{DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::advice::{Advice, ReadOption, advice};
use super::error::{Fault, fault, quoted};

/// So much of a text is looked at for zeros between the letters.
const LOOKED_AT: u64 = 1 << 12;
/// Bytes that are decoded at a time, and what becomes of them.
const BLOCK: usize = 1 << 14;

/// The encoding that was not certain, once it is known.
#[derive(Clone, Default)]
pub(super) struct Guessed(Arc<OnceLock<&'static str>>);

impl Guessed {
    /// What should be told of it.
    pub(super) fn note(&self) -> Option<Advice> {
        let note = format!("read as {}, as its bytes tell (", title(self.0.get()?));
        Some(advice(&note).option(ReadOption::Encoding).text(" says otherwise)"))
    }
}

/// A reader that gives out UTF-8. What follows a first letter of UTF-8 is not checked here: whoever takes the rows apart does.
pub(super) struct Decoded<R> {
    inner: R,
    state: State,
    /// What was read and not given out yet, from a place on.
    held: Vec<u8>,
    at: usize,
    guessed: Guessed,
}

enum State {
    /// Nothing is read yet; perhaps the encoding is given.
    Begin(Option<&'static Encoding>),
    /// All letters were ASCII.
    Ascii,
    /// What is held begins with the first letter that is not.
    Doubt,
    Utf8,
    Coded(Box<Coded>),
}

/// What is held is decoded before it is given out.
struct Coded {
    decoder: encoding_rs::Decoder,
    is_guess: bool,
    ended: bool,
    broken: bool,
    /// What is decoded and not given out yet, from a place on.
    text: Vec<u8>,
    at: usize,
}

impl<R: Read> Decoded<R> {
    /// Finds out the encoding, or takes the one of a name.
    pub(super) fn new(inner: R, name: Option<&str>, guessed: Guessed) -> Result<Self, Fault> {
        let named = |name: &str| {
            Encoding::for_label_no_replacement(name.as_bytes()).ok_or_else(|| {
                let what = format!("is in {}, which is no known encoding", quoted(name));
                let way_out = advice("choose ").option(ReadOption::Encoding);
                fault(what, way_out.text(" from utf-8, utf-16le, latin1, windows-1251, .."))
            })
        };
        let state = State::Begin(name.map(named).transpose()?);
        Ok(Decoded { inner, state, held: Vec::new(), at: 0, guessed })
    }

    /// Reads more until so many bytes are held, if there are so many.
    fn hold(&mut self, count: u64) -> io::Result<()> {
        let there = (self.held.len() - self.at) as u64;
        let mut more = (&mut self.inner).take(count.saturating_sub(there));
        more.read_to_end(&mut self.held).map(|_| ())
    }

    /// What comes next, as it is.
    fn next(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.held.len() {
            return self.inner.read(buffer);
        }
        let count = (&self.held[self.at..]).read(buffer)?;
        self.at += count;
        Ok(count)
    }

    fn begin(&mut self, given: Option<&'static Encoding>) -> io::Result<()> {
        self.hold(LOOKED_AT)?;
        let is_wide = |mark: &[u8]| self.held.starts_with(mark);
        if is_wide(b"\xff\xfe\0\0") || is_wide(b"\0\0\xfe\xff") {
            return Err(not_text("is in UTF-32", "save the file in UTF-8".into()));
        }
        self.state = match (Encoding::for_bom(&self.held), given, wide(&self.held)) {
            (Some((encoding, mark)), ..) => {
                self.at = mark;
                of(encoding, false)
            }
            (None, Some(encoding), _) => of(encoding, false),
            (None, None, Some(encoding)) => {
                let _ = self.guessed.0.set(encoding.name());
                of(encoding, true)
            }
            (None, None, None) => State::Ascii,
        };
        Ok(())
    }

    /// Decides by the first letter that is not ASCII.
    fn decide(&mut self) -> io::Result<()> {
        const LONGEST: u64 = 4;
        self.hold(LONGEST)?;
        let is_letter = |error: Utf8Error| error.valid_up_to() > 0;
        if str::from_utf8(&self.held[self.at..]).map_or_else(is_letter, |_| true) {
            self.state = State::Utf8;
        } else {
            let _ = self.guessed.0.set(WINDOWS_1252.name());
            self.state = of(WINDOWS_1252, true);
        }
        Ok(())
    }

    /// Decodes some more of what is held.
    fn decode(&mut self) -> io::Result<()> {
        if self.at == self.held.len() {
            self.held.resize(BLOCK, 0);
            let count = self.inner.read(&mut self.held);
            self.held.truncate(*count.as_ref().unwrap_or(&0));
            self.at = 0;
            if count? == 0 {
                return self.end();
            }
        }
        let State::Coded(coded) = &mut self.state else { return Ok(()) };
        let source = &self.held[self.at..];
        let of_no_text = |byte: &u8| coded.decoder.encoding() == WINDOWS_1252 && is_no_text(*byte);
        let bad = coded.is_guess.then(|| source.iter().position(of_no_text)).flatten();
        if bad == Some(0) {
            coded.broken = true;
            return Ok(());
        }
        self.at += coded.decode(&source[..bad.unwrap_or(source.len())], false);
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        if let State::Coded(coded) = &mut self.state {
            coded.decode(&[], true);
        }
        Ok(())
    }
}

impl Coded {
    /// Decodes bytes, and tells how many it took.
    fn decode(&mut self, source: &[u8], is_last: bool) -> usize {
        // A letter of the source becomes three bytes at most, and some bytes may be left from before.
        self.text.resize(3 * BLOCK + 16, 0);
        self.at = 0;
        let (result, read, written) =
            self.decoder.decode_to_utf8_without_replacement(source, &mut self.text, is_last);
        self.text.truncate(written);
        self.broken = matches!(result, DecoderResult::Malformed(..));
        self.ended = is_last && result == DecoderResult::InputEmpty;
        read
    }

    /// The error of bytes that are no text.
    fn fault(&self) -> io::Error {
        let name = title(self.decoder.encoding().name());
        let what = if self.is_guess && self.decoder.encoding() == WINDOWS_1252 {
            format!("is neither UTF-8 nor {name}")
        } else {
            format!("is not {name}")
        };
        not_text(what, save_or_say())
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match &mut self.state {
                State::Begin(given) => {
                    let given = *given;
                    self.begin(given)?;
                }
                State::Ascii => {
                    let count = self.next(buffer)?;
                    let plain = Encoding::ascii_valid_up_to(&buffer[..count]);
                    if plain == count {
                        return Ok(count);
                    }
                    self.held = [&buffer[plain..count], &self.held[self.at..]].concat();
                    self.at = 0;
                    self.state = State::Doubt;
                    if plain > 0 {
                        return Ok(plain);
                    }
                }
                State::Doubt => self.decide()?,
                State::Utf8 => return self.next(buffer),
                State::Coded(coded) => {
                    if coded.at < coded.text.len() {
                        let count = (&coded.text[coded.at..]).read(buffer)?;
                        coded.at += count;
                        return Ok(count);
                    }
                    if coded.broken {
                        return Err(coded.fault());
                    }
                    if coded.ended {
                        return Ok(0);
                    }
                    self.decode()?;
                }
            }
        }
    }
}

fn of(encoding: &'static Encoding, is_guess: bool) -> State {
    if encoding == UTF_8 {
        return State::Utf8;
    }
    let decoder = encoding.new_decoder_without_bom_handling();
    let (ended, broken, text) = (false, false, Vec::new());
    State::Coded(Box::new(Coded { decoder, is_guess, ended, broken, text, at: 0 }))
}

/// UTF-16 without a mark: one byte of two is zero in most letters, and always the same one.
fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    let pairs = bytes.as_chunks::<2>().0;
    let zeros = |at: usize| pairs.iter().filter(|pair| pair[at] == 0).count();
    let (first, second) = (zeros(0), zeros(1));
    let is_wide = |zeros: usize, others: usize| 2 * zeros > pairs.len() && 10 * others < zeros;
    if is_wide(second, first) {
        Some(UTF_16LE)
    } else if is_wide(first, second) {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Bytes that no table in Windows-1252 has: control characters, and those without a meaning.
fn is_no_text(byte: u8) -> bool {
    matches!(byte, 0..=8 | 14..=31 | 0x7f | 0x81 | 0x8d | 0x8f | 0x90 | 0x9d)
}

/// A name as people write it.
fn title(name: &str) -> String {
    name.replacen("windows", "Windows", 1)
}

/// The way out of bytes that are not what they seem.
pub(super) fn save_or_say() -> Advice {
    let way_out = advice("save the file in UTF-8 (Unicode), or say what it is in with ");
    way_out.option(ReadOption::Encoding)
}

/// A line that is no text; its number is known to whoever reads the lines.
#[derive(Debug)]
struct NotText(Fault);

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it {}", self.0)
    }
}

impl Error for NotText {}

fn not_text(what: impl Into<String>, way_out: Advice) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, NotText(fault(what, way_out)))
}

/// The fault of an error at a line.
pub(super) fn fault_at(error: io::Error, line: u64) -> Fault {
    match error.downcast::<NotText>() {
        Ok(NotText(fault)) => fault.of(&format!("line {line}")),
        Err(error) => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that gives a few bytes at a time.
    struct Few<'b>(&'b [u8], usize);

    impl Read for Few<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = buffer.len().min(self.1);
            self.0.read(&mut buffer[..count])
        }
    }

    fn decoded(bytes: &[u8], name: Option<&str>) -> Result<(String, Option<String>), String> {
        let all = |few: usize| {
            let guessed = Guessed::default();
            let reader = Decoded::new(Few(bytes, few), name, guessed.clone());
            let mut reader = reader.map_err(|fault| fault.to_string())?;
            let mut text = Vec::new();
            let read = reader.read_to_end(&mut text);
            read.map_err(|error| fault_at(error, 1).to_string())?;
            Ok((String::from_utf8(text).unwrap(), guessed.0.get().map(|name| title(name))))
        };
        let whole = all(usize::MAX);
        for few in [1, 2, 3, 7] {
            assert_eq!(all(few), whole, "{few} bytes at a time");
        }
        whole
    }

    fn utf_16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn what_text_is_in_is_found() {
        let text = "größe;µ\r\n1,5;\u{1f600}\n";
        let long = format!("{}{text}", "a;b\n".repeat(50_000));
        let plain = |text: &str| Ok((text.to_string(), None));
        for text in [text, &long, "", "a", "é", "1\n"] {
            assert_eq!(decoded(text.as_bytes(), None), plain(text));
            let marked = format!("\u{feff}{text}");
            assert_eq!(decoded(marked.as_bytes(), None), plain(text));
            assert_eq!(decoded(&utf_16(&marked, u16::to_le_bytes), None), plain(text));
            assert_eq!(decoded(&utf_16(&marked, u16::to_be_bytes), None), plain(text));
        }
        let guessed = |text: &str, name: &str| Ok((text.to_string(), Some(name.to_string())));
        assert_eq!(decoded(&utf_16(text, u16::to_le_bytes), None), guessed(text, "UTF-16LE"));
        assert_eq!(decoded(&utf_16(text, u16::to_be_bytes), None), guessed(text, "UTF-16BE"));
        let latin = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
        for text in ["größe;µ\n1;2\n", "é", &format!("{}é", "1\n".repeat(70_000))] {
            assert_eq!(decoded(&latin(text), None), guessed(text, "Windows-1252"));
            assert_eq!(decoded(&latin(text), Some("latin1")), plain(text));
        }
        assert_eq!(decoded(b"5 \x80\n", None), guessed("5 €\n", "Windows-1252"));
    }

    #[test]
    fn what_is_given_counts_unless_a_mark_tells() {
        let cyrillic = b"\xf0\xe0\xe7";
        assert_eq!(decoded(cyrillic, Some("windows-1251")), Ok(("раз".into(), None)));
        assert_eq!(decoded(b"\xff\xfea\0", Some("latin1")), Ok(("a".into(), None)));
        let wrong = decoded(b"a", Some("latin-99")).unwrap_err();
        assert!(wrong.contains("\"latin-99\", which is no known encoding"), "{wrong}");
    }

    #[test]
    fn what_is_no_text_is_refused() {
        for (bytes, told) in [
            (&b"\xff\xfea\0b"[..], "line 1 is not UTF-16LE: save the file in UTF-8"),
            (b"\xff\xfea\0\x00\xd8a\0", "line 1 is not UTF-16LE: "),
            (b"\xfe\xff\0a\xdc\0", "line 1 is not UTF-16BE: "),
            (b"\xff\xfe\0\0a\0\0\0", "line 1 is in UTF-32: "),
            (b"\xff\x01", "line 1 is neither UTF-8 nor Windows-1252: "),
            (b"1,\xfc\n\x81", "line 1 is neither UTF-8 nor Windows-1252: "),
        ] {
            let refused = decoded(bytes, None).unwrap_err();
            assert!(refused.starts_with(told), "{refused}");
        }
        let refused = decoded(b"\xffa", Some("shift_jis")).unwrap_err();
        assert!(refused.contains("is not Shift_JIS"), "{refused}");
    }
}
