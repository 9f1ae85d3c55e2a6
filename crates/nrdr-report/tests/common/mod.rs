//! Pages of made-up runs, and what a page holds, decoded as its scripts do it.
#![allow(dead_code, missing_docs, unreachable_pub, clippy::unwrap_used)]

use std::ops::ControlFlow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use nrdr::{Embedding, Plain, Stage};
use nrdr_report::{Facts, Found, Page, Shown, Source};
use serde::Deserialize;
use serde_json::{Map, Value};

/// What a page is made of.
#[derive(Clone, Default)]
pub struct Setting<'s> {
    pub source: Source<'s>,
    /// Embeddings of the library.
    pub found: &'s [Found],
    /// After them, coordinates of which nothing else is known.
    pub plain: Vec<Vec<&'s [f64]>>,
    pub command: &'s str,
    pub config: Map<String, Value>,
    pub verdict: &'s str,
    pub failed: Vec<String>,
    pub seed: u64,
}

impl Setting<'_> {
    /// The page; the only place that knows how one is put together.
    pub fn html(&self) -> String {
        let plain = self.plain.iter();
        let plain = plain.map(|c| Shown { coordinates: c.clone(), facts: Facts::default() });
        let count = self.found.len() + self.plain.len();
        let page = Page {
            command: self.command,
            ours: count.saturating_sub(1),
            config: &self.config,
            source: self.source.clone(),
            verdict: self.verdict.to_string(),
            shown: self.found.iter().map(|f| Shown::new(f, &Plain)).chain(plain).collect(),
            failed: self.failed.clone(),
            seed: self.seed,
        };
        page.html().unwrap()
    }

    pub fn data(&self) -> Data {
        serde_json::from_str(parts(&self.html())[1]).unwrap()
    }
}

/// An embedding that is measured.
pub fn measured(embedding: Embedding) -> Found {
    let unseen = |_: Stage, _: f64| ControlFlow::Continue(());
    Found::new(embedding, 0, &unseen).unwrap()
}

/// What stands before the data, the data, and what stands after them. As in a browser, they end at the first end of a
/// script.
pub fn parts(page: &str) -> [&str; 3] {
    let begin = "<script type=\"application/json\" id=\"data\">";
    let start = page.find(begin).unwrap() + begin.len();
    let end = start + page[start..].to_ascii_lowercase().find("</script").unwrap();
    [&page[..start], &page[start..end], &page[end..]]
}

/// What a page holds.
#[derive(Debug, Deserialize, PartialEq)]
pub struct Data {
    pub title: String,
    pub verdict: String,
    pub command: String,
    pub facts: Vec<(String, String)>,
    pub parameters: Vec<(String, String)>,
    pub shown: usize,
    pub total: usize,
    pub rows: Option<Integers>,
    pub embeddings: Vec<Shape>,
    pub labels: Vec<Labels>,
    pub ids: Option<Labels>,
    pub texts: Vec<Labels>,
    pub columns: Vec<Column>,
    pub images: Option<Atlas>,
    pub times: Option<Vec<(String, f64)>>,
    pub notes: Vec<String>,
    pub warnings: Vec<String>,
    pub dimension: Option<Value>,
}

#[derive(Debug, Deserialize, PartialEq)]
pub struct Shape {
    pub name: String,
    pub title: String,
    pub coordinates: Vec<Floats>,
    pub redundancy: Vec<f64>,
    pub pairwise: Vec<Vec<f64>>,
    pub eigenvalues: Vec<f64>,
    pub residual: Vec<f64>,
    pub alpha: Vec<Option<f64>>,
    pub rank: Vec<Option<usize>>,
    pub singular: Vec<Option<Vec<f64>>>,
    pub warnings: Vec<String>,
}

#[derive(Debug, Deserialize, PartialEq)]
pub struct Labels {
    pub name: String,
    pub values: Vec<String>,
    pub codes: Integers,
}

#[derive(Debug, Deserialize, PartialEq)]
pub struct Column {
    pub name: String,
    pub values: Floats,
}

#[derive(Debug, Deserialize, PartialEq)]
pub struct Atlas {
    pub width: u32,
    pub height: u32,
    pub across: u32,
    pub png: String,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(from = "String")]
pub struct Floats(pub Vec<f32>);

#[derive(Debug, Deserialize, PartialEq)]
#[serde(from = "String")]
pub struct Integers(pub Vec<u32>);

impl From<String> for Floats {
    fn from(text: String) -> Self {
        Floats(words(&text).into_iter().map(f32::from_le_bytes).collect())
    }
}

impl From<String> for Integers {
    fn from(text: String) -> Self {
        Integers(words(&text).into_iter().map(u32::from_le_bytes).collect())
    }
}

fn words(text: &str) -> Vec<[u8; 4]> {
    let bytes = STANDARD.decode(text).unwrap();
    assert_eq!(bytes.len() % 4, 0);
    bytes.chunks(4).map(|word| word.try_into().unwrap()).collect()
}

/// Numbers as a page holds them.
pub fn narrow(values: &[f64]) -> Floats {
    Floats(values.iter().map(|&value| value as f32).collect())
}

pub fn texts(of: &[&str]) -> Vec<String> {
    of.iter().map(ToString::to_string).collect()
}
