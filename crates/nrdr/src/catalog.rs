//! What methods and strategies there are, with their parameters: the one list that the command line, Python, the tables
//! in the documentation and tests read.

use serde::Serialize;

use crate::input::{Dims, Options};
use crate::method::{self, Needs};
use crate::metric::Metric;
use crate::parameter::{Kind, Parameter, Slot, Value};
use crate::strategy::Strategy;

/// All methods and strategies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Catalog {
    /// The methods.
    pub methods: Vec<MethodEntry>,
    /// The strategies.
    pub strategies: Vec<StrategyEntry>,
    /// The metrics.
    pub metrics: Vec<MetricEntry>,
    /// What is taken by default.
    pub defaults: Defaults,
}

/// [`Options`] by default.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Defaults {
    /// Number of coordinates.
    pub dims: usize,
    /// The most coordinates, where their number is to be found out.
    pub most_dims: usize,
    /// Number of nearest neighbours.
    pub neighbors: usize,
    /// How neighbours are searched.
    pub search: Value,
    /// The least share of true neighbours that an approximate search has to find.
    pub recall: f64,
    /// What to do when the graph falls apart.
    pub components: Value,
    /// The strategy.
    pub strategy: &'static str,
    /// The solver.
    pub solver: Value,
    /// The tolerance of eigenvectors.
    pub tolerance: f64,
    /// Iterations at most.
    pub max_iterations: usize,
    /// Start of the random numbers.
    pub seed: u64,
}

impl Defaults {
    fn new() -> Self {
        let Options { dims, neighbors, search, recall, components, strategy, solver, seed, .. } =
            Options::default();
        Defaults {
            dims: dims.most(),
            most_dims: Dims::AUTO.most(),
            neighbors,
            search: search.get(),
            recall,
            components: components.get(),
            strategy: strategy.name(),
            solver: solver.kind.get(),
            tolerance: solver.tolerance,
            max_iterations: solver.max_iterations,
            seed,
        }
    }
}

/// A method.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MethodEntry {
    /// Short name.
    pub name: &'static str,
    /// Full name.
    pub title: &'static str,
    /// Who it is by, and when; empty for none.
    pub paper: &'static str,
    /// The class in Python.
    pub class: &'static str,
    /// What it is built from, in words.
    pub built_from: &'static str,
    /// What it takes, in words.
    pub takes: &'static str,
    /// Its parameters.
    pub parameters: Vec<ParameterEntry>,
}

/// A strategy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StrategyEntry {
    /// Its name.
    pub name: &'static str,
    /// How it is called where people read.
    pub title: &'static str,
    /// What a coordinate owes to the earlier ones.
    pub help: &'static str,
    /// Who it is by, and when; empty for none.
    pub paper: &'static str,
    /// Its parameters.
    pub parameters: Vec<ParameterEntry>,
}

/// A metric.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MetricEntry {
    /// Its name; a power stands behind a colon.
    pub name: &'static str,
    /// What is near.
    pub help: &'static str,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParameterEntry {
    /// Its name.
    pub name: &'static str,
    /// Number, count, word or vector.
    pub kind: &'static str,
    /// The words that it can be, if it is one.
    pub words: Vec<&'static str>,
    /// Its value by default.
    pub default: Value,
    /// The default in words.
    pub usual: String,
    /// Where a number must lie, in words.
    pub range: &'static str,
    /// What it is.
    pub help: &'static str,
}

/// The list.
pub fn catalog() -> Catalog {
    let methods = method::all().into_iter().map(|mut method| {
        let method::About { name, title, paper, class, needs } = *method.about();
        let (built_from, takes) = (built_from(needs), needs.describe());
        let parameters = method.parameters().iter().map(ParameterEntry::from).collect();
        MethodEntry { name, title, paper, class, built_from, takes, parameters }
    });
    let strategies = Strategy::all().into_iter().map(|strategy| {
        let crate::strategy::About { name, title, help, paper } = *strategy.about();
        let mut rule = strategy.rule().boxed();
        let parameters = rule.parameters().iter().map(ParameterEntry::from).collect();
        StrategyEntry { name, title, help, paper, parameters }
    });
    Catalog {
        methods: methods.collect(),
        strategies: strategies.collect(),
        metrics: Metric::WORDS
            .iter()
            .map(|word| MetricEntry { name: word.name, help: word.help })
            .collect(),
        defaults: Defaults::new(),
    }
}

