//! Where the points come from and what is done to them before they are embedded.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, ValueEnum};
use nrdr::datasets::Dataset;
use nrdr::{Pca, Points, Remark, remarks};

use super::aside::{AsideArgs, Known};
use super::generated::{Name, Shape};
use super::impute::Impute;
use super::reading::{Reading, notes_of};
use super::standardize::Standardize;
use crate::failure::Failure;
use crate::words::Typed;
use nrdr_io::{self as io, ImageShape, TextColumn};
use nrdr_model::Preparation;
use nrdr_report::Label;

/// What is embedded.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Input")]
pub(crate) struct Source {
    /// Table, array or images: .csv .tsv .txt .xlsx .parquet .arrow .feather .npy .npz .mat .h5 .h5ad .mtx .idx (text, .mtx
    /// and .idx also .gz), a folder of images, or - for text on standard input
    #[arg(value_name = "INPUT", help_heading = None, required_unless_present_any = ["dataset", "input_option"])]
    input: Option<PathBuf>,

    // The same from a configuration, which the position does not suit.
    #[arg(long = "input", id = "input_option", hide = true, conflicts_with = "dataset")]
    input_option: Option<PathBuf>,

    /// Generate the points instead
    #[arg(long, value_enum, value_name = "NAME", conflicts_with = "input")]
    dataset: Option<Name>,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    aside: AsideArgs,

    /// Fill missing values; a model fills those of new points as well. Infinite ones stay an error
    #[arg(long, value_name = "HOW", value_enum)]
    impute: Option<Impute>,

    /// Give every column mean 0 and variance 1: always, or if they need it [default: no]
    #[arg(long, value_name = "WHEN", value_enum, num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "yes")]
    standardize: Option<Standardize>,

    /// Embed this many principal components instead of the columns
    #[arg(long, value_name = "N")]
    pca: Option<usize>,

    /// Each row is a picture of this size, such as 8x8, or 8x8x3 in red, green and blue: the report shows it
    #[arg(long, value_name = "WxH")]
    images: Option<Size>,

    #[command(flatten)]
    shape: Shape,
}

/// Width, height, and numbers of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size(usize, usize, usize);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let size = text.split('x').map(|size| size.parse().ok().filter(|size| *size > 0));
        match size.collect::<Option<Vec<usize>>>().as_deref() {
            Some(&[width, height]) => Ok(Size(width, height, 1)),
            Some(&[width, height, channels @ (1 | 3)]) => Ok(Size(width, height, channels)),
            _ => Err("expected width x height, such as 28x28, or 28x28x3 in colour".to_string()),
        }
    }
}

/// Points, and what is known of them.
pub(crate) struct Loaded {
    /// What they are, for people.
    pub(crate) name: String,
    /// What is embedded.
    pub(crate) points: Points,
    /// The columns as they were given, if what is embedded was made from them.
    before: Option<Points>,
    /// Names of the columns as they were given.
    pub(crate) names: Vec<String>,
    /// True parameters of generated points.
    pub(crate) truth: Option<(Vec<String>, Points)>,
    /// Labels, identifiers, colours.
    pub(crate) known: Known,
    /// Width and height, where rows are pictures.
    pub(crate) images: Option<ImageShape>,
    /// Rows of the input.
    pub(crate) total: usize,
    /// Those that are embedded, if not all.
    pub(crate) kept: Option<Vec<u32>>,
    /// What the user should know before the numbers.
    pub(crate) remarks: Vec<String>,
    /// What the user should know.
    pub(crate) notes: Vec<String>,
    /// What was done to the columns.
    pub(crate) preparation: Preparation,
}

impl Source {
    /// The file that is read, to be kept from being overwritten.
    pub(crate) fn file(&self) -> Option<&Path> {
        let input = self.input.as_deref().or(self.input_option.as_deref());
        input.filter(|path| *path != Path::new("-"))
    }

    /// The file of labels, to be kept as well.
    pub(crate) fn labels_file(&self) -> Option<&Path> {
        self.aside.file()
    }

    /// Further texts that are missing values.
    pub(crate) fn na(&self) -> Vec<String> {
        self.reading.na.clone().unwrap_or_default()
    }

    /// How many points there will be, where that is known before they are there.
    pub(crate) fn points(&self) -> Option<usize> {
        self.dataset.map(|_| self.shape.points as usize)
    }

    /// Reads or generates, selects, and transforms.
    /// Columns of these names are carried to what is written.
    pub(crate) fn load(&self, seed: u64, carried: &[String]) -> Result<Loaded, Failure> {
        let mut loaded =
            match (self.input.as_deref().or(self.input_option.as_deref()), self.dataset) {
                (Some(path), _) => self.read(path, carried)?,
                (None, Some(name)) => self.generate(name, seed)?,
                (None, None) => {
                    return Err(Failure::Usage(
                        "there is nothing to embed: name a file, or --dataset".to_string(),
                    ));
                }
            };
        if let Some(Size(width, height, channels)) = self.images {
            let count = width.checked_mul(height).and_then(|pixels| pixels.checked_mul(channels));
            if count != Some(loaded.names.len()) {
                let columns = loaded.names.len();
                let of_colors =
                    if channels > 1 { format!(" in {channels} colours") } else { String::new() };
                return Err(Failure::Usage(format!(
                    "{columns} columns are not pictures of {width} x {height}{of_colors}: mend --images, or leave out other columns with --drop"
                )));
            }
            loaded.images = Some(ImageShape { width, height, channels });
        }
        let when = self.standardize.map(|when| when.decide(&loaded));
        let (is_standard, told) = when.unwrap_or_default();
        if self.dataset.is_none() {
            loaded.remarks = self.remarks(&loaded, is_standard);
            loaded.remarks.splice(0..0, told);
        }
        if is_standard {
            let standard = loaded.preparation.standardize(&loaded.points)?;
            loaded.replace(standard);
        }
        if let Some(count) = self.pca {
            let (components, pca) = Pca::fit(&loaded.points, count)?;
            loaded.replace(components);
            loaded.preparation.pca = Some(pca);
        }
        Ok(loaded)
    }

