//! The rows of a text table as far as they are read, numbers and texts each at their place.

use csv::StringRecord;

use super::advice::{Advice, ReadOption, advice};
use super::cells::{Cell, Cells, comma_number};
use super::columns::{Role, TextBuilder, argument, complete, unusable};
use super::error::{Fault, fault, quoted};
use super::guess::{Row, number_columns};
use super::limit::{Budget, NUMBER, TEXT, no_memory};
use super::wanted::Choose;
use super::{Missing, ReadOptions, Table};

/// The table as far as it is read.
pub(super) struct Rows {
    names: Vec<String>,
    columns: Vec<Column>,
    values: Vec<f64>,
    rows: usize,
    cells: Cells,
    missing: Missing,
    budget: Budget,
    /// How many numbers a row has, and how many texts.
    width: (usize, usize),
    labels: bool,
}

enum Column {
    Skip,
    Number { needed: bool },
    Text(Box<TextBuilder>),
}

impl Rows {
    /// No rows yet, but what the columns are, by the first rows and by who chooses. The first may name the rows: it is text.
    pub(super) fn new(
        names: Vec<String>,
        sample: &[Row],
        cells: Cells,
        names_rows: bool,
        options: &ReadOptions,
        budget: Budget,
        choose: Choose<'_>,
    ) -> Result<Self, Fault> {
        let mut numbers = number_columns(sample, names.len(), &cells);
        numbers.iter_mut().take(usize::from(names_rows)).for_each(|is_number| *is_number = false);
        let column = |(j, role): (usize, Role)| match role {
            Role::Skip => Column::Skip,
            Role::Number => Column::Number { needed: true },
            Role::Data if numbers[j] => Column::Number { needed: false },
            role @ (Role::Data | Role::Aside) => {
                Column::Text(Box::new(TextBuilder::new(&names[j], j, role, &cells)))
            }
        };
        let columns = choose(&names, &|j| numbers[j])?.into_iter().enumerate();
        let columns: Vec<Column> = columns.map(column).collect();
        let count = |kind: fn(&Column) -> bool| columns.iter().filter(|c| kind(c)).count();
        let width = (
            count(|column| matches!(column, Column::Number { .. })),
            count(|column| matches!(column, Column::Text(_))),
        );
        let (missing, labels) = (options.missing, options.offers_label);
        let (values, rows) = (Vec::new(), 0);
        Ok(Rows { names, columns, values, rows, cells, missing, budget, width, labels })
    }

    /// How many rows have been read.
    pub(super) fn count(&self) -> usize {
        self.rows
    }

    /// The numbers of the rows since the last time.
    pub(super) fn take_values(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.values)
    }

    /// Adds a row that ends at a line.
    pub(super) fn push(&mut self, record: &StringRecord, line: u64) -> Result<(), Fault> {
        self.rows += 1;
        let (numbers, texts) = self.width;
        self.budget.take(numbers as u64 * NUMBER + texts as u64 * TEXT)?;
        self.values.try_reserve(numbers).map_err(|_| no_memory(self.values.len() + numbers))?;
        for (j, (text, column)) in record.iter().zip(&mut self.columns).enumerate() {
            let needed = match column {
                Column::Skip => continue,
                Column::Text(column) => {
                    self.budget.take(column.push(text.trim()))?;
                    continue;
                }
                Column::Number { needed } => *needed,
            };
            let value = match self.cells.read(text) {
                Cell::Number(number) => number,
                Cell::Missing => f64::NAN,
                Cell::Doubtful(why) => return Err(self.not_a_number(line, j, text, why, needed)),
                Cell::Text => return Err(self.not_a_number(line, j, text, "not a number", needed)),
            };
            if self.missing.refuses(value) {
                let number = (!needed).then_some(j);
                return Err(unusable(value, self.rows, Some(line), &self.names[j], number));
            }
            self.values.push(value);
        }
        Ok(())
    }

    fn not_a_number(&self, line: u64, j: usize, text: &str, why: &str, needed: bool) -> Fault {
        let (row, name, text) = (self.rows, quoted(&self.names[j]), text.trim());
        let what = format!("row {row} (line {line}), column {name} is {}, {why}", quoted(text));
        let mut ways = vec![advice("write it as a plain number")];
        ways.extend(mark(text).map(|mark| {
            match self.missing {
                Missing::Error => advice("leave its row out with ")
                    .set(ReadOption::Na, mark)
                    .text(" ")
                    .set(ReadOption::Missing, "drop"),
                Missing::Drop | Missing::Fill | Missing::Keep => {
                    advice("call it missing with ").set(ReadOption::Na, mark)
                }
            }
        }));
        let decimal = match comma_number(text) {
            Some(_) if !self.cells.decimal_comma => Some("comma"),
            None if self.cells.decimal_comma && text.parse::<f64>().is_ok() => Some("point"),
            _ => None,
        };
        ways.extend(decimal.map(|sign| {
            let way = advice("say ").set(ReadOption::Decimal, sign);
            way.text(format!(" if decimals stand behind a {sign}"))
        }));
        if !needed {
            let column = argument(&self.names[j], j);
            ways.push(advice("leave the column out with ").set(ReadOption::Drop, column.clone()));
            if self.labels {
                ways.push(advice("take it as text with ").set(ReadOption::Label, column));
            }
        }
        // A name in the first row would be found above numbers, unless there are numbers beside it.
        if row == 1 {
            let way = advice("say ").set(ReadOption::Header, "yes");
            ways.push(way.text(" if the row holds names"));
        }
        fault(what, Advice::either(ways))
    }

    /// The table, now that all rows are there.
    pub(super) fn finish(self, options: &ReadOptions, notes: Vec<Advice>) -> Result<Table, Fault> {
        let mut text = Vec::new();
        let mut names = Vec::new();
        let mut numbers = Vec::new();
        for (j, (name, column)) in self.names.into_iter().zip(self.columns).enumerate() {
            match column {
                Column::Skip => {}
                Column::Text(column) => text.push(column.finish()),
                Column::Number { .. } => {
                    names.push(name);
                    numbers.push(j + 1);
                }
            }
        }
        let (values, rows) = (self.values, self.rows);
        let table = Table { names, numbers, values, rows, text, notes, ..Table::default() };
        complete(table, options)
    }
}

/// A text as it can be given for a missing value, if it can be.
fn mark(text: &str) -> Option<String> {
    const LONGEST: usize = 40;
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/');
    if text.chars().all(plain) {
        return (text.chars().count() <= LONGEST).then(|| text.to_string());
    }
    let quotable = |c: char| !c.is_control() && !matches!(c, '\'' | ',');
    let short = text.chars().count() <= LONGEST && !text.starts_with('-');
    (short && text.chars().all(quotable)).then(|| format!("'{text}'"))
}
