//! The command line of nrdr: a file a command. A library only for the programs of this workspace and for tests.

#![forbid(unsafe_code)]
// Everything that is said goes through `terminal`.
#![warn(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]
// `!(x > 0.0)` is meant: it also catches NaN.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

mod bar;
mod best;
mod checkpoint;
mod compare;
mod completions;
mod config;
mod dataset;
mod demo;
mod doctor;
mod embed;
mod failure;
mod inspect;
mod interrupt;
mod json;
mod manual;
mod methods;
mod options;
mod plan;
mod plot;
mod redundancy;
mod report;
mod run_page;
mod sample;
pub mod shared;
mod tables;
mod terminal;
mod transform;
mod words;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};

use failure::Failure;
use json::About;
use nrdr_report::found;
use options::standardize;

/// Dimensionality reduction by spectral methods whose coordinates do not repeat each other
#[derive(Parser)]
#[command(version, name = "nrdr", args_override_self = true)]
#[command(after_help = "\
Begin with:
  nrdr demo                            a Swiss roll by every method
  nrdr embed data.csv                  what comes out of a table
  nrdr embed data.csv -o out.csv --report page.html
  nrdr embed -h                        its options; --help explains them")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Embed(Box<embed::Embed>),
    Compare(Box<compare::Compare>),
    Transform(transform::Transform),
    Inspect(inspect::Inspect),
    Redundancy(redundancy::Measure),
    Report(run_page::Make),
    Methods(methods::List),
    Demo(demo::Demo),
    Dataset(dataset::Generate),
    Doctor(doctor::Doctor),
    #[command(name = "man")]
    Manual(manual::Manual),
    Completions(completions::Completions),
}

impl Command {
    /// Whether standard output takes results, so that messages go elsewhere.
    fn prints_results(&self) -> bool {
        match self {
            Command::Embed(embed) => embed.prints_results(),
            Command::Transform(transform) => transform.prints_results(),
            Command::Dataset(generate) => generate.prints_results(),
            _ => false,
        }
    }
}

/// Runs the command that was typed and tells how it ended.
pub fn main() -> ExitCode {
    interrupt::install();
    match run(std::env::args_os().collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.tell(),
    }
}

fn run(typed: Vec<OsString>) -> Result<(), Failure> {
    let program = program();
    let arguments = config::expanded(&program, standardize::joined(typed.clone()))?;
    let parsed = program.clone().try_get_matches_from(arguments);
    let matches = parsed.unwrap_or_else(|error| terminal::exit(error));
    // What the parser accepts, the derived structs take.
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| terminal::exit(error));
    let config = match matches.subcommand() {
        Some((name, matches)) => program
            .find_subcommand(name)
            .map(|command| config::of_matches(command, matches))
            .unwrap_or_default(),
        None => Default::default(),
    };
    nrdr::start_threads()?;
    let about = About { command: config::quoted("nrdr", &typed), config };
    let out = &mut terminal::messages(cli.command.prints_results());
    match cli.command {
        Command::Demo(demo) => demo.run(&about, out),
        Command::Embed(embed) => embed.run(&about, out),
        Command::Transform(transform) => transform.run(out),
        Command::Inspect(inspect) => inspect.run(out),
        Command::Compare(compare) => compare.run(&about, out),
        Command::Redundancy(measure) => measure.run(out),
        Command::Report(make) => make.run(out),
        Command::Dataset(generate) => generate.run(out),
        Command::Methods(list) => list.run(out),
        Command::Doctor(doctor) => doctor.run(out),
        Command::Manual(manual) => manual.run(out),
        Command::Completions(completions) => completions.run(out),
    }
}

/// The options of `nrdr embed` that a configuration gives, as they would be typed; for tests that try any text.
#[doc(hidden)]
pub fn options_of_configuration(text: &str, is_json: bool) -> Result<Vec<OsString>, String> {
    let program = program();
    let Some(embed) = program.find_subcommand("embed") else { return Ok(Vec::new()) };
    let name = Path::new(if is_json { "run.json" } else { "run.toml" });
    let options = config::options_in(&program, embed, name, text);
    options.map(config::typed_as).map_err(Failure::into_message)
}

fn program() -> clap::Command {
    Cli::command().mut_subcommands(with_help)
}

/// A command whose options count as typed last where a configuration and the command line both name them, with its help at the end.
pub fn with_help(command: clap::Command) -> clap::Command {
    let command = command.args_override_self(true);
    // Where options stand under headings, --help is not the first of them.
    if command.get_arguments().all(|argument| argument.get_help_heading().is_none()) {
        return command;
    }
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help);
    let help = help.help("Print help: all of it with --help, less with -h");
    command.disable_help_flag(true).arg(help.help_heading("Help"))
}
