//! Texts from outside, such as names of files and columns, as they may be shown.

/// A text in one line that a terminal, an XML file or a log shows as it is: control characters, line breaks, what turns
/// the direction of writing and what cannot be seen come as escapes, such as `\u{1b}` or `\n`.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if misleads(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Whether a character acts on the text around it, or is none.
fn misleads(c: char) -> bool {
    let code = u32::from(c);
    c.is_control()
        || matches!(c,
            // Marks, embeddings, overrides and isolates of the direction of writing (Unicode Annex 9).
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            // Line and paragraph separators.
            | '\u{2028}' | '\u{2029}'
            // Nothing to be seen: soft hyphen, zero width space, invisible operators, byte order mark, old marks.
            | '\u{ad}' | '\u{200b}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            // Tags.
            | '\u{e0000}'..='\u{e007f}')
        // What Unicode promises never to be a character; XML refuses the first two.
        || code & 0xfffe == 0xfffe
        || (0xfdd0..=0xfdef).contains(&code)
}
