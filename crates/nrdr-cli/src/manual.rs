//! `nrdr man`: the manual, a page for each command.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use clap_mangen::Man;

use crate::failure::Failure;
use crate::options::outputs::{make_folder, wrote};
use nrdr_write::{Outputs, check_place};

/// Write the manual, a page for each command, for `man`
#[derive(Args)]
#[command(after_help = "\
Example:
  nrdr man ~/.local/share/man/man1 && man nrdr-embed")]
pub(crate) struct Manual {
    /// The folder of the pages nrdr.1, nrdr-embed.1, ..
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Manual {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        make_folder(&self.folder)?;
        let mut program = crate::program();
        // Names of commands become those that are typed, and options of all reach each.
        program.build();
        let commands = program.get_subcommands().filter(|command| command.get_name() != "help");
        let mut written = Outputs::default();
        let mut files = Vec::new();
        for command in std::iter::once(&program).chain(commands) {
            let page = Man::new(command.clone());
            let file = self.folder.join(page.get_filename());
            check_place(&file, &[])?;
            written.add(&file, |out| page.render(out))?;
            files.push(file);
        }
        written.commit()?;
        files.iter().try_for_each(|file| writeln!(out, "{}", wrote(file)))?;
        Ok(())
    }
}
