//! What is said, so that no name of a file or a column can play with the terminal.
//!
//! All that goes to standard output and standard error passes through here: control characters other than line breaks
//! never come out, whatever was forgotten. Texts from outside are made one line before that, by `printable`.

use std::io::{self, Write, stderr, stdout};

use clap::error::{ContextKind, ContextValue};
use nrdr_write::printable;

/// Standard output or standard error, with control characters written as escapes. Text comes line by line.
pub struct Terminal<W: Write> {
    to: W,
    /// The beginning of a line whose end has not come yet.
    line: Vec<u8>,
}

impl<W: Write> Terminal<W> {
    /// All that is written comes out there.
    pub fn new(to: W) -> Self {
        Terminal { to, line: Vec::new() }
    }
}

impl<W: Write> Write for Terminal<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if self.line.ends_with(b"\n") {
                self.flush()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = String::from_utf8_lossy(&self.line);
        let shown: Vec<String> = text.split('\n').map(printable).collect();
        let shown = shown.join("\n");
        self.line.clear();
        self.to.write_all(shown.as_bytes())?;
        self.to.flush()
    }
}

impl<W: Write> Drop for Terminal<W> {
    fn drop(&mut self) {
        // Who needs to know whether it worked flushes.
        let _ = self.flush();
    }
}

/// Says it on standard error, and ends the line.
pub fn tell(text: &str) {
    // There is nowhere else to tell that nobody listens.
    let _ = writeln!(Terminal::new(stderr().lock()), "{text}");
}

/// Warns on standard error.
pub fn warn(text: &str) {
    tell(&format!("warning: {}", printable(text)));
}

/// Where messages go: to standard error if standard output takes results.
pub fn messages(beside_results: bool) -> Terminal<Box<dyn Write>> {
    // Progress is told on standard error meanwhile, from other threads: it is not locked.
    let to: Box<dyn Write> = if beside_results { Box::new(stderr()) } else { Box::new(stdout()) };
    Terminal::new(to)
}

/// Ends the program with what the parser of the command line has to say.
pub fn exit(mut error: clap::Error) -> ! {
    if !error.use_stderr() {
        // Help, in colours, with nothing from outside.
        error.exit();
    }
    let typed: Vec<(ContextKind, ContextValue)> =
        error.context().map(|(kind, value)| (kind, value.clone())).collect();
    for (kind, value) in typed {
        let shown = match value {
            ContextValue::String(text) => ContextValue::String(printable(&text)),
            ContextValue::Strings(texts) => {
                ContextValue::Strings(texts.iter().map(|text| printable(text)).collect())
            }
            ContextValue::StyledStrs(tips) => {
                let plain = tips.iter().map(|tip| printable(&tip.to_string()).into());
                ContextValue::StyledStrs(plain.collect())
            }
            other => other,
        };
        error.insert(kind, shown);
    }
    tell(error.render().to_string().trim_end());
    std::process::exit(error.exit_code())
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;
    use clap_complete::{Shell, generate};

    use super::*;

    fn shown(pieces: &[&str]) -> String {
        let mut bytes = Vec::new();
        let mut terminal = Terminal::new(&mut bytes);
        pieces.iter().for_each(|piece| terminal.write_all(piece.as_bytes()).unwrap());
        drop(terminal);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn control_characters_never_come_out() {
        assert_eq!(shown(&["a\u{1b}[2", "Jb\n", "\nü\rc"]), "a\\u{1b}[2Jb\n\nü\\rc");
        // A character that comes in two pieces.
        let mut bytes = Vec::new();
        let mut terminal = Terminal::new(&mut bytes);
        terminal.write_all(b"\xc2").unwrap();
        terminal.write_all(b"\x9b31m\n").unwrap();
        drop(terminal);
        assert_eq!(bytes, b"\\u{9b}31m\n");
    }

    #[test]
    fn the_programs_own_texts_come_out_as_they_are() {
        for shell in Shell::value_variants() {
            let mut script = Vec::new();
            generate(*shell, &mut crate::program(), "nrdr", &mut script);
            let script = String::from_utf8(script).unwrap();
            assert_eq!(shown(&[&script]), script, "{shell}");
        }
    }
}
