//! Fields between blanks: runs of them become one tab each, and those around a line nothing, so that lines read as those
//! between tabs do. Lines stay lines, and quotes keep what is in them.

use std::io::{self, Read};

/// A reader of text, without runs of blanks if fields stand between them.
pub(super) struct Blanks<R> {
    inner: R,
    runs: Option<Runs>,
    text: Vec<u8>,
    at: usize,
}

impl<R: Read> Blanks<R> {
    pub(super) fn new(inner: R, are_separators: bool) -> Self {
        let runs = are_separators.then(Runs::default);
        Blanks { inner, runs, text: Vec::new(), at: 0 }
    }
}

impl<R: Read> Read for Blanks<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(runs) = &mut self.runs else { return self.inner.read(buffer) };
        while self.at == self.text.len() {
            let mut block = [0; 1 << 13];
            let count = self.inner.read(&mut block)?;
            if count == 0 {
                return Ok(0);
            }
            self.text.clear();
            self.at = 0;
            block[..count].iter().for_each(|&byte| runs.push(byte, &mut self.text));
        }
        let count = (&self.text[self.at..]).read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

/// A text without runs of blanks.
pub(super) fn without_runs(text: &[u8]) -> Vec<u8> {
    let (mut runs, mut plain) = (Runs::default(), Vec::with_capacity(text.len()));
    text.iter().for_each(|&byte| runs.push(byte, &mut plain));
    plain
}

/// Where the last byte was.
#[derive(Default)]
enum Runs {
    /// Before the first field of a line,
    #[default]
    Start,
    /// in one without quotes, or behind the quotes of one,
    Field { was_quote: bool },
    /// between quotes,
    Quotes,
    /// or between fields.
    Gap,
}

impl Runs {
    fn push(&mut self, byte: u8, out: &mut Vec<u8>) {
        *self = match (&*self, byte) {
            (Runs::Quotes, b'"') => Runs::Field { was_quote: true },
            (Runs::Quotes, _) => Runs::Quotes,
            (_, b'\n') => Runs::Start,
            (Runs::Start, b' ' | b'\t' | b'\r') => return,
            (_, b' ' | b'\t' | b'\r') => {
                *self = Runs::Gap;
                return;
            }
            (Runs::Gap, _) => {
                out.push(b'\t');
                if byte == b'"' { Runs::Quotes } else { Runs::Field { was_quote: false } }
            }
            // Two quotes within quotes are one of the text.
            (Runs::Start | Runs::Field { was_quote: true }, b'"') => Runs::Quotes,
            _ => Runs::Field { was_quote: false },
        };
        out.push(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_become_one_tab() {
        for (text, expected) in [
            ("1 2\n3  4\n", "1\t2\n3\t4\n"),
            ("  1 \t 2  \r\n\n   \n 3", "1\t2\n\n\n3"),
            ("\"a  b\"  \"c \"\" d\" e\n", "\"a  b\"\t\"c \"\" d\"\te\n"),
            ("5\" 6\" \"7\n 8\"", "5\"\t6\"\t\"7\n 8\""),
        ] {
            assert_eq!(without_runs(text.as_bytes()), expected.as_bytes(), "{text:?}");
            let mut read = String::new();
            let halves = text.as_bytes().split_at(text.len() / 2);
            Blanks::new(halves.0.chain(halves.1), true).read_to_string(&mut read).unwrap();
            assert_eq!(read, expected);
        }
    }
}
