//! How many coordinates, and how they are computed.

use clap::Args;
use clap::builder::ValueParser;
use nrdr::parameter::{Slot, Value, Words};
use nrdr::{Dims, Options, Policy, Strategy};

use super::declared::possible;
use super::strategy::{HEADING, StrategyArgs};
use crate::failure::Failure;

/// How to embed.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = HEADING)]
pub(crate) struct RunArgs {
    /// Number of coordinates, or auto: as many as are worth having, at most 10
    #[arg(short, long, value_name = "N|auto", default_value = "2", value_parser = dims)]
    pub(crate) dims: Dims,

    /// Number of nearest neighbours
    #[arg(short = 'k', long, value_name = "K", default_value_t = 10)]
    pub(crate) neighbors: usize,

    #[command(flatten)]
    strategies: StrategyArgs,

    /// What to do when the neighbour graph falls apart
    #[arg(long, value_name = "POLICY", default_value = "connect", value_parser = policies())]
    components: String,

    /// Start of the random numbers
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,

    /// Number of threads; the result does not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

fn dims(text: &str) -> Result<Dims, String> {
    match (text, text.parse::<usize>()) {
        ("auto", _) => Ok(Dims::AUTO),
        (_, Ok(dims)) if dims > 0 => Ok(Dims::Exactly(dims)),
        _ => Err("expected a number from 1, or auto".to_string()),
    }
}

fn policies() -> ValueParser {
    possible(Policy::WORDS).into()
}

impl RunArgs {
    /// The library's options.
    pub(crate) fn options(&self) -> Options {
        let mut components = Policy::default();
        components.set(&Value::Word(self.components.clone()));
        Options {
            dims: self.dims,
            neighbors: self.neighbors,
            components,
            seed: self.seed,
            threads: self.threads.map(usize::from),
            ..Default::default()
        }
    }

    /// The strategy of a name with its options.
    pub(crate) fn strategy(&self, name: &str) -> Result<Strategy, Failure> {
        self.strategies.build(name)
    }
}
