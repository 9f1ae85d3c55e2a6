//! Tables 1 and 2: how well a support vector machine tells digits by their coordinates.
//!
//! The points are a random subset of MNIST: two thirds to learn from, a sixth to tune on, a sixth to test on. The graph's number
//! of neighbours, the strategy's parameters and the machine's are chosen on the tune set, for each contender
//! and number of coordinates: the first two with few machines where training takes long, then the machine.

use std::io::Write;
use std::path::PathBuf;

use nrdr::{LaplacianEigenmaps, Options, Points, Strategy};
use nrdr_cli::shared::{Bar, Failure};
use nrdr_write::write_atomically;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::mnist::Digits;
use super::svm::{Machine, Split, trained};
use super::{Settings, by_strategies};

/// Random subsets of the digits.
const SUBSETS: usize = 5;
const POINTS: usize = 15_000;
/// A strategy with certain parameters.
pub(super) struct Entry {
    /// Its parameters in words, without commas.
    pub(super) words: String,
    pub(super) strategy: Strategy,
    /// Coordinates that it is asked for, at most.
    pub(super) most: usize,
}

/// A column of a table.
pub(super) struct Contender {
    pub(super) name: &'static str,
    /// The paper's error for each row, in percent; `None` where it has no such column.
    pub(super) paper: Option<[f64; 5]>,
    pub(super) entries: Vec<Entry>,
}

/// A table: contenders by numbers of coordinates.
pub(super) struct Contest {
    pub(super) name: &'static str,
    /// The numbers of coordinates.
    pub(super) rows: [usize; 5],
    /// How many of the points the machine learns from; `None` means two thirds.
    pub(super) labelled: Option<usize>,
    /// What is tried for the graph.
    pub(super) neighbors: &'static [usize],
    /// The machines that graph and strategy are chosen with.
    pub(super) first: Vec<Machine>,
    /// The machines that are tried then; if there are none, all have been.
    pub(super) machines: Vec<Machine>,
    pub(super) contenders: Vec<Contender>,
}

/// What a contender came to on one subset with one number of coordinates.
#[derive(Clone)]
pub(super) struct Score {
    pub(super) contender: String,
    pub(super) coordinates: usize,
    pub(super) tune: f64,
    pub(super) test: f64,
    pub(super) chosen: String,
}

/// An embedding of a subset.
struct Tried {
    contender: usize,
    words: String,
    embedding: nrdr::Embedding,
}

impl Contest {
    /// The numbers of coordinates that are looked at.
    fn rows(&self, settings: Settings<'_>) -> &[usize] {
        if settings.quick { &self.rows[..2] } else { &self.rows }
    }

    /// The scores on each of the subsets; those that an earlier run has written are read.
    pub(super) fn scores(
        &self,
        digits: &Digits,
        settings: Settings<'_>,
    ) -> Result<Vec<Vec<Score>>, Failure> {
        let subsets = if settings.quick { 2 } else { SUBSETS };
        (0..subsets).map(|subset| self.subset(digits, subset, settings)).collect()
    }

    fn subset(
        &self,
        digits: &Digits,
        subset: usize,
        settings: Settings<'_>,
    ) -> Result<Vec<Score>, Failure> {
        let count = digits.images.rows().min(if settings.quick { 1500 } else { POINTS });
        let file = self.file(count, subset, settings);
        if !settings.force
            && let Some(scores) = std::fs::read_to_string(&file).ok().and_then(|text| parsed(&text))
        {
            return Ok(scores);
        }
        let mut order: Vec<u32> = (0..digits.images.rows() as u32).collect();
        let seed = settings.seed.wrapping_add(subset as u64);
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        order.truncate(count);
        let points = digits.images.select(&order);
        let labels: Vec<f64> = order.iter().map(|&i| digits.labels[i as usize]).collect();
        let (end, middle) = (2 * count / 3, 5 * count / 6);
        let train = 0..self.labelled.unwrap_or(end).min(end);
        let split = Split { train, tune: end..middle, test: middle..count };
        let bar = Bar::new(&format!("{} subset {}", self.name, subset + 1), settings.quiet);
        let tried = self.embed(&points, settings, &bar)?;
        bar.message("support vector machines");
        let rows: Vec<(usize, usize)> = (0..self.contenders.len())
            .flat_map(|contender| self.rows(settings).iter().map(move |&row| (contender, row)))
            .collect();
        let scores: Vec<Score> = rows
            .par_iter()
            .map(|&(contender, row)| self.score(contender, row, &tried, &labels, &split))
            .collect::<Result<_, Failure>>()?;
        write_atomically(&file, |out| out.write_all(written(&scores).as_bytes()))?;
        Ok(scores)
    }

    /// Where the scores of a subset are kept.
    fn file(&self, count: usize, subset: usize, settings: Settings<'_>) -> PathBuf {
        let seed = settings.seed;
        settings.out.join(format!("{}-of-{count}-seed-{seed}-subset-{}.csv", self.name, subset + 1))
    }

