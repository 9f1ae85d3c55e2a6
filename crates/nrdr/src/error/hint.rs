//! Ways out, as what is to be done to which parameter.

use super::Vocabulary;

/// Something that helps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// A larger value of a parameter.
    Raise(&'static str),
    /// A smaller value of a parameter.
    Lower(&'static str),
    /// One of these values of a parameter.
    Set(&'static str, &'static [&'static str]),
    /// Another value of a parameter.
    Another(&'static str),
    /// One of these methods.
    Methods(&'static [&'static str]),
    /// At most so many.
    AtMost(usize),
    /// This value of a parameter.
    Use(&'static str, usize),
    /// What has no parameter.
    Say(&'static str),
}

/// Less to do.
pub(crate) const FEWER_POINTS: Hint = Hint::Say("embed fewer points");
/// More to do it with.
pub(crate) const MORE_MEMORY: Hint = Hint::Raise("memory");

impl Hint {
    /// In the words of a front end; `None` where its user cannot do that.
    pub fn told(self, words: &dyn Vocabulary) -> Option<String> {
        match self {
            Hint::Raise(name) => words.parameter(name).map(|name| format!("raise {name}")),
            Hint::Lower(name) => words.parameter(name).map(|name| format!("lower {name}")),
            Hint::Set(name, values) => {
                words.setting(name, values).map(|setting| format!("choose {setting}"))
            }
            Hint::Another(name) => {
                words.parameter(name).map(|name| format!("choose another {name}"))
            }
            Hint::Methods(names) => {
                let names: Vec<String> = names.iter().map(|name| words.method(name)).collect();
                Some(format!("use {}", either(&names)))
            }
            Hint::AtMost(most) => Some(format!("choose at most {most}")),
            Hint::Use(name, value) => {
                words.setting(name, &[&value.to_string()]).map(|setting| format!("use {setting}"))
            }
            Hint::Say(text) => Some(text.to_string()),
        }
    }
}

/// All that a user can do, "a, b or c"; `None` if that is nothing.
pub(super) fn way_out(hints: &[Hint], words: &dyn Vocabulary) -> Option<String> {
    let told: Vec<String> = hints.iter().filter_map(|hint| hint.told(words)).collect();
    (!told.is_empty()).then(|| either(&told))
}

/// "a, b or c"
pub fn either<T: AsRef<str>>(items: &[T]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.as_slice() {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        _ => items.concat(),
    }
}
