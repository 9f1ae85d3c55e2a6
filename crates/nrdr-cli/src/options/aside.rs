//! Columns that tell what the points are: they are shown and written, not embedded.

use std::path::{Path, PathBuf};

use clap::{ArgAction, Args};

use super::outputs::is_stdout;
use crate::failure::Failure;
use crate::words::Typed;
use nrdr_io::{Advice, Column, Place, ReadOptions, Table, TextColumn, check_texts, read_labels};

/// Which columns these are.
#[derive(Args, Clone, Debug)]
pub(crate) struct AsideArgs {
    /// These columns hold labels, the classes of the points: they are shown, not embedded; by the first one neighbourhoods
    /// are judged
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', action = ArgAction::Set)]
    label: Option<Vec<String>>,

    /// Labels from another file with a row for each point: the columns of a table, a vector of numbers or texts (.npy), or
    /// ..-labels-idx1-ubyte
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,

    /// Labels from other arrays of a .mat, .npz or .h5 file
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', action = ArgAction::Set)]
    label_variable: Option<Vec<String>>,

    /// This column names the points: it is shown, searched and written, not embedded
    #[arg(long, value_name = "COLUMN")]
    id: Option<String>,

    /// These columns give colours, numbers by a scale and texts as classes: they are shown, not embedded
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', action = ArgAction::Set)]
    color: Option<Vec<String>>,
}

/// What is known of the points beside the numbers that are embedded.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Classes; by the first of them neighbourhoods are judged.
    pub(crate) labels: Vec<TextColumn>,
    /// What each point is called.
    pub(crate) id: Option<TextColumn>,
    /// Numbers to colour by.
    pub(crate) numbers: Vec<(String, Vec<f64>)>,
    /// Other columns of text.
    pub(crate) texts: Vec<TextColumn>,
    /// What is written beside the coordinates.
    pub(crate) carried: Vec<Carried>,
}

/// A column that is written beside the coordinates.
#[derive(Clone, Debug)]
pub(crate) enum Carried {
    Numbers(String, Vec<f64>),
    Texts(TextColumn),
}

/// Whether a table of this name is text, which keeps 007 as it is.
fn is_text(file: &Path) -> bool {
    if is_stdout(file) {
        return true;
    }
    let ending = file.extension().unwrap_or_default().to_ascii_lowercase();
    ending == "csv" || ending == "tsv"
}

impl Known {
    /// Numbers to colour by, as a page has them.
    pub(crate) fn numbers(&self) -> Vec<(&str, &[f64])> {
        self.numbers.iter().map(|(name, values)| (name.as_str(), values.as_slice())).collect()
    }

    /// The class of each point, if there are labels.
    pub(crate) fn judged_by(&self) -> Option<&[u32]> {
        self.labels.first().map(|label| label.codes.as_slice())
    }
}

impl Carried {
    /// Whether a table of this name can hold it.
    pub(crate) fn check(&self, file: &Path) -> Result<(), Failure> {
        match self.column(file, &|values| values.to_vec()) {
            Column::Numbers(_) => Ok(()),
            Column::Texts(_) if is_stdout(file) => Ok(()),
            Column::Texts(_) => Ok(check_texts(file, self.name())?),
        }
    }

    /// What a table of this name has of it; numbers are put into the order of the input.
    pub(crate) fn column(&self, file: &Path, in_order: &dyn Fn(&[f64]) -> Vec<f64>) -> Column<'_> {
        match self {
            Carried::Numbers(_, values) => in_order(values).into(),
            Carried::Texts(column) => match column.as_numbers().filter(|_| !is_text(file)) {
                Some(numbers) => in_order(&numbers).into(),
                None => {
                    let codes = column.all_codes.as_ref().unwrap_or(&column.codes);
                    let text = |code: &u32| column.distinct[*code as usize].as_str();
                    Column::Texts(codes.iter().map(text).collect())
                }
            },
        }
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Carried::Numbers(name, _) => name,
            Carried::Texts(column) => &column.name,
        }
    }
}

/// A label with more different numbers than this is perhaps none.
const MANY_CLASSES: usize = 40;

