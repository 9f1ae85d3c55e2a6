//! Files of other software in every format: the numbers, names and texts are those that were written. The files are made
//! by scripts/make_tables.py, which says what they hold.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use nrdr_io::{Channels, ImageShape, Missing, ReadOptions, Stream, Table, TextColumn};
use nrdr_io::{read, read_bytes, read_labels};

const ROWS: usize = 12;
const COLUMNS: usize = 5;

fn matrix() -> Vec<f64> {
    let number = |k: usize| if k.is_multiple_of(4) { 0.0 } else { k as f64 / 7.0 };
    (0..ROWS).flat_map(|i| (0..COLUMNS).map(move |j| number(3 * i + j))).collect()
}

fn transposed(values: &[f64], columns: usize) -> Vec<f64> {
    (0..columns).flat_map(|j| values.iter().skip(j).step_by(columns).copied()).collect()
}

/// The numbers times seven, which are whole.
fn whole() -> Vec<f64> {
    matrix().iter().map(|value| (7.0 * value).round()).collect()
}

fn pictures() -> Vec<f64> {
    let pixel = |n: usize, k: usize| (100 * n + 10 * (k / 4) + k % 4) as f64;
    (0..6).flat_map(|n| (0..12).map(move |k| pixel(n, k))).collect()
}

fn kinds() -> Vec<&'static str> {
    ["red", "green", "blue"].into_iter().cycle().take(ROWS).collect()
}

fn genes() -> Vec<String> {
    (0..COLUMNS).map(|j| format!("gene{j}")).collect()
}

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats").join(name)
}

/// The table of a file, which must be the same from memory.
fn table_with(name: &str, options: &ReadOptions) -> Result<Table, String> {
    if let Ok(packed) = fs::File::open(place(&format!("{name}.gz"))) {
        let mut bytes = Vec::new();
        GzDecoder::new(packed).read_to_end(&mut bytes).unwrap();
        return read_bytes(Path::new(name), &bytes, options).map_err(|error| error.to_string());
    }
    let found = read(&place(name), options).map_err(|error| error.to_string());
    let bytes = fs::read(place(name)).unwrap();
    let again = read_bytes(Path::new(name), &bytes, options);
    match (&found, again) {
        (Ok(table), Ok(again)) => {
            assert_eq!(bits(&table.values), bits(&again.values));
            assert_eq!((&table.names, table.rows), (&again.names, again.rows));
        }
        (Err(error), Err(again)) => assert!(error.ends_with(&again.to_string()), "{error} {again}"),
        (found, again) => panic!("{name}: {:?} {:?}", found.as_ref().err(), again.err()),
    }
    found
}

fn table(name: &str) -> Table {
    table_with(name, &ReadOptions::default()).unwrap()
}

fn variable(name: &str) -> ReadOptions {
    ReadOptions { variable: Some(name.into()), ..ReadOptions::default() }
}

fn turned() -> ReadOptions {
    ReadOptions { transpose: true, ..ReadOptions::default() }
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn texts(column: &TextColumn) -> Vec<&str> {
    (0..column.codes.len()).map(|row| column.get(row)).collect()
}

fn column<'t>(table: &'t Table, name: &str) -> &'t TextColumn {
    table.text.iter().find(|text| text.name == name).unwrap()
}

#[test]
fn sparse_arrays_of_scipy_are_dense() {
    for name in ["csr.npz", "csc.npz", "coo.npz", "bsr.npz"] {
        let found = table(name);
        assert_eq!((bits(&found.values), found.rows), (bits(&matrix()), ROWS), "{name}");
        let found = table_with(name, &turned()).unwrap();
        assert_eq!(found.values, transposed(&matrix(), COLUMNS), "{name}");
        // Of columns that are not wanted nothing is made dense.
        let some = ReadOptions {
            columns: Some(vec!["x4".into(), "x2".into()]),
            aside: vec!["x1".into()],
            ..ReadOptions::default()
        };
        let found = table_with(name, &some).unwrap();
        let expected: Vec<f64> =
            matrix().chunks(COLUMNS).flat_map(|row| [row[1], row[3]]).collect();
        assert_eq!((found.values, found.numbers), (expected, vec![2, 4]), "{name}");
        assert_eq!(found.text[0].as_numbers().unwrap()[1], 3.0 / 7.0);
        let little = ReadOptions { memory: Some(400), ..ReadOptions::default() };
        let refused = table_with(name, &little).unwrap_err();
        assert!(refused.contains("with its zeros would take"), "{refused}");
        assert!(refused.ends_with(": take fewer columns with columns"), "{refused}");
    }
    assert_eq!(table("twice.npz").values, [0.0, 3.5, 4.0, 0.0]);
    let refused = table_with("dia.npz", &ReadOptions::default()).unwrap_err();
    assert!(refused.ends_with("of the format \"dia\": save it with .tocsr()"), "{refused}");
}

