//! `nrdr paper`: figures of Blau & Michaeli (2017), each with its numbers.

mod fig1;
mod fig2;
mod fig4;
mod picture;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use kuva::prelude::{Figure, PngBackend, SvgBackend};

use crate::failure::Failure;
use crate::io::write_atomically;

/// Reproduce figures of the paper: a picture, its numbers, and how they compare
///
/// Each part writes NAME.png, NAME.svg, NAME.csv (the numbers) and NAME.txt (what the paper shows, and what was found). A part
/// that is there is kept, unless --force is given.
#[derive(Args)]
#[command(after_help = "\
Example:
  nrdr paper fig1 fig4 --out paper")]
pub(crate) struct Paper {
    /// The parts
    #[arg(value_enum, required = true)]
    parts: Vec<Part>,

    /// Where they are written
    #[arg(long, value_name = "DIR", default_value = "paper")]
    out: PathBuf,

    /// Make again what is there
    #[arg(long)]
    force: bool,

    /// Fewer points, to see how it looks
    #[arg(long)]
    quick: bool,

    /// Start of the random numbers
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// A part of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Swiss roll by LLE, Hessian LLE and LTSA, original and non-redundant
    Fig1,
    /// Strips of three lengths, coloured by the first Laplacian eigenmaps
    Fig2,
    /// A ring by the competitors and by unpredictable coordinates
    Fig4,
    /// All of them
    All,
}

/// How a part is made.
#[derive(Clone, Copy)]
struct Settings {
    quick: bool,
    seed: u64,
}

/// What a part comes to.
struct Produced {
    figure: Figure,
    /// Names of the columns of the numbers, and the rows.
    header: &'static str,
    rows: Vec<String>,
    /// What the paper shows, and what was found.
    line: String,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Part::Fig1 => "fig1",
            Part::Fig2 => "fig2",
            Part::Fig4 => "fig4",
            Part::All => "all",
        }
    }

    fn produce(self, settings: Settings) -> nrdr::Result<Option<Produced>> {
        match self {
            Part::Fig1 => fig1::produce(settings).map(Some),
            Part::Fig2 => fig2::produce(settings).map(Some),
            Part::Fig4 => fig4::produce(settings).map(Some),
            Part::All => Ok(None),
        }
    }
}

impl Paper {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        std::fs::create_dir_all(&self.out).map_err(|error| {
            let folder = self.out.display();
            Failure::Usage(format!("the folder {folder} cannot be made ({error}): choose another"))
        })?;
        let all = [Part::Fig1, Part::Fig2, Part::Fig4];
        let parts = if self.parts.contains(&Part::All) { &all[..] } else { &self.parts };
        let settings = Settings { quick: self.quick, seed: self.seed };
        for part in parts {
            let name = part.name();
            let file = |ending: &str| self.out.join(format!("{name}.{ending}"));
            // The text is written last: where it is, the part is whole.
            if file("txt").exists() && !self.force {
                writeln!(out, "{name} is there; --force makes it again")?;
                continue;
            }
            let start = Instant::now();
            let Some(produced) = part.produce(settings)? else { continue };
            let line = format!("{} ({:.1} s)", produced.line, start.elapsed().as_secs_f64());
            produced.write(&file, &line)?;
            writeln!(out, "{name}: {line}")?;
        }
        Ok(())
    }
}

impl Produced {
    fn write(self, file: &dyn Fn(&str) -> PathBuf, line: &str) -> Result<(), Failure> {
        let scene = self.figure.render();
        let drawn = PngBackend::new().with_scale(1.5).render_scene(&scene);
        let png = drawn.map_err(|reason| Failure::Usage(format!("nothing is drawn: {reason}")))?;
        let svg = SvgBackend::default().render_scene(&scene);
        let write = |path: &Path, bytes: &[u8]| write_atomically(path, |out| out.write_all(bytes));
        write(&file("png"), &png)?;
        write(&file("svg"), svg.as_bytes())?;
        write(&file("csv"), format!("{}\n{}\n", self.header, self.rows.join("\n")).as_bytes())?;
        write(&file("txt"), format!("{line}\n").as_bytes())?;
        Ok(())
    }
}
