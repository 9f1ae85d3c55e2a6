//! Sentences that speak of options of reading, which each program calls in its own way.

use std::fmt;

/// An option of [`ReadOptions`](crate::ReadOptions).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadOption {
    /// The array of a file that holds several.
    Variable,
    /// Further arrays, which hold labels.
    LabelVariable,
    /// Points are columns.
    Transpose,
    /// Whether the first line has names.
    Header,
    /// What happens to rows with missing values.
    Missing,
    /// Only these columns.
    Columns,
    /// Without these columns.
    Drop,
    /// The column that is text.
    Label,
    /// Further texts that are missing values.
    Na,
    /// What is read of pictures.
    Channels,
    /// What stands between fields.
    Separator,
    /// What text is in.
    Encoding,
    /// Lines before the table.
    Skip,
    /// What stands before decimals.
    Decimal,
}

impl ReadOption {
    /// The name of the field.
    pub fn name(self) -> &'static str {
        match self {
            ReadOption::Variable => "variable",
            ReadOption::LabelVariable => "label_variables",
            ReadOption::Transpose => "transpose",
            ReadOption::Header => "header",
            ReadOption::Missing => "missing",
            ReadOption::Columns => "columns",
            ReadOption::Drop => "drop",
            ReadOption::Label => "label",
            ReadOption::Na => "na",
            ReadOption::Channels => "channels",
            ReadOption::Separator => "separator",
            ReadOption::Encoding => "encoding",
            ReadOption::Skip => "skip",
            ReadOption::Decimal => "decimal",
        }
    }
}

/// How a program calls options of reading.
pub trait Words {
    /// An option, perhaps with a value: `missing = drop`, `--missing drop`.
    fn setting(&self, option: ReadOption, value: Option<&str>) -> String;
}

/// By the names of the fields.
struct Plain;

impl Words for Plain {
    fn setting(&self, option: ReadOption, value: Option<&str>) -> String {
        match value {
            Some(value) => format!("{} = {value}", option.name()),
            None => option.name().to_string(),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Text(String),
    Setting(ReadOption, Option<String>),
}

/// A sentence with options in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Advice(Vec<Part>);

impl Advice {
    pub(crate) fn text(mut self, text: impl Into<String>) -> Self {
        self.0.push(Part::Text(text.into()));
        self
    }

    pub(crate) fn option(mut self, option: ReadOption) -> Self {
        self.0.push(Part::Setting(option, None));
        self
    }

    pub(crate) fn set(mut self, option: ReadOption, value: impl Into<String>) -> Self {
        self.0.push(Part::Setting(option, Some(value.into())));
        self
    }

    /// "a, b, or c"
    pub(crate) fn either(mut ways: Vec<Advice>) -> Self {
        let Some(last) = ways.pop() else { return Advice::default() };
        let mut all = Advice::default();
        for way in ways {
            all.0.extend(way.0);
            all = all.text(", ");
        }
        if !all.0.is_empty() {
            all = all.text("or ");
        }
        all.0.extend(last.0);
        all
    }

    /// The sentence in the words of a program.
    pub fn told(&self, words: &dyn Words) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Setting(option, value) => words.setting(*option, value.as_deref()),
        };
        self.0.iter().map(part).collect()
    }
}

impl From<&str> for Advice {
    fn from(text: &str) -> Self {
        Advice::default().text(text)
    }
}

impl From<String> for Advice {
    fn from(text: String) -> Self {
        Advice::default().text(text)
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told(&Plain))
    }
}

/// The beginning of a sentence.
pub(crate) fn advice(text: &str) -> Advice {
    text.into()
}

/// "choose one with variable"
pub(crate) fn with_variable(text: &str) -> Advice {
    advice(text).text(" with ").option(ReadOption::Variable)
}