#[test]
fn matrix_market_in_all_its_forms() {
    for name in ["general.mtx", "array.mtx", "packed.mtx.gz"] {
        assert_eq!(bits(&table(name).values), bits(&matrix()), "{name}");
        let found = table_with(name, &turned()).unwrap();
        assert_eq!((found.values, found.rows), (transposed(&matrix(), COLUMNS), COLUMNS), "{name}");
    }
    let square: Vec<f64> = whole()[..25].to_vec();
    let mirrored = transposed(&square, 5);
    let both =
        |sign: f64| square.iter().zip(&mirrored).map(|(a, b)| a + sign * b).collect::<Vec<_>>();
    assert_eq!(table("symmetric.mtx").values, both(1.0));
    assert_eq!(table("skew.mtx").values, both(-1.0));
    let ones: Vec<f64> = matrix().iter().map(|value| f64::from(*value != 0.0)).collect();
    assert_eq!(table("pattern.mtx").values, ones);
    let refused = table_with("complex.mtx", &ReadOptions::default()).unwrap_err();
    assert!(refused.ends_with("holds complex numbers: save their real part"), "{refused}");
}

#[test]
fn a_matrix_of_genes_gets_a_note() {
    let found = table("matrix.mtx");
    assert_eq!(found.rows, COLUMNS);
    let note = found.notes[0].to_string();
    assert!(
        note.ends_with("its rows are the points, transpose takes its columns, the cells"),
        "{note}"
    );
    assert!(table_with("matrix.mtx", &turned()).unwrap().notes.is_empty());
    // By the lists beside it.
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("a_matrix.mtx", "%%MatrixMarket matrix coordinate integer general\n2 3 1\n1 2 5\n");
    write("a_features.tsv", "g1\tA\ng2\tB\n");
    write("a_barcodes.tsv", "AA\nCC\nGG");
    let found = read(&folder.path().join("a_matrix.mtx"), &ReadOptions::default()).unwrap();
    assert_eq!(found.values, [0.0, 5.0, 0.0, 0.0, 0.0, 0.0]);
    let note = found.notes[0].to_string();
    assert!(note.starts_with("it has a row for each line of a_features.tsv: "), "{note}");
    write("a_barcodes.tsv", "AA\nCC");
    let found = read(&folder.path().join("a_matrix.mtx"), &ReadOptions::default()).unwrap();
    assert!(found.notes.is_empty());
}

#[test]
fn matlab_has_pictures_behind_one_another() {
    let shape = Some(ImageShape::grey(4, 3));
    for name in ["pictures.mat", "packed.mat", "v73.mat"] {
        let found = table_with(name, &variable("P")).unwrap();
        assert_eq!((found.values, found.rows, found.images), (pictures(), 6, shape), "{name}");
    }
    let found = table_with("first.mat", &turned()).unwrap();
    assert_eq!((found.values, found.rows, found.images), (pictures(), 6, shape));
    for options in [variable("X"), ReadOptions { transpose: true, ..variable("X") }] {
        let found = table_with("v73.mat", &options).unwrap();
        let expected = if options.transpose { transposed(&matrix(), COLUMNS) } else { matrix() };
        assert_eq!(bits(&found.values), bits(&expected));
    }
    let refused = table_with("v73.mat", &ReadOptions::default()).unwrap_err();
    assert!(
        refused.contains("holds several arrays (P (6 x 4 x 3), X (5 x 12), y (1 x 6)): "),
        "{refused}"
    );
}

fn with_labels(points: &str, labels: &[&str]) -> ReadOptions {
    let label_variables = labels.iter().map(|name| name.to_string()).collect();
    ReadOptions { label_variables, ..variable(points) }
}

