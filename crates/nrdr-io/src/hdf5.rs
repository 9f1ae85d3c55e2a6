//! HDF5: arrays in a tree of groups. A file of an unknown kind has one that is meant, or the options name it; that of
//! MATLAB 7.3 is one of them, with the dimensions the other way round.

use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

use hdf5_reader::error::{ByteOrder, Error};
use hdf5_reader::group::Group;
use hdf5_reader::messages::filter_pipeline::FilterDescription;
use hdf5_reader::storage::{BytesStorage, DynStorage, FileStorage};
use hdf5_reader::{Dataset, Datatype, FilterRegistry, Hdf5File, OpenOptions, StringSize};

use super::advice::{ReadOption, with_variable};
use super::columns::of_array;
use super::error::{Fault, fault, listed, quoted};
use super::input::Input;
use super::labels::{Labels, vector_of};
use super::limit::{Budget, TEXT, memory, too_large};
use super::numbers::{self, Element, Kind};
use super::{ImageShape, ReadOptions, Table, cell_ranger, leave_out, lzf, mat};

/// Groups within each other, and arrays, of which there may be more in a file that was made to do harm.
const DEEPEST: usize = 8;
const MOST_ARRAYS: usize = 1000;

/// A file that is open.
pub(super) struct Source {
    pub(super) file: Hdf5File,
    length: u64,
    memory: u64,
}

impl Source {
    pub(super) fn open(input: Input, length: u64, options: &ReadOptions) -> Result<Self, Fault> {
        const LZF: u16 = 32000;
        const LONGEST_HEADER: usize = 1 << 24;
        const LARGEST_CHUNK: u64 = 1 << 28;
        let memory = memory(length, options);
        let storage: DynStorage = match input {
            Input::File(file) => Arc::new(FileStorage::from_file(file).map_err(broken)?),
            Input::Memory(bytes) => Arc::new(BytesStorage::from_owner(bytes.into_inner())),
        };
        let mut filters = FilterRegistry::new();
        filters.register(LZF, Box::new(unpack_lzf));
        let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        let limits = OpenOptions::default()
            .with_filter_registry(filters)
            .with_max_read_bytes(size(memory))
            .with_max_chunk_bytes(size(memory.min(LARGEST_CHUNK)))
            .with_max_object_header_bytes(LONGEST_HEADER);
        let there = storage.len();
        let file = Hdf5File::from_storage_with_options(storage, limits).map_err(broken)?;
        // What is read may lie before the cut.
        let promised = file.superblock().eof_address;
        if promised > there {
            return Err(Fault::damaged(format!("cut short: {there} bytes of {promised}")));
        }
        Ok(Source { file, length, memory })
    }

    /// The bytes that an array of it may take.
    pub(super) fn budget(&self) -> Budget {
        Budget::of(self.memory)
    }

    /// That of an array whose zeros are not in the file.
    pub(super) fn dense_budget(&self, options: &ReadOptions) -> Budget {
        Budget::dense(self.length, options)
    }

    /// The numbers of an array, in the order of the file.
    pub(super) fn numbers(&self, array: &Dataset) -> Result<Vec<f64>, Fault> {
        let element = element_of(array)?;
        let count = self.count(array, element)?;
        self.budget().array(count, 1)?;
        let bytes = array.read_raw_bytes().map_err(broken)?;
        numbers::read(&mut bytes.as_slice(), element, count)
    }

    fn count(&self, array: &Dataset, element: Element) -> Result<usize, Fault> {
        element.count(&sizes_of(array)?, u64::MAX)
    }

    /// The texts of an array, in the order of the file.
    pub(super) fn texts(&self, array: &Dataset) -> Result<Vec<String>, Fault> {
        let width = match array.dtype() {
            Datatype::String { size: StringSize::Fixed(width), .. } => Some(*width as usize),
            _ => None,
        };
        let size = width.unwrap_or(array.vlen_reference_size());
        let bytes = array.read_raw_bytes().map_err(broken)?;
        if size == 0 {
            return Err(Fault::damaged("texts of no length"));
        }
        let mut budget = self.budget();
        let mut texts = Vec::new();
        for text in bytes.chunks_exact(size) {
            let referred;
            let text = if width.is_some() {
                text
            } else {
                referred = array.resolve_vlen_reference_bytes(text, 1).map_err(broken)?;
                &referred
            };
            let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
            let text = String::from_utf8_lossy(&text[..end]).into_owned();
            budget.take(text.len() as u64 + TEXT)?;
            texts.push(text);
        }
        Ok(texts)
    }

    /// What an array holds that may be labels.
    pub(super) fn labels(&self, array: &Dataset) -> Result<Labels, Fault> {
        if is_text(array) {
            return Ok(Labels::Texts(self.texts(array)?));
        }
        Ok(Labels::Numbers(self.numbers(array)?))
    }

