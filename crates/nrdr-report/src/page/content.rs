//! What a page holds, as its scripts read it.

use nrdr::method;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::{Value, json};

use super::source::{Shown, Source};
use super::{Page, PageError, atlas, curves, floats, integers, strips};
use crate::answers::{answers, headline};
use crate::facts::Facts;
use crate::found::title;
use crate::label::Label;
use crate::memory;
use crate::natural::in_order;
use crate::palette::{self, Ground};

/// More points than this are sampled.
const MOST_POINTS: usize = 100_000;
/// What the columns one can colour by may take, and the texts of the points, before they are encoded.
const COLUMN_BYTES: usize = 1_500_000;
const TEXT_BYTES: usize = 3_000_000;
/// Colours of the ramp, between which the page interpolates.
const RAMP_STEPS: usize = 33;

impl Page<'_> {
    pub(super) fn data(&self) -> Result<Value, PageError> {
        let Page { source, shown, ours, .. } = self;
        let (rows, total) = self.rows();
        let row_of = |i: u32| source.kept.map_or(i, |kept| kept[i as usize]);
        let facts: Vec<&Facts> = shown.iter().map(|one| &one.facts).collect();
        let about = facts.get(*ours).copied();
        let times = about.filter(|facts| !facts.seconds.is_empty());
        let mut notes = source.notes.to_vec();
        let (images, strips) = match (source.images, source.given) {
            (Some(shape), Some(given)) => {
                let atlas = atlas::of(given, &rows, shape)?;
                if atlas.is_none() {
                    notes.push(
                        "there are too many pictures to show them at their points".to_string(),
                    );
                }
                (atlas, strips::of(given, shown, &rows, shape, &row_of)?)
            }
            _ => (None, Value::Null),
        };
        let (columns, left_out) = self.columns(&rows);
        if left_out > 0 {
            notes.push(format!(
                "{left_out} column(s) are left out of the colours, to keep the page small"
            ));
        }
        let texts: Vec<&Label<'_>> = source.texts.iter().filter(|text| fits(text)).collect();
        if texts.len() < source.texts.len() {
            let left_out = source.texts.len() - texts.len();
            notes.push(format!("{left_out} column(s) of long texts are left out of the page"));
        }
        let label = |label: &Label<'_>| of_label(label, &rows);
        let classes = source.labels.iter().map(|label| label.distinct.len()).max().unwrap_or(0);
        let classes = classes.min(palette::MOST_CLASSES);
        let embeddings = shown.iter().map(|one| of_shown(one, &rows)).collect::<Vec<Value>>();
        Ok(json!({
            "version": env!("CARGO_PKG_VERSION"),
            "title": source.title,
            "headline": headline(&facts, *ours),
            "answers": answers(&facts, *ours),
            "verdict": self.verdict,
            "command": self.command,
            "facts": self.facts(about),
            "parameters": self.parameters(about),
            "shown": rows.len(),
            "total": total,
            "rows": (rows.len() != source.total).then(|| integers(rows.iter().map(|&i| row_of(i)))),
            "embeddings": embeddings,
            "ours": ours,
            "labels": source.labels.iter().map(label).collect::<Vec<_>>(),
            "ids": source.ids.as_ref().filter(|ids| fits(ids)).map(label),
            "texts": texts.into_iter().map(label).collect::<Vec<_>>(),
            "columns": columns,
            "palette": {"light": palette_on(Ground::Light, classes), "dark": palette_on(Ground::Dark, classes)},
            "images": images,
            "strips": strips,
            "times": times.map(|facts| facts.seconds.iter().collect::<Vec<_>>()),
            "peak_memory_mb": memory::peak_megabytes(),
            "notes": notes,
            "warnings": self.failed,
            "dimension": about.and_then(|facts| facts.dimension.as_ref()),
        }))
    }

    /// The points that are drawn, those that every embedding has or a sample of them; and how many these are.
    fn rows(&self) -> (Vec<u32>, usize) {
        let first = || self.shown.iter().filter_map(|one| one.coordinates.first());
        let n = first().map(|values| values.len()).min().unwrap_or(0);
        let there = |i: &u32| first().all(|values| !values[*i as usize].is_nan());
        let rows: Vec<u32> = (0..n as u32).filter(there).collect();
        let total = rows.len();
        if total <= MOST_POINTS {
            return (rows, total);
        }
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let chosen = rand::seq::index::sample(&mut random, rows.len(), MOST_POINTS);
        let mut chosen: Vec<u32> = chosen.into_iter().map(|at| rows[at]).collect();
        chosen.sort_unstable();
        (chosen, total)
    }

    fn facts(&self, about: Option<&Facts>) -> Vec<[String; 2]> {
        let Source { columns, given, .. } = self.source;
        let fact = |name: &str, value: String| [name.to_string(), value];
        let first = self.shown.first().and_then(|one| one.coordinates.first());
        let mut facts = vec![fact("points", first.map_or(0, |values| values.len()).to_string())];
        let given = given.map_or(columns, |given| Some(given.columns()));
        facts.extend(columns.zip(given).map(|(columns, given)| {
            if columns == given {
                fact("columns", columns.to_string())
            } else {
                fact("columns", format!("{given}, of which {columns} principal components"))
            }
        }));
        let Some(about) = about else { return facts };
        if let Some(name) = &about.method {
            let known = method::by_name(name);
            let told = known.map_or_else(|_| name.clone(), |method| method.about().to_string());
            facts.push(fact("method", told));
        }
        facts.extend(about.solver.as_ref().map(|solver| fact("solver", solver.clone())));
        for (name, value) in &about.chosen {
            facts.push(fact(name, format!("{} (chosen)", three_digits(value))));
        }
        facts
    }

    /// All options; one that was to be found is told as it was found.
    fn parameters(&self, about: Option<&Facts>) -> Vec<[String; 2]> {
        let found = |name: &str| -> Option<String> {
            let about = about?;
            match name {
                "alpha" => {
                    let alphas: Vec<String> =
                        about.alpha.iter().flatten().map(three_digits).collect();
                    (!alphas.is_empty()).then(|| alphas.join(", "))
                }
                "dims" => Some(about.dims.to_string()),
                _ => about.chosen.get(&name.replace('-', "_")).map(three_digits),
            }
        };
        let told = |(name, value): (&String, &Value)| {
            let text = plain_text(value);
            let found = if text == "auto" { found(name) } else { None };
            [name.clone(), found.map_or(text, |found| format!("{found} (found)"))]
        };
        self.config.iter().map(told).collect()
    }

    /// Numbers to colour by: those that stand beside the points, true parameters, and columns of the input, as many as fit;
    /// and how many do not. Columns that some coordinate tells come before others.
    fn columns(&self, rows: &[u32]) -> (Vec<Value>, usize) {
        let Source { names, truth, images, given, numbers, .. } = &self.source;
        let beside = numbers.iter().map(|(name, values)| of_column(name, rows, |i| values[i]));
        let truths = truth.iter().flat_map(|(names, table)| {
            names.iter().enumerate().map(move |(c, name)| (format!("true {name}"), *table, c))
        });
        // Single pixels tell little, and the picture is shown.
        let given = given.filter(|_| images.is_none());
        let inputs = given.iter().flat_map(|table| {
            names.iter().enumerate().map(move |(c, name)| (name.clone(), *table, c))
        });
        let all: Vec<_> = truths.chain(inputs).collect();
        let room = (COLUMN_BYTES / (4 * rows.len().max(1))).max(1);
        let meanings = self.shown.iter().flat_map(|one| &one.facts.meaning);
        let told: Vec<&str> = meanings
            .flat_map(|meaning| &meaning.columns)
            .map(|column| column.name.as_str())
            .collect();
        let mut chosen: Vec<usize> = (0..all.len()).collect();
        chosen.sort_by_key(|&at| !told.contains(&all[at].0.as_str()));
        chosen.truncate(room);
        chosen.sort_unstable();
        let column = |&at: &usize| {
            let (name, table, c) = &all[at];
            of_column(name, rows, |i| table.row(i)[*c])
        };
        (beside.chain(chosen.iter().map(column)).collect(), all.len() - chosen.len())
    }
}

