//! Neighbours from elsewhere: a folder of files that FAISS, cuML, DiskANN or anything else has written.
//!
//! Each file is NPY, an array of three columns, or Parquet with the columns `i`, `j` and `distance`. A row says that row `j`
//! of the input (counted from 0, over all its parts) is a neighbour of row `i`, and how far from it. Rows may come in any order, in any
//! number of files. Every point needs at least as many neighbours as are asked for, of which the nearest count.
//!
//! Members share the files; what they read goes to who works on the point. Then true distances of a sample of the points to
//! all others tell what share of the neighbours is right.

use std::path::{Path, PathBuf};

use nrdr::graph::share::{Found, length, measure, nearest_by_all};
use nrdr::team::Team;
use nrdr::{Metric, Progress};
use nrdr_io::{ReadOptions, Stream, invented_names};
use rayon::prelude::*;

use crate::alone::alone;
use crate::failure::{Failure, Result, agree};
use crate::ghosts::Ghosts;
use crate::neighbors::SharedLists;
use crate::partition::Partition;
use crate::wire::{exchange, gather, sum_counts};

/// Files of neighbours, and how good they must be.
#[derive(Clone, Debug)]
pub struct GivenNeighbors {
    /// The folder with the files.
    pub folder: PathBuf,
    /// The share of true neighbours that is wanted of them, above 0 and at most 1.
    pub recall: f64,
}

/// Rows of a file that are on their way at a time.
const BATCH: usize = 1 << 18;
/// Points whose true neighbours are looked for, at most.
const SAMPLE: u64 = 200;
/// Of these so many at a time.
const TOGETHER: usize = 16;
/// Neighbours that are farther by less than this share are as near: other programs compare in single precision,
const SAME: f64 = 1e-5;
/// which may cost their distances so much, beside the farthest neighbour.
const NEAR: f64 = 1e-2;

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
    let mut entries: Vec<(u64, u64, f64)> = Vec::new();
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

/// The files of a folder, in the order of their names.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let fail = |what: String| Failure::Neighbors {
        path: folder.to_path_buf(),
        what,
        way_out: "give a folder of .npy or .parquet files with the columns i, j, distance"
            .to_string(),
    };
    let read = std::fs::read_dir(folder).map_err(|error| fail(error.to_string()))?;
    let mut files = Vec::new();
    for entry in read {
        let path = entry.map_err(|error| fail(error.to_string()))?.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        if ["npy", "parquet"].contains(&ending.to_ascii_lowercase().as_str()) {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(fail("there are no files of neighbours".to_string()));
    }
    Ok(files)
}

/// A neighbour as a file has it: two rows of the input and their distance.
type Entry = (u64, u64, f64);

/// One file after another.
struct Reader<'f> {
    files: Vec<&'f PathBuf>,
    open: Option<Stream>,
    /// The file that is read.
    at: usize,
}

impl Reader<'_> {
    /// Some more entries; nothing at the end of the last file.
    fn next(&mut self, total: u64) -> Result<Option<Vec<Entry>>> {
        while let Some(&path) = self.files.get(self.at) {
            if self.open.is_none() {
                self.open = Some(open(path)?);
            }
            let piece = match &mut self.open {
                Some(stream) => stream.next(BATCH)?,
                None => None,
            };
            let Some(piece) = piece else {
                (self.open, self.at) = (None, self.at + 1);
                continue;
            };
            let rows = piece.values.chunks_exact(3).zip(piece.start..);
            let entry = |(row, at): (&[f64], usize)| {
                entry(row, total).map_err(|what| Failure::Neighbors {
                    path: path.clone(),
                    what: format!("row {}: {what}", at + 1),
                    way_out: "i and j are rows of the input, counted from 0, and distances are not negative"
                        .to_string(),
                })
            };
            return rows.map(entry).collect::<Result<Vec<_>>>().map(Some);
        }
        Ok(None)
    }
}

