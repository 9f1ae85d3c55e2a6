//! The sample of a run: points that were drawn before anything was read, with their coordinates, at the first member.

use std::collections::HashMap;

use nrdr::team::{Team, join};
use nrdr::{Embedding, Model, Observer, Points};
use nrdr_cli::shared::{About, Drawn, Failure, Sample, Typed};
use nrdr_model::Preparation;
use nrdr_report::{Facts, Found, Known, Label, verdict};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::parts::{Parts, Picked};
use crate::rank_cost::RankCost;
use crate::together::{bytes_of, numbers_of};

/// How many points it has at most.
pub const MOST: usize = 5000;
/// The folder that it is written to, in that of the results.
pub const FOLDER: &str = "sample";
/// Coordinates of more columns without names are not explained.
const FEW: usize = 20;

/// The rows that are drawn of so many, in order.
pub fn picks(rows: u64, seed: u64) -> Vec<u64> {
    let all = usize::try_from(rows).unwrap_or(usize::MAX);
    if all <= MOST {
        return (0..rows).collect();
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let chosen = rand::seq::index::sample(&mut random, all, MOST);
    let mut chosen: Vec<u64> = chosen.into_iter().map(|row| row as u64).collect();
    chosen.sort_unstable();
    chosen
}

/// An embedding with the rows of the input that its values are of.
pub struct Placed {
    /// The embedding.
    pub embedding: Embedding,
    /// The rows.
    pub rows: Vec<u64>,
}

/// What was measured on the sample, at the first member.
pub struct Measured {
    /// The sample.
    pub sample: Sample,
    /// The embeddings of its points, the original one first.
    pub found: Vec<Found>,
    /// What is known of each of them, as embeddings of all points.
    pub facts: Vec<Facts>,
    /// What the run took of each process.
    pub ranks: Vec<RankCost>,
    /// What new points need, with what was done to their columns, if it was asked for.
    pub model: Option<(Model, Preparation)>,
}

impl Measured {
    /// The embedding that the run is about.
    pub fn ours(&self) -> &Found {
        &self.found[self.sample.drawn.ours]
    }

    /// The original one beside it.
    pub fn original(&self) -> Option<&Found> {
        self.found.first().filter(|_| self.sample.drawn.ours > 0)
    }
}

/// What is told of a run beside its numbers.
pub struct Told<'t> {
    /// The command line, and all options.
    pub about: &'t About,
    /// What was embedded, for people.
    pub title: String,
    /// Numbers of all rows: of the input, and of those that are embedded.
    pub rows: (u64, u64),
    /// What the user should know.
    pub notes: Vec<String>,
    /// Start of the random numbers.
    pub seed: u64,
}

/// Brings the sample to the first member and measures it there; nothing at the others. `placed` are the embeddings, the
/// original one first.
pub fn measured(
    team: &dyn Team,
    parts: &Parts,
    placed: &[Placed],
    picked: Vec<Picked>,
    told: Told<'_>,
    observer: &dyn Observer,
) -> Result<Option<Measured>, Failure> {
    let texts = parts.texts.len();
    let given = brought(team, picked.iter().map(|one| (one.row, one.values.as_slice())));
    let labels = brought_texts(team, &picked);
    let wanted = picks(told.rows.0, told.seed);
    let mut coordinates = Vec::new();
    for Placed { embedding, rows } in placed {
        let there = rows.iter().enumerate().filter(|(_, row)| wanted.binary_search(row).is_ok());
        let own: Vec<(u64, Vec<f64>)> =
            there.map(|(i, row)| (*row, embedding.row(i).collect())).collect();
        coordinates.push(brought(team, own.iter().map(|(row, values)| (*row, values.as_slice()))));
    }
    if team.rank() > 0 {
        return Ok(None);
    }
    let given: HashMap<u64, Vec<f64>> = given.into_iter().collect();
    let labels: HashMap<u64, Vec<String>> = labels.into_iter().collect();
    let tables: Vec<HashMap<u64, Vec<f64>>> =
        coordinates.into_iter().map(|table| table.into_iter().collect()).collect();
    let is_there =
        |row: &u64| given.contains_key(row) && tables.iter().all(|table| table.contains_key(row));
    let rows: Vec<u64> = wanted.into_iter().filter(is_there).collect();
    if rows.is_empty() {
        return Ok(None);
    }
    let points =
        Points::new(rows.iter().flat_map(|row| &given[row]).copied().collect(), parts.names.len())?;
    let label = |at: usize| -> Vec<String> {
        let text = |row: &u64| labels.get(row).and_then(|texts| texts.get(at)).cloned();
        rows.iter().map(|row| text(row).unwrap_or_default()).collect()
    };
    let labels: Vec<Vec<String>> = (0..texts).map(label).collect();
    let of_sample = |(one, table): (&Placed, &HashMap<u64, Vec<f64>>)| {
        let mut embedding = one.embedding.clone();
        for (i, coordinate) in embedding.coordinates.iter_mut().enumerate() {
            coordinate.values = rows.iter().map(|row| table[row][i]).collect();
        }
        Embedding { left_out: 0, ..embedding }
    };
    let embeddings: Vec<Embedding> = placed.iter().zip(&tables).map(of_sample).collect();
    let coordinates = embeddings
        .iter()
        .map(|one| one.coordinates.iter().map(|c| c.values.clone()).collect())
        .collect();
    // Only this member measures: nothing of it may ask the others.
    let found = join(None, || measure(embeddings, &points, parts, &labels, told.seed, observer))?;
    let of_all = |(found, one): (&Found, &Placed)| {
        let left_out = one.embedding.left_out + (told.rows.0 - told.rows.1) as usize;
        let n = (told.rows.0 as usize).saturating_sub(left_out);
        Facts { n, left_out: one.embedding.left_out, ..Facts::in_full(found, &Typed) }
    };
    let facts: Vec<Facts> = found.iter().zip(placed).map(of_all).collect();
    let ours = found.len() - 1;
    let verdict = verdict(&found[ours], (ours > 0).then(|| &found[0]), &Typed);
    let drawn = Drawn {
        version: env!("CARGO_PKG_VERSION").to_string(),
        command: told.about.command.clone(),
        config: told.about.config.clone(),
        title: told.title,
        names: parts.names.clone(),
        labels: parts.texts.clone(),
        rows: told.rows.0 as usize,
        facts: facts.clone(),
        ours,
        verdict,
        notes: told.notes,
        seed: told.seed,
    };
    let sample = Sample { drawn, rows, given: points, coordinates, labels };
    Ok(Some(Measured { sample, found, facts, ranks: Vec::new(), model: None }))
}