#[test]
fn labels_are_other_arrays_of_the_file() {
    let digits = ["0", "1", "2", "0", "1", "2"];
    for name in ["pictures.mat", "packed.mat"] {
        let all = ["y", "row", "cells", "letters"];
        let found = table_with(name, &with_labels("P", &all)).unwrap();
        let names: Vec<&str> = found.labels.iter().map(|label| label.name.as_str()).collect();
        assert_eq!(names, all);
        assert_eq!(texts(&found.labels[0]), digits, "{name}");
        assert_eq!(texts(&found.labels[1]), digits, "{name}");
        assert_eq!(texts(&found.labels[2]), ["one", "two", "", "größe", "one", "two"], "{name}");
        assert_eq!(texts(&found.labels[3]), ["ab", "cde", "f", "ab", "cde", "f"], "{name}");
        for (label, told) in [
            ("half", "array \"half\" holds 0.5, which is no label: give whole numbers or texts"),
            ("wide", "array \"wide\" (6 x 6) is no vector: give one with a value for each point"),
            ("sparse", "sparse (2 x 2) holds no labels: "),
            ("none", "has no array \"none\" (the arrays are P (3 x 4 x 6), "),
        ] {
            let refused = table_with(name, &with_labels("P", &[label])).unwrap_err();
            assert!(refused.contains(told), "{refused}");
        }
    }
    let found = table_with("v73.mat", &with_labels("P", &["y"])).unwrap();
    assert_eq!(texts(&found.labels[0]), digits);
    let refused = table_with("v73.mat", &with_labels("X", &["y"])).unwrap_err();
    assert!(
        refused.ends_with(
            "array \"y\" has 6 label(s), but there are 12 points: give one for each point"
        )
    );

    let found = table_with("several.npz", &with_labels("X", &["y", "names"])).unwrap();
    assert_eq!(texts(&found.labels[1]), kinds());
    assert_eq!(found.labels[0].as_numbers().unwrap()[..3], [0.0, 1.0, 2.0]);
    for (label, told) in [
        ("wide", "array \"wide\" (3 x 3) is no vector"),
        ("objects", "array \"objects\" holds elements of type \"|O\""),
        ("none", "has no array \"none\" (the arrays are X, y, names, wide, objects)"),
    ] {
        let refused = table_with("several.npz", &with_labels("X", &[label])).unwrap_err();
        assert!(refused.contains(told), "{refused}");
    }
    let found =
        table_with("several.h5", &with_labels("group/X", &["names", "fixed", "y"])).unwrap();
    assert_eq!((texts(&found.labels[0]), texts(&found.labels[1])), (kinds(), kinds()));
    assert_eq!(texts(&found.labels[2])[..4], ["0", "1", "2", "0"]);
    // What is a label is not what is embedded.
    let only = ReadOptions { variable: None, ..with_labels("", &["y"]) };
    let refused = table_with("several.npz", &only).unwrap_err();
    assert!(refused.contains("holds several arrays (X, names, wide, objects): "), "{refused}");
}

#[test]
fn labels_are_other_files() {
    for (name, expected, title) in [
        ("headed.csv", kinds(), "kind"),
        ("bare.csv", kinds(), "bare"),
        ("kinds.npy", kinds(), "kinds"),
        ("bytes.npy", kinds(), "bytes"),
        ("big.npy", ["größe", "大"].repeat(6), "big"),
        ("codes.npy", ["0", "1", "2"].repeat(4), "codes"),
        ("whole.npy", ["0", "1", "2"].repeat(4), "whole"),
        ("some-labels-idx1-ubyte.gz", ["0", "1", "2"].repeat(4), "some-labels-idx1-ubyte"),
    ] {
        let (found, _) = read_labels(&place(name), ROWS).unwrap();
        assert_eq!((texts(&found[0]), found[0].name.as_str()), (expected, title), "{name}");
    }
    let titles = |name: &str| -> Vec<String> {
        read_labels(&place(name), ROWS).unwrap().0.into_iter().map(|label| label.name).collect()
    };
    let all = ["gene0", "gene1", "gene2", "gene3", "gene4", "kind", "note", "good"];
    assert_eq!(titles("lz4.feather"), all);
    assert_eq!(
        titles("pattern.mtx"),
        ["pattern1", "pattern2", "pattern3", "pattern4", "pattern5"].map(String::from)
    );
    for (name, rows, told) in [
        ("headed.csv", 20, "has 12 label(s), but there are 20 points: give one for each point"),
        ("codes.npy", 13, "has 12 label(s), but there are 13 points: "),
        ("broken.npy", 12, "holds 0.5, which is no label: give whole numbers or texts"),
        ("objects.npy", 12, "holds elements of type \"|O\""),
        ("none.csv", 12, "does not exist: "),
        ("none.npz", 12, "does not exist: check the path"),
        ("several.npz", 12, "wide, objects): save the labels alone, as .npy or .csv"),
        ("", 12, "is a folder"),
    ] {
        let refused = read_labels(&place(name), rows).unwrap_err().to_string();
        assert!(refused.contains(told), "{refused}");
    }
}

