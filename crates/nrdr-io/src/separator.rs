//! Which sign separates the fields of a table, found by its first lines.

use super::advice::{Advice, ReadOption, advice};
use super::blanks::without_runs;
use super::cells::{Cell, Cells, comma_number, is_grouped};
use super::error::{Fault, fault};

/// What stands between the fields of a table in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// A tab.
    Tab,
    /// `|`
    Pipe,
    /// One or more blanks or tabs; those at the ends of lines count for nothing.
    Blank,
}

impl Separator {
    /// All of them.
    pub const ALL: [Separator; 5] =
        [Separator::Comma, Separator::Semicolon, Separator::Tab, Separator::Pipe, Separator::Blank];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Separator::Comma => "comma",
            Separator::Semicolon => "semicolon",
            Separator::Tab => "tab",
            Separator::Pipe => "pipe",
            Separator::Blank => "blank",
        }
    }

    /// The sign between fields, where [`Blanks`](super::blanks::Blanks) has been over the text.
    pub(super) fn sign(self) -> u8 {
        match self {
            Separator::Comma => b',',
            Separator::Semicolon => b';',
            Separator::Tab | Separator::Blank => b'\t',
            Separator::Pipe => b'|',
        }
    }

    /// The fields of a line, quotes included.
    pub(super) fn fields(self, line: &[u8]) -> Vec<Vec<u8>> {
        let mut fields = Vec::new();
        self.walk(line, |_, field| fields.push(field.to_vec()));
        fields
    }

    /// How many fields the first row of a text has.
    pub(super) fn count(self, text: &[u8]) -> usize {
        let mut count = 0;
        self.walk(text, |row, _| count += usize::from(row == 0));
        count
    }

    /// Goes through the fields of a text, each with the number of its row. Blank lines are passed over, and quotes keep what is
    /// in them. Whether quotes are open at the end.
    fn walk(self, text: &[u8], mut each: impl FnMut(usize, &[u8])) -> bool {
        let plain = (self == Separator::Blank).then(|| without_runs(text));
        let (mut rest, sign) = (plain.as_deref().unwrap_or(text), self.sign());
        let (mut row, mut is_first, mut is_open) = (0, true, false);
        while !rest.is_empty() {
            let mut quoted = false;
            let is_quote = rest[0] == b'"';
            let is_end = |byte: &u8| {
                quoted ^= is_quote && *byte == b'"';
                !quoted && (*byte == sign || *byte == b'\n')
            };
            let end = rest.iter().position(is_end).unwrap_or(rest.len());
            is_open = quoted;
            let is_last = rest.get(end) != Some(&sign);
            let field = &rest[..end];
            if !(is_first && is_last && field.trim_ascii().is_empty()) {
                each(row, field.trim_ascii_end());
                row += usize::from(is_last);
                // A line that ends in a separator ends in an empty field.
                if !is_last && end + 1 == rest.len() {
                    each(row, b"");
                }
            }
            is_first = is_last;
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        is_open
    }
}

/// The rows of a text as a separator takes them apart.
#[derive(Debug)]
struct Split {
    separator: Separator,
    /// How many fields each row has.
    counts: Vec<usize>,
    /// Whether the last of them is empty.
    empty_ends: Vec<bool>,
    /// Fields and numbers in the rows behind the first, or in the first if there is no other.
    fields: usize,
    numbers: usize,
    /// Whether there are others, and the first has no number.
    has_names: bool,
    /// See [`torn_by`].
    torn: usize,
}

impl Split {
    fn of(text: &[u8], separator: Separator) -> Self {
        let (counts, empty_ends) = (Vec::new(), Vec::new());
        let (fields, numbers, has_names) = (0, 0, false);
        let mut split =
            Split { separator, counts, empty_ends, fields, numbers, has_names, torn: 0 };
        let is_open = separator.walk(text, |row, field| {
            if row == split.counts.len() {
                split.counts.push(0);
                split.empty_ends.push(false);
                if row == 1 {
                    split.has_names = split.numbers == 0;
                    (split.fields, split.numbers) = (0, 0);
                }
            }
            split.counts[row] += 1;
            split.empty_ends[row] = field.is_empty();
            split.fields += 1;
            split.numbers += usize::from(is_number(separator, field));
        });
        // The last row may go on behind these lines.
        if is_open && split.counts.len() > 2 {
            split.counts.pop();
            split.empty_ends.pop();
        }
        split
    }

