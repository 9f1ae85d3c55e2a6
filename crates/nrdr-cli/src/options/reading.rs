//! How a table is read.

use std::io::{self, Write};

use clap::{ArgAction, Args, ValueEnum};

use nrdr_io::{Channels, Decimal, Header, Missing, ReadOptions, Separator, Table, TextColumn};
use nrdr_write::printable;

use crate::failure::Failure;
use crate::terminal;
use crate::words::Typed;

/// How a table of points is read.
#[derive(Args, Clone, Debug)]
pub(crate) struct Reading {
    /// Only these columns, by name or by number from 1
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', action = ArgAction::Set)]
    columns: Option<Vec<String>>,

    /// Without these columns
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', action = ArgAction::Set)]
    drop: Option<Vec<String>>,

    /// Rows with missing values
    #[arg(long, value_enum, default_value_t = MissingName::Error)]
    missing: MissingName,

    /// Texts or numbers of a table in text that are missing values, besides NA, n.d., -, ? and the like
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', action = ArgAction::Set)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) na: Option<Vec<String>>,

    /// The array in a .npz, .mat, .h5 or .h5ad file, or the sheet of an .xlsx [default: the only array, X, the first sheet]
    #[arg(long, value_name = "NAME")]
    variable: Option<String>,

    /// Points are the columns of the array or table, not the rows
    #[arg(long)]
    transpose: bool,

    /// What is read of the pictures in a folder
    #[arg(long, value_enum, default_value_t = ChannelsName::Grey)]
    channels: ChannelsName,

    /// Whether the first line of a table in text names the columns
    #[arg(long, value_enum, default_value_t = HeaderName::Auto)]
    header: HeaderName,

    /// Lines of a text, before its header, that are left out
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: u64,

    /// What separates fields: comma, semicolon, tab, pipe or blank, or the character itself [default: what the first lines tell]
    #[arg(long, value_name = "SIGN", value_parser = separator)]
    separator: Option<Separator>,

    /// What stands before decimals, where the file does not tell
    #[arg(long, value_enum, default_value_t = DecimalName::Auto)]
    decimal: DecimalName,

    /// What text is in, such as utf-8, utf-16le, latin1, windows-1251 [default: what its bytes tell]
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,
}

/// A separator by its name or by itself.
fn separator(text: &str) -> Result<Separator, String> {
    let sign = match text {
        "," => "comma",
        ";" => "semicolon",
        "\t" | "\\t" => "tab",
        "|" => "pipe",
        " " => "blank",
        name => name,
    };
    let found = Separator::ALL.into_iter().find(|separator| separator.name() == sign);
    found.ok_or_else(|| "expected comma, semicolon, tab, pipe or blank".to_string())
}

/// What stands before decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DecimalName {
    /// A comma between semicolons, and wherever a number shows it; else a point
    Auto,
    /// A comma
    Comma,
    /// A point
    Point,
}

/// Rows with missing values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MissingName {
    /// Are an error
    Error,
    /// Are not embedded; their rows in the output stay empty
    Drop,
}

/// What is read of the pictures in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ChannelsName {
    /// Their brightness, a number for each pixel
    Grey,
    /// Red, green and blue, three numbers for each pixel
    Rgb,
}

/// Whether the first line of a table in text names the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum HeaderName {
    /// If its cells above numbers are names
    Auto,
    /// It does
    Yes,
    /// It is a point
    No,
}

/// What was left out of a table, and what was decided that might be wrong.
pub(crate) fn notes_of(table: &Table) -> Vec<String> {
    let mut notes: Vec<String> = table.notes.iter().map(|note| note.told(&Typed)).collect();
    let others: Vec<&TextColumn> = table.text.iter().filter(|column| !column.is_aside).collect();
    if !others.is_empty() {
        let name = |column: &&TextColumn| match column.numbers {
            0 => format!("{:?}", column.name),
            count => format!("{:?} ({count} of its cells are numbers)", column.name),
        };
        let names: Vec<String> = others.iter().map(name).collect();
        notes.push(format!("column(s) of text are left out: {}", names.join(", ")));
    }
    notes
}

/// Tells what happened: beside the results, or on standard error if these are not wanted.
pub(crate) fn tell_notes(notes: &[String], quiet: bool, out: &mut impl Write) -> io::Result<()> {
    for note in notes {
        if quiet {
            terminal::warn(note);
        } else {
            writeln!(out, "note: {}", printable(note))?;
        }
    }
    Ok(())
}

impl Reading {
    /// An option that belongs to files, if one is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = [
            ("columns", self.columns.is_some()),
            ("drop", self.drop.is_some()),
            ("na", self.na.is_some()),
            ("variable", self.variable.is_some()),
            ("transpose", self.transpose),
            ("channels", self.channels != ChannelsName::Grey),
            ("skip", self.skip > 0),
            ("separator", self.separator.is_some()),
            ("encoding", self.encoding.is_some()),
            ("decimal", self.decimal != DecimalName::Auto),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
    }

    /// How missing values are read that are filled then.
    pub(crate) fn fills(&self) -> Result<Missing, Failure> {
        match self.missing {
            MissingName::Error => Ok(Missing::Fill),
            MissingName::Drop => Err(Failure::Usage(
                "--impute fills missing values, and --missing drop leaves their rows out: take one of the two"
                    .to_string(),
            )),
        }
    }

    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            variable: self.variable.clone(),
            transpose: self.transpose,
            channels: match self.channels {
                ChannelsName::Grey => Channels::Grey,
                ChannelsName::Rgb => Channels::Rgb,
            },
            memory: nrdr::free_memory(),
            header: match self.header {
                HeaderName::Auto => Header::Auto,
                HeaderName::Yes => Header::Yes,
                HeaderName::No => Header::No,
            },
            missing: match self.missing {
                MissingName::Error => Missing::Error,
                MissingName::Drop => Missing::Drop,
            },
            na: self.na.clone().unwrap_or_default(),
            skip: self.skip,
            separator: self.separator,
            encoding: self.encoding.clone(),
            decimal: match self.decimal {
                DecimalName::Auto => Decimal::Auto,
                DecimalName::Comma => Decimal::Comma,
                DecimalName::Point => Decimal::Point,
            },
            columns: self.columns.clone(),
            drop: self.drop.clone().unwrap_or_default(),
            ..Default::default()
        }
    }
}
