//! Parameters, declared once beside the field that holds them.
//!
//! A method or a strategy lists its parameters: name, field, help, range. Whatever sets, shows, documents or checks them
//! reads that list: the command line, the configuration file, Python, the tables in the documentation, models.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::number::exact;

/// A value of a parameter, as front ends bring it and files hold it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// None: the method chooses, or does without.
    Nothing(()),
    /// A whole number.
    Count(u64),
    /// A number.
    Number(f64),
    /// A word.
    Word(String),
    /// A number for each point.
    Vector(Vec<f64>),
}

impl Value {
    /// None.
    pub const NOTHING: Value = Value::Nothing(());

    /// The value that a text stands for: a number where it is one, otherwise a word.
    pub fn of_text(text: &str) -> Self {
        match (text.parse::<u64>(), text.parse::<f64>()) {
            (Ok(count), _) => Value::Count(count),
            (_, Ok(number)) => Value::Number(number),
            _ => Value::Word(text.to_string()),
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Value::Count(count) => Some(*count as f64),
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Nothing(()) => f.write_str("none"),
            Value::Count(count) => write!(f, "{count}"),
            Value::Number(number) => f.write_str(&exact(*number)),
            Value::Word(word) => f.write_str(word),
            Value::Vector(values) => write!(f, "{} numbers", values.len()),
        }
    }
}

/// A word that a parameter can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub name: &'static str,
    /// Another one that means the same, or the same one.
    pub alias: &'static str,
    /// What it means.
    pub help: &'static str,
}

impl Word {
    /// A word with a single spelling.
    pub const fn new(name: &'static str, help: &'static str) -> Self {
        Word { name, alias: name, help }
    }

    /// With another spelling.
    pub const fn or(self, alias: &'static str) -> Self {
        Word { alias, ..self }
    }
}

/// What the value of a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// A number, or the word auto.
    NumberOrAuto,
    /// A whole number.
    Count,
    /// One of several words.
    Word(&'static [Word]),
    /// A number for each point.
    Vector,
}

impl Kind {
    /// In words, for an error.
    fn expected(self) -> String {
        match self {
            Kind::Number => "a number".to_string(),
            Kind::NumberOrAuto => "a number or \"auto\"".to_string(),
            Kind::Count => "a whole number".to_string(),
            Kind::Word(words) => words.iter().map(|word| word.name).collect::<Vec<_>>().join(", "),
            Kind::Vector => "a number for each point".to_string(),
        }
    }
}

/// Where a number must lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least,
    pub least: f64,
    /// and the most; both are allowed themselves.
    pub most: f64,
    /// In words: "positive", "from 0 to 1".
    pub words: &'static str,
}

impl Range {
    /// Finite.
    pub const FINITE: Range = Range::new(f64::MIN, f64::MAX, "finite");
    /// Positive and finite.
    pub const POSITIVE: Range = Range::new(f64::MIN_POSITIVE, f64::MAX, "positive");
    /// Zero, or positive and finite.
    pub const NOT_NEGATIVE: Range = Range::new(0.0, f64::MAX, "0 or more");
    /// From 0 to 1.
    pub const UNIT: Range = Range::new(0.0, 1.0, "from 0 to 1");
    /// One or more.
    pub const FROM_ONE: Range = Range::new(1.0, f64::MAX, "at least 1");

    /// From the least to the most, in these words.
    pub const fn new(least: f64, most: f64, words: &'static str) -> Self {
        Range { least, most, words }
    }

    /// Whether a number lies there. NaN lies nowhere.
    pub fn holds(&self, number: f64) -> bool {
        number >= self.least && number <= self.most
    }
}

/// A field that holds a parameter.
pub trait Slot {
    /// What it can hold.
    fn kind(&self) -> Kind;
    /// Whether it may hold nothing.
    fn is_optional(&self) -> bool {
        false
    }
    /// What it holds.
    fn get(&self) -> Value;
    /// Takes a value, or tells that it does not fit.
    fn set(&mut self, value: &Value) -> bool;
}

/// Words as a type: which word means which value.
pub trait Words: Copy + PartialEq + 'static {
    /// All of them.
    const WORDS: &'static [Word];
    /// The values in the same order.
    const VALUES: &'static [Self];
}

impl<W: Words> Slot for W {
    fn kind(&self) -> Kind {
        Kind::Word(W::WORDS)
    }
    fn get(&self) -> Value {
        let at = W::VALUES.iter().position(|value| value == self).unwrap_or(0);
        Value::Word(W::WORDS[at].name.to_string())
    }
    fn set(&mut self, value: &Value) -> bool {
        let Value::Word(given) = value else { return false };
        let at = W::WORDS.iter().position(|word| word.name == given || word.alias == given);
        at.map(|at| *self = W::VALUES[at]).is_some()
    }
}

impl Slot for f64 {
    fn kind(&self) -> Kind {
        Kind::Number
    }
    fn get(&self) -> Value {
        Value::Number(*self)
    }
    fn set(&mut self, value: &Value) -> bool {
        value.number().map(|number| *self = number).is_some()
    }
}

/// Whole numbers; those beyond what the type holds are as large as it can.
macro_rules! count {
    ($type:ty) => {
        impl Slot for $type {
            fn kind(&self) -> Kind {
                Kind::Count
            }
            fn get(&self) -> Value {
                Value::Count(u64::try_from(*self).unwrap_or(u64::MAX))
            }
            fn set(&mut self, value: &Value) -> bool {
                let Value::Count(count) = value else { return false };
                *self = <$type>::try_from(*count).unwrap_or(<$type>::MAX);
                true
            }
        }
    };
}
count!(usize);
count!(u32);

