//! Strategies and what belongs to them alone.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use nrdr::Strategy;

use super::declared::{Declared, Given};
use crate::failure::Failure;

/// The heading of strategies and of what else is said of an embedding.
pub const HEADING: &str = "Embedding";

/// The names of the strategies, for clap.
pub fn names() -> PossibleValuesParser {
    let value = |strategy: Strategy| {
        let about = strategy.about();
        let paper =
            if about.paper.is_empty() { String::new() } else { format!(" ({})", about.paper) };
        PossibleValue::new(about.name).help(format!("{}{paper}", about.help))
    };
    PossibleValuesParser::new(Strategy::all().into_iter().map(value))
}

/// The name of the one that is taken by default.
pub fn usual() -> &'static str {
    Strategy::default().name()
}

/// The names of all, as they are typed.
pub(crate) fn all() -> String {
    Strategy::all().iter().map(Strategy::name).collect::<Vec<_>>().join(",")
}

/// What they declare.
fn declared() -> Vec<Declared> {
    let mut list = Vec::new();
    for strategy in Strategy::all() {
        Declared::add(&mut list, strategy.name(), &strategy.rule().boxed().parameters());
    }
    list
}

/// The options of strategies. Those of one that is not run do nothing.
#[derive(Clone, Debug)]
pub(crate) struct StrategyArgs {
    given: Given,
}

impl StrategyArgs {
    /// The strategy of a name with its parameters.
    pub(crate) fn build(&self, name: &str) -> Result<Strategy, Failure> {
        let mut failed = Ok(());
        let strategy = Strategy::by_name(name)?.with(|parameters| {
            failed = self.given.give(parameters);
            Ok(())
        })?;
        failed?;
        strategy.check()?;
        Ok(strategy)
    }
}

impl Args for StrategyArgs {
    fn augment_args(command: Command) -> Command {
        command.args(declared().iter().map(|declared| declared.arg(HEADING, true)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for StrategyArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(StrategyArgs { given: Given::of(&declared(), matches) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
