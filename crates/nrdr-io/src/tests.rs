//! Each format read and written, and what its errors say.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use nrdr_write::{check_place, write_atomically};
use tempfile::TempDir;

use super::*;

/// Numbers that are hard to keep: signs of zero, the extremes, and a third.
pub(super) const HARD: [f64; 8] =
    [0.0, -0.0, 1.0 / 3.0, f64::MAX, f64::MIN_POSITIVE, 5e-324, -1e16, 123456.789];

/// A folder that is gone after the test.
pub(super) struct Folder(TempDir);

impl Folder {
    pub(super) fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(super) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }
}

fn table(path: &Path) -> Table {
    read(path, &ReadOptions::default()).unwrap()
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// The table of a text, by the options.
fn text_with(text: &str, options: &ReadOptions) -> Result<Table, String> {
    let folder = Folder::new();
    read(&folder.file("t.csv", text), options).map_err(|error| {
        let message = error.to_string();
        assert!(!message.contains('\n'), "{message}");
        message.split_once("t.csv: ").unwrap().1.to_string()
    })
}

fn text(text: &str) -> Result<Table, String> {
    text_with(text, &ReadOptions::default())
}

fn refused(text_: &str) -> String {
    text(text_).unwrap_err()
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| name.to_string()).collect()
}

fn labelled(label: &str) -> ReadOptions {
    ReadOptions { aside: vec![label.into()], ..ReadOptions::default() }
}

#[test]
fn every_format_gives_the_same_bits_back() {
    let folder = Folder::new();
    let other: Vec<f64> = HARD.iter().rev().copied().collect();
    let names = strings(&["one", "a \"quoted\", name"]);
    for ending in ["csv", "tsv", "npy", "npz", "parquet", "CSV"] {
        let path = folder.path(&format!("t.{ending}"));
        write_table(&path, &names, &[HARD.as_slice().into(), other.as_slice().into()]).unwrap();
        let options = ReadOptions {
            variable: (ending == "npz").then(|| "embedding".to_string()),
            ..ReadOptions::default()
        };
        let table = read(&path, &options).unwrap();
        let expected: Vec<f64> = HARD.iter().zip(&other).flat_map(|(a, b)| [*a, *b]).collect();
        assert_eq!(bits(&table.values), bits(&expected), "{ending}");
        if !ending.starts_with("np") {
            assert_eq!(table.names, names);
        }
    }
    // Nothing but the tables is left in the folder.
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 6);
}

#[test]
fn columns_of_text_are_written_where_a_format_can_hold_them() {
    let folder = Folder::new();
    let names = strings(&["name", "x"]);
    let columns = || {
        let texts = vec!["a", "b, \"c\"", ""];
        [Column::Texts(texts), vec![0.1, f64::NAN, 3.0].into()]
    };
    let options = ReadOptions { missing: Missing::Keep, ..ReadOptions::default() };
    for ending in ["csv", "tsv", "parquet"] {
        let path = folder.path(&format!("t.{ending}"));
        write_table(&path, &names, &columns()).unwrap();
        let table = read(&path, &options).unwrap();
        assert_eq!((table.names, table.numbers), (strings(&["x"]), vec![2]), "{ending}");
        assert_eq!(bits(&table.values), bits(&[0.1, f64::NAN, 3.0]), "{ending}");
        assert_eq!(table.text[0].distinct, ["a", "b, \"c\"", ""], "{ending}");
    }
    let npz = folder.path("t.npz");
    write_table(&npz, &names, &columns()).unwrap();
    assert_eq!(bits(&read(&npz, &options).unwrap().values), bits(&[0.1, f64::NAN, 3.0]));
    let refused = write_table(&folder.path("t.npy"), &names, &columns()).unwrap_err().to_string();
    assert!(refused.contains("cannot hold the texts of column \"name\": give .csv"), "{refused}");
    assert!(!folder.path("t.npy").exists());
}

