//! Where results go that more than one command writes.

use std::io::{BufWriter, ErrorKind, IsTerminal, Write, stdout};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::failure::Failure;
use crate::terminal::Terminal;
use nrdr_write::{check_different, check_place, printable};

/// The report, the numbers, and how much is said.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = OUTPUT)]
pub(crate) struct Outputs {
    /// A page to look at and to show around
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,

    /// All numbers of the run; --config takes it
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// Options from a TOML file, or from the JSON of a run; what is typed counts
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Say nothing unless something is wrong
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// The heading of the options above.
pub const OUTPUT: &str = "Output";

impl Outputs {
    /// Refuses what cannot be written before anything is computed: `files` are all outputs, `inputs` what is read
    /// beside the configuration.
    pub(crate) fn check(&self, files: &[&Path], inputs: &[Option<&Path>]) -> Result<(), Failure> {
        let inputs = inputs.iter().copied().chain([self.config.as_deref()]);
        let inputs: Vec<&Path> = inputs.flatten().collect();
        files.iter().try_for_each(|file| check_place(file, &inputs))?;
        Ok(check_different(files)?)
    }
}

/// The files that are named.
pub(crate) fn named<const N: usize>(files: [&Option<PathBuf>; N]) -> Vec<&Path> {
    files.into_iter().flatten().map(PathBuf::as_path).collect()
}

/// Bytes that are collected before they go to standard output.
const BUFFER: usize = 1 << 16;

/// What stands for standard output where a table can go there.
const STDOUT: &str = "-";

/// Whether that is where a table goes: as CSV, while messages go to standard error.
pub(crate) fn is_stdout(file: &Path) -> bool {
    file == Path::new(STDOUT)
}

/// Writes results to standard output, byte for byte, or as they can be shown if that is a terminal. Whoever stops reading,
/// as `head` does, has seen enough.
pub(crate) fn print_results(
    write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let out = stdout().lock();
    let mut out: Box<dyn Write> = if out.is_terminal() {
        Box::new(Terminal::new(out))
    } else {
        Box::new(BufWriter::with_capacity(BUFFER, out))
    };
    match write(&mut out).and_then(|()| Ok(out.flush()?)) {
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// What is said of a file that was written.
pub fn wrote(file: &Path) -> String {
    format!("wrote {}", printable(&file.to_string_lossy()))
}

/// Makes a folder for results, unless it is there.
pub fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let folder = folder.display();
        Failure::Usage(format!("the folder {folder} cannot be made ({error}): choose another"))
    })
}
