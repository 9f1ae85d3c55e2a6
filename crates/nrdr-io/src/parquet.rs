//! Parquet read: columns of flat tables, as pandas, polars and Arrow write them.

use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;

use super::advice::{ReadOption, advice};
use super::cells::Cells;
use super::columns::{Role, TextBuilder, argument, complete, roles};
use super::error::{Fault, fault, quoted};
use super::input::Input;
use super::limit::{Budget, memory, page_memory, too_large, zeros};
use super::numbers::half;
use super::pages::Pages;
use super::wanted::Choose;
use super::{ReadOptions, Table, footer};

/// Rows read at a time.
const BATCH: usize = 1 << 13;

/// Reads the columns of a file. The index that pandas adds is not a column of the table.
pub(super) fn read(input: Input, length: u64, options: &ReadOptions) -> Result<Table, Fault> {
    let bounds = (length, memory(length, options));
    let opened = Opened::new(input, bounds, &mut |names, _| roles(names, options))?;
    let (rows, width) = (opened.rows, opened.names.len());
    let mut budget = Budget::packed(length, options);
    budget.array(rows.saturating_mul(opened.kinds.len()), opened.kinds.len())?;
    let mut values = zeros(rows * width)?;
    let mut text = Vec::new();
    for &(j, kind, place) in &opened.kinds {
        let mut target = match place {
            Some(place) => Target::Numbers { values: &mut values, width, place },
            None => {
                let name = &opened.all_names[j];
                let column = TextBuilder::new(name, j, opened.roles[j], &Cells::default());
                Target::Text { column: Box::new(column), budget: &mut budget }
            }
        };
        let mut start = 0;
        for group in 0..opened.reader.num_row_groups() {
            let (mut column, rows) = opened.column(group, j)?;
            read_column(&mut column, kind, start..start + rows, &mut target)?;
            start += rows;
        }
        if let Target::Text { column, .. } = target {
            text.push(column.finish());
        }
    }
    let Opened { names, numbers, .. } = opened;
    let table = Table { names, numbers, values, rows, text, ..Table::default() };
    complete(table, options)
}

/// A file whose columns are known.
struct Opened {
    reader: SerializedFileReader<Input>,
    /// The bytes of the file, once more, to look at pages before they are unpacked.
    input: Input,
    /// How many there are, and how much memory their table may take.
    bounds: (u64, u64),
    all_names: Vec<String>,
    roles: Vec<Role>,
    rows: usize,
    /// Names of the columns of numbers, and their places in the file, counted from 1.
    names: Vec<String>,
    numbers: Vec<usize>,
    /// The columns that are read: which one, what it holds, and its place among the numbers.
    kinds: Vec<(usize, Content, Option<usize>)>,
}