    /// Whether all rows have one number of fields, the first perhaps one more or less (see `shape.rs`).
    fn is_even(&self) -> bool {
        let Some((&first, rest)) = self.counts.split_first() else { return false };
        let Some(&others) = rest.first() else { return first > 1 };
        let names_rows = first > 1 || self.empty_ends[1..].iter().all(|&is_empty| is_empty);
        rest.iter().all(|&count| count == others)
            && (first == others && first > 1
                || first == others + 1 && self.empty_ends[0]
                || others == first + 1 && names_rows)
    }

    /// The most rows that have the same number of fields, more than one.
    fn agree(&self) -> usize {
        let same = |count: &usize| self.counts.iter().filter(|other| *other == count).count();
        self.counts.iter().filter(|count| **count > 1).map(same).max().unwrap_or(0)
    }

    /// Whether all cells are numbers.
    fn is_whole(&self) -> bool {
        self.numbers == self.fields
    }

    /// Whether most cells are numbers, or half of them below names.
    fn is_numeric(&self) -> bool {
        let least = if self.has_names { self.fields } else { self.fields + 1 };
        self.numbers > 0 && 2 * self.numbers >= least
    }

    /// Whether most rows have the same number of fields, and the first more than one.
    fn is_usual(&self) -> bool {
        self.counts.first().is_some_and(|&first| first > 1) && 2 * self.agree() >= self.counts.len()
    }
}

/// Whether a field between these signs is a number, perhaps with a decimal comma.
fn is_number(separator: Separator, field: &[u8]) -> bool {
    let text = str::from_utf8(field).unwrap_or_default().trim_matches('"');
    matches!(Cells::default().read(text), Cell::Number(_))
        || separator != Separator::Comma && comma_number(text).is_some()
}

/// Finds the separator of a text by its first lines, none of which are comments; and what is to be told of it. `tabs` come first
/// where the name of the file says so, else commas.
pub(super) fn separator_of(text: &[u8], tabs: bool) -> Result<(Separator, Option<Advice>), Fault> {
    use Separator::{Blank, Comma, Pipe, Semicolon, Tab};
    if tabs && let Some(found) = one_column(text)? {
        return Ok((found, None));
    }
    let order = if tabs { [Tab, Comma, Semicolon, Pipe] } else { [Comma, Semicolon, Tab, Pipe] };
    let mut splits = order.map(|separator| Split::of(text, separator));
    let between = Split::of(text, Blank);
    let is_likely = |split: &&Split| split.is_even() || split.is_usual();
    let signs: Vec<u8> =
        splits.iter().filter(is_likely).map(|split| split.separator.sign()).collect();
    splits.iter_mut().for_each(|split| split.torn = torn_by(text, split.separator, &signs));
    splits.sort_by_key(|split| split.torn);
    let mut likely = splits.iter().filter(is_likely);
    if let Some(best) = likely.next()
        && splits.iter().any(Split::is_even)
    {
        if best.separator == Comma && !best.is_whole() && between.is_even() && between.is_whole() {
            return Err(may_be("decimal commas between blanks", Comma, Blank));
        }
        let is_as_good = |other: &&Split| other.is_even() && other.torn == best.torn;
        let doubt = likely.find(is_as_good).map(|other| doubt(best.separator, other.separator));
        return Ok((best.separator, doubt));
    }
    if (between.is_even() || between.is_usual()) && between.is_numeric() {
        if text.split(|byte| *byte == b'\n').all(has_thousands) {
            return Err(may_be("numbers with their thousands set apart", Blank, order[0]));
        }
        return Ok((Blank, None));
    }
    // No sign takes the lines apart evenly: the error that follows is told of the one that nearly does.
    let nearest = order.into_iter().rev().max_by_key(|sign| Split::of(text, *sign).agree());
    Ok((nearest.unwrap_or(Comma), None))
}

