//! Whether columns are standardised.

use std::ffi::OsString;

use clap::ValueEnum;
use nrdr::number::rounded;
use nrdr::{Remark, Vocabulary, should_standardize};

use super::source::Loaded;
use crate::words::Typed;

/// When columns are standardised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Standardize {
    /// If there are 4 to 100 and the widest varies more than ten times as much as the middle one; never pixels
    Auto,
    /// They are, as by --standardize alone
    Yes,
    /// They are not
    No,
}

impl Standardize {
    /// Whether that is to be done, and what is to be told of it.
    pub(crate) fn decide(self, loaded: &Loaded) -> (bool, Option<String>) {
        match self {
            Standardize::Yes => (true, None),
            Standardize::No => (false, None),
            // Pixels and what is generated have one scale.
            Standardize::Auto if loaded.images.is_some() || loaded.truth.is_some() => (false, None),
            Standardize::Auto => match should_standardize(&loaded.points, &loaded.names) {
                Some(Remark::Scales { widest, factor, .. }) => {
                    let name = loaded.names.get(widest).map_or("", String::as_str);
                    let no = Typed.setting("standardize", &["no"]).unwrap_or_default();
                    let factor = rounded(factor.round(), 3);
                    let told = format!(
                        "columns standardised: {name:?} varies {factor} times as much as half of the columns; {no} \
                         keeps them"
                    );
                    (true, Some(told))
                }
                _ => (false, None),
            },
        }
    }
}

/// `--standardize no` as `--standardize=no`. Only what is joined like this is a value to the parser: the option may stand
/// alone, and a file after it is the input.
pub fn joined(arguments: Vec<OsString>) -> Vec<OsString> {
    let is_value = |text: &OsString| {
        text.to_str().is_some_and(|text| Standardize::from_str(text, false).is_ok())
    };
    let mut joined = Vec::with_capacity(arguments.len());
    let mut rest = arguments.into_iter().peekable();
    while let Some(mut argument) = rest.next() {
        if argument == "--" {
            joined.push(argument);
            joined.extend(rest);
            return joined;
        }
        if argument == "--standardize"
            && let Some(value) = rest.next_if(is_value)
        {
            argument.push("=");
            argument.push(value);
        }
        joined.push(argument);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_joined_and_files_are_not() {
        let of = |typed: &str| {
            let typed = typed.split(' ').map(OsString::from).collect();
            joined(typed).join(" ".as_ref()).into_string().unwrap()
        };
        assert_eq!(of("embed --standardize no a.csv"), "embed --standardize=no a.csv");
        assert_eq!(of("embed --standardize a.csv"), "embed --standardize a.csv");
        assert_eq!(of("embed a.csv --standardize"), "embed a.csv --standardize");
        assert_eq!(of("embed --standardize -- no"), "embed --standardize -- no");
        assert_eq!(of("embed -- --standardize no"), "embed -- --standardize no");
    }
}
