//! Options from a file, and options into one.

use std::ffi::OsString;
use std::path::Path;

use clap::{ArgMatches, Command};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::options::generated::GENERATED;

/// Options that say where results go, not what they are.
const OUTPUTS: [&str; 6] = ["out", "report", "plot", "json", "quiet", "config"];

/// The arguments with those of the file that `--config` names in front, so that what is typed counts.
pub(crate) fn expanded(
    program: &Command,
    arguments: Vec<OsString>,
) -> Result<Vec<OsString>, Failure> {
    let Some(file) = named_file(&arguments) else { return Ok(arguments) };
    let known = arguments.get(1).and_then(|name| program.find_subcommand(name));
    let Some(command) = known else { return Ok(arguments) };
    let from_file = arguments_of(command, Path::new(&file))?;
    let mut all = arguments;
    all.splice(2..2, from_file);
    Ok(all)
}

/// The value of `--config FILE` or `--config=FILE`.
fn named_file(arguments: &[OsString]) -> Option<OsString> {
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument == "--config" {
            return rest.next().cloned();
        }
        if let Some(file) = argument.to_str().and_then(|text| text.strip_prefix("--config=")) {
            return Some(file.into());
        }
    }
    None
}

/// What a file says, as arguments.
fn arguments_of(command: &Command, file: &Path) -> Result<Vec<OsString>, Failure> {
    let wrong = |what: String| Failure::Usage(format!("{}: {what}", file.display()));
    let text =
        std::fs::read_to_string(file).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let parsed: Result<Value, String> =
        match file.extension().is_some_and(|ending| ending == "json") {
            true => serde_json::from_str(&text).map_err(|error| error.to_string()),
            false => toml::from_str(&text).map_err(|error| error.message().to_string()),
        };
    let mut parsed = parsed.map_err(|why| wrong(format!("cannot be understood: {why}")))?;
    // The JSON of a run holds its options beside the results.
    if let Some(config) = parsed.get_mut("config") {
        parsed = config.take();
    }
    let Value::Object(options) = parsed else {
        return Err(wrong("holds no options: write name = value".to_string()));
    };
    let mut arguments = Vec::new();
    for (name, value) in options {
        let known = |argument: &&clap::Arg| argument.get_long() == Some(name.as_str());
        if command.get_arguments().find(known).is_none() {
            return Err(wrong(format!(
                "has an unknown option {name:?}: `nrdr {} --help` lists what there is",
                command.get_name()
            )));
        }
        let text = match value {
            Value::Bool(true) => {
                arguments.push(format!("--{name}").into());
                continue;
            }
            Value::Bool(false) | Value::Null => continue,
            Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(","),
            other => plain(&other),
        };
        arguments.push(format!("--{name}={text}").into());
    }
    Ok(arguments)
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

/// The options of a run, also those that were not typed, as a file can hold them.
pub(crate) fn of_matches(command: &Command, matches: &ArgMatches) -> Map<String, Value> {
    let mut options = Map::new();
    for argument in command.get_arguments() {
        let id = argument.get_id().as_str();
        // A position has no long name; what the configuration calls it is another argument.
        let name = match (argument.get_long(), id) {
            (Some(long), _) if !OUTPUTS.contains(&long) => long,
            (None, "input") => "input",
            _ => continue,
        };
        // What data would be generated like says nothing about data that are read.
        let generated = argument.get_help_heading() == Some(GENERATED);
        if generated && matches.try_get_raw("dataset").is_ok_and(|given| given.is_none()) {
            continue;
        }
        let Ok(Some(values)) = matches.try_get_raw(id) else { continue };
        let values: Vec<String> = values.map(|v| v.to_string_lossy().into_owned()).collect();
        let value = match values.as_slice() {
            [one] if one == "true" || one == "false" => Value::Bool(one == "true"),
            [one] => Value::String(one.clone()),
            many => Value::Array(many.iter().cloned().map(Value::String).collect()),
        };
        if value != Value::Bool(false) {
            options.insert(name.to_string(), value);
        }
    }
    options
}

/// A command line that a shell understands.
pub(crate) fn quoted(arguments: &[OsString]) -> String {
    let quote = |argument: &OsString| {
        let text = argument.to_string_lossy().into_owned();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=@%+".contains(c);
        match !text.is_empty() && text.chars().all(plain) {
            true => text,
            false => format!("'{}'", text.replace('\'', r"'\''")),
        }
    };
    let program = std::iter::once("nrdr".to_string());
    program.chain(arguments.iter().skip(1).map(quote)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_take_apart_is_quoted() {
        let typed = ["/usr/bin/nrdr", "embed", "it's here.csv", "-d", "3"].map(OsString::from);
        assert_eq!(quoted(&typed), r"nrdr embed 'it'\''s here.csv' -d 3");
    }

    #[test]
    fn the_file_is_found_in_either_form() {
        for typed in [vec!["nrdr", "embed", "--config", "a.toml"], vec!["nrdr", "--config=a.toml"]]
        {
            let typed: Vec<OsString> = typed.into_iter().map(OsString::from).collect();
            assert_eq!(named_file(&typed), Some("a.toml".into()));
        }
    }
}
