//! `nrdr-mpi embed`: parts in, parts and a manifest out.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{ArgAction, Args};
use nrdr::team::Team;
use nrdr::{Dims, Error, Method, Options, Search, Warning};
use nrdr_cli::shared::{
    About, Bar, Failure, HEADING, MethodArgs, OUTPUT, RunArgs, strategy_names, usual_strategy, warn,
};
use nrdr_io::RangedKind;
use nrdr_write::{check_place, printable};

use crate::checkpoint::Checkpoint;
use crate::given_neighbors::sum_of_files;
use crate::identity;
use crate::manifest::Results;
use crate::middle::{Embedded, Job, Middle, OwnEmbedding, OwnRows};
use crate::options::{Reading, Refused, Standardize};
use crate::parts::{How, Own, Parts, standardize};
use crate::rank_cost::RankCost;
use crate::rows;
use crate::sample::{self, Placed, Told};
use crate::together::{agreed, even, from_first, gathered};

mod ending;

/// Embed points that are spread over several processes: a folder of parts in, as many parts and manifest.json out
///
/// Methods, strategies and their options are those of `nrdr embed`, and so are the coordinates, however many processes there are.
#[derive(Args)]
#[command(mut_arg("threads", |arg| {
    arg.help("Number of threads of each process; the result does not depend on it [default: those of its host, shared evenly]")
}))]
#[command(mut_arg("memory", |arg| {
    arg.help("Memory that each process may take, such as 8G or 512M [default: its share of three quarters of what is available]")
}))]
#[command(after_help = "\
Examples:
  mpirun -n 16 nrdr-mpi embed points/ -m lem -k 10 -d 3 -o out/
  mpirun -n 16 nrdr-mpi embed points/ -d 3 -o out/ --checkpoint kept/
  mpirun -n 16 nrdr-mpi embed points/ -d 3 -o out/ --neighbors found/
  nrdr report out/ -o page.html")]
pub(crate) struct Embed {
    /// A folder of .npy or .parquet parts, in the natural order of their names, or one such file
    #[arg(value_name = "POINTS", required_unless_present = "input_option")]
    input: Option<PathBuf>,

    // The same from a configuration, which the position does not suit.
    #[arg(long = "input", id = "input_option", hide = true)]
    input_option: Option<PathBuf>,

    #[command(flatten)]
    reading: Reading,

    /// These columns hold labels, the classes of the points: the page of the run shows them, they are not embedded
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', action = ArgAction::Set)]
    #[arg(help_heading = "Input")]
    label: Option<Vec<String>>,

    /// Give every column mean 0 and variance 1 [default: no]
    #[arg(long, value_name = "WHEN", value_enum, num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "yes", help_heading = "Input")]
    standardize: Option<Standardize>,

    /// Neighbours that were searched elsewhere: a folder of parts with rows i, j, distance; the same as --neighbors DIR
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    neighbors_from: Option<PathBuf>,

    #[command(flatten)]
    method: MethodArgs,

    /// What a coordinate owes to the earlier ones
    #[arg(short, long, value_name = "NAME", default_value = usual_strategy())]
    #[arg(value_parser = strategy_names(), help_heading = HEADING)]
    strategy: String,

    #[command(flatten)]
    run: RunArgs,

    /// Folder of the parts, the manifest and the sample
    #[arg(short, long, value_name = "DIR", help_heading = OUTPUT)]
    out: PathBuf,

    /// What the parts are written as [default: what those of the input are]
    #[arg(long, value_name = "FORMAT", value_parser = ["npy", "parquet"], help_heading = OUTPUT)]
    format: Option<String>,

    /// What is finished, kept in a folder while the run lasts: ended at any moment, the same command goes on from it, on any
    /// number of processes
    #[arg(long, value_name = "DIR", help_heading = OUTPUT)]
    checkpoint: Option<PathBuf>,

    /// All numbers of the run; --config takes it
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    json: Option<PathBuf>,

