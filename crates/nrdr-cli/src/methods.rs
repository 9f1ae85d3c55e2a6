//! `nrdr methods`: what there is.

use std::io::Write;

use clap::Args;
use nrdr::method::Needs;
use nrdr::parameter::Parameter;
use nrdr::{Metric, Strategy};

use crate::failure::Failure;
use crate::options::method::methods;
use crate::words::long;

/// List the methods and strategies, their options and their papers
#[derive(Args)]
#[command(after_help = "\
Example:
  nrdr methods")]
pub struct List {}

impl List {
    /// Lists them.
    pub fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        for mut method in methods() {
            let built = match method.needs() {
                Needs::Graph => "the graph of neighbours",
                Needs::Neighborhoods => "the neighbourhoods of the points",
                Needs::Points | Needs::Matrix => "all pairs of points",
            };
            writeln!(out, "{:<14} {}", method.name(), method.about())?;
            writeln!(out, "               built from {built}")?;
            options(&method.parameters(), out)?;
            writeln!(out)?;
        }
        writeln!(out, "Choose with --method NAME of `nrdr embed` and `nrdr compare`.\n")?;
        writeln!(out, "What is near, where a method is built from neighbours:\n")?;
        for metric in Metric::WORDS {
            writeln!(out, "{:<14} {}", metric.name, metric.help)?;
        }
        writeln!(out, "\nChoose with --metric NAME; without it, euclidean is taken.\n")?;
        writeln!(out, "What a coordinate owes to the earlier ones:\n")?;
        for strategy in Strategy::all() {
            let about = strategy.about();
            let paper =
                if about.paper.is_empty() { String::new() } else { format!(" ({})", about.paper) };
            writeln!(out, "{:<14} {}{paper}", about.name, about.help)?;
            options(&strategy.rule().boxed().parameters(), out)?;
            writeln!(out)?;
        }
        let usual = Strategy::default();
        writeln!(out, "Choose with --strategy NAME; without it, {} is taken.", usual.name())?;
        Ok(())
    }
}

fn options(parameters: &[Parameter<'_>], out: &mut impl Write) -> Result<(), Failure> {
    for parameter in parameters {
        let (name, help, usual) = (long(parameter.name), parameter.help, parameter.usual());
        writeln!(out, "               --{name:<11} {help} [default: {usual}]")?;
    }
    Ok(())
}
