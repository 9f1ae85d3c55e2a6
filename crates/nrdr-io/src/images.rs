//! A folder of pictures: each a row, its pixels the columns, grey or in three colours.

use std::fs;
use std::io::{BufRead, Cursor, Seek};
use std::path::{Path, PathBuf};

use image::{DynamicImage, ImageError, ImageReader};
use rayon::prelude::*;

use super::advice::{ReadOption, advice};
use super::columns::{invented_names, of_named_rows};
use super::error::{Fault, fault, quoted};
use super::limit::{Budget, zeros};
use super::{Channels, ImageShape, MOST_COLUMNS, ReadOptions, Table};

/// A picture has no more pixels than a table has columns.
const MOST_PIXELS: u64 = MOST_COLUMNS as u64;

/// Reads the pictures of a folder by name. Grey values are between 0 and 1; the text column `file`
/// holds the names.
pub(super) fn read(folder: &Path, options: &ReadOptions) -> Result<Table, Fault> {
    if options.variable.is_some()
        || options.transpose
        || !options.na.is_empty()
        || !options.label_variables.is_empty()
    {
        let what = "is a folder of images";
        let way_out = advice("leave ").option(ReadOption::Variable).text(", ");
        let way_out = way_out.option(ReadOption::Transpose).text(" and ");
        let way_out = way_out.option(ReadOption::LabelVariable).text(", ");
        return Err(fault(what, way_out.option(ReadOption::Na).text(" out")));
    }
    let paths = pictures(folder)?;
    let Some(first) = paths.first() else {
        return Err(fault("has no .png, .jpg or .jpeg in it", "check the folder"));
    };
    let size = size_of(first)?;
    let mut bytes = 0;
    for path in &paths {
        bytes += fs::metadata(path)?.len();
        let other = size_of(path)?;
        if other != size {
            let (a, b) = (name_of(first), name_of(path));
            let ((w, h), (v, g)) = (size, other);
            let what = format!("images differ in size, {a} is {w} x {h} and {b} is {v} x {g}");
            return Err(fault(what, "make them equal"));
        }
    }
    let (width, height) = (size.0 as usize, size.1 as usize);
    let shape = ImageShape { width, height, channels: channels_of(options) };
    let columns = width * height * shape.channels;
    Budget::packed(bytes, options).array(columns.saturating_mul(paths.len()), columns)?;
    let mut values = zeros(paths.len() * columns)?;
    let decoded: Vec<Result<(), Fault>> =
        values.par_chunks_mut(columns).zip(&paths).map(|(row, path)| decode(path, row)).collect();
    decoded.into_iter().collect::<Result<(), Fault>>()?;
    let names: Vec<String> = paths.iter().map(|path| name_of(path)).collect();
    with_files(values, &names, shape, options)
}

/// Reads a picture as a folder with nothing else in it would be.
pub(super) fn read_one(name: &Path, bytes: &[u8], options: &ReadOptions) -> Result<Table, Fault> {
    let reader = || ImageReader::new(Cursor::new(bytes));
    let (width, height) = dimensions(reader(), name)?;
    let (width, height) = (width as usize, height as usize);
    let shape = ImageShape { width, height, channels: channels_of(options) };
    let count = width * height * shape.channels;
    Budget::packed(bytes.len() as u64, options).array(count, count)?;
    let mut values = zeros(count)?;
    pixels(reader(), name, &mut values)?;
    with_files(values, &[name_of(name)], shape, options)
}

/// How many numbers a pixel has.
fn channels_of(options: &ReadOptions) -> usize {
    match options.channels {
        Channels::Grey => 1,
        Channels::Rgb => 3,
    }
}

/// The table of the pixels and the column `file`, which the options may name like any other.
fn with_files(
    values: Vec<f64>,
    files: &[String],
    shape: ImageShape,
    options: &ReadOptions,
) -> Result<Table, Fault> {
    let columns = values.len() / files.len().max(1);
    let names = invented_names(columns, Some(shape));
    let texts = ("file", files.iter().map(String::as_str));
    of_named_rows(values, files.len(), names, texts, Some(shape), options)
}

/// The pictures, sorted by name, without hidden files.
fn pictures(folder: &Path) -> Result<Vec<PathBuf>, Fault> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        let known = ["png", "jpg", "jpeg"].iter().any(|known| ending == *known);
        if known && !name_of(&path).starts_with('.') && path.is_file() {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn broken(path: &Path, error: &ImageError) -> Fault {
    let what = format!("image {} cannot be read ({error})", quoted(&name_of(path)));
    fault(what, "take it out of the folder, or make it again")
}

/// Width and height, from the beginning of the file.
fn size_of(path: &Path) -> Result<(u32, u32), Fault> {
    dimensions(ImageReader::open(path)?, path)
}

fn dimensions(reader: ImageReader<impl BufRead + Seek>, path: &Path) -> Result<(u32, u32), Fault> {
    let reader = reader.with_guessed_format()?;
    let (width, height) = reader.into_dimensions().map_err(|error| broken(path, &error))?;
    match u64::from(width) * u64::from(height) {
        1..=MOST_PIXELS => Ok((width, height)),
        _ => Err(fault(
            format!("image {} is {width} x {height}", quoted(&name_of(path))),
            format!("take images of at least one pixel and at most {MOST_PIXELS}"),
        )),
    }
}

fn decode(path: &Path, row: &mut [f64]) -> Result<(), Fault> {
    pixels(ImageReader::open(path)?, path, row)
}

fn pixels(
    reader: ImageReader<impl BufRead + Seek>,
    path: &Path,
    row: &mut [f64],
) -> Result<(), Fault> {
    use DynamicImage::{ImageLuma16, ImageLumaA16, ImageRgb16, ImageRgba16};
    let picture = reader.with_guessed_format()?.decode().map_err(|error| broken(path, &error))?;
    let is_deep =
        matches!(picture, ImageLuma16(_) | ImageLumaA16(_) | ImageRgb16(_) | ImageRgba16(_));
    let size = (picture.width() * picture.height()) as usize;
    let is_grey = row.len() == size;
    let mut fill = |values: &mut dyn Iterator<Item = f64>| {
        row.iter_mut().zip(values).for_each(|(x, value)| *x = value);
    };
    let deep = |value: &u16| f64::from(*value) / 65535.0;
    let shallow = |value: &u8| f64::from(*value) / 255.0;
    match (is_deep, is_grey) {
        (true, true) => fill(&mut picture.into_luma16().iter().map(deep)),
        (true, false) => fill(&mut picture.into_rgb16().iter().map(deep)),
        (false, true) => fill(&mut picture.into_luma8().iter().map(shallow)),
        (false, false) => fill(&mut picture.into_rgb8().iter().map(shallow)),
    }
    Ok(())
}