#[test]
fn names_and_numbers_of_rows_are_not_the_first_label() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("l.csv");
    fs::write(&path, ",sample,group\n0,s1,a\n1,s2,b\n2,s3,a\n").unwrap();
    let (found, notes) = read_labels(&path, 3).unwrap();
    let names: Vec<&str> = found.iter().map(|label| label.name.as_str()).collect();
    assert_eq!(names, ["group", "sample"]);
    assert_eq!(notes[0].to_string(), "column \"x1\" counts the rows, and is no label");
    // One label too few or too many is an error, whatever the first line is.
    for text in ["kind\na\nb\n", "kind\n1\n1\n", "a\nb\na\nb\n", "1\n2\n1\n2\n"] {
        fs::write(&path, text).unwrap();
        let refused = read_labels(&path, 3).unwrap_err().to_string();
        assert!(refused.contains(" label(s), but there are 3 points: "), "{text:?} {refused}");
    }
    fs::write(&path, "a\nb\na\n").unwrap();
    assert_eq!(read_labels(&path, 3).unwrap().0[0].codes, [0, 1, 0]);
    // A label of its own may be different in every row.
    fs::write(&path, "1\n2\n3\n").unwrap();
    assert_eq!(read_labels(&path, 3).unwrap().0.len(), 1);
}

#[test]
fn labels_follow_the_rows_that_stay() {
    let folder = tempfile::tempdir().unwrap();
    let points = folder.path().join("p.csv");
    fs::write(&points, "x,y\n1,2\n,3\n4,5\n").unwrap();
    let labels = folder.path().join("l.csv");
    fs::write(&labels, "one\ntwo\none\n").unwrap();
    let options = ReadOptions { missing: Missing::Drop, ..ReadOptions::default() };
    let mut table = read(&points, &options).unwrap();
    let total = table.rows + table.dropped;
    table.add_labels(read_labels(&labels, total).unwrap().0);
    assert_eq!(texts(&table.labels[0]), ["one", "one"]);
    assert_eq!(table.labels[0].all_codes.as_ref().unwrap().len(), 3);
}

#[test]
fn hdf5_of_all_kinds() {
    for (name, options) in [
        ("several.h5", variable("group/X")),
        ("several.h5", variable("/group/X")),
        ("one.h5", variable("X")),
        ("one.h5", ReadOptions::default()),
    ] {
        let found = table_with(name, &options).unwrap();
        assert_eq!((bits(&found.values), found.rows), (bits(&matrix()), ROWS), "{name}");
        let found = table_with(name, &ReadOptions { transpose: true, ..options }).unwrap();
        assert_eq!(found.values, transposed(&matrix(), COLUMNS), "{name}");
    }
    let single: Vec<f64> = matrix().iter().map(|value| f64::from(*value as f32)).collect();
    assert_eq!(table_with("several.h5", &variable("single")).unwrap().values, single);
    let found = table_with("several.h5", &variable("P")).unwrap();
    assert_eq!((found.values, found.images), (pictures(), Some(ImageShape::grey(4, 3))));
    let found = table_with("several.h5", &variable("truth")).unwrap();
    assert_eq!(found.values[..3], [1.0, 0.0, 1.0]);
    for (name, told) in [
        ("names", "\"names\" is not an array of real numbers"),
        ("four", "\"four\" has 4 dimensions"),
        ("scalar", "\"scalar\" has 0 dimensions"),
        (
            "none",
            "has no array \"none\" (the arrays are P (6 x 3 x 4), group/X (12 x 5), single (12 x 5), truth (12), y (12))",
        ),
    ] {
        let refused = table_with("several.h5", &variable(name)).unwrap_err();
        assert!(refused.contains(told), "{refused}");
    }
    let refused = table_with("several.h5", &ReadOptions::default()).unwrap_err();
    assert!(refused.contains("holds several arrays (P (6 x 3 x 4), "), "{refused}");
}