fn built_from(needs: Needs) -> &'static str {
    match needs {
        Needs::Graph => "the graph of neighbours",
        Needs::Neighborhoods => "the neighbourhoods of the points",
        Needs::Points => "all pairs of points",
        Needs::Matrix => "a matrix",
    }
}

impl From<&Parameter<'_>> for ParameterEntry {
    fn from(parameter: &Parameter<'_>) -> Self {
        let (kind, words) = match parameter.kind() {
            Kind::Number => ("number", Vec::new()),
            Kind::NumberOrAuto => ("number or auto", Vec::new()),
            Kind::Count => ("count", Vec::new()),
            Kind::Word(words) => ("word", words.iter().map(|word| word.name).collect()),
            Kind::Vector => ("vector", Vec::new()),
        };
        let numeric = matches!(parameter.kind(), Kind::Number | Kind::NumberOrAuto | Kind::Count);
        ParameterEntry {
            name: parameter.name,
            kind,
            words,
            default: parameter.get(),
            usual: parameter.usual(),
            range: if numeric { parameter.range.words } else { "" },
            help: parameter.help,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::error::Error;

    #[test]
    fn every_entry_says_what_it_is_and_no_name_stands_for_two_things() {
        let Catalog { methods, strategies, metrics, defaults } = catalog();
        assert!(metrics.iter().all(|metric| !metric.help.is_empty()));
        let names: BTreeSet<&str> = methods.iter().map(|method| method.name).collect();
        assert_eq!(names.len(), methods.len());
        let classes: BTreeSet<&str> = methods.iter().map(|method| method.class).collect();
        assert_eq!(classes.len(), methods.len());
        assert!(strategies.iter().any(|strategy| strategy.name == defaults.strategy));
        let of_methods = methods.iter().flat_map(|method| &method.parameters);
        let of_strategies = strategies.iter().flat_map(|strategy| &strategy.parameters);
        // Options of the command line have one name each: what two have in common must be the same.
        let mut seen: Vec<&ParameterEntry> = Vec::new();
        for parameter in of_methods.chain(of_strategies) {
            assert!(!parameter.help.is_empty() && !parameter.usual.is_empty(), "{parameter:?}");
            match seen.iter().find(|other| other.name == parameter.name) {
                Some(other) => assert_eq!(*other, parameter),
                None => seen.push(parameter),
            }
        }
        assert!(seen.len() > 12, "{}", seen.len());
    }

    #[test]
    fn names_that_nothing_has_are_refused_with_those_there_are() {
        for (found, known) in [
            (method::by_name("pca").map(|_| ()), "lem"),
            (Strategy::by_name("best").map(|_| ()), "unpredictable"),
        ] {
            let error = found.unwrap_err();
            assert!(matches!(error, Error::Unknown { .. }), "{error:?}");
            assert!(error.to_string().contains(known), "{error}");
        }
        for method in method::all() {
            assert_eq!(method::by_name(method.name()).unwrap().name(), method.name());
        }
    }

    #[test]
    fn parameters_take_values_of_their_kind_and_range_only() {
        for method in method::all() {
            for at in 0..method.boxed().parameters().len() {
                let mut method = method.boxed();
                let mut parameters = method.parameters();
                let parameter = &mut parameters[at];
                let (usual, kind, name) = (parameter.get(), parameter.kind(), parameter.name);
                let wrong = match kind {
                    Kind::Word(_) => Value::Word("no such word".to_string()),
                    _ => Value::Word("a word".to_string()),
                };
                assert!(parameter.set(&wrong).is_err(), "{name}");
                assert_eq!(parameter.get(), usual, "{name}");
                parameter.set(&usual).unwrap();
                if kind == Kind::Number {
                    parameter.set(&Value::Number(f64::NAN)).unwrap();
                    let refused = parameter.check().unwrap_err();
                    assert!(matches!(refused, Error::Parameter { name: n, .. } if n == name));
                }
            }
        }
    }
}
