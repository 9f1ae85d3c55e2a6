//! Tables of which any rows can be read without those before them: NPY by seeking, Parquet by its groups and pages.

use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::columns::{Named, Role, complete, invented_names, of_named, roles};
use super::error::{Fault, fault};
use super::input::Input;
use super::limit::{check_columns, zeros};
use super::numbers::{self, Layout};
use super::wanted::Places;
use super::{Format, IoError, Missing, ReadOptions, Table, format_of, npy, parquet};
use super::{leave_out, refuse_array_options};
use crate::advice::ReadOption;

/// Endings of tables that are read in ranges.
pub const RANGED: [&str; 2] = [".npy", ".parquet"];

/// What a table lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangedKind {
    /// The format of `numpy.save`.
    Npy,
    /// Parquet.
    Parquet,
}

impl RangedKind {
    /// The kind that the ending of a name tells; nothing for all else.
    pub fn of(name: &Path) -> Option<Self> {
        match format_of(name) {
            Ok((Format::Npy, _)) => Some(RangedKind::Npy),
            Ok((Format::Parquet, _)) => Some(RangedKind::Parquet),
            _ => None,
        }
    }

    /// The ending of names, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            RangedKind::Npy => "npy",
            RangedKind::Parquet => "parquet",
        }
    }
}

/// A file whose rows are read in ranges.
pub struct Ranged {
    path: PathBuf,
    options: ReadOptions,
    /// All columns of the file, and what each is read for.
    all: Vec<String>,
    roles: Vec<Role>,
    /// For each wanted column its place among those that are read, where a model wants some.
    order: Option<Vec<usize>>,
    rows: usize,
    source: Source,
}

enum Source {
    Npy { file: File, layout: npy::Place },
    Parquet(Box<parquet::Spans>),
}

impl Ranged {
    /// Opens a file and finds the columns that the options leave.
    pub fn open(path: &Path, options: &ReadOptions) -> Result<Self, IoError> {
        Self::opened(path, None, options).map_err(|fault| IoError::new(path, fault))
    }

    /// Opens a file and finds the columns that a model wants; they come in its order.
    pub fn open_wanted(
        path: &Path,
        wanted: &[String],
        options: &ReadOptions,
    ) -> Result<Self, IoError> {
        Self::opened(path, Some(wanted), options).map_err(|fault| IoError::new(path, fault))
    }

    fn opened(
        path: &Path,
        wanted: Option<&[String]>,
        options: &ReadOptions,
    ) -> Result<Self, Fault> {
        let (format, _) = format_of(path)?;
        refuse_array_options(format, options)?;
        if options.transpose {
            return Err(fault("has a row for each point", leave_out(ReadOption::Transpose)));
        }
        let mut order = None;
        let mut found = None;
        let mut choose = |names: &[String], is_number: &dyn Fn(usize) -> bool| {
            let roles = match wanted {
                Some(wanted) => {
                    let places = Places::find(wanted, names, is_number, options)?;
                    order = Some(places.order());
                    places.roles(names.len())
                }
                None => roles(names, options)?,
            };
            found = Some((names.to_vec(), roles.clone()));
            Ok(roles)
        };
        let (source, rows) = match format {
            Format::Npy => {
                let file = File::open(path)?;
                let length = file.metadata()?.len();
                let layout = npy::place(&mut BufReader::new(&file), length)?;
                check_columns(layout.layout.columns)?;
                let Layout { rows, columns, images, .. } = layout.layout;
                choose(&invented_names(columns, images), &|_| true)?;
                (Source::Npy { file, layout }, rows)
            }
            Format::Parquet => {
                let input = Input::File(File::open(path)?);
                let length = input.length()?;
                let spans = parquet::Spans::new(input, length, options, &mut choose)?;
                let rows = spans.rows();
                (Source::Parquet(Box::new(spans)), rows)
            }
            _ => {
                let way_out = format!("give {}", RANGED.join(" or "));
                return Err(fault("cannot be read in ranges of rows", way_out));
            }
        };
        let (all, mut roles) = found.unwrap_or_default();
        if let Source::Parquet(spans) = &source {
            // Some that the options leave are no columns of the table.
            roles = spans.roles().to_vec();
        }
        if u32::try_from(rows).is_err() {
            return Err(fault(format!("has {rows} rows"), "take fewer than 4 billion"));
        }
        let (path, options) = (path.to_path_buf(), options.clone());
        Ok(Ranged { path, options, all, roles, order, rows, source })
    }

