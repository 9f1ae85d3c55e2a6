//! `nrdr methods`: what there is.

use std::io::Write;

use clap::Args;
use nrdr::method::Needs;

use crate::failure::Failure;
use crate::options::method::methods;

/// List the methods, their options and their papers
#[derive(Args)]
#[command(after_help = "\
Example:
  nrdr methods")]
pub(crate) struct List {}

impl List {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        // The options of a method begin with its name in their help.
        let command = crate::program();
        let embed = command.find_subcommand("embed");
        let arguments: Vec<&clap::Arg> =
            embed.map_or_else(Vec::new, |c| c.get_arguments().collect());
        for method in methods() {
            let built = match method.needs() {
                Needs::Graph => "the graph of neighbours",
                Needs::Neighborhoods => "the neighbourhoods of the points",
                Needs::Points | Needs::Matrix => "all pairs of points",
            };
            writeln!(out, "{:<8} {}", method.name(), method.about())?;
            writeln!(out, "         built from {built}")?;
            for argument in &arguments {
                let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
                let Some((owners, text)) = help.split_once(": ") else { continue };
                if owners.split(", ").any(|owner| owner == method.name()) {
                    let long = argument.get_long().unwrap_or_default();
                    writeln!(out, "         --{long:<10} {text}")?;
                }
            }
            writeln!(out)?;
        }
        writeln!(out, "Choose with --method NAME of `nrdr embed` and `nrdr compare`.")?;
        Ok(())
    }
}
