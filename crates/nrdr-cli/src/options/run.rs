//! How many coordinates, what they owe to each other, and how they are computed.

use std::fmt;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use nrdr::{Alpha, Options, Policy, Regression, SelectionOptions, SmootherOptions, Strategy};

/// The most coordinates, when their number is to be found out.
const MOST_DIMS: usize = 10;

/// How to embed.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Embedding")]
pub(crate) struct RunArgs {
    /// Number of coordinates, or auto: as many as are worth having, at most 10
    #[arg(short, long, value_name = "N|auto", default_value = "2")]
    pub(crate) dims: Dims,

    /// Number of nearest neighbours
    #[arg(short = 'k', long, value_name = "K", default_value_t = 10)]
    pub(crate) neighbors: usize,

    /// Width of the smoother beside the earlier coordinates' spread, or auto
    #[arg(long, value_name = "A|auto", default_value = "auto")]
    pub(crate) alpha: AlphaArg,

    /// How the smoother predicts
    #[arg(long, value_enum, default_value_t = SmootherName::Nw)]
    pub(crate) smoother: SmootherName,

    /// selection: number of original coordinates to select from [default: ten times as many]
    #[arg(long, value_name = "M")]
    pub(crate) candidates: Option<usize>,

    /// What to do when the neighbour graph falls apart
    #[arg(long, value_enum, default_value_t = PolicyName::Connect)]
    pub(crate) components: PolicyName,

    /// Start of the random numbers
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,

    /// Number of threads; the result does not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// Number of coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dims {
    /// As many as are worth having.
    Auto,
    /// So many.
    Exactly(usize),
}

impl FromStr for Dims {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Dims::Auto),
            number => match number.parse() {
                Ok(0) | Err(_) => Err("expected a number from 1, or auto".to_string()),
                Ok(dims) => Ok(Dims::Exactly(dims)),
            },
        }
    }
}

/// Width of the smoother.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AlphaArg(pub(crate) Alpha);

impl FromStr for AlphaArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.parse::<f64>()) {
            ("auto", _) => Ok(AlphaArg(Alpha::Auto)),
            (_, Ok(alpha)) if (1e-6..=1e6).contains(&alpha) => Ok(AlphaArg(Alpha::Fixed(alpha))),
            _ => Err("expected a number from 1e-6 to 1e6, or auto".to_string()),
        }
    }
}

impl fmt::Display for AlphaArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How the smoother predicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SmootherName {
    /// Nadaraya-Watson: the local mean
    Nw,
    /// A local linear fit
    LocalLinear,
}

/// What to do when the neighbour graph falls apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PolicyName {
    /// Join the components by their shortest edges
    Connect,
    /// Embed the largest component; other rows stay empty
    Largest,
    /// Stop with an error
    Error,
}

/// What a coordinate owes to the earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StrategyName {
    /// Unpredictable from the earlier ones (Blau & Michaeli 2017)
    Unpredictable,
    /// Orthogonal to them: the original method
    Orthogonal,
    /// Original coordinates that the earlier ones predict least (Dsilva et al. 2018)
    Selection,
    /// First coordinate of what the earlier ones do not predict of the points
    Regression,
    /// First coordinate of points moved along the earlier ones (Gerber et al. 2007)
    Advection,
}

impl RunArgs {
    /// The library's options.
    pub(crate) fn options(&self, strategy: Strategy) -> Options {
        let (dims, auto_dims) = match self.dims {
            Dims::Auto => (MOST_DIMS, true),
            Dims::Exactly(dims) => (dims, false),
        };
        Options {
            dims,
            auto_dims,
            neighbors: self.neighbors,
            components: match self.components {
                PolicyName::Connect => Policy::Connect,
                PolicyName::Largest => Policy::Largest,
                PolicyName::Error => Policy::Error,
            },
            strategy,
            seed: self.seed,
            threads: self.threads.map(usize::from),
            ..Default::default()
        }
    }

    /// The strategy with its options.
    pub(crate) fn strategy(&self, name: StrategyName) -> Strategy {
        let smoother = SmootherOptions {
            alpha: self.alpha.0,
            regression: match self.smoother {
                SmootherName::Nw => Regression::NadarayaWatson,
                SmootherName::LocalLinear => Regression::LocallyLinear,
            },
            ..Default::default()
        };
        match name {
            StrategyName::Unpredictable => Strategy::Unpredictable(smoother),
            StrategyName::Orthogonal => Strategy::Orthogonal,
            StrategyName::Selection => {
                let candidates = self.candidates;
                Strategy::Selection(SelectionOptions { candidates, ..Default::default() })
            }
            StrategyName::Regression => Strategy::Regression(smoother),
            StrategyName::Advection => Strategy::Advection,
        }
    }
}
