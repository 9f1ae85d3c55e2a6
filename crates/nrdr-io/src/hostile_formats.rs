//! Files of other programs cut short, changed, or full of promises.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

/// Little, so that what takes more is found.
const UNPACKED: u64 = 16 << 20;

fn options() -> ReadOptions {
    let unpacked = Some(UNPACKED);
    ReadOptions { unpacked, memory: unpacked, missing: Missing::Keep, ..ReadOptions::default() }
}

fn values(name: &str, bytes: &[u8]) -> Result<Table, String> {
    read_bytes(Path::new(name), bytes, &options()).map_err(|error| error.to_string())
}

/// The files of other software that read as they are.
fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let names = [
        "csr.npz",
        "coo.npz",
        "bsr.npz",
        "general.mtx",
        "array.mtx",
        "packed.mtx.gz",
        "first.mat",
        "one.h5",
        "ranger.h5",
        "least.h5ad",
        "old.h5ad",
        "records.h5ad",
        "book.xlsx",
        "lz4.feather",
        "zstd.feather",
        "stream.arrow",
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats");
    names.map(|name| (name, fs::read(folder.join(name)).unwrap())).to_vec()
}

#[test]
fn files_cut_short_are_refused_or_read() {
    for (name, bytes) in samples() {
        values(name, &bytes).unwrap();
        let lengths = (0..100).chain((100..bytes.len() - 1).step_by(bytes.len() / 40));
        for length in lengths {
            let found = values(name, &bytes[..length]);
            // Behind the numbers of Arrow there is a table of contents, and a line of text may end early.
            let may_read =
                name.ends_with(".feather") || name == "stream.arrow" || length + 20 > bytes.len();
            assert!(found.is_err() || may_read, "{name} {length}");
        }
    }
}

