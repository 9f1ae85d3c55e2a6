//! `nrdr completions`: what a shell needs to complete commands and options.

use std::io::Write;

use clap::Args;
use clap_complete::{Shell, generate};

use crate::failure::Failure;

/// Print the completions of a shell
#[derive(Args)]
#[command(after_help = "\
Example:
  nrdr completions bash > ~/.local/share/bash-completion/completions/nrdr")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let mut text = Vec::new();
        generate(self.shell, &mut crate::program(), "nrdr", &mut text);
        Ok(out.write_all(&text)?)
    }
}
