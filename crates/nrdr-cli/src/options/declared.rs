//! Options that methods and strategies declare for themselves.

use clap::builder::{PossibleValue, PossibleValuesParser, ValueParser};
use clap::{Arg, ArgMatches};
use nrdr::parameter::{Kind, Parameter, Value, Word};

use crate::failure::Failure;
use crate::words::long;

/// A parameter that one or more of them have.
pub(crate) struct Declared {
    /// Its name in the catalogue.
    pub(crate) name: &'static str,
    /// Whose it is.
    pub(crate) owners: Vec<&'static str>,
    help: &'static str,
    usual: String,
    /// Its value without one of one's own, if it has one.
    value: Option<String>,
    kind: Kind,
}

impl Declared {
    /// Adds the parameters of one owner to a list; those of the same name are one option.
    pub(crate) fn add(list: &mut Vec<Declared>, owner: &'static str, parameters: &[Parameter<'_>]) {
        for parameter in parameters.iter().filter(|p| p.kind() != Kind::Vector) {
            match list.iter_mut().find(|declared| declared.name == parameter.name) {
                Some(declared) => declared.owners.push(owner),
                None => list.push(Declared {
                    name: parameter.name,
                    owners: vec![owner],
                    help: parameter.help,
                    usual: parameter.usual(),
                    value: (parameter.get() != Value::NOTHING).then(|| parameter.usual()),
                    kind: parameter.kind(),
                }),
            }
        }
    }

    /// The option: `--local-dim` for `local_dim`. If it is `filled`, it has its usual value where none is typed.
    pub(crate) fn arg(&self, heading: &'static str, filled: bool) -> Arg {
        let help = format!("{}: {}", self.owners.join(", "), self.help);
        let arg = Arg::new(self.name).long(long(self.name)).help_heading(heading);
        let arg = arg.value_name(long(self.name).to_uppercase());
        let arg = match self.value.as_ref().filter(|_| filled) {
            Some(value) => arg.default_value(value.clone()).help(help),
            None => arg.help(format!("{help} [default: {}]", self.usual)),
        };
        let parser = match self.kind {
            Kind::Number => ValueParser::from(clap::value_parser!(f64)),
            Kind::Count => ValueParser::from(clap::value_parser!(u64)),
            Kind::Word(words) => ValueParser::from(possible(words)),
            Kind::NumberOrAuto | Kind::Vector => ValueParser::from(number_or_auto),
        };
        // A negative number is a number out of range, not an option.
        arg.value_parser(parser).allow_negative_numbers(true)
    }
}

/// Words as values that an option can have.
pub(crate) fn possible(words: &[Word]) -> PossibleValuesParser {
    let value = |word: &Word| PossibleValue::new(word.name).alias(word.alias).help(word.help);
    PossibleValuesParser::new(words.iter().map(value))
}

fn number_or_auto(text: &str) -> Result<String, String> {
    match text.parse::<f64>() {
        Err(_) if text != "auto" => Err("expected a number or auto".to_string()),
        _ => Ok(text.to_string()),
    }
}

/// What was given of some options, by their names in the catalogue.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given(Vec<(&'static str, Value)>);

impl Given {
    /// What the parser found of these.
    pub(crate) fn of(declared: &[Declared], matches: &ArgMatches) -> Self {
        let value = |declared: &Declared| {
            let mut raw = matches.try_get_raw(declared.name).ok()??;
            Some((declared.name, Value::of_text(&raw.next()?.to_string_lossy())))
        };
        Given(declared.iter().filter_map(value).collect())
    }

    /// The names of those that are given.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(name, _)| *name)
    }

    /// Gives parameters their values; others keep theirs. One that has a meaning only beside another is refused without
    /// it.
    pub(crate) fn give(&self, mut parameters: Vec<Parameter<'_>>) -> Result<(), Failure> {
        for parameter in &mut parameters {
            if let Some((_, value)) = self.0.iter().find(|(name, _)| *name == parameter.name) {
                parameter.set(value)?;
            }
        }
        for parameter in &parameters {
            let Some((other, values)) = parameter.only else { continue };
            let there = parameters.iter().find(|p| p.name == other).map(|p| p.get().to_string());
            let fits = there.is_none_or(|there| values.contains(&there.as_str()));
            if !fits && self.names().any(|name| name == parameter.name) {
                let (name, needed) = (long(parameter.name), values.join(" or "));
                return Err(Failure::Usage(format!(
                    "--{name} belongs to {other} {needed}: add --{other} {}",
                    values[0]
                )));
            }
        }
        Ok(())
    }
}
