//! How rows are read, and options of the single machine that make no sense, or cannot be had, on several.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use nrdr_cli::shared::Failure;
use nrdr_io::{Missing, ReadOptions};

/// How the parts are read.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Input")]
pub(crate) struct Reading {
    /// Only these columns, by name or by number from 1
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', action = ArgAction::Set)]
    pub(crate) columns: Option<Vec<String>>,

    /// Without these columns
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', action = ArgAction::Set)]
    pub(crate) drop: Option<Vec<String>>,

    /// Rows with missing values
    #[arg(long, value_enum, default_value_t = MissingName::Error)]
    pub(crate) missing: MissingName,
}

/// Rows with missing values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MissingName {
    /// Are an error
    Error,
    /// Are not embedded; their rows in the output stay empty
    Drop,
}

/// Whether columns are standardised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Standardize {
    /// They are, as by --standardize alone
    Yes,
    /// They are not
    No,
}

impl Reading {
    pub(crate) fn options(&self, labels: &[String]) -> ReadOptions {
        ReadOptions {
            columns: self.columns.clone(),
            drop: self.drop.clone().unwrap_or_default(),
            aside: labels.to_vec(),
            offers_label: true,
            missing: match self.missing {
                MissingName::Error => Missing::Error,
                MissingName::Drop => Missing::Drop,
            },
            ..Default::default()
        }
    }
}

/// Options of `nrdr embed` that are refused: the name, its value there where nobody gives one, and why, with the way out.
const REFUSED: [(&str, &str, &str); 22] = [
    (
        "report",
        "",
        "the page is made from the run's folder afterwards: `nrdr report OUT -o page.html`",
    ),
    ("plot", "", "a picture is made from a sample: `nrdr report OUT -o page.html` makes a page"),
    ("plot-size", "", "there is no picture: `nrdr report OUT -o page.html` makes a page"),
    ("plan", "", "what a run on several machines takes is not foreseen: see docs/cluster.md"),
    (
        "keep",
        "",
        "parts hold coordinates only, in the order of the input: join them with its columns by their rows",
    ),
    ("dataset", "", "nothing is generated here: `nrdr dataset` writes a file"),
    (
        "impute",
        "",
        "missing values are not filled here: fill them before, or leave their rows out with --missing drop",
    ),
    ("pca", "", "principal components are not computed here: compute them before"),
    ("images", "", "pictures are not shown: leave it out"),
    ("labels", "", "labels come from a column of the parts: name it with --label"),
    ("label-variable", "", "parts hold one array each: name a column with --label"),
    ("id", "", "names of points are not kept: rows are in the order of the input"),
    ("color", "", "columns that the page colours by are labels here: name them with --label"),
    ("transpose", "", "each row is a point here: turn the tables before"),
    ("variable", "", "parts hold one array each: leave it out"),
    ("channels", "grey", "folders of pictures are not read here: save them as .npy"),
    ("header", "auto", "tables in text are not read here: save them as .parquet"),
    ("skip", "0", "tables in text are not read here: save them as .parquet"),
    ("separator", "", "tables in text are not read here: save them as .parquet"),
    ("decimal", "auto", "tables in text are not read here: save them as .parquet"),
    ("encoding", "", "tables in text are not read here: save them as .parquet"),
    ("na", "", "tables in text are not read here: save them as .parquet"),
];

/// Those of them that were given.
#[derive(Clone, Debug)]
pub(crate) struct Refused(Vec<&'static str>);

impl Refused {
    /// Refuses the first of them.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let why = |name: &&str| REFUSED.iter().find(|(other, ..)| other == name);
        match self.0.first().and_then(why) {
            Some((name, _, why)) => Err(Failure::Usage(format!("--{name} is not taken, {why}"))),
            None => Ok(()),
        }
    }
}

impl Args for Refused {
    fn augment_args(command: Command) -> Command {
        let arg = |name: &'static str| {
            Arg::new(name).long(name).hide(true).num_args(0..=1).default_missing_value("yes")
        };
        command.args(REFUSED.iter().map(|(name, ..)| arg(name)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Refused {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let is_given = |name: &str, usual: &str| {
            let raw = matches.try_get_raw(name).ok().flatten().and_then(|mut raw| raw.next());
            raw.is_some_and(|raw| raw != usual)
        };
        let given = REFUSED.iter().filter(|(name, usual, _)| is_given(name, usual));
        Ok(Refused(given.map(|(name, ..)| *name).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// `--neighbors DIR` as `--neighbors-from DIR`: a number is the number of neighbours, anything else where they are.
pub(crate) fn told_apart(arguments: Vec<std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    let is_place = |text: &std::ffi::OsStr| text.to_str().is_none_or(|t| t.parse::<f64>().is_err());
    let mut apart: Vec<std::ffi::OsString> = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let joined = argument.to_str().and_then(|text| text.strip_prefix("--neighbors="));
        if let Some(place) = joined.filter(|text| is_place(text.as_ref())) {
            apart.push(format!("--neighbors-from={place}").into());
            continue;
        }
        if is_place(&argument)
            && let Some(option) = apart.last_mut().filter(|option| *option == "--neighbors")
        {
            *option = "--neighbors-from".into();
        }
        apart.push(argument);
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_a_number_or_a_place() {
        let of = |typed: &str| {
            let typed = typed.split(' ').map(Into::into).collect();
            told_apart(typed).join(" ".as_ref()).into_string().unwrap()
        };
        assert_eq!(of("embed --neighbors 12 a"), "embed --neighbors 12 a");
        assert_eq!(of("embed --neighbors nn/ a"), "embed --neighbors-from nn/ a");
        assert_eq!(of("embed --neighbors=nn -k 3"), "embed --neighbors-from=nn -k 3");
        assert_eq!(of("embed --neighbors=5"), "embed --neighbors=5");
    }
}