    pub(super) fn array(&self, path: &str) -> Option<Dataset> {
        self.file.dataset(path).ok()
    }

    pub(super) fn group(&self, path: &str) -> Option<Group> {
        self.file.group(path).ok()
    }

    /// The paths of the arrays of numbers, and their sizes.
    fn arrays(&self) -> Result<Vec<(String, Vec<usize>)>, Fault> {
        let mut found = Vec::new();
        let mut left = vec![(self.file.root_group().map_err(broken)?, String::new(), 0)];
        let mut seen = 0;
        while let Some((group, path, depth)) = left.pop() {
            let (groups, arrays) = group.members().map_err(broken)?;
            for array in arrays {
                if element_of(&array).is_ok() && (1..=3).contains(&array.ndim()) {
                    found.push((format!("{path}{}", array.name()), sizes_of(&array)?));
                }
            }
            // What MATLAB keeps for itself.
            let groups = groups.into_iter().filter(|group| !group.name().starts_with('#'));
            for group in groups.filter(|_| depth < DEEPEST) {
                let path = format!("{path}{}/", group.name());
                left.push((group, path, depth + 1));
            }
            seen += 1;
            if found.len() > MOST_ARRAYS || seen > MOST_ARRAYS {
                break;
            }
        }
        found.sort();
        Ok(found)
    }

    /// The array that is meant, and its name.
    fn choose(&self, options: &ReadOptions) -> Result<(String, Dataset), Fault> {
        let array = |name: &str| self.array(name).map(|array| (name.to_string(), array));
        if let Some(found) = options.variable.as_deref().and_then(array) {
            return Ok(found);
        }
        let arrays = self.arrays()?;
        let all = arrays.iter().map(|(name, sizes)| {
            let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
            format!("{name} ({})", sizes.join(" x "))
        });
        let all = listed(&all.collect::<Vec<_>>());
        if let Some(wanted) = &options.variable {
            let what = format!("has no array {} (the arrays are {all})", quoted(wanted));
            return Err(fault(what, with_variable("choose one of them")));
        }
        let is_label = |name: &String| options.label_variables.contains(name);
        let mut others = arrays.iter().filter(|(name, _)| !is_label(name));
        match (others.next(), others.next()) {
            (Some((name, _)), None) => array(name).ok_or_else(|| Fault::damaged("a lost array")),
            (None, _) => {
                let what = "holds no array of numbers with one to three dimensions";
                Err(fault(what, "check that the file is the right one"))
            }
            _ => Err(fault(format!("holds several arrays ({all})"), with_variable("choose one"))),
        }
    }

    fn attach_labels(&self, table: &mut Table, options: &ReadOptions) -> Result<(), Fault> {
        for name in &options.label_variables {
            let Some(array) = self.array(name) else {
                let what = format!("has no array {}", quoted(name));
                let way_out = "give the path of one, such as group/name";
                return Err(fault(what, way_out));
            };
            vector_of(name, &sizes_of(&array)?)?;
            self.labels(&array)?.attach(name, table)?;
        }
        Ok(())
    }
}

/// Reads an array of one to three dimensions whose first one counts the points; three are pictures. A file of Cell Ranger
/// has one matrix.
pub(super) fn read(input: Input, length: u64, options: &ReadOptions) -> Result<Table, Fault> {
    let source = Source::open(input, length, options)?;
    if options.variable.is_none()
        && let Some(group) = cell_ranger::find(&source)
    {
        let mut table = cell_ranger::read(&source, &group, options)?;
        source.attach_labels(&mut table, options)?;
        return Ok(table);
    }
    let (name, array) = source.choose(options)?;
    let element = element_of(&array)?;
    let sizes = sizes_of(&array)?;
    let (rows, columns, images) = match *sizes.as_slice() {
        [rows] => (rows, 1, None),
        [rows, columns] => (rows, columns, None),
        [rows, height, width] => {
            let columns = height.saturating_mul(width);
            (rows, columns, Some(ImageShape::grey(width, height)))
        }
        _ => {
            let what = format!("{} has {} dimensions", quoted(&name), sizes.len());
            return Err(fault(what, with_variable("choose another")));
        }
    };
    if options.transpose && images.is_some() {
        return Err(fault("holds three dimensions", leave_out(ReadOption::Transpose)));
    }
    let count = source.count(&array, element)?;
    source.budget().array(count, if options.transpose { rows } else { columns })?;
    let bytes = array.read_raw_bytes().map_err(broken)?;
    let bytes = &mut bytes.as_slice();
    let mut table = if options.transpose {
        let values = numbers::read_columns(bytes, element, (columns, rows), false, |j| j)?;
        of_array(values, columns, None, options)?
    } else {
        of_array(numbers::read(bytes, element, count)?, rows, images, options)?
    };
    source.attach_labels(&mut table, options)?;
    Ok(table)
}

