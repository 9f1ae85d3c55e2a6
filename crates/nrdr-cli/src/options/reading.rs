//! How a table is read.

use std::io::{self, Write};

use clap::{ArgAction, Args, ValueEnum};

use nrdr_io::{Header, Missing, ReadOptions, Table, TextColumn};
use nrdr_write::printable;

use crate::terminal;
use crate::words::Typed;

/// How a table of points is read.
#[derive(Args, Clone, Debug)]
pub(crate) struct Reading {
    /// Only these columns, by name or by number from 1
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', action = ArgAction::Set)]
    pub(crate) columns: Option<Vec<String>>,

    /// Without these columns
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', action = ArgAction::Set)]
    pub(crate) drop: Option<Vec<String>>,

    /// Rows with missing values
    #[arg(long, value_enum, default_value_t = MissingName::Error)]
    missing: MissingName,

    /// Texts or numbers of a CSV that are missing values, besides NA, n.d., -, ? and the like
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', action = ArgAction::Set)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) na: Option<Vec<String>>,

    /// The array in a .npz or .mat file [default: the only one]
    #[arg(long, value_name = "NAME")]
    pub(crate) variable: Option<String>,

    /// Points are the columns of the array, not the rows
    #[arg(long)]
    pub(crate) transpose: bool,

    /// Whether the first line of a CSV names the columns
    #[arg(long, value_enum, default_value_t = HeaderName::Auto)]
    header: HeaderName,
}

/// Rows with missing values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MissingName {
    /// Are an error
    Error,
    /// Are not embedded; their rows in the output stay empty
    Drop,
}

/// Whether the first line of a CSV names the columns.
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
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            variable: self.variable.clone(),
            transpose: self.transpose,
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
            columns: self.columns.clone(),
            drop: self.drop.clone().unwrap_or_default(),
            ..Default::default()
        }
    }
}