impl Opened {
    fn new(mut input: Input, bounds: (u64, u64), choose: Choose<'_>) -> Result<Self, Fault> {
        footer::check(&mut input, bounds.0)?;
        let again = input.again()?;
        let reader = SerializedFileReader::new(input).map_err(broken)?;
        let schema = reader.metadata().file_metadata().schema_descr_ptr();
        let leaves = schema.columns();
        // A nested column goes by the name of its root, so that it can be left out by it.
        let root =
            |leaf: &ColumnDescriptor| leaf.path().parts().first().cloned().unwrap_or_default();
        let all_names: Vec<String> = leaves.iter().map(|leaf| root(leaf)).collect();
        let is_index = |j: usize| all_names[j].starts_with("__index_level_");
        let is_number = |j: usize| {
            let kind = kind_of(&leaves[j], &all_names[j], j);
            !is_index(j) && kind.is_ok_and(|kind| kind != Content::Text)
        };
        let mut roles = choose(&all_names, &is_number)?;
        for (j, role) in roles.iter_mut().enumerate() {
            if is_index(j) && *role == Role::Data {
                *role = Role::Skip;
            }
        }
        let mut rows = 0usize;
        for group in reader.metadata().row_groups() {
            let more = usize::try_from(group.num_rows()).map_err(Fault::damaged)?;
            rows = rows.saturating_add(more);
        }
        let (mut names, mut numbers, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
        for (j, leaf) in leaves.iter().enumerate() {
            let kind = match roles[j] {
                Role::Skip => continue,
                _ => kind_of(leaf, &all_names[j], j)?,
            };
            if roles[j] == Role::Number && kind == Content::Text {
                let what = format!("column {} holds text, not numbers", quoted(&all_names[j]));
                return Err(fault(what, "save it as numbers"));
            }
            if roles[j] != Role::Aside && kind != Content::Text {
                names.push(all_names[j].clone());
                numbers.push(j + 1);
                kinds.push((j, kind, Some(names.len() - 1)));
            } else {
                kinds.push((j, kind, None));
            }
        }
        let input = again;
        Ok(Opened { reader, input, bounds, all_names, roles, rows, names, numbers, kinds })
    }

    /// Column `j` of a group, and how many rows the group has.
    fn column(&self, group: usize, j: usize) -> Result<(ColumnReader, usize), Fault> {
        let group = self.reader.get_row_group(group).map_err(broken)?;
        self.check_chunk(group.metadata().columns().get(j))?;
        let rows = group.metadata().num_rows() as usize;
        let leaf = self.reader.metadata().file_metadata().schema_descr().column(j);
        let pages = group.get_column_page_reader(j).map_err(broken)?;
        let pages = Pages::new(pages, leaf.clone(), rows);
        Ok((get_column_reader(leaf, Box::new(pages)), rows))
    }

    /// What the library takes for granted of a column's place in the file and of the sizes of its pages.
    fn check_chunk(&self, chunk: Option<&ColumnChunkMetaData>) -> Result<(), Fault> {
        let (length, memory) = self.bounds;
        let chunk = chunk.ok_or_else(|| Fault::damaged("a group lacks a column"))?;
        let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        let inside = |start: i64| u64::try_from(start).ok().filter(|start| *start <= length);
        let (start, size) = (inside(start), inside(chunk.compressed_size()));
        let end = start.zip(size).map(|(start, size)| start + size).filter(|end| *end <= length);
        let (Some(mut at), Some(end)) = (start, end) else {
            return Err(Fault::damaged("a column ends behind the file"));
        };
        while at < end {
            let head = self.input.get_read(at).map_err(broken)?;
            let Some((unpacked, packed, taken)) = footer::page_sizes(head) else {
                return Err(Fault::damaged("a page without a head"));
            };
            let sizes = (u64::try_from(unpacked), u64::try_from(packed));
            let (Ok(unpacked), Ok(packed)) = sizes else {
                return Err(Fault::damaged("a page of negative size"));
            };
            if unpacked > page_memory(packed, memory) {
                return Err(too_large());
            }
            at += taken + packed;
        }
        Ok(())
    }
}

/// The columns of numbers of a file, some rows at a time.
pub(super) struct Groups {
    opened: Opened,
    /// The columns of the group that is being read, and how many of its rows are left.
    columns: Vec<ColumnReader>,
    left: usize,
    next_group: usize,
}

impl Groups {
    pub(super) fn new(
        input: Input,
        length: u64,
        options: &ReadOptions,
        choose: Choose<'_>,
    ) -> Result<Self, Fault> {
        let opened = Opened::new(input, (length, memory(length, options)), choose)?;
        Ok(Groups { opened, columns: Vec::new(), left: 0, next_group: 0 })
    }

    /// How many rows there are in all.
    pub(super) fn rows(&self) -> usize {
        self.opened.rows
    }

    /// The next rows, at most `most`, row after row; none when there are no more.
    pub(super) fn next(&mut self, most: usize) -> Result<Vec<f64>, Fault> {
        while self.left == 0 {
            if self.next_group == self.opened.reader.num_row_groups() {
                return Ok(Vec::new());
            }
            self.columns.clear();
            for &(j, ..) in &self.opened.kinds {
                let (column, rows) = self.opened.column(self.next_group, j)?;
                self.columns.push(column);
                self.left = rows;
            }
            if self.columns.is_empty() {
                return Ok(Vec::new());
            }
            self.next_group += 1;
        }
        let rows = most.min(self.left);
        let width = self.opened.names.len();
        let mut values = zeros(rows * width)?;
        for (column, &(_, kind, place)) in self.columns.iter_mut().zip(&self.opened.kinds) {
            let place = place.unwrap_or(0);
            let mut target = Target::Numbers { values: &mut values, width, place };
            read_column(column, kind, 0..rows, &mut target)?;
        }
        self.left -= rows;
        Ok(values)
    }
}

/// A file of which any rows can be read.
pub(super) struct Spans {
    opened: Opened,
    options: ReadOptions,
}

impl Spans {
    pub(super) fn new(
        input: Input,
        length: u64,
        options: &ReadOptions,
        choose: Choose<'_>,
    ) -> Result<Self, Fault> {
        let opened = Opened::new(input, (length, memory(length, options)), choose)?;
        Ok(Spans { opened, options: options.clone() })
    }

