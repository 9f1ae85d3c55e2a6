//! A model as a file that travels: the library's, and with it what new points need before it comes to that.
//!
//! The command line and the Python package write and read it here, so that each can use what the other one made. The file is
//! the library's; what is added are notes and tables in it ([`nrdr::Model::set_note`], [`nrdr::Model::set_table`]).

#![forbid(unsafe_code)]
// `!(x > 0.0)` is meant: it also catches NaN.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

mod held;
mod impute;
mod preparation;
mod read;
#[cfg(test)]
mod tests;

use nrdr::{Error, Model, Observer, Points, Result};
use nrdr_report::Facts;

pub use held::{Held, Takes};
pub use impute::{Fill, Filled, Imputer};
pub use preparation::Preparation;
pub use read::Unread;

/// Names of what is added to a model.
const COLUMNS: &str = "columns";
const FACTS: &str = "facts";

/// A model with what is done to the columns before, their names, and what is known of the fit.
#[derive(Clone, Debug)]
pub struct ModelFile {
    model: Model,
    preparation: Preparation,
    names: Option<Vec<String>>,
}

impl ModelFile {
    /// Joins what belongs together: a model, what was done to the columns of its points, the names of these columns if they
    /// have some, and what is known of the fit.
    pub fn new(
        mut model: Model,
        preparation: Preparation,
        names: Option<Vec<String>>,
        facts: &Facts,
    ) -> Result<Self> {
        preparation.keep(&mut model)?;
        if let Some(names) = &names {
            model.set_note(COLUMNS, text(names)?);
        }
        model.set_note(FACTS, text(&lasting(facts))?);
        ModelFile::of(model)
    }

    /// What a model keeps. One whose parts do not fit each other is refused.
    pub fn of(model: Model) -> Result<Self> {
        let preparation = Preparation::of(&model)?;
        let columns = preparation.columns(&model);
        let names = match model.note(COLUMNS).map(serde_json::from_str::<Vec<String>>) {
            Some(Ok(names)) if names.len() == columns => Some(names),
            Some(_) => return Err(unfit("its list of columns")),
            None => None,
        };
        let facts = model.note(FACTS).map(serde_json::from_str::<Facts>);
        if facts.is_some_and(|facts| !facts.is_ok_and(|facts| are_of(&facts, model.dims()))) {
            return Err(unfit("its list of facts"));
        }
        Ok(ModelFile { model, preparation, names })
    }

    /// The model that bytes hold.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        ModelFile::of(Model::from_bytes(bytes)?)
    }

    /// All of it as a file holds it.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.model.to_bytes()
    }

    /// The library's model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What is done to the columns before.
    pub fn preparation(&self) -> &Preparation {
        &self.preparation
    }

    /// Number of columns of new points, before anything is done to them.
    pub fn columns(&self) -> usize {
        self.preparation.columns(&self.model)
    }

    /// Their names, if they have some.
    pub fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    /// What is known of the fit, as JSON with the names of [`Facts`]; files of earlier versions and of the library alone do not tell.
    pub fn facts(&self) -> Option<&str> {
        self.model.note(FACTS)
    }

    /// The coordinates of new points, whose columns are as they were given.
    pub fn transform(&self, points: Points, observer: &dyn Observer) -> Result<Points> {
        let (got, expected) = (points.columns(), self.columns());
        if got != expected {
            return Err(Error::WrongColumns { got, expected });
        }
        self.model.transform(&self.preparation.apply(points)?, observer)
    }
}

/// Without what differs from run to run, from one front end to another, and by what was measured: the same fit is the same file.
fn lasting(facts: &Facts) -> Facts {
    Facts {
        seconds: Default::default(),
        warnings: Vec::new(),
        redundancy: None,
        quality: None,
        singular_values: Vec::new(),
        ..facts.clone()
    }
}

/// Whether facts are those of so many coordinates.
fn are_of(facts: &Facts, dims: usize) -> bool {
    let Facts { eigenvalues, lengths, residual, iterations, alpha, .. } = facts;
    let counts = [eigenvalues.len(), lengths.len(), residual.len(), iterations.len(), alpha.len()];
    counts == [dims; 5]
}

fn text(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::BadModel { reason: error.to_string() })
}

/// The error of a model whose parts do not fit each other.
fn unfit(what: &str) -> Error {
    let reason = format!("{what} does not fit its other parts: make it again");
    Error::BadModel { reason }
}