impl<S: Slot + Clone + Default> Slot for Option<S> {
    fn kind(&self) -> Kind {
        S::default().kind()
    }
    fn is_optional(&self) -> bool {
        true
    }
    fn get(&self) -> Value {
        self.as_ref().map_or(Value::NOTHING, Slot::get)
    }
    fn set(&mut self, value: &Value) -> bool {
        if *value == Value::NOTHING {
            *self = None;
            return true;
        }
        let mut some = S::default();
        let fits = some.set(value);
        if fits {
            *self = Some(some);
        }
        fits
    }
}

impl Slot for Vec<f64> {
    fn kind(&self) -> Kind {
        Kind::Vector
    }
    fn get(&self) -> Value {
        Value::Vector(self.clone())
    }
    fn set(&mut self, value: &Value) -> bool {
        let Value::Vector(values) = value else { return false };
        self.clone_from(values);
        true
    }
}

/// A parameter and the field that holds it.
pub struct Parameter<'p> {
    /// Its name: an option of the command line, an argument in Python.
    pub name: &'static str,
    /// What it is.
    pub help: &'static str,
    /// What happens without it, where that is not a value.
    pub without: &'static str,
    /// Where a number must lie.
    pub range: Range,
    /// It has a meaning only where another parameter is one of these words.
    pub only: Option<(&'static str, &'static [&'static str])>,
    slot: &'p mut dyn Slot,
}

impl<'p> Parameter<'p> {
    /// A parameter that may be any value of its kind.
    pub fn new(name: &'static str, slot: &'p mut dyn Slot, help: &'static str) -> Self {
        Parameter { name, help, without: "", range: Range::FINITE, only: None, slot }
    }

    /// A number that must lie in a range.
    pub fn within(self, range: Range) -> Self {
        Parameter { range, ..self }
    }

    /// What happens without it.
    pub fn without(self, without: &'static str) -> Self {
        Parameter { without, ..self }
    }

    /// It has a meaning only where another parameter is one of these words.
    pub fn only_with(self, other: &'static str, values: &'static [&'static str]) -> Self {
        Parameter { only: Some((other, values)), ..self }
    }

    /// What its value is.
    pub fn kind(&self) -> Kind {
        self.slot.kind()
    }

    /// Whether it may be nothing.
    pub fn is_optional(&self) -> bool {
        self.slot.is_optional()
    }

    /// What it takes, in words.
    pub fn expected(&self) -> String {
        self.kind().expected()
    }

    /// Its value.
    pub fn get(&self) -> Value {
        self.slot.get()
    }

    /// Takes a value of its kind; a range is looked at by [`Parameter::check`].
    pub fn set(&mut self, value: &Value) -> Result<()> {
        if self.slot.set(value) {
            return Ok(());
        }
        let (name, expected) = (self.name, self.kind().expected());
        let shown = value.to_string();
        Err(match (self.kind(), value) {
            // Another word, or a number below zero where things are counted.
            (Kind::Word(_), Value::Word(_)) => {
                Error::parameter(name, format!("'{shown}'"), expected)
            }
            (Kind::Count, Value::Number(number)) if *number < 0.0 => {
                Error::parameter(name, shown, "at least 1")
            }
            _ => Error::Kind { name, value: shown, expected },
        })
    }

    /// Refuses a number outside its range.
    pub fn check(&self) -> Result<()> {
        match self.get().number() {
            Some(number) if !self.range.holds(number) => {
                Err(Error::parameter(self.name, number, self.range.words))
            }
            _ => Ok(()),
        }
    }

    /// What it is without a value of one's own, in words.
    pub fn usual(&self) -> String {
        match (self.without, self.get()) {
            ("", value) => value.to_string(),
            (without, _) => without.to_string(),
        }
    }
}

/// Something with parameters, by their names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Named {
    /// Its own name.
    pub name: String,
    /// The values of its parameters.
    pub parameters: serde_json::Map<String, serde_json::Value>,
}

impl Named {
    /// What something of this name has for parameters.
    pub(crate) fn new(name: &str, parameters: &[Parameter<'_>]) -> Result<Self> {
        let entry = |parameter: &Parameter<'_>| {
            let value = serde_json::to_value(parameter.get());
            let value = value.map_err(|error| Error::BadModel { reason: error.to_string() })?;
            Ok((parameter.name.to_string(), value))
        };
        Ok(Named {
            name: name.to_string(),
            // Numbers for each point are no text.
            parameters: parameters
                .iter()
                .filter(|parameter| parameter.kind() != Kind::Vector)
                .map(entry)
                .collect::<Result<_>>()?,
        })
    }

    /// Gives parameters the values that they have here; others keep theirs.
    pub(crate) fn give(&self, parameters: Vec<Parameter<'_>>) -> Result<()> {
        for mut parameter in parameters {
            let Some(value) = self.parameters.get(parameter.name) else { continue };
            let value: Value = serde_json::from_value(value.clone())
                .map_err(|error| Error::BadModel { reason: error.to_string() })?;
            parameter.set(&value)?;
            parameter.check()?;
        }
        Ok(())
    }
}