    /// Options from a TOML file, or from the JSON of a run; what is typed counts
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    #[allow(dead_code, reason = "it is read before the arguments are")]
    config: Option<PathBuf>,

    /// Say nothing unless something is wrong
    #[arg(short, long, help_heading = OUTPUT)]
    quiet: bool,

    #[command(flatten)]
    refused: Refused,
}

impl Embed {
    /// How many threads are asked for.
    pub(crate) fn threads(&self) -> Option<usize> {
        self.run.options().threads
    }

    pub(crate) fn run(
        &self,
        team: &dyn Team,
        middle: &dyn Middle,
        about: &About,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        self.refused.check()?;
        let input = self.input.as_deref().or(self.input_option.as_deref());
        let input = input.unwrap_or(Path::new(""));
        let (method, strategy) = (self.method.build()?, self.run.strategy(&self.strategy)?);
        let mut options = Options { strategy, ..self.run.options() };
        if options.search == Search::Approximate {
            return Err(Failure::Usage(
                "--neighbors-approximate is not taken, neighbours are exact here: leave it out, or give those of a \
                 library with --neighbors-from"
                    .to_string(),
            ));
        }
        agreed(team, self.check_neighbors())?;
        let speaks = team.rank() == 0;
        let bar = Bar::new(method.name(), self.quiet || !speaks);
        bar.message("reading");
        let labels = self.label.clone().unwrap_or_default();
        let how = How { options: self.reading.options(&labels), wanted: None };
        let parts = Parts::open(team, input, how)?;
        let points = parts.rows();
        let fewer = self.fewer(&mut options, method.as_ref(), points);
        check_size(method.as_ref(), &options, points)?;
        agreed(team, middle.check(method.as_ref(), &options, points))?;
        let results = Results::open(team, &self.out, self.kind(&parts), (input, &parts.list))?;
        from_first(team, || {
            self.json.as_deref().map_or(Ok(()), |file| Ok(check_place(file, &[input])?))
        })?;
        let neighbors = match &self.neighbors_from {
            Some(folder) => format!("from files {}", sum_of_files(team, folder)?),
            None => "searched".to_string(),
        };
        let standardized = self.standardize == Some(Standardize::Yes);
        let mut run = identity::of_options(&parts, method.as_ref(), &options, standardized)?;
        run.push(("the neighbours".to_string(), neighbors));
        run.push(("format".to_string(), self.kind(&parts).ending().to_string()));
        results.check(&run)?;
        let span = even(points, team.size());
        let span = span[team.rank()]..span[team.rank() + 1];
        let mut own = agreed(team, parts.read(span, &sample::picks(points, options.seed)))?;
        run.push(identity::of_rows(&gathered(team, Ok(own.sum))?));
        results.check(&run)?;
        if standardized {
            standardize(team, &mut own);
        }
        let kept = match &self.checkpoint {
            Some(folder) => Some(Checkpoint::open(team, folder, &run)?),
            None => None,
        };
        if let Some((kept, before)) = kept.as_ref().and_then(|kept| Some((kept, kept.summary()?)))
            && speaks
        {
            let folder = self.checkpoint.as_deref().map_or(String::new(), shown);
            let size = megabytes(kept.size());
            bar.say(&format!("going on from {folder}: {before} ({size})"));
        }
        let starts = starts_of(team, &own)?;
        let picked = std::mem::take(&mut own.picked);
        let job = Job {
            team,
            points: OwnRows {
                starts: starts.clone(),
                columns: own.columns,
                values: std::mem::take(&mut own.values),
            },
            method: method.as_ref(),
            options: &options,
            observer: &bar,
            kept: kept.as_ref(),
            neighbors: self.neighbors_from.as_deref(),
            beside: true,
        };
        let Embedded { mut ours, original, sent } = agreed(team, middle.embed(job))?;
        ours.embedding.warnings.splice(0..0, fewer);
        bar.message("measuring");
        let place = |one: OwnEmbedding| Placed {
            rows: rows::in_input(team, &starts, &own.rows, &one.numbers),
            embedding: one.embedding,
        };
        // The same order at all members.
        let placed: Vec<Placed> = original.into_iter().chain([ours]).map(place).collect();
        let dropped: u64 = gathered(team, Ok(own.dropped))?.into_iter().sum();
        if dropped > 0 && self.quiet && speaks {
            warn(&left_out(dropped));
        }
        let told = Told {
            about: &about.with_neighbors(options.neighbors),
            title: name_of(input),
            rows: (points, points - dropped),
            notes: self.notes(points, dropped, team.size()),
            seed: options.seed,
        };
        let measured = sample::measured(team, &parts, &placed, picked, told, &bar);
        let mut measured = agreed(team, measured)?;
        let ranks = gathered(team, Ok(RankCost::of_this(sent)))?;
        if let Some(measured) = &mut measured {
            measured.ranks = ranks;
        }
        bar.message("writing");
        let manifest =
            self.write(team, &parts, &results, run, &placed, measured.as_ref(), about)?;
        drop(bar);
        match measured {
            Some(measured) => self.tell(&parts, method.as_ref(), &measured, &manifest, out),
            None => {
                if speaks {
                    warn(
                        "of the points of the sample none is embedded: neither a sample nor --json is written",
                    );
                }
                Ok(())
            }
        }
    }

