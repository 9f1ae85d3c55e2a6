//! The command line of nrdr: a file a command.

#![forbid(unsafe_code)]

mod bar;
mod demo;

use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Dimensionality reduction by spectral methods.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Demo(demo::Demo),
}

/// What can end a command.
enum Failure {
    /// The library refused or failed.
    Library(nrdr::Error),
    /// The output could not be written.
    Output(io::Error),
}

impl From<nrdr::Error> for Failure {
    fn from(error: nrdr::Error) -> Self {
        Failure::Library(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match cli.command {
        Command::Demo(demo) => demo.run(&mut io::stdout().lock()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the output has seen enough, as `head` does.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(Failure::Output(error)) => fail(&format!("cannot write the output: {error}")),
        Err(Failure::Library(error)) => fail(&error.to_string()),
    }
}

/// A line for what went wrong and a line for the way out, where the message has one after a colon.
fn fail(message: &str) -> ExitCode {
    match message.rsplit_once(": ") {
        Some((what, way_out)) => eprintln!("error: {what}\n       {way_out}"),
        None => eprintln!("error: {message}"),
    }
    ExitCode::from(2)
}