/// Opens a file of three columns.
fn open(path: &Path) -> Result<Stream> {
    let is_array = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npy"));
    let names = match is_array {
        true => invented_names(3, None),
        false => ["i", "j", "distance"].map(str::to_string).to_vec(),
    };
    let stream = Stream::open(path, &names, &ReadOptions::default())?;
    if is_array && !stream.left_out().is_empty() {
        return Err(Failure::Neighbors {
            path: path.to_path_buf(),
            what: format!("has {} columns", 3 + stream.left_out().len()),
            way_out: "write an array of three columns: i, j, distance".to_string(),
        });
    }
    Ok(stream)
}

/// A row of a file, or what is wrong with it.
fn entry(row: &[f64], total: u64) -> std::result::Result<Entry, String> {
    let point = |name: &str, value: f64| {
        if value >= 0.0 && value < total as f64 && value.fract() == 0.0 {
            Ok(value as u64)
        } else {
            Err(format!("{name} is {value}, and there are the rows 0 to {}", total - 1))
        }
    };
    let (i, j) = (point("i", row[0])?, point("j", row[1])?);
    if i == j {
        return Err(format!("point {i} is its own neighbour"));
    }
    if !(row[2] >= 0.0 && row[2].is_finite()) {
        return Err(format!("the distance is {}", row[2]));
    }
    Ok((i, j, row[2]))
}

