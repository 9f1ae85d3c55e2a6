//! How a table is read.

use clap::{ArgAction, Args, ValueEnum};

use nrdr_io::{Header, Missing, ReadOptions};

/// Which columns are read.
#[derive(Args, Clone, Debug)]
pub(crate) struct Columns {
    /// Only these columns, by name or by number from 1
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', action = ArgAction::Set)]
    pub(crate) columns: Option<Vec<String>>,

    /// Without these columns
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', action = ArgAction::Set)]
    pub(crate) drop: Option<Vec<String>>,
}

/// How a table of points is read.
#[derive(Args, Clone, Debug)]
pub(crate) struct Reading {
    #[command(flatten)]
    pub(crate) only: Columns,

    /// Rows with missing values
    #[arg(long, value_enum, default_value_t = MissingName::Error)]
    missing: MissingName,

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
    /// If it holds no number
    Auto,
    /// It does
    Yes,
    /// It is a point
    No,
}

impl Columns {
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            columns: self.columns.clone(),
            drop: self.drop.clone().unwrap_or_default(),
            ..Default::default()
        }
    }
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
            ..self.only.options()
        }
    }
}