    /// What should be known of a table before it is embedded. Pixels are constant here and there, and have one scale.
    fn remarks(&self, loaded: &Loaded, is_standard: bool) -> Vec<String> {
        // Who says no has decided.
        let is_decided = is_standard || self.standardize == Some(Standardize::No);
        let matters = |remark: &Remark| match remark {
            Remark::Scales { .. } => !is_decided && loaded.images.is_none(),
            Remark::Wide { .. } => self.pca.is_none() && loaded.images.is_none(),
            Remark::Constant { .. } => loaded.images.is_none(),
            _ => true,
        };
        let all = remarks(&loaded.points, &loaded.names);
        let told = all.iter().filter(|remark| matters(remark));
        told.map(|remark| remark.told(&loaded.names, &Typed)).collect()
    }

    fn read(&self, path: &Path, carried: &[String]) -> Result<Loaded, Failure> {
        let mut options = self.aside.ask(carried, self.reading.options());
        if self.impute.is_some() {
            options.missing = self.reading.fills()?;
        }
        let mut table = io::read(path, &options)?;
        let name = if path == Path::new("-") {
            "standard input".to_string()
        } else {
            let whole = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
            let last = whole.file_name().or(path.file_name());
            last.map_or_else(String::new, |name| name.to_string_lossy().into())
        };
        if table.names.is_empty() {
            return Err(Failure::Usage(format!(
                "{name} has no column of numbers: choose others with --columns"
            )));
        }
        let mut notes = notes_of(&table);
        notes.extend(self.aside.read_labels(&mut table)?);
        let (known, told) = self.aside.found(&table, carried)?;
        notes.extend(told);
        let mut preparation = Preparation::default();
        if let Some(how) = self.impute {
            notes.extend(how.fill(&mut table, &mut preparation)?);
        }
        let points = Points::new(table.values, table.names.len())?;
        let total = table.rows + table.dropped;
        if table.dropped > 0 {
            notes.push(format!("{} row(s) with missing values are not embedded", table.dropped));
        }
        Ok(Loaded {
            name,
            points,
            before: None,
            names: table.names,
            truth: None,
            known,
            images: table.images,
            total,
            kept: table.kept,
            remarks: Vec::new(),
            notes,
            preparation,
        })
    }

    fn generate(&self, name: Name, seed: u64) -> Result<Loaded, Failure> {
        if let Some(option) =
            self.reading.given().or(self.aside.given()).or(self.impute.map(|_| "impute"))
        {
            return Err(Failure::Usage(format!(
                "--{option} belongs to files, not to generated data: leave it out"
            )));
        }
        let value = name.to_possible_value();
        let name_of = value.map_or_else(String::new, |value| value.get_name().to_string());
        Ok(Loaded::generated(name_of, self.shape.generate(name, seed)?))
    }
}

/// A column of text as a page has it.
pub(crate) fn label_of(column: &TextColumn) -> Label<'_> {
    let TextColumn { name, distinct, codes, .. } = column;
    Label { name, distinct, codes }
}

impl Loaded {
    /// Points that were generated.
    pub(crate) fn generated(name: String, data: Dataset) -> Self {
        let columns = data.points.columns();
        Loaded {
            name,
            total: data.points.rows(),
            points: data.points,
            before: None,
            names: io::invented_names(columns, None),
            truth: Some((data.names, data.truth)),
            known: Known::default(),
            images: None,
            kept: None,
            remarks: Vec::new(),
            notes: Vec::new(),
            preparation: Preparation::default(),
        }
    }

    /// The columns as they were given, for colours and pictures.
    pub(crate) fn given(&self) -> &Points {
        self.before.as_ref().unwrap_or(&self.points)
    }

    /// What coordinates may tell: single pixels mean little, and so do many columns without names.
    pub(crate) fn tellable(&self) -> nrdr_report::Known<'_> {
        const FEW: usize = 20;
        let mean = self.names.len() <= FEW || !io::invented(&self.names);
        let mean = mean && self.images.is_none();
        nrdr_report::Known {
            columns: mean.then(|| (self.given(), self.names.as_slice())),
            truth: self.truth.as_ref().map(|(names, table)| (names.as_slice(), table)),
            numbers: self.known.numbers(),
            labels: self.known.labels.iter().map(label_of).collect(),
        }
    }

    /// What there is, in a line.
    pub(crate) fn headline(&self) -> String {
        let (rows, columns) = (self.points.rows(), self.points.columns());
        format!("{}: {rows} points, {columns} columns", self.name)
    }

    /// All that the user should know.
    pub(crate) fn all_notes(&self) -> Vec<String> {
        [self.remarks.as_slice(), &self.notes].concat()
    }

    /// Embeds other points, made from these.
    fn replace(&mut self, points: Points) {
        let before = std::mem::replace(&mut self.points, points);
        self.before.get_or_insert(before);
    }

    /// Values of the embedded rows as a column of the input's length: rows that are not embedded are NaN.
    pub(crate) fn in_input_order(&self, values: &[f64]) -> Vec<f64> {
        let Some(kept) = &self.kept else { return values.to_vec() };
        let mut all = vec![f64::NAN; self.total];
        kept.iter().zip(values).for_each(|(&row, value)| all[row as usize] = *value);
        all
    }
}
