//! `nrdr inspect`: what a model holds.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use nrdr::Model;
use nrdr::parameter::Named;
use serde::Serialize;

use crate::failure::Failure;
use crate::found::title;
use crate::json;
use crate::options::outputs::wrote;
use crate::preparation::Preparation;
use nrdr_write::{check_place, printable, write_atomically};

/// Show what a model holds: method, parameters, columns, coordinates
#[derive(Args)]
#[command(after_help = "\
Examples:
  nrdr inspect roll.model
  nrdr inspect roll.model --json roll.json")]
pub(crate) struct Inspect {
    /// The model
    #[arg(value_name = "MODEL")]
    model: PathBuf,

    /// Write all of it to a file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// What the file tells.
#[derive(Serialize)]
struct Held<'h> {
    method: &'h Named,
    strategy: &'h Named,
    n: usize,
    columns: &'h [String],
    standardize: bool,
    pca: Option<usize>,
    neighbors: usize,
    dims: usize,
    eigenvalues: &'h [f64],
    centres: &'h [Option<usize>],
}

/// Reads a model; the error names the file.
pub(crate) fn load(path: &Path) -> Result<Model, Failure> {
    let name = path.display();
    let unread = |error: std::io::Error| {
        Failure::Usage(format!("{name} cannot be read ({error}): check the path"))
    };
    let mut file = File::open(path).map_err(unread)?;
    let mut bytes = Vec::new();
    (&file).take(9).read_to_end(&mut bytes).map_err(unread)?;
    // Something else, such as a large table, is not worth reading.
    if Model::may_begin(&bytes) {
        file.read_to_end(&mut bytes).map_err(unread)?;
    }
    Model::from_bytes(&bytes).map_err(|error| Failure::Usage(format!("{name}: {error}")))
}

impl Inspect {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        if let Some(file) = &self.json {
            check_place(file, &[&self.model])?;
        }
        let model = load(&self.model)?;
        let (preparation, names) = Preparation::of(&model)?;
        let eigenvalues: Vec<f64> = model.eigenvalues().collect();
        let centres: Vec<Option<usize>> = model.centres().collect();
        let (method, strategy) = (model.method(), model.strategy());
        writeln!(out, "method         {}", printable(&method.name))?;
        let named = printable(&strategy.name);
        writeln!(out, "strategy       {named} ({})", printable(title(&strategy.name)))?;
        writeln!(out, "training       {} points", model.rows())?;
        writeln!(out, "columns        {}: {}", names.len(), shown(&names))?;
        for (name, value) in prepared(&preparation) {
            writeln!(out, "{name:<14} {value}")?;
        }
        writeln!(out, "neighbors      {}", model.neighbors())?;
        let parameters = method.parameters.iter().chain(&strategy.parameters);
        for (name, value) in parameters.filter(|(_, value)| !value.is_null()) {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            writeln!(out, "{:<14} {}", printable(name), printable(&value))?;
        }
        writeln!(out, "\ncoordinate    eigenvalue  centres of its smoother")?;
        for (i, (value, centres)) in eigenvalues.iter().zip(&centres).enumerate() {
            let centres = centres.map_or("-".to_string(), |count| count.to_string());
            writeln!(out, "{:>10} {value:>13.6e}  {centres}", i + 1)?;
        }
        if let Some(file) = &self.json {
            let held = Held {
                method,
                strategy,
                n: model.rows(),
                columns: &names,
                standardize: preparation.standardize.is_some(),
                pca: preparation.pca.as_ref().map(|pca| pca.directions.rows()),
                neighbors: model.neighbors(),
                dims: model.dims(),
                eigenvalues: &eigenvalues,
                centres: &centres,
            };
            let text = json::text(&held)?;
            write_atomically(file, |out| out.write_all(text.as_bytes()))?;
            writeln!(out, "{}", wrote(file))?;
        }
        Ok(())
    }
}

/// The first few names.
fn shown(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let first: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    let more = if names.len() > SHOWN { ", .." } else { "" };
    printable(&first.join(", ")) + more
}

fn prepared(preparation: &Preparation) -> Vec<(&'static str, String)> {
    let standardize = preparation.standardize.is_some().then(|| ("standardize", "yes".to_string()));
    let pca = preparation.pca.as_ref();
    let pca = pca.map(|pca| ("pca", format!("{} components", pca.directions.rows())));
    standardize.into_iter().chain(pca).collect()
}
