//! Tables in text as programs and people write them: encodings, separators, lines before the table, lengths of lines.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::tests::Folder;
use super::*;

/// A table, or what is told of it, as a file of this name; read whole and in pieces, packed and not.
fn table(name: &str, bytes: impl AsRef<[u8]>, options: &ReadOptions) -> Result<Table, String> {
    let (folder, bytes) = (Folder::new(), bytes.as_ref());
    let path = folder.file(name, bytes);
    let whole = read(&path, options).map_err(|error| error.to_string());
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(bytes).unwrap();
    let packed = folder.file(&format!("{name}.gz"), packer.finish().unwrap());
    match (&whole, read(&packed, options)) {
        (Ok(table), Ok(packed)) => {
            assert_eq!((&table.names, &table.values), (&packed.names, &packed.values));
            assert_eq!(table.notes, packed.notes);
            let mut stream = Stream::open(&path, &table.names, options).unwrap();
            let mut values = Vec::new();
            while let Some(piece) = stream.next(2).unwrap() {
                values.extend(piece.values);
            }
            assert_eq!((values, stream.notes()), (table.values.clone(), table.notes.clone()));
        }
        (Err(told), Err(packed)) => {
            assert_eq!(told.as_str(), packed.to_string().replace(".gz", ""))
        }
        (whole, packed) => panic!("{whole:?} {packed:?}"),
    }
    whole.map_err(|told| told.split_once(&format!("{name}: ")).unwrap().1.to_string())
}

fn plain(name: &str, bytes: impl AsRef<[u8]>) -> Table {
    table(name, bytes, &ReadOptions::default()).unwrap()
}

fn refused(name: &str, bytes: impl AsRef<[u8]>) -> String {
    table(name, bytes, &ReadOptions::default()).unwrap_err()
}

fn notes(table: &Table) -> String {
    table.notes.iter().map(Advice::to_string).collect::<Vec<_>>().join("\n")
}

fn utf_16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn endings_do_not_decide() {
    for name in ["t.csv", "t.tsv", "t.txt", "t.dat", "t.tab"] {
        for sign in [",", ";", "\t", "|", "   "] {
            let text = format!("a{sign}b{sign}c\n1.5{sign}2{sign}x\n3{sign}4{sign}y\n");
            let table = plain(name, text);
            assert_eq!(table.names, ["a", "b"], "{name} {sign:?}");
            assert_eq!((table.values, table.notes), (vec![1.5, 2.0, 3.0, 4.0], Vec::new()));
        }
    }
    let refused = refused("t.txt", "1,5\n2,5\n");
    assert!(refused.starts_with("may hold one column with decimal commas"), "{refused}");
    let options = ReadOptions { separator: Some(Separator::Tab), ..ReadOptions::default() };
    assert_eq!(table("t.txt", "1,5\n2,5\n", &options).unwrap().values, [1.5, 2.5]);
    let options = ReadOptions { separator: Some(Separator::Comma), ..ReadOptions::default() };
    assert_eq!(table("t.txt", "1,5\n2,5\n", &options).unwrap().values, [1.0, 5.0, 2.0, 5.0]);
}

/// As savetxt of NumPy writes them, with a header and without.
#[test]
fn numbers_between_blanks() {
    let rows = "1.000000000000000000e+00 -2.5e-01\n3e+00 4e+00\n";
    let table = plain("t.txt", rows);
    assert_eq!((table.names.join(" "), table.values), ("x1 x2".into(), vec![1.0, -0.25, 3.0, 4.0]));
    let table = plain("t.csv", format!("# height width\n{rows}"));
    assert_eq!((table.names.join(" "), table.rows), ("height width".into(), 2));
    assert_eq!(notes(&table), "line 1, which begins with #, names the columns");
    let table = plain("t.dat", format!("# made in May\n# a\tb\n\n{rows}"));
    assert_eq!((table.names.join(" "), table.rows), ("a b".into(), 2));
    assert_eq!(notes(&table), "comments are left out: lines 1 to 3, and line 2 names the columns");
    let right = plain("t.txt", "   1.0    2.0\r\n -10.0   20.0\r\n");
    assert_eq!(right.values, [1.0, 2.0, -10.0, 20.0]);
    let error = refused("t.txt", format!("# a b c\n{rows}1 2 3\n"));
    assert!(error.starts_with("line 4 has 3 fields and the first has 2: "), "{error}");
}