    /// The embeddings by all entries and graphs.
    fn embed(
        &self,
        points: &Points,
        settings: Settings<'_>,
        bar: &Bar,
    ) -> Result<Vec<Tried>, Failure> {
        let rows = self.rows(settings);
        let wanted = rows[rows.len() - 1];
        let mut tried = Vec::new();
        let entries: Vec<(usize, &Entry)> = (self.contenders.iter().enumerate())
            .flat_map(|(i, contender)| contender.entries.iter().map(move |entry| (i, entry)))
            .collect();
        let mut sizes: Vec<usize> =
            entries.iter().map(|(_, entry)| entry.most.min(wanted)).collect();
        sizes.sort_unstable();
        sizes.dedup();
        for &neighbors in self.neighbors {
            for &dims in &sizes {
                let of_size: Vec<(usize, &Entry)> =
                    entries.iter().filter(|(_, e)| e.most.min(wanted) == dims).copied().collect();
                let strategies: Vec<Strategy> =
                    of_size.iter().map(|(_, entry)| entry.strategy.clone()).collect();
                let options = Options {
                    dims: dims.into(),
                    neighbors,
                    seed: settings.seed,
                    ..Default::default()
                };
                let lem = LaplacianEigenmaps::default();
                let found = by_strategies(points, &lem, &options, &strategies, bar)?;
                for ((contender, entry), embedding) in of_size.into_iter().zip(found) {
                    let words = format!("k {neighbors} {}", entry.words);
                    tried.push(Tried { contender, words, embedding: embedding? });
                }
            }
        }
        Ok(tried)
    }

    /// The error of a contender, with the parameters that do best on the tune set.
    fn score(
        &self,
        contender: usize,
        row: usize,
        tried: &[Tried],
        labels: &[f64],
        split: &Split,
    ) -> Result<Score, Failure> {
        let candidates: Vec<&Tried> = tried
            .iter()
            .filter(|t| t.contender == contender && t.embedding.dims() >= row)
            .collect();
        let by = |tried: &'_ Tried, machine: Machine| -> Result<f64, Failure> {
            let leading = leading(&tried.embedding, row);
            Ok(trained(&leading, labels, split, machine)?.errors(&split.tune))
        };
        let tries: Vec<(&Tried, Machine)> = candidates
            .iter()
            .flat_map(|tried| self.first.iter().map(|&machine| (*tried, machine)))
            .collect();
        let (best, mut machine) = tries[least(&tries, |&(tried, machine)| by(tried, machine))?];
        if !self.machines.is_empty() {
            machine = self.machines[least(&self.machines, |&machine| by(best, machine))?];
        }
        let coordinates = leading(&best.embedding, row);
        let chosen = trained(&coordinates, labels, split, machine)?;
        let Machine { c, gamma, scaling } = machine;
        Ok(Score {
            contender: self.contenders[contender].name.to_string(),
            coordinates: row,
            tune: chosen.errors(&split.tune),
            test: chosen.errors(&split.test),
            chosen: format!("{} c {c} gamma {gamma} scaled by {}", best.words, scaling.name()),
        })
    }
}

/// The first of those with the least errors.
fn least<T: Sync>(
    of: &[T],
    errors: impl Fn(&T) -> Result<f64, Failure> + Send + Sync,
) -> Result<usize, Failure> {
    let found = of.par_iter().map(errors).collect::<Result<Vec<f64>, Failure>>()?;
    let best = found.iter().enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b));
    best.map(|(at, _)| at).ok_or_else(|| {
        Failure::Usage("there are too few coordinates: give more digits".to_string())
    })
}

/// As many coordinates: the first ones, or those that were selected with the largest errors.
fn leading(embedding: &nrdr::Embedding, count: usize) -> Vec<&[f64]> {
    let error = |i: usize| embedding.coordinates[i].selected.as_ref().map_or(0.0, |s| s.error);
    let mut order: Vec<usize> = (0..embedding.dims()).collect();
    order.sort_by(|&i, &j| error(j).total_cmp(&error(i)));
    order.truncate(count);
    order.into_iter().map(|i| embedding.coordinate(i)).collect()
}

const HEADER: &str = "contender,coordinates,tune,test,chosen";

fn written(scores: &[Score]) -> String {
    let line = |s: &Score| {
        format!("{},{},{},{},{}\n", s.contender, s.coordinates, s.tune, s.test, s.chosen)
    };
    format!("{HEADER}\n{}", scores.iter().map(line).collect::<String>())
}

/// What `written` wrote; `None` when it is something else.
fn parsed(text: &str) -> Option<Vec<Score>> {
    let mut lines = text.lines();
    if lines.next() != Some(HEADER) {
        return None;
    }
    let score = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let [contender, coordinates, tune, test, chosen] = cells[..] else { return None };
        Some(Score {
            contender: contender.to_string(),
            coordinates: coordinates.parse().ok()?,
            tune: tune.parse().ok()?,
            test: test.parse().ok()?,
            chosen: chosen.to_string(),
        })
    };
    lines.map(score).collect()
}