/// Whether a file is one of HDF5, behind the text that MATLAB begins with.
pub(super) fn is_matlab(input: &mut (impl Read + Seek)) -> Result<bool, Fault> {
    const TEXT_OF_MATLAB: u64 = 512;
    let mut start = Vec::new();
    input.by_ref().take(TEXT_OF_MATLAB + 8).read_to_end(&mut start)?;
    input.seek(SeekFrom::Start(0))?;
    Ok(start.get(TEXT_OF_MATLAB as usize..) == Some(b"\x89HDF\r\n\x1a\n".as_slice()))
}

/// Reads an array of MATLAB 7.3 as that of an earlier version.
pub(super) fn read_matlab(
    input: Input,
    length: u64,
    options: &ReadOptions,
) -> Result<Table, Fault> {
    let source = Source::open(input, length, options)?;
    let (name, array) = source.choose(options)?;
    if array.attribute("MATLAB_sparse").is_ok() || element_of(&array).is_err() {
        let what = format!("{} is not an array of real numbers", quoted(&name));
        return Err(fault(what, with_variable("choose another")));
    }
    let element = element_of(&array)?;
    let count = source.count(&array, element)?;
    let mut sizes = sizes_of(&array)?;
    sizes.reverse();
    let mut budget = source.budget();
    budget.array(count, 1)?;
    let bytes = array.read_raw_bytes().map_err(broken)?;
    let whole = mat::Whole { name: &name, sizes: &sizes, element, packed: false };
    let mut table = whole.points(&mut bytes.as_slice(), budget, options)?;
    source.attach_labels(&mut table, options)?;
    Ok(table)
}

/// The sizes of an array.
pub(super) fn sizes_of(array: &Dataset) -> Result<Vec<usize>, Fault> {
    array.shape().iter().map(|&size| usize::try_from(size).map_err(Fault::damaged)).collect()
}

pub(super) fn is_text(array: &Dataset) -> bool {
    matches!(array.dtype(), Datatype::String { .. })
        || matches!(array.dtype(), Datatype::VarLen { base, .. } if base.is_vlen_string_base())
}

/// Whether an array holds true and false, as h5py writes them.
pub(super) fn is_truth(array: &Dataset) -> bool {
    matches!(array.dtype(), Datatype::Enum { members, .. } if members.len() == 2)
}

fn element_of(array: &Dataset) -> Result<Element, Fault> {
    number_of(array.dtype()).ok_or_else(|| {
        let what = format!("{} is not an array of real numbers", quoted(array.name()));
        fault(what, with_variable("choose another"))
    })
}

/// The kind of the numbers that a type is.
pub(super) fn number_of(of: &Datatype) -> Option<Element> {
    let (kind, order) = match of {
        Datatype::FixedPoint { size, signed, byte_order } => {
            let kind = match (size, signed) {
                (1, true) => Kind::I8,
                (1, false) => Kind::U8,
                (2, true) => Kind::I16,
                (2, false) => Kind::U16,
                (4, true) => Kind::I32,
                (4, false) => Kind::U32,
                (8, true) => Kind::I64,
                (8, false) => Kind::U64,
                _ => return None,
            };
            (kind, byte_order)
        }
        Datatype::FloatingPoint { size, byte_order } => {
            let kind = match size {
                2 => Kind::F16,
                4 => Kind::F32,
                8 => Kind::F64,
                _ => return None,
            };
            (kind, byte_order)
        }
        Datatype::Enum { base, .. } => return number_of(base),
        _ => return None,
    };
    Some(Element { kind, big_endian: *order == ByteOrder::BigEndian })
}

fn unpack_lzf(
    _: &FilterDescription,
    packed: &[u8],
    _: usize,
) -> hdf5_reader::error::Result<Vec<u8>> {
    const LARGEST: usize = 1 << 28;
    lzf::unpack(packed, LARGEST)
        .ok_or_else(|| Error::InvalidData("an array that is packed by LZF".to_string()))
}

pub(super) fn broken(error: Error) -> Fault {
    match error {
        Error::Io(error) => error.into(),
        Error::ResourceLimit(_) => too_large(),
        Error::Context { source, .. } => broken(*source),
        Error::UnsupportedFilter(filter) => {
            let what = format!("is packed in a way that is not read ({filter})");
            fault(what, "pack it with gzip or LZF, or not at all")
        }
        error => Fault::damaged(error),
    }
}