#[test]
fn comments_are_told_from_names_and_points() {
    for (text, names, rows, told) in [
        ("#id,x\n1,2\n3,4\n", "#id x", 2, "line 1, which begins with #, names the columns"),
        ("# by hand\na,b\n1,2\n", "a b", 1, "comments are left out: line 1"),
        ("# made by, me\na,b\n1,2\n", "a b", 1, "comments are left out: line 1"),
        ("# 1,2\n3,4\n", "x1 x2", 1, "comments are left out: line 1"),
        ("# x\n1\n2\n", "x", 2, "line 1, which begins with #, names the columns"),
        ("# two words\n1\n2\n", "x1", 2, "comments are left out: line 1"),
        (
            "\n\n#\n# x,y\n\n1,2\n",
            "x y",
            1,
            "comments are left out: lines 3 to 5, and line 4 names the columns",
        ),
        ("#1,5\n#2,6\n", "x2", 2, ""),
    ] {
        let table = plain("t.csv", text);
        assert_eq!((table.names.join(" ").as_str(), table.rows), (names, rows), "{text:?}");
        assert_eq!(notes(&table), told, "{text:?}");
    }
    for (text, told) in [
        ("#1,2\n3,4\n", "row 1 (line 1), column \"x1\" is \"#1\""),
        ("#N/A,2\n3,4\n", "row 1 (line 1), column \"x1\" is missing"),
        ("# a\n#N/A\n3\n", "row 1 (line 2), column \"x1\" is missing"),
        ("# a,b\n1,2\n3,oops\n", "row 2 (line 3), column \"b\" is \"oops\""),
    ] {
        let error = refused("t.csv", text);
        assert!(error.starts_with(told), "{error}");
    }
    let options = |header| ReadOptions { header, ..ReadOptions::default() };
    let names =
        |text: &str, header| table("t.csv", text, &options(header)).unwrap().names.join(" ");
    assert_eq!(names("# a,b\n1,2\n", Header::No), "x1 x2");
    assert_eq!(names("# a,b\n1,2\n", Header::Yes), "a b");
    assert_eq!(names("# a,b\nc,d\n1,2\n", Header::Yes), "c d");
    assert_eq!(names("# see below\n7,8\n1,2\n", Header::Yes), "7 8");
}

#[test]
fn encodings_are_found() {
    let text = "größe;µ;Straße\n1,5;2;süd\n3;4;weiß\n";
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    for (bytes, told) in [
        (text.as_bytes().to_vec(), ""),
        (format!("\u{feff}{text}").into_bytes(), ""),
        (utf_16(&format!("\u{feff}{text}")), ""),
        (utf_16(&format!("\u{feff}{text}")).chunks(2).flat_map(|p| [p[1], p[0]]).collect(), ""),
        (utf_16(text), "read as UTF-16LE, as its bytes tell (encoding says otherwise)"),
        (latin.clone(), "read as Windows-1252, as its bytes tell (encoding says otherwise)"),
    ] {
        let table = plain("t.csv", &bytes);
        assert_eq!((table.names.join(" ").as_str(), notes(&table).as_str()), ("größe µ", told));
        assert_eq!(table.values, [1.5, 2.0, 3.0, 4.0]);
        assert_eq!((table.text[0].name.as_str(), table.text[0].get(1)), ("Straße", "weiß"));
    }
    let given = ReadOptions { encoding: Some("ISO-8859-1".into()), ..ReadOptions::default() };
    assert_eq!(notes(&table("t.csv", &latin, &given).unwrap()), "");
    let cyrillic = ReadOptions { encoding: Some("windows-1251".into()), ..ReadOptions::default() };
    let bytes = b"\xf0\xe0\xe7,b\n1,2\n";
    assert_eq!(table("t.csv", bytes, &cyrillic).unwrap().names, ["раз", "b"]);
    let excel = utf_16("\u{feff}a\tb\r\n1,5\t2\r\n\r\n3\t4\r\n");
    assert_eq!(plain("t.txt", excel).values, [1.5, 2.0, 3.0, 4.0]);
}

