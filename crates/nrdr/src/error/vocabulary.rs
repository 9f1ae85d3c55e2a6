//! How a front end calls what errors and warnings speak of.

use super::hint::either;

/// Names of parameters and methods as the user of a front end knows them.
pub trait Vocabulary {
    /// A parameter, such as `neighbors`; `None` where the user has no such parameter.
    fn parameter(&self, name: &str) -> Option<String>;

    /// A parameter with one of these values, such as `components = connect or largest`.
    fn setting(&self, name: &str, values: &[&str]) -> Option<String>;

    /// A method by its short name.
    fn method(&self, name: &str) -> String;

    /// The number of the first row and of the first column.
    fn first(&self) -> usize {
        0
    }

    /// A column of the points by its place, counted from 0.
    fn column(&self, at: usize) -> String {
        (at + self.first()).to_string()
    }

    /// A parameter, under its own name where the user has none for it, as for what several words describe.
    fn named(&self, name: &str) -> String {
        let known = self.parameter(name).filter(|_| !name.contains(' '));
        known.unwrap_or_else(|| name.to_string())
    }
}

/// The library's own words.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Vocabulary for Plain {
    fn parameter(&self, name: &str) -> Option<String> {
        Some(name.to_string())
    }

    fn setting(&self, name: &str, values: &[&str]) -> Option<String> {
        Some(format!("{name} = {}", either(values)))
    }

    fn method(&self, name: &str) -> String {
        name.to_string()
    }
}