    /// How many rows the file has.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The columns of the file that are read, those of numbers first.
    pub fn names(&self) -> Vec<String> {
        let texts = self.texts();
        let is = |j: usize, text: bool| self.roles[j] != Role::Skip && texts.contains(&j) == text;
        let of = |text: bool| (0..self.all.len()).filter(move |&j| is(j, text));
        of(false).chain(of(true)).map(|j| self.all[j].clone()).collect()
    }

    /// How many of these are columns of numbers that are embedded.
    pub fn columns(&self) -> usize {
        let read = (0..self.all.len()).filter(|&j| self.roles[j] != Role::Skip).count();
        self.order.as_ref().map_or(read - self.texts().len(), Vec::len)
    }

    /// The columns that come as text.
    fn texts(&self) -> Vec<usize> {
        match &self.source {
            Source::Npy { .. } => {
                (0..self.all.len()).filter(|&j| self.roles[j] == Role::Aside).collect()
            }
            Source::Parquet(spans) => spans.texts(),
        }
    }

    /// Some rows, as a table of their own; in errors they are counted from the first of the file.
    pub fn read(&mut self, rows: Range<usize>) -> Result<Table, IoError> {
        self.table(rows).map_err(|fault| IoError::new(&self.path, fault))
    }

    fn table(&mut self, rows: Range<usize>) -> Result<Table, Fault> {
        let rows = rows.start.min(self.rows)..rows.end.min(self.rows);
        if rows.is_empty() {
            return Ok(Table::default());
        }
        // Rows that cannot be used are named by their place in the file, below.
        let keep = ReadOptions { missing: Missing::Keep, ..self.options.clone() };
        let mut table = match &mut self.source {
            Source::Npy { file, layout } => {
                let values = layout.read(file, rows.clone())?;
                let named = Named::with(self.all.clone(), self.roles.clone());
                let named = named.into_iter().map(|mut named| {
                    if named.role == Role::Number {
                        named.role = Role::Data;
                    }
                    named
                });
                of_named(values, rows.len(), named.collect(), Vec::new(), None, &keep)?
            }
            Source::Parquet(spans) => spans.read(rows.clone())?,
        };
        if let Some(order) = &self.order {
            let columns = table.names.len();
            let values = table.values.chunks_exact(columns);
            table.values = values.flat_map(|row| order.iter().map(|&j| row[j])).collect();
            table.names = order.iter().map(|&j| table.names[j].clone()).collect();
            table.numbers = order.iter().map(|&j| table.numbers[j]).collect();
        }
        let refuses = |value: &f64| self.options.missing.refuses(*value);
        if let Some(first) = table.values.iter().position(refuses) {
            let columns = table.names.len();
            let (row, j) = (rows.start + first / columns, first % columns);
            let number = self.order.is_none().then(|| table.numbers[j] - 1);
            let (value, name) = (table.values[first], &table.names[j]);
            return Err(super::columns::unusable(value, row + 1, None, name, number));
        }
        match self.options.missing {
            // All rows of a range may be ones that are left out.
            Missing::Drop if table.names.is_empty() => Ok(table),
            Missing::Drop => Ok(without_incomplete(table)),
            _ => complete(table, &keep),
        }
    }
}

/// Takes out the rows with missing values, also if none is left.
fn without_incomplete(mut table: Table) -> Table {
    let rows = table.rows;
    let kept = super::columns::keep_complete_rows(&mut table.values, table.names.len());
    if kept.len() == rows {
        return table;
    }
    let kept: Vec<u32> = kept.into_iter().map(|row| row as u32).collect();
    table.text.iter_mut().for_each(|text| super::columns::keep_rows(text, &kept));
    table.rows = kept.len();
    table.dropped = rows - kept.len();
    table.kept = Some(kept);
    table
}