/// Whatever bytes are changed to, the file reads or is refused.
#[test]
fn changed_bytes_do_no_harm() {
    let read = |name: &str, bytes: &[u8]| {
        if let Ok(table) = values(name, bytes) {
            assert_eq!(table.values.len(), table.rows * table.names.len(), "{name}");
            assert!(table.text.iter().all(|text| text.codes.len() == table.rows), "{name}");
        }
    };
    for (name, bytes) in samples() {
        let step = (bytes.len() / 400).max(1);
        for at in (0..bytes.len()).step_by(step) {
            for change in [0x01, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                read(name, &changed);
            }
            // Sizes and places are numbers of four or eight bytes.
            let mut changed = bytes.clone();
            let end = (at + 4).min(changed.len());
            changed[at..end].fill(0xff);
            read(name, &changed);
        }
    }
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

#[test]
fn promises_of_huge_matrices_are_refused() {
    let head = |kind: &str, sizes: &str| format!("%%MatrixMarket matrix {kind} general\n{sizes}\n");
    for (kind, sizes) in [
        ("coordinate real", "4000000000 4000000000 1"),
        ("coordinate real", "100000 100000 1"),
        ("array real", "100000 1000"),
        ("coordinate real", "18446744073709551615 2 1"),
        ("coordinate real", "1 4194305 1"),
        ("coordinate real", "0 5 0"),
        ("coordinate real", "2 2 1\n3 1 5"),
        ("coordinate real", "2 2 1\n0 1 5"),
        ("coordinate real", "2 2 2\n1 1 5"),
        ("coordinate real", "2 2 1\n1 1 5\n1 2 5"),
        ("coordinate real", "2 2 1\n1 1"),
        ("array real", "2 1\n1"),
        ("array real", "2 1\n1\nx"),
        ("coordinate real", "-1 2 1"),
        ("coordinate real", ""),
        ("vector real", "1"),
    ] {
        let text = head(kind, sizes);
        for (name, bytes) in
            [("t.mtx", text.clone().into_bytes()), ("t.mtx.gz", packed(text.as_bytes()))]
        {
            assert!(values(name, &bytes).is_err(), "{text}");
        }
    }
    let endless =
        [b"%%MatrixMarket matrix array real general\n".as_slice(), &[b'1'; 1 << 17]].concat();
    assert!(values("t.mtx", &endless).unwrap_err().contains("line 2: an endless line"));
    assert!(values("t.mtx", head("coordinate real", "2 2 1\n1 2 5").as_bytes()).is_ok());
}

/// A workbook of one sheet, whose XML is given.
fn book(sheet: &str, strings: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = ZipWriter::new(std::io::Cursor::new(&mut bytes));
    let relation = |id: &str, kind: &str, target: &str| {
        format!("<Relationship Id=\"{id}\" Type=\"http://x/{kind}\" Target=\"{target}\"/>")
    };
    let relations = |inside: String| format!("<Relationships>{inside}</Relationships>");
    let parts = [
        ("_rels/.rels", relations(relation("r1", "officeDocument", "xl/workbook.xml"))),
        (
            "xl/_rels/workbook.xml.rels",
            relations(
                relation("r1", "worksheet", "/xl/s.xml")
                    + &relation("r2", "sharedStrings", "t.xml"),
            ),
        ),
        (
            "xl/workbook.xml",
            "<workbook><sheets><sheet name=\"S\" r:id=\"r1\"/></sheets></workbook>".to_string(),
        ),
        ("xl/s.xml", format!("<worksheet><sheetData>{sheet}</sheetData></worksheet>")),
        ("xl/t.xml", format!("<sst uniqueCount=\"99999999999\">{strings}</sst>")),
    ];
    for (name, text) in parts {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

#[test]
fn workbooks_that_promise_too_much_are_refused() {
    let cell = |place: &str| format!("<row><c r=\"{place}\"><v>1</v></c></row>");
    let table = values("t.xlsx", &book(&cell("A1"), "")).unwrap();
    assert_eq!(table.values, [1.0]);
    // Cells without places stand behind one another, and texts may be rich.
    let plain = "<row><c><v>1</v></c><c t=\"s\"><v>0</v></c></row><row><c><v>2</v></c></row>";
    let rich = "<si><r><t>a</t></r><rPh><t>no</t></rPh><r><t>&amp;&#98;</t></r></si>";
    let table = values("t.xlsx", &book(plain, rich)).unwrap();
    assert_eq!(
        (table.values.as_slice(), table.text[0].get(0), table.text[0].get(1)),
        ([1.0, 2.0].as_slice(), "a&b", "")
    );
    // Rows far apart are blank lines, but columns far apart are columns.
    let far = cell("A1") + &cell("XFD1048576");
    assert!(values("t.xlsx", &book(&far, "")).is_ok());
    let wide: String =
        (1..400).map(|row| cell(&format!("A{row}")) + &cell(&format!("XFD{row}"))).collect();
    let wide = wide.replace("</row><row>", "");
    assert!(
        values("t.xlsx", &book(&wide, "")).unwrap_err().contains("unpack"),
        "too many empty cells"
    );
    for (sheet, told) in [
        (cell("XFE1"), "a cell at"),
        (cell("A1048577"), "a cell at"),
        (cell("A0"), "a cell at"),
        (cell("1"), "a cell at"),
        (cell("A2") + &cell("A1"), "cells out of order"),
        ("<row><c t=\"s\"><v>7</v></c></row>".to_string(), "a text that is not there"),
        ("<row r=\"99999999999\"/>".to_string(), "damaged"),
        ("<a>".repeat(100), "too many elements within each other"),
        ("<row><c><v>".to_string(), "damaged"),
        (String::new(), "is empty"),
    ] {
        let refused = values("t.xlsx", &book(&sheet, "")).unwrap_err();
        assert!(refused.contains(told), "{sheet} {refused}");
    }
    let long = format!("<row><c t=\"str\"><v>{}</v></c></row>", "x".repeat(40 << 20));
    assert!(values("t.xlsx", &book(&long, "")).unwrap_err().contains("of more than 16 MB"));
    let blanks = "<si><t>x</t></si>".repeat(300_000);
    assert!(values("t.xlsx", &book(&cell("A1"), &blanks)).unwrap_err().contains("unpack"));
    assert!(
        values("t.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
            .unwrap_err()
            .contains("has a password")
    );
}

#[test]
fn what_unpacks_to_too_much_is_refused() {
    // A dataset of zeros that a few bytes promise: never written, its fill value stands for it.
    let (_, mut bytes) = samples().into_iter().find(|(name, _)| *name == "one.h5").unwrap();
    let sizes: Vec<u8> = [12u64, 5].iter().flat_map(|size| size.to_le_bytes()).collect();
    let huge: Vec<u8> = [1u64 << 40, 5].iter().flat_map(|size| size.to_le_bytes()).collect();
    let places: Vec<usize> =
        (0..bytes.len() - 16).filter(|&at| bytes[at..].starts_with(&sizes)).collect();
    assert!(!places.is_empty());
    places.iter().for_each(|&at| bytes[at..at + 16].copy_from_slice(&huge));
    let refused = values("one.h5", &bytes).unwrap_err();
    assert!(refused.contains("unpack it first"), "{refused}");
}