#[test]
fn anndata_has_cells_and_what_is_known_of_them() {
    for name in ["dense.h5ad", "csr.h5ad", "csc.h5ad"] {
        let found = table(name);
        assert_eq!((bits(&found.values), found.rows), (bits(&matrix()), ROWS), "{name}");
        assert_eq!(found.names, genes());
        let mut expected = kinds();
        expected[5] = "";
        assert_eq!(texts(column(&found, "kind")), expected, "{name}");
    }
    // Texts and categories are there, numbers and names if somebody asks for them.
    let titles =
        |table: &Table| table.text.iter().map(|text| text.name.clone()).collect::<Vec<_>>();
    assert_eq!(titles(&table("dense.h5ad")), ["kind", "note", "good"]);
    let aside = ["score", "cell", "seen", "gene2"].map(String::from).to_vec();
    let asked = ReadOptions { aside, ..ReadOptions::default() };
    let found = table_with("dense.h5ad", &asked).unwrap();
    assert_eq!(found.names, ["gene0", "gene1", "gene3", "gene4"]);
    assert_eq!(texts(column(&found, "cell"))[..2], ["cell0", "cell1"]);
    assert_eq!(texts(column(&found, "seen"))[..4], ["", "1", "2", ""]);
    assert_eq!(texts(column(&found, "good"))[..2], ["True", "False"]);
    assert_eq!(column(&found, "score").as_numbers().unwrap()[3], 0.75);
    assert_eq!(column(&found, "gene2").as_numbers().unwrap()[0], 2.0 / 7.0);
    assert!(column(&found, "cell").is_aside && !column(&found, "kind").is_aside);
    let index = ReadOptions { aside: vec!["_index".into()], ..ReadOptions::default() };
    let found = table_with("dense.h5ad", &index).unwrap();
    assert_eq!(texts(column(&found, "_index"))[11], "cell11");

    for name in ["obsm/X_pca", "X_pca"] {
        let found = table_with("dense.h5ad", &variable(name)).unwrap();
        let expected: Vec<f64> =
            matrix().chunks(COLUMNS).flat_map(|row| [row[2], row[1]]).collect();
        assert_eq!((found.values, found.names), (expected, vec!["x1".to_string(), "x2".into()]));
    }
    let found = table_with("dense.h5ad", &variable("layers/counts")).unwrap();
    assert_eq!((found.values, found.names), (whole(), genes()));
    let refused = table_with("dense.h5ad", &variable("none")).unwrap_err();
    assert!(
        refused
            .contains("has no matrix \"none\" (the matrices are X, layers/counts, obsm/X_pca): "),
        "{refused}"
    );
    let refused = table_with(
        "dense.h5ad",
        &ReadOptions { aside: vec!["batch".into()], ..ReadOptions::default() },
    );
    let refused = refused.unwrap_err();
    assert!(
        refused.contains(
            "has no column \"batch\" (the columns are kind, note, score, good, seen, cell, gene0, "
        ),
        "{refused}"
    );
    let refused = table_with("dense.h5ad", &turned()).unwrap_err();
    assert!(refused.contains("has a row for each point: leave transpose out"), "{refused}");
}

#[test]
fn cell_ranger_has_a_row_for_each_cell() {
    for name in ["ranger.h5", "genome.h5"] {
        let found = table(name);
        assert_eq!((bits(&found.values), found.names), (bits(&matrix()), genes()), "{name}");
        assert_eq!((found.text[0].name.as_str(), found.text[0].get(3)), ("barcode", "cell3"));
        let some = ReadOptions {
            columns: Some(vec!["gene4".into()]),
            aside: vec!["barcode".into(), "gene1".into()],
            ..ReadOptions::default()
        };
        let found = table_with(name, &some).unwrap();
        let expected: Vec<f64> = matrix().chunks(COLUMNS).map(|row| row[4]).collect();
        assert_eq!((found.values, found.text.len()), (expected, 2));
        let refused = table_with(name, &turned()).unwrap_err();
        assert!(refused.ends_with("has a row for each cell: leave transpose out"), "{refused}");
    }
}

#[test]
fn anndata_with_the_least_that_there_must_be() {
    let found = table("least.h5ad");
    assert_eq!((bits(&found.values), found.names), (bits(&matrix()), genes()));
    assert_eq!((texts(&found.text[0]), found.text.len()), (kinds(), 1));
}

