//! Embeds one set of points by several strategies, on one graph, and measures each; `bench/run.py` calls it.
//!
//! ```text
//! quality METHOD FILE COLUMNS NEIGHBORS DIMS KNOWN OUT STRATEGY ..
//! ```
//!
//! FILE holds the points as little-endian f64, row after row. DIMS is a list such as 2,3,5: that many of the first coordinates
//! are measured. KNOWN is `labels=FILE` (u32), `truth=FILE:COLUMNS` (f64) or `nothing`. STRATEGY is a name with
//! parameters, such as `unpredictable:alpha=0.4`. For each one a line of JSON is printed; its coordinates go to OUT.0, OUT.1, ..
//! as f64, one coordinate after another, unless OUT is `-`.

mod driver;

use std::error::Error;
use std::fs;
use std::time::Instant;

use driver::{read, strategy};
use nrdr::quality::{label_accuracy, quality, recovery};
use nrdr::{Embedding, Options, Points, Prepared, RedundancyOptions};
use serde_json::{Value as Json, json};

const USAGE: &str = "usage: quality METHOD FILE COLUMNS NEIGHBORS DIMS KNOWN OUT STRATEGY ..";
/// Points on which redundancy is measured.
const SAMPLE: usize = 1000;

type Failure = Box<dyn Error>;

/// What is known of the points.
enum Known {
    Labels(Vec<u32>),
    Truth(Points),
    Nothing,
}

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let [method, file, columns, neighbors, dims, known, out, strategies @ ..] = args.as_slice()
    else {
        return Err(USAGE.into());
    };
    let points = read(file, columns.parse()?)?;
    let known = Known::read(known)?;
    let dims: Vec<usize> = dims.split(',').map(str::parse).collect::<Result<_, _>>()?;
    let most = dims.iter().copied().max().ok_or(USAGE)?;
    let method = nrdr::method::by_name(method)?;
    let neighbors = neighbors.parse()?;
    let options = Options { neighbors, dims: most.into(), ..Default::default() };
    let prepared = Prepared::new(&points, method.as_ref(), &options)?;
    for (i, text) in strategies.iter().enumerate() {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let settings: Vec<&str> =
            settings.split(',').filter(|setting| !setting.is_empty()).collect();
        let strategy = strategy(name, &settings)?;
        let start = Instant::now();
        let embedding = prepared.embed(&strategy)?;
        let seconds = start.elapsed().as_secs_f64();
        let measured = dims.iter().map(|&d| measured(&points, &embedding, d, &known));
        let measured = measured.collect::<Result<Vec<Json>, Failure>>()?;
        let redundancy = RedundancyOptions { sample: SAMPLE, ..Default::default() };
        let errors = embedding.redundancy(&redundancy, &())?.map(|found| found.errors);
        let terms: Vec<Json> = embedding.coordinates.iter().map(terms).collect();
        println!(
            "{}",
            json!({"strategy": text, "seconds": seconds, "dims": measured, "redundancy": errors, "terms": terms})
        );
        if *out != "-" {
            let values = embedding.coordinates.iter().flat_map(|c| &c.values);
            let bytes: Vec<u8> = values.flat_map(|v| v.to_le_bytes()).collect();
            fs::write(format!("{out}.{i}"), bytes)?;
        }
    }
    Ok(())
}

/// How a coordinate was found.
fn terms(coordinate: &nrdr::Coordinate) -> Json {
    let Some(smoothing) = &coordinate.smoothing else { return Json::Null };
    let paid = smoothing.paid.as_ref();
    json!({
        "alpha": smoothing.alpha,
        "rank": smoothing.rank,
        "price": paid.map(|paid| paid.price),
        "paid": paid.map(|paid| paid.share),
        "pool": paid.map(|paid| paid.pool),
        "tried": smoothing.tried,
        "seconds": coordinate.time.as_secs_f64(),
    })
}

/// The first `d` coordinates, measured.
fn measured(
    points: &Points,
    embedding: &Embedding,
    d: usize,
    known: &Known,
) -> Result<Json, Failure> {
    let columns: Vec<&[f64]> = (0..d).map(|i| embedding.coordinate(i)).collect();
    let shown = Points::from_columns(&columns)?;
    let found = quality(points, &shown, None, 0)?;
    let told = match known {
        Known::Labels(labels) => json!([label_accuracy(&shown, labels)?]),
        Known::Truth(truth) => {
            let columns: Vec<Vec<f64>> = (0..truth.columns()).map(|c| truth.column(c)).collect();
            let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
            json!(recovery(&shown, &columns)?)
        }
        Known::Nothing => json!([]),
    };
    Ok(json!({
        "d": d,
        "trustworthiness": found.preservation.trustworthiness,
        "continuity": found.preservation.continuity,
        "neighborhoods": found.preservation.neighborhoods,
        "spike": found.spikes.iter().copied().fold(0.0, f64::max),
        "told": told,
    }))
}

impl Known {
    fn read(text: &str) -> Result<Self, Failure> {
        Ok(match text.split_once('=') {
            Some(("labels", file)) => {
                let bytes = fs::read(file)?;
                let label = |b: &[u8]| u32::from_le_bytes([b[0], b[1], b[2], b[3]]);
                Known::Labels(bytes.chunks_exact(4).map(label).collect())
            }
            Some(("truth", source)) => {
                let (file, columns) = source.rsplit_once(':').ok_or(USAGE)?;
                Known::Truth(read(file, columns.parse()?)?)
            }
            _ if text == "nothing" => Known::Nothing,
            _ => return Err(USAGE.into()),
        })
    }
}