/// Whether the texts of a column can stand on a page.
fn fits(label: &Label<'_>) -> bool {
    label.distinct.iter().map(String::len).sum::<usize>() <= TEXT_BYTES
}

/// Texts of the points that are drawn, in the order in which people list them; what is empty is beyond the list.
fn of_label(label: &Label<'_>, rows: &[u32]) -> Value {
    let order = in_order(label.distinct);
    let mut place = vec![u32::MAX; label.distinct.len()];
    order.iter().zip(0..).for_each(|(&code, at)| place[code] = at);
    json!({
        "name": label.name,
        "values": order.iter().map(|&code| &label.distinct[code]).collect::<Vec<_>>(),
        "codes": integers(rows.iter().map(|&i| place[label.codes[i as usize] as usize])),
    })
}

/// Colours for so many classes, and for numbers from the least to the largest.
fn palette_on(ground: Ground, classes: usize) -> Value {
    let step = |i: usize| palette::ramp(i as f64 / (RAMP_STEPS - 1) as f64, ground);
    json!({
        "classes": palette::classes(classes, ground),
        "ramp": (0..RAMP_STEPS).map(step).collect::<Vec<_>>(),
    })
}

/// Numbers to colour by.
fn of_column(name: &str, rows: &[u32], value: impl Fn(usize) -> f64) -> Value {
    json!({"name": name, "values": floats(rows.iter().map(|&i| value(i as usize)))})
}

fn of_shown(shown: &Shown<'_>, rows: &[u32]) -> Value {
    let Shown { coordinates, facts } = shown;
    let strategy = if facts.strategy.is_empty() { "embedding" } else { &facts.strategy };
    let redundancy = facts.redundancy.as_ref();
    json!({
        "name": strategy,
        "title": title(strategy),
        "coordinates": coordinates.iter()
            .map(|values| floats(rows.iter().map(|&i| values[i as usize])))
            .collect::<Vec<_>>(),
        "redundancy": redundancy.map_or(json!([1.0]), |found| json!(found.errors)),
        "pairwise": redundancy.map_or(json!([[0.0]]), |found| json!(found.pairwise)),
        "curves": curves::of(shown),
        "meaning": facts.meaning,
        "eigenvalues": facts.eigenvalues,
        "singular": facts.singular_values,
        "rank": facts.rank,
        "alpha": facts.alpha,
        "residual": facts.residual,
        "seconds": facts.seconds.values().sum::<f64>(),
        "warnings": facts.warnings,
    })
}

/// A number with at most three digits that count.
fn three_digits(value: &f64) -> String {
    let rounded: f64 = format!("{value:.2e}").parse().unwrap_or(*value);
    if (1e-4..1e6).contains(&rounded.abs()) { rounded.to_string() } else { format!("{rounded:e}") }
}

fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain_text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}
