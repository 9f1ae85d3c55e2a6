//! Options from a file, and options into one.

use std::ffi::OsString;
use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::options::{generated, method};

/// Options that say where results go, not what they are.
const OUTPUTS: [&str; 10] = [
    "out",
    "model",
    "report",
    "plot",
    "plot-size",
    "json",
    "checkpoint",
    "quiet",
    "config",
    "plan",
];

/// The arguments with those of the file that `--config` names in front, so that what is typed counts.
pub fn expanded(program: &Command, arguments: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
    let Some(file) = named_file(&arguments) else { return Ok(arguments) };
    let known = arguments.get(1).and_then(|name| program.find_subcommand(name));
    let Some(command) = known else { return Ok(arguments) };
    let mut options = options_of(program, command, Path::new(&file))?;
    // Half of a source beside another one, or options of another method, would only be in the way.
    let typed = program.clone().ignore_errors(true).try_get_matches_from(&arguments).ok();
    let typed = typed.as_ref().and_then(ArgMatches::subcommand).map(|(_, matches)| matches);
    let is_typed = |id: &str| {
        let source =
            typed.and_then(|typed| typed.try_contains_id(id).ok().and(typed.value_source(id)));
        source == Some(ValueSource::CommandLine)
    };
    if is_typed("input") || is_typed("dataset") {
        options.retain(|name, _| !generated::is_own(name) && name != "input" && name != "dataset");
    }
    if is_typed("method") {
        options.retain(|name, _| !method::is_own(name));
    }
    let mut all = arguments;
    all.splice(2..2, typed_as(options));
    Ok(all)
}

/// Options as they would be typed.
pub(crate) fn typed_as(options: Map<String, Value>) -> Vec<OsString> {
    options.into_iter().filter_map(|(name, value)| argument(&name, &value)).collect()
}

/// The value of the last `--config FILE` or `--config=FILE`.
fn named_file(arguments: &[OsString]) -> Option<OsString> {
    let mut found = None;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument == "--config" {
            found = rest.next().cloned();
        } else if argument.as_encoded_bytes().starts_with(b"--config=") {
            // A name that is no text is told about when it is not found.
            found = Some(argument.to_string_lossy()["--config=".len()..].into());
        }
    }
    found
}

/// What a file says, by the long names of the options.
fn options_of(
    program: &Command,
    command: &Command,
    file: &Path,
) -> Result<Map<String, Value>, Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| {
        let name = file.display();
        Failure::Usage(format!("{name} cannot be read ({error}): check --config"))
    })?;
    options_in(program, command, file, &text)
}

/// What the text of a file says.
pub(crate) fn options_in(
    program: &Command,
    command: &Command,
    file: &Path,
    text: &str,
) -> Result<Map<String, Value>, Failure> {
    let wrong = |what: String, way_out: &str| {
        Failure::Usage(format!("{} {what}: {way_out}", file.display()))
    };
    let is_json = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    let parsed: Result<Value, String> = if is_json {
        serde_json::from_str(text).map_err(|error| error.to_string())
    } else {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            format!("line {line}: {}", error.message())
        })
    };
    let kind = if is_json { "JSON" } else { "TOML" };
    let mut parsed = parsed
        .map_err(|why| wrong(format!("is not {kind} ({why})"), "mend it, or make it again"))?;
    // The JSON of a run holds its options beside the results.
    if let Some(config) = parsed.get_mut("config") {
        parsed = config.take();
    }
    let Value::Object(mut options) = parsed else {
        return Err(wrong("holds no options".to_string(), "write name = value"));
    };
    let knows = |command: &Command, name: &str| {
        command.get_arguments().any(|argument| argument.get_long() == Some(name))
    };
    // A run of another command has options that this one does without.
    let foreign = |name: &str| is_json && program.get_subcommands().any(|other| knows(other, name));
    options.retain(|name, _| knows(command, name) || !foreign(name));
    for (name, value) in &mut options {
        let Some(known) = command.get_arguments().find(|a| a.get_long() == Some(name)) else {
            return Err(wrong(
                format!("has an unknown option {name:?}"),
                &format!("`nrdr {} --help` lists what there is", command.get_name()),
            ));
        };
        let is_flag = matches!(known.get_action(), ArgAction::SetTrue);
        // One that may stand alone is a flag to which `auto` came.
        if let (false, Some(0), Some(is_on)) = (is_flag, least_values(known), value.as_bool()) {
            *value = Value::from(if is_on { "yes" } else { "no" });
        }
        if is_flag != value.is_boolean() && !value.is_null() {
            let expected = if is_flag { "true or false" } else { "a value" };
            return Err(wrong(
                format!("gives {name} = {value}"),
                &format!("{name} takes {expected}"),
            ));
        }
    }
    Ok(options)
}

/// How many values an option has at least, where that is not one.
fn least_values(option: &Arg) -> Option<usize> {
    option.get_num_args().map(|count| count.min_values())
}

/// An option as it would be typed; nothing for one that is off or empty.
fn argument(name: &str, value: &Value) -> Option<OsString> {
    let text = match value {
        Value::Bool(true) => return Some(format!("--{name}").into()),
        Value::Bool(false) | Value::Null => return None,
        Value::Array(values) if values.is_empty() => return None,
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(","),
        other => plain(other),
    };
    Some(format!("--{name}={text}").into())
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

/// The options of a run, also those that were not typed, as a file can hold them.
pub fn of_matches(command: &Command, matches: &ArgMatches) -> Map<String, Value> {
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
        let generated = generated::is_own(name);
        if generated && matches.try_get_raw("dataset").is_ok_and(|given| given.is_none()) {
            continue;
        }
        let Ok(Some(values)) = matches.try_get_raw(id) else { continue };
        let values: Vec<String> = values.map(|v| v.to_string_lossy().into_owned()).collect();
        let is_flag = matches!(argument.get_action(), ArgAction::SetTrue);
        let value = match values.as_slice() {
            [one] if is_flag => Value::Bool(one == "true"),
            [one] => Value::String(one.clone()),
            many => Value::Array(many.iter().cloned().map(Value::String).collect()),
        };
        if value != Value::Bool(false) {
            options.insert(name.to_string(), value);
        }
    }
    options
}

/// A command line of a program that a shell understands.
pub fn quoted(program: &str, arguments: &[OsString]) -> String {
    let quote = |argument: &OsString| {
        let text = argument.to_string_lossy().into_owned();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=@%+".contains(c);
        if !text.is_empty() && text.chars().all(plain) {
            text
        } else {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
    };
    let program = std::iter::once(program.to_string());
    program.chain(arguments.iter().skip(1).map(quote)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_take_apart_is_quoted() {
        let typed = ["/usr/bin/nrdr", "embed", "it's here.csv", "-d", "3"].map(OsString::from);
        assert_eq!(quoted("nrdr", &typed), r"nrdr embed 'it'\''s here.csv' -d 3");
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