/// A letter far behind the first lines decides, and what was read before stays.
#[test]
fn an_encoding_may_show_late() {
    let mut bytes = b"name,x\n".to_vec();
    (0..30_000).for_each(|i| bytes.extend(format!("plain,{i}\n").bytes()));
    bytes.extend(b"caf\xe9,7\n");
    let late = plain("t.csv", &bytes);
    assert_eq!((late.rows, late.values[30_000], late.text[0].get(30_000)), (30_001, 7.0, "café"));
    assert!(notes(&late).starts_with("read as Windows-1252"), "{}", notes(&late));
    // Once a letter was UTF-8, others are as well.
    bytes.extend("schön,8\ncaf".bytes().chain(*b"\xe9,7\n"));
    let utf_8 = bytes.iter().position(|&byte| byte == 0xe9).unwrap();
    bytes.splice(utf_8..=utf_8, "é".bytes());
    let error = refused("t.csv", &bytes);
    assert!(error.starts_with("line 30004 is not UTF-8: "), "{error}");
    assert!(error.ends_with("or say what it is in with encoding"), "{error}");
}

#[test]
fn lines_are_left_out_and_counted() {
    let skip = |skip, text: &str| table("t.csv", text, &ReadOptions { skip, ..Default::default() });
    let export = "Exported from X\n\nby; somebody, on Monday\na,b\n1,2\n\n3,4\n";
    let table = skip(3, export).unwrap();
    assert_eq!((table.names.join(" "), table.values), ("a b".into(), vec![1.0, 2.0, 3.0, 4.0]));
    let error = skip(3, &export.replace("3,4", "3,x")).unwrap_err();
    assert!(error.starts_with("row 2 (line 7), column \"b\" is \"x\""), "{error}");
    let error = skip(3, &export.replace("3,4", "3,4,5")).unwrap_err();
    assert!(error.starts_with("line 7 has 3 fields and the first has 2: "), "{error}");
    assert!(error.ends_with("leave lines before the table out with skip"), "{error}");
    let error = skip(0, export).unwrap_err();
    assert!(error.contains(" fields and the first has 1: "), "{error}");
    assert_eq!(skip(8, export).unwrap_err(), "has only 7 lines: leave fewer out with skip");
    assert!(skip(7, export).unwrap_err().starts_with("is empty"));
    let wide = ReadOptions { skip: 1, ..ReadOptions::default() };
    let wide = super::text_tests::table("t.csv", utf_16("\u{feff}by me\na,b\n1,2\n"), &wide);
    assert_eq!(wide.unwrap().values, [1.0, 2.0]);
}

#[test]
fn separators_at_the_ends_of_lines_are_left_out() {
    for text in
        ["a,b,\n1,2,\n3,4,\n", "a,b\n1,2,\n3,4,\n", "a,b,,\n1,2,,\n3,4,,\n", "a|b|\n1|2|\n3|4|"]
    {
        let table = plain("t.csv", text);
        assert_eq!(
            (table.names.join(" "), &table.values[..]),
            ("a b".into(), &[1.0, 2.0, 3.0, 4.0][..])
        );
        assert!(notes(&table).contains("separator(s) more than there are columns"), "{text:?}");
    }
    // A column with a name is one, though it has no values.
    let error = refused("t.csv", "a,b,c\n1,2,\n3,4,\n");
    assert!(error.starts_with("row 1 (line 2), column \"c\" is missing"), "{error}");
    let late = format!("a,b\n{}5,6,7\n", "1,2,\n".repeat(2000));
    let error = refused("t.csv", late);
    assert!(
        error.starts_with("line 2002 has a value in field 3, which the lines before"),
        "{error}"
    );
}

/// As write.table of R writes them.
#[test]
fn names_of_rows_have_no_name_of_their_own() {
    for text in [
        "\"x\" \"y\"\n\"1\" 1.5 2\n\"2\" 3 4\n",
        "x,y\nfirst,1.5,2\nsecond,3,4\n",
        "x\ty\n10\t1.5\t2\n20\t3\t4\n",
    ] {
        let table = plain("t.txt", text);
        assert_eq!(table.names, ["x", "y"]);
        assert_eq!(
            (table.values.as_slice(), table.text[0].name.as_str()),
            (&[1.5, 2.0, 3.0, 4.0][..], "rownames")
        );
        assert!(notes(&table).contains("names of the rows"));
    }
    let error = refused("t.csv", "x\n1,5\n2,5\n");
    assert!(error.starts_with("line 2 has 2 fields and the first has 1: "), "{error}");
}

