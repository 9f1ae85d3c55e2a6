//! The program `nrdr-paper`: figures and tables of Blau & Michaeli (2017), each with its numbers.

#![forbid(unsafe_code)]
// Everything that is said goes through the terminal of the command line.
#![warn(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod contest;
mod fig1;
mod fig2;
mod fig3;
mod fig4;
mod fig5;
mod fig6;
mod fig7;
mod head;
mod mnist;
mod picture;
mod svm;
mod tables;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, ValueEnum};
use kuva::prelude::{Figure, PngBackend, SvgBackend};
use nrdr::{Embedding, Method, Options, Points, Prepared, Strategy};
use nrdr_cli::shared::{Bar, Failure, Terminal, exit, handle_interrupts, make_folder};
use nrdr_write::{Outputs, check_place, printable};

/// Reproduce figures and tables of the paper: a picture, its numbers, and how they compare
///
/// Each part writes NAME.png, NAME.svg, NAME.csv (the numbers) and NAME.txt (what the paper shows, and what was found), a
/// table also NAME.md. A part that is there is kept, unless --force is given, and so are the finished subsets of a table.
#[derive(Parser)]
#[command(
    version,
    name = "nrdr-paper",
    args_override_self = true,
    after_help = "\
Example:
  nrdr-paper fig1 fig4 --out paper
  scripts/get-data data && nrdr-paper all --data data"
)]
struct Paper {
    /// The parts
    #[arg(value_enum, required = true)]
    parts: Vec<Part>,

    /// Where they are written
    #[arg(long, value_name = "DIR", default_value = "paper")]
    out: PathBuf,

    /// Where the public data are that scripts/get-data brings
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// fig6: the file of Tenenbaum's heads, with the variables images and poses, or dataY and dataT
    #[arg(long, value_name = "FILE.mat")]
    heads: Option<PathBuf>,

    /// fig7: another photograph
    #[arg(long, value_name = "FILE")]
    image: Option<PathBuf>,

    /// Make again what is there
    #[arg(long)]
    force: bool,

    /// Fewer points, to see how it looks
    #[arg(long)]
    quick: bool,

    /// Start of the random numbers
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Tell nothing of the progress
    #[arg(short, long)]
    quiet: bool,
}

/// Makes the parts that were asked for and tells how it ended.
fn main() -> ExitCode {
    handle_interrupts();
    let paper = Paper::try_parse().unwrap_or_else(|error| exit(error));
    let ended = paper.run(&mut Terminal::new(std::io::stdout().lock()));
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.tell(),
    }
}

/// A part of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Swiss roll by LLE, Hessian LLE and LTSA, original and non-redundant
    Fig1,
    /// Strips of three lengths, coloured by the first Laplacian eigenmaps
    Fig2,
    /// MNIST: how predictable each coordinate is from the earlier ones (needs --data)
    Fig3,
    /// A ring by the competitors and by unpredictable coordinates
    Fig4,
    /// MNIST: singular values of the smoother (needs --data)
    Fig5,
    /// Heads that turn and nod: rendered ones, or those of Tenenbaum et al. (--heads)
    Fig6,
    /// Patches of a photograph, which --data holds or --image names
    Fig7,
    /// MNIST: errors of a support vector machine with all digits labelled (needs --data)
    Table1,
    /// MNIST: errors of a support vector machine with 300 digits labelled (needs --data)
    Table2,
    /// All of them
    All,
}

/// How a part is made.
#[derive(Clone, Copy)]
struct Settings<'s> {
    name: &'static str,
    out: &'s Path,
    quick: bool,
    force: bool,
    quiet: bool,
    seed: u64,
}

impl Settings<'_> {
    fn bar(&self) -> Bar {
        Bar::new(self.name, self.quiet)
    }
}

/// An embedding by each of several strategies, of one graph and with one factorisation.
fn by_strategies(
    points: &Points,
    method: &dyn Method,
    options: &Options,
    strategies: &[Strategy],
    bar: &Bar,
) -> nrdr::Result<Vec<nrdr::Result<Embedding>>> {
    let prepared = Prepared::new(points, method, options)?.observed(bar);
    Ok(strategies.iter().map(|strategy| prepared.embed(strategy)).collect())
}