#[test]
fn columns_are_put_aside_as_text_and_found_again() {
    let csv = "id,x,kind,y,score\n007,1,a,2,0.5\n008,3,b,4,\n009,5,a,6,NA\n";
    let options = ReadOptions {
        columns: Some(strings(&["x", "y"])),
        aside: strings(&["id", "5"]),
        beside: strings(&["kind", "x"]),
        ..ReadOptions::default()
    };
    let table = text_with(csv, &options).unwrap();
    assert_eq!(
        (table.names.as_slice(), table.numbers.as_slice()),
        (&strings(&["x", "y"])[..], &[2, 4][..])
    );
    let texts: Vec<(&str, bool)> =
        table.text.iter().map(|t| (t.name.as_str(), t.is_aside)).collect();
    assert_eq!(texts, [("id", true), ("kind", true), ("score", true)]);
    assert_eq!(table.text[0].distinct, ["007", "008", "009"]);
    assert_eq!(table.text[0].as_numbers(), Some(vec![7.0, 8.0, 9.0]));
    assert_eq!(table.text[1].as_numbers(), None);
    let scores = table.text[2].as_numbers().unwrap();
    assert!(scores[0] == 0.5 && scores[1].is_nan() && scores[2].is_nan());
    assert_eq!(table.places("x"), [Place::Number(0)]);
    assert_eq!(table.places(" kind"), [Place::Text(1)]);
    assert_eq!(
        (table.places("5"), table.places("4")),
        (vec![Place::Text(2)], vec![Place::Number(1)])
    );
    assert_eq!(table.places("nothing"), []);
}

#[test]
fn texts_of_rows_that_are_left_out_are_still_known() {
    let csv = "name,x\na,1\nb,\nc,3\n";
    let options = ReadOptions { missing: Missing::Drop, ..labelled("name") };
    let name = &text_with(csv, &options).unwrap().text[0];
    assert_eq!((name.get(1), name.codes.len()), ("c", 2));
    assert_eq!(name.all_codes, Some(vec![0, 1, 2]));
}

#[test]
fn nan_is_missing_in_each_format() {
    let folder = Folder::new();
    for ending in ["csv", "tsv", "npy", "parquet"] {
        let path = folder.path(&format!("t.{ending}"));
        write_table(&path, &strings(&["x"]), &[vec![1.0, f64::NAN, 3.0].into()]).unwrap();
        let error = read(&path, &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.contains("row 2") && error.contains("missing = drop"), "{error}");
        let options = ReadOptions { missing: Missing::Drop, ..ReadOptions::default() };
        let table = read(&path, &options).unwrap();
        assert_eq!((table.rows, table.dropped, table.kept), (2, 1, Some(vec![0, 2])));
        assert_eq!(table.values, [1.0, 3.0]);
    }
}

#[test]
fn text_and_numbers_are_told_apart() {
    let table = text("name,x,y\n\"a, \"\"b\"\"\",1,-2.5e3\n c ,+4, 5\nc,6,7\n").unwrap();
    assert_eq!(table.names, ["x", "y"]);
    assert_eq!(table.values, [1.0, -2500.0, 4.0, 5.0, 6.0, 7.0]);
    assert_eq!(table.text[0].name, "name");
    assert_eq!(table.text[0].distinct, ["a, \"b\"", "c"]);
    assert_eq!((table.text[0].get(0), table.text[0].get(2)), ("a, \"b\"", "c"));
}

#[test]
fn a_header_is_recognised() {
    let names = |given: &str| text(given).unwrap().names;
    assert_eq!(names("a,b\n1,2\n"), ["a", "b"]);
    assert_eq!(names("1,2\n3,4\n"), ["x1", "x2"]);
    assert!(refused("NA,2\n3,4\n").starts_with("row 1 (line 1)"), "a missing value is no name");
    assert_eq!(names(",b\n1,2\n"), ["x1", "b"]);
    assert_eq!(names("size,mass,2020\n1,2,3\n"), ["size", "mass", "2020"], "a year among names");
    let half = refused("size,2020\n1,2\n");
    assert!(
        half.starts_with("row 1 (line 1), column \"x1\" is \"size\", not a number: "),
        "{half}"
    );
    assert!(half.ends_with("say header = yes if the row holds names"), "{half}");
    let options = ReadOptions { header: Header::Yes, ..ReadOptions::default() };
    assert_eq!(text_with("1,2\n3,4\n", &options).unwrap().names, ["1", "2"]);
    let options = ReadOptions { header: Header::No, ..ReadOptions::default() };
    assert_eq!(text_with("a,b\nc,d\n", &options).unwrap().rows, 2);
}

#[test]
fn spreadsheets_of_all_countries_read_alike() {
    let plain = text("a,b\n1.5,2\n3,4\n").unwrap();
    for other in [
        "a;b\n1,5;2\n3;4\n",
        "\u{feff}a,b\r\n1.5,2\r\n\r\n3,4\r\n",
        "a,b\n1.5,2\n3,4",
        "\n\na,b\n\"1.5\",2\n\n3,4\n\n",
    ] {
        let table = text(other).unwrap();
        assert_eq!((&table.names, &table.values), (&plain.names, &plain.values), "{other:?}");
    }
    assert_eq!(text("1,5;2,5\n3;4,0\n").unwrap().values, [1.5, 2.5, 3.0, 4.0]);
}

