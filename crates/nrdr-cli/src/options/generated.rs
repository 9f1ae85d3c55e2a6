//! Generated data sets, by their names.

use clap::{Args, ValueEnum};
use nrdr::datasets::{Cube, Dataset, SCurve, Strip, SwissRoll, Torus};

/// The data sets that can be generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Name {
    /// A sheet rolled up in three dimensions (--height, --noise, --hole)
    SwissRoll,
    /// A sheet bent to an S (--height, --noise)
    SCurve,
    /// A flat rectangle (--aspect, --noise)
    Strip,
    /// A box of any dimension (--sides, --noise)
    Cube,
    /// The surface of a ring (--major, --minor, --noise)
    Torus,
}

/// What a generated data set is like.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Generated data")]
pub(crate) struct Shape {
    /// Number of generated points
    #[arg(short = 'n', long, value_name = "N", default_value_t = 2000)]
    #[arg(value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    pub(crate) points: u32,

    /// Standard deviation of the noise [default: 0]
    #[arg(long)]
    noise: Option<f64>,

    /// Width of the sheet [default: 21 of a swiss-roll, 2 of an s-curve]
    #[arg(long)]
    height: Option<f64>,

    /// Cut a hole into the swiss-roll
    #[arg(long)]
    hole: bool,

    /// Length over width of a strip [default: 2.5]
    #[arg(long)]
    aspect: Option<f64>,

    /// Sides of a cube, as many as dimensions [default: 1,1,1]
    #[arg(long, value_delimiter = ',', action = clap::ArgAction::Set)]
    sides: Option<Vec<f64>>,

    /// Radius of a torus' ring [default: 10]
    #[arg(long)]
    major: Option<f64>,

    /// Radius of a torus' tube [default: 4]
    #[arg(long)]
    minor: Option<f64>,
}

/// Whether an option, by its long name, is one of generated data.
pub(crate) fn is_own(option: &str) -> bool {
    let shape = Shape::augment_args(clap::Command::new("shape"));
    shape.get_arguments().any(|argument| argument.get_long() == Some(option))
}

impl Shape {
    /// The points and their true parameters.
    pub(crate) fn generate(&self, name: Name, seed: u64) -> nrdr::Result<Dataset> {
        let (n, noise) = (self.points as usize, self.noise.unwrap_or(0.0));
        match name {
            Name::SwissRoll => {
                let height = self.height.unwrap_or(SwissRoll::default().height);
                SwissRoll { n, height, noise, hole: self.hole }.generate(seed)
            }
            Name::SCurve => {
                let height = self.height.unwrap_or(SCurve::default().height);
                SCurve { n, height, noise }.generate(seed)
            }
            Name::Strip => {
                let aspect = self.aspect.unwrap_or(Strip::default().aspect);
                Strip { n, aspect, noise }.generate(seed)
            }
            Name::Cube => {
                let sides = self.sides.clone().unwrap_or(Cube::default().sides);
                Cube { n, sides, noise }.generate(seed)
            }
            Name::Torus => {
                let Torus { major, minor, .. } = Torus::default();
                let (major, minor) = (self.major.unwrap_or(major), self.minor.unwrap_or(minor));
                Torus { n, major, minor, noise }.generate(seed)
            }
        }
    }
}