    /// How many rows there are in all.
    pub(super) fn rows(&self) -> usize {
        self.opened.rows
    }

    /// What each column is read for.
    pub(super) fn roles(&self) -> &[Role] {
        &self.opened.roles
    }

    /// The columns that come as text.
    pub(super) fn texts(&self) -> Vec<usize> {
        let texts = self.opened.kinds.iter().filter(|(.., place)| place.is_none());
        texts.map(|(j, ..)| *j).collect()
    }

    /// Some rows. Of the groups before and behind them nothing is read, of their own only the pages that hold them.
    pub(super) fn read(&self, wanted: std::ops::Range<usize>) -> Result<Table, Fault> {
        let Opened { names, numbers, all_names, roles, bounds, .. } = &self.opened;
        let width = names.len();
        let mut values = zeros(wanted.len() * width)?;
        let mut text = Vec::new();
        for &(j, kind, place) in &self.opened.kinds {
            let mut budget = Budget::packed(bounds.0, &self.options);
            let mut target = match place {
                Some(place) => Target::Numbers { values: &mut values, width, place },
                None => {
                    let cells = Cells::default();
                    let column = TextBuilder::new(&all_names[j], j, roles[j], &cells);
                    Target::Text { column: Box::new(column), budget: &mut budget }
                }
            };
            let (mut start, mut done) = (0, 0);
            for (group, about) in self.opened.reader.metadata().row_groups().iter().enumerate() {
                let end = start + about.num_rows() as usize;
                let (from, to) = (wanted.start.max(start), wanted.end.min(end));
                if from < to {
                    let (mut column, _) = self.opened.column(group, j)?;
                    skip(&mut column, from - start)?;
                    read_column(&mut column, kind, done..done + to - from, &mut target)?;
                    done += to - from;
                }
                start = end;
            }
            if let Target::Text { column, .. } = target {
                text.push(column.finish());
            }
        }
        let (names, numbers, rows) = (names.clone(), numbers.clone(), wanted.len());
        Ok(Table { names, numbers, values, rows, text, ..Table::default() })
    }
}

/// Passes over the first rows of a column.
fn skip(column: &mut ColumnReader, rows: usize) -> Result<(), Fault> {
    use ColumnReader as Of;
    fn pass<T: DataType>(column: &mut ColumnReaderImpl<T>, rows: usize) -> Result<(), Fault> {
        let passed = column.skip_records(rows).map_err(broken)?;
        if passed < rows {
            Err(Fault::damaged("a column is shorter than its table"))
        } else {
            Ok(())
        }
    }
    match column {
        Of::BoolColumnReader(column) => pass(column, rows),
        Of::Int32ColumnReader(column) => pass(column, rows),
        Of::Int64ColumnReader(column) => pass(column, rows),
        Of::FloatColumnReader(column) => pass(column, rows),
        Of::DoubleColumnReader(column) => pass(column, rows),
        Of::FixedLenByteArrayColumnReader(column) => pass(column, rows),
        Of::ByteArrayColumnReader(column) => pass(column, rows),
        Of::Int96ColumnReader(_) => Err(Fault::damaged("a column changed its type")),
    }
}

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Content {
    Plain,
    Unsigned,
    Half,
    Text,
}

fn kind_of(leaf: &ColumnDescriptor, name: &str, j: usize) -> Result<Content, Fault> {
    let name = (quoted(name), argument(name, j));
    let refuse = |what: &str| {
        fault(
            format!("column {} holds {what}", name.0),
            advice("leave it out with ").set(ReadOption::Drop, name.1.clone()),
        )
    };
    if leaf.path().parts().len() != 1 || leaf.max_rep_level() > 0 {
        return Err(refuse("lists or records, not single values"));
    }
    let unsigned = [
        ConvertedType::UINT_8,
        ConvertedType::UINT_16,
        ConvertedType::UINT_32,
        ConvertedType::UINT_64,
    ];
    match (leaf.physical_type(), leaf.logical_type_ref()) {
        (Physical::FLOAT | Physical::DOUBLE | Physical::BOOLEAN, None) => Ok(Content::Plain),
        (Physical::INT32 | Physical::INT64, Some(LogicalType::Integer { .. }) | None) => {
            match leaf.converted_type() {
                unsigned_type if unsigned.contains(&unsigned_type) => Ok(Content::Unsigned),
                ConvertedType::NONE
                | ConvertedType::INT_8
                | ConvertedType::INT_16
                | ConvertedType::INT_32
                | ConvertedType::INT_64 => Ok(Content::Plain),
                _ => Err(refuse("dates, times or decimals")),
            }
        }
        (Physical::INT32 | Physical::INT64, _) => Err(refuse("dates, times or decimals")),
        (Physical::FIXED_LEN_BYTE_ARRAY, Some(LogicalType::Float16)) => Ok(Content::Half),
        (Physical::BYTE_ARRAY, Some(LogicalType::Decimal { .. })) => Err(refuse("decimals")),
        (Physical::BYTE_ARRAY, _) => Ok(Content::Text),
        _ => Err(refuse("neither numbers nor text")),
    }
}

/// Where the values of a column go.
enum Target<'a> {
    Numbers { values: &'a mut [f64], width: usize, place: usize },
    Text { column: Box<TextBuilder>, budget: &'a mut Budget },
}

impl Target<'_> {
    fn put<V: ToString>(
        &mut self,
        row: usize,
        value: Option<V>,
        number: impl Fn(V) -> f64,
    ) -> Result<(), Fault> {
        match self {
            Target::Numbers { values, width, place } => {
                values[row * *width + *place] = value.map_or(f64::NAN, number);
                Ok(())
            }
            Target::Text { column, budget } => {
                budget.take(column.push(&value.map(|value| value.to_string()).unwrap_or_default()))
            }
        }
    }
}

fn read_column(
    column: &mut ColumnReader,
    content: Content,
    rows: std::ops::Range<usize>,
    target: &mut Target<'_>,
) -> Result<(), Fault> {
    use ColumnReader as Of;
    let unsigned = content == Content::Unsigned;
    match column {
        Of::BoolColumnReader(column) => scan(column, rows, |row, value: Option<&bool>| {
            target.put(row, value.copied(), f64::from)
        }),
        Of::Int32ColumnReader(column) => scan(column, rows, |row, value: Option<&i32>| {
            if unsigned {
                target.put(row, value.map(|value| *value as u32), f64::from)
            } else {
                target.put(row, value.copied(), f64::from)
            }
        }),
        Of::Int64ColumnReader(column) => scan(column, rows, |row, value: Option<&i64>| {
            if unsigned {
                target.put(row, value.map(|value| *value as u64), |value| value as f64)
            } else {
                target.put(row, value.copied(), |value| value as f64)
            }
        }),
        Of::FloatColumnReader(column) => scan(column, rows, |row, value: Option<&f32>| {
            target.put(row, value.copied(), f64::from)
        }),
        Of::DoubleColumnReader(column) => scan(column, rows, |row, value: Option<&f64>| {
            target.put(row, value.copied(), f64::from)
        }),
        Of::FixedLenByteArrayColumnReader(column) => scan(column, rows, |row, value| {
            let bits = value.map(|value| value.data().first_chunk().copied().unwrap_or_default());
            target.put(row, bits.map(|bits| half(u16::from_le_bytes(bits))), f64::from)
        }),
        Of::ByteArrayColumnReader(column) => scan(column, rows, |row, value| {
            let text = value.map_or(Ok(""), |value| value.as_utf8()).map_err(broken)?;
            target.put(row, Some(text), |_| f64::NAN)
        }),
        Of::Int96ColumnReader(_) => Err(Fault::damaged("a column changed its type")),
    }
}

/// Reads a column of a group and gives each value, or none where it is null, to `put`.
fn scan<T: DataType>(
    column: &mut ColumnReaderImpl<T>,
    rows: std::ops::Range<usize>,
    mut put: impl FnMut(usize, Option<&T::T>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    let mut row = rows.start;
    while row < rows.end {
        levels.clear();
        values.clear();
        let most = BATCH.min(rows.end - row);
        let (count, ..) =
            column.read_records(most, Some(&mut levels), None, &mut values).map_err(broken)?;
        if count == 0 {
            return Err(Fault::damaged("a column is shorter than its table"));
        }
        let mut present = values.iter();
        for i in 0..count {
            // A column without nulls has no levels.
            let null = levels.get(i).is_some_and(|level| *level == 0);
            put(row + i, if null { None } else { present.next() })?;
        }
        row += count;
    }
    Ok(())
}

fn broken(error: ParquetError) -> Fault {
    match error {
        ParquetError::NYI(what) => fault(
            format!("uses a feature that is not read ({what})"),
            "save it with snappy or zstd compression, and text plain or as a dictionary",
        ),
        // Compressions that this program is built without.
        ParquetError::General(what) if what.starts_with("Disabled feature") => fault(
            format!("uses a compression that is not read ({what})"),
            "save it with snappy or zstd compression",
        ),
        error => Fault::damaged(error),
    }
}