fn measure(
    embeddings: Vec<Embedding>,
    points: &Points,
    parts: &Parts,
    labels: &[Vec<String>],
    seed: u64,
    observer: &dyn Observer,
) -> nrdr::Result<Vec<Found>> {
    let coded: Vec<(Vec<String>, Vec<u32>)> = labels.iter().map(|texts| coded(texts)).collect();
    let judged_by = coded.first().map(|(_, codes)| codes.as_slice());
    let mut found = Found::all(embeddings, points, judged_by, seed, observer)?;
    let names = &parts.names;
    let mean = names.len() <= FEW || !nrdr_io::invented(names);
    let label = |(name, (distinct, codes))| Label { name, distinct, codes };
    let known = Known {
        columns: mean.then_some((points, names.as_slice())),
        truth: None,
        numbers: Vec::new(),
        labels: parts
            .texts
            .iter()
            .map(String::as_str)
            .zip(coded.iter().map(|(d, c)| (d.as_slice(), c.as_slice())))
            .map(label)
            .collect(),
    };
    found.iter_mut().try_for_each(|found| found.explain(&known, seed))?;
    Ok(found)
}

/// Rows that members have, brought to the first one.
fn brought<'r>(
    team: &dyn Team,
    own: impl Iterator<Item = (u64, &'r [f64])>,
) -> Vec<(u64, Vec<f64>)> {
    let mut bytes = Vec::new();
    for (row, values) in own {
        bytes.extend(row.to_le_bytes());
        bytes.extend((values.len() as u64).to_le_bytes());
        bytes.extend(bytes_of(values));
    }
    let mut all = Vec::new();
    for bytes in to_first(team, bytes) {
        let mut rest = bytes.as_slice();
        while let Some((head, after)) = rest.split_first_chunk::<16>() {
            let number = |at: usize| {
                head[at..].first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes))
            };
            let (values, after) = after.split_at((8 * number(8) as usize).min(after.len()));
            all.push((number(0), numbers_of(values)));
            rest = after;
        }
    }
    all
}

/// The texts of rows that members have, brought to the first one.
fn brought_texts(team: &dyn Team, own: &[Picked]) -> Vec<(u64, Vec<String>)> {
    let own: Vec<(u64, &[String])> =
        own.iter().map(|one| (one.row, one.texts.as_slice())).collect();
    // Texts and numbers are always JSON.
    let bytes = serde_json::to_vec(&own).unwrap_or_default();
    let all = to_first(team, bytes).into_iter();
    all.flat_map(|bytes| {
        serde_json::from_slice::<Vec<(u64, Vec<String>)>>(&bytes).unwrap_or_default()
    })
    .collect()
}

fn to_first(team: &dyn Team, bytes: Vec<u8>) -> Vec<Vec<u8>> {
    let mut to = vec![Vec::new(); team.size()];
    to[0] = bytes;
    team.exchange(to)
}

/// The different texts, and for each text which of them it is.
fn coded(texts: &[String]) -> (Vec<String>, Vec<u32>) {
    let mut places = HashMap::new();
    let mut distinct = Vec::new();
    let code = |text: &String| {
        *places.entry(text.clone()).or_insert_with(|| {
            distinct.push(text.clone());
            (distinct.len() - 1) as u32
        })
    };
    let codes = texts.iter().map(code).collect();
    (distinct, codes)
}
