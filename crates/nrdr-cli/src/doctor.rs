//! `nrdr doctor`: what is installed, what there is to compute with, and how fast it is.

use std::env;
use std::io::{IsTerminal, Write, stderr, stdin, stdout};
use std::path::{Path, PathBuf};

use clap::Args;
use nrdr::machine::{Machine, Speed};
use nrdr::number::rounded;
use nrdr::{Strategy, size};
use serde::Serialize;

use crate::failure::Failure;
use crate::json;
use crate::options::method::methods;
use crate::options::outputs::wrote;
use crate::plot;
use nrdr_io::{READ, WRITTEN};
use nrdr_write::{check_place, printable, write_atomically};

/// Tell what is installed, what there is to compute with, and how fast it is
///
/// The numbers of two machines can be held beside each other: the product of two matrices of a fixed size, and an embedding of
/// a fixed roll from end to end. That takes about two seconds.
#[derive(Args)]
#[command(after_help = "\
Examples:
  nrdr doctor
  nrdr doctor --json doctor.json")]
pub(crate) struct Doctor {
    /// Write all of it to a file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// All that is told.
#[derive(Serialize)]
struct Told {
    program: Program,
    machine: Machine,
    places: Vec<Place>,
    terminal: Streams,
    speed: Speed,
}

/// What is installed.
#[derive(Serialize)]
struct Program {
    version: &'static str,
    file: Option<String>,
    system: &'static str,
    processor: &'static str,
    /// Whether it was compiled to be fast.
    optimized: bool,
    reads: Vec<&'static str>,
    writes: Vec<&'static str>,
    draws: Vec<&'static str>,
    methods: Vec<&'static str>,
    strategies: Vec<&'static str>,
}

/// A folder and whether files can be made there.
#[derive(Serialize)]
struct Place {
    what: &'static str,
    folder: String,
    /// Why not, if they cannot.
    error: Option<String>,
}

/// What is a terminal.
#[derive(Serialize)]
struct Streams {
    input: bool,
    output: bool,
    error: bool,
    kind: Option<String>,
}

impl Doctor {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        if let Some(file) = &self.json {
            check_place(file, &[])?;
        }
        let told = Told {
            program: Program::here(),
            machine: Machine::here(),
            places: vec![
                Place::new("this folder", Path::new(".")),
                Place::new("temporary folder", &env::temp_dir()),
            ],
            terminal: Streams {
                input: stdin().is_terminal(),
                output: stdout().is_terminal(),
                error: stderr().is_terminal(),
                kind: env::var("TERM").ok(),
            },
            speed: Speed::measure()?,
        };
        told.tell(out)?;
        if let Some(file) = &self.json {
            let text = json::text(&told)?;
            write_atomically(file, |out| out.write_all(text.as_bytes()))?;
            writeln!(out, "{}", wrote(file))?;
        }
        Ok(())
    }
}

impl Program {
    fn here() -> Self {
        let file = env::current_exe().ok();
        Program {
            version: env!("CARGO_PKG_VERSION"),
            file: file.map(|file| file.to_string_lossy().into_owned()),
            system: env::consts::OS,
            processor: env::consts::ARCH,
            optimized: !cfg!(debug_assertions),
            reads: READ.to_vec(),
            writes: WRITTEN.to_vec(),
            draws: plot::ENDINGS.to_vec(),
            methods: methods().map(|method| method.name()).collect(),
            strategies: Strategy::all().iter().map(Strategy::name).collect(),
        }
    }
}

impl Place {
    fn new(what: &'static str, folder: &Path) -> Self {
        let error = check_place(&folder.join(".nrdr-doctor"), &[]).err();
        Place {
            what,
            folder: folder.canonicalize().unwrap_or(folder.to_path_buf()).display().to_string(),
            error: error.map(|error| error.reason()),
        }
    }
}

impl Told {
    fn tell(&self, out: &mut impl Write) -> Result<(), Failure> {
        let mut line = |name: &str, text: &str| writeln!(out, "{name:<18} {}", printable(text));
        let Told { program, machine, places, terminal, speed } = self;
        let built = if program.optimized { "release" } else { "debug, slow" };
        let (system, processor) = (program.system, program.processor);
        line("nrdr", &format!("{} ({built}; {system}, {processor})", program.version))?;
        line("program", program.file.as_deref().unwrap_or("unknown"))?;
        line("reads", &program.reads.join(" "))?;
        line("writes", &program.writes.join(" "))?;
        line("draws", &program.draws.join(" "))?;
        line("methods", &program.methods.join(" "))?;
        line("strategies", &program.strategies.join(" "))?;
        line("cores", &machine.cores.to_string())?;
        line("threads", &machine.threads.to_string())?;
        line("instructions", machine.simd)?;
        let memory = &machine.memory;
        let bytes = |bytes: Option<u64>| bytes.map_or("unknown".to_string(), size::told);
        let total = bytes(memory.total);
        line("memory", &format!("{} of {total} available", bytes(memory.available)))?;
        let limit = |bytes: Option<u64>| {
            bytes.map_or("no limit".to_string(), |bytes| format!("{} left", size::told(bytes)))
        };
        line("  control groups", &limit(memory.control_groups))?;
        line("  address space", &limit(memory.address_space))?;
        line("  a run takes", &format!("{} at most, unless --memory says", bytes(memory.run)))?;
        for Place { what, folder, error } in places {
            let state = match error {
                None => "writable".to_string(),
                Some(error) => format!("not writable: {error}"),
            };
            line(what, &format!("{folder}: {state}"))?;
        }
        let yes = |is_one: bool| if is_one { "yes" } else { "no" };
        let Streams { input, output, error, kind } = terminal;
        let kind = kind.as_deref().unwrap_or("none");
        let (input, output, error) = (yes(*input), yes(*output), yes(*error));
        line("terminal", &format!("input {input}, output {output}, errors {error}; TERM {kind}"))?;
        let Speed { gigaflops, size, embedding_seconds, points, .. } = speed;
        let gigaflops = rounded(*gigaflops, 3);
        line("matrix product", &format!("{gigaflops} GFLOP/s ({size} x {size}, all threads)"))?;
        let seconds = rounded(*embedding_seconds, 3);
        line("embedding", &format!("{seconds} s (lem, priced, {points} points of a swiss-roll)"))?;
        Ok(())
    }
}