    fn kind(&self, parts: &Parts) -> RangedKind {
        match self.format.as_deref() {
            Some("npy") => RangedKind::Npy,
            Some("parquet") => RangedKind::Parquet,
            _ => parts.kind,
        }
    }

    fn check_neighbors(&self) -> Result<(), Failure> {
        match &self.neighbors_from {
            Some(folder) if !folder.is_dir() => {
                let folder = shown(folder);
                Err(Failure::Usage(format!(
                    "{folder} is no folder: give --neighbors-from the folder with the parts of the neighbours"
                )))
            }
            _ => Ok(()),
        }
    }

    /// Takes fewer neighbours where there are fewer points, and tells.
    fn fewer(&self, options: &mut Options, method: &dyn Method, points: u64) -> Option<Warning> {
        let points = usize::try_from(points).unwrap_or(usize::MAX);
        self.run.fit(options, method, points)
    }

    fn notes(&self, points: u64, dropped: u64, members: usize) -> Vec<String> {
        let mut notes = Vec::new();
        if points > sample::MOST as u64 {
            notes.push(format!(
                "the page shows {} of {points} points, and on these redundancy and neighbourhoods were measured",
                sample::MOST
            ));
        }
        if members > 1 {
            notes.push(format!("{members} processes shared the rows"));
        }
        if dropped > 0 {
            notes.push(left_out(dropped));
        }
        notes
    }
}

/// Where the rows of each member begin that are embedded, and where the last ones end.
fn starts_of(team: &dyn Team, own: &Own) -> Result<Vec<u64>, Failure> {
    let mut end = 0;
    let counts = gathered(team, Ok(own.rows.len() as u64))?;
    let starts = std::iter::once(0).chain(counts.into_iter().map(|count| {
        end += count;
        end
    }));
    Ok(starts.collect())
}

/// Refuses what no method can embed.
fn check_size(method: &dyn Method, options: &Options, points: u64) -> Result<(), Failure> {
    let n = usize::try_from(points).unwrap_or(usize::MAX);
    if n < 2 {
        return Err(Error::TooFewPoints { points: n, needed: 2 }.into());
    }
    if let Dims::Exactly(dims) = options.dims
        && dims >= n
    {
        return Err(Error::TooManyCoordinates { dims, available: n - 1 }.into());
    }
    Ok(method.check_all(n, options.neighbors)?)
}

/// What the input is called.
pub(crate) fn name_of(path: &Path) -> String {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let last = whole.file_name().or(path.file_name());
    last.map_or_else(String::new, |name| name.to_string_lossy().into())
}

pub(crate) fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// What is told of rows that were left out.
fn left_out(rows: u64) -> String {
    format!("{rows} row(s) with missing values are not embedded")
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", 1e-6 * bytes as f64)
}