/// Where tabs are expected: lines that are one number each, some with a comma in it, are one column of decimals, unless the first
/// line has names for two.
fn one_column(text: &[u8]) -> Result<Option<Separator>, Fault> {
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let mut lines = lines.filter(|line| !line.is_empty());
    let Some(first) = lines.next() else { return Ok(None) };
    let (mut count, mut commas) = (0, 0);
    for line in lines {
        if !is_number(Separator::Tab, line) {
            return Ok(None);
        }
        (count, commas) = (count + 1, commas + usize::from(line.contains(&b',')));
    }
    let is_decimal = str::from_utf8(first).ok().and_then(comma_number).is_some();
    if commas == 0 && !(count == 0 && is_decimal) {
        return Ok(None);
    }
    if commas < count {
        return Ok(Some(Separator::Tab));
    }
    if is_decimal {
        return Err(may_be("one column with decimal commas", Separator::Comma, Separator::Tab));
    }
    Ok((Separator::Comma.count(first) == 1).then_some(Separator::Tab))
}

/// How many cells behind the first row have one of the other signs in them though they are no numbers: they may have been torn
/// from their neighbours, or torn in two.
fn torn_by(text: &[u8], separator: Separator, signs: &[u8]) -> usize {
    let (mut torn, mut last) = (0, 0);
    separator.walk(text, |row, field| {
        // Of a single row the first is also the last.
        if row == 1 && last == 0 {
            torn = 0;
        }
        last = row;
        let has_sign = field.iter().any(|byte| *byte != separator.sign() && signs.contains(byte));
        torn += usize::from(has_sign && !field.starts_with(b"\"") && !is_number(separator, field));
    });
    torn
}

/// Whether a line may be one number with blanks between its thousands; an empty one may.
fn has_thousands(line: &[u8]) -> bool {
    let line = str::from_utf8(line.trim_ascii()).unwrap_or("x");
    line.is_empty() || is_grouped(line)
}

/// The fault of a table that may be read in two ways.
fn may_be(what: &str, several: Separator, one: Separator) -> Fault {
    let signs = if several == Separator::Blank { "blanks" } else { "commas" };
    fault(
        format!("may hold {what}, or columns between {signs}"),
        advice("say which with ")
            .set(ReadOption::Separator, one.name())
            .text(" or ")
            .set(ReadOption::Separator, several.name()),
    )
}

fn doubt(found: Separator, other: Separator) -> Advice {
    let note = format!("fields are taken apart at each {}, though they could be (", found.name());
    advice(&note).set(ReadOption::Separator, other.name()).text(") as well")
}

#[cfg(test)]
mod tests {
    use super::Separator::{Blank, Comma, Pipe, Semicolon, Tab};
    use super::*;

    #[test]
    fn fields_of_each_separator() {
        let of = |separator: Separator, line: &str| -> Vec<String> {
            let fields = separator.fields(line.as_bytes()).into_iter();
            fields.map(|field| String::from_utf8(field).unwrap()).collect()
        };
        assert_eq!(of(Comma, "a,\"b,\"\"c\",d\"e,\n"), ["a", "\"b,\"\"c\"", "d\"e", ""]);
        assert_eq!(of(Comma, "a,"), ["a", ""]);
        assert_eq!(of(Tab, "a b\t\tc\r\n"), ["a b", "", "c"]);
        assert_eq!(of(Blank, "  a \"b  c\" \t d  \n"), ["a", "\"b  c\"", "d"]);
        assert_eq!((Pipe.count(b"\n\na|b|\nc"), Pipe.count(b"")), (3, 0));
    }

