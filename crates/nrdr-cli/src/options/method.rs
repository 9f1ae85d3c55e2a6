//! The method and what belongs to it alone.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use nrdr::Method;
use nrdr::method::{self, Needs};

use super::declared::{Declared, Given};
use crate::failure::Failure;
use crate::words::long;

const HEADING: &str = "Method";

/// The method and its own options.
#[derive(Clone, Debug)]
pub struct MethodArgs {
    pub(crate) method: String,
    given: Given,
}

/// The methods that take points.
pub(crate) fn methods() -> impl Iterator<Item = Box<dyn Method>> {
    method::all().into_iter().filter(|method| method.needs() != Needs::Matrix)
}

/// Their names, for clap.
pub(crate) fn names() -> PossibleValuesParser {
    let value = |method: Box<dyn Method>| {
        PossibleValue::new(method.name()).help(method.about().to_string())
    };
    PossibleValuesParser::new(methods().map(value))
}

/// What they declare.
fn declared() -> Vec<Declared> {
    let mut list = Vec::new();
    for mut method in methods() {
        let name = method.name();
        Declared::add(&mut list, name, &method.parameters());
    }
    list
}

/// Whether an option, by its long name, is one of a method.
pub(crate) fn is_own(option: &str) -> bool {
    option == "method" || declared().iter().any(|declared| long(declared.name) == option)
}

impl MethodArgs {
    /// The method with its parameters; an option of another method is refused.
    pub fn build(&self) -> Result<Box<dyn Method>, Failure> {
        let mut method = method::by_name(&self.method)?;
        let name = method.name();
        let declared = declared();
        for given in self.given.names() {
            let owners = declared.iter().find(|d| d.name == given).map(|d| &d.owners);
            if let Some(owners) = owners.filter(|owners| !owners.contains(&name)) {
                return Err(Failure::Usage(format!(
                    "--{} belongs to {}, not to {name}: leave it out or choose --method",
                    long(given),
                    owners.join(" and ")
                )));
            }
        }
        self.given.give(method.parameters())?;
        Ok(method)
    }
}

impl Args for MethodArgs {
    fn augment_args(command: Command) -> Command {
        let method = Arg::new("method")
            .short('m')
            .long("method")
            .value_name("NAME")
            .default_value("lem")
            .value_parser(names())
            .help_heading(HEADING)
            .help("The spectral method; `nrdr methods` explains them");
        command.arg(method).args(declared().iter().map(|declared| declared.arg(HEADING, false)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for MethodArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let method = matches.get_one::<String>("method").cloned().unwrap_or_default();
        Ok(MethodArgs { method, given: Given::of(&declared(), matches) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
