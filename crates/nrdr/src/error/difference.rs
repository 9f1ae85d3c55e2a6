//! What two runs differ in.

use super::Vocabulary;

/// Something that a checkpoint has otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What it is: the name of a parameter, or several words.
    pub name: String,
    /// Its value in the checkpoint.
    pub kept: String,
    /// Its value now.
    pub now: String,
}

impl Difference {
    /// The name with one of the values in the words of a front end.
    pub(super) fn told(&self, value: fn(&Self) -> &str, words: &dyn Vocabulary) -> String {
        let (name, value) = (&self.name, value(self));
        format!("{} {value}", words.named(name))
    }
}
