//! The report: one HTML file that opens without a network.

mod atlas;
mod source;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use nrdr::{Points, method};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::{Map, Value, json};

use crate::facts::Facts;
use crate::found::title;
use crate::memory;
use crate::natural::in_order;
use crate::palette::{self, Ground};
pub use source::{Label, Shown, Source};

const HTML: &str = include_str!("page.html");
const CSS: &str = include_str!("page.css");
/// The scripts, each of which may use those before it.
const SCRIPTS: [&str; 13] = [
    include_str!("data.js"),
    include_str!("colors.js"),
    include_str!("view.js"),
    include_str!("webgl.js"),
    include_str!("canvas.js"),
    include_str!("frame.js"),
    include_str!("plot.js"),
    include_str!("gestures.js"),
    include_str!("legend.js"),
    include_str!("scatter.js"),
    include_str!("charts.js"),
    include_str!("sections.js"),
    include_str!("page.js"),
];

/// More points than this are sampled.
const MOST_POINTS: usize = 100_000;
/// What the columns one can colour by may take, before they are encoded.
const COLUMN_BYTES: usize = 1_500_000;

/// Colours of the ramp, between which the page interpolates.
const RAMP_STEPS: usize = 33;

/// What can keep a page from being made.
#[derive(Debug, thiserror::Error)]
#[error("the pictures cannot be encoded: {0}")]
pub struct PageError(#[from] image::ImageError);

/// What a page shows.
pub struct Page<'p> {
    /// The command.
    pub command: &'p str,
    /// All options.
    pub config: &'p Map<String, Value>,
    /// What was embedded.
    pub source: Source<'p>,
    /// What the embeddings mean, in a sentence.
    pub verdict: String,
    /// The embeddings, the original one first.
    pub shown: Vec<Shown<'p>>,
    /// Which of them the page is about.
    pub ours: usize,
    /// What became of strategies that found none.
    pub failed: Vec<String>,
    /// Of the sample, where there are too many points.
    pub seed: u64,
}

impl Page<'_> {
    /// The page.
    pub fn html(&self) -> Result<String, PageError> {
        // In JSON a `<` stands only in strings: none can end the script it is part of.
        let data = self.data()?.to_string().replace('<', "\\u003c");
        let page = HTML.replacen("/*CSS*/", CSS, 1).replacen("/*JS*/", &SCRIPTS.join("\n"), 1);
        // Last, so that a label which reads like one of these marks stays a label.
        Ok(page.replacen("/*DATA*/", &data, 1))
    }

    fn data(&self) -> Result<Value, PageError> {
        let Page { source, shown, .. } = self;
        let (rows, total) = self.rows();
        let row_of = |&i: &u32| source.kept.map_or(i, |kept| kept[i as usize]);
        let plain = rows.len() == source.total;
        let last = shown.last().map(|one| &one.facts);
        let times = last.filter(|facts| !facts.seconds.is_empty());
        let mut warnings = [source.notes, &self.failed].concat();
        let embeddings: Vec<Value> = shown.iter().map(|one| of_shown(one, &rows)).collect();
        let images = match (source.images, source.given) {
            (Some(shape), Some(given)) => match atlas::of(given, &rows, shape)? {
                Some(atlas) => atlas,
                None => {
                    warnings.push("there are too many pictures to show them here".to_string());
                    Value::Null
                }
            },
            _ => Value::Null,
        };
        let (columns, left_out) = self.columns(&rows);
        if left_out > 0 {
            warnings.push(format!(
                "{left_out} column(s) are left out of the colours, to keep the page small"
            ));
        }
        let labels: Vec<Value> = source.labels.iter().map(|label| of_label(label, &rows)).collect();
        let classes = source.labels.iter().map(|label| label.distinct.len()).max().unwrap_or(0);
        let classes = classes.min(palette::MOST_CLASSES);
        Ok(json!({
            "version": env!("CARGO_PKG_VERSION"),
            "title": source.title,
            "verdict": self.verdict,
            "command": self.command,
            "facts": self.facts(last),
            "parameters": self.config.iter().map(|(k, v)| json!([k, plain_text(v)])).collect::<Vec<_>>(),
            "shown": rows.len(),
            "total": total,
            "rows": (!plain).then(|| integers(rows.iter().map(row_of))),
            "embeddings": embeddings,
            "labels": labels,
            "ids": source.ids.map(|ids| of_label(&ids, &rows)),
            "texts": source.texts.iter().map(|text| of_label(text, &rows)).collect::<Vec<_>>(),
            "columns": columns,
            "palette": {"light": palette_on(Ground::Light, classes), "dark": palette_on(Ground::Dark, classes)},
            "images": images,
            "times": times.map(|facts| facts.seconds.iter().collect::<Vec<_>>()),
            "peak_memory_mb": memory::peak_megabytes(),
            "warnings": warnings,
            "dimension": last.and_then(|facts| facts.dimension.as_ref()),
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

    fn facts(&self, last: Option<&Facts>) -> Vec<[String; 2]> {
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
        let Some(last) = last else { return facts };
        if let Some(name) = &last.method {
            let known = method::by_name(name);
            let about = known.map_or_else(|_| name.clone(), |method| method.about().to_string());
            facts.push(fact("method", about));
        }
        facts.extend(last.solver.as_ref().map(|solver| fact("solver", solver.clone())));
        for (name, value) in &last.chosen {
            facts.push(fact(name, format!("{value:.6} (chosen)")));
        }
        facts
    }

    /// Numbers to colour by: those that stand beside the points, true parameters, and columns of the input, as many as fit;
    /// and how many do not.
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
        let room = (COLUMN_BYTES / (4 * rows.len().max(1))).max(1);
        let all: Vec<_> = truths.chain(inputs).collect();
        let left_out = all.len().saturating_sub(room);
        let column = |(name, table, c): (String, &Points, usize)| {
            of_column(&name, rows, |i| table.row(i)[c])
        };
        (beside.chain(all.into_iter().take(room).map(column)).collect(), left_out)
    }
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
        "eigenvalues": facts.eigenvalues,
        "singular": facts.singular_values,
        "rank": facts.rank,
        "alpha": facts.alpha,
        "residual": facts.residual,
        "seconds": facts.seconds.values().sum::<f64>(),
        "warnings": facts.warnings,
    })
}

fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain_text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

fn floats(values: impl Iterator<Item = f64>) -> String {
    STANDARD.encode(values.flat_map(|v| (v as f32).to_le_bytes()).collect::<Vec<u8>>())
}

fn integers(values: impl Iterator<Item = u32>) -> String {
    STANDARD.encode(values.flat_map(u32::to_le_bytes).collect::<Vec<u8>>())
}