#[test]
fn errors_of_text_name_the_place_and_the_way_out() {
    assert_eq!(refused(""), "is empty: check that the file is the right one");
    assert!(refused("a,b\n").starts_with("has no rows: "));
    for end in ["\n", "\r\n"] {
        let lines = |lines: &[&str]| lines.join(end);
        let ragged = refused(&lines(&["a,b", "1,2", "", "3", "4,5"]));
        assert!(ragged.starts_with("line 4 has 1 fields and the first has 2: "), "{ragged}");
        let missing = refused(&lines(&["a,b", "\"1\",2", "", "3,NA"]));
        assert!(missing.starts_with("row 2 (line 4), column \"b\" is missing: "), "{missing}");
        assert!(missing.ends_with("missing = drop, or the column with drop = b"));
    }
    let infinite = refused("a b,c\n1,2\n-inf,3\n");
    assert!(infinite.starts_with("row 2 (line 3), column \"a b\" is infinite: "), "{infinite}");
    assert!(infinite.ends_with("drop = 1"), "a name with a blank goes by its number");
    let late = refused(&format!("a,b\n{}1,zz\n", "1,2\n".repeat(2000)));
    assert!(late.starts_with("row 2001 (line 2002), column \"b\" is \"zz\""), "{late}");
    assert!(late.ends_with(
        "leave its row out with na = zz missing = drop, or leave the column out with drop = b"
    ));
    let options = ReadOptions { offers_label: true, ..ReadOptions::default() };
    let late = text_with(&format!("a,b\n{}1,zz\n", "1,2\n".repeat(2000)), &options).unwrap_err();
    assert!(late.ends_with("or take it as text with label = b"), "{late}");
    let folder = Folder::new();
    let path = folder.file("t.csv", b"\xc3\xa4,b\n1,2\n3,\xff\n");
    let error = read(&path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("line 3 is not UTF-8: "), "{error}");
    let odd = refused("\"a\nb: c\",d\n1,2\nNA,1\n");
    assert_eq!(odd.matches(": ").count(), 2, "the way out follows the last colon: {odd}");
    assert!(refused("a,b\r1,2\r").contains("old Macs"));
}

#[test]
fn columns_are_chosen_by_name_or_number() {
    let data = "a,b,c,d\n1,2,x,4\n5,6,y,8\n";
    let options = ReadOptions {
        columns: Some(strings(&["4", "a", "c"])),
        drop: strings(&["1"]),
        ..labelled("b")
    };
    let table = text_with(data, &options).unwrap();
    assert_eq!((table.names, table.values), (strings(&["d"]), vec![4.0, 8.0]));
    assert_eq!(table.text.iter().map(|text| &text.name).collect::<Vec<_>>(), ["b", "c"]);
    assert_eq!(table.text[0].distinct, ["2", "6"]);
    let options = ReadOptions { drop: strings(&["e"]), ..ReadOptions::default() };
    let unknown = text_with(data, &options).unwrap_err();
    assert!(unknown.starts_with("has no column \"e\" (the columns are a, b, c, d): "), "{unknown}");
    let wide: Vec<String> = (0..30).map(|j| format!("c{j}")).collect();
    let wide = format!("{0}\n{0}\n", wide.join(","));
    assert!(text_with(&wide, &options).unwrap_err().contains("c19 and 10 more)"));
    // A column that is not numbers all the way down can be left out or taken as text.
    let late = format!("a,b\n{}1,zz\n", "1,2\n".repeat(2000));
    assert_eq!(text_with(&late, &labelled("b")).unwrap().text[0].distinct, ["2", "zz"]);
}

#[test]
fn labels_of_arrays_and_of_parquet_are_text_without_decimals() {
    let folder = Folder::new();
    for ending in ["npy", "parquet"] {
        let path = folder.path(&format!("t.{ending}"));
        write_table(
            &path,
            &strings(&["x1", "x2"]),
            &[vec![3.0, 4.0].into(), vec![7.0, 0.5].into()],
        )
        .unwrap();
        let table = read(&path, &labelled("2")).unwrap();
        assert_eq!(table.text[0].distinct, ["7", "0.5"]);
        assert_eq!((table.names, table.values), (strings(&["x1"]), vec![3.0, 4.0]));
    }
}

