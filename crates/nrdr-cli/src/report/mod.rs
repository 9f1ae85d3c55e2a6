//! The report: one HTML file that opens without a network.

mod atlas;

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use nrdr::method;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::found::{Found, title};
use crate::io::write_atomically;
use crate::json::{About, of_estimate};
use crate::memory;
use crate::options::source::Loaded;

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

/// What a page shows.
pub(crate) struct Page<'p> {
    pub(crate) about: &'p About,
    pub(crate) loaded: &'p Loaded,
    pub(crate) verdict: String,
    /// The embeddings, the original one first.
    pub(crate) found: Vec<&'p Found>,
    /// What became of strategies that found none.
    pub(crate) failed: Vec<String>,
    pub(crate) seed: u64,
}

impl Page<'_> {
    /// Writes the page.
    pub(crate) fn write(&self, file: &Path) -> Result<(), Failure> {
        let text = self.html()?;
        Ok(write_atomically(file, |out| out.write_all(text.as_bytes()))?)
    }

    fn html(&self) -> Result<String, Failure> {
        // In JSON a `<` stands only in strings: none can end the script it is part of.
        let data = self.data()?.to_string().replace('<', "\\u003c");
        let page = HTML.replacen("/*CSS*/", CSS, 1).replacen("/*JS*/", &SCRIPTS.join("\n"), 1);
        // Last, so that a label which reads like one of these marks stays a label.
        Ok(page.replacen("/*DATA*/", &data, 1))
    }

    fn data(&self) -> Result<Value, Failure> {
        let Page { about, loaded, verdict, found, .. } = self;
        let (rows, total) = self.shown();
        let row_of = |&i: &u32| loaded.kept.as_ref().map_or(i, |kept| kept[i as usize]);
        let plain = rows.len() == loaded.total;
        let last = found.last().map(|found| &found.embedding);
        let mut warnings = [loaded.notes.as_slice(), &self.failed].concat();
        let embeddings: Vec<Value> = found.iter().map(|one| of_found(one, &rows)).collect();
        let images = match loaded.images {
            Some(shape) => match atlas::of(loaded.given(), &rows, shape)? {
                Some(atlas) => atlas,
                None => {
                    warnings.push("there are too many pictures to show them here".to_string());
                    Value::Null
                }
            },
            None => Value::Null,
        };
        let (columns, left_out) = self.columns(&rows);
        if left_out > 0 {
            warnings.push(format!(
                "{left_out} column(s) are left out of the colours, to keep the page small"
            ));
        }
        Ok(json!({
            "version": env!("CARGO_PKG_VERSION"),
            "title": loaded.name,
            "verdict": verdict,
            "command": about.command,
            "facts": self.facts(),
            "parameters": about.config.iter().map(|(k, v)| json!([k, plain_text(v)])).collect::<Vec<_>>(),
            "shown": rows.len(),
            "total": total,
            "rows": (!plain).then(|| integers(rows.iter().map(row_of))),
            "embeddings": embeddings,
            "label": loaded.label.as_ref().map(|label| json!({
                "name": label.name,
                "values": label.distinct,
                "codes": integers(rows.iter().map(|&i| label.codes[i as usize])),
            })),
            "columns": columns,
            "images": images,
            "times": last.map(|e| e.times.iter()
                .map(|(stage, time)| json!([stage.to_string(), time.as_secs_f64()]))
                .collect::<Vec<_>>()),
            "peak_memory_mb": memory::peak_megabytes(),
            "warnings": warnings,
            "dimension": last.and_then(|e| e.dimension.as_ref()).map(of_estimate),
        }))
    }

    /// The points that are drawn, those that every embedding has or a sample of them; and how many these are.
    fn shown(&self) -> (Vec<u32>, usize) {
        let there = |i: &u32| {
            self.found.iter().all(|found| !found.embedding.coordinate(0)[*i as usize].is_nan())
        };
        let rows: Vec<u32> = (0..self.loaded.points.rows() as u32).filter(there).collect();
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

    fn facts(&self) -> Vec<[String; 2]> {
        let (points, given) = (&self.loaded.points, self.loaded.given());
        let fact = |name: &str, value: String| [name.to_string(), value];
        let mut facts = vec![fact("points", points.rows().to_string())];
        facts.push(match points.columns() == given.columns() {
            true => fact("columns", points.columns().to_string()),
            false => fact(
                "columns",
                format!("{}, of which {} principal components", given.columns(), points.columns()),
            ),
        });
        if let Some(first) = self.found.last() {
            let name = first.embedding.method;
            let all = method::all();
            let about = all.iter().find(|method| method.name() == name);
            facts.push(fact("method", about.map_or(name, |method| method.about()).to_string()));
            facts.push(fact("solver", first.embedding.solver.to_string()));
            for (name, value) in &first.embedding.chosen {
                facts.push(fact(name, format!("{value:.6} (chosen)")));
            }
        }
        facts
    }

    /// Columns of the input and true parameters, as many as fit, and how many do not.
    fn columns(&self, rows: &[u32]) -> (Vec<Value>, usize) {
        let Loaded { names, truth, images, .. } = self.loaded;
        let given = self.loaded.given();
        let empty = Vec::new();
        let truths = truth.iter().flat_map(|(names, table)| {
            names.iter().enumerate().map(move |(c, name)| (format!("true {name}"), table, c))
        });
        // Single pixels tell little, and the picture is shown.
        let names = if images.is_some() { &empty } else { names };
        let inputs = names.iter().enumerate().map(|(c, name)| (name.clone(), given, c));
        let room = (COLUMN_BYTES / (4 * rows.len().max(1))).max(1);
        let all: Vec<_> = truths.chain(inputs).collect();
        let left_out = all.len().saturating_sub(room);
        let column = |(name, table, c): (String, &nrdr::Points, usize)| json!({"name": name, "values": floats(rows.iter().map(|&i| table.row(i as usize)[c]))});
        (all.into_iter().take(room).map(column).collect(), left_out)
    }
}

fn of_found(found: &Found, rows: &[u32]) -> Value {
    let Found { embedding, redundancy } = found;
    let coordinates = &embedding.coordinates;
    let smoothing = || coordinates.iter().map(|c| c.smoothing.as_ref());
    json!({
        "name": embedding.strategy,
        "title": title(embedding.strategy),
        "coordinates": coordinates.iter()
            .map(|c| floats(rows.iter().map(|&i| c.values[i as usize])))
            .collect::<Vec<_>>(),
        "redundancy": found.errors(),
        "pairwise": redundancy.as_ref().map_or_else(|| vec![vec![0.0]], |r| r.pairwise.clone()),
        "eigenvalues": embedding.eigenvalues().collect::<Vec<f64>>(),
        "singular": smoothing().map(|s| s.map(|s| s.singular_values.clone())).collect::<Vec<_>>(),
        "rank": smoothing().map(|s| s.map(|s| s.rank)).collect::<Vec<_>>(),
        "alpha": smoothing().map(|s| s.map(|s| s.alpha)).collect::<Vec<_>>(),
        "residual": coordinates.iter().map(|c| c.residual).collect::<Vec<_>>(),
        "seconds": embedding.time().as_secs_f64(),
        "warnings": embedding.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
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
