//! `nrdr report`: the page of a run whose points are spread over several machines.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::failure::Failure;
use crate::options::outputs::wrote;
use crate::sample::Sample;
use nrdr_write::{check_place, write_atomically};

/// Make the page of a run of `nrdr-mpi embed`, from the sample in its folder
///
/// `nrdr embed --report` makes that of a run on one machine.
#[derive(Args)]
#[command(after_help = "\
Example:
  mpirun -n 16 nrdr-mpi embed points/ -d 3 -o out/ && nrdr report out/ -o page.html")]
pub(crate) struct Make {
    /// The folder that the run wrote
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// The page
    #[arg(short, long, value_name = "FILE.html")]
    out: PathBuf,
}

impl Make {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        check_place(&self.out, &[])?;
        let folder = self.run.join("sample");
        if !folder.is_dir() {
            return Err(Failure::Usage(format!(
                "{} has no folder sample: name the folder of a finished run of `nrdr-mpi embed`",
                self.run.display()
            )));
        }
        let page = Sample::read(&folder)?.html()?;
        write_atomically(&self.out, |file| file.write_all(page.as_bytes()))?;
        Ok(writeln!(out, "{}", wrote(&self.out))?)
    }
}