/// What a part comes to.
struct Produced {
    figure: Figure,
    /// Names of the columns of the numbers, and the rows.
    header: &'static str,
    rows: Vec<String>,
    /// What the paper shows, and what was found.
    line: String,
    /// A table in Markdown.
    table: Option<String>,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Part::Fig1 => "fig1",
            Part::Fig2 => "fig2",
            Part::Fig3 => "fig3",
            Part::Fig4 => "fig4",
            Part::Fig5 => "fig5",
            Part::Fig6 => "fig6",
            Part::Fig7 => "fig7",
            Part::Table1 => "table1",
            Part::Table2 => "table2",
            Part::All => "all",
        }
    }

    fn produce(self, paper: &Paper) -> Result<Option<Produced>, Failure> {
        let Paper { quick, force, quiet, seed, .. } = *paper;
        let settings = Settings { name: self.name(), out: &paper.out, quick, force, quiet, seed };
        let data = paper.data.as_deref();
        let digits = if settings.quick { 2000 } else { 15_000 };
        Ok(Some(match self {
            Part::Fig1 => fig1::produce(settings)?,
            Part::Fig2 => fig2::produce(settings)?,
            Part::Fig3 => fig3::produce(&mnist::images(data, digits)?, settings)?,
            Part::Fig4 => fig4::produce(settings)?,
            Part::Fig5 => fig5::produce(&mnist::images(data, digits)?, settings)?,
            Part::Fig6 => fig6::produce(paper.heads.as_deref(), settings)?,
            Part::Fig7 => fig7::produce(&paper.photograph()?, settings)?,
            Part::Table1 => tables::produce(&tables::table1(), &mnist::digits(data)?, settings)?,
            Part::Table2 => tables::produce(&tables::table2(), &mnist::digits(data)?, settings)?,
            Part::All => return Ok(None),
        }))
    }
}

impl Paper {
    fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        make_folder(&self.out)?;
        let all = Part::value_variants();
        let all = &all[..all.len() - 1];
        let everything = self.parts.contains(&Part::All);
        let parts = if everything { all } else { &self.parts };
        for part in parts {
            let name = part.name();
            let file = |ending: &str| self.out.join(format!("{name}.{ending}"));
            if file("txt").exists() && !self.force {
                writeln!(out, "{name} is there; --force makes it again")?;
                continue;
            }
            for ending in ["png", "svg", "csv", "md", "txt"] {
                check_place(&file(ending), &[])?;
            }
            let start = Instant::now();
            let produced = match part.produce(self) {
                // What can be made without data is.
                Err(Failure::Usage(why)) if everything => {
                    writeln!(out, "{name} is skipped: {}", printable(&why))?;
                    continue;
                }
                produced => produced?,
            };
            let Some(produced) = produced else { continue };
            let line = format!("{} ({:.1} s)", produced.line, start.elapsed().as_secs_f64());
            produced.write(&file, &line)?;
            writeln!(out, "{name}: {line}")?;
        }
        Ok(())
    }
}

impl Paper {
    /// The photograph of figure 7.
    fn photograph(&self) -> Result<PathBuf, Failure> {
        match (&self.image, &self.data) {
            (Some(image), _) => Ok(image.clone()),
            (None, Some(folder)) => Ok(folder.join("china.jpg")),
            (None, None) => Err(Failure::Usage(
                "this part is made of a photograph: give one with --image, or --data DIR after scripts/get-data DIR".to_string(),
            )),
        }
    }
}

impl Produced {
    fn write(self, file: &dyn Fn(&str) -> PathBuf, line: &str) -> Result<(), Failure> {
        let scene = self.figure.render();
        let drawn = PngBackend::new().with_scale(1.0).render_scene(&scene);
        let png = drawn.map_err(|reason| Failure::Usage(format!("nothing is drawn: {reason}")))?;
        let svg = SvgBackend::default().render_scene(&scene);
        let numbers = format!("{}\n{}\n", self.header, self.rows.join("\n"));
        let line = format!("{line}\n");
        let mut files = vec![("png", png.as_slice()), ("svg", svg.as_bytes())];
        files.push(("csv", numbers.as_bytes()));
        files.extend(self.table.as_ref().map(|table| ("md", table.as_bytes())));
        // The text takes its name last: where it is, the part is whole.
        files.push(("txt", line.as_bytes()));
        let mut outputs = Outputs::default();
        for (ending, bytes) in files {
            outputs.add(&file(ending), |out| out.write_all(bytes))?;
        }
        Ok(outputs.commit()?)
    }
}
