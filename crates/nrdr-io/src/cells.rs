//! What a cell of a text table holds: a number, nothing, text, or a number written in a way that could be misread.

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell {
    /// A number, which may be infinite where the text says so.
    Number(f64),
    /// Nothing, or a mark that says so.
    Missing,
    /// Meant as a number, but in a way that is not read, and what it is.
    Doubtful(&'static str),
    /// Anything else.
    Text,
}

/// Texts that say that a value is missing, in small letters.
const MARKS: [&str; 20] = [
    "", "?", "-", "--", "\u{2013}", "\u{2014}", ".", "na", "n/a", "n.a.", "#n/a", "#na", "<na>",
    "#n/a n/a", "null", "none", "n.d.", "nd", "1.#ind", "-1.#ind",
];

fn is_mark(text: &str) -> bool {
    const LONGEST: usize = 8;
    text.len() <= LONGEST && MARKS.contains(&text.to_lowercase().as_str())
}

/// How the cells of a table are read.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    /// Whether decimals stand behind a comma.
    pub(super) decimal_comma: bool,
    /// Further marks of missing values, in small letters, and the numbers among them.
    marks: Vec<String>,
    numbers: Vec<f64>,
}

impl Cells {
    /// Cells with decimal points, where these texts are missing values as well.
    pub(super) fn new(marks: &[String]) -> Self {
        let marks: Vec<String> = marks.iter().map(|mark| mark.trim().to_lowercase()).collect();
        let numbers = marks.iter().filter_map(|mark| mark.parse().ok()).collect();
        Cells { decimal_comma: false, marks, numbers }
    }

    /// What a cell holds; blanks around it do not count.
    pub(super) fn read(&self, text: &str) -> Cell {
        let text = text.trim();
        if !self.marks.is_empty() && self.marks.contains(&text.to_lowercase()) {
            return Cell::Missing;
        }
        match self.number(text) {
            Some(number) if number.is_nan() || self.numbers.contains(&number) => Cell::Missing,
            Some(number) if number.is_infinite() && has_digit(text) => {
                Cell::Doubtful("too large for a number")
            }
            Some(_) if self.decimal_comma && text.contains('.') => {
                Cell::Doubtful("a number with a point where others have decimal commas")
            }
            Some(number) => Cell::Number(number),
            None if is_mark(text) => Cell::Missing,
            None => doubt(text).map_or(Cell::Text, Cell::Doubtful),
        }
    }

    fn number(&self, text: &str) -> Option<f64> {
        if let Ok(number) = text.parse() {
            return Some(number);
        }
        let comma = self.decimal_comma && text.matches(',').count() == 1 && !text.contains('.');
        if !comma && !text.contains(MINUS) {
            return None;
        }
        let text = text.replace(MINUS, "-");
        if comma { text.replace(',', ".").parse().ok() } else { text.parse().ok() }
    }
}

/// The minus sign of typographers.
const MINUS: char = '\u{2212}';

/// Whether a text is a number with one comma in it, and whether that comma can stand before decimals only.
pub(super) fn comma_number(text: &str) -> Option<bool> {
    let text = text.trim();
    let with_comma = Cells { decimal_comma: true, ..Cells::default() };
    let is_number = text.contains(',') && matches!(with_comma.read(text), Cell::Number(_));
    // No thousands begin with a zero.
    let zero = text.trim_start_matches(['-', '+', MINUS]).starts_with('0');
    is_number.then(|| zero || !is_grouped(text))
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Why a text that is no number is likely to mean one.
fn doubt(text: &str) -> Option<&'static str> {
    if !has_digit(text) {
        return None;
    }
    let means_number = |text: &str| {
        let text = text.trim().replace(MINUS, "-");
        has_digit(&text)
            && (text.parse::<f64>().is_ok() || digits_between(&text, |c| ",. '_".contains(c)))
    };
    if let Some(rest) = text.strip_prefix(['\'', '`', '\u{2019}']) {
        return means_number(rest).then_some("a number behind an apostrophe");
    }
    if let Some(rest) = text.strip_suffix(['%', '\u{2030}']) {
        return means_number(rest).then_some("a percentage");
    }
    if let Some(rest) = text.strip_prefix(['<', '>', '\u{2264}', '\u{2265}', '~']) {
        return means_number(rest.trim_start_matches('=')).then_some("a bound, not a number");
    }
    let unsigned = text.strip_prefix(['-', '+', MINUS]).unwrap_or(text);
    if let Some(digits) = unsigned.strip_prefix("0x").or(unsigned.strip_prefix("0X")) {
        let all = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        return all.then_some("a hexadecimal number");
    }
    if unsigned.contains(['d', 'D']) && unsigned.replacen(['d', 'D'], "e", 1).parse::<f64>().is_ok()
    {
        return Some("a number with an exponent of Fortran");
    }
    if digits_between(unsigned, |c| c == ',') {
        return Some("a number with a comma, before decimals or before thousands");
    }
    is_grouped(unsigned).then_some("a number with its thousands set apart")
}