#[test]
fn anndata_of_old_versions() {
    let found = table("old.h5ad");
    let single: Vec<f64> = matrix().iter().map(|value| f64::from(*value as f32)).collect();
    assert_eq!((found.values, found.names), (single, genes()));
    assert_eq!(texts(&found.text[0]), kinds());
}

#[test]
fn anndata_whose_tables_are_records() {
    let single = |value: f64| f64::from(value as f32);
    let found = table("records.h5ad");
    let expected: Vec<f64> = matrix().into_iter().map(single).collect();
    assert_eq!((found.values, found.names), (expected, genes()));
    let titles: Vec<&str> = found.text.iter().map(|text| text.name.as_str()).collect();
    assert_eq!(titles, ["kind", "note", "good"]);
    assert_eq!((texts(&found.text[0]), texts(&found.text[1])), (kinds(), kinds()));
    assert_eq!(texts(&found.text[2])[..3], ["True", "True", "False"]);
    let aside = ["score", "index"].map(String::from).to_vec();
    let asked = ReadOptions { aside, ..ReadOptions::default() };
    let found = table_with("records.h5ad", &asked).unwrap();
    assert_eq!(column(&found, "score").as_numbers().unwrap()[3], 0.75);
    assert_eq!(texts(column(&found, "index"))[11], "cell11");

    for name in ["obsm/X_pca", "X_pca"] {
        let found = table_with("records.h5ad", &variable(name)).unwrap();
        let rows = matrix();
        let expected: Vec<f64> =
            rows.chunks(COLUMNS).flat_map(|row| [single(row[2]), single(row[1])]).collect();
        assert_eq!((found.values, found.names), (expected, vec!["x1".to_string(), "x2".into()]));
    }
    let found = table_with("records.h5ad", &variable("X_one")).unwrap();
    let expected: Vec<f64> = matrix().chunks(COLUMNS).map(|row| row[3]).collect();
    assert_eq!(found.values, expected);
    for name in ["raw/X", "raw.X"] {
        let found = table_with("records.h5ad", &variable(name)).unwrap();
        assert_eq!((bits(&found.values), found.names), (bits(&matrix()), genes()));
    }
    let refused = table_with("records.h5ad", &variable("none")).unwrap_err();
    let all = "(the matrices are X, raw.X, obsm/X_pca, obsm/X_one)";
    assert!(refused.contains(all), "{refused}");
}

#[test]
fn workbooks_are_read_like_csv() {
    let found = table("book.xlsx");
    // Numbers are written there with 16 digits.
    let written: Vec<f64> =
        matrix().iter().map(|value| format!("{value:.15e}").parse().unwrap()).collect();
    assert_eq!((bits(&found.values), &found.names), (bits(&written), &genes()));
    let kind: Vec<String> =
        kinds().iter().enumerate().map(|(i, kind)| format!("{kind} & <{}>", i % 2)).collect();
    assert_eq!(texts(column(&found, "kind")), kind);
    assert_eq!(texts(column(&found, "day"))[..3], ["2024-02-28", "2024-02-29", "2024-03-01"]);
    assert_eq!(texts(column(&found, "noon"))[0], "1999-12-31T12:30:00");
    assert_eq!(texts(column(&found, "truth"))[..2], ["TRUE", "FALSE"]);
    let note = found.notes[0].to_string();
    assert_eq!(note, "the sheet \"First sheet\" is read, the first of 3: variable chooses another");
    // Rows of an error are those of the sheet.
    let refused = table_with("book.xlsx", &variable("Other")).unwrap_err();
    assert!(refused.contains("row 2 (line 3), column \"y\" is missing: "), "{refused}");
    let gaps = ReadOptions { missing: Missing::Drop, ..variable("Gaps") };
    let found = table_with("book.xlsx", &gaps).unwrap();
    assert_eq!((found.values, found.kept), (vec![1.0, 2.5, 5.0, 6.0], Some(vec![0, 3])));
    let refused =
        table_with("book.xlsx", &ReadOptions { missing: Missing::Keep, ..variable("Other") });
    let refused = refused.unwrap_err();
    assert!(
        refused.contains("row 3 (line 4), column \"y\" is \"1,5\", a number with a comma"),
        "{refused}"
    );
    let refused = table_with("book.xlsx", &variable("None")).unwrap_err();
    assert!(
        refused.contains("has no sheet \"None\" (the sheets are First sheet, Other, Gaps): "),
        "{refused}"
    );
}

