//! The library's words as they are typed on the command line.

use nrdr::{Metric, Vocabulary, either};
use nrdr_io::{ReadOption, Words};

/// An option's name as it is typed, without the dashes.
pub(crate) fn long(name: &str) -> String {
    name.replace('_', "-")
}

/// What a headline says of a metric: nothing of the usual one.
pub fn by_metric(metric: Metric) -> String {
    if metric == Metric::Euclidean { String::new() } else { format!(", metric {metric}") }
}

/// The library's words with its parameters as they are typed; people count rows and columns from 1.
pub struct Typed;

impl Vocabulary for Typed {
    fn parameter(&self, name: &str) -> Option<String> {
        // What the command line leaves to the library.
        let silent = ["max_iterations", "tolerance", "threshold"];
        (!silent.contains(&name)).then(|| format!("--{}", long(name)))
    }

    fn setting(&self, name: &str, values: &[&str]) -> Option<String> {
        match (name, values) {
            ("search", [value]) => return Some(format!("--neighbors-{value}")),
            ("neighbors", [value]) => return Some(format!("-k {value}")),
            _ => {}
        }
        self.parameter(name).map(|name| format!("{name} {}", either(values)))
    }

    fn method(&self, name: &str) -> String {
        name.to_string()
    }

    fn first(&self) -> usize {
        1
    }
}

impl Words for Typed {
    fn setting(&self, option: ReadOption, value: Option<&str>) -> String {
        let value = value.map(|value| format!(" {value}")).unwrap_or_default();
        let name = match option {
            // One of them each time.
            ReadOption::LabelVariable => "label-variable",
            other => other.name(),
        };
        format!("--{name}{value}")
    }
}
