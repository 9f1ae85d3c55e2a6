//! `nrdr inspect`: what a model holds.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::failure::Failure;
use crate::found::title;
use crate::json;
use crate::options::outputs::wrote;
use nrdr_io::{MOST_COLUMNS, invented_names};
use nrdr_model::{Held, ModelFile};
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

/// The names of the columns that a model wants: x1, x2, .. if they have none.
pub fn names_of(model: &ModelFile) -> Result<Vec<String>, Failure> {
    match (model.names(), model.columns()) {
        (Some(names), _) => Ok(names.to_vec()),
        (None, columns) if columns > MOST_COLUMNS => Err(Failure::Usage(format!(
            "the model has {columns} columns, and a table at most {MOST_COLUMNS}: make it again"
        ))),
        (None, columns) => Ok(invented_names(columns, None)),
    }
}

impl Inspect {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        if let Some(file) = &self.json {
            check_place(file, &[&self.model])?;
        }
        let model = ModelFile::read(&self.model)?;
        let names = names_of(&model)?;
        let held = model.held(&names);
        let Held { method, strategy, neighbors, metric, .. } = &held;
        writeln!(out, "method         {}", printable(&method.name))?;
        let named = printable(&strategy.name);
        writeln!(out, "strategy       {named} ({})", printable(title(&strategy.name)))?;
        writeln!(out, "training       {} points", held.n)?;
        writeln!(out, "columns        {}: {}", names.len(), shown(&names))?;
        for (name, value) in prepared(&held) {
            writeln!(out, "{name:<14} {value}")?;
        }
        writeln!(out, "neighbors      {neighbors}")?;
        writeln!(out, "metric         {metric}")?;
        let parameters = method.parameters.iter().chain(&strategy.parameters);
        for (name, value) in parameters.filter(|(_, value)| !value.is_null()) {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            writeln!(out, "{:<14} {}", printable(name), printable(&value))?;
        }
        writeln!(out, "\ncoordinate    eigenvalue  centres of its smoother")?;
        for (i, (value, centres)) in held.eigenvalues.iter().zip(&held.centres).enumerate() {
            let centres = centres.map_or("-".to_string(), |count| count.to_string());
            writeln!(out, "{:>10} {value:>13.6e}  {centres}", i + 1)?;
        }
        if let Some(file) = &self.json {
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

fn prepared(held: &Held<'_>) -> Vec<(&'static str, String)> {
    let impute = held.impute.map(|how| ("impute", how.to_string()));
    let standardize = held.standardize.then(|| ("standardize", "yes".to_string()));
    let pca = held.pca.map(|count| ("pca", format!("{count} components")));
    impute.into_iter().chain(standardize).chain(pca).collect()
}