impl AsideArgs {
    /// The option that belongs to files, if one is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = [
            ("label", self.label.is_some()),
            ("labels", self.labels.is_some()),
            ("label-variable", self.label_variable.is_some()),
            ("id", self.id.is_some()),
            ("color", self.color.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    /// Reads these columns, too, and those that are to be carried.
    pub(crate) fn ask(&self, carried: &[String], options: ReadOptions) -> ReadOptions {
        let aside = [&self.label, &self.color].into_iter().flatten().flatten().chain(&self.id);
        let aside = aside.cloned().collect();
        let label_variables = self.label_variable.clone().unwrap_or_default();
        let beside = carried.to_vec();
        ReadOptions { aside, beside, label_variables, offers_label: true, ..options }
    }

    /// The file of labels, to be kept from being overwritten.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.labels.as_deref()
    }

    /// Reads the labels of another file, and tells what was decided there.
    pub(crate) fn read_labels(&self, table: &mut Table) -> Result<Vec<String>, Failure> {
        let Some(file) = &self.labels else { return Ok(Vec::new()) };
        let (labels, notes) = read_labels(file, table.rows + table.dropped)?;
        table.add_labels(labels);
        let told = |note: &Advice| format!("{}: {}", file.display(), note.told(&Typed));
        Ok(notes.iter().map(told).collect())
    }

    /// What was found of them, and what the user should know of that.
    pub(crate) fn found(
        &self,
        table: &Table,
        carried: &[String],
    ) -> Result<(Known, Vec<String>), Failure> {
        let mut known = Known::default();
        let mut notes = Vec::new();
        let texts = |wanted: &String| {
            let places = table.places(wanted).into_iter();
            places.filter_map(|place| match place {
                Place::Text(at) => Some(table.text[at].clone()),
                Place::Number(_) => None,
            })
        };
        for label in self.label.iter().flatten().flat_map(texts) {
            let count = label.distinct.len();
            if label.texts == 0 && count > MANY_CLASSES {
                notes.push(format!(
                    "label {:?} has {count} different numbers, each a class: --color {} shows them by a scale",
                    label.name, label.name,
                ));
            }
            known.labels.push(label);
        }
        for label in &table.labels {
            let count = label.distinct.len();
            if label.texts == 0 && count > MANY_CLASSES {
                let name = &label.name;
                notes.push(format!("label {name:?} has {count} different numbers, each a class"));
            }
            known.labels.push(label.clone());
        }
        known.id = self.id.iter().flat_map(texts).next();
        for color in self.color.iter().flatten().flat_map(texts) {
            match color.as_numbers() {
                Some(numbers) => known.numbers.push((color.name, numbers)),
                None if known.labels.iter().any(|label| label.number == color.number) => {}
                None => known.labels.push(color),
            }
        }
        known.texts = table.text.iter().filter(|column| !column.is_aside).cloned().collect();
        if let Some(id) = &known.id {
            known.carried.push(Carried::Texts(id.clone()));
        }
        for wanted in carried {
            for place in table.places(wanted) {
                let column = match place {
                    Place::Text(at) => Carried::Texts(table.text[at].clone()),
                    Place::Number(at) => {
                        let rows = table.values.chunks_exact(table.names.len());
                        let values = rows.map(|row| row[at]).collect();
                        Carried::Numbers(table.names[at].clone(), values)
                    }
                };
                if known.carried.iter().all(|other| other.name() != column.name()) {
                    known.carried.push(column);
                }
            }
        }
        if let Some(name) = known.carried.iter().map(Carried::name).find(|name| is_coordinate(name))
        {
            return Err(Failure::Usage(format!(
                "column {name:?} is called as a coordinate is: leave it out of --keep and --id, or call it otherwise"
            )));
        }
        Ok((known, notes))
    }
}

/// Whether a name is one of those that coordinates have in a table: f1, f2, ..
fn is_coordinate(name: &str) -> bool {
    let number = name.strip_prefix('f').and_then(|digits| digits.parse::<u32>().ok());
    number.is_some_and(|number| number > 0 && name == format!("f{number}"))
}
