//! One function for each thing that reads what a user brings. Bytes may be refused; a panic, a lie about the shape, or
//! rows read in pieces that differ from rows read at once are faults. The fuzzers call these, and so does the test that
//! replays their corpus.

use std::path::Path;

use nrdr_io::{
    Channels, Decimal, Header, Missing, ReadOptions, Separator, Stream, Table, read_bytes,
};

/// What a target calls with each input.
pub type Entry = fn(&[u8]);

/// Every target by its name.
pub const TARGETS: [(&str, Entry); 14] = [
    ("csv", csv),
    ("npy", npy),
    ("npz", npz),
    ("parquet", parquet),
    ("mat", mat),
    ("idx", idx),
    ("images", images),
    ("xlsx", xlsx),
    ("arrow", arrow),
    ("mtx", mtx),
    ("hdf5", hdf5),
    ("h5ad", h5ad),
    ("model", model),
    ("config", config),
];

/// Memory that a packed file may take here: little, so that one that takes more is found.
const UNPACKED: u64 = 16 << 20;

/// The first byte chooses among the options, so that all of them are tried.
fn options(choice: u8) -> ReadOptions {
    ReadOptions {
        transpose: choice & 1 != 0,
        missing: [Missing::Error, Missing::Drop, Missing::Keep, Missing::Fill]
            [usize::from(choice >> 1 & 3)],
        header: [Header::Auto, Header::Auto, Header::Yes, Header::No][usize::from(choice >> 3 & 3)],
        aside: (choice >> 5 & 1 != 0).then(|| "1".to_string()).into_iter().collect(),
        unpacked: Some(UNPACKED),
        memory: Some(UNPACKED),
        ..ReadOptions::default()
    }
}

fn check(table: &Table, missing: Missing) {
    assert_eq!(table.values.len(), table.rows * table.names.len());
    assert!(table.rows > 0 || table.names.is_empty());
    let may_be = |value: &f64| match missing {
        Missing::Keep => true,
        Missing::Fill => !value.is_infinite(),
        Missing::Error | Missing::Drop => value.is_finite(),
    };
    assert!(table.values.iter().all(may_be));
    assert_eq!(table.kept.as_ref().map_or(table.rows, Vec::len), table.rows);
    for column in table.text.iter().chain(&table.labels) {
        assert_eq!(column.codes.len(), table.rows);
        assert!(column.codes.iter().all(|&code| (code as usize) < column.distinct.len()));
    }
}

/// Reads at once and in pieces; both must give the same numbers.
fn read(name: &str, bytes: &[u8], options: &ReadOptions) {
    let name = Path::new(name);
    let Ok(table) = read_bytes(name, bytes, options) else { return };
    check(&table, options.missing);
    let distinct = {
        let mut names: Vec<&String> = table.names.iter().collect();
        names.sort();
        names.windows(2).all(|pair| pair[0] != pair[1])
    };
    let is_picture = name.extension().is_some_and(|ending| ending == "png");
    if table.names.is_empty() || !distinct || !options.aside.is_empty() || is_picture {
        return;
    }
    let Ok(mut stream) = Stream::of_bytes(name, bytes, &table.names, options) else {
        // Columns without names that beside text are fewer than those of the file.
        assert!(!table.text.is_empty(), "read at once, but not in pieces");
        return;
    };
    let mut values = Vec::new();
    while let Some(piece) = stream.next(7).expect("read at once, but not in pieces") {
        values.extend(piece.values);
    }
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<u64>>();
    // Where pieces drop rows, a table that keeps them has more.
    if options.missing != Missing::Keep {
        assert_eq!(bits(&values), bits(&table.values));
    }
}

fn split(bytes: &[u8]) -> (ReadOptions, &[u8]) {
    match bytes.split_first() {
        Some((first, rest)) => (options(*first), rest),
        None => (options(0), bytes),
    }
}

/// A byte that chooses what is said of a text: its separator, what it is in, lines to leave out, the sign before decimals.
fn of_text(choice: u8, options: ReadOptions) -> ReadOptions {
    const ENCODINGS: [&str; 5] = ["utf-8", "latin1", "utf-16le", "shift_jis", "iso-2022-jp"];
    let choice = usize::from(choice);
    ReadOptions {
        separator: Separator::ALL.get(choice % 6).copied(),
        encoding: ENCODINGS.get(choice / 6 % 6).map(|name| name.to_string()),
        skip: (choice / 36 % 4) as u64,
        decimal: if choice < 144 { Decimal::Auto } else { Decimal::Comma },
        ..options
    }
}

