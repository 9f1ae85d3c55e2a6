//! The sample of a run whose points are spread over several machines: what a page shows of it.
//!
//! A folder with two files. `points.parquet` has a row for each point of the sample: its row in the input, its coordinates by each
//! embedding, its columns as they were given, and its labels. `run.json` has the rest.

use std::fs;
use std::io::Write;
use std::path::Path;

use nrdr::Points;
use nrdr_io::{Column, ReadOptions, add_table};
use nrdr_report::{Facts, Label, Page, Shown, Source};
use nrdr_write::{Outputs, WriteError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::json;

/// Names of its files.
const POINTS: &str = "points.parquet";
const RUN: &str = "run.json";

/// What is known of a run and of its sample.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Drawn {
    /// The version of the program.
    pub version: String,
    /// The command line.
    pub command: String,
    /// All options.
    pub config: Map<String, Value>,
    /// What was embedded, for people.
    pub title: String,
    /// Names of the columns as they were given.
    pub names: Vec<String>,
    /// Names of the labels.
    pub labels: Vec<String>,
    /// Rows of the input.
    pub rows: usize,
    /// What is known of the embeddings, the original one first.
    pub facts: Vec<Facts>,
    /// Which of them the run is about.
    pub ours: usize,
    /// What they mean, in sentences.
    pub verdict: String,
    /// What the user should know.
    pub notes: Vec<String>,
    /// Start of the random numbers.
    pub seed: u64,
}

/// Points of a run, and what is known of it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// What is known of the run.
    pub drawn: Drawn,
    /// Rows of the input, counted from 0.
    pub rows: Vec<u64>,
    /// The columns as they were given.
    pub given: Points,
    /// The coordinates by each embedding, each with the values of all points.
    pub coordinates: Vec<Vec<Vec<f64>>>,
    /// For each label the texts of all points.
    pub labels: Vec<Vec<String>>,
}

impl Sample {
    /// Adds its files, in a folder that is there.
    pub fn add(&self, folder: &Path, written: &mut Outputs) -> Result<(), Failure> {
        let rows = self.rows.iter().map(|&row| row as f64).collect::<Vec<f64>>();
        let mut names = vec!["row".to_string()];
        let mut columns = vec![Column::from(rows)];
        for (facts, coordinates) in self.drawn.facts.iter().zip(&self.coordinates) {
            for (i, values) in coordinates.iter().enumerate() {
                names.push(format!("{} f{}", facts.strategy, i + 1));
                columns.push(values.as_slice().into());
            }
        }
        for (j, name) in self.drawn.names.iter().enumerate() {
            names.push(name.clone());
            columns.push(self.given.column(j).into());
        }
        for (name, texts) in self.drawn.labels.iter().zip(&self.labels) {
            names.push(name.clone());
            columns.push(Column::Texts(texts.iter().map(String::as_str).collect()));
        }
        add_table(written, &folder.join(POINTS), &names, &columns)?;
        let text = json::text(&self.drawn)?;
        Ok(written.add(&folder.join(RUN), |out| out.write_all(text.as_bytes()))?)
    }

    /// The sample that a folder holds.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(RUN);
        let wrong =
            |what: String| WriteError::new(&path, what, "make it again with `nrdr-mpi embed`");
        let text = fs::read_to_string(&path)
            .map_err(|error| wrong(format!("cannot be read ({error})")))?;
        let drawn: Drawn = serde_json::from_str(&text)
            .map_err(|error| wrong(format!("is no sample of a run ({error})")))?;
        if drawn.ours >= drawn.facts.len() {
            return Err(wrong("tells of no embedding".to_string()).into());
        }
        let dims: Vec<usize> = drawn.facts.iter().map(|facts| facts.dims).collect();
        let numbers = 1 + dims.iter().sum::<usize>() + drawn.names.len();
        // Two columns may have one name, but not one number.
        let aside = (numbers + 1..=numbers + drawn.labels.len()).map(|at| at.to_string());
        let options = ReadOptions { aside: aside.collect(), ..Default::default() };
        let table = nrdr_io::read(&folder.join(POINTS), &options)?;
        let texts = table.text.len();
        if (table.names.len(), texts) != (numbers, drawn.labels.len()) {
            return Err(wrong(format!("does not fit {POINTS}")).into());
        }
        let column =
            |j: usize| table.values.chunks_exact(numbers).map(|row| row[j]).collect::<Vec<f64>>();
        let mut at = 1;
        let mut coordinates = Vec::new();
        for dims in dims {
            coordinates.push((at..at + dims).map(column).collect());
            at += dims;
        }
        let given = table.values.chunks_exact(numbers).flat_map(|row| &row[at..]).copied();
        let given = Points::new(given.collect(), drawn.names.len())?;
        let texts = |text: &nrdr_io::TextColumn| {
            (0..table.rows).map(|row| text.get(row).to_string()).collect()
        };
        let labels = table.text.iter().map(texts).collect();
        let rows = column(0).into_iter().map(|row| row as u64).collect();
        Ok(Sample { drawn, rows, given, coordinates, labels })
    }

    /// The page of the run.
    pub fn html(&self) -> Result<String, Failure> {
        let Sample { drawn, rows, given, coordinates, labels } = self;
        let coded: Vec<(Vec<String>, Vec<u32>)> = labels.iter().map(|texts| coded(texts)).collect();
        let named = drawn.labels.iter().zip(&coded);
        let labels = named.map(|(name, (distinct, codes))| Label { name, distinct, codes });
        let kept: Vec<u32> =
            rows.iter().map(|&row| u32::try_from(row).unwrap_or(u32::MAX)).collect();
        let source = Source {
            title: drawn.title.clone(),
            columns: Some(drawn.names.len()),
            given: Some(given),
            names: &drawn.names,
            labels: labels.collect(),
            total: drawn.rows,
            kept: Some(&kept),
            notes: &drawn.notes,
            ..Source::default()
        };
        let shown = coordinates.iter().zip(&drawn.facts).map(|(coordinates, facts)| Shown {
            coordinates: coordinates.iter().map(Vec::as_slice).collect(),
            facts: facts.clone(),
        });
        let page = Page {
            command: &drawn.command,
            config: &drawn.config,
            source,
            verdict: drawn.verdict.clone(),
            shown: shown.collect(),
            ours: drawn.ours,
            failed: Vec::new(),
            seed: drawn.seed,
        };
        page.html().map_err(|error| Failure::Usage(error.to_string()))
    }
}

/// The different texts, in the order in which they first come, and for each text which of them it is.
fn coded(texts: &[String]) -> (Vec<String>, Vec<u32>) {
    let mut places = std::collections::HashMap::new();
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