/// The lists of own points, by their input rows and sorted: of each the `k` nearest.
fn lists(
    made: &Partition,
    entries: Vec<Entry>,
    k: usize,
) -> std::result::Result<Vec<(u64, Vec<(u64, f64)>)>, String> {
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

/// Where each row of the input is worked on: told by the member that would have it if all had equal shares.
struct Owners {
    share: u64,
    /// The rows of the working order of the input rows of the own share.
    rows: Vec<u64>,
    starts: Vec<u64>,
}

impl Owners {
    fn new(team: &dyn Team, made: &Partition) -> Self {
        let share = made.rows.total().div_ceil(team.size() as u64).max(1);
        let mut to: Vec<Vec<[u64; 2]>> = vec![Vec::new(); team.size()];
        let first = made.rows.of(team.rank()).start;
        for (&input, row) in made.inputs.iter().zip(first..) {
            to[(input / share) as usize].push([input, row]);
        }
        let mut pairs: Vec<[u64; 2]> = exchange(team, to).concat();
        pairs.sort_unstable();
        let rows = pairs.iter().map(|pair| pair[1]).collect();
        Owners { share, rows, starts: made.rows.starts.clone() }
    }

    /// Who knows where an input row is.
    fn reader(&self, input: u64) -> usize {
        (input / self.share) as usize
    }

    fn row(&self, input: u64) -> u64 {
        self.rows[(input % self.share) as usize]
    }

    /// Sends entries on to those who work on their points.
    fn forward(&self, team: &dyn Team, to: Vec<Vec<[u64; 3]>>) -> Vec<Entry> {
        let mut on: Vec<Vec<[u64; 3]>> = vec![Vec::new(); team.size()];
        for entry in exchange(team, to).into_iter().flatten() {
            let row = self.row(entry[0]);
            on[self.starts.partition_point(|&start| start <= row) - 1].push(entry);
        }
        let entries = exchange(team, on).into_iter().flatten();
        entries.map(|[i, j, distance]| (i, j, f64::from_bits(distance))).collect()
    }

    /// The lists in the order of the own rows, with rows of the working order.
    fn in_working_order(
        &self,
        team: &dyn Team,
        made: &Partition,
        lists: Vec<(u64, Vec<(u64, f64)>)>,
    ) -> SharedLists {
        let mut needed: Vec<u64> =
            lists.iter().flat_map(|(_, list)| list).map(|&(j, _)| j).collect();
        needed.sort_unstable();
        needed.dedup();
        let mut asked: Vec<Vec<u64>> = vec![Vec::new(); team.size()];
        needed.iter().for_each(|&input| asked[self.reader(input)].push(input));
        let answers = exchange(team, asked).into_iter();
        let answers = answers.map(|inputs| inputs.iter().map(|&input| self.row(input)).collect());
        let rows: Vec<u64> = exchange(team, answers.collect()).concat();
        let row = |input: u64| rows[needed.partition_point(|&other| other < input)];
        let mut shared =
            SharedLists { offsets: vec![0], indices: Vec::new(), distances: Vec::new() };
        for &input in &made.inputs {
            let list = &lists[lists.partition_point(|list| list.0 < input)].1;
            shared.indices.extend(list.iter().map(|&(j, _)| row(j)));
            shared.distances.extend(list.iter().map(|&(_, distance)| distance));
            shared.offsets.push(shared.indices.len());
        }
        shared
    }
}

/// How good given neighbours are, by a sample of the points.
struct Sampled {
    /// The share that is no farther than the true `k`-th nearest: by true distances, whatever the files say.
    recall: f64,
    /// How many of the distances of the files are wrong.
    wrong: u64,
}

/// Measures how good the lists of own points are.
fn sampled(
    team: &dyn Team,
    made: &Partition,
    metric: Metric,
    lists: &SharedLists,
    k: usize,
) -> Sampled {
    let (own, total) = (made.rows.of(team.rank()), made.rows.total());
    let columns = made.points.columns;
    let every = total.div_ceil(SAMPLE);
    let rows = (own.start.next_multiple_of(every)..own.end).step_by(every as usize);
    let places: Vec<usize> = rows.map(|row| (row - own.start) as usize).collect();
    let mine: Vec<f64> = places.iter().flat_map(|&at| made.points.row(at)).copied().collect();
    let queries = gather(team, &mine);
    let before =
        queries[..team.rank()].iter().map(|queries| queries.len() / columns).sum::<usize>();
    // The distances of the nearest own points; the point itself is among those of one member.
    let near = nearest(made, metric, &queries.concat(), k + 1);
    let all = gather(team, &near);
    let needed = places.iter().flat_map(|&at| lists.of(at)).copied();
    let ghosts = Ghosts::new(team, &made.rows, needed);
    let others = ghosts.with_own(team, made.points.values(), columns);
    let mut counts = [0; 3];
    for (at, &row) in (before..).zip(&places) {
        let of = at * (k + 1)..(at + 1) * (k + 1);
        let mut near: Vec<f64> = all.iter().flat_map(|near| &near[of.clone()]).copied().collect();
        near.sort_unstable_by(f64::total_cmp);
        let farthest = near[k];
        for (&other, told) in lists.of(row).iter().zip(lists.distances(row)) {
            let place = ghosts.place(other).unwrap_or(0);
            let other = &others[place * columns..][..columns];
            let distance = length(metric, measure(metric, made.points.row(row), other), columns);
            counts[0] += u64::from(distance <= farthest * (1.0 + SAME));
            counts[1] += u64::from((distance - told).abs() > NEAR * farthest.max(distance));
            counts[2] += 1;
        }
    }
    sum_counts(team, &mut counts);
    Sampled { recall: counts[0] as f64 / counts[2].max(1) as f64, wrong: counts[1] }
}

/// The distances of the nearest own points of each of some points, infinite where there are fewer.
fn nearest(made: &Partition, metric: Metric, queries: &[f64], count: usize) -> Vec<f64> {
    let columns = made.points.columns;
    let mut near = vec![f64::INFINITY; queries.len() / columns * count];
    if let Some(points) = &made.points.points {
        let queries = queries.par_chunks(TOGETHER * columns);
        let found: Vec<Vec<Found>> = queries
            .flat_map_iter(|queries| alone(|| nearest_by_all(metric, points, queries, count)))
            .collect();
        for (near, found) in near.chunks_exact_mut(count).zip(&found) {
            near.iter_mut().zip(found).for_each(|(to, f)| *to = length(metric, f.0, columns));
        }
    }
    near
}
