//! The input: a folder of parts in the natural order of their names, or one file. Each member reads only its own rows.

mod list;
mod own;

use std::ops::Range;
use std::path::{Path, PathBuf};

use nrdr::team::Team;
use nrdr_cli::shared::{Failure, Typed};
use nrdr_io::{Ranged, RangedKind, ReadOptions};
use serde::{Deserialize, Serialize};

pub(crate) use list::MANIFEST;
pub(crate) use own::hash;
pub use own::{Own, Picked, standardize};

use crate::together::{from_first, gathered};

/// How parts are read.
#[derive(Clone, Debug, Default)]
pub struct How {
    /// Which columns, and what happens to missing values.
    pub options: ReadOptions,
    /// The columns that a model wants, in its order, where one does.
    pub wanted: Option<Vec<String>>,
}

impl How {
    fn open(&self, path: &Path) -> Result<Ranged, Failure> {
        let opened = match &self.wanted {
            Some(wanted) => Ranged::open_wanted(path, wanted, &self.options),
            None => Ranged::open(path, &self.options),
        };
        opened.map_err(|error| Failure::Usage(error.told(&Typed)))
    }
}

/// A part of the input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its name, without the folder.
    pub name: String,
    /// How many rows it has.
    pub rows: u64,
    /// How many bytes.
    pub bytes: u64,
}

/// The parts of an input, in order.
#[derive(Debug)]
pub struct Parts {
    /// The folder that they are in.
    folder: PathBuf,
    /// The parts.
    pub list: Vec<Part>,
    /// Where the rows of each begin among those of all, and where the last ones end.
    pub starts: Vec<u64>,
    /// What they lie in.
    pub kind: RangedKind,
    /// Names of the columns of numbers that are embedded.
    pub names: Vec<String>,
    /// Names of the columns of text that are read beside them, and their numbers in the file.
    pub texts: Vec<String>,
    how: How,
}

/// What all parts must have alike.
#[derive(Debug, PartialEq)]
struct Columns {
    numbers: Vec<String>,
    texts: Vec<String>,
}

impl Columns {
    fn of(ranged: &Ranged) -> Self {
        let mut numbers = ranged.names();
        let texts = numbers.split_off(ranged.columns().min(numbers.len()));
        Columns { numbers, texts }
    }
}

impl Parts {
    /// Finds the parts and looks at the head of each; members share the work.
    pub fn open(team: &dyn Team, input: &Path, how: How) -> Result<Self, Failure> {
        let (folder, names, kind) = from_first(team, || list::found(input))?;
        let kind =
            if kind == RangedKind::Npy.ending() { RangedKind::Npy } else { RangedKind::Parquet };
        let folder = PathBuf::from(folder);
        let look = || -> Result<(Vec<Part>, Columns), Failure> {
            let first = how.open(&folder.join(&names[0]))?;
            let columns = Columns::of(&first);
            let mine = names.iter().skip(team.rank()).step_by(team.size());
            let parts = mine.map(|name| {
                let path = folder.join(name);
                let ranged = how.open(&path)?;
                list::check_alike(&path, &Columns::of(&ranged), &names[0], &columns)?;
                let bytes = path.metadata().map(|about| about.len()).map_err(|error| {
                    let path = path.display();
                    Failure::Usage(format!("{path} cannot be read ({error}): check the disk"))
                })?;
                Ok(Part { name: name.clone(), rows: ranged.rows() as u64, bytes })
            });
            Ok((parts.collect::<Result<_, Failure>>()?, columns))
        };
        let (mine, columns) = match look() {
            Ok((mine, columns)) => (Ok(mine), columns),
            Err(error) => (Err(error), Columns { numbers: Vec::new(), texts: Vec::new() }),
        };
        let all = gathered(team, mine)?;
        let turn = |at: usize| all[at % team.size()].get(at / team.size()).cloned();
        let list: Vec<Part> = (0..names.len()).filter_map(turn).collect();
        let mut starts = vec![0];
        let mut end = 0;
        for part in &list {
            end += part.rows;
            starts.push(end);
        }
        let Columns { numbers, texts } = columns;
        if numbers.is_empty() {
            let input = input.display();
            return Err(Failure::Usage(format!(
                "{input} has no column of numbers: choose others with --columns"
            )));
        }
        Ok(Parts { folder, list, starts, kind, names: numbers, texts, how })
    }

    /// How many rows there are in all.
    pub fn rows(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// The part that has a row.
    pub fn part_of(&self, row: u64) -> usize {
        self.starts.partition_point(|start| *start <= row).saturating_sub(1)
    }

    /// The file of a part.
    pub fn path(&self, part: usize) -> PathBuf {
        self.folder.join(&self.list[part].name)
    }

    /// The pieces of some rows: a part, and rows of it.
    fn pieces(&self, rows: Range<u64>) -> Vec<(usize, Range<usize>)> {
        let mut pieces = Vec::new();
        let mut at = rows.start;
        while at < rows.end {
            let part = self.part_of(at);
            let end = self.starts[part + 1].min(rows.end);
            let within = |row: u64| (row - self.starts[part]) as usize;
            pieces.push((part, within(at)..within(end)));
            at = end;
        }
        pieces
    }
}
