//! What the first rows of a text table tell of the rest: which sign stands before decimals, whether the first row is names, and which columns are numbers.

use csv::StringRecord;

use super::Header;
use super::advice::{ReadOption, advice};
use super::cells::{Cell, Cells, comma_number};
use super::error::{Fault, fault};
use super::separator::Separator;

/// A row and the line at which it ends.
pub(super) type Row = (StringRecord, u64);

/// Whether decimals stand behind a comma. Semicolons separate because it does; between other signs a comma may as well set
/// thousands apart, so that one that cannot must be seen.
pub(super) fn has_decimal_commas(sample: &[Row], separator: Separator) -> bool {
    let decimal = |text: &str| match separator {
        Separator::Comma => false,
        Separator::Semicolon => comma_number(text).is_some(),
        Separator::Tab | Separator::Pipe | Separator::Blank => comma_number(text) == Some(true),
    };
    sample.iter().flat_map(|(record, _)| record).any(decimal)
}

/// How many cells of a column are numbers, be they doubtful ones, and how many are text.
#[derive(Clone, Copy, Default)]
struct Count {
    numbers: usize,
    texts: usize,
}

fn counts(rows: &[Row], columns: usize, cells: &Cells) -> Vec<Count> {
    let mut counts = vec![Count::default(); columns];
    for (record, _) in rows {
        for (count, text) in counts.iter_mut().zip(record) {
            match cells.read(text) {
                Cell::Number(_) | Cell::Doubtful(_) => count.numbers += 1,
                Cell::Text => count.texts += 1,
                Cell::Missing => {}
            }
        }
    }
    counts
}

/// Which columns are numbers: those where at least half of what is not missing is.
pub(super) fn number_columns(rows: &[Row], columns: usize, cells: &Cells) -> Vec<bool> {
    counts(rows, columns, cells).iter().map(|count| count.numbers >= count.texts).collect()
}

/// What the first row is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum First {
    /// The names of the columns,
    Names,
    /// the same, though some of them are numbers,
    NumberedNames,
    /// or a point like the others.
    Point,
}

/// Compares the first row with those below it.
pub(super) fn first_row(sample: &[Row], cells: &Cells, header: Header) -> Result<First, Fault> {
    let Some(((first, _), body)) = sample.split_first() else { return Ok(First::Point) };
    match header {
        Header::Yes => return Ok(First::Names),
        Header::No => return Ok(First::Point),
        Header::Auto => {}
    }
    let below = counts(body, first.len(), cells);
    let above_numbers = |count: &Count| count.numbers > 0 && count.numbers >= count.texts;
    let compared = below.iter().any(above_numbers);
    let (mut texts, mut numbers) = (0, Vec::new());
    for (text, count) in first.iter().zip(&below) {
        if compared && !above_numbers(count) {
            continue;
        }
        match cells.read(text) {
            Cell::Text => texts += 1,
            Cell::Number(number) => numbers.push(number),
            Cell::Doubtful(_) => numbers.push(f64::NAN),
            Cell::Missing => {}
        }
    }
    let whole = |number: &f64| number.fract() == 0.0;
    if texts > 0 && numbers.is_empty() {
        return Ok(First::Names);
    }
    // Years among names. A row with as many numbers as texts is a point with a fault, which is told where it is read.
    if texts > numbers.len() && numbers.iter().all(whole) {
        return Ok(First::NumberedNames);
    }
    // Where all numbers are whole, a row that counts may well be a point.
    let fractions = || {
        let cells = body.iter().flat_map(|(record, _)| record).map(|text| cells.read(text));
        cells.into_iter().any(|cell| matches!(cell, Cell::Number(number) if !whole(&number)))
    };
    if texts > 0 || !compared || !steps(&numbers) || !fractions() {
        return Ok(First::Point);
    }
    if counts_columns(first) {
        return Ok(First::NumberedNames);
    }
    if !has_years(&numbers) {
        return Ok(First::Point);
    }
    Err(fault(
        "begins with a row that may be names of columns or a point",
        advice("say which with ")
            .set(ReadOption::Header, "yes")
            .text(" or ")
            .set(ReadOption::Header, "no"),
    ))
}

/// Whether these are at least two whole numbers that rise by equal steps.
fn steps(numbers: &[f64]) -> bool {
    let step = |pair: &[f64]| pair[1] - pair[0];
    let mut steps = numbers.windows(2).map(step);
    let first = steps.next();
    numbers.iter().all(|number| number.fract() == 0.0)
        && first.is_some_and(|first| first > 0.0 && steps.all(|step| step == first))
}

/// Whether these may be years.
fn has_years(numbers: &[f64]) -> bool {
    numbers.iter().all(|year| (1000.0..3000.0).contains(year))
}

/// Whether a row counts its columns, 0, 1, 2, .., as pandas does for those without names; the index before
/// them has none.
fn counts_columns(row: &StringRecord) -> bool {
    let fields = row.iter().skip(usize::from(row.get(0).is_some_and(str::is_empty)));
    fields.enumerate().all(|(i, text)| text.trim() == i.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Result<First, String> {
        let line = |line: &str| (line.split(',').collect::<StringRecord>(), 0);
        let rows: Vec<Row> = text.lines().map(line).collect();
        first_row(&rows, &Cells::new(&[]), Header::Auto).map_err(|fault| fault.to_string())
    }

    #[test]
    fn names_are_told_from_points() {
        for names in [
            "a,b\n1,2",
            ",b\n1,2",
            "name,size\nx,1\ny,2",
            "a\n1",
            "a,b\nc,d",
            "a,b",
            "a,b\n1,NA\nNA,2",
            "id,a,b\nx1,1,2\nx2,n.d.,4",
            "\"a\",-\n1,2",
            "a,b\nm,kg\n1,2\n3,4",
        ] {
            assert_eq!(first(names), Ok(First::Names), "{names}");
        }
        for point in [
            "1,2\n3,4",
            "n.d.,0.2,0.3\n1,2,3",
            "oops,0.2,0.3\n1,2,3\n4,5,6",
            "oops,0.2\n1,2",
            "oops,5\n1,2",
            "NA,2\n3,4",
            "x,1,2\ny,3,4",
            "<0.01,a\n1,b",
            "0x10\n5",
            "5.1%\n3",
            "0,1,2\n5,6,7",
            "1,3\n0.5,0.7",
            ",\n1,2",
            "1",
        ] {
            assert_eq!(first(point), Ok(First::Point), "{point}");
        }
        for numbered in ["0,1\n0.5,0.7", ",0,1\n0,0.5,0.7", "a,b,2020\n1,2,3"] {
            assert_eq!(first(numbered), Ok(First::NumberedNames), "{numbered}");
        }
        assert!(first("name,1990,2000\nx,1.5,2\ny,3,4.5").unwrap_err().contains("header = yes"));
    }

    #[test]
    fn commas_before_decimals_or_thousands() {
        let sample = |text: &str| vec![(StringRecord::from(vec![text]), 1)];
        assert!(has_decimal_commas(&sample("1,000"), Separator::Semicolon));
        for separator in [Separator::Tab, Separator::Pipe, Separator::Blank] {
            assert!(has_decimal_commas(&sample("1,5"), separator));
            assert!(!has_decimal_commas(&sample("1,000"), separator), "a thousand or one");
        }
        assert!(!has_decimal_commas(&sample("1,5"), Separator::Comma));
    }
}