/// Whether a text is digits with one of these characters somewhere between them.
fn digits_between(text: &str, between: impl Fn(char) -> bool) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let ends = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    ends(text.chars().next())
        && ends(text.chars().next_back())
        && text.chars().filter(|c| between(*c)).count() == 1
        && text.chars().all(|c| c.is_ascii_digit() || between(c))
}

/// Whether a text is digits in groups of three, with decimals or without.
pub(super) fn is_grouped(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+', MINUS]).unwrap_or(text);
    let apart = |c: char| c.is_whitespace() || ",._'\u{2019}".contains(c);
    let groups: Vec<&str> = text.split(apart).collect();
    let [first, middle @ .., last] = groups.as_slice() else { return false };
    let digits = |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
    // Decimals stand behind another sign than the one between the groups.
    let mut signs = text.chars().filter(|c| apart(*c));
    let (one, end) = (signs.next(), signs.next_back());
    let decimals = end.is_some() && end != one && matches!(end, Some('.' | ','));
    groups.iter().all(|group| digits(group))
        && first.len() <= 3
        && middle.iter().all(|group| group.len() == 3)
        && (last.len() == 3 || decimals)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Cell {
        Cells::new(&[]).read(text)
    }

    #[test]
    fn numbers_in_every_spelling() {
        for (text, number) in [
            ("1", 1.0),
            ("+3", 3.0),
            (".5", 0.5),
            ("5.", 5.0),
            (" -1e5 ", -1e5),
            ("1E-3", 1e-3),
            ("\u{2212}2.5", -2.5),
            ("1e\u{2212}5", 1e-5),
            ("\u{a0}7\u{a0}", 7.0),
            ("007", 7.0),
            ("-inf", f64::NEG_INFINITY),
            ("Infinity", f64::INFINITY),
        ] {
            assert_eq!(read(text), Cell::Number(number), "{text:?}");
        }
    }

    #[test]
    fn marks_of_missing_values() {
        for text in [
            "", " ", "NA", "n/a", "#N/A", "n.d.", "N.D.", "-", ".", "?", "NULL", "NaN", "-nan",
            "None",
        ] {
            assert_eq!(read(text), Cell::Missing, "{text:?}");
        }
        let cells = Cells::new(&["Missing".to_string(), "-999".to_string()]);
        for text in ["missing", "MISSING ", "-999", "-999.0", "-9.99e2", "NA"] {
            assert_eq!(cells.read(text), Cell::Missing, "{text:?}");
        }
        assert_eq!(cells.read("999"), Cell::Number(999.0));
    }

    #[test]
    fn what_means_a_number_is_neither_text_nor_read_wrong() {
        for text in [
            "0x10",
            "-0xFF",
            "1_000",
            "1,000",
            "1,5",
            "1 000",
            "1\u{a0}000",
            "1\u{202f}000.5",
            "1'000",
            "5.1%",
            "5,1 %",
            "<0.01",
            "> 5",
            "<=3",
            "'12",
            "1d5",
            "1.5D+03",
            "1.000.000",
            "1.000,5",
            "1,000.50",
            "1e400",
            "-1e999",
            "\u{2212}1,000",
            "~5",
        ] {
            assert!(matches!(read(text), Cell::Doubtful(_)), "{text:?} {:?}", read(text));
        }
        for text in [
            "a",
            "A7",
            "2024-01-01",
            "12:30",
            "1/2",
            "TRUE",
            "5 kg",
            "1.2.3.4",
            "x,y",
            "#1",
            "%",
            "0x",
            "12-13",
            "1,2,3",
            "v1.000",
        ] {
            assert_eq!(read(text), Cell::Text, "{text:?}");
        }
    }

    #[test]
    fn decimal_commas_leave_no_room_for_points() {
        let cells = Cells { decimal_comma: true, ..Cells::default() };
        assert_eq!(cells.read("1,5"), Cell::Number(1.5));
        assert_eq!(cells.read("\u{2212}1,5e-3"), Cell::Number(-1.5e-3));
        assert_eq!(cells.read("12"), Cell::Number(12.0));
        for text in ["1.5", "1.000", "1.000,5", "1,000,000"] {
            assert!(matches!(cells.read(text), Cell::Doubtful(_)), "{text}");
        }
        assert_eq!(
            (comma_number("1,5"), comma_number("1,000"), comma_number("a,b")),
            (Some(true), Some(false), None)
        );
    }
}