#[test]
fn arrow_and_feather_packed_and_not() {
    for name in ["lz4.feather", "zstd.feather", "plain.arrow", "stream.arrow"] {
        let aside = vec!["count".to_string()];
        let options = ReadOptions { missing: Missing::Keep, aside, ..ReadOptions::default() };
        let found = table_with(name, &options).unwrap();
        assert_eq!(found.names[..COLUMNS], genes(), "{name}");
        assert_eq!(found.names[COLUMNS], "good");
        for (i, (row, expected)) in found.values.chunks(6).zip(matrix().chunks(5)).enumerate() {
            assert_eq!(bits(&row[..5]), bits(expected), "{name}");
            let good = if i == 2 { f64::NAN } else { f64::from(u8::from(i % 2 == 0)) };
            assert_eq!(row[5].to_bits(), good.to_bits(), "{name}");
        }
        assert_eq!(texts(column(&found, "kind")), kinds(), "{name}");
        assert_eq!(texts(column(&found, "note"))[..5], ["n0", "", "n0", "n1", "n0"], "{name}");
        assert_eq!(texts(column(&found, "count"))[1], "1000000000000001", "{name}");
    }
    let missing = table_with("lz4.feather", &ReadOptions::default()).unwrap_err();
    assert!(missing.contains("row 3, column \"good\" is missing: "), "{missing}");
    let drop = ["list", "record", "day", "bytes"];
    for name in drop {
        let others = drop.iter().filter(|other| **other != name).map(|name| name.to_string());
        let options = ReadOptions { drop: others.collect(), ..ReadOptions::default() };
        let refused = table_with("kinds.feather", &options).unwrap_err();
        assert!(refused.contains(&format!("column \"{name}\" holds ")), "{refused}");
        assert!(refused.ends_with(&format!(": leave it out with drop = {name}")), "{refused}");
    }
    let options = ReadOptions {
        drop: drop.map(String::from).to_vec(),
        missing: Missing::Keep,
        ..ReadOptions::default()
    };
    let found = table_with("kinds.feather", &options).unwrap();
    assert_eq!(found.names, ["none", "half", "single", "small", "unsigned"]);
    let numbers: Vec<f64> = found.values.chunks(5).flat_map(|row| row[1..].to_vec()).collect();
    let single = |value: f32| f64::from(value);
    let first = [0.5, single(0.1), -1.0, u64::MAX as f64];
    let rest = [1.5, single(0.2), 2.0, 1.0, -2.0, single(0.3), 3.0, 2.0];
    assert_eq!(numbers, [&first[..], &rest].concat());
    assert_eq!(texts(column(&found, "views")), ["short", "a text of more than twelve bytes", ""]);
    assert_eq!(texts(column(&found, "large")), ["a", "b", "a"]);
    let refused = table_with("old.feather", &ReadOptions::default()).unwrap_err();
    assert!(refused.contains("is a Feather file of version 1: "), "{refused}");
}

#[test]
fn tables_of_genes_are_turned() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let genes = file(
        "genes.csv",
        "gene_id,description,length,s1,s2,s3\nTP53,x,10,1,2,3\nMYC,y,20,4,5,\nKRAS,z,30,7,8,9\n",
    );
    let plain =
        read(&genes, &ReadOptions { missing: Missing::Keep, ..ReadOptions::default() }).unwrap();
    let note = plain.notes[0].to_string();
    assert_eq!(
        note,
        "the first column, \"gene_id\", seems to name genes or other features, and each row is a point: \
         if the columns are the points, transpose turns the table"
    );
    let options = ReadOptions {
        drop: vec!["length".into()],
        missing: Missing::Drop,
        aside: vec!["name".into()],
        ..turned()
    };
    let found = read(&genes, &options).unwrap();
    assert_eq!((found.rows, found.kept.clone()), (2, Some(vec![0, 1])));
    assert_eq!(
        (found.names.clone(), found.values.clone()),
        (["TP53", "MYC", "KRAS"].map(String::from).to_vec(), vec![1.0, 4.0, 7.0, 2.0, 5.0, 8.0])
    );
    assert_eq!(texts(column(&found, "name")), ["s1", "s2"]);
    assert_eq!(
        found.notes[0].to_string(),
        "column(s) of text are no points, and are left out: \"description\""
    );
    // Columns are chosen of the turned table, and a gene can be put aside.
    let options = ReadOptions {
        columns: Some(vec!["KRAS".into(), "TP53".into()]),
        drop: vec!["length".into(), "s3".into()],
        aside: vec!["MYC".into()],
        ..turned()
    };
    let found = read(&genes, &options).unwrap();
    assert_eq!(found.values, [1.0, 7.0, 2.0, 8.0]);
    assert_eq!(texts(column(&found, "MYC")), ["4", "5"]);
    // Numbers as names, and no names at all.
    let numbered = file("numbered.csv", "GeneID,a,b\n7157,1,2\n4609,3,4\n");
    let found = read(&numbered, &turned()).unwrap();
    assert_eq!(
        (found.names, found.values),
        (vec!["7157".into(), "4609".into()], vec![1.0, 3.0, 2.0, 4.0])
    );
    let bare = file("bare.csv", "1,2,3\n4,5,6\n");
    let found = read(&bare, &turned()).unwrap();
    assert_eq!((found.names, found.text.len()), (vec!["x1".into(), "x2".into()], 0));
    assert_eq!(found.values, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    // In pieces as at once.
    let wanted = ["KRAS", "TP53"].map(String::from);
    let dropped = ReadOptions { missing: Missing::Drop, ..turned() };
    let mut stream = Stream::open(&genes, &wanted, &dropped).unwrap();
    let piece = stream.next(10).unwrap().unwrap();
    assert_eq!(piece.values, [30.0, 10.0, 7.0, 1.0, 8.0, 2.0, 9.0, 3.0]);
}

