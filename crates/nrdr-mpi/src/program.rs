//! The program `nrdr-mpi`: what was typed, at every process, of which the first one speaks.

use std::ffi::OsString;
use std::io::{Write, sink};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use nrdr::team::Team;
use nrdr_cli::shared::{
    About, Failure, List, exit, expanded, handle_interrupts_in, joined, messages, of_matches,
    quoted, with_help,
};

use crate::embed::Embed;
use crate::middle::Middle;
use crate::options::told_apart;
use crate::together::{agreed, gathered};
use crate::transform::Transform;

/// The exit code of what cannot be done.
const REFUSED: u8 = 2;

/// Dimensionality reduction of points that are spread over several machines: nrdr over MPI
#[derive(Parser)]
#[command(version, name = "nrdr-mpi", args_override_self = true)]
#[command(after_help = "\
Begin with:
  mpirun -n 4 nrdr-mpi embed points/ -d 3 -o out/
  nrdr-mpi embed -h                        its options; --help explains them")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Embed(Box<Embed>),
    Transform(Transform),
    Methods(List),
}

/// Runs the command that was typed, as a member of a team with so many threads each, and tells how it ended. All members end with
/// the same code.
pub fn main(team: &dyn Team, middle: &dyn Middle, threads: usize) -> ExitCode {
    let speaks = team.rank() == 0;
    handle_interrupts_in(speaks);
    match run(team, middle, std::env::args_os().collect(), Some(threads)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Ended::Failed(failure)) if speaks => failure.tell(),
        Err(Ended::Failed(_)) => ExitCode::from(REFUSED),
        Err(Ended::Parsed(error)) if speaks => exit(*error),
        Err(Ended::Parsed(error)) => {
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(REFUSED))
        }
    }
}

/// Why a program ended.
enum Ended {
    /// What was typed is not understood, or asks for help.
    Parsed(Box<clap::Error>),
    Failed(Failure),
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Self {
        Ended::Failed(failure)
    }
}

impl From<clap::Error> for Ended {
    fn from(error: clap::Error) -> Self {
        Ended::Parsed(Box::new(error))
    }
}

/// Runs what was typed as a member of a team; for tests, too.
pub fn run_typed(team: &dyn Team, middle: &dyn Middle, typed: Vec<OsString>) -> Result<(), String> {
    run(team, middle, typed, None).map_err(|ended| match ended {
        Ended::Parsed(error) => error.to_string(),
        Ended::Failed(failure) => failure.into_message(),
    })
}

/// Understands and does what was typed, by so many threads of each member unless it says otherwise; by those there are, if none.
fn run(
    team: &dyn Team,
    middle: &dyn Middle,
    typed: Vec<OsString>,
    threads: Option<usize>,
) -> Result<(), Ended> {
    let (cli, about) = parsed_by_all(team, parse(typed))?;
    if let Some(usual) = threads {
        let asked = match &cli.command {
            Command::Embed(embed) => embed.threads(),
            Command::Transform(transform) => transform.threads(),
            Command::Methods(_) => None,
        };
        let started = nrdr::start_threads_of(Some(asked.unwrap_or(usual)));
        agreed(team, started.map_err(Failure::from))?;
    }
    let mut terminal;
    let mut nowhere = sink();
    let mut out: &mut dyn Write = if team.rank() == 0 {
        terminal = messages(false);
        &mut terminal
    } else {
        &mut nowhere
    };
    match cli.command {
        Command::Embed(embed) => embed.run(team, middle, &about, out)?,
        Command::Transform(transform) => transform.run(team, out)?,
        Command::Methods(list) => list.run(&mut out)?,
    }
    Ok(())
}

/// What was typed, and all that is known of it.
fn parse(typed: Vec<OsString>) -> Result<(Cli, About), Ended> {
    let program = program();
    let arguments = expanded(&program, told_apart(joined(typed.clone())))?;
    let matches = program.clone().try_get_matches_from(arguments)?;
    let cli = Cli::from_arg_matches(&matches)?;
    let config = match matches.subcommand() {
        Some((name, matches)) => program
            .find_subcommand(name)
            .map(|command| of_matches(command, matches))
            .unwrap_or_default(),
        None => Default::default(),
    };
    Ok((cli, About { command: quoted("nrdr-mpi", &typed), config }))
}

/// What all members understood: a file of options may be missing on one host only.
fn parsed_by_all<T>(team: &dyn Team, mine: Result<T, Ended>) -> Result<T, Ended> {
    let (text, mine) = match mine {
        Ok(parsed) => (None, Ok(parsed)),
        Err(Ended::Parsed(error)) => (Some(error.to_string()), Err(Ended::Parsed(error))),
        Err(Ended::Failed(failure)) => {
            let text = failure.into_message();
            (Some(text.clone()), Err(Failure::Usage(text).into()))
        }
    };
    let others: Vec<Option<String>> = gathered(team, Ok(text))?;
    match others.into_iter().flatten().next() {
        Some(text) if mine.is_ok() => Err(Failure::Usage(text).into()),
        _ => mine,
    }
}

fn program() -> clap::Command {
    Cli::command().mut_subcommands(with_help)
}
