//! Neighbours from elsewhere: a folder of files that FAISS, cuML, DiskANN or anything else has written.
//!
//! Each file is NPY, an array of three columns, or Parquet with the columns `i`, `j` and `distance`. A row says that row `j`
//! of the input (counted from 0, over all its parts) is a neighbour of row `i`, and how far from it. Rows may come in any order, in any
//! number of files. Every point needs at least as many neighbours as are asked for, of which the nearest count.
//!
//! Members share the files; what they read goes to who works on the point. Then true distances of a sample of the points to
//! all others tell what share of the neighbours is right.

mod owners;
mod read;
mod sampled;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use nrdr::team::Team;
use nrdr::{Metric, Progress};
use nrdr_cli::shared::Failure as Told;
use nrdr_write::printable;
use sha2::{Digest, Sha256};

use crate::failure::{Failure, Result, agree};
use crate::neighbors::SharedLists;
use crate::partition::Partition;
use crate::together::gathered;
use crate::wire::sum_counts;
use owners::Owners;
use read::{Entry, Reader, files};
use sampled::{Sampled, sampled};

/// Files of neighbours, and how good they must be.
#[derive(Clone, Debug)]
pub struct GivenNeighbors {
    /// The folder with the files.
    pub folder: PathBuf,
    /// The share of true neighbours that is wanted of them, above 0 and at most 1.
    pub recall: f64,
}

/// What tells these files from others: a hash of the names and the bytes of all, which members share to read.
pub fn sum_of_files(team: &dyn Team, folder: &Path) -> std::result::Result<String, Told> {
    let sums = || -> std::result::Result<Vec<(String, String)>, Told> {
        let files = files(folder).map_err(Told::from)?;
        let mine = files.iter().skip(team.rank()).step_by(team.size());
        mine.map(|file| sum_of_file(file)).collect()
    };
    let mut all: Vec<(String, String)> = gathered(team, sums())?.concat();
    all.sort();
    let mut sum = Sha256::new();
    for (name, of) in all {
        sum.update(format!("{name} {of}\n"));
    }
    Ok(hex(sum))
}

fn sum_of_file(path: &Path) -> std::result::Result<(String, String), Told> {
    let unreadable = |error: std::io::Error| {
        let path = printable(&path.to_string_lossy());
        Told::Usage(format!("{path} cannot be read ({error}): check the disk"))
    };
    let mut file = File::open(path).map_err(unreadable)?;
    let mut sum = Sha256::new();
    let mut piece = vec![0; 1 << 20];
    loop {
        let read = file.read(&mut piece).map_err(unreadable)?;
        if read == 0 {
            break;
        }
        sum.update(&piece[..read]);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok((name, hex(sum)))
}

fn hex(sum: Sha256) -> String {
    sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The `k` nearest of the given neighbours of each own point, and the share of them that is right.
pub fn given_neighbors(
    team: &dyn Team,
    made: &Partition,
    given: &GivenNeighbors,
    metric: Metric,
    k: usize,
    progress: &Progress<'_>,
    check: &dyn Fn() -> Result<()>,
) -> Result<(SharedLists, f64)> {
    let files = agree(team, files(&given.folder))?;
    let mine: Vec<&PathBuf> = files.iter().skip(team.rank()).step_by(team.size()).collect();
    let owners = Owners::new(team, made);
    let mut reader = Reader { files: mine, open: None, at: 0 };
    let mut entries: Vec<Entry> = Vec::new();
    loop {
        check()?;
        let batch = agree(team, reader.next(made.rows.total()))?;
        let mut to: Vec<Vec<[u64; 3]>> = vec![Vec::new(); team.size()];
        for (i, j, distance) in batch.iter().flatten() {
            to[owners.reader(*i)].push([*i, *j, distance.to_bits()]);
        }
        let mut ends = [u64::from(batch.is_none())];
        sum_counts(team, &mut ends);
        if ends[0] == team.size() as u64 {
            break;
        }
        entries.extend(owners.forward(team, to));
        progress.report(0.9 * reader.at as f64 / reader.files.len().max(1) as f64)?;
    }
    entries.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.2.total_cmp(&b.2)).then(a.1.cmp(&b.1)));
    let lists = lists(made, entries, k).map_err(|what| Failure::Neighbors {
        path: given.folder.clone(),
        what,
        way_out: format!(
            "write at least {k} neighbours of each point, each once and without the point itself"
        ),
    });
    let lists = agree(team, lists)?;
    let lists = owners.in_working_order(team, made, lists);
    let Sampled { recall, wrong } = sampled(team, made, metric, &lists, k);
    let fail =
        |what, way_out| Err(Failure::Neighbors { path: given.folder.clone(), what, way_out });
    // Not `<`: a NaN compares as false.
    if !(recall >= given.recall) {
        let share = |share: f64| 100.0 * share;
        return fail(
            format!(
                "{:.1} % of the neighbours of a sample are right, and {:.1} % are wanted",
                share(recall),
                share(given.recall)
            ),
            format!(
                "let the search that wrote them look further, check that rows are counted from 0 and \
                 that it was by the metric {metric}, or ask for a lower recall"
            ),
        );
    }
    if wrong > 0 {
        return fail(
            format!("{wrong} distances of a sample are not those of the points"),
            format!("write distances by the metric {metric}, and not their squares"),
        );
    }
    Ok((lists, recall))
}

/// An input row and its neighbours: input rows and distances.
type List = (u64, Vec<(u64, f64)>);

/// The lists of own points, by their input rows and sorted: of each the `k` nearest.
fn lists(
    made: &Partition,
    entries: Vec<Entry>,
    k: usize,
) -> std::result::Result<Vec<List>, String> {
    let mut inputs = made.inputs.clone();
    inputs.sort_unstable();
    let mut of_points = entries.chunk_by(|a, b| a.0 == b.0).peekable();
    let mut lists = Vec::with_capacity(inputs.len());
    let mut seen: Vec<u64> = Vec::new();
    for input in inputs {
        let list = of_points.next_if(|list| list[0].0 == input).unwrap_or(&[]);
        seen.clear();
        seen.extend(list.iter().map(|entry| entry.1));
        seen.sort_unstable();
        if let Some(twice) = seen.windows(2).find(|w| w[0] == w[1]) {
            return Err(format!("point {input} has the neighbour {} twice", twice[0]));
        }
        if list.len() < k {
            return Err(format!("point {input} has {} neighbours, {k} are asked for", list.len()));
        }
        lists.push((input, list[..k].iter().map(|entry| (entry.1, entry.2)).collect()));
    }
    Ok(lists)
}