impl npy::Place {
    /// The values of some rows, row after row.
    fn read(&self, file: &mut File, rows: Range<usize>) -> Result<Vec<f64>, Fault> {
        let Layout { element, rows: all, columns, .. } = self.layout;
        let size = element.size();
        let mut span = |first: usize, count: usize| {
            file.seek(SeekFrom::Start(self.start + (first * size) as u64))?;
            numbers::read(&mut BufReader::new(&*file), element, count)
        };
        if !self.fortran {
            return span(rows.start * columns, rows.len() * columns);
        }
        let mut values = zeros(rows.len() * columns)?;
        for column in 0..columns {
            let found = span(column * all + rows.start, rows.len())?;
            for (row, value) in found.into_iter().enumerate() {
                values[row * columns + column] = value;
            }
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, write_table};

    /// A table of so many rows in which each value tells its place, written under a name.
    fn written(folder: &Path, name: &str, rows: usize) -> PathBuf {
        let path = folder.join(name);
        let value = |j: usize| (0..rows).map(|i| (10 * i + j) as f64).collect::<Vec<f64>>();
        let texts: Vec<String> = (0..rows).map(|i| format!("t{}", i % 3)).collect();
        let mut columns: Vec<Column<'_>> = (0..3).map(|j| value(j).into()).collect();
        let mut names: Vec<String> = ["a", "b", "c"].map(str::to_string).to_vec();
        if name.ends_with(".parquet") {
            columns.push(Column::Texts(texts.iter().map(String::as_str).collect()));
            names.push("kind".to_string());
        }
        write_table(&path, &names, &columns).unwrap();
        path
    }

    #[test]
    fn ranges_are_those_of_the_whole() {
        let place = tempfile::tempdir().unwrap();
        for name in ["a.npy", "a.parquet"] {
            let path = written(place.path(), name, 50);
            let options = ReadOptions { drop: vec!["2".to_string()], ..Default::default() };
            let whole = crate::read(&path, &options).unwrap();
            let mut ranged = Ranged::open(&path, &options).unwrap();
            assert_eq!((ranged.rows(), ranged.columns()), (50, 2));
            for rows in [0..50, 0..1, 7..31, 49..50, 20..20, 45..90] {
                let table = ranged.read(rows.clone()).unwrap();
                let rows = rows.start..rows.end.min(50);
                assert_eq!(table.values, whole.values[2 * rows.start..2 * rows.end], "{rows:?}");
                if !rows.is_empty() && name == "a.parquet" {
                    let texts = |t: &Table, i| t.text[0].get(i).to_string();
                    assert_eq!(texts(&table, 0), texts(&whole, rows.start));
                }
            }
        }
    }

    #[test]
    fn columns_of_a_model_come_in_its_order() {
        let place = tempfile::tempdir().unwrap();
        let path = written(place.path(), "a.parquet", 9);
        let wanted = ["c", "a"].map(str::to_string);
        let mut ranged = Ranged::open_wanted(&path, &wanted, &ReadOptions::default()).unwrap();
        assert_eq!(ranged.columns(), 2);
        let table = ranged.read(3..5).unwrap();
        assert_eq!((table.values, table.names), (vec![32.0, 30.0, 42.0, 40.0], wanted.to_vec()));
    }

    #[test]
    fn arrays_that_lie_by_columns_are_read_as_well() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("f.npy");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        let header = "{'descr': '<f4', 'fortran_order': True, 'shape': (4, 2), }";
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend((0..8u8).flat_map(|v| f32::from(v).to_le_bytes()));
        std::fs::write(&path, bytes).unwrap();
        let table = Ranged::open(&path, &ReadOptions::default()).unwrap().read(1..3).unwrap();
        assert_eq!(table.values, [1.0, 5.0, 2.0, 6.0]);
    }

    #[test]
    fn rows_are_counted_from_the_first_of_the_file() {
        let place = tempfile::tempdir().unwrap();
        for name in ["a.npy", "a.parquet"] {
            let path = place.path().join(name);
            let mut values = vec![1.0; 30];
            values[20] = f64::NAN;
            let columns = [Column::from(values.as_slice()), Column::from(&[2.0; 30][..])];
            write_table(&path, &["x1", "x2"].map(str::to_string), &columns).unwrap();
            let mut ranged = Ranged::open(&path, &ReadOptions::default()).unwrap();
            assert!(ranged.read(0..20).is_ok());
            let refused = ranged.read(15..25).unwrap_err().to_string();
            assert!(refused.contains("row 21, column \"x1\" is missing"), "{refused}");
            let options = ReadOptions { missing: Missing::Drop, ..Default::default() };
            let mut ranged = Ranged::open(&path, &options).unwrap();
            let table = ranged.read(19..22).unwrap();
            assert_eq!((table.rows, table.dropped, table.kept), (2, 1, Some(vec![0, 2])));
            let none = ranged.read(20..21).unwrap();
            assert_eq!((none.rows, none.dropped, none.kept), (0, 1, Some(vec![])));
        }
    }

    #[test]
    fn what_is_cut_short_is_refused() {
        let place = tempfile::tempdir().unwrap();
        for name in ["a.npy", "a.parquet"] {
            let path = written(place.path(), name, 50);
            let bytes = std::fs::read(&path).unwrap();
            std::fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
            let refused = Ranged::open(&path, &ReadOptions::default()).err().unwrap().to_string();
            assert!(refused.contains(name) && refused.contains("damaged"), "{refused}");
        }
        let table = place.path().join("a.csv");
        std::fs::write(&table, "1,2\n").unwrap();
        let refused = Ranged::open(&table, &ReadOptions::default()).err().unwrap().to_string();
        assert!(refused.contains("cannot be read in ranges"), "{refused}");
    }
}