#[test]
fn rows_with_missing_values_are_left_out_with_their_labels() {
    let options = ReadOptions { missing: Missing::Drop, ..ReadOptions::default() };
    let table = text_with("n,a,b\np,1,2\nq,?,3\nr,4,inf\ns,5,6\n", &options).unwrap();
    assert_eq!((table.rows, table.dropped, table.kept), (2, 2, Some(vec![0, 3])));
    assert_eq!(table.values, [1.0, 2.0, 5.0, 6.0]);
    assert_eq!((table.text[0].get(0), table.text[0].get(1)), ("p", "s"));
    for missing in ["", "NA", "NaN", "nan", "null", "N/A", "?"] {
        let data = format!("a,b\n1,2\n{missing},3\n");
        assert_eq!(text_with(&data, &options).unwrap().dropped, 1, "{missing}");
    }
    assert!(text_with("a\nNA\n?\n", &options).unwrap_err().contains("every row"));
}

#[test]
fn packed_text_reads_as_plain() {
    let folder = Folder::new();
    let path = folder.path("t.tsv.gz");
    let file = File::create(&path).unwrap();
    let mut packer = flate2::write::GzEncoder::new(file, flate2::Compression::default());
    packer.write_all(b"a\tb\n1\t2\n").unwrap();
    packer.finish().unwrap();
    assert_eq!(table(&path).values, [1.0, 2.0]);
}

#[test]
fn what_is_said_to_be_read_is_read() {
    for ending in READ {
        assert!(format_of(Path::new(&format!("t{ending}"))).is_ok(), "{ending}");
    }
}

#[test]
fn names_of_files_tell_the_format() {
    let format = |name: &str| format_of(Path::new(name)).ok();
    assert_eq!(format("a.b/T.CSV.GZ"), Some((Format::Csv { tabs: false }, true)));
    assert_eq!(format("train-images-idx3-ubyte"), Some((Format::Idx, false)));
    assert_eq!(format("t10k-labels.idx1-ubyte.gz"), Some((Format::Idx, true)));
    for unknown in ["a", "a.npy.gz", "a.xls", "a.h5ad.gz", "idx-file", ".gz", "idx3"] {
        assert_eq!(format(unknown), None, "{unknown}");
    }
    assert_eq!(format("matrix.mtx.gz"), Some((Format::MatrixMarket, true)));
    let transposed = ReadOptions { transpose: true, ..ReadOptions::default() };
    let idx = read_bytes(Path::new("t.idx"), &[0; 20], &transposed).unwrap_err().to_string();
    assert!(idx.ends_with("has a row for each point: leave transpose out"), "{idx}");
}

#[test]
fn outputs_are_checked_before_the_work() {
    let check_output =
        |path: &Path, inputs: &[&Path]| check_ending(path).and_then(|()| check_place(path, inputs));
    let folder = Folder::new();
    let input = folder.file("in.csv", "a\n1\n");
    let says = |path: &Path, words: &str| {
        let error = check_output(path, &[Path::new("-"), &input]).unwrap_err().to_string();
        assert!(error.starts_with(path.to_str().unwrap()) && error.contains(words), "{error}");
    };
    check_output(&folder.path("out.csv"), &[&input]).unwrap();
    check_place(&folder.path("report.json"), &[&input]).unwrap();
    says(&folder.path("out.xlsx"), "give .csv");
    says(&folder.path("../").join(folder.path("in.csv")), "is an input");
    says(&folder.path("none/out.csv"), "make the folder first");
    fs::create_dir(folder.path("dir.csv")).unwrap();
    says(&folder.path("dir.csv"), "is a folder");
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 2, "nothing is left behind");
}

#[test]
fn a_failed_write_leaves_the_old_file() {
    let folder = Folder::new();
    let path = folder.file("out.csv", "old");
    let failing = write_atomically(&path, |out| {
        out.write_all(b"new")?;
        Err(io::Error::from(io::ErrorKind::StorageFull))
    });
    assert!(failing.unwrap_err().to_string().contains("does not fit on the disk: "));
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 1);
    write_atomically(&path, |out| out.write_all(b"new")).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert!(write_table(&path, &strings(&["a", "b"]), &[vec![1.0].into(), vec![].into()]).is_err());
}