#[test]
fn wide_tables_with_names_get_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let notes = |head: &str, prefix: &str, columns: usize| {
        let names: Vec<String> = (0..columns).map(|j| format!("{prefix}{j:011}")).collect();
        let row = |name: &str| format!("{name},{}\n", vec!["1.5"; columns].join(","));
        let text = format!("{head},{}\n{}{}", names.join(","), row("height"), row("width"));
        let path = folder.path().join("t.csv");
        fs::write(&path, text).unwrap();
        let table = read(&path, &ReadOptions::default()).unwrap();
        table.notes.iter().map(|note| note.to_string()).collect::<Vec<_>>()
    };
    let note = notes("measure", "p", 60);
    assert!(
        note[0].starts_with(
            "there are 60 columns and 2 rows, each with a name, and each row is a point: "
        ),
        "{note:?}"
    );
    for (head, prefix, columns) in
        [("sample", "p", 60), ("measure", "ENSG", 60), ("measure", "p", 40)]
    {
        assert!(notes(head, prefix, columns).is_empty(), "{head} {prefix} {columns}");
    }
    assert!(!notes("x", "p", 2).iter().any(|note| note.contains("transpose")));
    assert!(notes("Gene Symbol", "p", 3)[0].contains("\"Gene Symbol\", seems to name genes"));
}

#[test]
fn pictures_in_colour() {
    let folder = tempfile::tempdir().unwrap();
    let colors = [[255u8, 0, 51], [0, 102, 255]];
    for (name, shift) in [("a.png", 0), ("b.png", 1)] {
        let pixel = |x: u32, _| image::Rgb(colors[(x as usize + shift) % 2]);
        image::RgbImage::from_fn(2, 1, pixel).save(folder.path().join(name)).unwrap();
    }
    let deep =
        image::ImageBuffer::from_fn(2, 1, |x, _| image::Rgba([65535u16, x as u16, 0, 65535]));
    image::DynamicImage::ImageRgba16(deep).save(folder.path().join("c.png")).unwrap();
    let options = ReadOptions { channels: Channels::Rgb, ..ReadOptions::default() };
    let found = read(folder.path(), &options).unwrap();
    let shape = ImageShape { width: 2, height: 1, channels: 3 };
    assert_eq!((found.rows, found.names.len(), found.images), (3, 6, Some(shape)));
    assert_eq!(found.values[..6], [1.0, 0.0, 0.2, 0.0, 0.4, 1.0]);
    assert_eq!(found.values[6..9], [0.0, 0.4, 1.0]);
    assert_eq!(found.values[12..], [1.0, 0.0, 0.0, 1.0, 1.0 / 65535.0, 0.0]);
    let grey = read(folder.path(), &ReadOptions::default()).unwrap();
    assert_eq!((grey.names.len(), grey.images), (2, Some(ImageShape::grey(2, 1))));
    let refused = table_with("general.mtx", &options).unwrap_err();
    assert!(refused.ends_with("is no folder of images: leave channels out"), "{refused}");
}