/// Text, plain and packed, in files of several names; where the first bit of the first byte is set, the second byte says how.
pub fn csv(bytes: &[u8]) {
    let (mut options, mut rest) = split(bytes);
    if let (1, Some((choice, text))) =
        (bytes.first().map_or(0, |byte| byte & 1), rest.split_first())
    {
        (options, rest) = (of_text(*choice, options), text);
    }
    let name = match bytes.first().map(|byte| byte >> 6) {
        Some(1) => "t.tsv",
        Some(2) => "t.csv.gz",
        _ => "t.csv",
    };
    read(name, rest, &options);
}

/// NPY.
pub fn npy(bytes: &[u8]) {
    let (options, rest) = split(bytes);
    read("t.npy", rest, &options);
}

/// NPZ, with arrays of SciPy and with labels.
pub fn npz(bytes: &[u8]) {
    let (options, rest) = split(bytes);
    read("t.npz", rest, &with_labels(bytes, options));
}

/// Names of arrays, where the first byte asks for them.
fn with_labels(bytes: &[u8], options: ReadOptions) -> ReadOptions {
    if bytes.first().is_none_or(|byte| byte >> 6 != 3) {
        return options;
    }
    let variable = Some("X".to_string());
    ReadOptions { variable, label_variables: vec!["y".to_string()], ..options }
}

/// Parquet.
pub fn parquet(bytes: &[u8]) {
    let (options, rest) = split(bytes);
    read("t.parquet", rest, &options);
}

/// MAT of all versions, with labels.
pub fn mat(bytes: &[u8]) {
    let (options, rest) = split(bytes);
    read("t.mat", rest, &with_labels(bytes, options));
}

/// XLSX.
pub fn xlsx(bytes: &[u8]) {
    let (options, rest) = split(bytes);
    read("t.xlsx", rest, &options);
}

/// Arrow and Feather.
pub fn arrow(bytes: &[u8]) {
    let (options, rest) = split(bytes);
    read("t.feather", rest, &options);
}

/// Matrix Market, plain and packed.
pub fn mtx(bytes: &[u8]) {
    let (options, rest) = split(bytes);
    let packed = bytes.first().is_some_and(|byte| byte >> 6 == 2);
    read(if packed { "t.mtx.gz" } else { "t.mtx" }, rest, &options);
}

/// HDF5, with labels.
pub fn hdf5(bytes: &[u8]) {
    let (options, rest) = split(bytes);
    read("t.h5", rest, &with_labels(bytes, options));
}

/// AnnData.
pub fn h5ad(bytes: &[u8]) {
    let (options, rest) = split(bytes);
    read("t.h5ad", rest, &ReadOptions { transpose: false, ..options });
}

/// IDX, plain and packed.
pub fn idx(bytes: &[u8]) {
    let (options, rest) = split(bytes);
    let packed = bytes.first().is_some_and(|byte| byte >> 6 == 2);
    let name = if packed { "t.idx.gz" } else { "t.idx" };
    read(name, rest, &ReadOptions { transpose: false, ..options });
}

/// A picture of a folder.
pub fn images(bytes: &[u8]) {
    let (options, rest) = split(bytes);
    let channels = if options.transpose { Channels::Rgb } else { Channels::Grey };
    read("t.png", rest, &ReadOptions { transpose: false, channels, ..options });
}

/// A model, whatever its checksum, and a point that it embeds, with what is done to its columns before and without.
pub fn model(bytes: &[u8]) {
    assert!(
        nrdr::Model::from_bytes(bytes).is_err()
            || nrdr::Model::from_bytes_of_any_checksum(bytes).is_ok()
    );
    let Ok(model) = nrdr::Model::from_bytes_of_any_checksum(bytes) else { return };
    let columns = model.columns();
    if columns > 0
        && let Ok(points) = nrdr::Points::new(vec![0.5; columns], columns)
    {
        let _ = model.transform(&points, &());
    }
    let Ok(file) = nrdr_model::ModelFile::of(model) else { return };
    let columns = file.columns();
    file.preparation().fill(&mut vec![f64::NAN; columns]);
    if let Ok(points) = nrdr::Points::new(vec![0.5; columns], columns) {
        let _ = file.transform(points, &());
    }
}

/// A configuration in TOML or, behind an odd first byte, in JSON.
pub fn config(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return };
    let Ok(text) = str::from_utf8(rest) else { return };
    let _ = nrdr_cli::options_of_configuration(text, first & 1 == 1);
}