    #[test]
    fn separators_are_found() {
        for (separator, text) in [
            (Comma, "a,b\n1,2"),
            (Semicolon, "a;b\n1,5;2"),
            (Semicolon, "Length, cm;Width\n1,5;2"),
            (Semicolon, "name;x, y\nfoo;1,5"),
            (Comma, "a,b;c\n1,2"),
            (Comma, "a,b;c\nx;y,2"),
            (Semicolon, "1,5;2,5"),
            (Comma, "a\n1"),
            (Comma, "\"a;b\",c\n1,2"),
            (Semicolon, "\"a,b\";c\n1;2"),
            (Tab, "a\tb\n1\t2"),
            (Tab, "a\tb\n1,5\t2,5"),
            (Tab, "1,5\t2,5\n3,5\t4,5"),
            (Pipe, "a|b\n1|2"),
            (Pipe, "a|b\nhello, world|1\nof, all|2"),
            (Pipe, "a|b|c\n1,5|2|x;y\n3,5|4|z;w"),
            (Blank, "1.5 2.5\n3.5 4.5"),
            (Blank, "  1.5   2.5\n -3.5 \t4.5  \r\n"),
            (Blank, "x y z\n1 2 3\n4 5 6"),
            (Blank, "\"x\" \"y\"\n\"a b\" 1 2\n\"c\" 3 4"),
            (Blank, "5.1 3.5 setosa\n4.9 3.0 setosa"),
            (Blank, "1,5 2,5 3\n1 2 3"),
            (Blank, "1 2\n3 4\n5 6 7"),
            (Blank, "name age\nbob 3\nann 4"),
            (Comma, "name\nJohn Smith\nMary Jones"),
            (Comma, "5 kg\n6 kg"),
            (Comma, "time\n2020-01-01 12:00\n2020-01-02 12:00"),
            (Comma, "a,b\n1,2\n3"),
            (Comma, "a,b\n1,1 000\n2,2 000"),
            (Comma, "a,b,c;d\n1,2,x;y\n3,4,5,z;w"),
            (Comma, "a,b,\n1,2\n"),
            (Semicolon, "x\n1;\n2;\n"),
            (Comma, "\"x\ny\",b\n1,2\n"),
            (Comma, ""),
        ] {
            let found = separator_of(text.as_bytes(), false).unwrap().0;
            assert_eq!(found, separator, "{text:?}");
        }
    }

    #[test]
    fn where_tabs_are_expected_commas_may_stand_before_decimals() {
        for (separator, text) in [
            (Tab, "a\tb\n1,5\t2"),
            (Tab, "x\n1,5\n2,5"),
            (Tab, "1,5\n2\n3,5"),
            (Tab, "a\n1"),
            (Comma, "a,b\n1,2\n3,4"),
            (Comma, "1,2,3\n3,4,5"),
            (Blank, "1 2\n3 4"),
            (Semicolon, "1,5;2\n3;4"),
        ] {
            let found = separator_of(text.as_bytes(), true).unwrap().0;
            assert_eq!(found, separator, "{text:?}");
        }
        for text in ["1,5\n2,5", "1,000\n2,000\n", "1,5"] {
            let refused = separator_of(text.as_bytes(), true).unwrap_err().to_string();
            assert!(refused.ends_with("separator = tab or separator = comma"), "{refused}");
        }
    }

    #[test]
    fn what_could_be_two_things_is_told_or_refused() {
        let told = |text: &str| {
            let found = separator_of(text.as_bytes(), false).unwrap();
            found.1.map(|note| note.to_string())
        };
        assert!(told("a,b;c\nx;y,2").unwrap().contains("separator = semicolon"));
        assert_eq!(told("a,b\n1,2"), None);
        assert_eq!(told("Length, cm;Width\n1,5;2"), None);
        let refused = separator_of(b"1 000\n2 000\n", false).unwrap_err().to_string();
        assert!(refused.contains("thousands set apart, or columns between blanks"), "{refused}");
        assert!(refused.ends_with("separator = comma or separator = blank"), "{refused}");
        for text in ["1,5 2,5\n3,5 4,5", "1,1 000\n2,2 000"] {
            let refused = separator_of(text.as_bytes(), false).unwrap_err().to_string();
            assert!(refused.starts_with("may hold decimal commas between blanks, or"), "{refused}");
        }
        assert_eq!(told("a,b\n1,5 6\n2,7 8"), None);
    }
}