#[test]
fn decimals_are_found_or_given() {
    for text in ["a;b\n1,5;2\n", "a\tb\n1,5\t2\n", "a|b\n1,5|2\n", "a b\n1,5 2\n"] {
        assert_eq!(plain("t.csv", text).values, [1.5, 2.0], "{text:?}");
    }
    let with =
        |decimal, text: &str| table("t.csv", text, &ReadOptions { decimal, ..Default::default() });
    let thousand = "a|b\n1,000|2\n";
    let error = refused("t.csv", thousand);
    assert!(error.contains("say decimal = comma if decimals stand behind a comma"), "{error}");
    assert_eq!(with(Decimal::Comma, thousand).unwrap().values, [1.0, 2.0]);
    let error = refused("t.csv", "a;b\n1,000;2\n1.5;3\n");
    assert!(error.contains("say decimal = point if decimals stand behind a point"), "{error}");
    assert_eq!(with(Decimal::Comma, "a,b\n\"1,5\",2\n").unwrap().values, [1.5, 2.0]);
    assert!(with(Decimal::Point, "a;b\n1,5;2\n").unwrap_err().contains("a number with a comma"));
    assert_eq!(with(Decimal::Point, "a;b\n1.5;2\n").unwrap().values, [1.5, 2.0]);
}

#[test]
fn options_of_text_are_refused_elsewhere() {
    let folder = Folder::new();
    let path = folder.path("t.npy");
    write_table(&path, &["x".to_string()], &[vec![1.0].into()]).unwrap();
    for (option, options) in [
        ("skip", ReadOptions { skip: 1, ..Default::default() }),
        ("separator", ReadOptions { separator: Some(Separator::Tab), ..Default::default() }),
        ("encoding", ReadOptions { encoding: Some("utf-8".into()), ..Default::default() }),
        ("decimal", ReadOptions { decimal: Decimal::Comma, ..Default::default() }),
    ] {
        let error = read(&path, &options).unwrap_err().to_string();
        assert!(error.ends_with(&format!("is not a table in text: leave {option} out")), "{error}");
    }
}

#[test]
fn missing_values_stay_to_be_filled_and_infinite_ones_do_not() {
    let fill = ReadOptions { missing: Missing::Fill, ..ReadOptions::default() };
    let found = read_bytes(Path::new("t.csv"), b"a,b\n1,\nNA,4\n", &fill).unwrap();
    assert!(found.values[1].is_nan() && found.values[2].is_nan() && found.values[3] == 4.0);
    let error = table("t.csv", "a,b\n1,\n3,inf\n", &fill).unwrap_err();
    assert!(error.starts_with("row 2 (line 3), column \"b\" is infinite"), "{error}");
    let mut stream =
        Stream::of_bytes(Path::new("t.csv"), b"a\n1\n\"\"\n", &["a".into()], &fill).unwrap();
    let piece = stream.next(9).unwrap().unwrap();
    assert!(piece.kept.is_none() && piece.values[1].is_nan());
}

/// Bytes of every kind: nothing but text is read, and nothing panics.
#[test]
fn bytes_that_are_no_text_are_refused() {
    for (bytes, told) in [
        (&b"\xff\xfea\0,\0b\0\n\x001\0,\0\x00\xd82\0\n\0"[..], "line 2 is not UTF-16LE: "),
        (b"\xff\xfea\0\n\x001\0\n\x002", "line 3 is not UTF-16LE: "),
        (b"\xfe\xff\0a\0\n\xdc\0\0\n", "line 2 is not UTF-16BE: "),
        (b"\xff\xfe\0\0a\0\0\0", "line 1 is in UTF-32: "),
        (b"a,b\n1,2\n\xe9,\x02\n", "line 3 is neither UTF-8 nor Windows-1252: "),
        (b"\x1f\x8b\x08\0\0\0\0\0", "line 1 is neither UTF-8 nor Windows-1252: "),
    ] {
        let error = refused("t.csv", bytes);
        assert!(error.starts_with(told), "{error}");
    }
    for encoding in ["utf-16le", "utf-16be", "shift_jis", "gb18030", "iso-2022-jp", "big5", "utf-8"]
    {
        let options = ReadOptions { encoding: Some(encoding.into()), ..ReadOptions::default() };
        for length in 0..40u8 {
            let bytes: Vec<u8> =
                (0..length).map(|i| i.wrapping_mul(151).wrapping_add(length)).collect();
            let _ = table("t.csv", &bytes, &options);
        }
    }
}
