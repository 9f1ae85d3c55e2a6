//! Which files the parts are, and whether they have the same columns.

use std::fs;
use std::path::Path;

use nrdr_cli::shared::Failure;
use nrdr_io::RangedKind;
use nrdr_report::natural::in_order;
use nrdr_write::printable;

use super::Columns;

/// The file that is written last, beside the parts.
pub(crate) const MANIFEST: &str = "manifest.json";

/// A folder, the names of the parts in it, and the ending of their kind.
pub(super) type Found = (String, Vec<String>, String);

/// Columns that an error names at most.
const SHOWN: usize = 5;

/// The parts of an input.
pub(super) fn found(input: &Path) -> Result<Found, Failure> {
    let shown = printable(&input.to_string_lossy());
    if !input.exists() {
        return Err(Failure::Usage(format!("{shown} does not exist: check the path")));
    }
    let text = |path: &Path| path.to_string_lossy().into_owned();
    if !input.is_dir() {
        let kind = RangedKind::of(input).ok_or_else(|| unknown(&shown))?;
        let folder = input.parent().unwrap_or(Path::new(""));
        let name = input.file_name().map(Path::new).unwrap_or(input);
        return Ok((text(folder), vec![text(name)], kind.ending().to_string()));
    }
    let unreadable =
        |error| Failure::Usage(format!("{shown} cannot be read ({error}): check the path"));
    let mut names = Vec::new();
    for entry in fs::read_dir(input).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // What programs put beside parts, such as _SUCCESS, and what runs of this one do.
        let is_beside = name.starts_with(['.', '_']) || name == MANIFEST;
        if !is_beside && !entry.path().is_dir() {
            names.push(name);
        }
    }
    let names: Vec<String> = in_order(&names).into_iter().map(|at| names[at].clone()).collect();
    let Some(first) = names.first() else {
        return Err(Failure::Usage(format!(
            "{shown} is an empty folder: give one with parts that end in .npy or .parquet"
        )));
    };
    let mut kinds = Vec::new();
    for name in &names {
        let path = printable(&input.join(name).to_string_lossy());
        kinds.push(RangedKind::of(Path::new(name)).ok_or_else(|| unknown(&path))?);
    }
    if let Some(other) = kinds.iter().position(|kind| *kind != kinds[0]) {
        let (first, other) = (printable(first), printable(&names[other]));
        return Err(Failure::Usage(format!(
            "{shown} has parts of two kinds, {first} and {other}: give one folder for each"
        )));
    }
    Ok((text(input), names, kinds[0].ending().to_string()))
}

/// The error of a file that is not read in ranges of rows.
fn unknown(path: &str) -> Failure {
    Failure::Usage(format!(
        "{path} cannot be read in ranges of rows, as its ending is not .npy or .parquet: save the table as parts of \
         one of these, as to_parquet of pandas, polars or Dask does"
    ))
}

/// Refuses a part whose columns are not those of the first one.
pub(super) fn check_alike(
    path: &Path,
    ours: &Columns,
    first: &str,
    theirs: &Columns,
) -> Result<(), Failure> {
    if ours == theirs {
        return Ok(());
    }
    let all = |columns: &Columns| [columns.numbers.as_slice(), &columns.texts].concat();
    let (ours, theirs) = (all(ours), all(theirs));
    let what = if ours.len() != theirs.len() {
        format!("has {} column(s), and {first} has {}", ours.len(), theirs.len())
    } else {
        let differ = ours.iter().zip(&theirs).filter(|(a, b)| a != b).take(SHOWN);
        let told: Vec<String> = differ.map(|(a, b)| format!("{a:?} is {b:?}")).collect();
        if told.is_empty() {
            format!("has columns of other kinds than {first}")
        } else {
            format!("has other columns than {first}, where {}", told.join(", "))
        }
    };
    let path = printable(&path.to_string_lossy());
    Err(Failure::Usage(format!(
        "{path} {}: save all parts with the same columns in the same order",
        printable(&what)
    )))
}