/// The first row, the second and one behind the sample: nowhere may a cell that is no number take others with it.
#[test]
fn one_bad_cell_loses_nothing() {
    for bad in [
        "0x10",
        "1_000",
        "\"1,000\"",
        "\"1,5\"",
        "<0.01",
        "5.1%",
        "1 000",
        "1\u{a0}000",
        "'5",
        "1d5",
        "1e400",
        "oops",
    ] {
        for place in [0, 1, 500, 1500] {
            let row = |i: usize| {
                if i == place { format!("{bad},0.2,0.3\n") } else { format!("{i},0.2,0.3\n") }
            };
            let rows: String = (0..2000).map(row).collect();
            let shown = bad.trim_matches('"');
            let error = refused(&rows);
            let start = format!("row {0} (line {0}), column \"x1\" is {shown:?}, ", place + 1);
            assert!(
                error.replace("\\u{a0}", "\u{a0}").starts_with(&start.replace("\\u{a0}", "\u{a0}")),
                "{error}"
            );
            assert!(error.contains("drop = x1"), "{error}");
            let na =
                ReadOptions { na: strings(&[shown]), missing: Missing::Drop, ..Default::default() };
            let table = text_with(&rows, &na).unwrap();
            assert_eq!((table.rows, table.dropped, table.names.len()), (1999, 1, 3), "{bad}");
        }
    }
    for mark in ["n.d.", "#N/A", "-", ".", "", "n/a"] {
        for place in [0, 1, 1500] {
            let row = |i: usize| {
                if i == place { format!("{mark},0.2,0.3\n") } else { format!("{i},0.2,0.3\n") }
            };
            let rows: String = (0..2000).map(row).collect();
            let error = refused(&rows);
            assert!(
                error.starts_with(&format!(
                    "row {0} (line {0}), column \"x1\" is missing",
                    place + 1
                ))
            );
            let drop = ReadOptions { missing: Missing::Drop, ..Default::default() };
            assert_eq!(text_with(&rows, &drop).unwrap().dropped, 1, "{mark}");
        }
    }
}

#[test]
fn whole_columns_of_doubtful_numbers_are_refused() {
    for bad in ["5.1%", "\"1,000\"", "1_000", "0x1F", "<0.01", "1 000"] {
        let error = refused(&format!("a,b\n1,{bad}\n2,{bad}\n3,{bad}\n"));
        assert!(error.starts_with("row 1 (line 2), column \"b\" is "), "{error}");
    }
    // What is mostly text is text, and tells how many numbers are in it.
    let table = text("id,x\nA7,1\n12,2\nB3,3\n").unwrap();
    assert_eq!((table.names, table.text[0].numbers), (strings(&["x"]), 1));
    assert!(refused("id,x\nA7,1\n12,2\n13,3\n").contains("is \"A7\", not a number"));
}

#[test]
fn decimal_commas_are_found_or_refused() {
    let folder = Folder::new();
    let tabs = |text: &str| read(&folder.file("t.tsv", text), &ReadOptions::default());
    assert_eq!(tabs("a\tb\n1,5\t2\n1,000\t3\n").unwrap().values, [1.5, 2.0, 1.0, 3.0]);
    let error = tabs("a\tb\n1,000\t2\n2,000\t3\n").unwrap_err().to_string();
    assert!(error.contains("is \"1,000\", a number with a comma"), "{error}");
    let error = refused("a;b\n1,5;2\n1.000;3\n");
    assert!(error.contains("is \"1.000\", a number with a point"), "{error}");
    assert_eq!(text("x, cm;y\n1,5;2\n2,5;3\n").unwrap().names, ["x, cm", "y"]);
}

#[test]
fn blank_lines_before_a_table_are_counted_but_cost_nothing() {
    let error = refused(&format!("{}a,b\n1,2\n3,x\n4,5\n6,7\n", "\n \r\n".repeat(50_000)));
    assert!(error.starts_with("row 2 (line 100003), column \"b\""), "{error}");
}

/// As pandas writes a missing value of a table with one column.
#[test]
fn an_empty_cell_in_quotes_is_no_blank_line() {
    let options = ReadOptions { missing: Missing::Keep, ..ReadOptions::default() };
    for end in ["\n", "\r\n"] {
        for rest in ["", end] {
            let lines =
                ["a", "1", "\"\"", "", " ", "", "\" \"", "4", "", "\"\"", ""].join(end) + rest;
            let table = text_with(&lines, &options).unwrap();
            let missing: Vec<bool> = table.values.iter().map(|value| value.is_nan()).collect();
            assert_eq!(missing, [false, true, true, false, true], "{lines:?}");
        }
    }
}

#[test]
fn endings_that_are_told_are_known() {
    for ending in super::READ {
        let path = Path::new("a").with_extension(&ending[1..]);
        assert!(super::format_of(&path).is_ok(), "{ending}");
    }
    for ending in super::WRITTEN {
        assert!(super::check_ending(&Path::new("a").with_extension(&ending[1..])).is_ok());
    }
    assert!(super::format_of(Path::new("a.doc")).is_err());
}
